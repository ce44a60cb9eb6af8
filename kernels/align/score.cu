// SPDX-License-Identifier: Apache-2.0
#include <align/score_kernel.cuh>
#include <helicity/align/score_batch.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/memory.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/stream.hpp>
#include <support/launch.cuh>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace helicity::align {
namespace {

using tuning::score_shapes;
constexpr std::size_t shapes = std::size(score_shapes);
constexpr std::int64_t limit = std::int64_t{1} << 30;  // of lengths, and of scores either way

// --- which pairs the kernel takes, and how -------------------------------------------------------

std::int64_t strips(const tuning::Shape& shape, std::int64_t query_length)
{
  const std::int64_t rows = std::int64_t{shape.lanes} * shape.rows;
  return (query_length + rows - 1) / rows;
}

/// The shape that spends the fewest lane steps on a pair; a step is worth four rows beside its own.
std::size_t best_shape(std::int64_t query_length, std::int64_t target_length)
{
  std::size_t best = shapes - 1;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t s = 0; s < shapes; ++s) {
    const auto& shape = score_shapes[s];
    const std::int64_t passes = strips(shape, query_length);
    if (passes > 1 && shape.lanes < 32) continue;
    const std::int64_t steps = passes * (target_length + shape.lanes - 1);
    const std::int64_t cost = steps * shape.lanes * (shape.rows + 4);
    if (cost < least) {
      least = cost;
      best = s;
    }
  }
  return best;
}

/// Whether no value of the recurrence can leave 32 bits, rows past the end of the query included.
bool in_range(const ScoreTable& table, const CodePair& pair)
{
  const std::int64_t m = pair.query_length, n = pair.target_length;
  if (m > limit || n > limit) return false;
  const std::int64_t largest = std::max(table.max_score, 0) * std::min(m, n);
  const std::int64_t smallest = 4 * std::int64_t{table.gap_open} +
                                (m + n + 2048) * std::int64_t{table.gap_extend} -
                                std::min(table.min_score, 0);
  return largest < limit && smallest < limit;
}

/// A pair with an empty sequence: no cells.
EndCell end_without_cells(const Problem& problem, const CodePair& pair)
{
  const std::int64_t m = pair.query_length, n = pair.target_length;
  const bool semi = problem.mode == Mode::semi_global;
  if (problem.mode == Mode::local) return {0, 0, 0};
  if (m == 0 && n == 0) return {0, 0, 0};
  // All of an edge are end cells: its score only falls, and the first of equals is (0, 0).
  if (semi && (m == 0 ? problem.free.target_end : problem.free.query_end)) return {0, 0, 0};
  const bool no_cost = semi && (m == 0 ? problem.free.target_begin : problem.free.query_begin);
  const std::int64_t gap = problem.table.gap_open + (m + n) * problem.table.gap_extend;
  return {no_cost ? 0 : -gap, m, n};
}

/// A uniform scheme in the sense of UniformScores.
bool is_uniform(const ScoreTable& table)
{
  const int mismatch = table(0, 1);
  return table.uniform && table(4, 0) == mismatch && table(4, 4) == mismatch && mismatch <= 0;
}

ScoreScheme scheme_of(const Problem& problem)
{
  const ScoreTable& table = problem.table;
  const bool local = problem.mode == Mode::local, semi = problem.mode == Mode::semi_global;
  const bool top_free = local || (semi && problem.free.target_begin);
  const bool left_free = local || (semi && problem.free.query_begin);
  ScoreScheme scheme{};
  scheme.open_extend = table.gap_open + table.gap_extend;
  scheme.extend = table.gap_extend;
  scheme.top_open = top_free ? 0 : table.gap_open;
  scheme.top_extend = top_free ? 0 : table.gap_extend;
  scheme.left_open = left_free ? 0 : table.gap_open;
  scheme.left_extend = left_free ? 0 : table.gap_extend;
  scheme.match = table(0, 0);
  scheme.mismatch = table(0, 1);
  scheme.row_ends = semi && problem.free.target_end;
  scheme.column_ends = semi && problem.free.query_end;
  return scheme;
}

// --- kernels by shape ----------------------------------------------------------------------------

using Kernel = void (*)(ScoreBatch, ScoreScheme);

