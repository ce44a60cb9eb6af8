// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/exact_sum.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helicity::comm {
namespace detail {
struct Access;
}

/// A group of ranks that work together; one rank alone where there is no MPI. Copies share the
/// group. Everything below but rank() and size() is collective: all ranks call it, in one order.
/// Results depend on the values alone, never on how many ranks hold them.
/// @throws RuntimeFault with the MPI call and its cause, from every function that communicates
class HELICITY_EXPORT Communicator
{
 public:
  Communicator();  ///< this process alone

  /// Shares an MPI communicator of the caller's.
  /// @param comm  points to an MPI_Comm; it is duplicated
  /// @throws UsageError if the library was built without MPI, or MPI is not initialised
  static Communicator from_mpi(const void* comm);

  int rank() const;
  int size() const;
  int node_rank() const;  ///< among the ranks of this group on this host
  int node_size() const;

  void barrier() const;

  double max(double value) const;  ///< NaN if one rank's is; -0 is below +0
  double min(double value) const;  ///< alike
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  std::uint64_t sum(std::uint64_t value) const;  ///< wraps
  ExactSum sum(ExactSum value) const;
  bool any(bool value) const;

  /// Rank `root`'s text or bytes, on every rank.
  std::string broadcast(std::string text, int root = 0) const;
  void broadcast(std::span<std::byte> bytes, int root = 0) const;

  /// The texts of all ranks, in order, on every rank.
  std::vector<std::string> gather(std::string_view text) const;

  /// Points to the MPI_Comm; nullptr for a process alone without MPI.
  const void* mpi() const;

 private:
  friend class Session;
  friend struct detail::Access;
  struct Group;
  std::shared_ptr<const Group> group_;
};

}  // namespace helicity::comm
