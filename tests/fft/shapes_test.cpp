// SPDX-License-Identifier: Apache-2.0
// Several axes, in and out of place, strided and padded views.
#include "reference.hpp"

#include <gtest/gtest.h>

namespace helicity::fft::test {
namespace {

using C = std::complex<double>;

/// Lines of a dense block along each axis named, one after the other, by definition.
std::vector<Extended> block_dft(const std::vector<C>& x, const std::vector<Index>& extent,
                                const std::vector<int>& axes, int sign)
{
  std::vector<Extended> y(x.begin(), x.end());
  for (const int axis : axes) {
    Index stride = 1;
    for (int d = 0; d < axis; ++d) stride *= extent[at(d)];
    const Index n = extent[at(axis)];
    for (Index start = 0; start < static_cast<Index>(y.size()); ++start) {
      if (start / stride % n != 0) continue;
      std::vector<Extended> line(at(n));
      for (Index i = 0; i < n; ++i) line[at(i)] = y[at(start + i * stride)];
      const std::vector<Extended> result = dft(line, sign);
      for (Index i = 0; i < n; ++i) y[at(start + i * stride)] = result[at(i)];
    }
  }
  return y;
}

TEST(Shapes, any_axes_of_a_block)
{
  for (const std::vector<Index>& e :
       {std::vector<Index>{16, 12, 20}, {7, 9, 11}, {33, 2, 17}, {1, 64, 5}})
  {
    auto x = random_numbers<C>(e[0] * e[1] * e[2]);
    for (const std::vector<int>& axes :
         {std::vector<int>{0, 1, 2}, {0, 1}, {1, 2}, {2, 0}, {0}, {1}, {2}})
      for (const int threads : {1, 3}) {
        std::vector<C> y(x.size()), z = x;
        const auto out = dense(y.data(), {e[0], e[1], e[2]});
        const auto place = dense(z.data(), {e[0], e[1], e[2]});
        const Transform t(axes, Direction::forward, Norm::none);
        run(dense(x.data(), {e[0], e[1], e[2]}), out, t, threads);
        run(place, place, t, threads);
        EXPECT_LT(error(y, block_dft(x, e, axes, -1)), 1e-15);
        EXPECT_EQ(y, z) << "in place";
      }
  }
}

TEST(Shapes, real_blocks_there_and_back)
{
  for (const std::vector<Index>& e :
       {std::vector<Index>{16, 12, 20}, {7, 9, 11}, {32, 5, 1}, {2, 3, 40}})
    for (const std::vector<int>& axes : {std::vector<int>{0, 1, 2}, {1, 2}, {2, 0}, {1}})
      for (const bool destroy : {false, true}) {
        auto x = random_numbers<double>(e[0] * e[1] * e[2]);
        auto h = e;
        h[at(axes[0])] = h[at(axes[0])] / 2 + 1;
        std::vector<C> y(at(h[0] * h[1] * h[2]));
        std::vector<double> back(x.size());
        const auto spectrum = dense(y.data(), {h[0], h[1], h[2]});
        run(dense(x.data(), {e[0], e[1], e[2]}), spectrum, {axes, Direction::forward, Norm::none});
        const auto expected = block_dft({x.begin(), x.end()}, e, axes, -1);
        for (Index k = 0; k < h[2]; ++k)
          for (Index j = 0; j < h[1]; ++j)
            for (Index i = 0; i < h[0]; ++i)
              ASSERT_LT(std::abs(Extended(y[at(i + h[0] * (j + h[1] * k))]) -
                                 expected[at(i + e[0] * (j + e[1] * k))]),
                        1e-12);
        const std::vector<C> kept = y;
        Transform inverse(axes, Direction::backward, Norm::backward);
        inverse.allow_destroy = destroy;
        run(spectrum, dense(back.data(), {e[0], e[1], e[2]}), inverse);
        EXPECT_LT(error(back, x), 2e-15);
        if (!destroy) {
          EXPECT_EQ(y, kept);
        }
      }
}

/// Rows of n reals in the room of n / 2 + 1 complex numbers, over each other.
TEST(Shapes, real_in_place)
{
  for (const Index n : {2, 9, 24, 64, 101}) {
    const Index half = n / 2 + 1, rows = 13;
    std::vector<C> y(at(half * rows)), expected(y.size());
    auto* const reals = reinterpret_cast<double*>(y.data());
    auto x = random_numbers<double>(n * rows);
    for (Index j = 0; j < rows; ++j) std::copy_n(x.begin() + j * n, n, reals + j * 2 * half);
    const View<double> padded{reals, 2, {n, rows}, {1, 2 * half}};
    const auto spectrum = dense(y.data(), {half, rows});
    run(padded, spectrum, {{0, 1}, Direction::forward, Norm::none}, 2);
    run(dense(x.data(), {n, rows}), dense(expected.data(), {half, rows}),
        {{0, 1}, Direction::forward, Norm::none});
    EXPECT_EQ(y, expected) << n;
    run(spectrum, padded, {{0, 1}, Direction::backward, Norm::backward});
    for (Index j = 0; j < rows; ++j)
      for (Index i = 0; i < n; ++i)
        ASSERT_NEAR(reals[j * 2 * half + i], x[at(j * n + i)], 1e-14) << n;
  }
}

/// Every second element, backwards, of rows with gaps: neighbours stay as they are.
TEST(Shapes, strides_and_gaps)
{
  const Index n = 24, m = 10;
  auto x = random_numbers<C>(2 * n * 15 + 5);
  std::vector<C> y(x.size(), C(9, 9));
  const View<C> in{x.data() + 2 * (n - 1), 2, {n, m}, {-2, 60}};
  const View<C> out{y.data() + 1, 2, {n, m}, {3 * m, 3}};
  run(in, out, {{0}, Direction::forward, Norm::none});
  for (Index j = 0; j < m; ++j) {
    std::vector<C> line, got;
    for (Index i = 0; i < n; ++i) {
      line.push_back(x[at(2 * (n - 1 - i) + 60 * j)]);
      got.push_back(y[at(1 + 3 * m * i + 3 * j)]);
    }
    EXPECT_LT(error(got, dft(line, -1)), 1e-15);
  }
  Index touched = 0;
  for (const C& v : y) touched += v != C(9, 9);
  EXPECT_EQ(touched, n * m);
}

TEST(Shapes, long_lines_strided_and_real)
{
  const Index n = 1 << 19, batch = 2;
  auto x = random_numbers<C>(n * batch);
  std::vector<C> y(x.size()), strided(x.size()), z(x.size());
  run(dense(x.data(), {n, batch}), dense(y.data(), {n, batch}),
      {{0}, Direction::forward, Norm::none}, 2);
  for (Index i = 0; i < n; ++i)
    for (Index b = 0; b < batch; ++b) z[at(b + i * batch)] = x[at(i + b * n)];
  const auto view = dense(z.data(), {batch, n});
  run(view, view, {{1}, Direction::forward, Norm::none});
  for (Index i = 0; i < n; ++i)
    for (Index b = 0; b < batch; ++b) ASSERT_EQ(z[at(b + i * batch)], y[at(i + b * n)]);

  std::vector<double> real(at(2 * n));
  fill(real, 3);
  std::vector<C> full(at(2 * n)), half(at(n + 1)), from(real.begin(), real.end());
  run(dense(from.data(), {2 * n}), dense(full.data(), {2 * n}),
      {{0}, Direction::forward, Norm::none});
  run(dense(real.data(), {2 * n}), dense(half.data(), {n + 1}),
      {{0}, Direction::forward, Norm::none});
  full.resize(half.size());
  EXPECT_LT(error(half, full), 1e-15);
}

TEST(Shapes, cosine_and_sine_by_axis)
{
  const Index ni = 9, nj = 12, nk = 4;
  auto x = random_numbers<double>(ni * nj * nk);
  std::vector<double> y(x.size()), z(x.size());
  Transform t({1, 0}, Direction::forward, Norm::none);
  t.kinds = {Kind::dct2, Kind::dst1};
  const auto in = dense(x.data(), {ni, nj, nk}), out = dense(y.data(), {ni, nj, nk});
  run(in, out, t, 2);
  for (Index k = 0; k < nk; ++k)
    for (Index j = 0; j < nj; ++j) {
      std::vector<double> line(x.begin() + (k * nj + j) * ni, x.begin() + (k * nj + j + 1) * ni);
      const auto r = real_transform(line, Kind::dst1);
      for (Index i = 0; i < ni; ++i) z[at(i + ni * (j + nj * k))] = static_cast<double>(r[at(i)]);
    }
  for (Index k = 0; k < nk; ++k)
    for (Index i = 0; i < ni; ++i) {
      std::vector<double> line;
      for (Index j = 0; j < nj; ++j) line.push_back(z[at(i + ni * (j + nj * k))]);
      const auto r = real_transform(line, Kind::dct2);
      for (Index j = 0; j < nj; ++j)
        ASSERT_NEAR(y[at(i + ni * (j + nj * k))], static_cast<double>(r[at(j)]), 1e-12);
    }
}

}  // namespace
}  // namespace helicity::fft::test
