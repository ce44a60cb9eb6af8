// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/seq/detail/line_reader.hpp>
#include <helicity/seq/detail/record_source.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace helicity::seq::detail {

/// FASTA and FASTQ.
class TextParser final : public RecordSource
{
 public:
  TextParser(std::unique_ptr<ByteSource> source, std::string name, const ReaderOptions& options);

  FileFormat format() const override { return format_; }
  bool next(Record& record) override;

 private:
  bool parse(Record& record);
  void parse_header(Record& record);
  void parse_fasta(Record& record);
  void parse_fastq(Record& record);
  void parse_quality(Record& record);
  void append_sequence_line(Record& record);
  void skip_blank_lines();
  [[noreturn]] void fail(const std::string& what) const;        // in the line read last
  [[noreturn]] void fail_ahead(const std::string& what) const;  // in the line that follows

  std::string file_;
  ReaderOptions options_;
  LineReader lines_;
  FileFormat format_ = FileFormat::empty;
  std::uint64_t record_ = 0;  // number of the record being read
  std::string_view name_;     // its name, once known
  std::string header_;
};

}  // namespace helicity::seq::detail
