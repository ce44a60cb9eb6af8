// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/detail/code_batch.hpp>
#include <helicity/align/encode.hpp>
#include <helicity/core/parallel.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace helicity::align::detail {
namespace {

constexpr std::size_t slack = 64;   ///< readable past every sequence (CodePair)
constexpr std::size_t chunk = 256;  ///< pairs per piece of parallel work
constexpr std::size_t most_letters = 0x7fffffff;

bool too_long(const Pair& pair)
{
  return pair.query.size() > most_letters || pair.target.size() > most_letters;
}

}  // namespace

CodeBatch::CodeBatch(seq::Alphabet alphabet, int threads) : alphabet_(alphabet), threads_(threads)
{}

std::uint8_t CodeBatch::unknown() const
{
  return alphabet_ == seq::Alphabet::dna ? seq::dna_n_code : seq::protein_x_code;
}

void CodeBatch::place(std::span<const Pair> pairs, bool with_reverse)
{
  std::unordered_map<const char*, std::uint32_t> owners;
  std::size_t total = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    owner_[k] = static_cast<std::uint32_t>(k);
    if (too_long(pairs[k])) continue;
    const std::string_view target = pairs[k].target;
    query_at_[k] = total;
    total += pairs[k].query.size() * (with_reverse ? 2 : 1);
    if (target.size() >= worth_sharing) {
      const auto [place, fresh] = owners.try_emplace(target.data(), owner_[k]);
      if (!fresh && pairs[place->second].target.size() == target.size()) {
        owner_[k] = place->second;
      } else {
        place->second = owner_[k];
      }
    }
    target_at_[k] = owner_[k] == k ? total : target_at_[owner_[k]];
    if (owner_[k] == k) total += target.size();
  }
  if (total + slack > capacity_) {
    codes_.reset();
    capacity_ = 0;
    codes_ = std::make_unique_for_overwrite<std::uint8_t[]>(total + slack);
    capacity_ = total + slack;
  }
  std::fill_n(codes_.get() + total, slack, std::uint8_t{0});
}

void CodeBatch::encode_pair(const Pair& pair, std::size_t k, bool with_reverse)
{
  if (too_long(pair)) {
    status_[k] = Status::too_long;
    return;
  }
  std::uint8_t* query = codes_.get() + query_at_[k];
  std::uint8_t* target = codes_.get() + target_at_[k];
  const auto size = static_cast<std::int64_t>(pair.query.size());
  pairs_[k] = {query, target, size, static_cast<std::int64_t>(pair.target.size())};
  if (encode_letters(pair.query, alphabet_, query) != std::string_view::npos) {
    status_[k] = Status::invalid_letter;
  }
  if (owner_[k] == k) {
    bad_target_[k] = encode_letters(pair.target, alphabet_, target) != std::string_view::npos;
  }
  if (with_reverse && status_[k] == Status::ok) {
    std::copy_n(query, size, query + size);
    seq::reverse_complement(query + size, pair.query.size());
    reverse_[k] = pairs_[k];
    reverse_[k].query = query + size;
  }
}

void CodeBatch::encode(std::span<const Pair> pairs, bool with_reverse)
{
  pairs_.assign(pairs.size(), CodePair{});
  reverse_.assign(with_reverse ? pairs.size() : 0, CodePair{});
  status_.assign(pairs.size(), Status::ok);
  bad_target_.assign(pairs.size(), 0);
  owner_.resize(pairs.size());
  query_at_.resize(pairs.size());
  target_at_.resize(pairs.size());
  place(pairs, with_reverse);
  parallel_for(threads_, (pairs.size() + chunk - 1) / chunk, [&](std::size_t c, int) {
    const std::size_t end = std::min(pairs.size(), (c + 1) * chunk);
    for (std::size_t k = c * chunk; k < end; ++k) encode_pair(pairs[k], k, with_reverse);
  });
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (status_[k] == Status::ok && bad_target_[owner_[k]] != 0)
      status_[k] = Status::invalid_letter;
    if (status_[k] == Status::ok) continue;
    pairs_[k] = CodePair{codes_.get(), codes_.get(), 0, 0};
    if (with_reverse) reverse_[k] = pairs_[k];
  }
}

}  // namespace helicity::align::detail
