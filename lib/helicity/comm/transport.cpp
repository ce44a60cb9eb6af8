// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/access.hpp>
#include <helicity/comm/detail/messages.hpp>
#include <helicity/comm/transport.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/stream.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace helicity::comm {
namespace {

/// Sends one number from device memory to the next rank's: what came wrong, empty if nothing.
std::string try_device_memory(const Communicator& comm, Cuda exec)
{
  const int next = (comm.rank() + 1) % comm.size();
  const int previous = (comm.rank() + comm.size() - 1) % comm.size();
  const int tag = detail::Access::next_tag(comm);
  Buffer<std::int64_t> here(MemoryKind::device, 1, exec), there(MemoryKind::device, 1, exec);
  std::int64_t value = 1000 + comm.rank();
  copy_bytes(here.data(), &value, sizeof value, exec);
  fill_bytes(there.data(), 0, sizeof value, exec);
  synchronize(exec);
  detail::Messages messages;
  messages.add_receive(comm, previous, tag, reinterpret_cast<std::byte*>(there.data()),
                       sizeof value);
  messages.add_send(comm, next, tag, reinterpret_cast<const std::byte*>(here.data()), sizeof value);
  messages.start_receives();
  messages.start_sends();
  messages.wait();
  copy_bytes(&value, there.data(), sizeof value, exec);
  synchronize(exec);
  return value == 1000 + previous ? "" : "a number sent between devices arrived wrong";
}

/// Why device memory must not be handed to MPI; empty on every rank if it may.
std::string direct_problem(const Communicator& comm, Cuda exec)
{
  if (comm.any(!detail::mpi_claims_cuda())) return "the MPI library is not CUDA-aware";
  std::string problem;
  try {
    problem = try_device_memory(comm, exec);
  } catch (const Error& error) {
    problem = error.what();
  }
  for (const auto& text : comm.gather(problem))
    if (!text.empty()) return "the trial failed: " + text;
  return "";
}

}  // namespace

Transport choose_transport(const Communicator& comm, const Executor& executor,
                           TransportRequest request, std::string* why)
{
  std::string reason;
  std::string& said = why ? *why : reason;
  const auto* cuda = std::get_if<Cuda>(&executor);
  if (cuda == nullptr) {
    said = "fields in host memory";
    return Transport::host;
  }
  if (comm.size() == 1) {
    said = "one rank: nothing travels";
    return Transport::staged;
  }
  if (request == TransportRequest::off) {
    said = "device memory is not handed to MPI, as asked";
    return Transport::staged;
  }
  const std::string problem = direct_problem(comm, *cuda);
  if (problem.empty()) {
    said = "MPI is CUDA-aware, and a trial showed it";
    return Transport::direct;
  }
  if (request == TransportRequest::on)
    throw UsageError(fmt::format("device memory cannot be handed to MPI: {}", problem));
  said = problem;
  return Transport::staged;
}

const char* to_string(Transport transport)
{
  switch (transport) {
    case Transport::host: return "host";
    case Transport::staged: return "staged";
    case Transport::direct: return "direct";
  }
  return "unknown";
}

}  // namespace helicity::comm
