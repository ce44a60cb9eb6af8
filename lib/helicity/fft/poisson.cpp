// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/buffer.hpp>
#include <helicity/core/error.hpp>
#include <helicity/fft/columns.hpp>
#include <helicity/fft/plan.hpp>
#include <helicity/fft/poisson.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <optional>
#include <utility>

namespace helicity::fft {
namespace {

Kind kind_of(Ends ends) { return ends == Ends::neumann ? Kind::dct2 : Kind::dst2; }

/// Minus the eigenvalues of second differences, for as many modes as the transform makes.
std::vector<double> eigenvalues(Ends ends, Index cells, double spacing, Index modes)
{
  std::vector<double> minus;
  const auto n = static_cast<double>(cells);
  for (Index m = 0; m < modes; ++m) {
    const double mode = static_cast<double>(m) + (ends == Ends::dirichlet ? 1 : 0);
    const double angle = std::numbers::pi * mode / n / (ends == Ends::periodic ? 1 : 2);
    const double sine = 2 * std::sin(angle) / spacing;
    minus.push_back(cells == 1 && ends != Ends::dirichlet ? 0 : sine * sine);
  }
  return minus;
}

double logical_size(Ends ends, Index cells)
{
  return static_cast<double>(cells) * (ends == Ends::periodic ? 1 : 2);
}

}  // namespace

template <class T>
struct Poisson<T>::State
{
  using Complex = std::complex<T>;

  State(const PoissonSetup& s, const comm::Communicator& c, const comm::Decomposition& d, Cpu x)
      : setup(s), comm(c), exec(x), owned(d.box(c.rank()))
  {
    make_columns();
  }

  bool is_complex() const
  {
    return (setup.across[0] == Ends::periodic && setup.cells.i > 1) ||
           (setup.across[1] == Ends::periodic && setup.cells.j > 1);
  }
  /// The axis whose real values become complex ones.
  int halved() const { return setup.across[0] == Ends::periodic && setup.cells.i > 1 ? 0 : 1; }
  Index modes(int axis) const
  {
    return is_complex() && axis == halved() ? setup.cells[axis] / 2 + 1 : setup.cells[axis];
  }
  bool changes(int axis) const
  {
    return setup.cells[axis] > 1 || setup.across[static_cast<std::size_t>(axis)] == Ends::dirichlet;
  }

  void make_columns();
  void make_plans(View3<T> f);
  void plan_real(View<T> f);
  void plan_complex(View<T> f);
  template <class In, class Out>
  void add(std::vector<std::function<void()>>& steps, View<In> in, View<Out> out,
           const Transform& transform);
  double scale() const;

