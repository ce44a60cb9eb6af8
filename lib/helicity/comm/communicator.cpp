// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/communicator.hpp>
#include <helicity/comm/detail/group.hpp>
#include <helicity/comm/detail/mpi.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace helicity::comm {
namespace {

using detail::handle;

/// A communicator that is freed with its owner, if MPI still runs.
std::shared_ptr<void> owned(MPI_Comm comm)
{
  const auto release = [](void* pointer) {
    const std::unique_ptr<MPI_Comm> kept(static_cast<MPI_Comm*>(pointer));
    if (detail::mpi_runs()) MPI_Comm_free(kept.get());
  };
  return {static_cast<void*>(std::make_unique<MPI_Comm>(comm).release()), release};
}

template <class T>
T reduced(const void* comm, T value, MPI_Datatype type, MPI_Op operation)
{
  if (comm == nullptr) return value;
  T result;
  HELICITY_MPI(MPI_Allreduce(&value, &result, 1, type, operation, handle(comm)));
  return result;
}

}  // namespace

Communicator Communicator::from_mpi(const void* comm)
{
  if (!detail::mpi_runs()) throw UsageError("a communicator of MPI, which is not initialised");
  MPI_Comm copy = MPI_COMM_NULL, node = MPI_COMM_NULL;
  HELICITY_MPI(MPI_Comm_dup(handle(comm), &copy));
  Group group;
  group.comm = owned(copy);
  HELICITY_MPI(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
  HELICITY_MPI(MPI_Comm_rank(copy, &group.rank));
  HELICITY_MPI(MPI_Comm_size(copy, &group.size));
  HELICITY_MPI(MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, group.rank, MPI_INFO_NULL, &node));
  const auto node_owner = owned(node);
  HELICITY_MPI(MPI_Comm_rank(node, &group.node_rank));
  HELICITY_MPI(MPI_Comm_size(node, &group.node_size));
  HELICITY_MPI(MPI_Allreduce(&group.rank, &group.node, 1, MPI_INT, MPI_MIN, node));
  Communicator result;
  result.group_ = std::make_shared<const Group>(std::move(group));
  return result;
}

void Communicator::barrier() const
{
  if (mpi() != nullptr) HELICITY_MPI(MPI_Barrier(handle(mpi())));
}

std::int64_t Communicator::max(std::int64_t value) const
{
  return reduced(mpi(), value, MPI_INT64_T, MPI_MAX);
}

std::int64_t Communicator::min(std::int64_t value) const
{
  return reduced(mpi(), value, MPI_INT64_T, MPI_MIN);
}

std::uint64_t Communicator::sum(std::uint64_t value) const
{
  return reduced(mpi(), value, MPI_UINT64_T, MPI_SUM);
}

ExactSum Communicator::sum(ExactSum value) const
{
  if (mpi() == nullptr) return value;
  value.normalise();  // digits of 26 bits: room for the sum over any number of ranks
  ExactSum::Digits& digits = value.digits();
  HELICITY_MPI(MPI_Allreduce(MPI_IN_PLACE, digits.data(), static_cast<int>(digits.size()),
                             MPI_INT64_T, MPI_SUM, handle(mpi())));
  return value;
}

void Communicator::broadcast(std::span<std::byte> bytes, int root) const
{
  if (root < 0 || root >= size()) throw UsageError("a broadcast from a rank that is not there");
  if (mpi() == nullptr) return;
  constexpr std::size_t piece = std::size_t{1} << 30;
  for (std::size_t first = 0; first < bytes.size(); first += piece) {
    const std::size_t count = std::min(piece, bytes.size() - first);
    HELICITY_MPI(
        MPI_Bcast(bytes.data() + first, static_cast<int>(count), MPI_BYTE, root, handle(mpi())));
  }
}

std::string Communicator::broadcast(std::string text, int root) const
{
  std::uint64_t length = text.size();
  broadcast(std::as_writable_bytes(std::span(&length, 1)), root);
  text.resize(length);
  broadcast(std::as_writable_bytes(std::span(text)), root);
  return text;
}

std::vector<std::string> Communicator::gather(std::string_view text) const
{
  if (mpi() == nullptr) return {std::string(text)};
  const auto ranks = static_cast<std::size_t>(size());
  if (max(static_cast<std::int64_t>(text.size())) * size() > std::numeric_limits<int>::max())
    throw UsageError("texts gathered from all ranks are too long");
  const int length = static_cast<int>(text.size());
  std::vector<int> lengths(ranks), starts(ranks);
  HELICITY_MPI(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, handle(mpi())));
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::string all(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
  HELICITY_MPI(MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(),
                              starts.data(), MPI_CHAR, handle(mpi())));
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < ranks; ++r)
    texts.push_back(
        all.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r])));
  return texts;
}

}  // namespace helicity::comm
