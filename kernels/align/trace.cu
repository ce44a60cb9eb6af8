// SPDX-License-Identifier: Apache-2.0
#include <align/trace_kernels.hpp>
#include <align/trace_plan.hpp>
#include <align/trace_runs.hpp>
#include <align/uniform.hpp>
#include <align/workspace.hpp>
#include <helicity/align/trace_batch.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/stream.hpp>
#include <support/launch.cuh>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace helicity::align {
namespace {

constexpr int warps_per_block = tuning::trace_threads / 32;
constexpr std::size_t piece = 1024;  // pairs that a thread takes at a time

using Variants = std::array<TraceVariant, trace_shape_count>;

Variants variants_of(const Problem& problem)
{
  const bool uniform = is_uniform(problem.table);
  const bool local = problem.mode == Mode::local;
  Variants variants{};
  for (std::size_t shape = 0; shape < trace_shape_count; ++shape) {
    variants[shape] =
        local ? local_trace_variant(shape, uniform) : end_to_end_trace_variant(shape, uniform);
    HELICITY_CUDA(cudaFuncSetAttribute(variants[shape].kernel,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(variants[shape].shared_bytes)));
  }
  return variants;
}

TraceWarps resident_warps(const Variants& variants)
{
  int device = 0, processors = 0;
  HELICITY_CUDA(cudaGetDevice(&device));
  HELICITY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  TraceWarps warps{};
  for (std::size_t shape = 0; shape < trace_shape_count; ++shape) {
    int blocks = 0;
    HELICITY_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, variants[shape].kernel, tuning::trace_threads, variants[shape].shared_bytes));
    warps[shape] = std::max(blocks, 1) * processors * warps_per_block;
  }
  return warps;
}

/// At least `size` elements of staging memory; contents are lost.
template <class T>
void reserve(Buffer<T>& buffer, std::size_t size, Cuda order)
{
  if (buffer.size() >= size) return;
  buffer.reset();
  const bool pinned = size * sizeof(T) <= tuning::trace_pinned_bytes;
  buffer = Buffer<T>(pinned ? MemoryKind::pinned : MemoryKind::host, size + (pinned ? size / 4 : 0),
                     order);
}

template <class T>
T* part(std::byte* arena, std::size_t offset)
{
  return reinterpret_cast<T*>(arena + offset);
}

/// One of the batches in flight: its stream, and memory that is kept for the next.
struct TraceSlot
{
  static constexpr std::size_t kept_bytes = tuning::trace_kept_bytes;
  explicit TraceSlot(int device_id) : stream(device_id), done(device_id) {}

  Stream stream;
  Event done;
  Buffer<std::byte> staging;          // host side of the upload
  Buffer<std::byte> found;            // of results and offsets
  Buffer<std::uint32_t> ops;          // of runs
  Buffer<std::byte> arena;            // the device's side of all
  std::span<const TraceItem> items;   // of the batch in flight,
  std::optional<TraceLayout> layout;  // and its place in the arena
};

using TraceWorkspace = Workspace<TraceSlot>;

/// The batches of one call.
class TraceRun
{
 public:
  TraceRun(const Problem& problem, std::span<const CodePair> pairs, std::span<const EndCell> ends,
           TraceWorkspace& workspace, int threads, const PathSink& sink)
      : problem_(problem),
        pairs_(pairs),
        ends_(ends),
        workspace_(workspace),
        threads_(threads),
        sink_(sink),
        scheme_(trace_scheme(problem)),
        variants_(variants_of(problem)),
        warps_(resident_warps(variants_))
  {}

  /// Works through the items, two batches at a time: one is packed while the other computes.
  void operator()(std::span<const TraceItem> items)
  {
    std::size_t turn = 0;
    while (!items.empty()) {
      const std::size_t size = trace_batch_size(items, warps_, workspace_.pool.budget());
      TraceSlot& slot = workspace_.slots[turn];
      turn ^= 1;
      finish(slot);
      start(slot, workspace_.slots[turn], items.first(size));
      items = items.subspan(size);
    }
    finish(workspace_.slots[turn]);
    finish(workspace_.slots[turn ^ 1]);
  }

 private:
  void start(TraceSlot& slot, TraceSlot& other, std::span<const TraceItem> items);
  void reserve_arena(TraceSlot& slot, TraceSlot& other, std::size_t bytes);
  void pack(const TraceLayout& layout, std::byte* staging, std::span<const TraceItem> items) const;
  void launch_traces(TraceSlot& slot) const;
  void write_runs(TraceSlot& slot, std::size_t begin, std::size_t end, std::uint32_t first) const;
  void finish(TraceSlot& slot);
  void fetch_runs(TraceSlot& slot, std::uint32_t count) const;
  void hand_out(TraceSlot& slot, std::size_t begin, std::size_t end) const;