template <std::size_t Shape>
Kernel kernel_of_shape(bool local, bool uniform)
{
  constexpr int lanes = score_shapes[Shape].lanes, rows = score_shapes[Shape].rows;
  if (local)
    return uniform ? score_kernel<lanes, rows, true, UniformScores>
                   : score_kernel<lanes, rows, true, TableScores>;
  return uniform ? score_kernel<lanes, rows, false, UniformScores>
                 : score_kernel<lanes, rows, false, TableScores>;
}

template <std::size_t... Shapes>
std::array<Kernel, shapes> kernels_of(bool local, bool uniform, std::index_sequence<Shapes...>)
{
  return {kernel_of_shape<Shapes>(local, uniform)...};
}

// --- batches -------------------------------------------------------------------------------------

/// A pair that the kernel takes, in the order of work: by shape, then long targets first.
struct Item
{
  std::size_t pair;
  std::int32_t query_length;
  std::int32_t target_length;
  std::uint32_t shape;

  bool operator<(const Item& other) const
  {
    if (shape != other.shape) return shape < other.shape;
    if (target_length != other.target_length) return target_length > other.target_length;
    if (query_length != other.query_length) return query_length > other.query_length;
    return pair < other.pair;
  }
  std::size_t letters() const
  {
    return static_cast<std::size_t>(query_length) + static_cast<std::size_t>(target_length);
  }
  std::size_t boundary_cells() const
  {
    const bool one = strips(score_shapes[shape], query_length) == 1;
    return one ? 0 : static_cast<std::size_t>(target_length);
  }
  std::size_t device_bytes() const
  {
    return sizeof(ScoreTask) + sizeof(ScoreEnd) + letters() +
           boundary_cells() * sizeof(BoundaryCell);
  }
};

/// Where the parts of a batch lie: what is uploaded, then what only the device has.
struct Layout
{
  static constexpr std::size_t fixed_bytes =
      8192;  // the table, the queues, and what alignment costs

  std::size_t table, next, tasks, letters, upload_bytes, ends, boundary, bytes;

  Layout(std::size_t count, std::size_t letter_count, std::size_t boundary_count)
  {
    std::size_t at = 0;
    const auto part = [&](std::size_t size) {
      const std::size_t begin = at;
      at = (at + size + 255) / 256 * 256;
      return begin;
    };
    table = part(sizeof(ScoreTable::score));
    next = part(shapes * sizeof(std::int32_t));
    tasks = part(count * sizeof(ScoreTask));
    letters = part(letter_count);
    upload_bytes = letters + letter_count;
    ends = part(count * sizeof(ScoreEnd));
    boundary = part(boundary_count * sizeof(BoundaryCell));
    bytes = at;
  }
};

/// One of the batches in flight: its stream, and memory that is kept for the next.
struct Slot
{
  explicit Slot(int device_id) : stream(device_id), done(device_id) {}

  Stream stream;
  Event done;
  Buffer<std::byte> staging;  // host side of the upload
  Buffer<ScoreEnd> ends;
  Buffer<std::byte> arena;      // the device's side of all
  std::span<const Item> items;  // of the batch in flight
};

/// What a call needs on a device; kept between calls, since pinned memory is slow to get.
struct Workspace
{
  Workspace(int device_id, std::size_t memory)
      : device_id(device_id),
        memory(memory),
        pool(Cuda{device_id}, memory),
        slots{Slot(device_id), Slot(device_id)}
  {}

  int device_id;
  std::size_t memory;
  MemoryPool pool;
  std::array<Slot, 2> slots;
};

/// Workspaces that no call uses at the moment.
class Shelf
{
 public:
  static Shelf& instance()
  {
    static Shelf& shelf = *new Shelf;  // never destroyed: the driver may be gone by then
    return shelf;
  }

  std::unique_ptr<Workspace> take(int device_id, std::size_t memory)
  {
    {
      const std::lock_guard lock(mutex_);
      for (auto& workspace : idle_) {
        if (workspace->device_id != device_id || workspace->memory != memory) continue;
        std::swap(workspace, idle_.back());
        auto taken = std::move(idle_.back());
        idle_.pop_back();
        return taken;
      }
      if (idle_.size() >= most_idle) idle_.erase(idle_.begin());
    }
    return std::make_unique<Workspace>(device_id, memory);
  }

  void put_back(std::unique_ptr<Workspace> workspace)
  {
    if (workspace->pool.used() + workspace->pool.cached() > tuning::score_kept_bytes) {
      for (Slot& slot : workspace->slots) slot.arena.reset();
      workspace->pool.trim();
    }
    const std::lock_guard lock(mutex_);
    if (idle_.size() < most_idle) idle_.push_back(std::move(workspace));
  }

