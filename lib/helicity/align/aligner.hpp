// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/cigar.hpp>
#include <helicity/align/problem.hpp>
#include <helicity/align/scoring.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::align {

/// How much is computed: the score; score and ends; or score, begin, end and CIGAR.
enum class Output : std::uint8_t { score, end, cigar };

struct Config
{
  Scoring scoring;
  Mode mode = Mode::global;
  FreeEnds free_ends;  ///< read in semi_global mode only
  Output output = Output::cigar;
  bool both_strands = false;  ///< DNA: also the query's reverse complement; ties go to forward
  Exec exec;
};

/// Two sequences as letters; the views must stay valid during the call. Lower case is accepted,
/// U is T, IUPAC codes count as N.
struct Pair
{
  std::string_view query;
  std::string_view target;
};

/// State of one item; the rest of a batch is not affected by it.
enum class Status : std::uint8_t {
  ok,
  unaligned,       ///< nothing aligned: local score 0, or both sequences empty; coordinates are 0
  invalid_letter,  ///< a letter outside the alphabet
  too_long         ///< a sequence of 2^31 letters or more
};

HELICITY_EXPORT const char* to_string(Status status);

/// Coordinates are 0-based, half-open. On the reverse strand the CIGAR reads along the target (the
/// query reverse-complemented), query_begin and query_end count on the query as given.
/// What was not asked for is -1 (coordinates) or empty (CIGAR).
struct Alignment
{
  std::int64_t score = 0;
  std::int64_t query_begin = -1;
  std::int64_t query_end = -1;
  std::int64_t target_begin = -1;
  std::int64_t target_end = -1;
  Cigar cigar;  ///< of =, X, I and D over [begin, end); canonical (design: gaps left-aligned)
  Status status = Status::ok;
  bool reverse = false;
};

/// What a call did: for progress and metrics.
struct Counters
{
  std::int64_t pairs = 0;
  std::int64_t cells = 0;  ///< sum of |query| * |target| (twice that for both strands)
  double encode_seconds = 0;
  double align_seconds = 0;
};

/// Aligns batches of pairs, exactly, on the device that Config names. Results are the same bits
/// whatever the device, threads, batch size, memory and instruction set.
/// @note one call at a time per object; calls use exec.threads threads inside
class HELICITY_EXPORT Aligner
{
 public:
  /// @throws UsageError if a score, cost or mode makes no sense, or the device is not there
  explicit Aligner(const Config& config);
  ~Aligner();
  Aligner(Aligner&&) noexcept;
  Aligner& operator=(Aligner&&) noexcept;

  /// Results in the order of the pairs.
  /// @throws RuntimeFault if memory runs out or the device fails
  std::vector<Alignment> align(std::span<const Pair> pairs);

  /// Scores only, whatever Config::output says; an item with a bad status has score 0.
  std::vector<std::int64_t> score(std::span<const Pair> pairs);

  const Config& config() const;
  const ScoreTable& table() const;
  const Counters& counters() const;  ///< since construction
  std::string device_name() const;   ///< what `automatic` became, e.g. "cpu (avx2, 2 threads)"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace helicity::align
