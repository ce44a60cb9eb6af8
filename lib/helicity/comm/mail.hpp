// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/core/macros.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace helicity::comm {

/// Messages of host memory from rank to rank, for pipelines: sends return at once, receives wait.
///
///     Mail mail(comm);
///     mail.receive(bytes, rank - 1, tag);
///     const std::size_t letter = mail.send(more, rank + 1, tag);
///     mail.wait(letter);                     // `more` may be written again
///
/// Messages between two ranks with the same tag arrive in the order sent. Move-only.
/// @throws UsageError in a process alone; RuntimeFault as MPI fails
class HELICITY_EXPORT Mail
{
 public:
  explicit Mail(Communicator comm);
  ~Mail();  ///< waits for what was sent
  Mail(Mail&&) noexcept;
  Mail& operator=(Mail&&) noexcept;

  /// Sends bytes, which must stay as they are until wait(). Returns the letter's number.
  std::size_t send(std::span<const std::byte> bytes, int to, int tag);

  void wait(std::size_t letter);
  void wait_all();  ///< letters count from 0 again

  void receive(std::span<std::byte> bytes, int from, int tag);

 private:
  struct Letters;
  std::unique_ptr<Letters> letters_;
};

}  // namespace helicity::comm
