// SPDX-License-Identifier: Apache-2.0
#include "oracle/gotoh.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace helicity::oracle {
namespace {

using align::CodePair;
using align::EndCell;
using align::Mode;
using align::Path;
using align::Problem;

constexpr std::int64_t minus_infinity = -(std::int64_t{1} << 60);

class Matrix
{
 public:
  Matrix(std::int64_t rows, std::int64_t columns)
      : columns_(columns), cells_(static_cast<std::size_t>(rows * columns), minus_infinity)
  {}
  std::int64_t& operator()(std::int64_t i, std::int64_t j)
  {
    return cells_[static_cast<std::size_t>(i * columns_ + j)];
  }

 private:
  std::int64_t columns_;
  std::vector<std::int64_t> cells_;
};

struct Gotoh
{
  const Problem& problem;
  const CodePair& pair;
  std::int64_t m = pair.query_length;
  std::int64_t n = pair.target_length;
  std::int64_t open = problem.table.gap_open;
  std::int64_t extend = problem.table.gap_extend;
  bool local = problem.mode == Mode::local;
  bool semi = problem.mode == Mode::semi_global;
  bool row0_free = local || (semi && problem.free.target_begin);
  bool column0_free = local || (semi && problem.free.query_begin);
  Matrix H{m + 1, n + 1};
  Matrix E{m + 1, n + 1};
  Matrix F{m + 1, n + 1};

  std::int64_t s(std::int64_t i, std::int64_t j) const
  {
    return problem.table
        .score[static_cast<std::size_t>(pair.query[i - 1]) * align::ScoreTable::stride +
               pair.target[j - 1]];
  }

  void fill()
  {
    H(0, 0) = 0;
    for (std::int64_t j = 1; j <= n; ++j) H(0, j) = row0_free ? 0 : -(open + j * extend);
    for (std::int64_t i = 1; i <= m; ++i) H(i, 0) = column0_free ? 0 : -(open + i * extend);
    for (std::int64_t i = 1; i <= m; ++i) {
      for (std::int64_t j = 1; j <= n; ++j) {
        E(i, j) = std::max(E(i, j - 1), H(i, j - 1) - open) - extend;
        F(i, j) = std::max(F(i - 1, j), H(i - 1, j) - open) - extend;
        H(i, j) = std::max({H(i - 1, j - 1) + s(i, j), E(i, j), F(i, j)});
        if (local) H(i, j) = std::max<std::int64_t>(H(i, j), 0);
      }
    }
  }

  bool may_end(std::int64_t i, std::int64_t j) const
  {
    if (local) return true;
    if (i == m && j == n) return true;
    return semi && ((i == m && problem.free.target_end) || (j == n && problem.free.query_end));
  }

  EndCell end()
  {
    EndCell best{minus_infinity * 4, 0, 0};
    for (std::int64_t j = 0; j <= n; ++j)
      for (std::int64_t i = 0; i <= m; ++i)
        if (may_end(i, j) && H(i, j) > best.score) best = {H(i, j), i, j};
    return best;
  }

  Path walk()
  {
    enum class State { in_h, in_e, in_f };
    Path path;
    path.end = end();
    std::int64_t i = path.end.query_end;
    std::int64_t j = path.end.target_end;
    std::string ops;  // last column first
    State state = State::in_h;
    while (true) {
      if (state == State::in_h) {
        if (local && H(i, j) == 0) break;
        if (i == 0 && j == 0) break;
        if (i == 0 && row0_free) break;
        if (j == 0 && column0_free) break;
        if (i == 0) {
          ops.push_back('D');
          --j;
        } else if (j == 0) {
          ops.push_back('I');
          --i;
        } else if (H(i, j) == H(i - 1, j - 1) + s(i, j)) {
          ops.push_back('M');
          --i;
          --j;
        } else {
          state = H(i, j) == E(i, j) ? State::in_e : State::in_f;
        }
      } else if (state == State::in_e) {
        if (E(i, j) != E(i, j - 1) - extend) state = State::in_h;
        ops.push_back('D');
        --j;
      } else {
        if (F(i, j) != F(i - 1, j) - extend) state = State::in_h;
        ops.push_back('I');
        --i;
      }
    }
    path.query_begin = i;
    path.target_begin = j;
    for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
      const std::uint32_t code = *op == 'M' ? 0 : *op == 'I' ? 1 : 2;
      if (!path.ops.empty() && (path.ops.back() & 15) == code)
        path.ops.back() += 16;
      else
        path.ops.push_back(16 + code);
    }
    return path;
  }
};

/// All alignments from cell (i, j) on, `last` being the operation before; tells `ended` the score
/// at each cell passed.
template <class Ended>
void extend_all(const Problem& problem, const CodePair& pair, std::int64_t i, std::int64_t j,
                char last, std::int64_t score, const Ended& ended)
{
  ended(i, j, score);
  const auto gap = [&](char op) {
    return problem.table.gap_extend + (last == op ? 0 : problem.table.gap_open);
  };
  const bool query_left = i < pair.query_length;
  const bool target_left = j < pair.target_length;
  if (query_left && target_left) {
    const std::size_t cell =
        static_cast<std::size_t>(pair.query[i]) * align::ScoreTable::stride + pair.target[j];
    extend_all(problem, pair, i + 1, j + 1, 'M', score + problem.table.score[cell], ended);
  }
  if (query_left) extend_all(problem, pair, i + 1, j, 'I', score - gap('I'), ended);
  if (target_left) extend_all(problem, pair, i, j + 1, 'D', score - gap('D'), ended);
}

}  // namespace

Path align(const Problem& problem, const CodePair& pair)
{
  Gotoh gotoh{problem, pair};
  gotoh.fill();
  return gotoh.walk();
}

EndCell best_end(const Problem& problem, const CodePair& pair)
{
  Gotoh gotoh{problem, pair};
  gotoh.fill();
  return gotoh.end();
}

std::int64_t best_score_by_enumeration(const Problem& problem, const CodePair& pair)
{
  const bool local = problem.mode == Mode::local;
  const bool semi = problem.mode == Mode::semi_global;
  const std::int64_t m = pair.query_length;
  const std::int64_t n = pair.target_length;
  std::int64_t best = minus_infinity;
  for (std::int64_t begin_i = 0; begin_i <= m; ++begin_i) {
    for (std::int64_t begin_j = 0; begin_j <= n; ++begin_j) {
      const bool may_begin = local || (begin_i == 0 && begin_j == 0) ||
                             (semi && begin_i == 0 && problem.free.target_begin) ||
                             (semi && begin_j == 0 && problem.free.query_begin);
      if (!may_begin) continue;
      extend_all(problem, pair, begin_i, begin_j, ' ', 0,
                 [&](std::int64_t i, std::int64_t j, std::int64_t score) {
                   const bool may_end = local || (i == m && j == n) ||
                                        (semi && i == m && problem.free.target_end) ||
                                        (semi && j == n && problem.free.query_end);
                   if (may_end) best = std::max(best, score);
                 });
    }
  }
  return best;
}

}  // namespace helicity::oracle
