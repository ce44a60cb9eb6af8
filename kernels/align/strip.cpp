// SPDX-License-Identifier: Apache-2.0
#include <align/strip_path.hpp>
#include <helicity/align/strip.hpp>
#include <helicity/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "align/strip.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <align/strip-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace helicity::align {
namespace HWY_NAMESPACE {

void RunStripTile32(const StripTile<std::int32_t>& tile) { run_tile(tile); }
void RunStripTile16(const StripTile<std::int16_t>& tile) { run_tile(tile); }
StripShape StripShape32() { return {kStripLanes<std::int32_t>, kStripRows}; }
StripShape StripShape16() { return {kStripLanes<std::int16_t>, kStripRows}; }

}  // namespace HWY_NAMESPACE
}  // namespace helicity::align
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace helicity::align {

HWY_EXPORT(RunStripTile32);
HWY_EXPORT(RunStripTile16);
HWY_EXPORT(StripShape32);
HWY_EXPORT(StripShape16);

void run_strip_tile(const StripTile<std::int32_t>& tile)
{
  HWY_DYNAMIC_DISPATCH(RunStripTile32)(tile);
}
void run_strip_tile(const StripTile<std::int16_t>& tile)
{
  HWY_DYNAMIC_DISPATCH(RunStripTile16)(tile);
}
StripShape strip_shape(std::int32_t) { return HWY_DYNAMIC_DISPATCH(StripShape32)(); }
StripShape strip_shape(std::int16_t) { return HWY_DYNAMIC_DISPATCH(StripShape16)(); }

namespace {

EndCell no_end(const Problem& problem)
{
  if (problem.mode == Mode::local) return {};
  return {.score = std::numeric_limits<std::int64_t>::min()};
}

template <class T>
EndCell find_end(const Problem& problem, const CodePair& pair)
{
  const StripMatrix<T> matrix(problem, pair);
  EndCell end = no_end(problem);
  matrix.offer_border(end);
  matrix.sweep(matrix.whole(), nullptr, &end);
  return end;
}

template <class T>
Path find_path(const Problem& problem, const CodePair& pair, std::int64_t memory)
{
  const StripMatrix<T> matrix(problem, pair);
  const StripFrame<T> whole = matrix.whole();
  const StripCheckpoints<T> known(whole, StripTrace<T>::choose_grid(matrix, whole, memory));
  EndCell end = no_end(problem);
  matrix.offer_border(end);
  matrix.sweep(whole, &known, &end);
  StripTrace<T> trace(matrix, end);
  trace.follow(whole, known, memory - known.bytes());
  return trace.finish(end);
}

}  // namespace

EndCell align_strip_end(const Problem& problem, const CodePair& pair)
{
  return strip_fits_32(problem, pair) ? find_end<std::int32_t>(problem, pair)
                                      : find_end<std::int64_t>(problem, pair);
}

Path align_strip_path(const Problem& problem, const CodePair& pair, std::size_t memory)
{
  constexpr std::size_t most = std::numeric_limits<std::int64_t>::max();
  const auto bytes = static_cast<std::int64_t>(std::min(memory, most));
  try {
    return strip_fits_32(problem, pair) ? find_path<std::int32_t>(problem, pair, bytes)
                                        : find_path<std::int64_t>(problem, pair, bytes);
  } catch (const std::bad_alloc&) {
    throw RuntimeFault("out of memory for the runs of an alignment's path");
  }
}

}  // namespace helicity::align
#endif
