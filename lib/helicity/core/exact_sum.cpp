// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/exact_sum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace helicity {
namespace {

constexpr std::int64_t base = std::int64_t{1} << exact::width;
constexpr std::size_t positive_infinities = exact::levels;
constexpr std::size_t negative_infinities = exact::levels + 1;
constexpr std::size_t nans = exact::levels + 2;

/// Digits in [0, base) but for the sign, which is returned: +1, 0 or -1.
int canonical(ExactSum::Digits& d)
{
  std::int64_t carry = 0;
  for (std::size_t i = 0; i < exact::levels; ++i) {
    const std::int64_t v = d[i] + carry;
    carry = v >> exact::width;  // floor
    d[i] = v - carry * base;
  }
  if (carry >= 0) {
    d[exact::levels - 1] += carry * base;
    const bool zero =
        std::all_of(d.begin(), d.begin() + exact::levels, [](auto x) { return x == 0; });
    return zero ? 0 : 1;
  }
  // Negative: the complement of what is there.
  d[exact::levels - 1] += carry * base;
  for (std::size_t i = 0; i < exact::levels; ++i) d[i] = -d[i];
  canonical(d);
  return -1;
}

/// Place of the leading bit of a number above 0, counted from 2^lowest.
int leading_bit(double v)
{
  const int biased = exact::biased_exponent(v);
  return biased > 0 ? biased - 1 + 52 : std::ilogb(v) - exact::lowest;
}

}  // namespace

void ExactSum::add_special(double v)
{
  digits_[std::isnan(v) ? nans : v > 0 ? positive_infinities : negative_infinities] += 1;
}

void ExactSum::add(const double* v, std::size_t n)
{
  // Peels one digit of all numbers at a time: adding and subtracting 1.5 * 2^52 units rounds to
  // the grid of a level exactly; what is left is exact too. Sums of 512 such digits are exact.
  constexpr std::size_t chunk = 512;
  double rest[chunk];
  for (std::size_t start = 0; start < n; start += chunk) {
    const std::size_t m = std::min(chunk, n - start);
    double largest = 0;
    double poison = 0;
    for (std::size_t i = 0; i < m; ++i) {
      rest[i] = v[start + i];
      const double size = std::fabs(rest[i]);
      largest = largest < size ? size : largest;
      poison += rest[i] - rest[i];  // not 0 after an infinity or NaN
    }
    const int top = exact::biased_exponent(largest);
    if (!(poison == 0) || top > 2000 || top < 200) {  // far from where rounding to a grid is safe
      for (std::size_t i = 0; i < m; ++i) add(rest[i]);
      continue;
    }
    while (largest > 0) {
      // The level of the leading bit of the largest number.
      const int level = leading_bit(largest) / exact::width;
      const double shift = 1.5 * exact::power_of_two(level * exact::width + exact::lowest + 52);
      double sum = 0;
      largest = 0;
      for (std::size_t i = 0; i < m; ++i) {
        const double digit = (rest[i] + shift) - shift;
        rest[i] -= digit;
        sum += digit;
        const double size = std::fabs(rest[i]);
        largest = largest < size ? size : largest;
      }
      add(sum);
    }
  }
}

void ExactSum::add(const ExactSum& other)
{
  for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] += other.digits_[i];
}

void ExactSum::normalise()
{
  std::int64_t carry = 0;
  for (std::size_t i = 0; i + 1 < exact::levels; ++i) {
    const std::int64_t v = digits_[i] + carry;
    carry = v / base;
    digits_[i] = v - carry * base;
  }
  digits_[exact::levels - 1] += carry;
}

double ExactSum::value() const
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (digits_[nans] != 0 ||
      (digits_[positive_infinities] != 0 && digits_[negative_infinities] != 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (digits_[positive_infinities] != 0) return infinity;
  if (digits_[negative_infinities] != 0) return -infinity;

  Digits d = digits_;
  const int sign = canonical(d);
  if (sign == 0) return 0;
  std::size_t top = exact::levels - 1;
  while (d[top] == 0) --top;
  // The three highest digits hold at least 53 bits; a bit below stands for all the rest.
  unsigned __int128 m = 0;
  const std::size_t low = top >= 3 ? top - 3 : 0;
  for (std::size_t i = top + 1; i-- > low;)
    m = m << exact::width | static_cast<unsigned __int128>(d[i]);
  bool rest = false;
  for (std::size_t i = 0; i < low; ++i) rest = rest || d[i] != 0;
  int exponent = static_cast<int>(low) * exact::width + exact::lowest;
  int bits = 0;
  for (auto t = m; t != 0; t >>= 1) ++bits;
  const int drop = std::max(bits - 64, 0);
  if (drop > 0) {
    rest = rest || (m & ((static_cast<unsigned __int128>(1) << drop) - 1)) != 0;
    m >>= drop;
    exponent += drop;
  }
  auto whole = static_cast<std::uint64_t>(m);
  // Round 64 bits and the rest to 53 by hand: subnormal results keep all their bits, since nothing
  // lies below 2^lowest.
  int width = 0;
  for (auto t = whole; t != 0; t >>= 1) ++width;
  const int cut = width - 53;
  if (cut > 0) {
    const std::uint64_t mask = (std::uint64_t{1} << cut) - 1;
    const std::uint64_t half = std::uint64_t{1} << (cut - 1);
    const std::uint64_t below = whole & mask;
    whole >>= cut;
    exponent += cut;
    if (below > half || (below == half && (rest || (whole & 1) != 0))) ++whole;
  }
  return sign * std::ldexp(static_cast<double>(whole), exponent);
}

}  // namespace helicity
