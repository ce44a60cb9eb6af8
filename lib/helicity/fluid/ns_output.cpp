// SPDX-License-Identifier: Apache-2.0
// What is read from a running flow: health, states, snapshots, slices, sums.
#include <helicity/core/error.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/core/text.hpp>
#include <helicity/fluid/detail/ns_model.hpp>
#include <helicity/grid/hash.hpp>
#include <helicity/io/block.hpp>
#include <helicity/job/gather.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace helicity::fluid::detail {
namespace {

struct Name
{
  std::string_view name, unit, text;
};

constexpr Name names[] = {{"velocity_x", "m s-1", "velocity x"},
                          {"velocity_y", "m s-1", "velocity y"},
                          {"velocity_z", "m s-1", "velocity z"},
                          {"pressure", "m2 s-2", "pressure over density"},
                          {"scalar", "1", "scalar"}};
constexpr std::string_view face_names[] = {"u", "v", "w"};

/// @throws UsageError for a name that is not there, with the nearest
void require_name(std::string_view name, bool has_scalar, bool faces_too)
{
  std::vector<std::string_view> known;
  for (const Name& n : names)
    if (n.name != "scalar" || has_scalar) known.push_back(n.name);
  known.emplace_back("speed");
  if (faces_too) known.insert(known.end(), std::begin(face_names), std::end(face_names));
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(fmt::format("there is no variable '{}'{}", name, did_you_mean(name, known)));
}

/// Owned cells of a component, and those at the next place along `axis`, by f(a, b).
template <class T, class F>
std::vector<double> pairwise(const grid::Field<T>& field, int axis, F&& f)
{
  const Index3 n = field.shape().cells;
  std::vector<double> values;
  const View3<const T> v = field.view();
  values.reserve(static_cast<std::size_t>(volume(n)));
  const Index step = axis == 0 ? 1 : axis == 1 ? v.sj : v.sk;
  for (Index k = 0; k < n.k; ++k)
    for (Index j = 0; j < n.j; ++j)
      for (Index i = 0; i < n.i; ++i) {
        const T* c = &v(i, j, k);
        values.push_back(f(static_cast<double>(c[0]), static_cast<double>(c[step])));
      }
  return values;
}

template <class T>
std::vector<double> doubles_of(const grid::Field<T>& field)
{
  const std::vector<T> block = io::gather_block(field);
  return {block.begin(), block.end()};
}

}  // namespace

/// @pre the name is known
template <class T>
std::vector<double> NsModelOf<T>::values_of(std::string_view name)
{
  const auto mean = [](double a, double b) { return (a + b) / 2; };
  const auto cells = static_cast<std::size_t>(owned_.cells());
  if (name == "pressure") return doubles_of(pressure_);
  if (name == "scalar") return doubles_of(now_.scalar);
  if (name == "u") return doubles_of(now_.u);
  if (name == "v") return doubles_of(now_.v);
  if (name == "w") return doubles_of(now_.w);
  if (name == "velocity_x") return pairwise(now_.u, 0, mean);
  if (name == "velocity_y")
    return step_.has_v ? pairwise(now_.v, 1, mean) : std::vector<double>(cells, 0);
  if (name == "velocity_z")
    return step_.has_w ? pairwise(now_.w, 2, mean) : std::vector<double>(cells, 0);
  std::vector<double> speed(cells, 0);  // "speed"
  for (const std::string_view part : {"velocity_x", "velocity_y", "velocity_z"}) {
    const std::vector<double> v = values_of(part);
    for (std::size_t n = 0; n < cells; ++n) speed[n] += v[n] * v[n];
  }
  for (double& x : speed) x = std::sqrt(x);
  return speed;
}

template <class T>
std::vector<double> NsModelOf<T>::values(const std::string& variable)
{
  require_name(variable, setup_.has_scalar, true);
  return values_of(variable);
}

template <class T>
std::vector<double> NsModelOf<T>::values_at(const std::vector<Index3>& cells,
                                            const std::vector<std::string>& variables)
{
  return job::values_at(comm_, decomposition_, cells, variables,
                        [&](const std::string& name) { return values(name); });
}

template <class T>
NsTotals NsModelOf<T>::totals()
{
  step_.stage = now_.fields();
  NsTotals t;
  const auto plane = static_cast<std::size_t>(owned_.size().i * owned_.size().j);
  const double* dz = thickness_.data() + owned_.lo.k;
  ExactSum velocity[3], energy, scalar;
  const auto add_squares = [&](const std::vector<double>& v, bool upright, ExactSum& mean) {
    for (std::size_t n = 0; n < v.size(); ++n) {
      const std::size_t k = n / plane;
      const auto level = static_cast<std::size_t>(owned_.lo.k) + k;
      double depth = dz[k];
      if (upright && setup_.cells.k > 1) {
        const std::size_t below = level > 0 ? level - 1 : thickness_.size() - 1;
        depth = (depth + thickness_[below]) / 2;
      }
      mean.add(v[n] * depth);
      energy.add(v[n] * v[n] * depth / 2);
    }
  };
  add_squares(values_of("u"), false, velocity[0]);
  if (step_.has_v) add_squares(values_of("v"), false, velocity[1]);
  if (step_.has_w) add_squares(values_of("w"), true, velocity[2]);
  if (setup_.has_scalar) {
    const std::vector<double> b = values_of("scalar");
    for (std::size_t n = 0; n < b.size(); ++n) scalar.add(b[n] * dz[n / plane]);
  }
  const double volume = static_cast<double>(setup_.cells.i) * static_cast<double>(setup_.cells.j) *
                        (setup_.faces.back() - setup_.faces.front());
  for (std::size_t m = 0; m < 3; ++m) t.velocity[m] = comm_.sum(velocity[m]).value() / volume;
  t.energy = comm_.sum(energy).value() / volume;
  t.scalar = comm_.sum(scalar).value() / volume;
  t.divergence =
      comm_.max(on_device([&](auto exec) { return ns_largest_divergence(exec, step_); }));
  t.force = setup_.force[0] + force_sum_ / setup_.step;
  return t;
}

