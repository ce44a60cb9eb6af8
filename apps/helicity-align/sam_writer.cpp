// SPDX-License-Identifier: Apache-2.0
#include "sam_writer.hpp"

#include <helicity/core/version.hpp>
#include <helicity/seq/alphabet.hpp>
#include <helicity/seq/sam.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

namespace helicity::app {
namespace {

constexpr std::uint16_t flag_reverse = 16, flag_secondary = 256;

std::optional<std::int32_t> as_int32(std::int64_t value)
{
  const bool fits = value >= std::numeric_limits<std::int32_t>::min() &&
                    value <= std::numeric_limits<std::int32_t>::max();
  return fits ? std::optional(static_cast<std::int32_t>(value)) : std::nullopt;
}

/// SAM's word for a name that is not there.
std::string_view sam_name(std::string_view name) { return name.empty() ? "*" : name; }

/// One alignment of a query, kept until all of them are known.
struct Hit
{
  std::int32_t reference = 0;
  std::int64_t position = 0;
  std::int64_t score = 0;
  std::int64_t edit_distance = 0;
  bool reverse = false;
  align::Cigar cigar;  ///< with soft clips
  std::string mismatches;
};

class SamWriter final : public Writer
{
 public:
  SamWriter(const Options& options, seq::SamHeader header)
      : all_(options.all),
        match_op_(options.match_op),
        header_(std::move(header)),
        file_(options.output,
              options.format == Format::bam ? seq::AlignmentFormat::bam : seq::AlignmentFormat::sam,
              header_, options.config.exec.threads > 1 ? 2 : 1)
  {
    index_.reserve(header_.references.size());
    for (const seq::SamReference& reference : header_.references)
      index_.emplace(reference.name, static_cast<std::int32_t>(index_.size()));
  }

  void write(const Work& work) override
  {
    for (std::size_t i = 0; i < work.pairs.size(); ++i) {
      const bool same = all_ && batch_ == work.queries && query_ == work.pairs[i].query;
      if (!same) {
        write_query();
        batch_ = work.queries;
        query_ = work.pairs[i].query;
      }
      add_hit(aligned_pair(work, i));
    }
    if (!all_) write_query();
  }

  void finish() override
  {
    write_query();
    file_.finish();
  }

 private:
  void add_hit(const AlignedPair& pair)
  {
    const align::Alignment& a = pair.alignment;
    const auto reference = index_.find(pair.target.name);
    if (a.status != align::Status::ok || a.target_end == a.target_begin ||
        reference == index_.end())
      return;
    Hit hit;
    hit.reference = reference->second;
    hit.position = a.target_begin;
    hit.score = a.score;
    hit.edit_distance = align::count(a.cigar).edit_distance();
    hit.reverse = a.reverse;
    hit.cigar = clipped(a, static_cast<std::int64_t>(pair.query.sequence.size()));
    hit.mismatches = align::md_string(
        a.cigar, pair.target.sequence.substr(static_cast<std::size_t>(a.target_begin)));
    hits_.push_back(std::move(hit));
  }

  /// The CIGAR with what of the query lies outside it, in target order.
  align::Cigar clipped(const align::Alignment& a, std::int64_t query_length) const
  {
    const std::int64_t before = a.query_begin, after = query_length - a.query_end;
    align::Cigar cigar;
    if (a.reverse ? after > 0 : before > 0)
      align::append(cigar, align::CigarOp::soft_clip, a.reverse ? after : before);
    for (const std::uint32_t word : match_op_ ? align::with_match_op(a.cigar) : a.cigar)
      cigar.push_back(word);
    if (a.reverse ? before > 0 : after > 0)
      align::append(cigar, align::CigarOp::soft_clip, a.reverse ? before : after);
    return cigar;
  }

  void write_query()
  {
    if (!batch_) return;
    const seq::RecordView query = (*batch_)[query_];
    if (hits_.empty()) write_unmapped(query);
    const auto best = std::ranges::max_element(hits_, {}, &Hit::score);
    for (auto hit = hits_.begin(); hit != hits_.end(); ++hit) write_hit(query, *hit, hit != best);
    hits_.clear();
    batch_.reset();
  }

  void write_unmapped(const seq::RecordView& query)
  {
    seq::SamRecord record;
    record.name = sam_name(query.name);
    record.sequence = query.sequence;
    record.quality = query.quality;
    file_.write(record);
  }

  void write_hit(const seq::RecordView& query, const Hit& hit, bool secondary)
  {
    std::string sequence, quality;
    if (hit.reverse) {
      sequence = seq::reverse_complement(query.sequence);
      quality.assign(query.quality.rbegin(), query.quality.rend());
    }
    const int flag = (hit.reverse ? flag_reverse : 0) | (secondary ? flag_secondary : 0);
    file_.write({.name = sam_name(query.name),
                 .flag = static_cast<std::uint16_t>(flag),
                 .reference = hit.reference,
                 .position = hit.position,
                 .cigar = hit.cigar,
                 .sequence = hit.reverse ? std::string_view(sequence) : query.sequence,
                 .quality = hit.reverse ? std::string_view(quality) : query.quality,
                 .edit_distance = as_int32(hit.edit_distance),
                 .score = as_int32(hit.score),
                 .mismatches = hit.mismatches});
  }

  const bool all_;
  const bool match_op_;
  const seq::SamHeader header_;
  std::unordered_map<std::string_view, std::int32_t> index_;  ///< of the names in header_
  seq::AlignmentFileWriter file_;
  std::shared_ptr<const seq::Batch> batch_;  ///< of the query whose hits are gathered
  std::uint32_t query_ = 0;
  std::vector<Hit> hits_;
};

}  // namespace

std::unique_ptr<Writer> make_sam_writer(const Options& options, const TargetFile& targets)
{
  return std::make_unique<SamWriter>(options, seq::SamHeader{.references = targets.references(),
                                                             .program = "helicity-align",
                                                             .version = std::string(version()),
                                                             .command_line = options.command_line});
}

}  // namespace helicity::app
