// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exact_sum.hpp>
#include <helicity/grid/for_cells.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <type_traits>
#include <variant>

#if defined(__CUDACC__)
#include <helicity/grid/reduce_cells.cuh>
#endif

namespace helicity::grid {

/// Largest of the values; Value's lowest for no cell. NaNs are passed over: count them apart.
template <class T>
struct Max
{
  using Value = T;
  static constexpr T identity = std::numeric_limits<T>::lowest();
  HELICITY_HD static T combine(T a, T b) { return a < b ? b : a; }
};

/// Smallest of the values; Value's largest for no cell. NaNs are passed over.
template <class T>
struct Min
{
  using Value = T;
  static constexpr T identity = std::numeric_limits<T>::max();
  HELICITY_HD static T combine(T a, T b) { return b < a ? b : a; }
};

/// Sum of 64-bit integers, wrapping: hashes and counts.
struct WrappingSum
{
  using Value = std::uint64_t;
  static constexpr std::uint64_t identity = 0;
  HELICITY_HD static std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return a + b; }
};

/// Reduces f(i, j, k) over the cells of a box with R = Max<T>, Min<T> or WrappingSum. The result
/// depends on the values alone, never on threads or blocks.
template <class R, class F>
typename R::Value reduce_cells(Cpu exec, Box box, F f)
{
  using Value = typename R::Value;
  std::mutex mutex;
  Value all = R::identity;
  for_rows(exec, box, [&](Index j, Index k) {
    Value row = R::identity;
    for (Index i = box.lo.i; i < box.hi.i; ++i)
      row = R::combine(row, static_cast<Value>(f(i, j, k)));
    const std::lock_guard lock(mutex);
    all = R::combine(all, row);
  });
  return all;
}

/// Exact sum of f(i, j, k) over the cells of a box: combine the sums of several ranks with
/// comm::Communicator::sum. The same bits whatever the threads, blocks and split of the box.
template <class F>
ExactSum sum_cells(Cpu exec, Box box, F f)
{
  constexpr Index chunk = 512;
  std::mutex mutex;
  ExactSum all;
  const Index3 n = box.size();
  const Index rows = n.j * n.k;
  if (rows == 0) return all;
  const Index piece = rows_per_piece(box, exec.threads);
  parallel_for(exec.threads, static_cast<std::size_t>((rows + piece - 1) / piece),
               [&](std::size_t p, int) {
                 ExactSum mine;
                 double values[chunk];
                 const Index first = static_cast<Index>(p) * piece;
                 for (Index r = first; r < std::min(rows, first + piece); ++r) {
                   const Index j = box.lo.j + r % n.j, k = box.lo.k + r / n.j;
                   for (Index start = box.lo.i; start < box.hi.i; start += chunk) {
                     const Index m = std::min(chunk, box.hi.i - start);
                     HELICITY_SIMD_LOOP
                     for (Index i = 0; i < m; ++i)
                       values[i] = static_cast<double>(f(start + i, j, k));
                     mine.add(values, static_cast<std::size_t>(m));
                   }
                 }
                 const std::lock_guard lock(mutex);
                 all.add(mine);
               });
  return all;
}

/// reduce_cells where the executor says; see for_cells about CUDA. Waits for the result.
/// @throws UsageError for a CUDA executor in code compiled without nvcc
template <class R, class F>
typename R::Value reduce_cells(const Executor& executor, Box box, F f)
{
  if (const auto* cpu = std::get_if<Cpu>(&executor)) return reduce_cells<R>(*cpu, box, f);
#if defined(__CUDACC__)
  return reduce_cells<R>(std::get<Cuda>(executor), box, f);
#else
  throw UsageError("a reduction was compiled without nvcc: it cannot run on a CUDA device");
#endif
}

/// sum_cells where the executor says; the CPU and CUDA give the same bits for the same values.
template <class F>
ExactSum sum_cells(const Executor& executor, Box box, F f)
{
  if (const auto* cpu = std::get_if<Cpu>(&executor)) return sum_cells(*cpu, box, f);
#if defined(__CUDACC__)
  return sum_cells(std::get<Cuda>(executor), box, f);
#else
  throw UsageError("a reduction was compiled without nvcc: it cannot run on a CUDA device");
#endif
}

/// Mixes the bits of a value with its place; summed with WrappingSum over all cells of all ranks it
/// makes a hash that does not depend on who owns which cell.
/// @param place  unique for each element of the state: component and global cell
/// @see Steele, Lea & Flood (2014), OOPSLA: the finaliser of SplitMix64
HELICITY_HD std::uint64_t hash_cell(std::uint64_t bits, std::uint64_t place)
{
  std::uint64_t x = bits ^ (place * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The bits of a value as hash_cell wants them. +0 and -0 differ.
template <class T>
HELICITY_HD std::uint64_t bits_of(T value)
{
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

}  // namespace helicity::grid
