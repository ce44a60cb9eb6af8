// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/buffer.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/grid/box.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace helicity::comm::detail {

/// A box of one component, and where its cells lie one after another, i the fastest.
struct Segment
{
  std::byte* origin = nullptr;  ///< cell (0, 0, 0)
  std::byte* packed = nullptr;  ///< aligned to element_bytes
  Index sj = 0, sk = 0;         ///< strides in elements
  grid::Box box;
  int element_bytes = 4;  ///< 2, 4 or 8

  std::size_t bytes() const
  {
    return static_cast<std::size_t>(box.cells()) * static_cast<std::size_t>(element_bytes);
  }
};

/// Some cells of a segment in the order of packing: rows for a CPU, cells for CUDA.
struct Chunk
{
  int segment = 0;
  Index first = 0, last = 0;
};

/// Segments and how they are cut into pieces of work. The segments of one plan are disjoint, so
/// that all may be moved at once.
struct PackPlan
{
  std::vector<Segment> segments;
  std::vector<Chunk> chunks;
  std::size_t bytes = 0;
  Buffer<Segment> device_segments;  ///< CUDA: copies
  Buffer<Chunk> device_chunks;
};

PackPlan make_plan(Cpu exec, std::vector<Segment> segments);

/// Copies the plan to the device; waits for that.
PackPlan make_plan(Cuda exec, std::vector<Segment> segments);

/// Copies cells to `packed`.
void pack(Cpu exec, const PackPlan& plan);
void pack(Cuda exec, const PackPlan& plan);  ///< one launch; does not wait

/// Copies cells from `packed`.
void unpack(Cpu exec, const PackPlan& plan);
void unpack(Cuda exec, const PackPlan& plan);  ///< one launch; does not wait

/// What a device is known by: "PCI-id", and a key that differs for each part of a divided GPU.
/// Makes no context.
struct DeviceName
{
  std::string pci, key;
};
DeviceName device_name(int device_id);

}  // namespace helicity::comm::detail
