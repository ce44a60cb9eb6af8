// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::seq {

/// One sequence as its file gives it.
struct Record
{
  std::string name;          ///< header up to the first blank; may be empty
  std::string comment;       ///< the rest of the header, without the blanks between
  std::string sequence;      ///< letters with their case; never a gap
  std::string quality;       ///< Phred+33, as long as the sequence; empty without qualities
  bool has_quality = false;  ///< tells an empty FASTQ read from a FASTA sequence
};

/// Views of one record of a Batch; valid until the batch changes.
struct RecordView
{
  std::string_view name;
  std::string_view comment;
  std::string_view sequence;
  std::string_view quality;
  bool has_quality = false;
};

/// Records kept end to end in one buffer; clearing keeps the memory for the next batch.
class HELICITY_EXPORT Batch
{
 public:
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  /// Bytes of names, comments, sequences and qualities.
  std::size_t bytes() const { return text_.size(); }

  /// Sum of sequence lengths.
  std::size_t letters() const { return letters_; }

  /// @pre i < size()
  RecordView operator[](std::size_t i) const;

  void append(const Record& record);
  void clear();

 private:
  struct Entry
  {
    std::size_t begin = 0;
    std::size_t name = 0, comment = 0, sequence = 0, quality = 0;  // sizes
    bool has_quality = false;
  };

  std::string text_;
  std::vector<Entry> entries_;
  std::size_t letters_ = 0;
};

}  // namespace helicity::seq
