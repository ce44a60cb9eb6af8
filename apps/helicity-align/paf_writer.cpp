// SPDX-License-Identifier: Apache-2.0
#include "text_writer.hpp"

#include <fmt/compile.h>

namespace helicity::app {
namespace {

/// Pairs without an alignment are left out, as minimap2 does.
class PafWriter final : public TextWriter
{
 public:
  PafWriter(const std::string& path, bool match_op) : TextWriter(path), match_op_(match_op) {}

 private:
  void append_pair(const AlignedPair& pair, fmt::memory_buffer& text) override
  {
    const align::Alignment& a = pair.alignment;
    if (a.status != align::Status::ok || a.cigar.empty()) return;
    const align::CigarCounts counts = align::count(a.cigar);
    auto out = fmt::appender(text);
    fmt::format_to(out, FMT_COMPILE("{}\t{}\t{}\t{}\t{}\t"), or_dot(pair.query.name),
                   pair.query.sequence.size(), a.query_begin, a.query_end, a.reverse ? '-' : '+');
    fmt::format_to(out, FMT_COMPILE("{}\t{}\t{}\t{}\t{}\t{}\t255\t"), or_dot(pair.target.name),
                   pair.target.sequence.size(), a.target_begin, a.target_end, counts.equal,
                   counts.equal + counts.edit_distance());
    fmt::format_to(out, FMT_COMPILE("NM:i:{}\tAS:i:{}\tcg:Z:{}\n"), counts.edit_distance(), a.score,
                   align::to_string(match_op_ ? align::with_match_op(a.cigar) : a.cigar));
  }

  const bool match_op_;
};

}  // namespace

std::unique_ptr<Writer> make_paf_writer(const Options& options)
{
  return std::make_unique<PafWriter>(options.output, options.match_op);
}

}  // namespace helicity::app
