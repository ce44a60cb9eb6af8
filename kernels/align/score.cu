// SPDX-License-Identifier: Apache-2.0
#include <align/score_kernel.cuh>
#include <align/score_launch.hpp>
#include <align/score_packed.hpp>
#include <align/score_plan.hpp>
#include <align/uniform.hpp>
#include <align/workspace.hpp>
#include <helicity/align/score_batch.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/stream.hpp>
#include <support/launch.cuh>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace helicity::align {
namespace {

using tuning::score_shapes;
constexpr std::size_t shapes = wide_shapes;

using Kernel = void (*)(ScoreBatch, ScoreScheme);

template <std::size_t Shape>
Kernel kernel_of_shape(bool local, bool uniform)
{
  constexpr tuning::Shape shape = score_shapes[Shape];
  constexpr int lanes = shape.lanes, rows = shape.rows, blocks = shape.blocks;
  if (local)
    return uniform ? score_kernel<lanes, rows, blocks, true, UniformScores<ScoreScheme>>
                   : score_kernel<lanes, rows, blocks, true, TableScores<ScoreScheme>>;
  return uniform ? score_kernel<lanes, rows, blocks, false, UniformScores<ScoreScheme>>
                 : score_kernel<lanes, rows, blocks, false, TableScores<ScoreScheme>>;
}

template <std::size_t... Shapes>
std::array<Kernel, shapes> kernels_of(bool local, bool uniform, std::index_sequence<Shapes...>)
{
  return {kernel_of_shape<Shapes>(local, uniform)...};
}

Kernel wide_kernel(const Problem& problem, std::uint32_t shape)
{
  return kernels_of(problem.mode == Mode::local, is_uniform(problem.table),
                    std::make_index_sequence<shapes>())[shape];
}

/// Pairs that the current device holds at once, by shape.
ScoreWaves waves_of(const Problem& problem)
{
  int device = 0, processors = 0;
  HELICITY_CUDA(cudaGetDevice(&device));
  HELICITY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  ScoreWaves waves{};
  for (std::uint32_t shape = 0; shape < shapes; ++shape) {
    constexpr int threads = tuning::score_threads;
    const int blocks =
        resident_blocks(wide_kernel(problem, shape), threads, std::numeric_limits<int>::max());
    waves[shape] = static_cast<std::size_t>(blocks) * (threads / score_shapes[shape].lanes);
  }
  for (std::size_t k = 0; k + shapes < waves.size(); ++k) {  // a block on each, two pairs to a lane
    waves[shapes + k] = static_cast<std::size_t>(processors) * 2 * tuning::packed_threads /
                        static_cast<std::size_t>(tuning::packed_shapes[k].lanes);
  }
  return waves;
}

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

/// Blocks of no more threads than spread the work over all multiprocessors, one block on each.
void launch_packed(const PackedKernel& kernel, int lanes, const ScoreBatch& batch,
                   const ScoreScheme& scheme, cudaStream_t stream)
{
  int device = 0, processors = 0;
  HELICITY_CUDA(cudaGetDevice(&device));
  HELICITY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const int pairs_per_warp = 2 * 32 / lanes;
  const int warps = (batch.count + pairs_per_warp - 1) / pairs_per_warp;
  constexpr int most = tuning::packed_threads / 32;
  const int warps_per_block = std::clamp((warps + processors - 1) / processors, 4, most);
  const int blocks = std::min(processors, (warps + warps_per_block - 1) / warps_per_block);
  const int shared = kernel.table_bytes + warps_per_block * kernel.bytes_per_warp;
  HELICITY_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel.kernel),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     kernel.table_bytes + most * kernel.bytes_per_warp));
  kernel.kernel<<<blocks, warps_per_block * 32, static_cast<std::size_t>(shared), stream>>>(batch,
                                                                                            scheme);
  check_cuda(cudaGetLastError(), "score_packed");
}

}  // namespace

bool has_packed_kernels(int device_id)
{
  int major = 0;
  HELICITY_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device_id));
  return major == 9 || major == 10;
}

void launch_scores(const Problem& problem, std::uint32_t shape, const ScoreBatch& batch,
                   const ScoreScheme& scheme, cudaStream_t stream, int most_warps)
{
  if (shape >= wide_shapes) {
    const std::size_t k = shape - wide_shapes;
    launch_packed(problem.mode == Mode::local ? packed_local_kernel(k) : packed_global_kernel(k),
                  tuning::packed_shapes[k].lanes, batch, scheme, stream);
    return;
  }
  constexpr int threads = tuning::score_threads;
  const Kernel kernel = wide_kernel(problem, shape);
  const int pairs_per_block = threads / score_shapes[shape].lanes;
  int device = 0, processors = 0;
  HELICITY_CUDA(cudaGetDevice(&device));
  HELICITY_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const long long blocks =
      std::min<long long>((batch.count + pairs_per_block - 1) / pairs_per_block,
                          1LL * processors * most_warps / (threads / 32));
  const Launch grid{resident_blocks(kernel, threads, blocks), threads, stream};
  launch("score_kernel", kernel, grid, batch, scheme);
}

namespace {

/// One of the batches in flight: its stream, and memory that is kept for the next.
struct ScoreSlot
{
  static constexpr std::size_t kept_bytes = tuning::score_kept_bytes;
  explicit ScoreSlot(int device_id) : stream(device_id), done(device_id) {}

