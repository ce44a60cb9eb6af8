// SPDX-License-Identifier: Apache-2.0
#include <fft/program.hpp>
#include <fft/tables.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace helicity::fft {
namespace {

using Wide = unsigned __int128;

constexpr long double two_pi = 6.28318530717958647692528676655900577L;

Index multiply_mod(Index a, Index b, Index m)
{
  return static_cast<Index>(static_cast<Wide>(a) * static_cast<Wide>(b) % static_cast<Wide>(m));
}

/// exp(+2 pi i k / n) for 8 k <= n.
Extended first_octant(Index k, Index n)
{
  const long double angle = two_pi * static_cast<long double>(k) / static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

/// exp(+2 pi i k / n) for 4 k <= n.
Extended first_quadrant(Index k, Index n)
{
  if (8 * k <= n) return first_octant(k, n);
  // pi / 2 - angle = 2 pi (n - 4 k) / (4 n)
  const Extended z = first_octant(n - 4 * k, 4 * n);
  return {z.imag(), z.real()};
}

/// Radices of a power of two, large ones and few: 2^e.
void append_powers(int e, std::vector<Index>& list)
{
  while (e > 0) {
    const int bits = e == 5 || e == 6 || e == 9 || e == 3 ? 3 : std::min(e, 4);
    list.push_back(Index{1} << bits);
    e -= bits;
  }
}

/// `roots` are those of 1 of the whole line, `step` apart those of this one.
void dft(const Extended* x, Index step, Index n, Extended* y, const std::vector<Extended>& roots)
{
  if (n == 1) {
    y[0] = x[0];
    return;
  }
  const Index p = prime_factors(n).front(), m = n / p;
  std::vector<Extended> part(static_cast<std::size_t>(n));
  for (Index j = 0; j < p; ++j) dft(x + j * step, step * p, m, part.data() + j * m, roots);
  for (Index k = 0; k < n; ++k) {
    Extended sum = 0;
    for (Index j = 0; j < p; ++j) {
      const Extended a = part[static_cast<std::size_t>(j * m + k % m)];
      const Extended w = roots[static_cast<std::size_t>(step * (j * k % n))];
      sum += Extended(a.real() * w.real() - a.imag() * w.imag(),
                      a.real() * w.imag() + a.imag() * w.real());
    }
    y[k] = sum;
  }
}

}  // namespace

Extended root(Index k, Index n)
{
  k %= n;
  Index sign = -1;
  if (2 * k > n) {
    k = n - k;
    sign = 1;
  }
  const bool left = 4 * k > n;
  // angle in (pi/2, pi]: pi - angle = 2 pi (n - 2 k) / (2 n)
  Extended z = left ? first_quadrant(n - 2 * k, 2 * n) : first_quadrant(k, n);
  if (left) z = {-z.real(), z.imag()};
  return {z.real(), static_cast<long double>(sign) * z.imag()};
}

Extended chirp_root(Index j, Index n) { return root(multiply_mod(j, j, 2 * n), 2 * n); }

std::vector<Index> prime_factors(Index n)
{
  std::vector<Index> list;
  for (Index p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) list.push_back(p);
  if (n > 1) list.push_back(n);
  return list;
}

std::vector<Index> radices(Index n)
{
  std::vector<Index> small, large;
  int twos = 0;
  for (const Index p : prime_factors(n)) {
    if (p == 2)
      ++twos;
    else
      (p <= largest_radix ? small : large).push_back(p);
  }
  std::vector<Index> list;
  const auto first = [&](int bits, Index least) {
    if (!list.empty() || twos < bits || n >> bits < least) return;
    list.push_back(Index{1} << bits);
    twos -= bits;
  };
  if (n >= 16) {  // lanes within a line want neighbours to spare
    first(4, 8);
    first(3, 4);
    first(2, 4);
  }
  list.insert(list.end(), small.rbegin(), small.rend());
  append_powers(twos, list);
  list.insert(list.end(), large.begin(), large.end());
  return list;
}

Index convolution_size(Index least)
{
  Index best = 1;
  while (best < least) best *= 2;
  for (const Index odd : {3, 5, 7, 9, 11, 13, 15, 21, 25, 27}) {
    Index size = odd * (least > 64 ? 16 : 1);
    while (size < least) size *= 2;
    best = std::min(best, size);
  }
  return best;
}

Index power_mod(Index b, Index e, Index m)
{
  Index result = 1;
  for (b %= m; e > 0; e /= 2, b = multiply_mod(b, b, m))
    if (e % 2 == 1) result = multiply_mod(result, b, m);
  return result;
}

Index primitive_root(Index p)
{
  const std::vector<Index> factors = prime_factors(p - 1);
  for (Index g = 2;; ++g)
    if (std::all_of(factors.begin(), factors.end(),
                    [&](Index f) { return power_mod(g, (p - 1) / f, p) != 1; }))
      return g;
}

std::vector<Extended> reference_dft(const std::vector<Extended>& x)
{
  const auto n = static_cast<Index>(x.size());
  std::vector<Extended> y(x.size()), roots(x.size());
  for (Index k = 0; k < n; ++k) roots[static_cast<std::size_t>(k)] = root(k, n);
  dft(x.data(), 1, n, y.data(), roots);
  return y;
}

}  // namespace helicity::fft
