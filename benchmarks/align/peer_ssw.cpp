// SPDX-License-Identifier: Apache-2.0
#include <ssw.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "peer.hpp"

namespace helicity::bench {
namespace {

constexpr std::array<std::int8_t, 16> scores{
    match,     -mismatch, -mismatch, -mismatch, -mismatch, match,     -mismatch, -mismatch,
    -mismatch, -mismatch, match,     -mismatch, -mismatch, -mismatch, -mismatch, match};

constexpr std::array<std::int8_t, 128> make_codes()
{
  std::array<std::int8_t, 128> codes{};
  codes['C'] = 1;
  codes['G'] = 2;
  codes['T'] = 3;
  return codes;
}
constexpr std::array<std::int8_t, 128> codes = make_codes();

void encode(const std::string& bases, std::vector<std::int8_t>& encoded)
{
  encoded.resize(bases.size());
  std::transform(bases.begin(), bases.end(), encoded.begin(),
                 [](char base) { return codes[static_cast<unsigned char>(base) & 127u]; });
}

void take_path(const s_align& from, Result& result)
{
  result.query_begin = static_cast<std::uint32_t>(from.read_begin1);
  result.target_begin = static_cast<std::uint32_t>(from.ref_begin1);
  result.path.clear();
  for (std::int32_t k = 0; k < from.cigarLen; ++k) {
    result.path.push_back({"MIDNSHP=X"[from.cigar[k] & 15u], from.cigar[k] >> 4});
  }
}

class Ssw final : public Peer
{
 public:
  std::string name() const override { return "SSW"; }
  std::string version() const override { return HELICITY_PEER_VERSION; }

  std::vector<std::string> variants(const Task& task) const override
  {
    if (task.mode != Mode::local) {
      return {};
    }
    return {"16-bit", "8-bit then 16-bit"};
  }

  void prepare(const Task& task, const std::string& variant,
               std::span<const TextPair> pairs) override
  {
    pairs_ = pairs;
    width_ = variant == "16-bit" ? 1 : 2;
    with_path_ = task.output == Output::cigar;
    results_.assign(pairs.size(), {});
  }

  void run() override
  {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      encode(pairs_[i].query, query_);
      encode(pairs_[i].target, target_);
      align_one(results_[i]);
    }
  }

  std::vector<Result> results() const override { return results_; }

 private:
  void align_one(Result& result)
  {
    const auto query_length = static_cast<std::int32_t>(query_.size());
    s_profile* profile = ssw_init(query_.data(), query_length, scores.data(), 4, width_);
    const int mask = std::max(15, query_length / 2);  // below 15 it writes a line per call
    s_align* found = ssw_align(profile, target_.data(), static_cast<std::int32_t>(target_.size()),
                               gap_open + gap_extend, gap_extend, with_path_ ? 1 : 0, 0, 0, mask);
    result.score = found->score1;
    if (with_path_) {
      take_path(*found, result);
    }
    align_destroy(found);
    init_destroy(profile);
  }

  std::span<const TextPair> pairs_;
  std::int8_t width_ = 1;
  bool with_path_ = false;
  std::vector<std::int8_t> query_;
  std::vector<std::int8_t> target_;
  std::vector<Result> results_;
};

const RegisterPeer registration([] { return std::make_unique<Ssw>(); });

}  // namespace
}  // namespace helicity::bench
