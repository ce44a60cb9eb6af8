// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <ducc0/fft/fft.h>
#include <ducc0/fft/fftnd_impl.h>

namespace helicity::fft::bench {

template <class T>
void ducc0_c2c(const PeerShape& s, const std::complex<T>* in, std::complex<T>* out)
{
  using C = std::complex<T>;
  ducc0::c2c(ducc0::cfmav<C>(in, s.real, s.real_stride),
             ducc0::vfmav<C>(out, s.spectrum, s.spectrum_stride), s.axes, true, T(1), 1);
}

template <class T>
void ducc0_r2c(const PeerShape& s, const T* in, std::complex<T>* out)
{
  ducc0::r2c(ducc0::cfmav<T>(in, s.real, s.real_stride),
             ducc0::vfmav<std::complex<T>>(out, s.spectrum, s.spectrum_stride), s.axes, true, T(1),
             1);
}

template <class T>
void ducc0_c2r(const PeerShape& s, const std::complex<T>* in, T* out)
{
  ducc0::c2r(ducc0::cfmav<std::complex<T>>(in, s.spectrum, s.spectrum_stride),
             ducc0::vfmav<T>(out, s.real, s.real_stride), s.axes, false, T(1), 1);
}

#define HELICITY_PEER(T)                                                               \
  template void ducc0_c2c(const PeerShape&, const std::complex<T>*, std::complex<T>*); \
  template void ducc0_r2c(const PeerShape&, const T*, std::complex<T>*);               \
  template void ducc0_c2r(const PeerShape&, const std::complex<T>*, T*);

HELICITY_PEER(float)
HELICITY_PEER(double)

}  // namespace helicity::fft::bench
