// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/aligner.hpp>
#include <helicity/align/detail/code_batch.hpp>
#include <helicity/align/detail/solver.hpp>
#include <helicity/align/score_batch.hpp>
#include <helicity/align/trace_batch.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/core/timer.hpp>
#include <helicity/seq/matrix.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <unordered_set>
#include <utility>
#include <variant>

namespace helicity::align {
namespace {

constexpr std::size_t default_memory = std::size_t{512} << 20;
constexpr std::size_t slice_letters = std::size_t{64} << 20;  ///< encoded at a time
constexpr std::size_t slice_pairs = std::size_t{1} << 20;

seq::Alphabet alphabet_of(const Config& config)
{
  return config.scoring.matrix ? config.scoring.matrix->alphabet() : seq::Alphabet::dna;
}

Problem problem_of(const Config& config)
{
  Problem problem;
  problem.table = resolve(config.scoring);
  problem.mode = config.mode;
  problem.free =
      config.mode == Mode::semi_global ? config.free_ends : FreeEnds{false, false, false, false};
  if (config.mode == Mode::local && problem.table.max_score <= 0) {
    throw UsageError("a local alignment needs a pair of letters that scores above 0");
  }
  if (config.both_strands && alphabet_of(config) != seq::Alphabet::dna) {
    throw UsageError("both_strands is for DNA; the matrix is of proteins");
  }
  return problem;
}

LaneOutput lane_output(Output output)
{
  switch (output) {
    case Output::score: return LaneOutput::score;
    case Output::end: return LaneOutput::end;
    case Output::cigar: break;
  }
  return LaneOutput::path;
}

/// How many of the pairs are encoded together; a target that several of them share counts once.
std::size_t slice_size(std::span<const Pair> pairs)
{
  std::unordered_set<const char*> targets;
  std::size_t count = 0, letters = 0;
  while (count < pairs.size() && count < slice_pairs && letters < slice_letters) {
    const Pair& pair = pairs[count++];
    letters += pair.query.size();
    if (pair.target.size() < detail::CodeBatch::worth_sharing ||
        targets.insert(pair.target.data()).second)
    {
      letters += pair.target.size();
    }
  }
  return count;
}

/// The problem of a pair that was cut at its end cell: the corner is the only end.
Problem corner_problem(Problem problem)
{
  problem.free.query_end = problem.free.target_end = false;
  return problem;
}

/// The pair up to its end cell; its path is that of the whole pair.
CodePair cut_at(const CodePair& pair, const EndCell& end)
{
  CodePair cut = pair;
  cut.query_length = end.query_end;
  cut.target_length = end.target_end;
  return cut;
}

}  // namespace

const char* to_string(Status status)
{
  switch (status) {
    case Status::ok: return "ok";
    case Status::unaligned: return "unaligned";
    case Status::invalid_letter: return "invalid_letter";
    case Status::too_long: return "too_long";
  }
  return "unknown";
}

class Aligner::Impl
{
 public:
  explicit Impl(Config the_config)
      : config(std::move(the_config)),
        problem(problem_of(config)),
        exec(resolve(config.exec)),
        threads(resolve_threads(config.exec.threads)),
        solver(problem, threads, config.exec.memory == 0 ? default_memory : config.exec.memory),
        corner_solver(corner_problem(problem), threads,
                      config.exec.memory == 0 ? default_memory : config.exec.memory),
        codes(alphabet_of(config), threads)
  {}

  std::vector<Alignment> run(std::span<const Pair> pairs, Output output)
  {
    std::vector<Alignment> results(pairs.size());
    for (std::size_t begin = 0; begin < pairs.size();) {
      const std::size_t count = slice_size(pairs.subspan(begin));
      run_slice(pairs.subspan(begin, count), output, std::span(results).subspan(begin, count));
      begin += count;
    }
    return results;
  }

  const Config config;
  const Problem problem;
  const std::variant<Cpu, Cuda> exec;
  const int threads;
  Counters counters;

 private:
  void run_slice(std::span<const Pair> pairs, Output output, std::span<Alignment> results)
  {
    {
      const ScopedTimer timer(counters.encode_seconds);
      codes.encode(pairs, config.both_strands);
    }
    const ScopedTimer timer(counters.align_seconds);
    counters.pairs += static_cast<std::int64_t>(pairs.size());
    std::vector<CodePair> chosen(codes.pairs().begin(), codes.pairs().end());
    if (config.both_strands) choose_strands(chosen, results);
    const auto finish = [&](std::size_t k, Path& path) {
      fill(chosen[k], output, path, results[k]);
    };
    solve(chosen, lane_output(output), finish);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (codes.status(k) != Status::ok) {
        results[k] = Alignment{.status = codes.status(k)};
      }
      counters.cells +=
          chosen[k].query_length * chosen[k].target_length * (config.both_strands ? 2 : 1);
    }
  }

