// SPDX-License-Identifier: Apache-2.0
// Error of ours and of FFTW against the same extended-precision transform.
#include "reference.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace helicity::fft::test {
namespace {

void fftw(std::vector<std::complex<double>>& x, std::vector<std::complex<double>>& y)
{
  auto* const in = reinterpret_cast<fftw_complex*>(x.data());
  auto* const out = reinterpret_cast<fftw_complex*>(y.data());
  fftw_plan plan =
      fftw_plan_dft_1d(static_cast<int>(x.size()), in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

void fftw(std::vector<std::complex<float>>& x, std::vector<std::complex<float>>& y)
{
  auto* const in = reinterpret_cast<fftwf_complex*>(x.data());
  auto* const out = reinterpret_cast<fftwf_complex*>(y.data());
  fftwf_plan plan =
      fftwf_plan_dft_1d(static_cast<int>(x.size()), in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
}

struct Errors
{
  double ours = 0, theirs = 0;
};

/// Of three inputs together: the error of one short line is a matter of luck.
template <class T>
Errors errors(Index n)
{
  using C = std::complex<T>;
  std::vector<Extended> expected;
  std::vector<C> ours, theirs;
  const FastDft fast(n, -1);
  const unsigned seeds = n > 100000 ? 1 : 3;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    auto x = random_numbers<C>(n, seed);
    std::vector<C> y(x.size());
    const auto exact = n < 64 ? dft(x, -1) : fast(x);
    expected.insert(expected.end(), exact.begin(), exact.end());
    run(dense(x.data(), {n}), dense(y.data(), {n}), {{0}, Direction::forward, Norm::none});
    ours.insert(ours.end(), y.begin(), y.end());
    fftw(x, y);
    theirs.insert(theirs.end(), y.begin(), y.end());
  }
  return {error(ours, expected), error(theirs, expected)};
}

template <class T>
void check(Index n)
{
  const Errors e = errors<T>(n);
  const double unit = std::numeric_limits<T>::epsilon() / 2;
  EXPECT_LE(e.ours, std::max(1.5 * e.theirs, 1.5 * unit)) << n << " theirs " << e.theirs;
}

/// Every size to 40 and some larger; all to HELICITY_FFT_SIZES where that is set.
TEST(Fftw, error_is_at_most_half_as_large_again)
{
  const char* const all = std::getenv("HELICITY_FFT_SIZES");
  const Index last = all == nullptr ? 40 : std::atol(all);
  for (Index n = 1; n <= last; ++n) {
    check<double>(n);
    check<float>(n);
  }
  for (const Index n : {47, 64, 97, 100, 128, 179, 210, 251, 256, 337, 360, 509, 512})
    if (n > last) {
      check<double>(n);
      check<float>(n);
    }
}

/// The oracle of long lines itself: every way through it.
TEST(Fftw, extended_transforms_by_factors_are_those_by_definition)
{
  for (const Index n : {1, 2, 12, 30, 64, 121, 997, 1009, 2018, 3027}) {
    const auto x = random_numbers<std::complex<double>>(n);
    EXPECT_LT(error(FastDft(n, -1)(x), dft(x, -1)), 1e-17) << n;
    EXPECT_LT(error(FastDft(n, 1)(x), dft(x, 1)), 1e-17) << n;
  }
}

/// Powers of small primes, products, primes; to 2^24 where HELICITY_FFT_LONG is set.
TEST(Fftw, error_of_long_lines_is_at_most_half_as_large_again)
{
  const std::vector<Index> sizes = {8192, 10007, 11025, 15625, 30030, 65536};
  const std::vector<Index> longer = {1 << 17,  1 << 18, 1 << 19, 1 << 20,  1 << 21,  1 << 22,
                                     1 << 23,  1 << 24, 99225,   100003,   177147,   390625,
                                     510510,   823543,  1000000, 1000003,  1771561,  2985984,
                                     4782969,  9699690, 9765625, 14348907, 16777213, 16777215,
                                     16000000, 262139,  524309,  3 << 20,  15 << 18, 45 << 16};
  for (const Index n : sizes) {
    check<double>(n);
    check<float>(n);
  }
  if (std::getenv("HELICITY_FFT_LONG") == nullptr) return;
  for (const Index n : longer) {
    check<double>(n);
    check<float>(n);
  }
}

/// REDFT and RODFT of FFTW are the convention of Kind.
TEST(Fftw, cosine_and_sine_kinds_are_the_same)
{
  const fftw_r2r_kind kinds[] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                                 FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  for (const Index n : {2, 3, 8, 9, 15, 16, 31, 50, 64, 100, 127, 1000})
    for (int kind = 0; kind < 8; ++kind) {
      auto x = random_numbers<double>(n);
      std::vector<double> ours(x.size()), theirs(x.size());
      Transform t({0}, Direction::forward, Norm::none);
      t.kinds = {static_cast<Kind>(kind)};
      run(dense(x.data(), {n}), dense(ours.data(), {n}), t);
      fftw_plan plan = fftw_plan_r2r_1d(static_cast<int>(n), x.data(), theirs.data(), kinds[kind],
                                        FFTW_ESTIMATE);
      fftw_execute(plan);
      fftw_destroy_plan(plan);
      EXPECT_LT(error(ours, theirs), 2e-15) << n << " kind " << kind;
    }
}

/// Uneven and odd blocks, long lines and large primes.
TEST(Fftw, blocks_and_long_lines_are_the_same)
{
  using C = std::complex<double>;
  for (const std::vector<Index>& e : {std::vector<Index>{48, 50, 27},
                                      {127, 31, 9},
                                      {64, 64, 64},
                                      {1 << 18, 1, 1},
                                      {99225, 1, 1},
                                      {10007, 1, 1},
                                      {100003, 1, 1},
                                      {2 * 1009, 3, 1}})
  {
    auto x = random_numbers<C>(e[0] * e[1] * e[2]);
    std::vector<C> ours(x.size()), theirs(x.size());
    run(dense(x.data(), {e[0], e[1], e[2]}), dense(ours.data(), {e[0], e[1], e[2]}),
        {{0, 1, 2}, Direction::forward, Norm::none});
    fftw_plan plan = fftw_plan_dft_3d(
        static_cast<int>(e[2]), static_cast<int>(e[1]), static_cast<int>(e[0]),
        reinterpret_cast<fftw_complex*>(x.data()), reinterpret_cast<fftw_complex*>(theirs.data()),
        FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    EXPECT_LT(error(ours, theirs), 3e-15) << e[0];
  }
}

}  // namespace
}  // namespace helicity::fft::test
