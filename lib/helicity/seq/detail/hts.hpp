// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/seq/detail/record_source.hpp>

#include <memory>
#include <string>

struct hFILE;
struct htsFile;

namespace helicity::seq::detail {

/// Turns htslib's messages on stderr off, once for the process.
void silence_htslib();

struct CloseHfile
{
  void operator()(hFILE* file) const;
};
using HfilePointer = std::unique_ptr<hFILE, CloseHfile>;

struct CloseHtsFile
{
  void operator()(htsFile* file) const;
};
using HtsFilePointer = std::unique_ptr<htsFile, CloseHtsFile>;

/// "No such file or directory" for errno, or "unknown cause" if that is 0.
std::string errno_text(int error);

/// FASTA or FASTQ bytes of an open file, decompressed if it is gzip or BGZF.
/// @param compressed whether the content began like gzip
std::unique_ptr<ByteSource> open_bytes(HfilePointer file, const std::string& path, bool compressed,
                                       int threads);

/// Reads of an open SAM, BAM or CRAM file.
std::unique_ptr<RecordSource> open_alignments(HfilePointer file, const std::string& path,
                                              const ReaderOptions& options);

}  // namespace helicity::seq::detail