  const Problem& problem_;
  std::span<const CodePair> pairs_;
  std::span<const EndCell> ends_;
  TraceWorkspace& workspace_;
  int threads_;
  const PathSink& sink_;
  TraceScheme scheme_;
  Variants variants_;
  TraceWarps warps_;
};

void TraceRun::start(TraceSlot& slot, TraceSlot& other, std::span<const TraceItem> items)
{
  const Cuda exec = slot.stream.exec();
  slot.layout.emplace(warps_, trace_scratch_limit(workspace_.pool.budget()));
  TraceLayout& layout = *slot.layout;
  for (const TraceItem& item : items) layout.add(item);
  const auto count = static_cast<std::int32_t>(items.size());
  const std::size_t scan_bytes = trace_offset_bytes(count);
  layout.place(scan_bytes);
  reserve_arena(slot, other, layout.bytes);
  reserve(slot.staging, layout.upload_bytes, exec);
  reserve(slot.found, layout.download_bytes, exec);

  slot.items = items;
  pack(layout, slot.staging.data(), items);
  std::byte* arena = slot.arena.data();
  copy_bytes(arena, slot.staging.data(), layout.upload_bytes, exec);
  launch_traces(slot);
  auto* const runs = part<std::uint32_t>(arena, layout.runs);
  fill_bytes(runs + count, 0, sizeof(std::uint32_t), exec);
  trace_offsets(runs, count, part<std::uint32_t>(arena, layout.offsets), arena + layout.scan,
                scan_bytes, slot.stream.get());
  write_runs(slot, 0, items.size(), 0);
  copy_bytes(slot.found.data(), arena + layout.results, layout.download_bytes, exec);
  slot.done.record(exec.stream);
}

void TraceRun::reserve_arena(TraceSlot& slot, TraceSlot& other, std::size_t bytes)
{
  if (slot.arena.size() >= bytes) return;
  slot.arena.reset();
  if (MemoryPool::block_bytes(bytes) > workspace_.pool.available()) {
    finish(other);
    other.arena.reset();
  }
  slot.arena = Buffer<std::byte>(workspace_.pool, bytes, slot.stream.exec());
}

void TraceRun::pack(const TraceLayout& layout, std::byte* staging,
                    std::span<const TraceItem> items) const
{
  std::memcpy(staging + layout.table, problem_.table.score.data(), sizeof(ScoreTable::score));
  std::memset(staging + layout.next, 0, layout.tasks - layout.next);
  auto* const tasks = part<TraceTask>(staging, layout.tasks);
  std::uint64_t letters = 0, words = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const TraceItem& item = items[k];
    tasks[k] = {letters,
                letters + static_cast<std::uint64_t>(item.query_length),
                words,
                item.query_length,
                item.target_length,
                item.block_rows,
                item.block_columns};
    letters += item.letters();
    words += item.step_words();
  }

  auto* const codes = part<std::uint8_t>(staging, layout.letters);
  parallel_for(threads_, (items.size() + piece - 1) / piece, [&](std::size_t index, int) {
    const std::size_t end = std::min(items.size(), (index + 1) * piece);
    for (std::size_t k = index * piece; k < end; ++k) {
      const CodePair& pair = pairs_[items[k].pair];
      const TraceTask& task = tasks[k];
      std::memcpy(codes + task.query, pair.query, static_cast<std::size_t>(task.query_length));
      std::memcpy(codes + task.target, pair.target, static_cast<std::size_t>(task.target_length));
    }
  });
}

void TraceRun::launch_traces(TraceSlot& slot) const
{
  const TraceLayout& layout = *slot.layout;
  std::byte* const arena = slot.arena.data();
  TraceBatch batch{};
  batch.letters = part<std::uint8_t>(arena, layout.letters);
  batch.table = part<std::int32_t>(arena, layout.table);
  batch.scratch = part<TraceCell>(arena, layout.scratch);
  batch.steps = part<std::uint32_t>(arena, layout.steps);
  for (std::size_t k = 0; k < layout.launches().size(); ++k) {
    const TraceLaunch& group = layout.launches()[k];
    batch.tasks = part<TraceTask>(arena, layout.tasks) + group.begin;
    batch.count = static_cast<std::int32_t>(group.end - group.begin);
    batch.next = part<std::int32_t>(arena, layout.next) + k;
    batch.scratch_cells = static_cast<std::int64_t>(group.scratch / sizeof(TraceCell));
    batch.warps = group.warps;
    batch.results = part<TraceResult>(arena, layout.results) + group.begin;
    batch.runs = part<std::uint32_t>(arena, layout.runs) + group.begin;
    const TraceVariant& variant = variants_[group.shape];
    const int blocks = (group.warps + warps_per_block - 1) / warps_per_block;
    variant.kernel<<<blocks, tuning::trace_threads, variant.shared_bytes, slot.stream.get()>>>(
        batch, scheme_);
    check_cuda(cudaGetLastError(), "trace_kernel");
  }
}

