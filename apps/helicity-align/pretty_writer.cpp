// SPDX-License-Identifier: Apache-2.0
#include "text_writer.hpp"

#include <helicity/seq/alphabet.hpp>

#include <algorithm>

namespace helicity::app {
namespace {

constexpr std::size_t columns_per_line = 60;

/// The three rows of an alignment, a column for each step of its path.
struct Rows
{
  std::string query, marks, target;
};

/// Blocks of three lines for people. Positions count from 1, both ends included, and those of a
/// reverse-complemented query run downwards, as in BLAST.
class PrettyWriter final : public TextWriter
{
 public:
  PrettyWriter(const Options& options, const align::ScoreTable& table)
      : TextWriter(options.output), codes_(seq::encode_table(options.alphabet)), table_(table)
  {}

 private:
  void append_pair(const AlignedPair& pair, fmt::memory_buffer& text) override
  {
    auto out = fmt::appender(text);
    title(out, "Query ", pair.query);
    title(out, "Target", pair.target);
    const align::Alignment& a = pair.alignment;
    if (a.status != align::Status::ok) {
      fmt::format_to(out, "No alignment: {}\n\n", align::to_string(a.status));
      return;
    }
    const align::CigarCounts counts = align::count(a.cigar);
    const auto columns = counts.equal + counts.edit_distance();
    fmt::format_to(out, "Score   {}, identity {}/{} ({:.1f} %), gaps {}, strand {}\n\n", a.score,
                   counts.equal, columns, 100 * counts.identity(), counts.inserted + counts.deleted,
                   a.reverse ? '-' : '+');
    blocks(out, pair, rows(pair));
  }

  static void title(fmt::appender out, std::string_view label, const seq::RecordView& record)
  {
    fmt::format_to(out, "{}  {}{}{} ({} letters)\n", label, or_dot(record.name),
                   record.comment.empty() ? "" : " ", record.comment, record.sequence.size());
  }

  Rows rows(const AlignedPair& pair) const
  {
    const align::Alignment& a = pair.alignment;
    const auto begin = static_cast<std::size_t>(a.query_begin);
    const auto length = static_cast<std::size_t>(a.query_end) - begin;
    std::string query(pair.query.sequence.substr(begin, length));
    if (a.reverse) query = seq::reverse_complement(query);
    const std::string_view target = pair.target.sequence;

    Rows rows;
    auto i = std::size_t{0}, j = static_cast<std::size_t>(a.target_begin);
    for (const std::uint32_t word : a.cigar) {
      const align::CigarOp op = align::cigar_op(word);
      for (std::int64_t k = align::cigar_length(word); k > 0; --k) {
        const char q = op == align::CigarOp::deletion ? '-' : query[i++];
        const char t = op == align::CigarOp::insertion ? '-' : target[j++];
        rows.query += q;
        rows.target += t;
        rows.marks += mark(op, q, t);
      }
    }
    return rows;
  }

  /// | equal, : unequal with a score above 0, . other unequal, blank gap.
  char mark(align::CigarOp op, char query, char target) const
  {
    if (op == align::CigarOp::equal) return '|';
    if (op != align::CigarOp::diff) return ' ';
    const int score = table_(codes_[static_cast<unsigned char>(query)],
                             codes_[static_cast<unsigned char>(target)]);
    return score > 0 ? ':' : '.';
  }

  static void blocks(fmt::appender out, const AlignedPair& pair, const Rows& rows)
  {
    const align::Alignment& a = pair.alignment;
    const std::int64_t step = a.reverse ? -1 : 1;
    std::int64_t query = a.reverse ? a.query_end : a.query_begin + 1;
    std::int64_t target = a.target_begin + 1;
    const auto width = fmt::formatted_size("{}", std::max(a.query_end, a.target_end));
    for (std::size_t at = 0; at < rows.marks.size(); at += columns_per_line) {
      const auto piece = [&](const std::string& row) {
        return std::string_view(row).substr(at, columns_per_line);
      };
      const auto line = [&](const char* label, std::int64_t& position, std::string_view letters,
                            std::int64_t by) {
        const auto count =
            static_cast<std::int64_t>(letters.size()) - std::ranges::count(letters, '-');
        const std::int64_t first = position;
        position += by * count;
        // a piece of nothing but a gap lies behind the letter before it
        const std::int64_t last = position - by;
        fmt::format_to(out, "{}  {:>{}} {} {}\n", label, count == 0 ? last : first, width, letters,
                       last);
      };
      line("Query ", query, piece(rows.query), step);
      fmt::format_to(out, "{:>{}} {}\n", "", width + 8, piece(rows.marks));
      line("Target", target, piece(rows.target), 1);
      fmt::format_to(out, "\n");
    }
  }

  const seq::EncodeTable& codes_;
  const align::ScoreTable& table_;
};

}  // namespace

std::unique_ptr<Writer> make_pretty_writer(const Options& options, const align::ScoreTable& table)
{
  return std::make_unique<PrettyWriter>(options, table);
}

}  // namespace helicity::app
