// SPDX-License-Identifier: Apache-2.0
#include <parasail.h>

#include <array>
#include <stdexcept>

#include "peer.hpp"

namespace helicity::bench {
namespace {

struct ResultDeleter
{
  void operator()(parasail_result_t* result) const { parasail_result_free(result); }
  void operator()(parasail_cigar_t* cigar) const { parasail_cigar_free(cigar); }
  void operator()(parasail_matrix_t* matrix) const { parasail_matrix_free(matrix); }
};
template <class T>
using Owned = std::unique_ptr<T, ResultDeleter>;

// In parasail's names d is the second sequence, and x that both of its ends are free.
std::string mode_name(Mode mode)
{
  switch (mode) {
    case Mode::local: return "sw";
    case Mode::fit: return "sg_dx";
    case Mode::global: break;
  }
  return "nw";
}

void take_path(const parasail_cigar_t& cigar, Result& result)
{
  result.query_begin = static_cast<std::uint32_t>(cigar.beg_query);
  result.target_begin = static_cast<std::uint32_t>(cigar.beg_ref);
  result.path.clear();
  for (int k = 0; k < cigar.len; ++k) {
    result.path.push_back(
        {parasail_cigar_decode_op(cigar.seq[k]), parasail_cigar_decode_len(cigar.seq[k])});
  }
}

class Parasail final : public Peer
{
 public:
  std::string name() const override { return "parasail"; }

  std::string version() const override { return HELICITY_PEER_VERSION; }

  // The diagonal kernels are left out: compiled at -O2 they answer wrongly (pains.md, P1).
  std::vector<std::string> variants(const Task& task) const override
  {
    const std::string trace = task.output == Output::cigar ? "_trace" : "";
    std::vector<std::string> names;
    for (const char* layout : {"_striped", "_scan"}) {
      for (const char* width : {"_16", "_sat"}) {
        names.push_back(mode_name(task.mode) + trace + layout + width);
      }
    }
    return names;
  }

  void prepare(const Task& task, const std::string& variant,
               std::span<const TextPair> pairs) override
  {
    function_ = parasail_lookup_function(variant.c_str());
    if (function_ == nullptr) {
      throw std::runtime_error("parasail has no function " + variant);
    }
    pairs_ = pairs;
    with_path_ = task.output == Output::cigar;
    results_.assign(pairs.size(), {});
  }

  void run() override
  {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      align_one(pairs_[i], results_[i]);
    }
  }

  std::vector<Result> results() const override { return results_; }

 private:
  void align_one(const TextPair& pair, Result& result)
  {
    const char* query = pair.query.data();
    const char* target = pair.target.data();
    const auto query_length = static_cast<int>(pair.query.size());
    const auto target_length = static_cast<int>(pair.target.size());
    const Owned<parasail_result_t> found(function_(query, query_length, target, target_length,
                                                   gap_open + gap_extend, gap_extend,
                                                   matrix_.get()));
    result.score = parasail_result_get_score(found.get());
    if (with_path_) {
      const Owned<parasail_cigar_t> cigar(parasail_result_get_cigar(
          found.get(), query, query_length, target, target_length, matrix_.get()));
      take_path(*cigar, result);
    }
  }

  Owned<parasail_matrix_t> matrix_{parasail_matrix_create("ACGT", match, -mismatch)};
  parasail_function_t* function_ = nullptr;
  std::span<const TextPair> pairs_;
  bool with_path_ = false;
  std::vector<Result> results_;
};

const RegisterPeer registration([] { return std::make_unique<Parasail>(); });

}  // namespace
}  // namespace helicity::bench
