// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/buffer.hpp>
#include <helicity/core/view.hpp>

#include <complex>
#include <vector>

/// Tables of transforms, computed in extended precision.

namespace helicity::fft {

using Extended = std::complex<long double>;

/// exp(-2 pi i k / n) for k in [0, n), from an angle of at most pi / 4.
Extended root(Index k, Index n);

/// exp(-pi i (j j) / n).
Extended chirp_root(Index j, Index n);

/// Prime factors in ascending order.
std::vector<Index> prime_factors(Index n);

/// Radices of the passes over a line of n numbers, the first first; primes above largest_radix
/// last.
std::vector<Index> radices(Index n);

/// Least cheap length >= least: small primes and 16 | length if it is above 64.
Index convolution_size(Index least);

/// Least generator of the powers mod the prime p.
Index primitive_root(Index p);

/// b^e mod m.
Index power_mod(Index b, Index e, Index m);

/// Forward DFT, the mixed-radix recursion.
std::vector<Extended> reference_dft(const std::vector<Extended>& x);

}  // namespace helicity::fft
