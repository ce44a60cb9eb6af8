// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/view.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/grid/simd_loop.hpp>

#include <algorithm>
#include <cstddef>
#include <variant>

#if defined(__CUDACC__)
#include <helicity/grid/for_cells.cuh>
#endif

namespace helicity::grid {

/// Where the loops compiled here can run, for Exec::device: on GPUs only if nvcc compiles them.
#if defined(__CUDACC__)
inline constexpr Device loop_device = Device::automatic;
#else
inline constexpr Device loop_device = Device::cpu;
#endif

/// Rows (j, k) of a box that one piece of work takes: small boxes stay in the calling thread, large
/// ones make some pieces per thread. The split depends on nothing but these arguments.
inline Index rows_per_piece(Box box, int threads)
{
  constexpr Index least_cells = 16384;  // about the cost of waking a thread
  const Index3 n = box.size();
  const Index rows = n.j * n.k;
  const Index pieces = Index{4} * threads;
  const Index least = std::max<Index>(1, least_cells / std::max<Index>(1, n.i));
  return std::max(least, (rows + pieces - 1) / pieces);
}

/// Calls f(j, k) for every row of a box, on the threads of `exec`, in no order.
template <class F>
void for_rows(Cpu exec, Box box, F&& f)
{
  const Index3 n = box.size();
  const Index rows = n.j * n.k;
  if (rows == 0 || n.i == 0) return;
  const Index piece = rows_per_piece(box, exec.threads);
  parallel_for(exec.threads, static_cast<std::size_t>((rows + piece - 1) / piece),
               [&](std::size_t p, int) {
                 const Index first = static_cast<Index>(p) * piece;
                 const Index last = std::min(rows, first + piece);
                 for (Index r = first; r < last; ++r) f(box.lo.j + r % n.j, box.lo.k + r / n.j);
               });
}

/// Calls f(i, j, k) for every cell of a box: rows on the threads of `exec`, cells of a row in SIMD
/// lanes where the compiler can.
///
///     for_cells(exec, theta.owned(), [=] HELICITY_LAMBDA(Index i, Index j, Index k) {
///       next(i, j, k) = t(i, j, k) + c * (t(i - 1, j, k) - 2 * t(i, j, k) + t(i + 1, j, k));
///     });
///
/// @pre  f may be called for the cells in any order and at the same time, and does not throw
template <class F>
void for_cells(Cpu exec, Box box, F f)
{
  for_rows(exec, box, [&](Index j, Index k) {
    const Index first = box.lo.i, last = box.hi.i;
    HELICITY_SIMD_LOOP
    for (Index i = first; i < last; ++i) f(i, j, k);
  });
}

/// The same where the executor says. Code that shall run on CUDA is compiled by nvcc with
/// --extended-lambda (or passes a functor); f is then copied to the device.
/// @throws UsageError for a CUDA executor in code compiled without nvcc; RuntimeFault if the launch
///   fails
/// @note asynchronous on CUDA
template <class F>
void for_cells(const Executor& executor, Box box, F f)
{
  if (const auto* cpu = std::get_if<Cpu>(&executor)) return for_cells(*cpu, box, f);
#if defined(__CUDACC__)
  for_cells(std::get<Cuda>(executor), box, f);
#else
  throw UsageError("a loop over cells was compiled without nvcc: it cannot run on a CUDA device");
#endif
}

}  // namespace helicity::grid
