// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace helicity::bench {

enum class Mode {
  local,
  fit,  // the query end to end, both ends of the target free
  global,
};

enum class Output {
  score,
  cigar,
};

struct Task
{
  Mode mode;
  Output output;
};

// The scheme of all rows: a gap of k costs gap_open + k * gap_extend.
inline constexpr int match = 2;
inline constexpr int mismatch = 4;
inline constexpr int gap_open = 4;
inline constexpr int gap_extend = 2;

struct TextPair
{
  std::string query;
  std::string target;
};

// One column or a run of columns: op is one of M = X I D, and I consumes the query.
struct CigarOp
{
  char op;
  std::uint32_t length;
};

// query_begin and target_begin are where the path starts; outer gaps may be left in the path.
struct Result
{
  std::int32_t score = 0;
  std::uint32_t query_begin = 0;
  std::uint32_t target_begin = 0;
  std::vector<CigarOp> path;
};

// One aligner, ours or another's. Only run() is timed: it starts from text and ends with results
// in the aligner's own form, as a user of it would have them.
class Peer
{
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  // The ways it can do the task; empty if it cannot.
  virtual std::vector<std::string> variants(const Task& task) const = 0;
  // False if it answers a cheaper question and is shown for context only.
  virtual bool exact() const { return true; }
  // What may be reused from batch to batch is made here. The pairs outlive the runs.
  virtual void prepare(const Task& task, const std::string& variant,
                       std::span<const TextPair> pairs) = 0;
  virtual void run() = 0;
  // The answers of the last run.
  virtual std::vector<Result> results() const = 0;
};

using PeerFactory = std::function<std::unique_ptr<Peer>()>;

// Each adapter enters itself here, so that a build has the peers that were found.
[[gnu::visibility("default")]] std::vector<PeerFactory>& peer_factories();

struct RegisterPeer
{
  explicit RegisterPeer(PeerFactory factory) { peer_factories().push_back(std::move(factory)); }
};

}  // namespace helicity::bench
