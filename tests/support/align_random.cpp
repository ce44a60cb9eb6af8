// SPDX-License-Identifier: Apache-2.0
#include "support/align_random.hpp"

#include <helicity/seq/matrix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <memory>
#include <string_view>

namespace helicity::test {
namespace {

constexpr std::size_t padding = 64;

char random_letter(Random& random, seq::Alphabet alphabet)
{
  const std::string_view known = alphabet == seq::Alphabet::dna ? "ACGT" : "ARNDCQEGHILKMFPSTWYV";
  return known[static_cast<std::size_t>(
      random.between(0, static_cast<std::int64_t>(known.size()) - 1))];
}

std::int64_t random_length(Random& random, std::int64_t max_length)
{
  const std::int64_t kind = random.between(0, 99);
  std::int64_t bound = max_length;
  if (kind < 8)
    bound = 3;
  else if (kind < 55)
    bound = 40;
  else if (kind < 90)
    bound = 200;
  return random.between(0, std::min(bound, max_length));
}

std::string repeat(Random& random, seq::Alphabet alphabet, std::int64_t length)
{
  const std::string unit = random_sequence(random, alphabet, random.between(1, 6));
  std::string result;
  while (static_cast<std::int64_t>(result.size()) < length) result += unit;
  result.resize(static_cast<std::size_t>(length));
  return result;
}

std::string part(Random& random, const std::string& sequence)
{
  const auto size = static_cast<std::int64_t>(sequence.size());
  const std::int64_t begin = random.between(0, size);
  const std::int64_t length = random.between(0, size - begin);
  return sequence.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
}

void sprinkle(Random& random, std::string& sequence, std::string_view letters)
{
  if (sequence.empty()) return;
  const int percent = static_cast<int>(random.between(1, 20));
  for (char& letter : sequence)
    if (random.chance(percent))
      letter = letters[static_cast<std::size_t>(
          random.between(0, static_cast<std::int64_t>(letters.size()) - 1))];
  if (random.chance(20))  // a run of unknown letters
    for (char& letter : sequence)
      if (random.chance(95)) letter = letters[0];
}

void lower(Random& random, std::string& sequence)
{
  for (char& letter : sequence)
    if (random.chance(50)) letter = static_cast<char>(std::tolower(letter));
}

int between(Random& random, int low, int high)
{
  return static_cast<int>(random.between(low, high));
}

}  // namespace

std::uint64_t Random::next()
{
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::int64_t Random::between(std::int64_t low, std::int64_t high)
{
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>((next() >> 1) % span);
}

std::string random_sequence(Random& random, seq::Alphabet alphabet, std::int64_t length)
{
  std::string result;
  for (std::int64_t k = 0; k < length; ++k) result += random_letter(random, alphabet);
  return result;
}

std::string mutated(Random& random, seq::Alphabet alphabet, const std::string& sequence,
                    int percent)
{
  std::string result;
  for (std::size_t k = 0; k < sequence.size(); ++k) {
    if (!random.chance(percent)) {
      result += sequence[k];
      continue;
    }
    const std::int64_t length = random.chance(70) ? 1 : random.between(1, 12);
    switch (random.between(0, 3)) {
      case 0: result += random_sequence(random, alphabet, length) + sequence[k]; break;
      case 1: k += static_cast<std::size_t>(length - 1); break;
      default: result += random_letter(random, alphabet); break;
    }
  }
  return result;
}

Letters random_pair(Random& random, seq::Alphabet alphabet, std::int64_t max_length)
{
  Letters pair;
  const std::int64_t kind = random.between(0, 99);
  const std::int64_t length = random_length(random, max_length);
  std::string base = random_sequence(random, alphabet, length);
  if (kind >= 80 && kind < 92) base = repeat(random, alphabet, length);
  const int percent = random.chance(40) ? between(random, 0, 10) : between(random, 0, 100);
  if (kind < 12) {  // unrelated
    pair.query = base;
    pair.target = random_sequence(random, alphabet, random_length(random, max_length));
  } else if (kind < 20) {  // one letter only, in each or in both
    const char letter = random_letter(random, alphabet);
    pair.query.assign(static_cast<std::size_t>(length), letter);
    pair.target.assign(static_cast<std::size_t>(random_length(random, max_length)),
                       random.chance(80) ? letter : random_letter(random, alphabet));
  } else if (kind < 50) {
    pair.query = base;
    pair.target = mutated(random, alphabet, base, percent);
  } else if (kind < 65) {  // the query lies in the target, or the other way round
    pair.target = base;
    pair.query = mutated(random, alphabet, part(random, base), percent);
    if (random.chance(25)) std::swap(pair.query, pair.target);
  } else if (kind < 80) {  // ends overlap
    pair.query = random_sequence(random, alphabet, random_length(random, 30)) + base;
    pair.target = mutated(random, alphabet, base, percent);
    pair.target += random_sequence(random, alphabet, random_length(random, 30));
    if (random.chance(50)) std::swap(pair.query, pair.target);
  } else {  // two parts of one repeat, or parts of one sequence
    pair.query = part(random, base);
    pair.target = mutated(random, alphabet, part(random, base), percent / 4);
  }
  const auto limit = static_cast<std::size_t>(max_length);
  if (pair.query.size() > limit) pair.query.resize(limit);
  if (pair.target.size() > limit) pair.target.resize(limit);

  const std::string_view unknown =
      alphabet == seq::Alphabet::dna ? "NNNNURYSWKMBDHV" : "XXXXBZ*UOJ";
  if (random.chance(15)) sprinkle(random, pair.query, unknown);
  if (random.chance(15)) sprinkle(random, pair.target, unknown);
  if (random.chance(15)) lower(random, pair.query);
  if (random.chance(15)) lower(random, pair.target);
  return pair;
}

std::vector<std::uint8_t> codes_of(const std::string& letters, seq::Alphabet alphabet)
{
  const bool dna = alphabet == seq::Alphabet::dna;
  const std::string_view known = dna ? "ACGTN" : "ARNDCQEGHILKMFPSTWYVBZX*";
  std::vector<std::uint8_t> codes;
  for (const char letter : letters) {
    char upper = static_cast<char>(std::toupper(letter));
    if (dna && upper == 'U') upper = 'T';
    std::size_t code = known.find(upper);
    if (code == std::string_view::npos) code = dna ? 4 : 22;
    codes.push_back(static_cast<std::uint8_t>(code));
  }
  return codes;
}

Codes::Codes(const Letters& letters, seq::Alphabet alphabet)
    : query_(codes_of(letters.query, alphabet)),
      target_(codes_of(letters.target, alphabet)),
      query_length_(static_cast<std::int64_t>(query_.size())),
      target_length_(static_cast<std::int64_t>(target_.size()))
{
  Random random(query_.size() * 1000 + target_.size());
  for (std::size_t k = 0; k < padding; ++k) {
    query_.push_back(static_cast<std::uint8_t>(random.next()));
    target_.push_back(static_cast<std::uint8_t>(random.next()));
  }
}

align::CodePair Codes::pair() const
{
  return {query_.data(), target_.data(), query_length_, target_length_};
}

align::Scoring dna_scheme(Random& random, int index, bool linear)
{
  align::Scoring s;
  const auto set = [&](const std::array<int, 4>& numbers) {
    s.match = numbers[0];
    s.mismatch = numbers[1];
    s.gap_open = numbers[2];
    s.gap_extend = numbers[3];
  };
  switch (index % scheme_kinds) {
    case 0: set({2, 4, 4, 2}); break;
    case 1: set({1, 1, 1, 1}); break;
    case 2: set({1, 4, 6, 1}); break;
    case 3: set({5, 4, 8, 6}); break;
    case 4: set({0, 1, 1, 1}); break;    // an edit distance
    case 5: set({6, 12, 18, 6}); break;  // one common divisor
    case 6: set({2, 3, 5, 0}); break;    // long gaps for nothing
    case 7: set({1, 0, 0, 0}); break;    // ties everywhere
    case 8: set({0, 0, 0, 0}); break;
    case 9: set({30000, 30000, 30000, 30000}); break;
    case 10: set({1, 30000, 30000, 1}); break;
    case 11: set({30000, 1, 1, 30000}); break;
    case 12: set({-1, 3, 4, 2}); break;         // nothing is ever gained
    case 13: set({3, -2, 4, 1}); break;         // a mismatch is a gain
    case 14: set({-5, -5, 3, 1}); break;        // only mismatches are
    case 15: set({120, 127, 128, 100}); break;  // about as large as 8 bits take
    case 16:
      set({between(random, 100, 3000), between(random, 0, 3000), between(random, 0, 3000),
           between(random, 0, 3000)});
      break;
    case 17:
      set({between(random, -30000, 30000), between(random, -30000, 30000),
           between(random, 0, 30000), between(random, 0, 30000)});
      break;
    case 18:  // letters lose more than gaps do
      set({-between(random, 0, 3000), between(random, 0, 3000), between(random, 0, 300),
           between(random, 1, 2000)});
      break;
    default:
      set({between(random, 0, 9), between(random, -1, 12), between(random, 0, 15),
           between(random, 0, 5)});
      break;
  }
  if (index >= scheme_kinds && random.chance(50))
    set({between(random, 0, 40), between(random, -3, 40), between(random, 0, 60),
         between(random, 0, 20)});
  if (random.chance(40)) {
    const auto [low, high] = std::minmax({-s.mismatch - 4, s.match + 1, 0});
    s.n_score = std::clamp(between(random, low, high), -30000, 30000);
  }
  if (linear) s.gap_open = 0;
  if (!linear && s.gap_open == 0) s.gap_open = 1;
  return s;
}

align::Scoring protein_scheme(Random& random, int index, bool linear)
{
  align::Scoring s;
  s.gap_open = linear ? 0 : between(random, 1, 14);
  s.gap_extend = between(random, linear ? 1 : 0, linear ? 10 : 3);
  const auto names = seq::matrix_names();
  const auto choice = static_cast<std::size_t>(index) % (names.size() + 3);
  if (index == 0) {
    s.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named("BLOSUM62"));
    s.gap_open = linear ? 0 : 10;
    s.gap_extend = linear ? 8 : 1;
  } else if (choice < names.size()) {
    s.matrix = std::make_shared<const seq::Matrix>(seq::Matrix::named(names[choice]));
  } else {  // small, large, or mostly negative; not symmetric
    const int low[] = {-6, -30000, -90};
    const int high[] = {12, 30000, 40};
    const std::size_t range = choice - names.size();
    seq::Matrix::Table table{};
    for (int q = 0; q < 24; ++q)
      for (int t = 0; t < 24; ++t)
        table[static_cast<std::size_t>(q * seq::Matrix::stride + t)] =
            static_cast<std::int16_t>(random.between(low[range], high[range]));
    s.matrix = std::make_shared<const seq::Matrix>("random", seq::Alphabet::protein, table);
  }
  return s;
}

align::FreeEnds free_ends(int number)
{
  return {(number & 1) != 0, (number & 2) != 0, (number & 4) != 0, (number & 8) != 0};
}

align::Problem make_problem(const align::Scoring& scoring, align::Mode mode,
                            const align::FreeEnds& free)
{
  const bool semi = mode == align::Mode::semi_global;
  return {align::resolve(scoring), mode, semi ? free : free_ends(0)};
}

std::string describe(const align::Problem& problem)
{
  const auto& table = problem.table;
  const char* const modes[] = {"global", "local", "semi_global"};
  std::string text = fmt::format("mode {}", modes[static_cast<int>(problem.mode)]);
  if (problem.mode == align::Mode::semi_global)
    text += fmt::format(" (free: query_begin {} query_end {} target_begin {} target_end {})",
                        problem.free.query_begin, problem.free.query_end, problem.free.target_begin,
                        problem.free.target_end);
  text += fmt::format(", gap_open {} gap_extend {}, ", table.gap_open, table.gap_extend);
  if (table.uniform)
    text += fmt::format("match {} mismatch {} n_score {}", table(0, 0), -table(0, 1), table(0, 4));
  else
    text += fmt::format("matrix of {} letters, scores {} to {}", table.letters, table.min_score,
                        table.max_score);
  return text;
}

std::string describe(const Letters& letters)
{
  return fmt::format("query  \"{}\" ({})\ntarget \"{}\" ({})", letters.query, letters.query.size(),
                     letters.target, letters.target.size());
}

std::string describe(const align::Path& path)
{
  std::string text =
      fmt::format("score {} query [{}, {}) target [{}, {}) ", path.end.score, path.query_begin,
                  path.end.query_end, path.target_begin, path.end.target_end);
  for (const std::uint32_t word : path.ops) text += fmt::format("{}{}", word >> 4, "MID"[word & 3]);
  return text;
}

}  // namespace helicity::test
