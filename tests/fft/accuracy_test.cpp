// SPDX-License-Identifier: Apache-2.0
// Against sums by definition in extended precision.
#include "reference.hpp"

#include <gtest/gtest.h>

namespace helicity::fft::test {
namespace {

template <class T>
constexpr double bound = sizeof(T) == 4 ? 5e-7 : 1e-15;

/// Sizes of each way: registers only, one to five passes, large primes as a factor (Rader and
/// Bluestein) and alone, Bluestein for all of a composite.
const std::vector<Index> sizes = {1,   2,   3,   4,   5,   6,   7,   8,   9,   11,  13, 15,  16,
                                  17,  19,  23,  32,  34,  45,  47,  48,  64,  80,  96, 100, 105,
                                  121, 128, 169, 188, 240, 251, 256, 337, 512, 634, 720};

template <class T>
class Accuracy : public testing::Test
{};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Accuracy, Reals);

template <class T>
void check_complex(Index n, Index batch, bool strided, Direction direction)
{
  using C = std::complex<T>;
  auto x = random_numbers<C>(n * batch, static_cast<unsigned>(n));
  std::vector<C> y(x.size());
  const auto view = [&](C* data) {
    return strided ? dense(data, {batch, n}) : dense(data, {n, batch});
  };
  run(view(x.data()), view(y.data()), {{strided ? 1 : 0}, direction, Norm::none});
  for (const Index b : {Index{0}, batch - 1}) {
    std::vector<C> line(at(n)), result(at(n));
    for (Index i = 0; i < n; ++i) {
      const std::size_t p = at(strided ? b + i * batch : i + b * n);
      line[at(i)] = x[p];
      result[at(i)] = y[p];
    }
    EXPECT_LT(error(result, dft(line, direction == Direction::forward ? -1 : 1)), bound<T>)
        << "n " << n << " batch " << batch << " strided " << strided;
  }
}

TYPED_TEST(Accuracy, complex)
{
  for (const Index n : sizes) {
    check_complex<TypeParam>(n, 1, false, Direction::forward);
    check_complex<TypeParam>(n, 19, false, Direction::backward);
    check_complex<TypeParam>(n, 19, true, Direction::forward);
  }
}

template <class T>
void check_real(Index n, Index batch, bool strided)
{
  using C = std::complex<T>;
  const Index half = n / 2 + 1;
  auto x = random_numbers<T>(n * batch, static_cast<unsigned>(n));
  std::vector<C> y(at(half * batch));
  std::vector<T> back(x.size());
  const auto real = [&](T* p) { return strided ? dense(p, {batch, n}) : dense(p, {n, batch}); };
  const auto spectrum = strided ? dense(y.data(), {batch, half}) : dense(y.data(), {half, batch});
  run(real(x.data()), spectrum, {{strided ? 1 : 0}, Direction::forward, Norm::none});
  const std::vector<C> kept = y;
  run(spectrum, real(back.data()), {{strided ? 1 : 0}, Direction::backward, Norm::backward});
  EXPECT_EQ(y, kept) << "the input of a complex to real transform";
  EXPECT_LT(error(back, x), 2 * bound<T>) << n;
  const Index b = batch - 1;
  std::vector<T> line(at(n));
  std::vector<C> result(at(half));
  for (Index i = 0; i < n; ++i) line[at(i)] = x[at(strided ? b + i * batch : i + b * n)];
  for (Index i = 0; i < half; ++i) result[at(i)] = y[at(strided ? b + i * batch : i + b * half)];
  auto expected = dft(line, -1);
  expected.resize(at(half));
  EXPECT_LT(error(result, expected), bound<T>) << "n " << n << " strided " << strided;
  EXPECT_EQ(result[0].imag(), T(0));
  if (n % 2 == 0) {
    EXPECT_EQ(result.back().imag(), T(0));
  }
}

TYPED_TEST(Accuracy, real)
{
  for (const Index n : sizes)
    for (const bool strided : {false, true}) {
      check_real<TypeParam>(n, 1, strided);
      check_real<TypeParam>(n, 19, strided);
    }
}

template <class T>
void check_kind(Index n, Kind kind, Norm norm)
{
  const Index batch = 5;
  auto x = random_numbers<T>(n * batch, static_cast<unsigned>(n));
  std::vector<T> y(x.size()), back(x.size());
  Transform forward({0}, Direction::forward, norm), backward({0}, Direction::backward, norm);
  forward.kinds = backward.kinds = {kind};
  run(dense(x.data(), {n, batch}), dense(y.data(), {n, batch}), forward);
  run(dense(y.data(), {n, batch}), dense(back.data(), {n, batch}), backward);
  EXPECT_LT(error(back, x), 4 * bound<T>) << "n " << n << " kind " << static_cast<int>(kind);
  if (norm != Norm::backward) return;
  const std::vector<T> line(x.end() - n, x.end()), result(y.end() - n, y.end());
  EXPECT_LT(error(result, real_transform(line, kind)), bound<T>)
      << "n " << n << " kind " << static_cast<int>(kind);
}

TYPED_TEST(Accuracy, cosine_and_sine)
{
  for (int kind = 0; kind < 8; ++kind)
    for (const Index n : sizes) {
      if (n > 256 || (n < 2 && kind == 0)) continue;
      for (const Norm norm : {Norm::backward, Norm::ortho})
        check_kind<TypeParam>(n, static_cast<Kind>(kind), norm);
    }
}

/// Orthonormal transforms keep the sum of squares (Parseval), Fourier ones too.
TYPED_TEST(Accuracy, orthonormal)
{
  const auto squares = [](const auto& v) {
    long double sum = 0;
    for (const auto a : v) sum += std::norm(Extended(a));
    return static_cast<double>(sum);
  };
  for (const Index n : {5, 12, 17, 64}) {
    auto x = random_numbers<TypeParam>(n);
    std::vector<TypeParam> y(x.size());
    for (int kind = 0; kind < 8; ++kind) {
      Transform t({0}, Direction::forward, Norm::ortho);
      t.kinds = {static_cast<Kind>(kind)};
      run(dense(x.data(), {n}), dense(y.data(), {n}), t);
      EXPECT_NEAR(squares(y) / squares(x), 1, 4 * bound<TypeParam>) << n << " kind " << kind;
    }
    auto z = random_numbers<std::complex<TypeParam>>(n);
    auto w = z;
    run(dense(z.data(), {n}), dense(w.data(), {n}), {{0}, Direction::forward, Norm::ortho});
    EXPECT_NEAR(squares(w) / squares(z), 1, 4 * bound<TypeParam>) << n;
  }
}

/// Two rounds through memory: a few places against the definition, then back.
TYPED_TEST(Accuracy, long_lines)
{
  using C = std::complex<TypeParam>;
  for (const Index n : {Index{1} << 20, Index{3 * 5 * 7 * 11 * 1024}}) {
    auto x = random_numbers<C>(n);
    std::vector<C> y(x.size()), back(x.size());
    run(dense(x.data(), {n}), dense(y.data(), {n}), {{0}, Direction::forward, Norm::none});
    run(dense(y.data(), {n}), dense(back.data(), {n}), {{0}, Direction::backward, Norm::backward});
    EXPECT_LT(error(back, x), 2 * bound<TypeParam>);
    for (const Index k : {Index{1}, n / 3}) {
      Extended sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += Extended(x[at(j)]) * std::polar(1.0L, -2 * pi * static_cast<long double>(j * k % n) /
                                                         static_cast<long double>(n));
      EXPECT_LT(std::abs(Extended(y[at(k)]) - sum), 4 * bound<TypeParam> * std::sqrt(n)) << k;
    }
  }
}

}  // namespace
}  // namespace helicity::fft::test