template <class T>
std::vector<std::pair<std::string, double>> NsModelOf<T>::series()
{
  const NsTotals t = totals();
  std::vector<std::pair<std::string, double>> numbers{
      {"energy", t.energy},          {"velocity_x", t.velocity[0]}, {"velocity_y", t.velocity[1]},
      {"velocity_z", t.velocity[2]}, {"force_x", t.force},          {"divergence", t.divergence}};
  if (setup_.has_scalar) numbers.emplace_back("scalar", t.scalar);
  return numbers;
}

template <class T>
std::optional<job::Trouble> NsModelOf<T>::check()
{
  step_.stage = now_.fields();
  const Index3 global = decomposition_.cells();
  const std::int64_t mine = on_device([&](auto exec) {
    return ns_first_bad_cell(exec, step_, owned_.lo, global, static_cast<T>(setup_.step),
                             static_cast<T>(setup_.courant_limit));
  });
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = comm_.min(mine < 0 ? none : mine);
  if (first == none) return std::nullopt;
  const Index3 cell{first % global.i, first / global.i % global.j, first / (global.i * global.j)};
  const std::vector<double> there = values_at({cell}, {"u", "v", "w", "pressure"});
  const double dz = thickness_[static_cast<std::size_t>(cell.k)];
  const double courant =
      setup_.step * (std::fabs(there[0]) / setup_.spacing[0] +
                     std::fabs(there[1]) / setup_.spacing[1] + std::fabs(there[2]) / dz);
  job::Trouble t;
  t.cell = cell;
  t.variable = "velocity";
  t.problem = std::isfinite(courant)
                  ? fmt::format("CFL {:.3g} is above {:.3g}", courant, setup_.courant_limit)
                  : "is not finite";
  t.local = {{"velocity_x", there[0]},
             {"velocity_y", there[1]},
             {"velocity_z", there[2]},
             {"pressure", there[3]},
             {"Courant number", courant}};
  t.advice = std::isfinite(courant)
                 ? fmt::format("a step below {:.3g}", setup_.step * setup_.courant_limit / courant)
                 : "a shorter step, a finer grid, or more viscosity";
  return t;
}

template <class T>
void NsModelOf<T>::write_state(io::StateWriter& out)
{
  out.write("velocity_x", now_.u);
  out.write("velocity_y", now_.v);
  out.write("velocity_z", now_.w);
  out.write("pressure", pressure_);
  if (setup_.has_scalar) out.write("scalar", now_.scalar);
}

template <class T>
void NsModelOf<T>::read_state(io::StateReader& in, std::int64_t step)
{
  in.read("velocity_x", now_.u);
  in.read("velocity_y", now_.v);
  in.read("velocity_z", now_.w);
  in.read("pressure", pressure_);
  if (setup_.has_scalar) in.read("scalar", now_.scalar);
  fill_halo(now_);
  clock_.step = step;
}

template <class T>
std::uint64_t NsModelOf<T>::state_hash()
{
  const Index3 global = decomposition_.cells();
  const auto cells = static_cast<std::uint64_t>(volume(global));
  std::uint64_t hash = 0, place = 0;
  std::vector<const grid::Field<T>*> fields{&now_.u, &now_.v, &now_.w, &pressure_};
  if (setup_.has_scalar) fields.push_back(&now_.scalar);
  for (const grid::Field<T>* field : fields)
    hash += on_device([&](auto exec) {
      return grid::hash_view(exec, field->view(), owned_.lo, global, cells * place++);
    });
  return comm_.sum(hash);
}

template <class T>
void NsModelOf<T>::write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>& wanted)
{
  for (const std::string& name : wanted) require_name(name, setup_.has_scalar, false);
  for (const Name& n : names) {
    const bool there = (n.name != "velocity_y" || step_.has_v) &&
                       (n.name != "velocity_z" || step_.has_w) &&
                       (n.name != "scalar" || setup_.has_scalar);
    const bool asked =
        wanted.empty() ? there : std::find(wanted.begin(), wanted.end(), n.name) != wanted.end();
    if (!asked) continue;
    const std::vector<double> values = values_of(n.name);
    const std::vector<T> block(values.begin(), values.end());
    out.write_block({std::string(n.name), std::string(n.unit), std::string(n.text)},
                    io::element_type<T>(), block.data());
  }
}

template <class T>
typename NsModelOf<T>::Slice NsModelOf<T>::slice(const std::string& variable, int axis)
{
  return job::middle_slice(comm_, decomposition_, values(variable), axis);
}

template <class T>
job::Cost NsModelOf<T>::cost() const
{
  job::Cost c;
  c.cells = volume(decomposition_.cells());
  c.bytes_per_step = static_cast<double>(owned_.cells()) * ns_traffic<T>(setup_);
  c.memory = ns_bytes<T>(setup_, owned_.size());
  return c;
}

template class NsModelOf<float>;
template class NsModelOf<double>;

}  // namespace helicity::fluid::detail