  Stream stream;
  Event done;
  Buffer<std::byte> staging;  // host side of the upload
  Buffer<ScoreEnd> ends;
  Buffer<std::byte> arena;           // the device's side of all
  std::span<const ScoreItem> items;  // of the batch in flight
};

using ScoreWorkspace = Workspace<ScoreSlot>;

/// The batches of one call.
class Run
{
 public:
  Run(const Problem& problem, std::span<const CodePair> pairs, ScoreWorkspace& workspace,
      int threads, EndCell* ends, bool* taken)
      : problem_(problem),
        pairs_(pairs),
        workspace_(workspace),
        threads_(threads),
        ends_(ends),
        taken_(taken),
        rules_(score_rules(problem, false)),
        scheme_(scheme_of(problem)),
        waves_(waves_of(problem))
  {}

  /// Computes all items; those that turn out to need 32 bits once more.
  void operator()(std::span<const ScoreItem> items)
  {
    run(items);
    std::vector<ScoreItem> again;
    again.swap(again_);
    std::sort(again.begin(), again.end());
    run(again);
  }

 private:
  /// Works through the items, two batches at a time: one is packed while the other computes.
  void run(std::span<const ScoreItem> items)
  {
    std::size_t turn = 0;
    while (!items.empty()) {
      const std::size_t size = score_batch_size(items, waves_, workspace_.pool.budget());
      ScoreSlot& slot = workspace_.slots[turn];
      turn ^= 1;
      finish(slot);
      start(slot, workspace_.slots[turn], items.first(size));
      items = items.subspan(size);
    }
    finish(workspace_.slots[turn]);
    finish(workspace_.slots[turn ^ 1]);
  }

  void start(ScoreSlot& slot, ScoreSlot& other, std::span<const ScoreItem> items);
  void pack(const ScoreLayout& layout, std::byte* staging, std::span<const ScoreItem> items) const;
  void launch_kernels(const ScoreSlot& slot, const ScoreLayout& layout, std::byte* arena) const;
  void widen(const ScoreItem& item);
  void finish(ScoreSlot& slot);

  const Problem& problem_;
  std::span<const CodePair> pairs_;
  ScoreWorkspace& workspace_;
  int threads_;
  EndCell* ends_;
  bool* taken_;
  ScoreRules rules_;
  ScoreScheme scheme_;
  ScoreWaves waves_;
  std::vector<ScoreItem> again_;
};

void Run::start(ScoreSlot& slot, ScoreSlot& other, std::span<const ScoreItem> items)
{
  const ScoreLayout layout(items);
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

void Run::pack(const ScoreLayout& layout, std::byte* staging,
               std::span<const ScoreItem> items) const
{
  std::memcpy(staging + layout.table, problem_.table.score.data(), sizeof(ScoreTable::score));
  std::memset(staging + layout.next, 0, all_shapes * sizeof(std::int32_t));
  auto* const tasks = reinterpret_cast<ScoreTask*>(staging + layout.tasks);
  std::uint64_t letters = 0, boundary = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const ScoreItem& item = items[k];
    tasks[k] = {letters, letters + static_cast<std::uint64_t>(item.query_length), boundary,
                item.query_length, item.target_length};
    letters += item.letters();
    boundary += item.boundary_cells();
  }

  auto* const codes = reinterpret_cast<std::uint8_t*>(staging + layout.letters);
  constexpr std::size_t piece = 2048;
  const int threads = std::min(threads_, tuning::score_packing_threads);
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

void Run::launch_kernels(const ScoreSlot& slot, const ScoreLayout& layout, std::byte* arena) const
{
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

    launch_scores(problem_, shape, batch, scheme_, slot.stream.get());
    begin = end;
  }
}

/// An item whose score left 16 bits: once more in 32, if they fit the memory.
void Run::widen(const ScoreItem& item)
{
  ScoreItem wide = item;
  wide.shape = rules_.shape(false, item.query_length, item.target_length);
  if (ScoreLayout::fixed_bytes + wide.device_bytes() > workspace_.pool.budget()) {
    taken_[item.pair] = false;
  } else {
    again_.push_back(wide);
  }
}

/// Waits for the batch in flight, if there is one, and hands its ends out.
void Run::finish(ScoreSlot& slot)
{
  if (slot.items.empty()) return;
  slot.done.synchronize();
  const ScoreEnd* found = slot.ends.data();
  for (std::size_t k = 0; k < slot.items.size(); ++k) {
    if (found[k].target_end == packed_overflow) {
      widen(slot.items[k]);
    } else {
      ends_[slot.items[k].pair] = {found[k].score, found[k].query_end, found[k].target_end};
    }
  }
  slot.items = {};
  if (slot.staging.kind() == MemoryKind::host) slot.staging.reset();
}

}  // namespace

void score_batch(Cuda exec, const Problem& problem, std::span<const CodePair> pairs,
                 std::size_t memory, EndCell* ends, bool* taken, const ScoreOptions& options)
{
  const int threads = resolve_threads(options.threads);
  const DeviceGuard guard(exec.device_id);
  auto workspace = take_workspace<ScoreSlot>(exec.device_id, memory);
  const bool packed =
      options.engine == ScoreEngine::automatic && has_packed_kernels(exec.device_id);
  const auto items = plan_scores(problem, pairs, packed, workspace->pool.budget(), ends, taken);
  if (exec.stream) {
    Event before(exec.device_id);
    before.record(exec.stream);
    for (ScoreSlot& slot : workspace->slots) slot.stream.wait(before);
  }
  Run run(problem, pairs, *workspace, threads, ends, taken);
  run(items);
  put_back(std::move(workspace));
}

}  // namespace helicity::align
