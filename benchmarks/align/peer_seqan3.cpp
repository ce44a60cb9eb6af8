// SPDX-License-Identifier: Apache-2.0
#include <seqan3/alignment/configuration/all.hpp>
#include <seqan3/alignment/pairwise/align_pairwise.hpp>
#include <seqan3/alignment/scoring/nucleotide_scoring_scheme.hpp>
#include <seqan3/alphabet/nucleotide/dna4.hpp>

#include "peer.hpp"

namespace helicity::bench {
namespace {

namespace cfg = seqan3::align_cfg;

seqan3::dna4_vector encode(const std::string& text)
{
  seqan3::dna4_vector bases(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    bases[i].assign_char(text[i]);
  }
  return bases;
}

auto common_config()
{
  const seqan3::nucleotide_scoring_scheme scheme{seqan3::match_score{match},
                                                 seqan3::mismatch_score{-mismatch}};
  return cfg::scoring_scheme{scheme} |
         cfg::gap_cost_affine{cfg::open_score{-gap_open}, cfg::extension_score{-gap_extend}} |
         cfg::output_score{} | cfg::score_type<std::int16_t>{} | cfg::vectorised{};
}

// Semi-global is left out: with `vectorised` the free ends are ignored (pains.md, P5).
class Seqan3 final : public Peer
{
 public:
  std::string name() const override { return "SeqAn3"; }
  std::string version() const override { return HELICITY_PEER_VERSION; }

  std::vector<std::string> variants(const Task& task) const override
  {
    if (task.output == Output::cigar || task.mode == Mode::fit) {
      return {};
    }
    return {"SIMD 16-bit"};
  }

  void prepare(const Task& task, const std::string&, std::span<const TextPair> pairs) override
  {
    pairs_ = pairs;
    mode_ = task.mode;
    results_.assign(pairs.size(), {});
  }

  void run() override
  {
    std::vector<std::pair<seqan3::dna4_vector, seqan3::dna4_vector>> encoded;
    encoded.reserve(pairs_.size());
    for (const TextPair& pair : pairs_) {
      encoded.emplace_back(encode(pair.query), encode(pair.target));
    }
    if (mode_ == Mode::local) {
      take(seqan3::align_pairwise(encoded, cfg::method_local{} | common_config()));
    } else {
      take(seqan3::align_pairwise(encoded, cfg::method_global{} | common_config()));
    }
  }

  std::vector<Result> results() const override { return results_; }

 private:
  template <class Answers>
  void take(Answers&& answers)
  {
    std::size_t i = 0;
    for (const auto& answer : answers) {
      results_[i++].score = answer.score();
    }
  }

  std::span<const TextPair> pairs_;
  Mode mode_ = Mode::local;
  std::vector<Result> results_;
};

const RegisterPeer registration([] { return std::make_unique<Seqan3>(); });

}  // namespace
}  // namespace helicity::bench
