// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#define POCKETFFT_CACHE_SIZE 16
#include <pocketfft_hdronly.h>

namespace helicity::fft::bench {
namespace {

template <class E>
std::vector<std::ptrdiff_t> bytes(std::vector<std::ptrdiff_t> stride)
{
  for (auto& s : stride) s *= static_cast<std::ptrdiff_t>(sizeof(E));
  return stride;
}

}  // namespace

template <class T>
void pocketfft_c2c(const PeerShape& s, const std::complex<T>* in, std::complex<T>* out)
{
  using C = std::complex<T>;
  pocketfft::c2c(s.real, bytes<C>(s.real_stride), bytes<C>(s.spectrum_stride), s.axes, true, in,
                 out, T(1));
}

template <class T>
void pocketfft_r2c(const PeerShape& s, const T* in, std::complex<T>* out)
{
  pocketfft::r2c(s.real, bytes<T>(s.real_stride), bytes<std::complex<T>>(s.spectrum_stride), s.axes,
                 true, in, out, T(1));
}

template <class T>
void pocketfft_c2r(const PeerShape& s, const std::complex<T>* in, T* out)
{
  pocketfft::c2r(s.real, bytes<std::complex<T>>(s.spectrum_stride), bytes<T>(s.real_stride), s.axes,
                 false, in, out, T(1));
}

#define HELICITY_PEER(T)                                                                   \
  template void pocketfft_c2c(const PeerShape&, const std::complex<T>*, std::complex<T>*); \
  template void pocketfft_r2c(const PeerShape&, const T*, std::complex<T>*);               \
  template void pocketfft_c2r(const PeerShape&, const std::complex<T>*, T*);

HELICITY_PEER(float)
HELICITY_PEER(double)

}  // namespace helicity::fft::bench