  /// Where the reverse complement of the query scores higher, it takes the query's place.
  void choose_strands(std::vector<CodePair>& chosen, std::span<Alignment> results)
  {
    std::vector<std::int64_t> forward(chosen.size());
    const auto keep = [&](std::size_t k, Path& path) { forward[k] = path.end.score; };
    solve(chosen, LaneOutput::score, keep);
    const auto compare = [&](std::size_t k, Path& path) {
      results[k].reverse = path.end.score > forward[k];
    };
    solve(codes.reverse_pairs(), LaneOutput::score, compare);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (results[k].reverse) chosen[k] = codes.reverse_pairs()[k];
    }
  }

  void solve(std::span<const CodePair> pairs, LaneOutput output, const detail::Solver::Sink& sink)
  {
    if (const Cuda* cuda = std::get_if<Cuda>(&exec)) {
      solve_on_device(*cuda, pairs, output, sink);
    } else {
      solver.solve(pairs, output, sink);
    }
  }

  /// Best cells, then paths, on the device; what it does not take, on the CPU.
  void solve_on_device(Cuda cuda, std::span<const CodePair> pairs, LaneOutput output,
                       const detail::Solver::Sink& sink)
  {
    const bool paths = output == LaneOutput::path;
    const std::size_t memory = paths ? (config.exec.memory + 1) / 2 : config.exec.memory;
    std::vector<EndCell> ends(pairs.size());
    const auto taken = std::make_unique<bool[]>(pairs.size());
    score_batch(cuda, problem, pairs, memory, ends.data(), taken.get(), {.threads = threads});
    std::vector<std::size_t> scored, rest;
    for (std::size_t k = 0; k < pairs.size(); ++k) (taken[k] ? scored : rest).push_back(k);
    solve_some(solver, pairs, rest, output, sink);
    if (paths) {
      trace_on_device(cuda, pairs, scored, ends, memory, sink);
      return;
    }
    for (const std::size_t k : scored) {
      Path path;
      path.end = ends[k];
      sink(k, path);
    }
  }

  /// Paths of chosen pairs, all of them with known ends.
  void trace_on_device(Cuda cuda, std::span<const CodePair> pairs,
                       const std::vector<std::size_t>& chosen, const std::vector<EndCell>& ends,
                       std::size_t memory, const detail::Solver::Sink& sink)
  {
    std::vector<CodePair> cut;
    std::vector<EndCell> cut_ends;
    for (const std::size_t k : chosen) {
      cut.push_back(cut_at(pairs[k], ends[k]));
      cut_ends.push_back(ends[k]);
    }
    const auto hand_on = [&](std::size_t k, Path& path) { sink(chosen[k], path); };
    const auto taken = std::make_unique<bool[]>(cut.size());
    trace_batch(cuda, problem, cut, cut_ends, memory, threads, taken.get(), hand_on);
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < cut.size(); ++k)
      if (!taken[k]) rest.push_back(k);
    solve_some(corner_solver, cut, rest, LaneOutput::path, hand_on);
  }

  /// Pairs of a batch on the CPU.
  static void solve_some(detail::Solver& by, std::span<const CodePair> pairs,
                         const std::vector<std::size_t>& chosen, LaneOutput output,
                         const detail::Solver::Sink& sink)
  {
    std::vector<CodePair> some;
    for (const std::size_t k : chosen) some.push_back(pairs[k]);
    by.solve(some, output, [&](std::size_t k, Path& path) { sink(chosen[k], path); });
  }

  void fill(const CodePair& pair, Output output, const Path& path, Alignment& result) const
  {
    result.score = path.end.score;
    const bool nothing = pair.query_length == 0 && pair.target_length == 0;
    if (nothing || (config.mode == Mode::local && path.end.score == 0)) {
      result = Alignment{.status = Status::unaligned};
      if (output != Output::score) result.query_end = result.target_end = 0;
      if (output == Output::cigar) result.query_begin = result.target_begin = 0;
      return;
    }
    if (output == Output::score) return;
    result.query_end = path.end.query_end;
    result.target_end = path.end.target_end;
    if (output == Output::cigar) {
      result.query_begin = path.query_begin;
      result.target_begin = path.target_begin;
      result.cigar = finish_path(path, pair, codes.unknown());
    }
    if (result.reverse) {
      const std::int64_t m = pair.query_length;
      const std::int64_t end = result.query_end;
      // Without the path only the strand's end is known: it is the begin on the query as given.
      result.query_end = output == Output::cigar ? m - result.query_begin : -1;
      result.query_begin = m - end;
    }
  }

  detail::Solver solver;
  detail::Solver corner_solver;  ///< paths to end cells that a device found
  detail::CodeBatch codes;
};

Aligner::Aligner(const Config& config) : impl_(std::make_unique<Impl>(config)) {}
Aligner::~Aligner() = default;
Aligner::Aligner(Aligner&&) noexcept = default;
Aligner& Aligner::operator=(Aligner&&) noexcept = default;

std::vector<Alignment> Aligner::align(std::span<const Pair> pairs)
{
  try {
    return impl_->run(pairs, impl_->config.output);
  } catch (const std::bad_alloc&) {
    throw RuntimeFault("out of memory while aligning " + std::to_string(pairs.size()) + " pairs");
  }
}

std::vector<std::int64_t> Aligner::score(std::span<const Pair> pairs)
{
  std::vector<std::int64_t> scores;
  try {
    scores.reserve(pairs.size());
    for (const Alignment& a : impl_->run(pairs, Output::score)) scores.push_back(a.score);
  } catch (const std::bad_alloc&) {
    throw RuntimeFault("out of memory while scoring " + std::to_string(pairs.size()) + " pairs");
  }
  return scores;
}

const Config& Aligner::config() const { return impl_->config; }

const ScoreTable& Aligner::table() const { return impl_->problem.table; }

const Counters& Aligner::counters() const { return impl_->counters; }

std::string Aligner::device_name() const
{
  const std::string threads = std::to_string(impl_->threads);
  if (const Cuda* cuda = std::get_if<Cuda>(&impl_->exec)) {
    return "cuda:" + std::to_string(cuda->device_id) + " (" + threads +
           (impl_->threads == 1 ? " thread)" : " threads)");
  }
  return "cpu (" + std::string(chosen_isa().name) + ", " + threads +
         (impl_->threads == 1 ? " thread)" : " threads)");
}

}  // namespace helicity::align
