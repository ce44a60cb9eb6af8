// SPDX-License-Identifier: Apache-2.0
#include "sequences.hpp"

#include <fmt/format.h>

#include <random>

namespace gpu_rows {

using namespace helicity;

namespace {

constexpr std::int64_t readable = 64;  // bytes past the end of a sequence

}  // namespace

Sequences::Sequences(Shape shape, double most_cells, std::size_t most_pairs) : shape_(shape)
{
  const double cells = static_cast<double>(shape.query) * static_cast<double>(shape.target);
  const auto count = std::clamp<std::size_t>(static_cast<std::size_t>(most_cells / cells), 2,
                                             std::max<std::size_t>(2, most_pairs));
  const std::size_t distinct = std::min<std::size_t>(count, 1024);
  const std::int64_t span = shape.query + shape.target + 2 * readable;
  letters_.assign(distinct * static_cast<std::size_t>(span), 0);
  std::mt19937 random(1);
  const auto letter = [&] { return static_cast<std::uint8_t>(random() >> 30); };
  for (std::size_t k = 0; k < distinct; ++k) {
    std::uint8_t* query = letters_.data() + k * static_cast<std::size_t>(span);
    std::uint8_t* target = query + shape.query + readable;
    std::generate_n(query, shape.query, letter);
    std::generate_n(target, shape.target, letter);
    const std::int64_t shared = std::min(shape.query, shape.target);
    const std::int64_t start = (shape.target - shared) / 2;
    for (std::int64_t i = 0; i < shared; ++i)
      if (random() % 100 >= 3) target[start + i] = query[i];
    pairs_.push_back({query, target, shape.query, shape.target});
  }
  for (std::size_t k = distinct; k < count; ++k) pairs_.push_back(pairs_[k % distinct]);
  cells_ = cells * static_cast<double>(count);
}

std::string Sequences::text() const
{
  return fmt::format("{}, {} pairs", shape_.text(), pairs_.size());
}

align::Problem problem_of(align::Mode mode)
{
  align::Problem problem;
  problem.table =
      align::resolve(align::Scoring{.match = 2, .mismatch = 4, .gap_open = 4, .gap_extend = 2});
  problem.mode = mode;
  if (mode != align::Mode::semi_global) problem.free = {false, false, false, false};
  return problem;
}

const char* mode_name(align::Mode mode)
{
  constexpr const char* names[] = {"global", "local", "semi-global"};
  return names[static_cast<int>(mode)];
}

}  // namespace gpu_rows
