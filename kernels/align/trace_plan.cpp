// SPDX-License-Identifier: Apache-2.0
#include <align/trace_plan.hpp>
#include <helicity/core/memory.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

namespace helicity::align {
namespace {

using tuning::trace_shapes;

constexpr std::int64_t limit = std::int64_t{1} << 27;  // of lengths, and of scores either way

constexpr std::size_t fixed_bytes = 16384;  // the table, queues, the scan's least, and alignment
constexpr std::size_t bytes_of_item =
    sizeof(TraceTask) + sizeof(TraceResult) + 3 * sizeof(std::uint32_t);

/// Runs that a batch provides for, for one pair; more are fetched in several parts.
std::size_t run_share(const TraceItem& item) { return item.most_runs() / 8 + 4; }

/// Pairs of one class need about the same scratch.
int scratch_class(std::size_t bytes) { return static_cast<int>(std::bit_width(bytes)) / 2; }

std::int64_t pieces(std::int64_t length, std::int64_t piece)
{
  return (length + piece - 1) / piece;
}

/// The shape that spends the fewest lane steps on a pair; a step is worth five rows beside its own.
std::uint32_t best_shape(std::int64_t m, std::int64_t n)
{
  std::uint32_t best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t s = 0; s < trace_shape_count; ++s) {
    const auto& shape = trace_shapes[s];
    const std::int64_t strips = pieces(m, shape.height());
    if (shape.lanes < 32 && (strips > 1 || n > 4096)) continue;
    const std::int64_t tiles = pieces(n, tuning::trace_columns(shape));
    const std::int64_t steps = strips * (n + tiles * (shape.lanes - 1));
    const std::int64_t cost = steps * shape.lanes * (shape.rows + 5);
    if (cost < least) {
      least = cost;
      best = s;
    }
  }
  return best;
}

/// Whether 8 times no value of the recurrence can leave 32 bits, rows past the end included.
bool in_range(const ScoreTable& table, std::int64_t m, std::int64_t n)
{
  if (m > limit || n > limit || m + n > limit) return false;
  const std::int64_t largest = std::max(table.max_score, 0) * std::min(m, n);
  const std::int64_t smallest = 4 * std::int64_t{table.gap_open} +
                                (m + n + 2048) * std::int64_t{table.gap_extend} -
                                std::min(table.min_score, 0);
  return largest < limit && smallest < limit;
}

/// Least b of: borders of all b x b blocks, 2 m n / b, and of the tiles of one, b^2 (1/height +
/// 1/width).
std::int64_t block_side(std::int64_t m, std::int64_t n, std::int64_t height, std::int64_t width)
{
  const double density = 1.0 / static_cast<double>(height) + 1.0 / static_cast<double>(width);
  return std::llround(std::cbrt(static_cast<double>(m) * static_cast<double>(n) / density));
}

/// The same where blocks take in all of m: their borders are m n / b, those of the tiles of one
/// b (m / width + the number of borders across m).
std::int64_t block_side_of_thin(std::int64_t m, std::int64_t n, std::int64_t height,
                                std::int64_t width)
{
  const double along = static_cast<double>(m) / static_cast<double>(width);
  const auto across = static_cast<double>((m - 1) / height);
  return std::llround(
      std::sqrt(static_cast<double>(m) * static_cast<double>(n) / (along + across)));
}

/// One level of tiles where their borders are small; else blocks of a side that makes the borders
/// of all blocks, and of all tiles of one, least in sum.
void choose_blocks(TraceItem& item)
{
  const auto& shape = trace_shapes[item.shape];
  const std::int64_t m = item.query_length, n = item.target_length;
  const std::int64_t height = shape.height(), width = tuning::trace_columns(shape);
  const auto borders = [&] {
    const TraceBorders all(m, n, item.block_rows, item.block_columns, height, width);
    return static_cast<std::size_t>(all.size) * sizeof(TraceCell);
  };
  const auto set = [&](std::int64_t rows, std::int64_t columns) {
    item.block_rows = static_cast<std::int32_t>(pieces(rows, height) * height);
    item.block_columns = static_cast<std::int32_t>(pieces(columns, width) * width);
  };
  set(m, n);
  if (shape.lanes == 32 && borders() > tuning::trace_plain_bytes) {
    const std::int64_t side = block_side(m, n, height, width);
    const std::int64_t rows = side > n ? block_side_of_thin(n, m, width, height) : side;
    const std::int64_t columns = side > m ? block_side_of_thin(m, n, height, width) : side;
    set(std::clamp<std::int64_t>(rows, 1, m), std::clamp<std::int64_t>(columns, 1, n));
  }
  item.scratch = borders();
  item.scratch_class = scratch_class(item.scratch);
}

}  // namespace

