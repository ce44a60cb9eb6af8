// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/view.hpp>
#include <helicity/fft/detail/line.hpp>
#include <support/isa.hpp>

/// What the loops compiled once per instruction set are given: plain tables, owned by a plan.

namespace helicity::fft {

using detail::LineKind;

/// Most points of a DFT done in registers; larger prime factors are done by convolution.
constexpr Index largest_radix = 19;

/// Columns of a block of the tables that lanes read; a multiple of every register's lanes.
constexpr Index table_block = 16;

template <class T>
struct Convolution;

/// One pass of a Stockham DFT of decimated frequency: m x s butterflies of `radix` points. Reads
/// x[q + s (p + m j)], writes y[q + s (radix p + k)] times exp(-2 pi i p k / (radix m)).
template <class T>
struct Pass
{
  Index radix = 0, m = 0, s = 0;
  /// For blocks of 16 p and k = 1 ... radix - 1: 16 cosines, 16 sines (negative); then a block of
  /// the last 16 p. Null where m = 1.
  const T* twiddle = nullptr;
  const Convolution<T>* convolution = nullptr;  ///< of a prime radix above largest_radix
};

/// Forward complex DFT of n points: its passes, the first first, or one convolution.
template <class T>
struct Line
{
  Index n = 0;
  Index pass_count = 0;
  const Pass<T>* pass = nullptr;
  const Convolution<T>* convolution = nullptr;  ///< instead of passes: n is a large prime
  Index work = 0;       ///< complex numbers of work space, each of as many lanes as there are
  int row_lanes = 1;    ///< most lanes that work within one transform: a power of two
  int plane_lanes = 1;  ///< the same for parts in planes, whose first radix is no multiple of 4
};

/// DFT of n points as a cyclic convolution of `line.n` points, by Rader (n prime, line.n = n - 1)
/// or by Bluestein (line.n >= 2 n - 1).
template <class T>
struct Convolution
{
  Index n = 0;
  bool rader = false;
  Line<T> line;
  const T* kernel = nullptr;       ///< DFT of the other factor over line.n: cosine, sine, ...
  const T* chirp = nullptr;        ///< Bluestein: exp(-i pi j^2 / n)
  const Index* gather = nullptr;   ///< Rader: place in the input of place q, g^q
  const Index* scatter = nullptr;  ///< Rader: place in the output, g^-q
};

template <class T>
struct LineProgram
{
  LineKind kind = LineKind::c2c;
  bool backward = false;  ///< c2c with exp(+...)
  Index n = 0;            ///< logical points: of the line in space
  Index real_n = 0;       ///< points of the real DFT inside (r2c, c2r and real kinds)
  Index in_count = 0, out_count = 0;
  Line<T> line;             ///< complex DFT inside
  const T* half = nullptr;  ///< exp(-2 pi i k / real_n), k <= real_n / 4: splits a half-length DFT
  const T* turn = nullptr;  ///< factors of dct2, dct3, dct4
  const Index* place = nullptr;  ///< dct4 of odd n: input places, then output places
  const T* sign = nullptr;       ///< and their signs
  T scale = 1;                   ///< of all results
  T in_first = 1, in_last = 1, out_first = 1, out_last = 1;  ///< of the ends of real lines
  const T* fine = nullptr;    ///< long lines: exp(-2 pi i k c / N), for each k: 16 c of each part
  const T* coarse = nullptr;  ///< exp(-2 pi i k 16 b / N): for each b: k, both parts
  Index work = 0;             ///< complex numbers of work space per lane
};

/// Lines side by side, or lanes that work within each line, whose numbers then follow each other.
template <class T>
struct LineTask
{
  const LineProgram<T>* program = nullptr;
  const detail::LineBatch<T>* batch = nullptr;
  bool within = false;
};

/// Lanes of the widest register of any instruction set, in numbers of type T.
template <class T>
constexpr Index most_lanes = 64 / static_cast<Index>(sizeof(T));

/// Columns that are moved together where rows are far apart: 512 bytes of complex numbers.
template <class T>
constexpr Index wide_columns = 256 / static_cast<Index>(sizeof(T));

/// Numbers of type T that a batch needs as work space.
template <class T>
constexpr Index work_numbers(const LineProgram<T>& program)
{
  return 2 * program.work * most_lanes<T>;
}

HELICITY_PER_ISA(void run_lines_float(const LineTask<float>& task);
                 void run_lines_double(const LineTask<double>& task);)

}  // namespace helicity::fft
