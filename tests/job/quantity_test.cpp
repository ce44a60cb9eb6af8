// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/clock.hpp>
#include <helicity/job/config.hpp>

#include "sample.hpp"

#include <gtest/gtest.h>

#include <clocale>

namespace helicity::job {
namespace {

TEST(Quantity, OfEachUnit)
{
  EXPECT_EQ(parse_quantity("12", Unit::none), 12);
  EXPECT_EQ(parse_quantity(" +1.5e3 ", Unit::none), 1500);
  EXPECT_EQ(parse_quantity("12", Unit::metres), 12);
  EXPECT_EQ(parse_quantity("12 cm", Unit::metres), 0.12);
  EXPECT_EQ(parse_quantity("57cm", Unit::metres), 0.57);
  EXPECT_EQ(parse_quantity("1.5e1 km", Unit::metres), 15000);
  EXPECT_EQ(parse_quantity("3 µm", Unit::metres), 3e-6);
  EXPECT_EQ(parse_quantity("2 min", Unit::seconds), 120);
  EXPECT_EQ(parse_quantity("2h30m", Unit::seconds), 9000);
  EXPECT_EQ(parse_quantity("1d 1h 1min 1.5s", Unit::seconds), 86400 + 3600 + 60 + 1.5);
  EXPECT_EQ(parse_quantity("-1h30m", Unit::seconds), -5400);
  EXPECT_EQ(parse_quantity("0.5 ms", Unit::seconds), 0.5e-3);
  EXPECT_EQ(parse_quantity("36 km/h", Unit::metres_per_second), 10);
  EXPECT_EQ(parse_quantity("1 cSt", Unit::square_metres_per_second), 1e-6);
  EXPECT_EQ(parse_quantity("1 mm²/s", Unit::square_metres_per_second), 1e-6);
  EXPECT_EQ(parse_quantity("981 cm/s^2", Unit::metres_per_second_squared), 9.81);
  EXPECT_EQ(parse_quantity("1.2 kg/m³", Unit::kilograms_per_cubic_metre), 1.2);
}

TEST(Quantity, RoundsOnce)
{
  for (int n = 0; n < 10000; ++n) {
    const std::string digits = std::to_string(n);
    ASSERT_EQ(parse_quantity(digits + " cm", Unit::metres), n / 100.0);
    ASSERT_EQ(parse_quantity(digits + " ms", Unit::seconds), n / 1000.0);
  }
}

TEST(Quantity, RefusesOthers)
{
  const auto error = [](const char* text, Unit unit) {
    return test::message_of([&] { parse_quantity(text, unit); });
  };
  EXPECT_EQ(error("", Unit::none), "'' is not a number");
  EXPECT_EQ(error("cm", Unit::metres), "'cm' is not a number with a unit (m, km, cm, mm, um, nm)");
  EXPECT_EQ(error("1 kg", Unit::seconds),
            "'1 kg': unit 'kg' does not fit; accepted: s, ms, us, ns, min, h, d");
  for (const char* text : {"1..2", "--1", "1e", "1e999", "0x10", "1,5", "nan", "inf", "1 s s",
                           "2h 30", "2h-30m", "5 5", "1e+", ".", "-", "1 cm2"})
    for (const Unit unit : {Unit::none, Unit::seconds, Unit::metres})
      EXPECT_THROW(parse_quantity(text, unit), UsageError) << text;
}

TEST(Quantity, DoesNotDependOnTheLocale)
{
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, name);
  EXPECT_EQ(parse_quantity("1.5", Unit::none), 1.5);
  std::setlocale(LC_ALL, "C");
}

TEST(Clock, MultipliesOnce)
{
  EXPECT_EQ((Clock{3, 0.1}.time()), 3 * 0.1);
  EXPECT_EQ((Clock{std::int64_t{1} << 40, 0.5}.time()), 0x1p39);
}

TEST(Every, IsDue)
{
  EXPECT_TRUE(Every{5}.due(0));
  EXPECT_TRUE(Every{5}.due(10));
  EXPECT_FALSE(Every{5}.due(11));
  EXPECT_FALSE(Every{}.due(0));
}

}  // namespace
}  // namespace helicity::job
