// SPDX-License-Identifier: Apache-2.0
#include <cstdint>  // its headers need these before them
#include <cstdio>
#include <ctime>
#include <optional>
#include <stdexcept>

#include <wfa2lib/bindings/cpp/WFAligner.hpp>

#include "peer.hpp"

namespace helicity::bench {
namespace {

using wfa::WFAligner;
using wfa::WFAlignerGapAffine;

// The equivalent distance, so that matches are free: score = |q| + |t| - distance.
constexpr int distance_mismatch = 2 * mismatch / match + match;
constexpr int distance_open = gap_open;
constexpr int distance_extend = gap_extend + match / 2;
static_assert(match == 2 && mismatch == 4 && distance_mismatch == 6);

WFAligner::MemoryModel memory_model(const std::string& variant)
{
  if (variant == "memory high") {
    return WFAligner::MemoryHigh;
  }
  return variant == "memory med" ? WFAligner::MemoryMed : WFAligner::MemoryLow;
}

// Releases differ in the name of the accessor.
template <class Aligner>
std::string_view operations(Aligner& aligner)
{
  char* begin = nullptr;
  int length = 0;
  if constexpr (requires { aligner.getAlignment(&begin, &length); }) {
    aligner.getAlignment(&begin, &length);
  } else {
    aligner.getAlignmentCigar(&begin, &length);
  }
  return {begin, static_cast<std::size_t>(length)};
}

// WFA2 says I for a base of the text (our target) alone, D for one of the pattern.
char sam_op(char op)
{
  switch (op) {
    case 'I': return 'D';
    case 'D': return 'I';
    case 'M': return '=';
    default: return op;
  }
}

void take_path(std::string_view operations, std::vector<CigarOp>& path)
{
  path.clear();
  for (const char operation : operations) {
    const char op = sam_op(operation);
    if (path.empty() || path.back().op != op) {
      path.push_back({op, 0});
    }
    ++path.back().length;
  }
}

class Wfa2 final : public Peer
{
 public:
  std::string name() const override { return "WFA2"; }
  std::string version() const override { return HELICITY_PEER_VERSION; }

  std::vector<std::string> variants(const Task& task) const override
  {
    if (task.mode != Mode::global) {
      return {};
    }
    return {"memory high", "memory med", "memory low"};
  }

  void prepare(const Task& task, const std::string& variant,
               std::span<const TextPair> pairs) override
  {
    pairs_ = pairs;
    with_path_ = task.output == Output::cigar;
    aligner_.emplace(distance_mismatch, distance_open, distance_extend,
                     with_path_ ? WFAligner::Alignment : WFAligner::Score, memory_model(variant));
    aligner_->setHeuristicNone();
    results_.assign(pairs.size(), {});
  }

  void run() override
  {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto& [query, target] = pairs_[i];
      const auto query_length = static_cast<int>(query.size());
      const auto target_length = static_cast<int>(target.size());
      aligner_->alignEnd2End(query.data(), query_length, target.data(), target_length);
      results_[i].score = query_length + target_length + aligner_->getAlignmentScore();
      if (with_path_) {
        take_path(operations(*aligner_), results_[i].path);
      }
    }
  }

  std::vector<Result> results() const override { return results_; }

 private:
  std::span<const TextPair> pairs_;
  bool with_path_ = false;
  std::optional<WFAlignerGapAffine> aligner_;
  std::vector<Result> results_;
};

const RegisterPeer registration([] { return std::make_unique<Wfa2>(); });

}  // namespace
}  // namespace helicity::bench
