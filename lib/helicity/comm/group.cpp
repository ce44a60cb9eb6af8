// SPDX-License-Identifier: Apache-2.0
// What a communicator knows without communicating, with or without MPI.
#include <helicity/comm/detail/access.hpp>
#include <helicity/comm/detail/group.hpp>
#include <helicity/comm/detail/order.hpp>

#include <cmath>
#include <limits>

namespace helicity::comm {

Communicator::Communicator() : group_(std::make_shared<const Group>()) {}

int Communicator::rank() const { return group_->rank; }
int Communicator::size() const { return group_->size; }
int Communicator::node_rank() const { return group_->node_rank; }
int Communicator::node_size() const { return group_->node_size; }
const void* Communicator::mpi() const { return group_->comm.get(); }

double Communicator::max(double value) const
{
  constexpr auto nan = std::numeric_limits<std::int64_t>::max();
  return detail::number(max(std::isnan(value) ? nan : detail::ordered(value)));
}

double Communicator::min(double value) const
{
  constexpr auto nan = std::numeric_limits<std::int64_t>::min();
  return detail::number(min(std::isnan(value) ? nan : detail::ordered(value)));
}

bool Communicator::any(bool value) const { return max(std::int64_t{value}) != 0; }

int detail::Access::node(const Communicator& comm) { return comm.group_->node; }

int detail::Access::next_tag(const Communicator& comm)
{
  constexpr int tags = 32000;  // every MPI has 32767
  return comm.group_->tags++ % tags;
}

}  // namespace helicity::comm
