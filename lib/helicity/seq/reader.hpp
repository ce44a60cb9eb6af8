// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/seq/alphabet.hpp>
#include <helicity/seq/record.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace helicity::seq {

struct ReaderOptions
{
  Alphabet alphabet = Alphabet::dna;
  int threads = 1;                        ///< for decompression of BGZF, BAM and CRAM
  std::int64_t max_length = 0x7fff'ffff;  ///< longest sequence accepted, in letters (2^31 - 1)
};

/// Where a Reader may take FASTA or FASTQ text from, other than a file.
class HELICITY_EXPORT ByteSource
{
 public:
  virtual ~ByteSource();

  /// Writes up to `size` bytes, at least one unless the text is at its end; returns how many.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
};

/// What the content of a file turned out to be.
enum class FileFormat { empty, fasta, fastq, sam, bam, cram };

/// Streams the sequences of a FASTA or FASTQ file (plain, gzip or BGZF) or the reads of a SAM, BAM
/// or CRAM file, found by content, never by name. Holds one record and a fixed buffer in memory.
///
/// - FASTA and FASTQ may wrap lines, end lines with CRLF, lack the last newline, and have blank
///   lines; blanks at the end of a line are dropped. Text after the `+` of a FASTQ is ignored.
/// - Of SAM/BAM/CRAM, secondary and supplementary records are skipped, and a read flagged as
///   reverse is returned as it was sequenced.
/// - A file without a record is no error: the first next() returns false.
///
/// @note Not thread-safe; a reader belongs to one thread at a time. Turns htslib's log off for the
///       process: what it would print is in the exceptions.
class HELICITY_EXPORT Reader
{
 public:
  /// @param path a file, `-` for standard input, or an address that htslib opens (https:, s3:, ...)
  /// @throws InputError if the file cannot be opened or is of no known format
  explicit Reader(const std::string& path, const ReaderOptions& options = {});

  /// Reads uncompressed FASTA or FASTQ text. @param name stands in for the file in messages
  Reader(std::unique_ptr<ByteSource> source, std::string name, const ReaderOptions& options = {});

  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  FileFormat format() const;

  /// Reads the next record; false at the end of the file.
  /// @throws InputError if the file is malformed, truncated, has a letter outside the alphabet or a
  ///         sequence above max_length: `file:record 3 (name), line 9: ...`, counted from 1.
  ///         RuntimeFault if reading fails. After a throw the reader stays at its end.
  bool next(Record& record);

  /// Replaces the batch by the next records, in order: as many as stay within both limits, but at
  /// least one unless the file is at its end. Returns their number, 0 at the end.
  /// A malformed record ends the batch before it; the call after throws as next() does.
  /// @param max_bytes of names, comments, sequences and qualities together
  std::size_t next_batch(Batch& batch, std::size_t max_bytes, std::size_t max_records);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace helicity::seq
