// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::seq {

enum class AlignmentFormat { sam, bam };

/// One @SQ line: a target sequence.
struct SamReference
{
  std::string name;
  std::int64_t length = 0;  ///< 1 to 2^31 - 1
};

struct SamHeader
{
  std::vector<SamReference> references;
  std::string program;       ///< @PG ID and PN, e.g. "helicity-align"
  std::string version;       ///< @PG VN
  std::string command_line;  ///< @PG CL; tabs and newlines become spaces
};

/// One SAM record as plain fields; nothing is owned.
struct SamRecord
{
  std::string_view name;
  std::uint16_t flag = 4;       ///< SAM flags; 4: unmapped
  std::int32_t reference = -1;  ///< index into SamHeader::references; -1: none
  std::int64_t position = -1;   ///< 0-based; -1: none
  std::uint8_t mapping_quality = 255;
  std::span<const std::uint32_t> cigar;  ///< BAM encoding: length << 4 | operation of "MIDNSHP=X"
  std::string_view sequence;  ///< on the strand of the target; empty: `*`; case is not kept
  std::string_view quality;   ///< Phred+33, as long as the sequence; empty: `*`
  std::optional<std::int32_t> edit_distance;   ///< NM:i
  std::optional<std::int32_t> score;           ///< AS:i
  std::optional<std::string_view> mismatches;  ///< MD:Z
};

/// Writes SAM or BAM (valid for `samtools quickcheck`), through a temporary file beside the path
/// that finish() renames; without finish() nothing is left behind. A CIGAR of more than 65535
/// operations goes to BAM by way of the CG tag.
/// @note Not thread-safe.
class HELICITY_EXPORT AlignmentFileWriter
{
 public:
  /// @param path a file, or `-` for standard output
  /// @param threads for BGZF compression
  /// @throws InputError if a reference name is empty, repeated or not legal in SAM, or a length is
  ///         out of range; RuntimeFault if the file cannot be written
  AlignmentFileWriter(const std::string& path, AlignmentFormat format, const SamHeader& header,
                      int threads = 1);
  ~AlignmentFileWriter();
  AlignmentFileWriter(AlignmentFileWriter&&) noexcept;
  AlignmentFileWriter& operator=(AlignmentFileWriter&&) noexcept;

  /// @throws InputError if SAM cannot hold the record (name above 254 bytes, CIGAR and sequence of
  ///         different lengths, ...); RuntimeFault if writing fails
  void write(const SamRecord& record);

  /// Completes the file and gives it its name. @throws RuntimeFault if that fails
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace helicity::seq
