// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/error.hpp>
#include <helicity/seq/reader.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace helicity::seq::detail {

/// What a Reader draws records from: one implementation for text, one for SAM, BAM and CRAM.
class RecordSource
{
 public:
  virtual ~RecordSource() = default;
  virtual FileFormat format() const = 0;

  /// Overwrites the record; false at the end. Throws as Reader::next does.
  virtual bool next(Record& record) = 0;
};

/// Opens `path` and finds its format by content.
std::unique_ptr<RecordSource> open_records(const std::string& path, const ReaderOptions& options);

/// Thrown by a ByteSource whose content is damaged; the parser adds the place.
class SourceError : public InputError
{
 public:
  using InputError::InputError;
};

/// A byte as a message shows it: 'x', or '\x00' where it is not printable.
std::string show_byte(char byte);

/// "file:record 3 (name)"
std::string record_place(std::string_view file, std::uint64_t record, std::string_view name);

/// "letter 'x' at position 7: expected ...", the position counted from 1.
std::string describe_letter(char letter, std::size_t index, Alphabet alphabet);

}  // namespace helicity::seq::detail
