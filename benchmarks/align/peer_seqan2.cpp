// SPDX-License-Identifier: Apache-2.0
#include <seqan/align.h>
#include <seqan/sequence.h>

#include "peer.hpp"

namespace helicity::bench {
namespace {

using Dna = seqan::String<seqan::Dna>;
using Scheme = seqan::Score<std::int16_t, seqan::Simple>;
using Texts = seqan::StringSet<Dna>;
using DnaGaps = seqan::Gaps<Dna, seqan::ArrayGaps>;
using GapsSet = seqan::StringSet<DnaGaps>;
using Scores = seqan::String<std::int16_t>;
using FreeTarget = seqan::AlignConfig<true, false, false, true>;  // targets run horizontally

const Scheme scheme(match, -mismatch, -gap_extend, -(gap_open + gap_extend));

template <class Set>
void fill(Set& set, Texts& texts)
{
  seqan::reserve(set, seqan::length(texts));
  for (Dna& text : texts) {
    seqan::appendValue(set, DnaGaps(text));
  }
}

Scores score(Mode mode, const Texts& targets, const Texts& queries)
{
  switch (mode) {
    case Mode::local: return seqan::localAlignmentScore(targets, queries, scheme);
    case Mode::fit: return seqan::globalAlignmentScore(targets, queries, scheme, FreeTarget());
    case Mode::global: break;
  }
  return seqan::globalAlignmentScore(targets, queries, scheme);
}

Scores align(Mode mode, GapsSet& targets, GapsSet& queries)
{
  switch (mode) {
    case Mode::local: return seqan::localAlignment(targets, queries, scheme, seqan::Gotoh());
    case Mode::fit: return seqan::globalAlignment(targets, queries, scheme, FreeTarget());
    case Mode::global: break;
  }
  return seqan::globalAlignment(targets, queries, scheme);
}

void take_path(const DnaGaps& target, const DnaGaps& query, Result& result)
{
  result.query_begin = static_cast<std::uint32_t>(seqan::beginPosition(query));
  result.target_begin = static_cast<std::uint32_t>(seqan::beginPosition(target));
  for (std::size_t column = 0; column < seqan::length(query); ++column) {
    const char op = seqan::isGap(query, column) ? 'D' : seqan::isGap(target, column) ? 'I' : 'M';
    if (result.path.empty() || result.path.back().op != op) {
      result.path.push_back({op, 0});
    }
    ++result.path.back().length;
  }
}

// Batches of sequences against each other are vectorised across pairs when compiled for SIMD.
class Seqan2 final : public Peer
{
 public:
  std::string name() const override { return "SeqAn2"; }
  std::string version() const override { return HELICITY_PEER_VERSION; }

  std::vector<std::string> variants(const Task&) const override
  {
    return {"SIMD 16-bit x " + std::to_string(SEQAN_SIZEOF_MAX_VECTOR / 2)};
  }

  void prepare(const Task& task, const std::string&, std::span<const TextPair> pairs) override
  {
    pairs_ = pairs;
    task_ = task;
  }

  void run() override
  {
    encode();
    if (task_.output == Output::score) {
      scores_ = score(task_.mode, targets_, queries_);
      return;
    }
    seqan::clear(target_gaps_);
    seqan::clear(query_gaps_);
    fill(target_gaps_, targets_);
    fill(query_gaps_, queries_);
    scores_ = align(task_.mode, target_gaps_, query_gaps_);
  }

  std::vector<Result> results() const override
  {
    std::vector<Result> results(pairs_.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i].score = scores_[i];
      if (task_.output == Output::cigar) {
        take_path(target_gaps_[i], query_gaps_[i], results[i]);
      }
    }
    return results;
  }

 private:
  void encode()
  {
    seqan::clear(queries_);
    seqan::clear(targets_);
    seqan::reserve(queries_, pairs_.size());
    seqan::reserve(targets_, pairs_.size());
    for (const TextPair& pair : pairs_) {
      seqan::appendValue(queries_, Dna(pair.query));
      seqan::appendValue(targets_, Dna(pair.target));
    }
  }

  std::span<const TextPair> pairs_;
  Task task_{};
  Texts queries_;
  Texts targets_;
  GapsSet query_gaps_;
  GapsSet target_gaps_;
  Scores scores_;
};

const RegisterPeer registration([] { return std::make_unique<Seqan2>(); });

}  // namespace
}  // namespace helicity::bench
