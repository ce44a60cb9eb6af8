// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/sam.hpp>

#include <helicity/core/error.hpp>
#include <helicity/core/file_output.hpp>
#include <helicity/seq/detail/hts.hpp>

#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <unordered_set>
#include <utility>

namespace helicity::seq {
namespace {

constexpr std::size_t longest_name = 254;

struct DestroyHeader
{
  void operator()(sam_hdr_t* header) const { sam_hdr_destroy(header); }
};
using HeaderPointer = std::unique_ptr<sam_hdr_t, DestroyHeader>;

struct DestroyRead
{
  void operator()(bam1_t* read) const { bam_destroy1(read); }
};

/// SAM specification 1.2.1: reference names.
bool legal_reference_name(std::string_view name)
{
  if (name.empty() || name[0] == '*' || name[0] == '=') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return c >= '!' && c <= '~' &&
           std::string_view("\\,\"'`()[]{}<>").find(c) == std::string_view::npos;
  });
}

bool legal_read_name(std::string_view name)
{
  return !name.empty() && name.size() <= longest_name &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
}

void check_header(const SamHeader& header)
{
  std::unordered_set<std::string_view> seen;
  for (const SamReference& reference : header.references) {
    if (!legal_reference_name(reference.name))
      throw InputError("target name '" + reference.name +
                       "' is not legal in SAM: expected printable characters without "
                       "\\ , \" ' ` ( ) [ ] { } < >, and neither * nor = first");
    if (!seen.insert(reference.name).second)
      throw InputError("target name '" + reference.name +
                       "' is given twice: SAM needs names that differ");
    if (reference.length < 1 || reference.length > 0x7fff'ffff)
      throw InputError("target '" + reference.name + "' has " + std::to_string(reference.length) +
                       " letters: SAM takes 1 to 2147483647");
  }
}

std::string one_line(std::string_view text)
{
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return result;
}

std::string header_text(const SamHeader& header)
{
  std::string text = "@HD\tVN:1.6\tSO:unknown\n";
  for (const SamReference& reference : header.references)
    text += "@SQ\tSN:" + reference.name + "\tLN:" + std::to_string(reference.length) + "\n";
  if (header.program.empty()) return text;
  text += "@PG\tID:" + one_line(header.program) + "\tPN:" + one_line(header.program);
  if (!header.version.empty()) text += "\tVN:" + one_line(header.version);
  if (!header.command_line.empty()) text += "\tCL:" + one_line(header.command_line);
  return text + "\n";
}

}  // namespace

struct AlignmentFileWriter::State
{
  FileOutput output;
  detail::HtsFilePointer file;  // writes to a duplicate of the descriptor of `output`
  HeaderPointer header;
  std::unique_ptr<bam1_t, DestroyRead> read{bam_init1()};
  std::string sequence;  // of the record being written, U as T
  std::string quality;   // Phred

  State(const std::string& path, AlignmentFormat format, const SamHeader& fields, int threads);
  void check(const SamRecord& record) const;
  void set(const SamRecord& record);
  void append_tags(const SamRecord& record);
  void append_integer(const char (&tag)[3], std::optional<std::int32_t> value);
  [[noreturn]] void fault(const char* call) const;
};

void AlignmentFileWriter::State::fault(const char* call) const
{
  throw RuntimeFault(output.path() + ": " + call + ": " + detail::errno_text(errno));
}

AlignmentFileWriter::State::State(const std::string& path, AlignmentFormat format,
                                  const SamHeader& fields, int threads)
    : output(path)
{
  errno = 0;
  const int descriptor = dup(fileno(output.stream()));
  detail::HfilePointer raw(descriptor < 0 ? nullptr : hdopen(descriptor, "w"));
  if (!raw) {
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    errno = error;
    fault("hdopen");
  }
  file.reset(hts_hopen(raw.get(), path.c_str(), format == AlignmentFormat::bam ? "wb" : "w"));
  if (!file) fault("hts_hopen");
  static_cast<void>(raw.release());
  if (threads > 1 && format == AlignmentFormat::bam && hts_set_threads(file.get(), threads) != 0)
    fault("hts_set_threads");
  const std::string text = header_text(fields);
  header.reset(sam_hdr_init());
  if (!header || sam_hdr_add_lines(header.get(), text.c_str(), text.size()) != 0)
    fault("sam_hdr_add_lines");
  if (!read) fault("bam_init1");
  if (sam_hdr_write(file.get(), header.get()) != 0) fault("sam_hdr_write");
}

