// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>

#include <cstddef>
#include <memory>

namespace helicity::comm::detail {

/// Messages that are sent and received again and again, over persistent requests.
class Messages
{
 public:
  Messages();
  ~Messages();  ///< waits for what runs
  Messages(Messages&&) noexcept;
  Messages& operator=(Messages&&) noexcept;

  /// Memory and ranks stay the same. Several messages between two ranks arrive in the order in
  /// which both add them. Any number of bytes.
  void add_send(const Communicator& comm, int to, int tag, const std::byte* data,
                std::size_t bytes);
  void add_receive(const Communicator& comm, int from, int tag, std::byte* data, std::size_t bytes);

  bool empty() const;

  void start_receives();
  void start_sends();
  void wait();  ///< for all

 private:
  struct Requests;
  std::unique_ptr<Requests> requests_;
};

/// Whether the MPI library says that it takes device memory.
bool mpi_claims_cuda();

}  // namespace helicity::comm::detail
