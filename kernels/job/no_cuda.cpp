// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/triad.hpp>

namespace helicity::job {

void triad(Cuda, double*, const double*, const double*, double, std::size_t)
{
  throw RuntimeFault("a triad on a CUDA device: Helicity was built without CUDA");
}

}  // namespace helicity::job
