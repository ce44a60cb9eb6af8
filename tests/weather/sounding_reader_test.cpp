// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/weather/sounding.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace {

using namespace helicity::weather;

const std::string table =
    "<H2>A station</H2>\n<PRE>\n"
    "-----------------------------------------------------------------------------\n"
    "   PRES   HGHT   TEMP   DWPT   RELH   MIXR   DRCT   SKNT   THTA   THTE   THTV\n"
    "    hPa     m      C      C      %    g/kg    deg   knot     K      K      K\n"
    "-----------------------------------------------------------------------------\n"
    " 1000.0     80                                                               \n"
    "  967.0    357   26.0   20.0     70  15.46    180     10  302.0  347.8  304.8\n"
    "  925.0    745   23.0   18.0     74  14.23                302.7  345.2  305.3\n"
    "  850.0   1480   19.0   10.0     56   9.15    270     20  306.0  334.6  307.7\n"
    "  700.0   3120    8.0                         270     30  311.3  312.7  311.4\n"
    "  500.0   5820  -12.0  -40.0      8   0.24   ****   ****  318.4  319.4  318.5\n"
    "</PRE>\nStation information\n";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string message(const std::string& text)
{
  try {
    check_sounding(parse_sounding(text, "file"));
  } catch (const helicity::UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(SoundingReader, reads_tables_of_wyoming)
{
  const Sounding s = parse_sounding(table, "file");
  ASSERT_EQ(s.levels.size(), 5U);
  EXPECT_EQ(s.levels[0].height, 0);
  EXPECT_DOUBLE_EQ(s.levels[1].height, 388);
  EXPECT_DOUBLE_EQ(s.levels[0].pressure, 96700);
  EXPECT_DOUBLE_EQ(s.levels[0].temperature, 299.15);
  EXPECT_NEAR(s.levels[0].vapour, 15.46e-3, 0.1e-3);
  EXPECT_NEAR(s.levels[0].u, 0, 1e-12);
  EXPECT_NEAR(s.levels[0].v, 5.1444, 1e-4);
  const double part = 388.0 / 1123;  // a wind between two others
  EXPECT_NEAR(s.levels[1].u, part * 10.2889, 1e-4);
  EXPECT_NEAR(s.levels[1].v, (1 - part) * 5.1444, 1e-4);
  EXPECT_NEAR(s.levels[3].vapour, (s.levels[2].vapour * 2700 + s.levels[4].vapour * 1640) / 4340,
              1e-9);
  EXPECT_NEAR(s.levels[4].u, 15.4333, 1e-4);
  EXPECT_EQ(message(table), "");
}

TEST(SoundingReader, ends_of_lines_do_not_matter)
{
  std::string crlf;
  for (const char c : table) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Sounding a = parse_sounding(table, "file"), b = parse_sounding(crlf, "file");
  ASSERT_EQ(a.levels.size(), b.levels.size());
  EXPECT_EQ(a.levels[3].vapour, b.levels[3].vapour);
}

TEST(SoundingReader, reads_input_soundings)
{
  const Sounding s = parse_sounding(
      " 1.0D+03\t300.0 14.0\r\n100.0 300.1 1.4d1 1 2\n\n1000 302 10 3 4\n2000 306 5 5 -6\n",
      "file");
  ASSERT_EQ(s.levels.size(), 4U);
  EXPECT_DOUBLE_EQ(s.levels[0].pressure, 1e5);
  EXPECT_EQ(s.levels[0].u, 1);
  EXPECT_DOUBLE_EQ(s.levels[1].vapour, 0.014);
  EXPECT_EQ(s.levels[3].v, -6);
  EXPECT_NEAR(potential_temperature(s.levels[2]), 302, 1e-9);
}

TEST(SoundingReader, reads_what_is_written)
{
  const Sounding a = sample(weisman_klemp({}, 18000), quarter_circle_wind(), 250, "wk");
  const Sounding b = parse_sounding(to_input_sounding(a), "file");
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t n = 0; n < a.levels.size(); ++n) {
    EXPECT_EQ(a.levels[n].height, b.levels[n].height);
    EXPECT_NEAR(a.levels[n].pressure, b.levels[n].pressure, 3);
    EXPECT_NEAR(a.levels[n].vapour, b.levels[n].vapour, 1e-10);
    EXPECT_NEAR(a.levels[n].u, b.levels[n].u, 1e-6);
  }
}

TEST(SoundingReader, names_file_line_and_what_is_expected)
{
  const auto has = [](const std::string& text, const std::string& word) {
    const std::string said = message(text);
    EXPECT_NE(said.find(word), std::string::npos) << said;
  };
  has("", "file:1: a sounding is expected");
  has("\x7f"
      "ELF\n",
      "file:1: a sounding is expected");
  has(replaced(table, "   26.0   20.0", "   2x.0   20.0"),
      "file:8: a number is expected in column TEMP");
  has(replaced(table, "   26.0   20.0", "   26.0   27.0"), "file:8: DWPT 27 is above TEMP 26");
  has(replaced(table, "  745 ", "  345 "), "file:9: the height 345 m is not above");
  has(replaced(table, "850.0   1480", "950.0   1480"),
      "file:10: the pressure 950 hPa is not below");
  has(table.substr(0, 400), "file:4: ");
  has("1000 300 14\n", "file:1: two levels");
  has("1000 300 14\n100 300 14 0\n", "file:2: 5 numbers are expected");
  has("1000 300 14\n100 300 nan 0 0\n", "file:2: a number is expected");
  has("1000 300 14\n100 300 14 0 0\n90 300 14 0 0\n", "file:3: the height 90 m");
  has("1000 300 14\n100 300 1400 0 0\n", "file:2: qv is 1400");
  has("1000 300 1\n1000 300 1 0 0\n9000 330 0 0 0\n", "levels are missing");
  has("1000 300 1\n1000 290 1 0 0\n", "overturns");
  has("1000 300 14\n1000 300 14 0 0\n2000 303 20 0 0\n", "beyond saturation");
}

TEST(SoundingReader, a_low_top_and_overturning_are_told_unless_accepted)
{
  const Sounding s = parse_sounding("1000 300 1\n1000 290 1 0 0\n", "file");
  SoundingLimits limits;
  limits.overturning = 20;
  EXPECT_NO_THROW(check_sounding(s, limits));
  limits.least_top = 5000;
  EXPECT_THROW(check_sounding(s, limits), helicity::UsageError);
}

TEST(SoundingReader, garbage_is_refused_and_nothing_else)
{
  std::mt19937 random(7);
  const std::string letters("0 \n\r\t*-.x<D\0\xff", 14);
  const std::string written =
      to_input_sounding(sample(weisman_klemp({}, 2000), uniform_wind(1, 2), 500, "wk"));
  int refused = 0;
  for (int n = 0; n < 4000; ++n) {
    std::string text = n % 2 == 0 ? table : written;
    for (unsigned k = 0; k <= random() % 6; ++k)
      text[random() % text.size()] = letters[random() % letters.size()];
    if (n % 3 == 0) text.resize(random() % text.size());
    try {
      check_sounding(parse_sounding(text, "file"));
    } catch (const helicity::UsageError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("file:", 0), 0U);
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 4000);
}

}  // namespace
