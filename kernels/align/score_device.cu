// SPDX-License-Identifier: Apache-2.0
#include <align/score_kernel.cuh>
#include <align/score_launch.hpp>
#include <align/score_packed.hpp>
#include <align/score_plan.hpp>
#include <helicity/align/device_batch.hpp>
#include <helicity/core/device.hpp>
#include <helicity/core/error.hpp>
#include <support/launch.cuh>

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <array>
#include <string>

/// The plan of score_plan.cpp once more, by the device: pairs are sorted by shape and target length
/// there, and each shape's kernel reads its range of them.
namespace helicity::align {
namespace {

using Key = std::uint64_t;
constexpr int key_bits = 40;
constexpr std::uint32_t most_warps = 20;  // of a multiprocessor: each has a boundary row
constexpr std::uint32_t wide_strips = wide_shapes - 1;  // the shape that takes all lengths
constexpr int range_words =
    2 * static_cast<int>(all_shapes + 1);  // and that of the pairs run again

/// What a plan depends on, and where its parts are in the workspace.
struct Plan
{
  DeviceSequences queries, targets;
  DeviceLimits limits;
  DeviceEnds ends;
  ScoreRules rules;
  Key *keys, *sorted_keys;
  std::int32_t *pairs, *sorted_pairs;  // numbers of pairs
  ScoreTask *tasks, *again;
  ScoreEnd *found, *found_again;
  std::int32_t* again_from;  // places in `tasks`
  std::int32_t* ranges;      // of each shape: begin, end
  std::int32_t* next;        // work queues
};

struct TableWords
{
  std::int16_t score[32 * 32];
};

__device__ __forceinline__ void put_end(const DeviceEnds& ends, int pair, const ScoreEnd& end,
                                        DeviceStatus status)
{
  ends.score[pair] = end.score;
  ends.query_end[pair] = end.query_end;
  ends.target_end[pair] = end.target_end;
  ends.status[pair] = status;
}

/// A pair's place in the order of work; those that no kernel is to see come last.
__device__ Key plan_pair(const Plan& plan, int pair)
{
  constexpr Key nowhere = static_cast<Key>(all_shapes) << 32;
  const std::int32_t m = plan.queries.lengths[pair], n = plan.targets.lengths[pair];
  if (m < 0 || n < 0 || m > plan.limits.longest_query || n > plan.limits.longest_target) {
    put_end(plan.ends, pair, {}, DeviceStatus::too_long);
    return nowhere;
  }
  if (!plan.rules.takes(m, n)) {
    put_end(plan.ends, pair, {}, DeviceStatus::out_of_range);
    return nowhere;
  }
  if (m == 0 || n == 0) {
    put_end(plan.ends, pair, plan.rules.end_without_cells(m, n), DeviceStatus::ok);
    return nowhere;
  }
  return static_cast<Key>(plan.rules.shape(m, n)) << 32 | (0xffffffffU - static_cast<unsigned>(n));
}

__global__ void plan_pairs(const __grid_constant__ Plan plan)
{
  const auto pair = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pair >= plan.limits.pairs) return;
  plan.keys[pair] = plan_pair(plan, pair);
  plan.pairs[pair] = pair;
}

/// Codes are addressed from 0 on: two arrays of the caller, one base.
__global__ void make_tasks(const __grid_constant__ Plan plan)
{
  const auto k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= plan.limits.pairs) return;
  const auto shape = static_cast<std::uint32_t>(plan.sorted_keys[k] >> 32);
  if (shape >= all_shapes) return;
  const int pair = plan.sorted_pairs[k];
  plan.tasks[k] = {reinterpret_cast<std::uint64_t>(plan.queries.codes) + plan.queries.offsets[pair],
                   reinterpret_cast<std::uint64_t>(plan.targets.codes) + plan.targets.offsets[pair],
                   0, plan.queries.lengths[pair], plan.targets.lengths[pair]};
  if (k == 0 || plan.sorted_keys[k - 1] >> 32 != shape) plan.ranges[2 * shape] = k;
  if (k + 1 == plan.limits.pairs || plan.sorted_keys[k + 1] >> 32 != shape)
    plan.ranges[2 * shape + 1] = k + 1;
}

/// Hands results out; pairs that left 16 bits are listed for the 32-bit kernel.
__global__ void hand_out(const __grid_constant__ Plan plan)
{
  const auto k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= plan.limits.pairs || plan.sorted_keys[k] >> 32 >= all_shapes) return;
  if (plan.found[k].target_end != packed_overflow) {
    put_end(plan.ends, plan.sorted_pairs[k], plan.found[k], DeviceStatus::ok);
    return;
  }
  const int place = atomicAdd(plan.ranges + 2 * all_shapes + 1, 1);
  plan.again[place] = plan.tasks[k];
  plan.again_from[place] = k;
}

__global__ void hand_out_again(const __grid_constant__ Plan plan)
{
  const auto k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= plan.ranges[2 * all_shapes + 1]) return;
  put_end(plan.ends, plan.sorted_pairs[plan.again_from[k]], plan.found_again[k], DeviceStatus::ok);
}

__global__ void store_table(const __grid_constant__ TableWords table, std::int32_t* to)
{
  for (int k = static_cast<int>(threadIdx.x); k < 32 * 32; k += static_cast<int>(blockDim.x))
    to[k] = table.score[k];
}

std::size_t sort_bytes(int pairs)
{
  std::size_t bytes = 0;
  check_cuda(cub::DeviceRadixSort::SortPairs(
                 nullptr, bytes, static_cast<const Key*>(nullptr), static_cast<Key*>(nullptr),
                 static_cast<const std::int32_t*>(nullptr), static_cast<std::int32_t*>(nullptr),
                 pairs, 0, key_bits),
             "cub::DeviceRadixSort");
  return bytes;
}