/// @throws InputError or UsageError if SAM cannot hold it, as far as htslib does not tell
void AlignmentFileWriter::State::check(const SamRecord& record) const
{
  if (!legal_read_name(record.name))
    throw InputError("read name '" + std::string(record.name) +
                     "' is not legal in SAM: expected 1 to 254 printable characters");
  const std::string place = "read '" + std::string(record.name) + "' does not fit SAM: ";
  if (!record.quality.empty() && record.quality.size() != record.sequence.size())
    throw InputError(place + "qualities and sequence differ in length");
  if (record.reference < -1 || record.reference >= sam_hdr_nref(header.get()))
    throw UsageError(place + "reference " + std::to_string(record.reference) +
                     " is not in the header");
  const std::size_t bad = find_invalid(record.sequence, Alphabet::dna);
  if (bad != std::string_view::npos)
    throw InputError(place + detail::describe_letter(record.sequence[bad], bad, Alphabet::dna));
}

void AlignmentFileWriter::State::set(const SamRecord& record)
{
  check(record);
  sequence.resize(record.sequence.size());
  std::transform(record.sequence.begin(), record.sequence.end(), sequence.begin(),
                 [](char c) { return c == 'U' || c == 'u' ? 'T' : c; });
  quality.resize(record.quality.size());
  std::transform(record.quality.begin(), record.quality.end(), quality.begin(),
                 [](char c) { return static_cast<char>(c - '!'); });
  errno = 0;
  const int result = bam_set1(read.get(), record.name.size(), record.name.data(), record.flag,
                              record.reference, record.position, record.mapping_quality,
                              record.cigar.size(), record.cigar.data(), -1, -1, 0, sequence.size(),
                              sequence.data(), quality.empty() ? nullptr : quality.data(), 64);
  if (result >= 0) return;
  if (errno == ENOMEM) fault("bam_set1");
  throw InputError("read '" + std::string(record.name) +
                   "' does not fit SAM: sequence and CIGAR differ in length, or it is too long");
}

void AlignmentFileWriter::State::append_integer(const char (&tag)[3],
                                                std::optional<std::int32_t> value)
{
  if (value && bam_aux_update_int(read.get(), tag, *value) != 0) fault("bam_aux_update_int");
}

void AlignmentFileWriter::State::append_tags(const SamRecord& record)
{
  append_integer("NM", record.edit_distance);
  append_integer("AS", record.score);
  if (!record.mismatches) return;
  const std::string text(*record.mismatches);
  if (bam_aux_update_str(read.get(), "MD", static_cast<int>(text.size()) + 1, text.c_str()) != 0)
    fault("bam_aux_update_str");
}

AlignmentFileWriter::AlignmentFileWriter(const std::string& path, AlignmentFormat format,
                                         const SamHeader& header, int threads)
{
  detail::silence_htslib();
  check_header(header);
  state_ = std::make_unique<State>(path, format, header, threads);
}

AlignmentFileWriter::~AlignmentFileWriter() = default;
AlignmentFileWriter::AlignmentFileWriter(AlignmentFileWriter&&) noexcept = default;
AlignmentFileWriter& AlignmentFileWriter::operator=(AlignmentFileWriter&&) noexcept = default;

void AlignmentFileWriter::write(const SamRecord& record)
{
  if (!state_->file) throw UsageError(state_->output.path() + ": write after finish");
  state_->set(record);
  state_->append_tags(record);
  errno = 0;
  if (sam_write1(state_->file.get(), state_->header.get(), state_->read.get()) < 0)
    state_->fault("sam_write1");
}

void AlignmentFileWriter::finish()
{
  if (!state_->file) throw UsageError(state_->output.path() + ": finished twice");
  errno = 0;
  if (hts_close(state_->file.release()) != 0) state_->fault("hts_close");
  state_->output.commit();
}

}  // namespace helicity::seq
