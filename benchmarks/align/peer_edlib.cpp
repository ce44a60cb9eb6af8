// SPDX-License-Identifier: Apache-2.0
#include <edlib.h>

#include "peer.hpp"

namespace helicity::bench {
namespace {

// Edit distance instead of the affine score: for context.
class Edlib final : public Peer
{
 public:
  std::string name() const override { return "edlib"; }
  std::string version() const override { return HELICITY_PEER_VERSION; }
  bool exact() const override { return false; }

  std::vector<std::string> variants(const Task& task) const override
  {
    if (task.mode == Mode::local || task.output == Output::cigar) {
      return {};
    }
    return {task.mode == Mode::fit ? "edit distance HW" : "edit distance NW"};
  }

  void prepare(const Task& task, const std::string&, std::span<const TextPair> pairs) override
  {
    pairs_ = pairs;
    config_ = edlibDefaultAlignConfig();
    config_.mode = task.mode == Mode::fit ? EDLIB_MODE_HW : EDLIB_MODE_NW;
    results_.assign(pairs.size(), {});
  }

  void run() override
  {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto& [query, target] = pairs_[i];
      const EdlibAlignResult result =
          edlibAlign(query.data(), static_cast<int>(query.size()), target.data(),
                     static_cast<int>(target.size()), config_);
      results_[i].score = -result.editDistance;
      edlibFreeAlignResult(result);
    }
  }

  std::vector<Result> results() const override { return results_; }

 private:
  std::span<const TextPair> pairs_;
  EdlibAlignConfig config_{};
  std::vector<Result> results_;
};

const RegisterPeer registration([] { return std::make_unique<Edlib>(); });

}  // namespace
}  // namespace helicity::bench