/// The parts of a workspace, one after the other.
struct Workspace
{
  Workspace(const DeviceLimits& limits, int processors, std::byte* base) : base(base)
  {
    const auto pairs = static_cast<std::size_t>(limits.pairs);
    const std::size_t slots = static_cast<std::size_t>(processors) * most_warps;
    plan.limits = limits;
    plan.keys = part<Key>(pairs);
    plan.sorted_keys = part<Key>(pairs);
    plan.pairs = part<std::int32_t>(pairs);
    plan.sorted_pairs = part<std::int32_t>(pairs);
    plan.tasks = part<ScoreTask>(pairs);
    plan.again = part<ScoreTask>(pairs);
    plan.found = part<ScoreEnd>(pairs);
    plan.found_again = part<ScoreEnd>(pairs);
    plan.again_from = part<std::int32_t>(pairs);
    plan.ranges = part<std::int32_t>(2 * range_words);
    plan.next = plan.ranges + range_words;
    table = part<std::int32_t>(32 * 32);
    boundary_stride = static_cast<std::size_t>(std::max(limits.longest_target, 1));
    boundary = part<BoundaryCell>(slots * boundary_stride);
    temporary_bytes = sort_bytes(limits.pairs);
    temporary = part<std::byte>(temporary_bytes);
  }

  template <class T>
  T* part(std::size_t size)
  {
    std::byte* const begin = base + bytes;
    bytes += (size * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T*>(begin);
  }

  std::byte* base;
  std::size_t bytes = 0;
  Plan plan{};
  std::int32_t* table;
  BoundaryCell* boundary;
  std::size_t boundary_stride;
  std::byte* temporary;
  std::size_t temporary_bytes;
};

Workspace workspace_of(Cuda exec, const DeviceLimits& limits, void* base)
{
  if (limits.pairs < 0 || limits.longest_query < 0 || limits.longest_target < 0)
    throw UsageError("device batch: limits must not be negative");
  int processors = 0;
  HELICITY_CUDA(
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, exec.device_id));
  return Workspace(limits, processors, static_cast<std::byte*>(base));
}

void fill_table(const Problem& problem, std::int32_t* table, cudaStream_t stream)
{
  TableWords words{};
  for (std::size_t k = 0; k < problem.table.score.size(); ++k)
    words.score[k] = static_cast<std::int16_t>(problem.table.score[k]);
  launch("store_table", store_table, Launch{1, 256, stream}, words, table);
}

/// A batch of one shape's range; `shape` all_shapes: of the pairs to be run again.
ScoreBatch batch_of(const Workspace& space, std::size_t shape)
{
  const bool again = shape == all_shapes;
  const Plan& plan = space.plan;
  ScoreBatch batch{};
  batch.tasks = again ? plan.again : plan.tasks;
  batch.count = plan.limits.pairs;
  batch.boundary = space.boundary;
  batch.table = space.table;
  batch.next = plan.next + shape;
  batch.ends = again ? plan.found_again : plan.found;
  batch.range = plan.ranges + 2 * shape;
  batch.boundary_stride = space.boundary_stride;
  return batch;
}

}  // namespace

std::size_t device_workspace_bytes(Cuda exec, const DeviceLimits& limits)
{
  const DeviceGuard guard(exec.device_id);
  return workspace_of(exec, limits, nullptr).bytes;
}

void score_device_batch(Cuda exec, const Problem& problem, const DeviceSequences& queries,
                        const DeviceSequences& targets, const DeviceLimits& limits,
                        const DeviceEnds& ends, void* workspace, std::size_t workspace_bytes)
{
  const DeviceGuard guard(exec.device_id);
  Workspace space = workspace_of(exec, limits, workspace);
  if (workspace_bytes < space.bytes)
    throw UsageError("score_device_batch: the workspace has " + std::to_string(workspace_bytes) +
                     " bytes, needed are " + std::to_string(space.bytes));
  if (limits.pairs == 0) return;
  Plan& plan = space.plan;
  plan.queries = queries;
  plan.targets = targets;
  plan.ends = ends;
  plan.rules = score_rules(problem, has_packed_kernels(exec.device_id));
  const cudaStream_t stream = exec.stream;
  const Launch each{(limits.pairs + 255) / 256, 256, stream};

  fill_table(problem, space.table, stream);
  HELICITY_CUDA(cudaMemsetAsync(plan.ranges, 0, 2 * range_words * sizeof(std::int32_t), stream));
  launch("plan_pairs", plan_pairs, each, plan);
  check_cuda(cub::DeviceRadixSort::SortPairs(space.temporary, space.temporary_bytes, plan.keys,
                                             plan.sorted_keys, plan.pairs, plan.sorted_pairs,
                                             limits.pairs, 0, key_bits, stream),
             "cub::DeviceRadixSort");
  launch("make_tasks", make_tasks, each, plan);
  const ScoreScheme scheme = scheme_of(problem);
  for (std::uint32_t shape = 0; shape < (plan.rules.packed ? all_shapes : wide_shapes); ++shape)
    launch_scores(problem, shape, batch_of(space, shape), scheme, stream, most_warps);
  launch("hand_out", hand_out, each, plan);
  if (!plan.rules.packed || problem.mode != Mode::local) return;
  launch_scores(problem, wide_strips, batch_of(space, all_shapes), scheme, stream, most_warps);
  launch("hand_out_again", hand_out_again, each, plan);
}

}  // namespace helicity::align
