// SPDX-License-Identifier: Apache-2.0
// What a plan refuses, norms, factors, use from several threads.
#include "reference.hpp"

#include <helicity/core/error.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace helicity::fft::test {
namespace {

using C = std::complex<double>;

const Transform along({0}, Direction::forward, Norm::none);

template <class In, class Out>
std::string refusal(View<In> in, View<Out> out, const Transform& t, const Executor& exec = Cpu{1})
{
  try {
    make_plan(exec, in, out, t);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "none";
}

TEST(Plan, refuses_views_that_do_not_fit)
{
  std::vector<C> a(100), b(100);
  std::vector<double> r(100);
  const auto x = dense(a.data(), {10, 10}), y = dense(b.data(), {10, 10});
  EXPECT_EQ(refusal(x, y, along), "none");
  EXPECT_NE(refusal(x, dense(b.data(), {10, 9}), along).find("dimension 1"), std::string::npos);
  EXPECT_NE(refusal(x, dense(b.data(), {100}), along).find("2 and 1 dimensions"),
            std::string::npos);
  EXPECT_NE(refusal(dense(a.data(), {10, 0}), dense(b.data(), {10, 0}), along).find("at least 1"),
            std::string::npos);
  EXPECT_NE(refusal(dense<C>(nullptr, {10}), dense(b.data(), {10}), along).find("null"),
            std::string::npos);
  EXPECT_NE(refusal(dense(r.data(), {10}), dense(b.data(), {10}), along).find("want 6"),
            std::string::npos);
  EXPECT_NE(refusal(x, y, {{}, Direction::forward, Norm::none}).find("axes"), std::string::npos);
  EXPECT_NE(refusal(x, y, {{2}, Direction::forward, Norm::none}).find("axes: 2"),
            std::string::npos);
  EXPECT_NE(refusal(x, y, {{1, 1}, Direction::forward, Norm::none}).find("twice"),
            std::string::npos);
  EXPECT_NE(refusal(x, y, along, Cuda{}).find("not in this build"), std::string::npos);
}

TEST(Plan, refuses_strides_and_overlap)
{
  std::vector<C> a(200), b(200);
  const auto x = dense(a.data(), {10, 10}), y = dense(b.data(), {10, 10});
  auto bad = y;
  bad.stride = {1, 9};
  EXPECT_NE(refusal(x, bad, along).find("overlap"), std::string::npos);
  bad.stride = {0, 10};
  EXPECT_NE(refusal(x, bad, along).find("stride of 0"), std::string::npos);
  bad.extent[1] = bad.stride[1] = std::numeric_limits<Index>::max() / 64;
  EXPECT_NE(refusal(bad, bad, along).find("stride of 0"), std::string::npos);
  bad.stride[0] = 1;
  EXPECT_NE(refusal(bad, bad, along).find("63 bits"), std::string::npos);
  EXPECT_NE(refusal(x, dense(a.data() + 50, {10, 10}), along).find("overlap"), std::string::npos);
  auto transposed = x;
  transposed.stride = {10, 1};
  EXPECT_NE(refusal(x, transposed, along).find("in place"), std::string::npos);
}

TEST(Plan, refuses_kinds_that_do_not_fit)
{
  std::vector<double> a(10), b(10);
  std::vector<C> z(10), w(10);
  const auto x = dense(a.data(), {10}), y = dense(b.data(), {10});
  EXPECT_NE(refusal(x, y, along).find("kinds"), std::string::npos);
  Transform t({0}, Direction::forward, Norm::none);
  t.kinds = {Kind::dct1};
  EXPECT_EQ(refusal(x, y, t), "none");
  EXPECT_NE(refusal(dense(a.data(), {1}), dense(b.data(), {1}), t).find("dct1"), std::string::npos);
  EXPECT_NE(refusal(dense(z.data(), {10}), dense(w.data(), {10}), t).find("kinds"),
            std::string::npos);
}

TEST(Plan, execute_checks_addresses_and_scratch)
{
  std::vector<C> a(64), b(64);
  const auto plan = make_plan(Cpu{1}, dense(a.data(), {64}), dense(b.data(), {64}), along);
  auto scratch = plan.make_scratch();
  EXPECT_THROW(plan.execute(a.data(), a.data(), scratch.span()), UsageError);
  EXPECT_THROW(plan.execute(a.data(), a.data() + 3, scratch.span()), UsageError);
  EXPECT_THROW(plan.execute(nullptr, b.data(), scratch.span()), UsageError);
  EXPECT_THROW(plan.execute(a.data(), b.data(), scratch.span().first(8)), UsageError);
  EXPECT_NO_THROW(plan.execute(b.data(), a.data(), scratch.span()));
  EXPECT_NE(plan.describe().find("axis 0: 64 points"), std::string::npos) << plan.describe();
}

TEST(Plan, norms_and_scale)
{
  const Index n = 20;
  auto x = random_numbers<C>(n);
  std::vector<C> y(x.size()), z(x.size());
  run(dense(x.data(), {n}), dense(y.data(), {n}), along);
  const auto factor = [&](Direction d, Norm norm, double scale) {
    Transform t({0}, d, norm);
    t.scale = scale;
    run(dense(x.data(), {n}), dense(z.data(), {n}), t);
    return (z[0] / y[0]).real();
  };
  EXPECT_NEAR(factor(Direction::forward, Norm::forward, 1), 1.0 / 20, 1e-15);
  EXPECT_NEAR(factor(Direction::forward, Norm::backward, 3), 3, 1e-14);
  EXPECT_NEAR(factor(Direction::backward, Norm::backward, 1), 1.0 / 20, 1e-15);
  EXPECT_NEAR(factor(Direction::backward, Norm::forward, 1), 1, 1e-14);
  EXPECT_NEAR(factor(Direction::backward, Norm::ortho, 2), 2 / std::sqrt(20.0), 1e-14);
}

TEST(Plan, is_linear)
{
  const Index n = 240;
  auto x = random_numbers<C>(n, 1), y = random_numbers<C>(n, 2);
  std::vector<C> sum(x.size()), fx(x.size()), fy(x.size()), fsum(x.size());
  const C a(0.5, -2), b(3, 1);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a * x[i] + b * y[i];
  run(dense(x.data(), {n}), dense(fx.data(), {n}), along);
  run(dense(y.data(), {n}), dense(fy.data(), {n}), along);
  run(dense(sum.data(), {n}), dense(fsum.data(), {n}), along);
  for (std::size_t i = 0; i < sum.size(); ++i) fx[i] = a * fx[i] + b * fy[i];
  EXPECT_LT(error(fsum, fx), 1e-15);
}

TEST(Plan, one_plan_serves_threads)
{
  const Index n = 300;
  auto x = random_numbers<C>(n * n);
  std::vector<C> expected(x.size());
  const auto plan = make_plan(Cpu{2}, dense(x.data(), {n, n}), dense(expected.data(), {n, n}),
                              {{0, 1}, Direction::forward, Norm::none});
  auto scratch = plan.make_scratch();
  plan.execute(x.data(), expected.data(), scratch.span());
  std::vector<std::vector<C>> results(4, std::vector<C>(x.size()));
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      auto own = plan.make_scratch();
      plan.execute(x.data(), result.data(), own.span());
    });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace helicity::fft::test
