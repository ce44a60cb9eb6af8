// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/config.hpp>

#include "sample.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace helicity::job {
namespace {

using test::Sample;
using test::schema_of;

class Random
{
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

  double finite()
  {
    for (;;) {
      const double value = std::bit_cast<double>(engine_());
      if (std::isfinite(value)) return value;
    }
  }

  double positive() { return std::max(std::fabs(finite()), std::numeric_limits<double>::min()); }

  std::string text()
  {
    std::string out;
    for (std::size_t n = below(12); n > 0; --n) out += static_cast<char>(1 + below(127));
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

Sample random_sample(Random& random)
{
  Sample c;
  c.title = random.text();
  for (auto& n : c.cells) n = 1 + static_cast<std::int64_t>(random.below(100000));
  c.seed = static_cast<std::int64_t>(random.bits());
  c.step = random.positive();
  c.length = random.finite();
  c.speed = random.below(2) == 0 ? -0.0 : 5e-324;
  c.viscosity = std::fabs(random.finite());
  for (auto& g : c.gravity) g = random.finite();
  c.density = static_cast<double>(random.below(1000000));
  c.ratio = static_cast<double>(random.below(1000)) / 999;
  c.collision = random.below(2) == 0 ? "trt" : "cumulant";
  c.compress = random.below(2) == 0;
  c.variables.resize(random.below(4));
  for (auto& v : c.variables) v = random.text();
  c.solids.resize(random.below(4));
  for (auto& s : c.solids) {
    s.kind = random.below(2) == 0 ? "box" : "sphere";
    s.radius = random.positive();
    for (auto& x : s.centre) x = random.finite();
    s.material = random.text();
  }
  return c;
}

TEST(SchemaRandom, PrintsWhatItReadsBackBitByBit)
{
  Random random(1);
  for (int n = 0; n < 400; ++n) {
    Sample c = random_sample(random), back;
    const std::string text = schema_of(c).print(n % 2 == 0);
    ASSERT_NO_THROW(schema_of(back).parse(text, "f")) << text;
    ASSERT_EQ(c, back) << text;
    ASSERT_EQ(std::signbit(c.speed), std::signbit(back.speed));
    ASSERT_EQ(schema_of(back).print(n % 2 == 0), text);
  }
}

TEST(SchemaRandom, SetsWhatItPrints)
{
  Random random(2);
  for (int n = 0; n < 100; ++n) {
    Sample c = random_sample(random), back;
    for (auto& v : c.variables) v = "v" + std::to_string(random.below(100));
    Schema to = schema_of(back);
    for (const KeyInfo& key : schema_of(c).keys()) to.set(key.key, key.value);
    back.solids = c.solids;
    ASSERT_EQ(c, back);
  }
}

/// A text with some bytes changed, removed, doubled or swapped in from elsewhere.
std::string mutated(Random& random, std::string text)
{
  constexpr std::string_view spice = "[]{}=.,\"'#\n\\0129eE-+_ xz\xff\x01";
  for (std::size_t n = 1 + random.below(6); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text[at] = spice[random.below(spice.size())]; break;
      case 1: text.erase(at, 1 + random.below(20)); break;
      case 2: text.insert(at, text.substr(random.below(text.size()), random.below(30))); break;
      default: text.insert(at, 1, spice[random.below(spice.size())]); break;
    }
  }
  return text;
}

TEST(SchemaRandom, DamagedFilesAreErrorsAndSetNothing)
{
  Random random(3);
  int refused = 0;
  for (int n = 0; n < 4000; ++n) {
    Sample source = random_sample(random), c;
    c.solids.resize(2);
    const Sample before = c;
    const std::string text = mutated(random, schema_of(source).print(false));
    try {
      schema_of(c).parse(text, "case.toml");
    } catch (const InputError& error) {
      ++refused;
      ASSERT_EQ(std::string(error.what()).substr(0, 10), "case.toml:") << text;
      ASSERT_EQ(c, before) << text;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(SchemaRandom, DamagedTextsAreErrors)
{
  Random random(4);
  for (int n = 0; n < 2000; ++n) {
    Sample c;
    Schema s = schema_of(c);
    const auto keys = s.keys();
    const KeyInfo& key = keys[random.below(keys.size())];
    try {
      s.set(key.key, mutated(random, key.value));
    } catch (const UsageError&) {
    }
  }
}

}  // namespace
}  // namespace helicity::job