 private:
  static constexpr std::size_t most_idle = 4;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

/// At least `size` elements of staging memory; contents are lost.
template <class T>
void reserve(Buffer<T>& buffer, std::size_t size, Cuda order)
{
  if (buffer.size() >= size) return;
  buffer.reset();
  const bool pinned = size * sizeof(T) <= tuning::score_pinned_bytes;
  buffer = Buffer<T>(pinned ? MemoryKind::pinned : MemoryKind::host, size + (pinned ? size / 4 : 0),
                     order);
}

/// The batches of one call.
class Run
{
 public:
  Run(const Problem& problem, std::span<const CodePair> pairs, Workspace& workspace, EndCell* ends)
      : problem_(problem),
        pairs_(pairs),
        workspace_(workspace),
        ends_(ends),
        scheme_(scheme_of(problem)),
        uniform_(is_uniform(problem.table)),
        kernels_(
            kernels_of(problem.mode == Mode::local, uniform_, std::make_index_sequence<shapes>()))
  {}

  /// Works through the items, two batches at a time: one is packed while the other computes.
  void operator()(std::span<const Item> items)
  {
    std::size_t turn = 0;
    for (std::size_t begin = 0; begin < items.size(); turn ^= 1) {
      const std::size_t end = end_of_batch(items, begin);
      Slot& slot = workspace_.slots[turn];
      finish(slot);
      start(slot, workspace_.slots[turn ^ 1], items.subspan(begin, end - begin));
      begin = end;
    }
    finish(workspace_.slots[turn]);
    finish(workspace_.slots[turn ^ 1]);
  }

 private:
  std::size_t end_of_batch(std::span<const Item> items, std::size_t begin) const
  {
    const std::size_t most = workspace_.pool.budget() / 2 / 9 * 8;  // whatever its size class
    std::size_t bytes = Layout::fixed_bytes, letters = 0, end = begin;
    while (end < items.size()) {
      bytes += items[end].device_bytes();
      letters += items[end].letters();
      const bool fits = bytes <= most && letters <= tuning::score_batch_letters &&
                        end - begin < tuning::score_batch_pairs;
      if (!fits && end > begin) break;
      ++end;
    }
    return end;
  }

  void start(Slot& slot, Slot& other, std::span<const Item> items);
  void pack(const Layout& layout, std::byte* staging, std::span<const Item> items) const;
  void launch_kernels(const Slot& slot, const Layout& layout, std::byte* arena) const;
  void finish(Slot& slot);

  const Problem& problem_;
  std::span<const CodePair> pairs_;
  Workspace& workspace_;
  EndCell* ends_;
  ScoreScheme scheme_;
  bool uniform_;
  std::array<Kernel, shapes> kernels_;
};

void Run::start(Slot& slot, Slot& other, std::span<const Item> items)
{
  std::size_t letters = 0, boundary = 0;
  for (const Item& item : items) {
    letters += item.letters();
    boundary += item.boundary_cells();
  }
  const Layout layout(items.size(), letters, boundary);
  const Cuda exec = slot.stream.exec();

  if (slot.arena.size() < layout.bytes) {
    slot.arena.reset();
    if (MemoryPool::block_bytes(layout.bytes) > workspace_.pool.available()) {
      finish(other);
      other.arena.reset();
    }
    slot.arena = Buffer<std::byte>(workspace_.pool, layout.bytes, exec);
  }
  reserve(slot.staging, layout.upload_bytes, exec);
  reserve(slot.ends, items.size(), exec);

  slot.items = items;
  pack(layout, slot.staging.data(), items);
  std::byte* arena = slot.arena.data();
  copy_bytes(arena, slot.staging.data(), layout.upload_bytes, exec);
  launch_kernels(slot, layout, arena);
  copy_bytes(slot.ends.data(), arena + layout.ends, items.size() * sizeof(ScoreEnd), exec);
  slot.done.record(exec.stream);
}

void Run::pack(const Layout& layout, std::byte* staging, std::span<const Item> items) const
{
  std::memcpy(staging + layout.table, problem_.table.score.data(), sizeof(ScoreTable::score));
  std::memset(staging + layout.next, 0, shapes * sizeof(std::int32_t));
  auto* const tasks = reinterpret_cast<ScoreTask*>(staging + layout.tasks);
  std::uint64_t letters = 0, boundary = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Item& item = items[k];
    tasks[k] = {letters, letters + static_cast<std::uint64_t>(item.query_length), boundary,
                item.query_length, item.target_length};
    letters += item.letters();
    boundary += item.boundary_cells();
  }

