// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/exact_sum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace helicity {
namespace {

using Numbers = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiny = std::numeric_limits<double>::denorm_min();

std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }

double one_by_one(const Numbers& numbers)
{
  ExactSum sum;
  for (const double v : numbers) sum.add(v);
  return sum.value();
}

double at_once(const Numbers& numbers)
{
  ExactSum sum;
  sum.add(numbers.data(), numbers.size());
  return sum.value();
}

double in_parts(const Numbers& numbers, std::size_t parts)
{
  ExactSum all;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = numbers.size() * p / parts, last = numbers.size() * (p + 1) / parts;
    ExactSum sum;
    sum.add(numbers.data() + first, last - first);
    if (p % 2 == 0) sum.normalise();
    all.add(sum);
    if (p % 3 == 0) all.normalise();
  }
  return all.value();
}

void expect_sum(const Numbers& numbers, double expected)
{
  EXPECT_EQ(bits(one_by_one(numbers)), bits(expected));
  EXPECT_EQ(bits(at_once(numbers)), bits(expected));
  for (const std::size_t parts : {2U, 3U, 7U})
    EXPECT_EQ(bits(in_parts(numbers, parts)), bits(expected)) << parts << " parts";
}

/// Random numbers with exponents from `low` up to `high`.
Numbers random_numbers(std::size_t count, int low, int high, unsigned seed)
{
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(low, high);
  Numbers numbers(count);
  for (double& v : numbers) v = std::ldexp(mantissa(random), exponent(random));
  return numbers;
}

/// The sum as a fixed-point integer of many words: slow, obvious, of any size. Rounds by hand.
class WideInteger
{
 public:
  void add(double v)
  {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(v), &exponent);
    auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, 53));  // v = whole * 2^(e - 53)
    int place = exponent - 53 + 1074;
    for (; place < 0; ++place) whole >>= 1;  // bits that a subnormal does not have: zeroes
    auto& side = v < 0 ? minus_ : plus_;
    for (int b = 0; b < 53; ++b)
      if ((whole >> b & 1) != 0) ++side[static_cast<std::size_t>(place + b)];
  }

  double value()
  {
    carry(plus_);
    carry(minus_);
    const auto above =
        std::lexicographical_compare(plus_.rbegin(), plus_.rend(), minus_.rbegin(), minus_.rend());
    return above ? -rounded(minus_, plus_) : rounded(plus_, minus_);
  }

 private:
  using Bits = std::vector<std::int64_t>;  // one bit each, after carry()

  static void carry(Bits& bits)
  {
    for (std::size_t b = 0; b + 1 < bits.size(); ++b) {
      const std::int64_t up = bits[b] >> 1;  // floor
      bits[b + 1] += up;
      bits[b] -= 2 * up;
    }
  }

  static double rounded(Bits large, const Bits& small)
  {
    for (std::size_t b = 0; b < large.size(); ++b) large[b] -= small[b];
    carry(large);
    std::size_t top = large.size();
    while (top > 0 && large[top - 1] == 0) --top;
    if (top == 0) return 0;
    const std::size_t low = top > 53 ? top - 53 : 0;
    std::uint64_t whole = 0;
    for (std::size_t b = top; b-- > low;) whole = whole << 1 | static_cast<std::uint64_t>(large[b]);
    if (low > 0 && large[low - 1] != 0) {
      const bool rest =
          std::any_of(large.begin(), large.begin() + static_cast<std::ptrdiff_t>(low) - 1,
                      [](auto x) { return x != 0; });
      if (rest || (whole & 1) != 0) ++whole;
    }
    return std::ldexp(static_cast<double>(whole), static_cast<int>(low) - 1074);
  }

  Bits plus_ = Bits(2200), minus_ = Bits(2200);
};

double wide(const Numbers& numbers)
{
  WideInteger sum;
  for (const double v : numbers) sum.add(v);
  return sum.value();
}

TEST(ExactSum, NothingAndOneNumber)
{
  expect_sum({}, 0.0);
  for (const double v : {1.0, -1.0, 0.1, largest, -largest, tiny, -tiny, 3 * tiny, 1e-308,
                         std::numeric_limits<double>::min(), 0.5, 4503599627370497.5})
    expect_sum({v}, v);
  expect_sum({-0.0}, 0.0);  // a sum has no negative zero
}

