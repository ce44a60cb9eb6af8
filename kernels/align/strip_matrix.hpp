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

/// What a sweep over a frame leaves behind.
template <class T>
struct StripOutputs
{
  const StripCheckpoints<T>* keep = nullptr;  ///< the borders of the tiles
  EndCell* best = nullptr;                    ///< improved by the end cells in the frame
  std::uint8_t* directions = nullptr;         ///< of the only tile
};

template <class T>
class StripMatrix
{
 public:
  /// @pre strip_fits<T>(problem, pair); both outlive the matrix
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

  /// Computes a frame, one row of tiles after the other.
  void sweep(const StripFrame<T>& frame, StripGrid grid, const StripOutputs<T>& outputs) const;

  /// Improves `best` by the end cells on row 0 and column 0.
  void offer_border(EndCell& best) const;

 private:
  static constexpr std::int64_t margin = 64;  // readable bytes on either side of the target

  bool is_free(bool end) const
  {
    return problem_.mode == Mode::local || (problem_.mode == Mode::semi_global && end);
  }
  T open_extend() const { return static_cast<T>(problem_.table.gap_open + problem_.table.gap_extend); }
  T gap_score(std::int64_t length) const;
  T row_zero(std::int64_t j) const { return free_row() ? 0 : gap_score(j); }
  T column_zero(std::int64_t i) const { return free_column() ? 0 : gap_score(i); }

  void load_above(const StripFrame<T>& frame, StripLine<T> line) const;
  void load_left(const StripFrame<T>& frame, std::int64_t row, std::int64_t rows,
                 StripLine<T> line) const;
  void run_tiles(const StripFrame<T>& frame, StripGrid grid, const StripOutputs<T>& outputs,
                 StripTile<T> tile) const;
  void offer(EndCell& best, std::int64_t i, std::int64_t j, T score) const;
  bool depends_on_equality() const;

  const Problem& problem_;
  CodePair pair_;
  StripBuffer<std::uint8_t> target_;
  bool by_equality_;
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
      target_(allocate_strip_buffer<std::uint8_t>(pair.target_length + 2 * margin, "a target")),
      by_equality_(depends_on_equality())
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
void StripMatrix<T>::sweep(const StripFrame<T>& frame, StripGrid grid,
                           const StripOutputs<T>& outputs) const
{
  const std::int64_t height = std::min(grid.rows, frame.rows);
  const auto memory = allocate_strip_buffer<T>(2 * (frame.columns + height), "rows of a matrix");
  const StripLine<T> row{memory.get(), memory.get() + frame.columns};
  const StripLine<T> column{row.gap + frame.columns, row.gap + frame.columns + height};
  load_above(frame, row);
  for (std::int64_t r = 0; r < frame.rows; r += grid.rows) {
    const std::int64_t rows = std::min(grid.rows, frame.rows - r);
    if (outputs.keep && r > 0) outputs.keep->above(r / grid.rows).copy(row, frame.columns);
    load_left(frame, r, rows, column);
    run_tiles(frame, grid, outputs,
              {.table = &problem_.table,
               .local = problem_.mode == Mode::local,
               .by_equality = by_equality_,
               .row = frame.row + r,
               .rows = rows,
               .query = pair_.query + frame.row + r,
               .corner = border(frame, r, 0),
               .row_h = row.h,
               .row_f = row.gap,
               .column_h = column.h,
               .column_e = column.gap,
               .directions = outputs.directions,
               .best = problem_.mode == Mode::local ? outputs.best : nullptr});
    if (outputs.best == nullptr) continue;
    for (std::int64_t k = 0; k < rows; ++k) {
      offer(*outputs.best, frame.row + r + 1 + k, frame.column + frame.columns, column.h[k]);
    }
  }
  if (outputs.best == nullptr) return;
  for (std::int64_t k = 0; k < frame.columns; ++k) {
    offer(*outputs.best, frame.row + frame.rows, frame.column + 1 + k, row.h[k]);
  }
}

template <class T>
void StripMatrix<T>::run_tiles(const StripFrame<T>& frame, StripGrid grid,
                               const StripOutputs<T>& outputs, StripTile<T> tile) const
{
  const StripLine<T> row{tile.row_h, tile.row_f};
  for (std::int64_t c = 0; c < frame.columns; c += grid.columns) {
    tile.column = frame.column + c;
    tile.columns = std::min(grid.columns, frame.columns - c);
    tile.target = target_.get() + margin + tile.column;
    tile.row_h = row.h + c;
    tile.row_f = row.gap + c;
    if (outputs.keep && c > 0) {
      const StripLine<T> line = outputs.keep->left(c / grid.columns);
      line.from(tile.row - frame.row).copy({tile.column_h, tile.column_e}, tile.rows);
    }
    const T next_corner = tile.row_h[tile.columns - 1];
    run_strip_tile(tile);
    tile.corner = next_corner;
  }
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
