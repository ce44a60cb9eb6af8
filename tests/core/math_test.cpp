// SPDX-License-Identifier: Apache-2.0
// Against the long double functions of the C library, which have 11 more bits than double.
#include <helicity/core/math.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace helicity::test {
namespace {

constexpr double limit = 2;  ///< units in the last place

/// Distance of a result from the exact value, in units of the last place of that value.
template <class T>
double error_of(T got, long double want)
{
  const T nearest = static_cast<T>(want);
  if (std::isnan(nearest)) return std::isnan(got) ? 0 : 1e9;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : 1e9;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const int lowest = std::numeric_limits<T>::min_exponent;
  const int unit = std::max(exponent, lowest) - std::numeric_limits<T>::digits;
  return static_cast<double>(std::fabs(std::ldexp(static_cast<long double>(got) - want, -unit)));
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Values about everything that is special, of both signs.
template <class T>
std::vector<T> edges()
{
  using L = std::numeric_limits<T>;
  std::vector<T> all{0,        L::infinity(), L::quiet_NaN(), L::denorm_min(), L::min(),
                     L::max(), L::epsilon(),  T(0.1),         T(1) / 3,        T(2) / 3,
                     T(3),     T(7),          T(20),          T(100),          T(1000)};
  for (const T x : {T(0.5), T(1), T(2), T(4), T(8), T(std::sqrt(0.5)), T(std::sqrt(2.0)), L::min(),
                    T(std::log(2.0) / 2), T(88.72284), T(-87.33655), T(-103.97208), T(709.78271),
                    T(-708.39642), T(-745.13322), T(1e-30), T(1e30)})
    for (T y = x, z = x; const int n : {0, 1, 2, 3}) {
      all.insert(all.end(), {y, z});
      y = std::nextafter(y, L::infinity()), z = std::nextafter(z, -L::infinity());
      (void)n;
    }
  const std::size_t count = all.size();
  for (std::size_t n = 0; n < count; ++n) all.push_back(-all[n]);
  return all;
}

template <class T>
class Math : public testing::Test
{
 protected:
  T uniform(double low, double high)
  {
    return static_cast<T>(std::uniform_real_distribution<double>(low, high)(random_));
  }

  /// Any bits: all sizes, infinities and NaN.
  T any()
  {
    const auto bits = static_cast<Bits<T>>(random_());
    return math::detail::of_bits<T>(bits);
  }

  /// Greatest error of f against g over values.
  template <class F, class G>
  void expect_close(const std::vector<T>& values, F f, G g, double most = limit)
  {
    double worst = 0;
    T where = 0;
    for (const T x : values)
      if (const double e = error_of(f(x), g(static_cast<long double>(x))); e > worst) {
        worst = e;
        where = x;
      }
    EXPECT_LT(worst, most) << "at " << where;
    this->RecordProperty("worst", std::to_string(worst));
  }

  std::vector<T> values(double low, double high)
  {
    std::vector<T> all = edges<T>();
    for (int n = 0; n < 300000; ++n) all.push_back(uniform(low, high));
    for (int n = 0; n < 300000; ++n) all.push_back(any());
    return all;
  }

  void expect_pow(T x, T y)
  {
    const double e = error_of(math::pow(x, y),
                              std::pow(static_cast<long double>(x), static_cast<long double>(y)));
    if (e <= worst_) return;
    worst_ = e;
    EXPECT_LT(e, limit) << x << " to the " << y;
  }

  std::mt19937_64 random_{7};
  double worst_ = 0;
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Math, Types, );

TYPED_TEST(Math, exp_over_its_range_and_beyond)
{
  using T = TypeParam;
  const double most = sizeof(T) == 4 ? 110 : 760;
  this->expect_close(
      this->values(-most, most), [](T x) { return math::exp(x); },
      [](long double x) { return std::exp(x); }, 1.1);
}

TYPED_TEST(Math, log_of_all_sizes_and_near_one)
{
  using T = TypeParam;
  this->expect_close(
      this->values(0.5, 2), [](T x) { return math::log(x); },
      [](long double x) { return x < 0 ? NAN : std::log(x); }, 1);
}

TYPED_TEST(Math, cbrt_of_all_sizes)
{
  using T = TypeParam;
  this->expect_close(
      this->values(-30, 30), [](T x) { return math::cbrt(x); },
      [](long double x) { return std::cbrt(x); }, 1);
  EXPECT_TRUE(std::signbit(math::cbrt(T(-0.0))));
  for (int n = 0; n < 100; ++n) EXPECT_EQ(math::cbrt(T(n * n * n)), T(n));
}

TYPED_TEST(Math, pow_of_numbers_that_are_not_negative)
{
  using T = TypeParam;
  for (const T x : edges<T>())
    for (const T y : edges<T>())
      if (!(x < 0) && !std::signbit(x)) this->expect_pow(x, y);
  for (int n = 0; n < 300000; ++n) {
    this->expect_pow(this->uniform(0, 40), this->uniform(-60, 60));
    this->expect_pow(std::fabs(this->any()), this->uniform(-3, 3));
    this->expect_pow(std::fabs(this->any()), this->any());
    // results of all sizes: the largest exponents are the hardest
    const T x = this->uniform(0.4, 2.5);
    const double reach = sizeof(T) == 4 ? 106 : 750;
    this->expect_pow(x, static_cast<T>(this->uniform(-reach, reach) / std::log(double(x))));
  }
  EXPECT_TRUE(std::isnan(math::pow(T(-2), T(2))));
  EXPECT_EQ(math::pow(T(-2), T(0)), T(1));
}

TYPED_TEST(Math, exp_and_log_are_inverse_and_do_not_fall)
{
  using T = TypeParam;
  for (T x = T(-5); x < T(5); x += T(0.00137)) {
    const T e = math::exp(x), next = math::exp(std::nextafter(x, T(10)));
    EXPECT_GE(next, e) << x;
    EXPECT_NEAR(math::log(e), x, 6 * std::numeric_limits<T>::epsilon());
  }
}

/// One number of every `step`, by its bits.
template <class F, class G>
double worst_of_all(std::uint32_t step, F f, G g)
{
  double worst = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffffU; bits += step) {
    const float x = math::detail::of_bits<float>(static_cast<std::uint32_t>(bits));
    const double e = error_of(f(x), static_cast<long double>(g(static_cast<double>(x))));
    worst = std::max(worst, e);
  }
  return worst;
}

TEST(MathOfFloat, is_right_over_all_bits)
{
  EXPECT_LT(worst_of_all(
                1009, [](float x) { return math::exp(x); }, [](double x) { return std::exp(x); }),
            1.1);
  EXPECT_LT(worst_of_all(
                1009, [](float x) { return math::log(x); },
                [](double x) { return x < 0 ? NAN : std::log(x); }),
            1.1);
  EXPECT_LT(worst_of_all(
                1009, [](float x) { return math::cbrt(x); }, [](double x) { return std::cbrt(x); }),
            0.501);
}

}  // namespace
}  // namespace helicity::test
