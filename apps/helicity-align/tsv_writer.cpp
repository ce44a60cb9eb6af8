// SPDX-License-Identifier: Apache-2.0
#include "text_writer.hpp"

#include <fmt/compile.h>

namespace helicity::app {
namespace {

using align::Status;

class TsvWriter final : public TextWriter
{
 public:
  TsvWriter(const std::string& path, bool match_op) : TextWriter(path), match_op_(match_op)
  {
    constexpr std::string_view header =
        "query\ttarget\tscore\tquery_begin\tquery_end\ttarget_begin\ttarget_end\tstrand\tcigar\t"
        "identity\tnm\tstatus\n";
    text_.append(header.begin(), header.end());
  }

 private:
  void append_pair(const AlignedPair& pair, fmt::memory_buffer& text) override
  {
    const align::Alignment& a = pair.alignment;
    const bool scored = a.status == Status::ok || a.status == Status::unaligned;
    auto out = fmt::appender(text);
    fmt::format_to(out, FMT_COMPILE("{}\t{}"), or_dot(pair.query.name), or_dot(pair.target.name));
    number(out, a.score, scored);
    number(out, a.query_begin, scored && a.query_begin >= 0);
    number(out, a.query_end, scored && a.query_end >= 0);
    number(out, a.target_begin, scored && a.target_begin >= 0);
    number(out, a.target_end, scored && a.target_end >= 0);
    fmt::format_to(out, FMT_COMPILE("\t{}"), a.status != Status::ok ? '.' : a.reverse ? '-' : '+');
    path(out, a);
    fmt::format_to(out, FMT_COMPILE("\t{}\n"), align::to_string(a.status));
  }

  static void number(fmt::appender out, std::int64_t value, bool known)
  {
    if (known)
      fmt::format_to(out, FMT_COMPILE("\t{}"), value);
    else
      fmt::format_to(out, FMT_COMPILE("\t."));
  }

  void path(fmt::appender out, const align::Alignment& a) const
  {
    if (a.cigar.empty()) {
      fmt::format_to(out, FMT_COMPILE("\t.\t.\t."));
      return;
    }
    const align::CigarCounts counts = align::count(a.cigar);
    fmt::format_to(out, FMT_COMPILE("\t{}\t{:.4f}\t{}"),
                   align::to_string(match_op_ ? align::with_match_op(a.cigar) : a.cigar),
                   counts.identity(), counts.edit_distance());
  }

  const bool match_op_;
};

}  // namespace

std::unique_ptr<Writer> make_tsv_writer(const Options& options)
{
  return std::make_unique<TsvWriter>(options.output, options.match_op);
}

}  // namespace helicity::app
