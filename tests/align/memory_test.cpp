// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/core/memory_usage.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace {

namespace ha = helicity::align;

std::string random_dna(std::mt19937& random, std::size_t length)
{
  std::string letters(length, 'A');
  for (char& letter : letters) letter = "ACGT"[random() % 4];
  return letters;
}

struct Shape
{
  std::size_t query, target;
};

/// Few pairs of very different shapes must not be put into lanes side by side: the matrix of a
/// group is as long as its longest query and as wide as its longest target.
TEST(AlignerMemory, FewPairsOfUnlikeShapes)
{
  std::mt19937 random(5);
  std::vector<std::string> letters;
  for (const Shape shape : {Shape{4, 60000}, Shape{500, 500}, Shape{15000, 16}, Shape{30, 8000}}) {
    letters.push_back(random_dna(random, shape.query));
    letters.push_back(random_dna(random, shape.target));
  }
  std::vector<ha::Pair> pairs;
  for (std::size_t k = 0; k < letters.size(); k += 2) pairs.push_back({letters[k], letters[k + 1]});

  ha::Config config;
  config.exec.device = helicity::Device::cpu;
  config.exec.threads = 1;
  for (const ha::Mode mode : {ha::Mode::global, ha::Mode::local, ha::Mode::semi_global}) {
    for (const bool query_free : {false, true}) {
      config.mode = mode;
      config.free_ends = {query_free, query_free, !query_free, !query_free};
      ha::Aligner aligner(config);
      const std::vector<ha::Alignment> together = aligner.align(pairs);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const ha::Alignment alone = aligner.align({&pairs[k], 1}).front();
        EXPECT_EQ(together[k].score, alone.score);
        EXPECT_EQ(together[k].cigar, alone.cigar);
      }
    }
  }
  EXPECT_LT(helicity::peak_resident_bytes(), std::size_t{300} << 20);
}

}  // namespace