/// Queues runs of items begin .. end - 1 to be written, if there are not too many; `first` is the
/// offset of the first one's.
void TraceRun::write_runs(TraceSlot& slot, std::size_t begin, std::size_t end,
                          std::uint32_t first) const
{
  const TraceLayout& layout = *slot.layout;
  std::byte* const arena = slot.arena.data();
  const TraceRuns paths{part<TraceTask>(arena, layout.tasks) + begin,
                        static_cast<std::int32_t>(end - begin),
                        part<std::uint32_t>(arena, layout.steps),
                        part<TraceResult>(arena, layout.results) + begin,
                        part<std::uint32_t>(arena, layout.offsets) + begin,
                        first,
                        part<std::uint32_t>(arena, layout.ops),
                        static_cast<std::uint32_t>(layout.run_capacity())};
  write_trace_runs(paths, slot.stream.get());
}

/// Waits for the batch in flight, if there is one, and hands its paths out. Where it has more runs
/// than were provided for, they come in several parts.
void TraceRun::finish(TraceSlot& slot)
{
  if (slot.items.empty()) return;
  slot.done.synchronize();
  const TraceLayout& layout = *slot.layout;
  const auto* const offsets =
      part<std::uint32_t>(slot.found.data(), layout.offsets - layout.results);
  const std::size_t count = slot.items.size();
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = count;
    if (offsets[count] > layout.run_capacity()) {
      const std::uint64_t last = offsets[begin] + layout.run_capacity();
      end = static_cast<std::size_t>(
          std::upper_bound(offsets + begin + 1, offsets + count + 1, last) - offsets - 1);
      write_runs(slot, begin, end, offsets[begin]);
    }
    fetch_runs(slot, offsets[end] - offsets[begin]);
    hand_out(slot, begin, end);
    begin = end;
  }
  slot.items = {};
  if (slot.staging.kind() == MemoryKind::host) slot.staging.reset();
}

void TraceRun::fetch_runs(TraceSlot& slot, std::uint32_t count) const
{
  const Cuda exec = slot.stream.exec();
  reserve(slot.ops, count, exec);
  copy_bytes(slot.ops.data(), slot.arena.data() + slot.layout->ops, count * sizeof(std::uint32_t),
             exec);
  slot.stream.synchronize();
}

void TraceRun::hand_out(TraceSlot& slot, std::size_t begin, std::size_t end) const
{
  const TraceLayout& layout = *slot.layout;
  std::byte* const found = slot.found.data();
  const auto* const results = part<TraceResult>(found, 0);
  const auto* const offsets = part<std::uint32_t>(found, layout.offsets - layout.results);
  const std::uint32_t* const ops = slot.ops.data();
  parallel_for(threads_, (end - begin + piece - 1) / piece, [&](std::size_t index, int) {
    const std::size_t last = std::min(end, begin + (index + 1) * piece);
    for (std::size_t k = begin + index * piece; k < last; ++k) {
      const std::size_t pair = slot.items[k].pair;
      Path path{.end = ends_[pair],
                .query_begin = results[k].query_begin,
                .target_begin = results[k].target_begin,
                .ops = {}};
      path.ops.assign(ops + (offsets[k] - offsets[begin]), ops + (offsets[k + 1] - offsets[begin]));
      sink_(pair, path);
    }
  });
}

}  // namespace

void trace_batch(Cuda exec, const Problem& problem, std::span<const CodePair> pairs,
                 std::span<const EndCell> ends, std::size_t memory, int threads, bool* taken,
                 const PathSink& sink)
{
  const DeviceGuard guard(exec.device_id);
  auto workspace = take_workspace<TraceSlot>(exec.device_id, memory);
  std::vector<std::size_t> empty;
  const auto items = plan_traces(problem, pairs, ends, workspace->pool.budget(), taken, empty);
  for (const std::size_t k : empty) {
    Path path = trace_of_edge(problem, ends[k]);
    sink(k, path);
  }
  if (!items.empty()) {
    if (exec.stream) {
      Event before(exec.device_id);
      before.record(exec.stream);
      for (TraceSlot& slot : workspace->slots) slot.stream.wait(before);
    }
    TraceRun run(problem, pairs, ends, *workspace, threads, sink);
    run(items);
  }
  put_back(std::move(workspace));
}

}  // namespace helicity::align
