// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/messages.hpp>
#include <helicity/comm/detail/mpi.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace helicity::comm::detail {

struct Messages::Requests
{
  std::vector<MPI_Request> receives, sends;
  bool receiving = false, sending = false;

  ~Requests()
  {
    if (!mpi_runs()) return;
    if (receiving) MPI_Waitall(count(receives), receives.data(), MPI_STATUSES_IGNORE);
    if (sending) MPI_Waitall(count(sends), sends.data(), MPI_STATUSES_IGNORE);
    for (auto* list : {&receives, &sends})
      for (auto& request : *list) MPI_Request_free(&request);
  }

  static int count(const std::vector<MPI_Request>& list) { return static_cast<int>(list.size()); }
};

namespace {

/// Calls make(first byte, bytes) for pieces that an int counts.
template <class Make>
void in_pieces(std::size_t bytes, Make&& make)
{
  constexpr std::size_t piece = std::size_t{1} << 30;
  for (std::size_t first = 0; first < bytes; first += piece)
    make(first, static_cast<int>(std::min(piece, bytes - first)));
}

void start(std::vector<MPI_Request>& list, bool& running)
{
  if (list.empty()) return;
  HELICITY_MPI(MPI_Startall(static_cast<int>(list.size()), list.data()));
  running = true;
}

void wait_for(std::vector<MPI_Request>& list, bool& running)
{
  if (!std::exchange(running, false)) return;
  HELICITY_MPI(MPI_Waitall(static_cast<int>(list.size()), list.data(), MPI_STATUSES_IGNORE));
}

}  // namespace

Messages::Messages() : requests_(std::make_unique<Requests>()) {}
Messages::~Messages() = default;
Messages::Messages(Messages&&) noexcept = default;
Messages& Messages::operator=(Messages&&) noexcept = default;

void Messages::add_send(const Communicator& comm, int to, int tag, const std::byte* data,
                        std::size_t bytes)
{
  in_pieces(bytes, [&](std::size_t first, int count) {
    MPI_Request request;
    HELICITY_MPI(
        MPI_Send_init(data + first, count, MPI_BYTE, to, tag, handle(comm.mpi()), &request));
    requests_->sends.push_back(request);
  });
}

void Messages::add_receive(const Communicator& comm, int from, int tag, std::byte* data,
                           std::size_t bytes)
{
  in_pieces(bytes, [&](std::size_t first, int count) {
    MPI_Request request;
    HELICITY_MPI(
        MPI_Recv_init(data + first, count, MPI_BYTE, from, tag, handle(comm.mpi()), &request));
    requests_->receives.push_back(request);
  });
}

bool Messages::empty() const { return requests_->sends.empty() && requests_->receives.empty(); }
void Messages::start_receives() { start(requests_->receives, requests_->receiving); }
void Messages::start_sends() { start(requests_->sends, requests_->sending); }

void Messages::wait()
{
  wait_for(requests_->receives, requests_->receiving);
  wait_for(requests_->sends, requests_->sending);
}

bool mpi_claims_cuda()
{
  // An extension of Open MPI and MPICH; looked up, since others have neither header nor symbol.
  auto* const query = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
  return query != nullptr && query() == 1;
}

}  // namespace helicity::comm::detail
