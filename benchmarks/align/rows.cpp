// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <array>

namespace helicity::bench {
namespace {

constexpr Task local_score{Mode::local, Output::score};
constexpr Task local_cigar{Mode::local, Output::cigar};
constexpr Task fit_score{Mode::fit, Output::score};
constexpr Task fit_cigar{Mode::fit, Output::cigar};
constexpr Task global_score{Mode::global, Output::score};
constexpr Task global_cigar{Mode::global, Output::cigar};

constexpr std::array rows{
    Row{"A1", "local score, read in window", local_score, Workload::read_in_window, 5.0},
    Row{"A2", "semi-global score, read in window", fit_score, Workload::read_in_window, 8.0},
    Row{"A3", "global score, read on source", global_score, Workload::read_on_source, 1.5},
    Row{"A3w", "global score, 150 x 225", global_score, Workload::read_in_225, 1.5},
    Row{"A4", "local + CIGAR, read in window", local_cigar, Workload::read_in_window, 5.0},
    Row{"A5", "semi-global + CIGAR, read in window", fit_cigar, Workload::read_in_window, 5.0},
    Row{"A6", "global + CIGAR, read on source", global_cigar, Workload::read_on_source, 1.4},
};

// splitmix64 (Steele, Lea, Flood 2014): the standard distributions differ between libraries.
class Random
{
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint32_t below(std::uint32_t bound)
  {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

  char base() { return "ACGT"[below(4)]; }

 private:
  std::uint64_t next()
  {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

constexpr std::uint32_t read_length = 150;

std::string random_bases(Random& random, std::uint32_t count)
{
  std::string bases(count, 'A');
  for (char& base : bases) {
    base = random.base();
  }
  return bases;
}

char another_base(Random& random, char base)
{
  const char other = random.base();
  return other == base ? another_base(random, base) : other;
}

void copy_with_error(Random& random, char base, std::string& read)
{
  const std::uint32_t kind = random.below(10);
  if (kind < 8) {
    read += another_base(random, base);
  } else if (kind == 8) {
    read += base;
    read += random.base();
  }
}

std::string sequence(Random& random, std::string_view source)
{
  std::string read;
  for (const char base : source) {
    if (random.below(100) < 2) {
      copy_with_error(random, base, read);
    } else {
      read += base;
    }
  }
  return read;
}

std::uint32_t target_length(Random& random, Workload workload)
{
  switch (workload) {
    case Workload::read_in_window: return 200 + random.below(51);
    case Workload::read_in_225: return 225;
    case Workload::read_on_source: break;
  }
  return read_length;
}

}  // namespace

std::span<const Row> all_rows() { return rows; }

std::vector<TextPair> make_pairs(Workload workload, std::size_t count)
{
  Random random(20261130);
  std::vector<TextPair> pairs(count);
  for (TextPair& pair : pairs) {
    pair.target = random_bases(random, target_length(random, workload));
    const auto slack = static_cast<std::uint32_t>(pair.target.size()) - read_length;
    const std::uint32_t begin = random.below(slack + 1);
    pair.query = sequence(random, std::string_view(pair.target).substr(begin, read_length));
  }
  return pairs;
}

double full_cells(std::span<const TextPair> pairs)
{
  double cells = 0;
  for (const TextPair& pair : pairs) {
    cells += static_cast<double>(pair.query.size()) * static_cast<double>(pair.target.size());
  }
  return cells;
}

}  // namespace helicity::bench
