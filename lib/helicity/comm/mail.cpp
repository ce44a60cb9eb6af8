// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/mpi.hpp>
#include <helicity/comm/mail.hpp>

#include <utility>
#include <vector>

namespace helicity::comm {

struct Mail::Letters
{
  Communicator comm;
  std::vector<MPI_Request> requests;
};

namespace {

int count_of(std::size_t bytes)
{
  constexpr std::size_t most = std::size_t{1} << 30;
  if (bytes > most) throw UsageError("a letter of more than 1 GiB");
  return static_cast<int>(bytes);
}

}  // namespace

Mail::Mail(Communicator comm) : letters_(std::make_unique<Letters>())
{
  if (comm.mpi() == nullptr) throw UsageError("mail in a process that is alone");
  letters_->comm = std::move(comm);
}

Mail::~Mail()
{
  if (letters_ == nullptr || letters_->requests.empty() || !detail::mpi_runs()) return;
  MPI_Waitall(static_cast<int>(letters_->requests.size()), letters_->requests.data(),
              MPI_STATUSES_IGNORE);
}

Mail::Mail(Mail&&) noexcept = default;
Mail& Mail::operator=(Mail&&) noexcept = default;

std::size_t Mail::send(std::span<const std::byte> bytes, int to, int tag)
{
  MPI_Request request = MPI_REQUEST_NULL;
  HELICITY_MPI(MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, to, tag,
                         detail::handle(letters_->comm.mpi()), &request));
  letters_->requests.push_back(request);
  return letters_->requests.size() - 1;
}

void Mail::wait(std::size_t letter)
{
  HELICITY_MPI(MPI_Wait(&letters_->requests.at(letter), MPI_STATUS_IGNORE));
}

void Mail::wait_all()
{
  HELICITY_MPI(MPI_Waitall(static_cast<int>(letters_->requests.size()), letters_->requests.data(),
                           MPI_STATUSES_IGNORE));
  letters_->requests.clear();
}

void Mail::receive(std::span<std::byte> bytes, int from, int tag)
{
  HELICITY_MPI(MPI_Recv(bytes.data(), count_of(bytes.size()), MPI_BYTE, from, tag,
                        detail::handle(letters_->comm.mpi()), MPI_STATUS_IGNORE));
}

}  // namespace helicity::comm
