// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/decomposition.hpp>
#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace helicity::comm {
namespace {

bool splits(Index cells, Index ranks, Index least)
{
  return ranks == 1 || cells / ranks >= std::max<Index>(1, least);
}

bool allowed(Index3 cells, Index3 ranks, const DecompositionOptions& options)
{
  for (int x = 0; x < 3; ++x) {
    if (options.ranks[x] != 0 && options.ranks[x] != ranks[x]) return false;
    if (!splits(cells[x], ranks[x], options.least[x])) return false;
  }
  return true;
}

/// Cells on both sides of all cuts, those across i weighing double.
Index cost(Index3 cells, Index3 ranks, const DecompositionOptions& options)
{
  Index sum = 0;
  for (int x = 0; x < 3; ++x) {
    const bool wraps = options.periodic[static_cast<std::size_t>(x)] && ranks[x] > 1;
    const Index cuts = ranks[x] - (wraps ? 0 : 1);
    sum += cuts * (volume(cells) / cells[x]) * (x == 0 ? 2 : 1);
  }
  return sum;
}

/// The cheapest arrangement that is allowed.
std::optional<Index3> arrange(Index3 cells, Index ranks, const DecompositionOptions& options)
{
  std::optional<Index3> best;
  std::tuple<Index, Index, Index> best_key;
  for (Index i = 1; i <= std::min(ranks, cells.i); ++i) {
    if (ranks % i != 0) continue;
    for (Index j = 1; j <= std::min(ranks / i, cells.j); ++j) {
      const Index3 candidate{i, j, ranks / i / j};
      if (ranks / i % j != 0 || !allowed(cells, candidate, options)) continue;
      const std::tuple key(cost(cells, candidate, options), -candidate.k, -candidate.j);
      if (best && key >= best_key) continue;
      best = candidate;
      best_key = key;
    }
  }
  return best;
}

std::string times(Index3 n) { return fmt::format("{} x {} x {}", n.i, n.j, n.k); }

/// "; 4 or 6 ranks would do", with the nearest counts on both sides.
std::string advice(Index3 cells, int ranks, const DecompositionOptions& options)
{
  std::string below, above;
  for (int n = ranks - 1; n >= 1 && below.empty(); --n)
    if (arrange(cells, n, options)) below = std::to_string(n);
  for (int n = ranks + 1; n <= 2 * ranks + 8 && above.empty(); ++n)
    if (arrange(cells, n, options)) above = std::to_string(n);
  if (below.empty() && above.empty()) return "";
  const std::string both = !below.empty() && !above.empty() ? " or " : "";
  return fmt::format("; {}{}{} rank{} would do", below, both, above,
                     below + both + above == "1" ? "" : "s");
}

[[noreturn]] void refuse(Index3 cells, int ranks, const DecompositionOptions& options)
{
  std::string wish;
  if (options.ranks != Index3{}) wish = fmt::format(" as {} (0: any)", times(options.ranks));
  throw UsageError(fmt::format(
      "{} cells cannot be split among {} ranks{} with at least {} cells each along an axis that is "
      "split{}",
      times(cells), ranks, wish, times(options.least), advice(cells, ranks, options)));
}

/// First cell of the part-th of `parts` ranges of [0, cells), the larger ones first.
Index first_cell(Index cells, Index parts, Index part)
{
  return cells / parts * part + std::min(part, cells % parts);
}

}  // namespace

Decomposition::Decomposition(Index3 cells, int ranks, const DecompositionOptions& options)
    : cells_(cells), options_(options)
{
  if (cells.i < 1 || cells.j < 1 || cells.k < 1)
    throw UsageError(fmt::format("a grid of {} cells", times(cells)));
  if (ranks < 1 || options.ranks.i < 0 || options.ranks.j < 0 || options.ranks.k < 0)
    throw UsageError(fmt::format("{} ranks as {}", ranks, times(options.ranks)));
  const auto found = arrange(cells, ranks, options);
  if (!found) refuse(cells, ranks, options);
  ranks_ = *found;
}

Index3 Decomposition::coordinates(int rank) const
{
  if (rank < 0 || rank >= size()) throw UsageError(fmt::format("rank {} of {}", rank, size()));
  return {rank % ranks_.i, rank / ranks_.i % ranks_.j, rank / ranks_.i / ranks_.j};
}

grid::Box Decomposition::box(int rank) const
{
  const Index3 at = coordinates(rank);
  grid::Box box;
  for (int x = 0; x < 3; ++x) {
    box.lo[x] = first_cell(cells_[x], ranks_[x], at[x]);
    box.hi[x] = first_cell(cells_[x], ranks_[x], at[x] + 1);
  }
  return box;
}

int Decomposition::neighbour(int rank, Index3 direction) const
{
  Index3 at = coordinates(rank) + direction;
  for (int x = 0; x < 3; ++x) {
    const bool inside = at[x] >= 0 && at[x] < ranks_[x];
    if (!inside && !periodic(x)) return -1;
    at[x] = (at[x] + ranks_[x]) % ranks_[x];
  }
  return static_cast<int>(at.i + ranks_.i * (at.j + ranks_.j * at.k));
}

std::string Decomposition::describe() const { return times(ranks_); }

std::vector<int> good_rank_counts(Index3 cells, const DecompositionOptions& options, int most)
{
  std::vector<int> counts;
  for (int n = 1; n <= most; ++n)
    if (arrange(cells, n, options)) counts.push_back(n);
  return counts;
}

}  // namespace helicity::comm
