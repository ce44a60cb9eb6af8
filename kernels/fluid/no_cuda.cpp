// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels of a library built without CUDA: resolve() never lets a Cuda executor be made.
#include <helicity/core/error.hpp>
#include <helicity/fluid/lbm_step.hpp>
#include <helicity/fluid/ns_step.hpp>

namespace helicity::fluid {
namespace {

[[noreturn]] void refuse() { throw UsageError("this library was built without CUDA"); }

}  // namespace

template <class T>
void lbm_step(Cuda, LatticeKind, Layout, Populations<T>, grid::Box, const Relaxation<T>&,
              const FluidCells&)
{
  refuse();
}

template <class T>
void apply_links(Cuda, Populations<T>, const LinkRun<T>*, Index, bool)
{
  refuse();
}

template <class T>
void lbm_moments(Cuda, LatticeKind, Layout, Populations<const T>, const Relaxation<T>&,
                 View3<const std::uint8_t>, Populations<T>)
{
  refuse();
}

template <class T>
void lbm_population(Cuda, LatticeKind, Layout, Populations<const T>, int, View3<const std::uint8_t>,
                    View3<T>)
{
  refuse();
}

template <class T>
void lbm_set_moments(Cuda, LatticeKind, Populations<const T>, bool, const Relaxation<T>&,
                     Populations<T>)
{
  refuse();
}

template <class T>
std::int64_t first_bad_cell(Cuda, Populations<const T>, Index3, Index3, T)
{
  refuse();
}

#define HELICITY_INSTANTIATE(T)                                                                    \
  template void lbm_step(Cuda, LatticeKind, Layout, Populations<T>, grid::Box,                     \
                         const Relaxation<T>&, const FluidCells&);                                 \
  template void apply_links(Cuda, Populations<T>, const LinkRun<T>*, Index, bool);                 \
  template void lbm_moments(Cuda, LatticeKind, Layout, Populations<const T>, const Relaxation<T>&, \
                            View3<const std::uint8_t>, Populations<T>);                            \
  template void lbm_population(Cuda, LatticeKind, Layout, Populations<const T>, int,               \
                               View3<const std::uint8_t>, View3<T>);                               \
  template void lbm_set_moments(Cuda, LatticeKind, Populations<const T>, bool,                     \
                                const Relaxation<T>&, Populations<T>);                             \
  template std::int64_t first_bad_cell(Cuda, Populations<const T>, Index3, Index3, T);
HELICITY_INSTANTIATE(float)
HELICITY_INSTANTIATE(double)

template <class T>
void ns_advance(Cuda, const NsStep<T>&)
{
  refuse();
}

template <class T>
void ns_divergence(Cuda, const NsStep<T>&, View3<T>)
{
  refuse();
}

template <class T>
void ns_correct(Cuda, const NsStep<T>&)
{
  refuse();
}

template <class T>
std::int64_t ns_first_bad_cell(Cuda, const NsStep<T>&, Index3, Index3, T, T)
{
  refuse();
}

template <class T>
double ns_largest_divergence(Cuda, const NsStep<T>&)
{
  refuse();
}

#define HELICITY_INSTANTIATE_NS(T)                                                       \
  template void ns_advance(Cuda, const NsStep<T>&);                                      \
  template void ns_divergence(Cuda, const NsStep<T>&, View3<T>);                         \
  template void ns_correct(Cuda, const NsStep<T>&);                                      \
  template std::int64_t ns_first_bad_cell(Cuda, const NsStep<T>&, Index3, Index3, T, T); \
  template double ns_largest_divergence(Cuda, const NsStep<T>&);
HELICITY_INSTANTIATE_NS(float)
HELICITY_INSTANTIATE_NS(double)

}  // namespace helicity::fluid
