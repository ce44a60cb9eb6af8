// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/strip_tile.hpp>
#include <helicity/align/problem.hpp>
#include <helicity/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <hwy/aligned_allocator.h>

/// The matrix of one pair, computed tile by tile; nothing of it is kept but what is asked for.
namespace helicity::align {

template <class T>
using StripBuffer = hwy::AlignedFreeUniquePtr<T[]>;

/// @throws RuntimeFault naming what the memory was for
template <class T>
StripBuffer<T> allocate_strip_buffer(std::int64_t count, const char* what)
{
  auto buffer = hwy::AllocateAligned<T>(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)));
  if (buffer == nullptr) {
    const auto bytes = static_cast<std::uint64_t>(count) * sizeof(T);
    throw RuntimeFault("out of memory: " + std::to_string(bytes) + " bytes for " + what);
  }
  return buffer;
}

/// H and the values of the gaps that cross it (E or F, StripTile) along a line of the matrix;
/// `h` null: along row 0 or column 0, where they have a formula.
template <class T>
struct StripLine
{
  T* h = nullptr;
  T* gap = nullptr;

  StripLine from(std::int64_t offset) const
  {
    return h == nullptr ? *this : StripLine{h + offset, gap + offset};
  }
  void copy(const StripLine& source, std::int64_t count) const
  {
    std::memcpy(h, source.h, static_cast<std::size_t>(count) * sizeof(T));
    std::memcpy(gap, source.gap, static_cast<std::size_t>(count) * sizeof(T));
  }
};

/// Copies a line that begins one cell from a corner, adding `by`, and `slope` for each cell that a
/// value is away from the corner (gap values belong to the next line).
template <class From, class To>
void shift_line(StripLine<From> from, std::int64_t by, std::int64_t slope, std::int64_t count,
                StripLine<To> to)
{
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t h = by + (k + 1) * slope;
    to.h[k] = static_cast<To>(from.h[k] + h);
    to.gap[k] = static_cast<To>(from.gap[k] + h + slope);
  }
}

/// The scheme that gives H(i,j) + (i + j) e: extending a gap costs nothing in it.
inline ScoreTable folded(const ScoreTable& table)
{
  ScoreTable result = table;
  result.gap_extend = 0;
  result.max_score += 2 * table.gap_extend;
  result.min_score += 2 * table.gap_extend;
  for (std::int32_t& score : result.score) score += 2 * table.gap_extend;
  return result;
}

/// A rectangle of the matrix (as StripTile) and what is known above and to the left of it.
template <class T>
struct StripFrame
{
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  T corner = 0;
  StripLine<T> above;
  StripLine<T> left;
};

/// The tiles that a frame is cut into.
struct StripGrid
{
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

/// The borders between the tiles of a frame.
template <class T>
class StripCheckpoints
{
 public:
  StripCheckpoints(const StripFrame<T>& frame, StripGrid grid)
      : grid_(grid),
        rows_(frame.rows),
        columns_(frame.columns),
        memory_(allocate_strip_buffer<T>(elements(), "checkpoints of an alignment"))
  {}

  StripGrid grid() const { return grid_; }
  std::int64_t bytes() const { return elements() * std::int64_t{sizeof(T)}; }

  /// The line above the tiles `index` > 0 from the top; left of those `index` > 0 from the left.
  StripLine<T> above(std::int64_t index) const
  {
    T* const h = memory_.get() + 2 * (index - 1) * columns_;
    return {h, h + columns_};
  }
  StripLine<T> left(std::int64_t index) const
  {
    T* const h = memory_.get() + 2 * (lines_above() * columns_ + (index - 1) * rows_);
    return {h, h + rows_};
  }

 private:
  std::int64_t lines_above() const { return (rows_ - 1) / grid_.rows; }
  std::int64_t lines_left() const { return (columns_ - 1) / grid_.columns; }
  std::int64_t elements() const { return 2 * (lines_above() * columns_ + lines_left() * rows_); }

  StripGrid grid_;
  std::int64_t rows_;
  std::int64_t columns_;
  StripBuffer<T> memory_;
};

/// The matrix of a pair, with absolute scores of type T between tiles. Tiles have narrower lanes,
/// relative to their corner; outside local mode they hold H(i,j) + (i + j) e, which spares the loop
/// the cost of extending gaps and changes no comparison.
template <class T>
class StripMatrix
{
 public:
  /// @pre T is 64 bits wide, or strip_fits_32(problem, pair); problem and letters outlive the
  /// matrix
  StripMatrix(const Problem& problem, const CodePair& pair);

  const Problem& problem() const { return problem_; }
  const CodePair& pair() const { return pair_; }
  StripFrame<T> whole() const
  {
    return {.rows = pair_.query_length, .columns = pair_.target_length};
  }

