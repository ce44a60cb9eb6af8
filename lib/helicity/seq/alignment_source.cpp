// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/detail/hts.hpp>

#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>
#include <htslib/tbx.h>

#include <algorithm>
#include <cerrno>

namespace helicity::seq::detail {
namespace {

struct DestroyHeader
{
  void operator()(sam_hdr_t* header) const { sam_hdr_destroy(header); }
};

struct DestroyRead
{
  void operator()(bam1_t* read) const { bam_destroy1(read); }
};

FileFormat format_of(const htsFile& file)
{
  switch (hts_get_format(const_cast<htsFile*>(&file))->format) {
    case ::bam: return FileFormat::bam;
    case ::cram: return FileFormat::cram;
    default: return FileFormat::sam;
  }
}

/// SAM, BAM and CRAM: reads as they were sequenced.
class AlignmentSource final : public RecordSource
{
 public:
  AlignmentSource(HtsFilePointer file, const std::string& path, const ReaderOptions& options);

  FileFormat format() const override { return format_of(*file_); }
  bool next(Record& record) override;

 private:
  bool read();
  void copy(Record& record);
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  ReaderOptions options_;
  HtsFilePointer file_;
  std::unique_ptr<sam_hdr_t, DestroyHeader> header_;
  std::unique_ptr<bam1_t, DestroyRead> read_;
  std::uint64_t record_ = 0;
  std::string name_;
};

AlignmentSource::AlignmentSource(HtsFilePointer file, const std::string& path,
                                 const ReaderOptions& options)
    : path_(path), options_(options), file_(std::move(file)), read_(bam_init1())
{
  if (options.threads > 1 && hts_set_threads(file_.get(), options.threads) != 0)
    throw RuntimeFault(path + ": hts_set_threads: cannot start threads");
  if (format() == FileFormat::cram && hts_check_EOF(file_.get()) == 0)
    throw InputError(path + ": truncated: the CRAM end-of-file container is missing");
  header_.reset(sam_hdr_read(file_.get()));
  if (!header_) throw InputError(path + ": truncated or malformed: the header cannot be read");
  if (!read_) throw RuntimeFault(path + ": bam_init1: out of memory");
}

void AlignmentSource::fail(const std::string& what) const
{
  throw InputError(record_place(path_, record_, name_) + ": " + what);
}

/// Reads the next record of the file, whatever it is.
bool AlignmentSource::read()
{
  ++record_;
  name_.clear();
  errno = 0;
  const int result = sam_read1(file_.get(), header_.get(), read_.get());
  if (result < -1) fail("truncated or malformed record" + (errno ? ": " + errno_text(errno) : ""));
  if (result >= 0) return true;
  const BGZF* bgzf = hts_get_bgzfp(file_.get());
  if (bgzf && bgzf->no_eof_block) fail("truncated: the BGZF end-of-file block is missing");
  return false;
}

bool AlignmentSource::next(Record& record)
{
  do {
    if (!read()) return false;
  } while (read_->core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY));
  copy(record);
  return true;
}

void AlignmentSource::copy(Record& record)
{
  const bam1_t* read = read_.get();
  const auto size = static_cast<std::size_t>(read->core.l_qseq);
  record.name = bam_get_qname(read);
  record.comment.clear();
  name_ = record.name;
  if (read->core.l_qseq > options_.max_length)
    fail("the sequence is longer than " + std::to_string(options_.max_length) + " letters");

  const std::uint8_t* bases = bam_get_seq(read);
  record.sequence.resize(size);
  for (std::size_t i = 0; i < size; ++i) record.sequence[i] = seq_nt16_str[bam_seqi(bases, i)];
  const std::size_t bad = find_invalid(record.sequence, options_.alphabet);
  if (bad != std::string_view::npos)
    fail(describe_letter(record.sequence[bad], bad, options_.alphabet));

  const std::uint8_t* quality = bam_get_qual(read);
  record.has_quality = size > 0 && quality[0] != 0xff;
  record.quality.resize(record.has_quality ? size : 0);
  for (std::size_t i = 0; i < record.quality.size(); ++i)
    record.quality[i] = static_cast<char>(std::min<int>(quality[i], '~' - '!') + '!');

  if (read->core.flag & BAM_FREVERSE) {
    record.sequence = reverse_complement(record.sequence);
    std::reverse(record.quality.begin(), record.quality.end());
  }
}

}  // namespace

std::unique_ptr<RecordSource> open_alignments(HfilePointer file, const std::string& path,
                                              const ReaderOptions& options)
{
  if (options.alphabet != Alphabet::dna)
    throw InputError(path + ": holds sequencing reads, which are DNA: expected proteins");
  errno = 0;
  HtsFilePointer opened(hts_hopen(file.get(), path.c_str(), "r"));
  if (!opened) throw InputError(path + ": hts_hopen: " + errno_text(errno));
  static_cast<void>(file.release());
  return std::make_unique<AlignmentSource>(std::move(opened), path, options);
}

}  // namespace helicity::seq::detail
