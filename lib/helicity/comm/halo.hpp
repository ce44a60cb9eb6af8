// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/comm/decomposition.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/exec.hpp>
#include <helicity/core/macros.hpp>
#include <helicity/grid/box.hpp>
#include <helicity/grid/field.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace helicity::comm {

/// One component's part in what a rank sends towards one neighbour and what it takes from the
/// opposite one. Boxes are in this rank's local cells.
struct HaloPiece
{
  std::byte* origin = nullptr;  ///< cell (0, 0, 0) of the component
  int element_bytes = 4;        ///< 2, 4 or 8
  Index sj = 0, sk = 0;         ///< strides in elements
  Index3 direction;             ///< {-1, 0, 1}^3 but {0, 0, 0}: where `send` goes
  grid::Box send;               ///< read here, sent to the neighbour in `direction`
  grid::Box receive;            ///< written here with what came from the neighbour in -direction
};

/// What an exchange moves, said by this rank.
struct HaloTraffic
{
  int messages = 0;             ///< sent per exchange; one per neighbouring rank
  std::size_t bytes_sent = 0;   ///< per exchange, to other ranks
  std::size_t bytes_local = 0;  ///< per exchange, across periodic ends within this rank
};

/// A reusable exchange of halos: built once, run every stage. All pieces for one neighbouring rank
/// travel in one message, packed and unpacked on the executor's device, over persistent requests.
///
///     HaloExchange halo(comm, decomposition, executor, transport);
///     halo.add(u, {1, 1, 1});                 // whole halos, edges and corners too
///     halo.add(v, {1, 1, 1});
///     halo.commit();
///     {
///       auto flight = halo.start();           // packs and sends
///       compute(inner);                       // reads no halo, writes nothing that is sent
///     }                                       // or flight.finish(): halos are filled
///     compute(outer);
///
/// Ends of the domain that are not periodic are left untouched. Pieces of all ranks must agree: the
/// k-th piece for a direction here is the k-th one there, with a receive box of the same size.
/// Receive boxes must not overlap: they are filled in no order. All that is sent is read before
/// anything is received. Fields must outlive the exchange, and it may not move while one runs.
/// @note Local copies (periodic axis, one rank) take the same path without MPI.
class HELICITY_EXPORT HaloExchange
{
 public:
  HaloExchange(Communicator comm, Decomposition decomposition, Executor executor,
               Transport transport);
  ~HaloExchange();
  HaloExchange(HaloExchange&&) noexcept;
  HaloExchange& operator=(HaloExchange&&) noexcept;

  /// Adds one piece; those for a neighbour that is not there are dropped.
  /// @throws UsageError after commit(), or if the boxes differ in size or the direction is zero
  void add(const HaloPiece& piece);

  /// Adds the halo of every component of a field, `width` cells deep: 26 directions.
  /// @throws UsageError if the field's halo is narrower than `width`, its cells are not those that
  ///   the rank owns, or the smallest rank owns fewer than `width` of them
  template <class T>
  void add(grid::Field<T>& field, Index3 width)
  {
    for (int c = 0; c < field.shape().components; ++c) {
      const View3<T> v = field.view(c);
      add_halo(reinterpret_cast<std::byte*>(v.origin), static_cast<int>(sizeof(T)), v.sj, v.sk,
               field.shape(), width);
    }
  }

  /// Makes buffers and requests. Collective.
  /// @throws UsageError, on every rank, if what two ranks send and expect differs in size;
  ///   RuntimeFault
  void commit();

  /// A running exchange; its end (or finish()) waits and unpacks.
  class HELICITY_EXPORT Flight
  {
   public:
    explicit Flight(HaloExchange* halo) : halo_(halo) {}
    Flight(Flight&& other) noexcept : halo_(other.halo_) { other.halo_ = nullptr; }
    Flight& operator=(Flight&&) = delete;
    ~Flight() noexcept(false) { finish(); }

    /// Waits for the messages and unpacks them; on CUDA the unpacking is queued on the executor's
    /// stream, before anything queued there afterwards.
    void finish()
    {
      if (halo_ != nullptr) std::exchange(halo_, nullptr)->finish();
    }

   private:
    HaloExchange* halo_;
  };

  /// Packs and sends. On CUDA the packing is queued behind what the executor's stream holds; the
  /// host waits for it (and for nothing queued later) before messages leave.
  /// @throws UsageError if one is running or commit() was not called
  [[nodiscard]] Flight start();

  void exchange() { start().finish(); }

  HaloTraffic traffic() const;
  Transport transport() const;

 private:
  void add_halo(std::byte* origin, int element_bytes, Index sj, Index sk,
                const grid::FieldShape& shape, Index3 width);
  void finish();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace helicity::comm