  /// Do walks stop on row 0, on column 0?
  bool free_row() const { return is_free(problem_.free.target_begin); }
  bool free_column() const { return is_free(problem_.free.query_begin); }

  /// H above row `row`, left of column `column` of a frame, one of which is 0.
  T border(const StripFrame<T>& frame, std::int64_t row, std::int64_t column) const;

  /// Size of the tiles that are computed at once; those of checkpoints are multiples of it. Larger
  /// ones cost less to begin and end, smaller ones less to recompute along a path.
  StripGrid unit() const { return unit_; }

  /// Can no score in a tile leave a lane, relative to its corner, whatever the letters? Down from
  /// the corner a cell is reached by two gaps. Up: from where the best path to a cell leaves the
  /// rectangle above and left of the corner, a gap leads to the corner; it is longer than the
  /// path's own gaps by no more than the path's other columns.
  template <class Lane>
  bool fits(std::int64_t rows, std::int64_t columns) const;

  /// Lanes of a tile: 16 bits if they do, else 32.
  bool narrow(std::int64_t rows, std::int64_t columns) const
  {
    return by_equality_ && fits<std::int16_t>(rows, columns);
  }
  StripShape shape(std::int64_t rows, std::int64_t columns) const
  {
    return narrow(rows, columns) ? strip_shape(std::int16_t{}) : strip_shape(std::int32_t{});
  }

  /// Computes a frame by units, row by row; keeps what `keep` is for, and improves `best` by the
  /// frame's end cells, unless these are null.
  void sweep(const StripFrame<T>& frame, const StripCheckpoints<T>* keep, EndCell* best) const;

  /// Computes the directions of a frame as one tile.
  /// @pre fits<std::int32_t>(frame.rows, frame.columns)
  void directions(const StripFrame<T>& frame, std::uint8_t* bits) const;

  /// Improves `best` by the end cells on row 0 and column 0.
  void offer_border(EndCell& best) const;

 private:
  static constexpr std::int64_t margin = 64;  // readable bytes on either side of the target

  bool is_free(bool end) const
  {
    return problem_.mode == Mode::local || (problem_.mode == Mode::semi_global && end);
  }
  T open_extend() const
  {
    return static_cast<T>(problem_.table.gap_open + problem_.table.gap_extend);
  }
  T gap_score(std::int64_t length) const;
  T row_zero(std::int64_t j) const { return free_row() ? 0 : gap_score(j); }
  T column_zero(std::int64_t i) const { return free_column() ? 0 : gap_score(i); }

  void load_above(const StripFrame<T>& frame, StripLine<T> line) const;
  void load_left(const StripFrame<T>& frame, std::int64_t row, std::int64_t rows,
                 StripLine<T> line) const;
  void sweep_row(const StripFrame<T>& row, const StripCheckpoints<T>* keep,
                 std::int64_t row_in_frame, EndCell* best) const;
  void run(const StripFrame<T>& tile, EndCell* best, std::uint8_t* bits) const;
  template <class Lane>
  void run_lanes(const StripFrame<T>& tile, EndCell* best, std::uint8_t* bits) const;
  void offer(EndCell& best, std::int64_t i, std::int64_t j, T score) const;
  bool depends_on_equality() const;
  StripGrid choose_unit() const;

