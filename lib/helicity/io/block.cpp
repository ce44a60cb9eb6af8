// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/buffer.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/io/block.hpp>

#include <algorithm>
#include <cstring>
#include <variant>

namespace helicity::io {
namespace {

/// Planes [first, last) of a component and of its block, in bytes.
struct Rows
{
  std::byte* field = nullptr;  // cell (0, 0, first)
  std::byte* block = nullptr;
  std::size_t row = 0, field_row = 0, field_plane = 0;
  std::size_t rows = 0;  // per plane
  bool to_block = true;
};

void copy_plane(const Rows& r, std::size_t plane)
{
  std::byte* field = r.field + plane * r.field_plane;
  std::byte* block = r.block + plane * r.rows * r.row;
  for (std::size_t j = 0; j < r.rows; ++j, field += r.field_row, block += r.row)
    std::memcpy(r.to_block ? block : field, r.to_block ? field : block, r.row);
}

void copy_planes(const Rows& r, std::size_t planes, int threads)
{
  const std::size_t bytes = planes * r.rows * r.row;
  constexpr std::size_t least = std::size_t{1} << 20;  // below it threads cost more than they save
  parallel_for(bytes < least ? 1 : threads, planes, [&](std::size_t k, int) { copy_plane(r, k); });
}

/// Through pinned memory, some planes at a time with the halo between their rows.
void copy_device(const Cuda& exec, Rows r, std::size_t planes)
{
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  const std::size_t last = (r.rows - 1) * r.field_row + r.row;  // bytes that a plane spans
  const std::size_t step = std::clamp<std::size_t>(most_bytes / r.field_plane, 1, planes);
  Buffer<std::byte> stage(MemoryKind::pinned, (step - 1) * r.field_plane + last, exec);
  std::byte* const device = r.field;
  std::byte* const block = r.block;
  for (std::size_t k = 0; k < planes; k += step) {
    const std::size_t count = std::min(step, planes - k);
    const std::size_t bytes = (count - 1) * r.field_plane + last;
    copy_bytes(stage.data(), device + k * r.field_plane, bytes, exec);
    synchronize(exec);
    r.field = stage.data();
    r.block = block + k * r.rows * r.row;
    copy_planes(r, count, 1);
    if (r.to_block) continue;
    copy_bytes(device + k * r.field_plane, stage.data(), bytes, exec);
    synchronize(exec);
  }
}

}  // namespace

std::size_t size_of(ElementType type)
{
  switch (type) {
    case ElementType::uint8: return 1;
    case ElementType::int32:
    case ElementType::float32: return 4;
    case ElementType::int64:
    case ElementType::float64: return 8;
  }
  throw UsageError("unknown element type");
}

namespace detail {

void copy_rows(const Executor& executor, const grid::FieldShape& shape, std::byte* field, Index sj,
               Index sk, std::byte* block, std::size_t element_bytes, bool to_block)
{
  const auto count = [](Index n) { return static_cast<std::size_t>(n); };
  if (volume(shape.cells) == 0) return;
  const Rows rows{field,
                  block,
                  count(shape.cells.i) * element_bytes,
                  count(sj) * element_bytes,
                  count(sk) * element_bytes,
                  count(shape.cells.j),
                  to_block};
  if (const auto* cuda = std::get_if<Cuda>(&executor))
    copy_device(*cuda, rows, count(shape.cells.k));
  else
    copy_planes(rows, count(shape.cells.k), std::get<Cpu>(executor).threads);
}

}  // namespace detail
}  // namespace helicity::io
