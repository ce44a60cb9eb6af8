// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/buffer.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/stream.hpp>
#include <helicity/core/view.hpp>
#include <helicity/grid/box.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace helicity::grid {

/// Where in its cell a value stands. A face value (i, j, k) stands on the low face of cell
/// (i, j, k); the high face of the last cell has the index after it, in the halo.
enum class Stagger : std::uint8_t { centre, face_i, face_j, face_k };

/// Extent of a field on this rank.
struct FieldShape
{
  Index3 cells;   ///< owned by this rank
  Index3 halo;    ///< cells beyond them on both sides of each axis
  Index3 offset;  ///< global index of the first owned cell
  int components = 1;
  Stagger stagger = Stagger::centre;

  Box owned() const { return box_of(cells); }
  Box with_halo() const { return grown(owned(), halo); }

  friend bool operator==(const FieldShape&, const FieldShape&) = default;
};

/// Cells of one rank with their halo, in host or device memory: a structure of arrays, component
/// by component, i fastest. Cell (0, 0, 0) of each component and each row start on 128 bytes; the
/// low halo of a row lies at the end of the one before. Elements start as zero bytes.
///
///     Field<float> theta({.cells = {64, 64, 32}, .halo = {3, 3, 3}}, Cpu{8});
///     View3<float> t = theta.view();       // t(-3, 0, 0) is a halo cell
///
/// @note move-only; memory of a device is used in the order of the executor's stream
template <class T>
class Field
{
 public:
  Field() = default;

  /// @throws UsageError if an extent is negative or there is no cell or component; RuntimeFault if
  ///   there is not so much memory
  Field(const FieldShape& shape, const Executor& executor) : Field(shape, executor, nullptr) {}

  /// From a pool of the executor's memory. @throws RuntimeFault past its budget
  Field(const FieldShape& shape, const Executor& executor, MemoryPool& pool)
      : Field(shape, executor, &pool)
  {}

  const FieldShape& shape() const { return shape_; }
  const Executor& executor() const { return executor_; }
  bool on_device() const { return std::holds_alternative<Cuda>(executor_); }
  Box owned() const { return shape_.owned(); }

  View3<T> view(int component = 0) { return {first(component), n().i, n().j, n().k, sj_, sk_}; }
  View3<const T> view(int component = 0) const
  {
    return {const_cast<Field*>(this)->first(component), n().i, n().j, n().k, sj_, sk_};
  }

  Index component_stride() const { return sc_; }  ///< elements from one component to the next
  Index bytes() const { return static_cast<Index>(buffer_.bytes()); }
  Buffer<T>& buffer() { return buffer_; }
  const Buffer<T>& buffer() const { return buffer_; }

  /// Bytes that a field of this shape takes.
  static Index bytes_for(const FieldShape& shape)
  {
    Field f;
    return f.lay_out(shape) * static_cast<Index>(sizeof(T));
  }

 private:
  static constexpr Index row_bytes = 128;

  static Index round_up(Index n)
  {
    constexpr Index unit = row_bytes / static_cast<Index>(sizeof(T));
    return (n + unit - 1) / unit * unit;
  }

  Field(const FieldShape& shape, const Executor& executor, MemoryPool* pool) : executor_(executor)
  {
    if (shape.cells.i < 1 || shape.cells.j < 1 || shape.cells.k < 1 || shape.halo.i < 0 ||
        shape.halo.j < 0 || shape.halo.k < 0 || shape.components < 1)
      throw UsageError("a field needs at least one cell and one component");
    const auto size = static_cast<std::size_t>(lay_out(shape));
    const auto* cuda = std::get_if<Cuda>(&executor);
    const std::optional<Cuda> order = cuda ? std::optional<Cuda>(*cuda) : std::nullopt;
    const MemoryKind kind = cuda ? MemoryKind::device : MemoryKind::host;
    buffer_ = pool ? Buffer<T>(*pool, size, order) : Buffer<T>(kind, size, order);
    clear();
  }

  Index3 n() const { return shape_.cells; }

  /// Sets shape and strides; returns the number of elements.
  Index lay_out(const FieldShape& shape)
  {
    shape_ = shape;
    const Index3 total = shape.cells + shape.halo + shape.halo;
    lead_ = round_up(shape.halo.i);
    sj_ = round_up(total.i);
    sk_ = sj_ * total.j;
    // An odd number of 128-byte units between components: rows of many components at the same
    // cell then fall into different cache sets.
    sc_ = sk_ * total.k + lead_;
    constexpr Index unit = row_bytes / static_cast<Index>(sizeof(T));
    if (shape.components > 1 && sc_ / unit % 2 == 0) sc_ += unit;
    return sc_ * shape.components + unit;
  }

  T* first(int component)
  {
    return buffer_.data() + lead_ + shape_.halo.j * sj_ + shape_.halo.k * sk_ + component * sc_;
  }

  void clear();

  FieldShape shape_;
  Executor executor_;
  Index lead_ = 0, sj_ = 0, sk_ = 0, sc_ = 0;
  Buffer<T> buffer_;
};

/// Zero bytes in host memory, written by the threads that will use them.
HELICITY_EXPORT void clear_bytes(Cpu exec, void* data, std::size_t bytes);

template <class T>
void Field<T>::clear()
{
  if (const auto* cuda = std::get_if<Cuda>(&executor_))
    fill_bytes(buffer_.data(), 0, buffer_.bytes(), *cuda);
  else
    clear_bytes(std::get<Cpu>(executor_), buffer_.data(), buffer_.bytes());
}

}  // namespace helicity::grid
