// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/detail/hts.hpp>

#include <helicity/seq/detail/text_parser.hpp>

#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/hts_log.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace helicity::seq::detail {
namespace {

struct CloseBgzf
{
  void operator()(BGZF* file) const { bgzf_close(file); }
};

class HtsByteSource final : public ByteSource
{
 public:
  HtsByteSource(HfilePointer file, const std::string& path, bool compressed, int threads)
      : path_(path)
  {
    errno = 0;
    file_.reset(bgzf_hopen(file.get(), "r"));
    if (!file_) throw RuntimeFault(path + ": bgzf_hopen: " + errno_text(errno));
    static_cast<void>(file.release());
    if (compressed && bgzf_compression(file_.get()) == no_compression)
      throw InputError(path + ": truncated: the gzip header is not complete");
    if (threads > 1 && bgzf_compression(file_.get()) == bgzf && bgzf_mt(file_.get(), threads, 256))
      throw RuntimeFault(path + ": bgzf_mt: cannot start threads");
  }

  std::size_t read(char* bytes, std::size_t size) override
  {
    errno = 0;
    const ssize_t count = bgzf_read(file_.get(), bytes, size);
    if (count < 0) fail(errno);
    if (count == 0 && file_->no_eof_block)
      throw SourceError("truncated: the BGZF end-of-file block is missing");
    return static_cast<std::size_t>(count);
  }

 private:
  [[noreturn]] void fail(int error) const
  {
    if (error != 0 && file_->errcode & BGZF_ERR_IO && !(file_->errcode & BGZF_ERR_ZLIB))
      throw RuntimeFault(path_ + ": bgzf_read: " + errno_text(error));
    throw SourceError("the compressed data is truncated or damaged");
  }

  std::string path_;
  std::unique_ptr<BGZF, CloseBgzf> file_;
};

[[noreturn]] void reject(const std::string& path, const htsFormat& format)
{
  char* description = hts_format_description(&format);
  const std::string found = description ? description : "data of another format";
  std::free(description);
  throw InputError(path + ": " + found +
                   ": expected FASTA or FASTQ (plain, gzip or BGZF), SAM, BAM or CRAM");
}

bool is_alignments(const htsFormat& format)
{
  return format.format == ::sam || format.format == ::bam || format.format == ::cram;
}

/// Whether the text parser is the one to judge the content.
bool may_be_text(const htsFormat& format)
{
  if (format.compression != no_compression && format.compression != gzip &&
      format.compression != bgzf)
    return false;
  return format.category == unknown_category || format.format == fasta_format ||
         format.format == fastq_format || format.format == text_format;
}

}  // namespace

void silence_htslib()
{
  static std::once_flag once;
  std::call_once(once, [] { hts_set_log_level(HTS_LOG_OFF); });
}

void CloseHfile::operator()(hFILE* file) const { hclose_abruptly(file); }

void CloseHtsFile::operator()(htsFile* file) const { hts_close(file); }

std::string errno_text(int error) { return error ? std::strerror(error) : "unknown cause"; }

std::unique_ptr<ByteSource> open_bytes(HfilePointer file, const std::string& path, bool compressed,
                                       int threads)
{
  return std::make_unique<HtsByteSource>(std::move(file), path, compressed, threads);
}

std::unique_ptr<RecordSource> open_records(const std::string& path, const ReaderOptions& options)
{
  silence_htslib();
  errno = 0;
  HfilePointer file(hopen(path.c_str(), "r"));
  if (!file) throw InputError(path + ": " + errno_text(errno));
  htsFormat format{};
  errno = 0;
  if (hts_detect_format2(file.get(), path.c_str(), &format) != 0)
    throw InputError(path + ": " + errno_text(errno));
  if (is_alignments(format)) return open_alignments(std::move(file), path, options);
  if (!may_be_text(format)) reject(path, format);
  const bool compressed = format.compression != no_compression;
  return std::make_unique<TextParser>(
      open_bytes(std::move(file), path, compressed, options.threads), path, options);
}

std::string show_byte(char byte)
{
  if (byte >= ' ' && byte <= '~') return std::string("'") + byte + "'";
  char text[8];
  std::snprintf(text, sizeof text, "'\\x%02x'",
                static_cast<unsigned>(static_cast<unsigned char>(byte)));
  return text;
}

std::string record_place(std::string_view file, std::uint64_t record, std::string_view name)
{
  std::string place = std::string(file) + ":record " + std::to_string(record);
  if (!name.empty()) place += " (" + std::string(name) + ")";
  return place;
}

std::string describe_letter(char letter, std::size_t index, Alphabet alphabet)
{
  return "letter " + show_byte(letter) + " at position " + std::to_string(index + 1) +
         ": expected " + std::string(expected_letters(alphabet));
}

}  // namespace helicity::seq::detail
