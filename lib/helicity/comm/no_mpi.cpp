// SPDX-License-Identifier: Apache-2.0
// What comm asks of MPI, in a library built without it: one process alone.
#include <helicity/comm/communicator.hpp>
#include <helicity/comm/detail/launcher.hpp>
#include <helicity/comm/detail/messages.hpp>
#include <helicity/comm/mail.hpp>
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>

#include <cstdio>
#include <cstdlib>

namespace helicity::comm {

Communicator Communicator::from_mpi(const void*)
{
  throw UsageError("a communicator of MPI: Helicity was built without MPI");
}

void Communicator::barrier() const {}
std::int64_t Communicator::max(std::int64_t value) const { return value; }
std::int64_t Communicator::min(std::int64_t value) const { return value; }
std::uint64_t Communicator::sum(std::uint64_t value) const { return value; }
ExactSum Communicator::sum(ExactSum value) const { return value; }

void Communicator::broadcast(std::span<std::byte>, int root) const
{
  if (root != 0) throw UsageError("a broadcast from a rank that is not there");
}

std::string Communicator::broadcast(std::string text, int root) const
{
  broadcast(std::span<std::byte>(), root);
  return text;
}

std::vector<std::string> Communicator::gather(std::string_view text) const
{
  return {std::string(text)};
}

struct Mail::Letters
{};

Mail::Mail(Communicator) { throw UsageError("mail in a process that is alone"); }
Mail::~Mail() = default;
Mail::Mail(Mail&&) noexcept = default;
Mail& Mail::operator=(Mail&&) noexcept = default;
std::size_t Mail::send(std::span<const std::byte>, int, int) { return 0; }
void Mail::wait(std::size_t) {}
void Mail::wait_all() {}
void Mail::receive(std::span<std::byte>, int, int) {}

Session::Session() { detail::check_world(detail::read_launcher(), 1, false); }
Session::~Session() { static_cast<void>(owns_mpi_); }

void Session::abort(int exit_code) const noexcept
{
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

namespace detail {

struct Messages::Requests
{};

Messages::Messages() = default;
Messages::~Messages() = default;
Messages::Messages(Messages&&) noexcept = default;
Messages& Messages::operator=(Messages&&) noexcept = default;
void Messages::add_send(const Communicator&, int, int, const std::byte*, std::size_t) {}
void Messages::add_receive(const Communicator&, int, int, std::byte*, std::size_t) {}
bool Messages::empty() const { return true; }
void Messages::start_receives() {}
void Messages::start_sends() {}
void Messages::wait() {}

bool mpi_claims_cuda() { return false; }

}  // namespace detail
}  // namespace helicity::comm