  PoissonSetup setup;
  comm::Communicator comm;
  Cpu exec;
  grid::Box owned;
  std::optional<Columns<T>> columns;
  Buffer<Complex> spectrum;
  Buffer<std::byte> scratch;
  std::vector<std::function<void()>> forward, backward;
  View3<T> planned{};
  bool has_plans = false;
};

template <class T>
void Poisson<T>::State::make_columns()
{
  ColumnEquations e;
  e.modes_i = modes(0);
  e.modes_j = modes(1);
  e.levels = setup.cells.k;
  e.first = owned.lo.k;
  e.count = owned.size().k;
  e.periodic = setup.periodic_k && setup.cells.k > 1;
  e.lower = setup.lower;
  e.upper = setup.upper;
  if (e.lower.empty()) e.lower.assign(static_cast<std::size_t>(e.levels), 0);
  if (e.upper.empty()) e.upper.assign(static_cast<std::size_t>(e.levels), 0);
  e.minus_i = eigenvalues(setup.across[0], setup.cells.i, setup.spacing[0], e.modes_i);
  e.minus_j = eigenvalues(setup.across[1], setup.cells.j, setup.spacing[1], e.modes_j);
  for (double& minus : e.minus_i) minus += setup.shift;
  e.complex_values = is_complex();
  columns.emplace(e, comm, exec);
}

/// Of all transforms forth and back.
template <class T>
double Poisson<T>::State::scale() const
{
  double size = 1;
  for (int axis = 0; axis < 2; ++axis)
    if (changes(axis))
      size *= logical_size(setup.across[static_cast<std::size_t>(axis)], setup.cells[axis]);
  return 1 / size;
}

template <class T>
template <class In, class Out>
void Poisson<T>::State::add(std::vector<std::function<void()>>& steps, View<In> in, View<Out> out,
                            const Transform& transform)
{
  auto plan = std::make_shared<Plan<In, Out>>(make_plan(Executor{exec}, in, out, transform));
  if (plan->scratch_bytes() > scratch.size()) scratch = plan->make_scratch();
  steps.push_back([this, plan, from = in.data, to = out.data] {
    plan->execute(from, to, {scratch.data(), scratch.size()});
  });
}

/// Cosines or sines, or nothing, along both axes: in place.
template <class T>
void Poisson<T>::State::plan_real(View<T> f)
{
  std::vector<int> axes;
  std::vector<Kind> kinds;
  for (int axis = 0; axis < 2; ++axis)
    if (changes(axis)) {
      axes.push_back(axis);
      kinds.push_back(kind_of(setup.across[static_cast<std::size_t>(axis)]));
    }
  if (axes.empty()) return;
  Transform there(axes, Direction::forward, Norm::none),
      back(axes, Direction::backward, Norm::none);
  there.kinds = back.kinds = kinds;
  there.scale = scale();
  add(forward, f, f, there);
  add(backward, f, f, back);
}

template <class T>
void Poisson<T>::State::plan_complex(View<T> f)
{
  const int half = halved(), other = 1 - half;
  const Index mi = modes(0), mj = modes(1), nk = owned.size().k;
  spectrum = Buffer<Complex>(MemoryKind::host, static_cast<std::size_t>(mi * mj * nk));
  const View<Complex> modes = dense(spectrum.data(), {mi, mj, nk});
  const Ends others = setup.across[static_cast<std::size_t>(other)];
  const bool both = changes(other) && others == Ends::periodic;
  std::vector<int> axes{half};
  if (both) axes.push_back(other);
  Transform there(axes, Direction::forward, Norm::none),
      back(axes, Direction::backward, Norm::none);
  there.scale = scale();
  back.allow_destroy = true;
  if (!changes(other) || both) {
    add(forward, f, modes, there);
    add(backward, modes, f, back);
    return;
  }
  Transform waves({other}, Direction::forward, Norm::none);
  waves.kinds = {kind_of(others)};
  Transform unwaves({other}, Direction::backward, Norm::none);
  unwaves.kinds = waves.kinds;
  if (half == 1) {  // real lines along i first
    add(forward, f, f, waves);
    add(forward, f, modes, there);
    add(backward, modes, f, back);
    add(backward, f, f, unwaves);
    return;
  }
  const View<T> pairs = dense(reinterpret_cast<T*>(spectrum.data()), {2 * mi, mj, nk});
  add(forward, f, modes, there);
  add(forward, pairs, pairs, waves);
  add(backward, pairs, pairs, unwaves);
  add(backward, modes, f, back);
}

template <class T>
void Poisson<T>::State::make_plans(View3<T> f)
{
  if (has_plans && f.origin == planned.origin && f.sj == planned.sj && f.sk == planned.sk) return;
  forward.clear();
  backward.clear();
  is_complex() ? plan_complex(view_of(f)) : plan_real(view_of(f));
  planned = f;
  has_plans = true;
}

template <class T>
Poisson<T>::Poisson(const PoissonSetup& s, const comm::Communicator& comm,
                    const comm::Decomposition& decomposition, const Executor& executor)
{
  const auto* cpu = std::get_if<Cpu>(&executor);
  if (cpu == nullptr) throw UsageError("Poisson's equation on a device: not in this build");
  const Index3 ranks = decomposition.ranks();
  if (decomposition.cells() != s.cells || ranks.i != 1 || ranks.j != 1)
    throw UsageError(fmt::format("Poisson's equation on {} ranks: only levels are shared",
                                 decomposition.describe()));
  if (!(s.shift >= 0)) throw UsageError("Helmholtz's equation with a negative shift");
  if (s.cells.k > 1 && (s.lower.empty() || s.upper.empty()))
    throw UsageError("Poisson's equation on levels without coefficients");
  state_ = std::make_unique<State>(s, comm, decomposition, *cpu);
}

template <class T>
Poisson<T>::~Poisson() = default;
template <class T>
Poisson<T>::Poisson(Poisson&&) noexcept = default;
template <class T>
Poisson<T>& Poisson<T>::operator=(Poisson&&) noexcept = default;

template <class T>
void Poisson<T>::solve(View3<T> f)
{
  State& s = *state_;
  const Index3 n = s.owned.size();
  if (f.ni != n.i || f.nj != n.j || f.nk != n.k)
    throw UsageError("Poisson's equation: the view is not that of the owned cells");
  s.make_plans(f);
  for (const auto& step : s.forward) step();
  if (s.is_complex()) {
    const Index sj = 2 * s.modes(0);
    s.columns->solve(reinterpret_cast<T*>(s.spectrum.data()), sj, sj * s.modes(1));
  } else {
    s.columns->solve(f.origin, f.sj, f.sk);
  }
  for (const auto& step : s.backward) step();
}

template <class T>
std::size_t Poisson<T>::bytes() const
{
  return state_->columns->bytes() + state_->spectrum.bytes() + state_->scratch.bytes();
}

template class Poisson<float>;
template class Poisson<double>;

}  // namespace helicity::fft
