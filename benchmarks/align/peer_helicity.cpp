// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/core/simd.hpp>

#include <optional>

#include "ours.hpp"
#include "peer.hpp"

namespace helicity::bench {
namespace {

class Helicity final : public Peer
{
 public:
  Helicity() { limit_isa_from_environment(); }

  std::string name() const override { return "helicity"; }
  std::string version() const override
  {
    return HELICITY_PEER_VERSION " on " + std::string(chosen_isa().name);
  }

  std::vector<std::string> variants(const Task&) const override { return {"1 thread"}; }

  void prepare(const Task& task, const std::string& variant,
               std::span<const TextPair> pairs) override
  {
    task_ = task;
    aligner_.emplace(our_config(task, variant == "2 threads" ? 2 : 1));
    pairs_ = our_pairs(pairs);
  }

  void run() override
  {
    if (task_.output == Output::score) {
      scores_ = aligner_->score(pairs_);
    } else {
      alignments_ = aligner_->align(pairs_);
    }
  }

  std::vector<Result> results() const override
  {
    std::vector<Result> results(pairs_.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i] = task_.output == Output::score ? Result{static_cast<std::int32_t>(scores_[i])}
                                                 : to_result(alignments_[i]);
    }
    return results;
  }

 private:
  static Result to_result(const align::Alignment& alignment)
  {
    Result result{static_cast<std::int32_t>(alignment.score),
                  static_cast<std::uint32_t>(alignment.query_begin),
                  static_cast<std::uint32_t>(alignment.target_begin)};
    for (const std::uint32_t word : alignment.cigar) {
      result.path.push_back({"MIDNSHP=X"[word & 15u], word >> 4});
    }
    return result;
  }

  Task task_{};
  std::optional<align::Aligner> aligner_;
  std::vector<align::Pair> pairs_;
  std::vector<std::int64_t> scores_;
  std::vector<align::Alignment> alignments_;
};

const RegisterPeer registration([] { return std::make_unique<Helicity>(); });

}  // namespace
}  // namespace helicity::bench
