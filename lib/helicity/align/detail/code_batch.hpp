// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>
#include <helicity/align/problem.hpp>
#include <helicity/seq/alphabet.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helicity::align::detail {

/// The codes of a batch of pairs in one block of memory, which is kept for the next batch.
class CodeBatch
{
 public:
  /// Letters from which on a target that several pairs share is encoded once.
  static constexpr std::size_t worth_sharing = 512;

  CodeBatch(seq::Alphabet alphabet, int threads);

  /// Encodes; a pair with a bad status becomes a pair of empty sequences. A long target that
  /// several pairs share (the same view) is encoded once.
  void encode(std::span<const Pair> pairs, bool with_reverse);

  std::span<const CodePair> pairs() const { return pairs_; }
  std::span<const CodePair> reverse_pairs() const { return reverse_; }  ///< queries complemented
  Status status(std::size_t k) const { return status_[k]; }

  /// The code that never equals anything (cigar.hpp).
  std::uint8_t unknown() const;

 private:
  void place(std::span<const Pair> pairs, bool with_reverse);
  void encode_pair(const Pair& pair, std::size_t k, bool with_reverse);

  seq::Alphabet alphabet_;
  int threads_;
  std::unique_ptr<std::uint8_t[]> codes_;
  std::size_t capacity_ = 0;
  std::vector<CodePair> pairs_;
  std::vector<CodePair> reverse_;
  std::vector<Status> status_;
  std::vector<std::uint32_t> owner_;      ///< the pair that encodes this pair's target
  std::vector<std::uint8_t> bad_target_;  ///< by owner
  std::vector<std::size_t> query_at_;     ///< offsets in codes_
  std::vector<std::size_t> target_at_;
};

}  // namespace helicity::align::detail