bool TraceItem::operator<(const TraceItem& other) const
{
  if (shape != other.shape) return shape < other.shape;
  const auto size = [](const TraceItem& item) {
    return std::tuple(item.scratch_class, item.target_length, item.query_length);
  };
  const auto mine = size(*this), others = size(other);
  return mine != others ? mine > others : pair < other.pair;
}

/// Between two runs of one kind lies one of another; those that consume a sequence are no more
/// than its letters.
std::size_t TraceItem::most_runs() const
{
  const auto shorter = static_cast<std::size_t>(std::min(query_length, target_length));
  return std::min(letters(), 2 * shorter + 1);
}

std::size_t TraceItem::device_bytes() const
{
  const auto group = static_cast<std::size_t>(32 / trace_shapes[shape].lanes);
  return fixed_bytes + bytes_of_item + letters() +
         (step_words() + run_share(*this) + most_runs()) * sizeof(std::uint32_t) + group * scratch;
}

std::vector<TraceItem> plan_traces(const Problem& problem, std::span<const CodePair> pairs,
                                   std::span<const EndCell> ends, std::size_t memory, bool* taken,
                                   std::vector<std::size_t>& empty)
{
  std::vector<TraceItem> items;
  items.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::int64_t m = ends[k].query_end, n = ends[k].target_end;
    if (m == 0 || n == 0) {
      taken[k] = true;
      empty.push_back(k);
      continue;
    }
    taken[k] = false;
    if (!in_range(problem.table, m, n)) continue;
    TraceItem item{.pair = k,
                   .query_length = static_cast<std::int32_t>(m),
                   .target_length = static_cast<std::int32_t>(n),
                   .block_rows = 0,
                   .block_columns = 0,
                   .shape = best_shape(m, n),
                   .scratch = 0,
                   .scratch_class = 0};
    choose_blocks(item);
    if (MemoryPool::block_bytes(item.device_bytes()) > memory) continue;
    taken[k] = true;
    items.push_back(item);
  }
  std::sort(items.begin(), items.end());
  return items;
}

Path trace_of_edge(const Problem& problem, const EndCell& end)
{
  constexpr std::int64_t longest = (std::int64_t{1} << 28) - 1;
  const TraceScheme scheme = trace_scheme(problem);
  const bool deletes = end.target_end > 0;
  Path path{.end = end, .query_begin = end.query_end, .target_begin = end.target_end, .ops = {}};
  if (deletes ? scheme.top_free : scheme.left_free) return path;
  path.query_begin = path.target_begin = 0;
  for (std::int64_t left = end.query_end + end.target_end; left > 0; left -= longest) {
    const auto length = static_cast<std::uint32_t>(std::min(left, longest));
    path.ops.push_back(length << 4 | (deletes ? 2U : 1U));
  }
  return path;
}

TraceScheme trace_scheme(const Problem& problem)
{
  const ScoreTable& table = problem.table;
  const bool local = problem.mode == Mode::local, semi = problem.mode == Mode::semi_global;
  TraceScheme scheme{};
  scheme.top_free = local || (semi && problem.free.target_begin);
  scheme.left_free = local || (semi && problem.free.query_begin);
  scheme.open_extend = table.gap_open + table.gap_extend;
  scheme.extend = table.gap_extend;
  scheme.top_open = scheme.top_free ? 0 : table.gap_open;
  scheme.top_extend = scheme.top_free ? 0 : table.gap_extend;
  scheme.left_open = scheme.left_free ? 0 : table.gap_open;
  scheme.left_extend = scheme.left_free ? 0 : table.gap_extend;
  scheme.match = table(0, 0);
  scheme.mismatch = table(0, 1);
  return scheme;
}

