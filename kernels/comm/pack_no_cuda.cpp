// SPDX-License-Identifier: Apache-2.0
// What comm asks of CUDA, in a library built without it.
#include <helicity/comm/detail/pack.hpp>
#include <helicity/core/error.hpp>

namespace helicity::comm::detail {
namespace {

[[noreturn]] void refuse()
{
  throw RuntimeFault("halos on a device: Helicity was built without CUDA");
}

}  // namespace

PackPlan make_plan(Cuda, std::vector<Segment>) { refuse(); }
void pack(Cuda, const PackPlan&) { refuse(); }
void unpack(Cuda, const PackPlan&) { refuse(); }
DeviceName device_name(int) { refuse(); }

}  // namespace helicity::comm::detail
