// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/core/view.hpp>

#include <utility>

/// SIMD registers as values, for sources compiled once per instruction set. Multiplies and adds are
/// plain: a lane computes what a scalar would, so results do not depend on the width.

#define HELICITY_LAMBDA_INLINE __attribute__((always_inline))

namespace helicity::fft {
namespace HELICITY_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

template <class T>
constexpr int full_width = register_bytes / static_cast<int>(sizeof(T));

/// V lanes of T.
template <class T, int V>
struct LanesOf
{
  typedef T type __attribute__((vector_size(V * sizeof(T))));
  typedef T in_memory __attribute__((vector_size(V * sizeof(T)), aligned(sizeof(T)), may_alias));
};
template <class T>
struct LanesOf<T, 1>
{
  using type = T;
  using in_memory = T;
};
template <class T, int V>
using Lanes = typename LanesOf<T, V>::type;

template <class T, int V>
HELICITY_HD Lanes<T, V> load(const T* from)
{
  return *reinterpret_cast<const typename LanesOf<T, V>::in_memory*>(from);
}

template <class T, int V>
HELICITY_HD void store(T* to, Lanes<T, V> value)
{
  *reinterpret_cast<typename LanesOf<T, V>::in_memory*>(to) = value;
}

/// Calls f with std::integral_constant 0 ... N-1: a loop whose indices are constants.
template <int... I, class F>
HELICITY_HD void each_of(std::integer_sequence<int, I...>, F&& f)
{
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
HELICITY_HD void each(F&& f)
{
  each_of(std::make_integer_sequence<int, N>{}, f);
}

/// V complex numbers.
template <class T, int V>
struct Complex
{
  Lanes<T, V> re, im;
};

template <class T, int V>
HELICITY_HD Complex<T, V> operator+(Complex<T, V> a, Complex<T, V> b)
{
  return {a.re + b.re, a.im + b.im};
}
template <class T, int V>
HELICITY_HD Complex<T, V> operator-(Complex<T, V> a, Complex<T, V> b)
{
  return {a.re - b.re, a.im - b.im};
}

/// -i a.
template <class T, int V>
HELICITY_HD Complex<T, V> minus_i(Complex<T, V> a)
{
  return {a.im, -a.re};
}

/// a w, where the parts of w are lanes or numbers.
template <class T, int V, class W>
HELICITY_HD Complex<T, V> times(Complex<T, V> a, W re, W im)
{
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

template <class T, int V, int... I>
HELICITY_HD void split_of(std::integer_sequence<int, I...>, Lanes<T, V> a, Lanes<T, V> b,
                          Complex<T, V>& z)
{
  z.re = __builtin_shufflevector(a, b, (2 * I)...);
  z.im = __builtin_shufflevector(a, b, (2 * I + 1)...);
}

/// Reads V complex numbers that follow each other in memory.
template <class T, int V>
HELICITY_HD Complex<T, V> load_complex(const T* from)
{
  if constexpr (V == 1) {
    return {from[0], from[1]};
  } else {
    Complex<T, V> z;
    split_of<T, V>(std::make_integer_sequence<int, V>{}, load<T, V>(from), load<T, V>(from + V), z);
    return z;
  }
}

template <int V, class L, int... I>
HELICITY_HD L interleave_of(std::integer_sequence<int, I...>, L a, L b,
                            std::integral_constant<int, 0>)
{
  return __builtin_shufflevector(a, b, (I % 2 * V + I / 2)...);
}
template <int V, class L, int... I>
HELICITY_HD L interleave_of(std::integer_sequence<int, I...>, L a, L b,
                            std::integral_constant<int, 1>)
{
  return __builtin_shufflevector(a, b, (I % 2 * V + I / 2 + V / 2)...);
}

/// a0 b0 a1 b1 ... of the lower (half 0) or upper lanes.
template <int V, int half, class L>
HELICITY_HD L interleave(L a, L b)
{
  return interleave_of<V>(std::make_integer_sequence<int, V>{}, a, b,
                          std::integral_constant<int, half>{});
}

/// Writes V complex numbers one after the other.
template <class T, int V>
HELICITY_HD void store_complex(T* to, Complex<T, V> z)
{
  if constexpr (V == 1) {
    to[0] = z.re;
    to[1] = z.im;
  } else {
    store<T, V>(to, interleave<V, 0>(z.re, z.im));
    store<T, V>(to + V, interleave<V, 1>(z.re, z.im));
  }
}

template <class T, int V, int... I>
HELICITY_HD Lanes<T, V> reverse_of(std::integer_sequence<int, I...>, Lanes<T, V> a)
{
  return __builtin_shufflevector(a, a, (V - 1 - I)...);
}
template <class T, int V>
HELICITY_HD Lanes<T, V> reverse(Lanes<T, V> a)
{
  if constexpr (V == 1)
    return a;
  else
    return reverse_of<T, V>(std::make_integer_sequence<int, V>{}, a);
}

/// Transposes V rows of V lanes: log2 V rounds of a perfect shuffle of the rows.
template <class T, int V, int rounds = V>
HELICITY_HD void transpose(Lanes<T, V>* row)
{
  if constexpr (rounds > 1) {
    Lanes<T, V> next[V];
    each<V / 2>([&](auto i) HELICITY_LAMBDA_INLINE {
      next[2 * i.value] = interleave<V, 0>(row[i.value], row[i.value + V / 2]);
      next[2 * i.value + 1] = interleave<V, 1>(row[i.value], row[i.value + V / 2]);
    });
    each<V>([&](auto i) HELICITY_LAMBDA_INLINE { row[i.value] = next[i.value]; });
    transpose<T, V, rounds / 2>(row);
  }
}

}  // namespace
}  // namespace HELICITY_ISA
}  // namespace helicity::fft