void TraceLayout::add(const TraceItem& item)
{
  const std::size_t index = items_++;
  letters_ += item.letters();
  words_ += item.step_words();
  run_share_ += run_share(item);
  most_runs_ = std::max(most_runs_, item.most_runs());
  if (launches_.empty() || launches_.back().shape != item.shape ||
      scratch_class(launches_.back().scratch) != item.scratch_class)
  {
    launches_.push_back({index, index, item.shape, item.scratch, 1});
  }
  TraceLaunch& launch = launches_.back();
  launch.end = index + 1;
  launch.scratch = std::max(launch.scratch, item.scratch);
  const auto group = static_cast<std::size_t>(32 / trace_shapes[item.shape].lanes);
  const std::size_t wanted = (launch.end - launch.begin + group - 1) / group;
  const std::size_t fitting = scratch_limit_ / std::max<std::size_t>(launch.scratch * group, 1);
  const std::size_t resident = static_cast<std::size_t>(std::max(warps_[item.shape], 1));
  const std::size_t warps = std::max<std::size_t>(std::min({wanted, fitting, resident}), 1);
  launch.warps = static_cast<int>(launch.scratch == 0 ? std::min(wanted, resident) : warps);
}

std::size_t TraceLayout::scratch_bytes() const
{
  std::size_t most = 0;
  for (const TraceLaunch& launch : launches_) {
    const auto group = static_cast<std::size_t>(32 / trace_shapes[launch.shape].lanes);
    most = std::max(most, static_cast<std::size_t>(launch.warps) * group * launch.scratch);
  }
  return most;
}

std::size_t TraceLayout::run_capacity() const { return std::max(run_share_, most_runs_); }

std::size_t TraceLayout::estimate() const
{
  return fixed_bytes + items_ * bytes_of_item + letters_ + words_ * sizeof(std::uint32_t) +
         run_capacity() * sizeof(std::uint32_t) + scratch_bytes();
}

void TraceLayout::place(std::size_t offset_bytes)
{
  std::size_t at = 0;
  const auto part = [&](std::size_t size) {
    const std::size_t begin = at;
    at = (at + size + 255) / 256 * 256;
    return begin;
  };
  table = part(sizeof(ScoreTable::score));
  next = part(launches_.size() * sizeof(std::int32_t));
  tasks = part(items_ * sizeof(TraceTask));
  letters = part(letters_);
  upload_bytes = letters + letters_;
  results = part(items_ * sizeof(TraceResult));
  offsets = part((items_ + 1) * sizeof(std::uint32_t));
  download_bytes = at - results;
  runs = part((items_ + 1) * sizeof(std::uint32_t));
  scan = part(offset_bytes);
  steps = part(words_ * sizeof(std::uint32_t));
  ops = part(run_capacity() * sizeof(std::uint32_t));
  scratch = part(scratch_bytes());
  bytes = at;
}

std::size_t trace_scratch_limit(std::size_t memory) { return memory / 2 / 9 * 4; }

std::size_t trace_batch_size(std::span<const TraceItem> items, const TraceWarps& warps,
                             std::size_t memory)
{
  const std::size_t most = memory / 2 / 9 * 8;  // a half, whatever its size class adds
  TraceLayout layout(warps, trace_scratch_limit(memory));
  std::size_t size = 0;
  while (size < items.size() && size < tuning::trace_batch_pairs) {
    layout.add(items[size]);
    const bool full =
        layout.letter_count() > tuning::trace_batch_letters || layout.estimate() > most;
    if (size > 0 && full) break;
    ++size;
  }
  return size;
}

}  // namespace helicity::align
