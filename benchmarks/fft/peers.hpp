// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

/// Transforms of libraries other than FFTW, one file each, built where it is found: see
/// CMakeLists.txt.

namespace helicity::fft::bench {

/// The slowest dimension first, as these libraries want it. Strides in elements.
struct PeerShape
{
  std::vector<std::size_t> real;  ///< extents in space
  std::vector<std::size_t> spectrum;
  std::vector<std::ptrdiff_t> real_stride, spectrum_stride;
  std::vector<std::size_t> axes;  ///< the last is the halved one
};

template <class T>
void pocketfft_c2c(const PeerShape& s, const std::complex<T>* in, std::complex<T>* out);
template <class T>
void pocketfft_r2c(const PeerShape& s, const T* in, std::complex<T>* out);
template <class T>
void pocketfft_c2r(const PeerShape& s, const std::complex<T>* in, T* out);

template <class T>
void ducc0_c2c(const PeerShape& s, const std::complex<T>* in, std::complex<T>* out);
template <class T>
void ducc0_r2c(const PeerShape& s, const T* in, std::complex<T>* out);
template <class T>
void ducc0_c2r(const PeerShape& s, const std::complex<T>* in, T* out);

}  // namespace helicity::fft::bench