  auto* const codes = reinterpret_cast<std::uint8_t*>(staging + layout.letters);
  constexpr std::size_t piece = 2048;
  const int threads = std::min(usable_threads(), tuning::score_packing_threads);
  parallel_for(threads, (items.size() + piece - 1) / piece, [&](std::size_t index, int) {
    const std::size_t end = std::min(items.size(), (index + 1) * piece);
    for (std::size_t k = index * piece; k < end; ++k) {
      const CodePair& pair = pairs_[items[k].pair];
      std::memcpy(codes + tasks[k].query, pair.query, static_cast<std::size_t>(pair.query_length));
      std::memcpy(codes + tasks[k].target, pair.target,
                  static_cast<std::size_t>(pair.target_length));
    }
  });
}

void Run::launch_kernels(const Slot& slot, const Layout& layout, std::byte* arena) const
{
  constexpr int threads = tuning::score_threads;
  for (std::size_t begin = 0; begin < slot.items.size();) {
    const std::uint32_t shape = slot.items[begin].shape;
    std::size_t end = begin;
    while (end < slot.items.size() && slot.items[end].shape == shape) ++end;

    ScoreBatch batch{};
    batch.tasks = reinterpret_cast<const ScoreTask*>(arena + layout.tasks) + begin;
    batch.count = static_cast<std::int32_t>(end - begin);
    batch.letters = reinterpret_cast<const std::uint8_t*>(arena + layout.letters);
    batch.boundary = reinterpret_cast<BoundaryCell*>(arena + layout.boundary);
    batch.table = reinterpret_cast<const std::int32_t*>(arena + layout.table);
    batch.next = reinterpret_cast<std::int32_t*>(arena + layout.next) + shape;
    batch.ends = reinterpret_cast<ScoreEnd*>(arena + layout.ends) + begin;

    const int pairs_per_block = threads / score_shapes[shape].lanes;
    const long long blocks = (batch.count + pairs_per_block - 1) / pairs_per_block;
    const Launch grid{resident_blocks(kernels_[shape], threads, blocks), threads,
                      slot.stream.get()};
    launch("score_kernel", kernels_[shape], grid, batch, scheme_);
    begin = end;
  }
}

/// Waits for the batch in flight, if there is one, and hands its ends out.
void Run::finish(Slot& slot)
{
  if (slot.items.empty()) return;
  slot.done.synchronize();
  const ScoreEnd* found = slot.ends.data();
  for (std::size_t k = 0; k < slot.items.size(); ++k)
    ends_[slot.items[k].pair] = {found[k].score, found[k].query_end, found[k].target_end};
  slot.items = {};
  if (slot.staging.kind() == MemoryKind::host) slot.staging.reset();
}

}  // namespace

HELICITY_EXPORT void score_batch(Cuda exec, const Problem& problem, std::span<const CodePair> pairs,
                                 std::size_t memory, EndCell* ends, bool* taken)
{
  const DeviceGuard guard(exec.device_id);
  auto workspace = Shelf::instance().take(exec.device_id, memory);
  const std::size_t budget = workspace->pool.budget();

  std::vector<Item> items;
  items.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const CodePair& pair = pairs[k];
    const std::int64_t m = pair.query_length, n = pair.target_length;
    if (m == 0 || n == 0) {
      ends[k] = end_without_cells(problem, pair);
      taken[k] = true;
      continue;
    }
    taken[k] = false;
    if (!in_range(problem.table, pair)) continue;
    const Item item{k, static_cast<std::int32_t>(m), static_cast<std::int32_t>(n),
                    static_cast<std::uint32_t>(best_shape(m, n))};
    if (Layout::fixed_bytes + item.device_bytes() > budget) continue;
    taken[k] = true;
    items.push_back(item);
  }
  std::sort(items.begin(), items.end());

  if (exec.stream) {
    Event before(exec.device_id);
    before.record(exec.stream);
    for (Slot& slot : workspace->slots) slot.stream.wait(before);
  }
  Run run(problem, pairs, *workspace, ends);
  run(items);
  Shelf::instance().put_back(std::move(workspace));
}

}  // namespace helicity::align