TEST(ExactSum, AgreesWithSumsOf128Bits)
{
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Numbers numbers = random_numbers(1000, -25, 25, seed);
    __float128 sum = 0;  // 113 bits: exact for these exponents
    for (const double v : numbers) sum += static_cast<__float128>(v);
    expect_sum(numbers, static_cast<double>(sum));
  }
}

TEST(ExactSum, AgreesWithIntegersOfAnySize)
{
  unsigned seed = 100;
  for (const auto& [low, high] : {std::pair{-1080, -1000}, std::pair{-1000, 1000},
                                  std::pair{900, 1010}, std::pair{-60, 0}, std::pair{-500, -300}})
    for (const std::size_t count : {1U, 2U, 3U, 10U, 511U, 512U, 513U, 2000U}) {
      const Numbers numbers = random_numbers(count, low, high, ++seed);
      expect_sum(numbers, wide(numbers));
    }
}

TEST(ExactSum, TiesGoToEven)
{
  const double above = std::ldexp(1.0, 53);
  expect_sum({above, 1.0}, above);
  expect_sum({above, 1.0, tiny}, above + 2);
  expect_sum({above, 1.0, -tiny}, above);
  expect_sum({above, 3.0}, above + 4);
  expect_sum({above, 2.0, 1.0, 1e-300}, above + 4);
  expect_sum({-above, -1.0, -tiny}, -above - 2);
  expect_sum({1.0, std::ldexp(1.0, -53), std::ldexp(1.0, -106)}, 1 + std::ldexp(1.0, -52));
}

TEST(ExactSum, WhatCancelsLeavesTheRest)
{
  expect_sum({1e300, 1.0, -1e300}, 1.0);
  expect_sum({largest, tiny, -largest}, tiny);
  expect_sum({largest, largest, -largest}, largest);  // past the range on the way
  Numbers numbers = random_numbers(3000, -1000, 1000, 5);
  const std::size_t half = numbers.size();
  for (std::size_t n = 0; n < half; ++n) numbers.push_back(-numbers[n]);
  numbers.push_back(1e-320);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937_64(6));
  expect_sum(numbers, 1e-320);
}

TEST(ExactSum, TheOrderDoesNotMatter)
{
  std::mt19937_64 random(9);
  Numbers numbers = random_numbers(2000, -900, 900, 8);
  const double expected = one_by_one(numbers);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    expect_sum(numbers, expected);
  }
}

TEST(ExactSum, PastTheRange)
{
  expect_sum({largest, largest}, infinity);
  expect_sum({-largest, -largest, -1.0}, -infinity);
  expect_sum({largest, std::ldexp(1.0, 970)}, infinity);        // a tie, which rounds up
  expect_sum({largest, std::ldexp(1.0, 970), -tiny}, largest);  // just below it
  expect_sum(Numbers(100'000, largest), infinity);
}

TEST(ExactSum, InfinitiesAndNans)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_sum({1.0, infinity, -5.0}, infinity);
  expect_sum({-infinity, largest}, -infinity);
  for (const Numbers& numbers :
       {Numbers{infinity, -infinity}, Numbers{nan}, Numbers{nan, infinity}, Numbers{1.0, -nan}})
  {
    EXPECT_TRUE(std::isnan(one_by_one(numbers)));
    EXPECT_TRUE(std::isnan(at_once(numbers)));
    EXPECT_TRUE(std::isnan(in_parts(numbers, 2)));
  }
}

TEST(ExactSum, ManyNumbersOfOneSize)
{
  expect_sum(Numbers(1'000'000, 0.1), wide(Numbers(1'000'000, 0.1)));
  ExactSum sum;
  for (int n = 0; n < 64; ++n) {  // doubling: 2^64 numbers, normalised on the way
    if (n == 0) sum.add(1.0);
    const ExactSum copy = sum;
    sum.add(copy);
    sum.normalise();
  }
  EXPECT_EQ(sum.value(), std::ldexp(1.0, 64));
}

TEST(ExactSum, NormalisingKeepsTheValue)
{
  const Numbers numbers = random_numbers(5000, -700, 700, 11);
  ExactSum sum;
  sum.add(numbers.data(), numbers.size());
  const double before = sum.value();
  sum.normalise();
  EXPECT_EQ(bits(sum.value()), bits(before));
  for (std::size_t d = 0; d + 4 < sum.digits().size(); ++d)
    EXPECT_LT(std::abs(sum.digits()[d]), std::int64_t{1} << exact::width);
}

}  // namespace
}  // namespace helicity
