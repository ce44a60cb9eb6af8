// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/text.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace helicity {
namespace {

constexpr std::string_view names[] = {"align", "info", "search"};

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps)
{
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("align", "alnig"), 2u);
  EXPECT_EQ(edit_distance("align", "aling"), 1u);
}

TEST(NearestName, ForgivesOneThirdOfTheLetters)
{
  EXPECT_EQ(nearest_name("aling", names), "align");
  EXPECT_EQ(nearest_name("ALIGN", names), "align");
  EXPECT_EQ(nearest_name("serch", names), "search");
  EXPECT_EQ(nearest_name("weather", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, MakesAHint)
{
  EXPECT_EQ(did_you_mean("infos", names), "; did you mean 'info'?");
  EXPECT_EQ(did_you_mean("quantum", names), "");
}

TEST(Join, PutsSeparatorsBetween)
{
  EXPECT_EQ(join(names, ", "), "align, info, search");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(ParseBytes, ReadsUnits)
{
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("1048576"), 1048576u);
  EXPECT_EQ(parse_bytes("512 B"), 512u);
  EXPECT_EQ(parse_bytes("4GiB"), std::size_t{4} << 30);
  EXPECT_EQ(parse_bytes(" 4g "), std::size_t{4} << 30);
  EXPECT_EQ(parse_bytes("1.5k"), 1536u);
  EXPECT_EQ(parse_bytes("200 MB"), 200'000'000u);
  EXPECT_EQ(parse_bytes("2Ti"), std::size_t{2} << 40);
  EXPECT_EQ(parse_bytes("1e3"), 1000u);
}

TEST(ParseBytes, RefusesTheRest)
{
  for (const char* text : {"", " ", "GiB", "-1", "4GiBs", "4 X", "1 2", "nan", "inf", "4MBB",
                           "0x10", "99999999999999999999", "20000000T"})
    EXPECT_THROW(parse_bytes(text), UsageError) << text;
}

TEST(FormatBytes, WritesThreeDigits)
{
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(10 * 1024), "10.0 KiB");
  EXPECT_EQ(format_bytes(1023 * 1024), "1.00 MiB");
  EXPECT_EQ(format_bytes(std::size_t{4} << 30), "4.00 GiB");
  EXPECT_EQ(format_bytes(std::numeric_limits<std::size_t>::max()), "16.0 EiB");
}

}  // namespace
}  // namespace helicity
