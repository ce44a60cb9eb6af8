// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// What the SIMD loop of the general engine computes, and how it cuts a rectangle into strips.
namespace helicity::align {

/// A rectangle of the matrix: rows r+1 .. r+rows, columns c+1 .. c+columns, where (r, c) is its
/// corner. Scores are relative to H(r, c), so that few bits hold them (StripMatrix::fits), and the
/// scheme's gap_extend is 0 but in local mode (StripMatrix::folded).
/// Borders come in and go out in the same arrays. Beside H the row border carries F of the row
/// below it, and the column border E of the column to its right: these are always finite, so that
/// -infinity never has to be represented.
template <class Lane>
struct StripTile
{
  const ScoreTable* table = nullptr;
  bool by_equality = false;  ///< a score depends only on whether two codes are equal and not N
  bool local = false;
  std::int64_t base = 0;  ///< H(r, c)

  std::int64_t row = 0;  ///< r
  std::int64_t column = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const std::uint8_t* query = nullptr;   ///< letters of the rows
  const std::uint8_t* target = nullptr;  ///< of the columns; 64 bytes on either side are readable

  Lane* row_h = nullptr;     ///< H(r, c+1+k), afterwards H(r+rows, c+1+k)
  Lane* row_f = nullptr;     ///< F(r+1, c+1+k), afterwards F(r+rows+1, c+1+k)
  Lane* column_h = nullptr;  ///< H(r+1+k, c), afterwards H(r+1+k, c+columns)
  Lane* column_e = nullptr;  ///< E(r+1+k, c+1), afterwards E(r+1+k, c+columns+1)

  std::uint8_t* directions = nullptr;  ///< if set: strip_direction_bytes() bytes, StripDirections
  EndCell* best = nullptr;             ///< if set (local): improved by the cells of the tile
};

/// Is a better end cell than b? The largest H, then the smallest column, then the smallest row.
inline bool better(const EndCell& a, const EndCell& b)
{
  if (a.score != b.score) return a.score > b.score;
  if (a.target_end != b.target_end) return a.target_end < b.target_end;
  return a.query_end < b.query_end;
}

/// Vector length, and rows that a lane of a full strip takes; depends on the instruction set.
struct StripShape
{
  int lanes = 1;
  int rows = 1;

  std::int64_t height() const { return std::int64_t{lanes} * rows; }
  /// Bytes of one bit per lane.
  int mask_bytes() const { return (lanes + 7) / 8; }
};

/// Rows first .. first + lanes * rows - 1 of a tile. Lane `lanes - 1` holds the first `rows` of
/// them and runs ahead; lane 0 holds the last ones, `lanes - 1` columns behind.
struct Strip
{
  std::int64_t first = 0;
  int lanes = 1;
  int rows = 1;

  std::int64_t height() const { return std::int64_t{lanes} * rows; }
  std::int64_t steps(std::int64_t columns) const { return columns + lanes - 1; }
};

/// The strip that begins at a row: full; at the end one of fewer lanes, then one row per lane.
inline Strip strip_at(StripShape shape, std::int64_t first, std::int64_t tile_rows)
{
  const std::int64_t left = tile_rows - first;
  const int rows = left >= shape.rows ? shape.rows : 1;
  return {first, static_cast<int>(std::min<std::int64_t>(shape.lanes, left / rows)), rows};
}

/// What the path needs to know of a cell. The `more` bits are of the gap that leaves the cell:
/// E(i,j+1) attained by extending E(i,j), and F(i+1,j) by extending F(i,j).
enum StripDirection : std::uint8_t {
  attains_diagonal = 1,
  attains_deletion = 2,
  more_deletion = 4,
  more_insertion = 8
};

/// Reads the directions of a tile: for each strip, step and row of a lane one mask over the lanes
/// for each of the four bits.
class StripDirections
{
 public:
  StripDirections(StripShape shape, std::int64_t rows, std::int64_t columns,
                  const std::uint8_t* bits)
      : shape_(shape), rows_(rows), columns_(columns), bits_(bits)
  {}

  /// Bytes of a strip.
  static std::int64_t bytes(StripShape shape, const Strip& strip, std::int64_t columns)
  {
    return strip.steps(columns) * strip.rows * 4 * shape.mask_bytes();
  }

  /// Bits of the cell `row`, `column` of the tile, both from 0.
  int at(std::int64_t row, std::int64_t column)
  {
    seek(row);
    const std::int64_t in_strip = row - strip_.first;
    const int back = static_cast<int>(in_strip / strip_.rows);
    const int lane = strip_.lanes - 1 - back;
    const std::int64_t mask = (column + back) * strip_.rows + in_strip % strip_.rows;
    const std::uint8_t* const p = bits_ + offset_ + mask * 4 * shape_.mask_bytes() + lane / 8;
    int found = 0;
    for (int bit = 0; bit < 4; ++bit) {
      found |= ((p[std::ptrdiff_t{bit} * shape_.mask_bytes()] >> (lane % 8)) & 1) << bit;
    }
    return found;
  }

 private:
  // Makes strip_ the one that holds a row. Strips above the last full one are all of one size.
  void seek(std::int64_t row)
  {
    if (row >= strip_.first && row < strip_.first + strip_.height()) return;
    const std::int64_t full = row / shape_.height();
    offset_ = full * bytes(shape_, {0, shape_.lanes, shape_.rows}, columns_);
    strip_ = strip_at(shape_, full * shape_.height(), rows_);
    while (row >= strip_.first + strip_.height()) {
      offset_ += bytes(shape_, strip_, columns_);
      strip_ = strip_at(shape_, strip_.first + strip_.height(), rows_);
    }
  }

  StripShape shape_;
  std::int64_t rows_;
  std::int64_t columns_;
  const std::uint8_t* bits_;
  Strip strip_{-1, 0, 1};
  std::int64_t offset_ = 0;
};

/// Bytes of the directions of a tile.
inline std::int64_t strip_direction_bytes(StripShape shape, std::int64_t rows, std::int64_t columns)
{
  const Strip whole{0, shape.lanes, shape.rows};
  const std::int64_t full = rows / shape.height();
  std::int64_t total = full * StripDirections::bytes(shape, whole, columns);
  for (std::int64_t first = full * shape.height(); first < rows;) {
    const Strip strip = strip_at(shape, first, rows);
    total += StripDirections::bytes(shape, strip, columns);
    first += strip.height();
  }
  return total;
}

/// Computes a tile with the instruction set in force (simd.hpp), and the shape of its strips.
/// @pre tile.by_equality if lanes have 16 bits
void run_strip_tile(const StripTile<std::int16_t>& tile);
void run_strip_tile(const StripTile<std::int32_t>& tile);
StripShape strip_shape(std::int16_t lane);
StripShape strip_shape(std::int32_t lane);

}  // namespace helicity::align
