// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Two 16-bit numbers in a register, and single instructions that the compiler does not choose.
namespace helicity::align {

namespace {

using Halves = std::uint32_t;

__device__ __forceinline__ Halves both(int low, int high)
{
  return (static_cast<Halves>(low) & 0xffffU) | static_cast<Halves>(high) << 16;
}
__device__ __forceinline__ Halves both(int value) { return both(value, value); }

template <int Half>
__device__ __forceinline__ int half_of(Halves word)
{
  const auto value = static_cast<std::int32_t>(word);
  return Half == 0 ? static_cast<std::int16_t>(word & 0xffffU) : value >> 16;
}

/// a * b + c by the multiplier, which has less to do than the adder.
__device__ __forceinline__ int multiply_add(int a, int b, int c)
{
  int sum;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}

/// The larger of each half, and whether the first argument's half is it. __vibmax_s16x2 of
/// CUDA 13.0 lets its result share a register with `a`, which it reads again later.
__device__ __forceinline__ Halves larger(Halves a, Halves b, bool& keep_low, bool& keep_high)
{
  Halves result;
  int low, high;
  asm("{.reg .pred low, high;\n\t"
      ".reg .s16 r0, r1, a0, a1;\n\t"
      "max.s16x2 %0, %3, %4;\n\t"
      "mov.b32 {r0, r1}, %0;\n\t"
      "mov.b32 {a0, a1}, %3;\n\t"
      "setp.eq.s16 low, r0, a0;\n\t"
      "setp.eq.s16 high, r1, a1;\n\t"
      "selp.b32 %1, 1, 0, low;\n\t"
      "selp.b32 %2, 1, 0, high;}"
      : "=&r"(result), "=&r"(low), "=r"(high)
      : "r"(a), "r"(b));
  keep_low = low != 0;
  keep_high = high != 0;
  return result;
}

}  // namespace
}  // namespace helicity::align
