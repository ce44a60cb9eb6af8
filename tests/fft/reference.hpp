// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>
#include <helicity/fft/plan.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Sums by definition in extended precision, and other help for tests of transforms.

namespace helicity::fft::test {

using Extended = std::complex<long double>;

constexpr long double pi = 3.14159265358979323846264338327950288L;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// X[k] = sum_j x[j] exp(sign 2 pi i j k / n), by definition.
template <class T>
std::vector<Extended> dft(const std::vector<T>& x, int sign)
{
  const auto n = static_cast<Index>(x.size());
  std::vector<Extended> roots(x.size()), y(x.size());
  for (Index k = 0; k < n; ++k)
    roots[at(k)] =
        std::polar(1.0L, 2 * pi * static_cast<long double>(sign * k) / static_cast<long double>(n));
  for (Index k = 0; k < n; ++k) {
    Extended sum = 0;
    for (Index j = 0; j < n; ++j) sum += Extended(x[at(j)]) * roots[at(j * k % n)];
    y[at(k)] = sum;
  }
  return y;
}

/// The same by factors of n; prime factors above 1000 by Bluestein's convolution.
class FastDft
{
 public:
  FastDft(Index n, int sign) : n_(n), sign_(sign), roots_(at(n))
  {
    for (Index k = 0; k < n; ++k)
      roots_[at(k)] = std::polar(
          1.0L, 2 * pi * static_cast<long double>(sign * k) / static_cast<long double>(n));
  }

  template <class T>
  std::vector<Extended> operator()(const std::vector<T>& x) const
  {
    const std::vector<Extended> in(x.begin(), x.end());
    std::vector<Extended> out(x.size());
    run(in.data(), n_, 1, out.data());
    return out;
  }

 private:
  static Index smallest_factor(Index n)
  {
    for (Index f = 2; f * f <= n; ++f)
      if (n % f == 0) return f;
    return n;
  }

  /// `n` numbers `step` apart, n step = n_.
  void run(const Extended* x, Index n, Index step, Extended* y) const
  {
    if (n == 1) {
      *y = *x;
      return;
    }
    const Index p = smallest_factor(n), m = n / p;
    if (p > 1000) return convolve(x, n, step, y);
    for (Index r = 0; r < p; ++r) run(x + r * step, m, step * p, y + r * m);
    std::vector<Extended> part(at(p));
    for (Index k = 0; k < m; ++k) {
      for (Index r = 0; r < p; ++r) part[at(r)] = y[r * m + k] * roots_[at(r * k * step)];
      for (Index q = 0; q < p; ++q) {
        Extended sum = 0;
        for (Index r = 0; r < p; ++r) sum += part[at(r)] * roots_[at(q * r % p * (n_ / p))];
        y[q * m + k] = sum;
      }
    }
  }

  void convolve(const Extended* x, Index n, Index step, Extended* y) const
  {
    Index size = 1;
    while (size < 2 * n) size *= 2;
    const auto chirp = [&](Index j) {
      return std::polar(1.0L, pi * static_cast<long double>(sign_ * (j * j % (2 * n))) /
                                  static_cast<long double>(n));
    };
    std::vector<Extended> a(at(size)), b(at(size));
    for (Index j = 0; j < n; ++j) {
      a[at(j)] = x[j * step] * chirp(j);
      b[at(j)] = std::conj(chirp(j));
      if (j > 0) b[at(size - j)] = b[at(j)];
    }
    const FastDft forward(size, -1);
    a = forward(a);
    b = forward(b);
    for (Index j = 0; j < size; ++j) a[at(j)] = std::conj(a[at(j)] * b[at(j)]);
    a = forward(a);
    for (Index j = 0; j < n; ++j)
      y[j] = std::conj(a[at(j)]) / static_cast<long double>(size) * chirp(j);
  }

  Index n_;
  int sign_;
  std::vector<Extended> roots_;
};

/// A cosine or sine transform by definition, not scaled.
template <class T>
std::vector<long double> real_transform(const std::vector<T>& x, Kind kind)
{
  const auto n = static_cast<Index>(x.size());
  std::vector<long double> y(x.size());
  for (Index k = 0; k < n; ++k) {
    long double sum = 0;
    for (Index j = 0; j < n; ++j) {
      const auto a = static_cast<long double>(j), b = static_cast<long double>(k);
      const auto m = static_cast<long double>(n);
      const auto v = static_cast<long double>(x[at(j)]);
      switch (kind) {
        case Kind::dct1:
          sum += (j == 0 || j == n - 1 ? 1 : 2) * v * std::cos(pi * a * b / (m - 1));
          break;
        case Kind::dct2: sum += 2 * v * std::cos(pi * (a + 0.5L) * b / m); break;
        case Kind::dct3: sum += (j == 0 ? 1 : 2) * v * std::cos(pi * a * (b + 0.5L) / m); break;
        case Kind::dct4: sum += 2 * v * std::cos(pi * (a + 0.5L) * (b + 0.5L) / m); break;
        case Kind::dst1: sum += 2 * v * std::sin(pi * (a + 1) * (b + 1) / (m + 1)); break;
        case Kind::dst2: sum += 2 * v * std::sin(pi * (a + 0.5L) * (b + 1) / m); break;
        case Kind::dst3:
          sum += (j == n - 1 ? 1 : 2) * v * std::sin(pi * (a + 1) * (b + 0.5L) / m);
          break;
        case Kind::dst4: sum += 2 * v * std::sin(pi * (a + 0.5L) * (b + 0.5L) / m); break;
      }
    }
    y[at(k)] = sum;
  }
  return y;
}

/// Relative error in the L2 norm.
template <class A, class B>
double error(const A& computed, const B& expected)
{
  long double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Extended e(expected[i]), c(computed[i]);
    difference += std::norm(c - e);
    norm += std::norm(e);
  }
  return static_cast<double>(std::sqrt(difference / norm));
}

template <class T>
void fill(std::vector<T>& x, unsigned seed)
{
  std::minstd_rand random(seed + 1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (T& v : x) {
    if constexpr (std::is_floating_point_v<T>)
      v = static_cast<T>(any(random));
    else {
      const double re = any(random);
      v = {static_cast<typename T::value_type>(re),
           static_cast<typename T::value_type>(any(random))};
    }
  }
}

template <class T>
std::vector<T> random_numbers(Index n, unsigned seed = 0)
{
  std::vector<T> x(at(n));
  fill(x, seed);
  return x;
}

/// Plans, runs once.
template <class In, class Out>
void run(View<In> in, View<Out> out, const Transform& transform, int threads = 1)
{
  const auto plan = make_plan(Cpu{threads}, in, out, transform);
  auto scratch = plan.make_scratch();
  plan.execute(in.data, out.data, scratch.span());
}

}  // namespace helicity::fft::test