  const Problem& problem_;
  CodePair pair_;
  ScoreTable table_;  // what tiles compute with
  StripBuffer<std::uint8_t> target_;
  bool by_equality_;
  StripGrid unit_;
};

/// Can no number of the recurrence leave 32-bit lanes, whatever the letters? H is at least what two
/// gaps earn, at most what matches earn, and E and F are at most one gap's opening below H.
inline bool strip_fits_32(const Problem& problem, const CodePair& pair)
{
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  const ScoreTable& table = problem.table;
  const std::int64_t highest =
      std::min(pair.query_length, pair.target_length) * std::max(table.max_score, 0);
  const std::int64_t lowest = 3 * std::int64_t{table.gap_open} - std::min(table.min_score, 0) +
                              (pair.query_length + pair.target_length + 2) * table.gap_extend;
  return highest < limit && lowest < limit;
}

template <class T>
StripMatrix<T>::StripMatrix(const Problem& problem, const CodePair& pair)
    : problem_(problem),
      pair_(pair),
      table_(problem.mode == Mode::local ? problem.table : folded(problem.table)),
      target_(allocate_strip_buffer<std::uint8_t>(pair.target_length + 2 * margin, "a target")),
      by_equality_(depends_on_equality()),
      unit_(choose_unit())
{
  std::uint8_t* const letters = target_.get() + margin;
  std::fill(target_.get(), letters, std::uint8_t{0});
  std::copy(pair.target, pair.target + pair.target_length, letters);
  std::fill(letters + pair.target_length, letters + pair.target_length + margin, std::uint8_t{0});
}

template <class T>
bool StripMatrix<T>::depends_on_equality() const
{
  constexpr std::uint8_t unknown = 4;
  const ScoreTable& table = problem_.table;
  if (!table.uniform) return false;
  if (table(0, unknown) == table(0, 1)) return true;
  const std::uint8_t* const query_end = pair_.query + pair_.query_length;
  const std::uint8_t* const target_end = pair_.target + pair_.target_length;
  return std::find(pair_.query, query_end, unknown) == query_end &&
         std::find(pair_.target, target_end, unknown) == target_end;
}

template <class T>
T StripMatrix<T>::gap_score(std::int64_t length) const
{
  if (length == 0) return 0;
  return static_cast<T>(-(problem_.table.gap_open + length * problem_.table.gap_extend));
}

template <class T>
T StripMatrix<T>::border(const StripFrame<T>& frame, std::int64_t row, std::int64_t column) const
{
  if (row == 0 && column == 0) return frame.corner;
  if (row == 0) {
    return frame.above.h ? frame.above.h[column - 1] : row_zero(frame.column + column);
  }
  return frame.left.h ? frame.left.h[row - 1] : column_zero(frame.row + row);
}

template <class T>
void StripMatrix<T>::load_above(const StripFrame<T>& frame, StripLine<T> line) const
{
  if (frame.above.h != nullptr) return line.copy(frame.above, frame.columns);
  for (std::int64_t k = 0; k < frame.columns; ++k) {
    line.h[k] = row_zero(frame.column + 1 + k);
    line.gap[k] = line.h[k] - open_extend();
  }
}

template <class T>
void StripMatrix<T>::load_left(const StripFrame<T>& frame, std::int64_t row, std::int64_t rows,
                               StripLine<T> line) const
{
  if (frame.left.h != nullptr) return line.copy(frame.left.from(row), rows);
  for (std::int64_t k = 0; k < rows; ++k) {
    line.h[k] = column_zero(frame.row + row + 1 + k);
    line.gap[k] = line.h[k] - open_extend();
  }
}

template <class T>
StripGrid StripMatrix<T>::choose_unit() const
{
  StripGrid unit{512, by_equality_ ? 1024 : 2048};
  while (unit.columns * unit.columns < 16 * pair_.target_length &&
         fits<std::int32_t>(2 * unit.rows, 2 * unit.columns) &&
         narrow(2 * unit.rows, 2 * unit.columns) == narrow(unit.rows, unit.columns))
  {
    unit = {2 * unit.rows, 2 * unit.columns};
  }
  return unit;
}

template <class T>
template <class Lane>
bool StripMatrix<T>::fits(std::int64_t rows, std::int64_t columns) const
{
  constexpr std::int64_t limit = std::numeric_limits<Lane>::max() - 1;
  const std::int64_t open = table_.gap_open, extend = table_.gap_extend;
  // A free border rises by the folded extension, whatever the letters earn.
  const std::int64_t border =
      free_row() || free_column() ? problem_.table.gap_extend - table_.gap_extend : 0;
  const std::int64_t gain = std::max<std::int64_t>(std::max(table_.max_score, 0), border);
  const std::int64_t loss = -std::min(table_.min_score, 0);
  const std::int64_t up = 2 * open + (std::max(rows, columns) + 2) * (gain + extend);
  const std::int64_t down = 3 * open + (rows + columns + 2) * extend + loss;
  return up < limit && down < limit;
}

template <class T>
void StripMatrix<T>::sweep(const StripFrame<T>& frame, const StripCheckpoints<T>* keep,
                           EndCell* best) const
{
  const std::int64_t height = std::min(unit_.rows, frame.rows);
  const auto memory = allocate_strip_buffer<T>(2 * (frame.columns + height), "rows of a matrix");
  StripFrame<T> row = frame;
  row.above = {memory.get(), memory.get() + frame.columns};
  row.left = {row.above.gap + frame.columns, row.above.gap + frame.columns + height};
  load_above(frame, row.above);
  for (std::int64_t r = 0; r < frame.rows; r += unit_.rows) {
    if (keep && r > 0 && r % keep->grid().rows == 0) {
      keep->above(r / keep->grid().rows).copy(row.above, frame.columns);
    }
    row.row = frame.row + r;
    row.rows = std::min(unit_.rows, frame.rows - r);
    row.corner = border(frame, r, 0);
    load_left(frame, r, row.rows, row.left);
    sweep_row(row, keep, r, best);
    for (std::int64_t k = 0; best && k < row.rows; ++k) {
      offer(*best, row.row + 1 + k, frame.column + frame.columns, row.left.h[k]);
    }
  }
  for (std::int64_t k = 0; best && k < frame.columns; ++k) {
    offer(*best, frame.row + frame.rows, frame.column + 1 + k, row.above.h[k]);
  }
}

template <class T>
void StripMatrix<T>::sweep_row(const StripFrame<T>& row, const StripCheckpoints<T>* keep,
                               std::int64_t row_in_frame, EndCell* best) const
{
  StripFrame<T> tile = row;
  for (std::int64_t c = 0; c < row.columns; c += unit_.columns) {
    if (keep && c > 0 && c % keep->grid().columns == 0) {
      keep->left(c / keep->grid().columns).from(row_in_frame).copy(row.left, row.rows);
    }
    tile.column = row.column + c;
    tile.columns = std::min(unit_.columns, row.columns - c);
    tile.above = row.above.from(c);
    const T next_corner = tile.above.h[tile.columns - 1];
    run(tile, best, nullptr);
    tile.corner = next_corner;
  }
}

template <class T>
void StripMatrix<T>::directions(const StripFrame<T>& frame, std::uint8_t* bits) const
{
  const auto memory =
      allocate_strip_buffer<T>(2 * (frame.columns + frame.rows), "rows of a matrix");
  StripFrame<T> tile = frame;
  tile.above = {memory.get(), memory.get() + frame.columns};
  tile.left = {tile.above.gap + frame.columns, tile.above.gap + frame.columns + frame.rows};
  load_above(frame, tile.above);
  load_left(frame, 0, frame.rows, tile.left);
  run(tile, nullptr, bits);
}

template <class T>
void StripMatrix<T>::run(const StripFrame<T>& tile, EndCell* best, std::uint8_t* bits) const
{
  if (narrow(tile.rows, tile.columns)) {
    run_lanes<std::int16_t>(tile, best, bits);
  } else {
    run_lanes<std::int32_t>(tile, best, bits);
  }
}

// Runs a tile and replaces its borders.
template <class T>
template <class Lane>
void StripMatrix<T>::run_lanes(const StripFrame<T>& tile, EndCell* best, std::uint8_t* bits) const
{
  const auto memory = allocate_strip_buffer<Lane>(2 * (tile.columns + tile.rows), "rows of a tile");
  const StripLine<Lane> row{memory.get(), memory.get() + tile.columns};
  const StripLine<Lane> column{row.gap + tile.columns, row.gap + tile.columns + tile.rows};
  const std::int64_t base = tile.corner;
  const std::int64_t fold = problem_.table.gap_extend - table_.gap_extend;
  shift_line(tile.above, -base, fold, tile.columns, row);
  shift_line(tile.left, -base, fold, tile.rows, column);
  run_strip_tile(StripTile<Lane>{.table = &table_,
                                 .by_equality = by_equality_,
                                 .local = problem_.mode == Mode::local,
                                 .base = base,
                                 .row = tile.row,
                                 .column = tile.column,
                                 .rows = tile.rows,
                                 .columns = tile.columns,
                                 .query = pair_.query + tile.row,
                                 .target = target_.get() + margin + tile.column,
                                 .row_h = row.h,
                                 .row_f = row.gap,
                                 .column_h = column.h,
                                 .column_e = column.gap,
                                 .directions = bits,
                                 .best = problem_.mode == Mode::local ? best : nullptr});
  // the last row is tile.rows from the corner, the last column tile.columns
  shift_line(row, base - tile.rows * fold, -fold, tile.columns, tile.above);
  shift_line(column, base - tile.columns * fold, -fold, tile.rows, tile.left);
}

template <class T>
void StripMatrix<T>::offer(EndCell& best, std::int64_t i, std::int64_t j, T score) const
{
  const bool last_row = i == pair_.query_length;
  const bool last_column = j == pair_.target_length;
  const bool ends = problem_.mode == Mode::semi_global
                        ? (last_row && last_column) || (last_row && problem_.free.target_end) ||
                              (last_column && problem_.free.query_end)
                        : problem_.mode == Mode::global && last_row && last_column;
  const EndCell cell{static_cast<std::int64_t>(score), i, j};
  if (ends && better(cell, best)) best = cell;
}

template <class T>
void StripMatrix<T>::offer_border(EndCell& best) const
{
  const std::int64_t m = pair_.query_length, n = pair_.target_length;
  for (std::int64_t j = m == 0 ? 0 : n; j <= n; ++j) offer(best, 0, j, row_zero(j));
  for (std::int64_t i = n == 0 ? 0 : m; i <= m; ++i) offer(best, i, 0, column_zero(i));
}

}  // namespace helicity::align
