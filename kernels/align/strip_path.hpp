// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <align/strip_matrix.hpp>
#include <helicity/align/cigar.hpp>
#include <helicity/align/problem.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

/// The walk back through a matrix that is kept only as borders of its tiles: every tile that the
/// path meets is recomputed, up to where the path enters it, either with directions or, where these
/// would not fit, as a matrix of smaller tiles.
namespace helicity::align {

template <class T>
class StripTrace
{
 public:
  StripTrace(const StripMatrix<T>& matrix, const EndCell& end)
      : matrix_(matrix),
        table_(matrix.problem().table),
        i_(end.query_end),
        j_(end.target_end),
        score_(end.score)
  {}

  /// Tiles for a frame: at most 32 a side; fewer, but 4, if their borders would fill more than half
  /// of the memory; and none smaller than the matrix' unit.
  static StripGrid choose_grid(const StripMatrix<T>& matrix, const StripFrame<T>& frame,
                               std::int64_t memory);

  /// Walks on until the path leaves a frame whose tiles' borders are known.
  void follow(const StripFrame<T>& frame, const StripCheckpoints<T>& known, std::int64_t memory);

  /// Walks along row 0 or column 0, and returns the whole path.
  Path finish(const EndCell& end);

 private:
  enum class Gap : std::uint8_t { none, deletion, insertion };

  // Directions that go through caches; more of them are slower than another level of tiles.
  static constexpr std::int64_t cached = std::int64_t{8} << 20;

  StripFrame<T> tile_here(const StripFrame<T>& frame, const StripCheckpoints<T>& known) const;
  void trace(const StripFrame<T>& frame, std::int64_t memory);
  void walk(const StripFrame<T>& frame, StripDirections directions);
  void open_gap();
  void take(CigarOp op, std::int64_t length);

  const StripMatrix<T>& matrix_;
  const ScoreTable& table_;
  std::int64_t i_;
  std::int64_t j_;
  std::int64_t score_;   // H(i,j), or if gap_ is set E(i,j+1) or F(i+1,j) plus gap_extend
  Gap gap_ = Gap::none;  // the one to the right or below, not known yet to begin here
  bool done_ = false;
  std::vector<std::pair<CigarOp, std::int64_t>> runs_;  // the last one first
};

template <class T>
StripGrid StripTrace<T>::choose_grid(const StripMatrix<T>& matrix, const StripFrame<T>& frame,
                                     std::int64_t memory)
{
  const std::int64_t line_bytes = 2 * std::int64_t{sizeof(T)} * (frame.rows + frame.columns);
  const std::int64_t side = std::clamp<std::int64_t>(memory / 2 / (line_bytes + 1), 4, 32);
  const auto units = [side](std::int64_t length, std::int64_t unit) {
    return std::max<std::int64_t>((length + side * unit - 1) / (side * unit), 1) * unit;
  };
  return {units(frame.rows, matrix.unit().rows), units(frame.columns, matrix.unit().columns)};
}

template <class T>
void StripTrace<T>::follow(const StripFrame<T>& frame, const StripCheckpoints<T>& known,
                           std::int64_t memory)
{
  while (!done_ && i_ > frame.row && j_ > frame.column) trace(tile_here(frame, known), memory);
}

// The part of a tile that the path can still meet.
template <class T>
StripFrame<T> StripTrace<T>::tile_here(const StripFrame<T>& frame,
                                       const StripCheckpoints<T>& known) const
{
  const StripGrid grid = known.grid();
  const std::int64_t down = (i_ - frame.row - 1) / grid.rows;
  const std::int64_t right = (j_ - frame.column - 1) / grid.columns;
  const std::int64_t row = down * grid.rows, column = right * grid.columns;
  const StripLine<T> above = down > 0 ? known.above(down) : frame.above;
  const StripLine<T> left = right > 0 ? known.left(right) : frame.left;
  return {
      .row = frame.row + row,
      .column = frame.column + column,
      .rows = i_ - frame.row - row,
      .columns = j_ - frame.column - column,
      .corner = down > 0 && right > 0 ? above.h[column - 1] : matrix_.border(frame, row, column),
      .above = above.from(column),
      .left = left.from(row)};
}

template <class T>
void StripTrace<T>::trace(const StripFrame<T>& frame, std::int64_t memory)
{
  const StripGrid unit = matrix_.unit();
  const StripShape shape = matrix_.shape(frame.rows, frame.columns);
  const std::int64_t bytes = strip_direction_bytes(shape, frame.rows, frame.columns);
  const bool least = frame.rows <= unit.rows && frame.columns <= unit.columns;
  const bool fits = matrix_.template fits<std::int32_t>(frame.rows, frame.columns);
  if (least || (fits && bytes <= std::min(memory, cached))) {
    const auto bits = allocate_strip_buffer<std::uint8_t>(bytes, "directions of an alignment");
    matrix_.directions(frame, bits.get());
    walk(frame, StripDirections(shape, frame.rows, frame.columns, bits.get()));
  } else {
    const StripCheckpoints<T> known(frame, choose_grid(matrix_, frame, memory));
    matrix_.sweep(frame, &known, nullptr);
    follow(frame, known, memory - known.bytes());
  }
}

template <class T>
void StripTrace<T>::walk(const StripFrame<T>& frame, StripDirections directions)
{
  const bool local = matrix_.problem().mode == Mode::local;
  while (i_ > frame.row && j_ > frame.column) {
    const int cell = directions.at(i_ - frame.row - 1, j_ - frame.column - 1);
    if (gap_ == Gap::deletion && (cell & more_deletion) == 0) open_gap();
    if (gap_ == Gap::insertion && (cell & more_insertion) == 0) open_gap();
    if (gap_ == Gap::none) {
      done_ = local && score_ == 0;
      if (done_) return;
      if ((cell & attains_diagonal) != 0) {
        score_ -= table_(matrix_.pair().query[i_ - 1], matrix_.pair().target[j_ - 1]);
        take(CigarOp::match, 1);
        continue;
      }
      gap_ = (cell & attains_deletion) != 0 ? Gap::deletion : Gap::insertion;
    }
    score_ += table_.gap_extend;
    take(gap_ == Gap::deletion ? CigarOp::deletion : CigarOp::insertion, 1);
  }
}

// The gap that was passed begins here, in H.
template <class T>
void StripTrace<T>::open_gap()
{
  score_ += table_.gap_open;
  gap_ = Gap::none;
}

template <class T>
void StripTrace<T>::take(CigarOp op, std::int64_t length)
{
  if (op != CigarOp::insertion) j_ -= length;
  if (op != CigarOp::deletion) i_ -= length;
  if (runs_.empty() || runs_.back().first != op) {
    runs_.emplace_back(op, length);
  } else {
    runs_.back().second += length;
  }
}

template <class T>
Path StripTrace<T>::finish(const EndCell& end)
{
  if (i_ == 0 && j_ > 0 && !matrix_.free_row()) take(CigarOp::deletion, j_);
  if (j_ == 0 && i_ > 0 && !matrix_.free_column()) take(CigarOp::insertion, i_);
  Path path{.end = end, .query_begin = i_, .target_begin = j_};
  constexpr std::int64_t longest = (std::int64_t{1} << 28) - 1;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    for (std::int64_t left = run->second; left > 0; left -= longest) {
      const auto length = static_cast<std::uint32_t>(std::min(left, longest));
      path.ops.push_back(length << 4 | static_cast<std::uint32_t>(run->first));
    }
  }
  return path;
}

}  // namespace helicity::align
