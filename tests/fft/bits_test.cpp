// SPDX-License-Identifier: Apache-2.0
// The same line gives the same bits, whatever is around it.
#include "reference.hpp"

#include <helicity/core/simd.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace helicity::fft::test {
namespace {

template <class A>
bool same_bits(const A& a, const A& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

template <class T>
class Bits : public testing::Test
{
  void TearDown() override { limit_isa(""); }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Bits, Reals);

/// One line alone, and as the last of a batch that is contiguous, and strided.
TYPED_TEST(Bits, do_not_depend_on_batch_and_stride)
{
  using C = std::complex<TypeParam>;
  for (const Index n : {16, 48, 60, 64, 97, 100, 128, 179, 210, 256, 544, 1000, 1024, 1049, 3072}) {
    auto line = random_numbers<C>(n, 7);
    std::vector<C> alone(line.size());
    run(dense(line.data(), {n}), dense(alone.data(), {n}), {{0}, Direction::backward, Norm::ortho});
    for (const Index batch : {2, 11, 16}) {
      auto x = random_numbers<C>(n * batch), y = x;
      std::vector<C> got(line.size());
      std::copy(line.begin(), line.end(), x.end() - n);
      run(dense(x.data(), {n, batch}), dense(y.data(), {n, batch}),
          {{0}, Direction::backward, Norm::ortho});
      std::copy(y.end() - n, y.end(), got.begin());
      EXPECT_TRUE(same_bits(got, alone)) << "contiguous " << n << " of " << batch;
      for (Index i = 0; i < n; ++i) x[at(batch - 1 + i * batch)] = line[at(i)];
      run(dense(x.data(), {batch, n}), dense(y.data(), {batch, n}),
          {{1}, Direction::backward, Norm::ortho});
      for (Index i = 0; i < n; ++i) got[at(i)] = y[at(batch - 1 + i * batch)];
      EXPECT_TRUE(same_bits(got, alone)) << "strided " << n << " of " << batch;
    }
  }
}

TYPED_TEST(Bits, of_real_lines_do_not_depend_on_batch_and_stride)
{
  using C = std::complex<TypeParam>;
  for (const Index n : {2, 30, 32, 97, 128, 135, 200, 256, 1000, 2048}) {
    const Index half = n / 2 + 1;
    auto line = random_numbers<TypeParam>(n, 7);
    std::vector<C> alone(at(half)), got(at(half));
    const Transform forward({0}, Direction::forward, Norm::forward);
    run(dense(line.data(), {n}), dense(alone.data(), {half}), forward);
    const Index batch = 17;
    auto x = random_numbers<TypeParam>(n * batch);
    auto y = random_numbers<C>(half * batch);
    for (Index i = 0; i < n; ++i) x[at(3 + i * batch)] = line[at(i)];
    run(dense(x.data(), {batch, n}), dense(y.data(), {batch, half}),
        {{1}, Direction::forward, Norm::forward});
    for (Index i = 0; i < half; ++i) got[at(i)] = y[at(3 + i * batch)];
    EXPECT_TRUE(same_bits(got, alone)) << n;

    std::vector<TypeParam> back(at(n)), back_strided(x.size()), back_got(at(n));
    run(dense(alone.data(), {half}), dense(back.data(), {n}),
        {{0}, Direction::backward, Norm::none});
    run(dense(y.data(), {batch, half}), dense(back_strided.data(), {batch, n}),
        {{1}, Direction::backward, Norm::none});
    for (Index i = 0; i < n; ++i) back_got[at(i)] = back_strided[at(3 + i * batch)];
    EXPECT_TRUE(same_bits(back_got, back)) << n;
  }
}

template <class T>
std::vector<std::complex<T>> three_axes(int threads)
{
  auto x = random_numbers<T>(40 * 33 * 16);
  std::vector<std::complex<T>> y(21 * 33 * 16);
  run(dense(x.data(), {40, 33, 16}), dense(y.data(), {21, 33, 16}),
      {{0, 1, 2}, Direction::forward, Norm::ortho}, threads);
  return y;
}

TYPED_TEST(Bits, do_not_depend_on_threads)
{
  const auto one = three_axes<TypeParam>(1);
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(same_bits(three_axes<TypeParam>(threads), one));
}

TYPED_TEST(Bits, do_not_depend_on_the_instruction_set)
{
  using C = std::complex<TypeParam>;
  const auto all = [] {
    std::vector<std::vector<C>> results{three_axes<TypeParam>(1)};
    for (const Index n : {64, 97, 179, 210, 1024, 1009, 1 << 20}) {
      auto x = random_numbers<C>(n);
      std::vector<C> y(x.size());
      run(dense(x.data(), {n}), dense(y.data(), {n}), {{0}, Direction::forward, Norm::ortho});
      results.push_back(y);
    }
    for (const Index n : {12, 13, 40}) {
      auto x = random_numbers<TypeParam>(n * 9);
      for (int kind = 0; kind < 8; ++kind) {
        std::vector<TypeParam> y(x.size());
        Transform t({0}, Direction::forward, Norm::ortho);
        t.kinds = {static_cast<Kind>(kind)};
        run(dense(x.data(), {n, 9}), dense(y.data(), {n, 9}), t);
        results.emplace_back(y.begin(), y.end());
      }
    }
    return results;
  };
  limit_isa("scalar");
  const auto baseline = all();
  for (const char* const name : {"avx2", "avx512"}) {
    bool usable = false;
    for (const auto& set : instruction_sets()) usable = usable || (set.name == name && set.usable);
    if (!usable) continue;
    limit_isa(name);
    const auto wide = all();
    for (std::size_t i = 0; i < baseline.size(); ++i)
      EXPECT_TRUE(same_bits(wide[i], baseline[i])) << name << " result " << i;
  }
}

}  // namespace
}  // namespace helicity::fft::test
