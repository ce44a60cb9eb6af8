// SPDX-License-Identifier: Apache-2.0
// What is read from a running storm: health, states, snapshots, slices, sums.
#include <helicity/core/error.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/core/text.hpp>
#include <helicity/grid/hash.hpp>
#include <helicity/io/block.hpp>
#include <helicity/job/gather.hpp>
#include <helicity/weather/detail/storm_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <tuple>

namespace helicity::weather::detail {
namespace {

struct Name
{
  std::string_view name, unit, text;
};

constexpr Name snapshot_names[] = {
    {"theta_perturbation", "K", "potential temperature less that of the column"},
    {"velocity_x", "m s-1", "velocity x"},
    {"velocity_y", "m s-1", "velocity y"},
    {"velocity_z", "m s-1", "velocity z"},
    {"pressure_perturbation", "Pa", "pressure less that of the column"},
    {"density_perturbation", "kg m-3", "density less that of the column"},
    {"vapour", "1", "mass of vapour per mass of all"},
    {"cloud_water", "1", "mass of cloud water per mass of all"},
    {"rain_water", "1", "mass of rain per mass of all"},
    {"cloud_ice", "1", "mass of cloud ice per mass of all"},
    {"snow", "1", "mass of snow per mass of all"},
    {"graupel", "1", "mass of graupel per mass of all"},
    {"rain", "kg m-2", "what has fallen on the ground below"},
    {"subgrid_energy", "m2 s-2", "kinetic energy of eddies smaller than a cell"},
    {"height", "m", "height of cell centres"}};

/// Datasets of states: momenta through the high faces of cells, where an end there is open.
constexpr const char* high_face_names[] = {"momentum_x_high", "momentum_y_high"};

constexpr std::string_view face_names[] = {"u", "v", "w"};

constexpr std::string_view water_names[] = {"vapour",    "cloud_water", "rain_water",
                                            "cloud_ice", "snow",        "graupel"};

/// Index in water_names, or -1.
int species_named(std::string_view name)
{
  for (int s = 0; s < species_count; ++s)
    if (water_names[s] == name) return s;
  return -1;
}

/// Whether a storm with so many species has a variable.
bool has_water_of(std::string_view name, int species)
{
  return name == "rain" ? species > rain : species_named(name) < species;
}

bool is_water(double x) { return x >= 0 && std::isfinite(x); }

/// @throws UsageError for a name that is not there, with the nearest
void require_name(std::string_view name, bool faces_too, int species)
{
  std::vector<std::string_view> known;
  for (const Name& n : snapshot_names)
    if (has_water_of(n.name, species)) known.push_back(n.name);
  if (faces_too) known.insert(known.end(), std::begin(face_names), std::end(face_names));
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(fmt::format("there is no variable '{}'{}", name, did_you_mean(name, known)));
}

}  // namespace

/// Diagnoses the present state; velocities at centres come to stand in the deviations.
template <class T>
Dynamics<T> Model<T>::diagnosed()
{
  Dynamics<T> d = dynamics_;
  d.start = d.stage = now_.variables();
  on_device([&](auto exec) {
    diagnose(exec, d);
    centre_velocities(exec, d);
  });
  return d;
}

/// value(ground, i, j, zeta) at the owned centres; i and j global.
template <class T>
template <class F>
std::vector<double> Model<T>::per_cell(F&& value) const
{
  const GroundHeight ground(setup_);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(owned_.cells()));
  for (Index k = owned_.lo.k; k < owned_.hi.k; ++k)
    for (Index j = owned_.lo.j; j < owned_.hi.j; ++j)
      for (Index i = owned_.lo.i; i < owned_.hi.i; ++i)
        values.push_back(value(ground, i, j, (static_cast<double>(k) + 0.5) * setup_.spacing[2]));
  return values;
}

template <class T>
std::vector<double> Model<T>::heights() const
{
  return per_cell([](const GroundHeight& g, Index i, Index j, double zeta) {
    return g.level(g.height(i, j), zeta);
  });
}

template <class T>
std::vector<double> Model<T>::jacobians() const
{
  return per_cell([](const GroundHeight& g, Index i, Index j, double) { return g.jacobian(i, j); });
}

/// A component of the reference at the owned cells; `flat` has it by level over flat ground.
template <class T>
std::vector<double> Model<T>::reference_values(int component, const std::vector<double>& flat)
{
  if (dynamics_.hilly) {
    const auto values = io::gather_block(reference_, component);
    return {values.begin(), values.end()};
  }
  std::vector<double> values;
  for (const double x : flat)
    values.insert(values.end(), static_cast<std::size_t>(owned_.size().i * owned_.size().j), x);
  return values;
}

/// @pre diagnosed() was called
template <class T>
std::vector<T> Model<T>::block(std::string_view name)
{
  if (name == "height") {
    const std::vector<double> z = heights();
    return {z.begin(), z.end()};
  }
  if (name == "density_perturbation") {
    std::vector<T> rho = io::gather_block(now_.scalars, 0);
    const std::vector<double> g = jacobians();
    for (std::size_t n = 0; n < rho.size(); ++n) rho[n] /= static_cast<T>(g[n]);
    return rho;
  }
  if (const int s = species_named(name); s >= 0) return content_block(s);
  if (name == "rain") return fallen_block();
  if (name == "theta_perturbation" && water_.species > 0) return theta_block();
  if (name == "subgrid_energy") {
    if (!energy_on_) throw UsageError("subgrid_energy: mixing.kind = energy has it only");
    return io::gather_block(now_.scalars, 2);
  }
  const int component = name == "theta_perturbation"      ? work_theta
                        : name == "pressure_perturbation" ? work_pressure
                        : name == "velocity_x"            ? work_deviation + 2
                        : name == "velocity_y"            ? work_deviation + 3
                        : name == "velocity_z"            ? work_deviation + 4
                                                          : work_u + (name[0] - 'u');
  return io::gather_block(work_, component);
}

template <class T>
std::vector<double> Model<T>::values(const std::string& variable)
{
  require_name(variable, true, water_.species);
  diagnosed();
  const std::vector<T> values = block(variable);
  return {values.begin(), values.end()};
}

template <class T>
StormTotals Model<T>::totals()
{
  diagnosed();
  const auto rho = io::gather_block(now_.scalars, 0), theta = io::gather_block(now_.scalars, 1),
             p = block("pressure_perturbation"), u = block("velocity_x"), v = block("velocity_y"),
             w = block("velocity_z");
  const Constants& c = setup_.constants;
  const std::vector<double> height = heights();
  const std::vector<double> rho_0 = reference_block(false), density_0 = reference_block(true);
  const std::vector<double> internal = internal_energy_block(p);
  ExactSum mass, heat, energy, motion, water, fallen;
  for (std::size_t n = 0; n < rho.size(); ++n) {
    const auto at = [n](const std::vector<T>& x) { return static_cast<double>(x[n]); };
    const double total = rho_0[n] + at(rho);
    mass.add(rho_0[n]);
    mass.add(at(rho));
    heat.add(density_0[n]);
    heat.add(at(theta));
    const double kinetic = total * (at(u) * at(u) + at(v) * at(v) + at(w) * at(w)) / 2;
    motion.add(kinetic);
    energy.add(kinetic + internal[n] + at(rho) * c.gravity * height[n]);
  }
  for (int s = 0; s < water_.species; ++s)
    for (const T x : io::gather_block(now_.water, s)) water.add(static_cast<double>(x));
  if (water_.species > 0)
    for (const T x : io::gather_block(fallen_)) fallen.add(static_cast<double>(x));
  const double cell = setup_.spacing[0] * setup_.spacing[1] * setup_.spacing[2];
  return {comm_.sum(mass).value() * cell,   comm_.sum(heat).value() * cell,
          comm_.sum(energy).value() * cell, comm_.sum(motion).value() * cell,
          comm_.sum(water).value() * cell,  comm_.sum(fallen).value() * cell / setup_.spacing[2]};
}

template <class T>
std::optional<job::Trouble> Model<T>::check()
{
  Dynamics<T> d = dynamics_;
  d.start = now_.variables();
  const HealthLimits limits{setup_.step / setup_.spacing[0],
                            d.slab ? 0 : setup_.step / setup_.spacing[1],
                            setup_.step / setup_.spacing[2], setup_.courant_limit};
  const Index3 global = decomposition_.cells();
  const std::int64_t air =
      on_device([&](auto exec) { return first_bad_cell(exec, d, owned_.lo, global, limits); });
  const std::int64_t wet = bad_water();
  const std::int64_t mine = air < 0 || (wet >= 0 && wet < air) ? wet : air;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = comm_.min(mine < 0 ? none : mine);
  if (first == none) return std::nullopt;

  const Index3 cell{first % global.i, first / global.i % global.j, first / (global.i * global.j)};
  std::array<double, 8> local{};
  int owner = -1;
  if (owned_.contains(cell)) {
    owner = comm_.rank();
    const Index3 c = cell - owned_.lo, n = owned_.size();
    const auto at = static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k));
    const auto value = [at](const grid::Field<T>& f, int m) {
      return static_cast<double>(io::gather_block(f, m)[at]);
    };
    local = {value(now_.scalars, 0),   value(now_.scalars, 1), value(now_.u, 0),
             value(now_.v, 0),         value(now_.w, 0),       reference_block(false)[at],
             reference_block(true)[at]};
    for (int s = 0; s < water_.species; ++s) {
      const double x = value(now_.water, s);
      if (s == 0 || is_water(local[7])) local[7] = x;
    }
  }
  owner = static_cast<int>(comm_.max(static_cast<std::int64_t>(owner)));
  comm_.broadcast(std::as_writable_bytes(std::span(local)), owner);
  return trouble_at(cell, local, limits);
}

template <class T>
job::Trouble Model<T>::trouble_at(Index3 cell, const std::array<double, 8>& x,
                                  const HealthLimits& limits) const
{
  const double rho = x[5] + x[0], theta = (x[6] + x[1]) / rho;
  const double depth = GroundHeight(setup_).jacobian(cell.i, cell.j);
  const double u = x[2] / rho, v = x[3] / rho, w = x[4] / rho;
  const double courant = std::fabs(u) * limits.courant_x + std::fabs(v) * limits.courant_y +
                         std::fabs(w) * limits.courant_z;
  job::Trouble t;
  t.cell = cell;
  t.local = {{"density", rho / depth}, {"theta", theta},  {"velocity_x", u},
             {"velocity_y", v},        {"velocity_z", w}, {"Courant number", courant}};
  t.advice = fmt::format("a step below {:.3g} s, or more acoustic steps", setup_.step * 0.7);
  const bool finite = std::isfinite(x[0]) && std::isfinite(x[1]);
  if (!finite || std::fabs(x[0]) > trusted_range * x[5]) {
    t.variable = "density";
    t.problem = finite ? "is 30 % from that of the column" : "is not finite";
  } else if (std::fabs(x[1]) > trusted_range * x[6]) {
    t.variable = "theta";
    t.problem = "density times theta is 30 % from that of the column";
  } else if (!is_water(x[7])) {
    t.variable = "water";
    t.problem = std::isfinite(x[7]) ? "is less than nothing" : "is not finite";
  } else {
    t.variable = "velocity";
    t.problem = std::isfinite(courant)
                    ? fmt::format("CFL {:.3g} is above {:.3g}", courant, limits.courant)
                    : "is not finite";
  }
  return t;
}

template <class T>
void Model<T>::write_state(io::StateWriter& out)
{
  out.write("scalars", now_.scalars);
  out.write("momentum_x", now_.u);
  out.write("momentum_y", now_.v);
  out.write("momentum_z", now_.w);
  if (water_.species > 0) write_water(out);
  for (const std::size_t axis : {0u, 1u}) {
    if (!setup_.open[axis][1]) continue;
    out.begin_dataset(high_face_names[axis], io::element_type<T>(), 1);
    out.write_component(0, now_.high_faces(static_cast<int>(axis)).data());
    out.end_dataset();
  }
}

template <class T>
void Model<T>::read_state(io::StateReader& in, std::int64_t step)
{
  in.read("scalars", now_.scalars);
  in.read("momentum_x", now_.u);
  in.read("momentum_y", now_.v);
  in.read("momentum_z", now_.w);
  if (water_.species > 0) read_water(in);
  for (const std::size_t axis : {0u, 1u}) {
    if (!setup_.open[axis][1]) continue;
    std::vector<T> values(static_cast<std::size_t>(owned_.cells()));
    in.begin_dataset(high_face_names[axis], io::element_type<T>(), 1);
    in.read_component(0, values.data());
    in.end_dataset();
    now_.set_high_faces(static_cast<int>(axis), std::move(values));
  }
  wait();
  fill_halo(now_);
  clock_.step = step;
}

/// Hash of the faces at an open high end.
template <class T>
std::uint64_t Model<T>::hash_of_end(int axis, std::uint64_t base)
{
  View3<T> v = (axis == 0 ? now_.u : now_.v).view();
  Index3 offset = owned_.lo;
  offset[axis] = 0;
  v.origin += axis == 0 ? v.ni : v.nj * v.sj;
  (axis == 0 ? v.ni : v.nj) = 1;
  return on_device(
      [&](auto exec) { return grid::hash_view<T>(exec, v, offset, decomposition_.cells(), base); });
}

template <class T>
std::uint64_t Model<T>::state_hash()
{
  const Index3 global = decomposition_.cells();
  const auto cells = static_cast<std::uint64_t>(volume(global));
  std::uint64_t hash = 0, place = 0;
  const auto add = [&](const grid::Field<T>& field, int component) {
    hash += on_device([&](auto exec) {
      return grid::hash_view(exec, field.view(component), owned_.lo, global, cells * place++);
    });
  };
  add(now_.scalars, 0);
  add(now_.scalars, 1);
  if (energy_on_) add(now_.scalars, 2);
  add(now_.u, 0);
  add(now_.v, 0);
  add(now_.w, 0);
  for (int s = 0; s < water_.species; ++s) add(now_.water, s);
  if (water_.species > 0) add(fallen_, 0);
  for (const int axis : {0, 1}) {
    if (dynamics_.open[2 * axis + 1]) hash += hash_of_end(axis, cells * place);
    ++place;
  }
  return comm_.sum(hash);
}

template <class T>
void Model<T>::write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>& names)
{
  for (const std::string& name : names) require_name(name, false, water_.species);
  diagnosed();
  for (const Name& n : snapshot_names) {
    const bool there =
        (n.name != "velocity_y" || dynamics_.has_v) && (n.name != "height" || dynamics_.hilly) &&
        has_water_of(n.name, water_.species) && (n.name != "subgrid_energy" || energy_on_);
    const bool wanted =
        names.empty() ? there : std::find(names.begin(), names.end(), n.name) != names.end();
    if (wanted)
      out.write_block({std::string(n.name), std::string(n.unit), std::string(n.text)},
                      io::element_type<T>(), block(n.name).data());
  }
}

template <class T>
typename Model<T>::Slice Model<T>::slice(const std::string& variable, int axis)
{
  return job::middle_slice(comm_, decomposition_, values(variable), axis);
}

template <class T>
std::vector<double> Model<T>::values_at(const std::vector<Index3>& cells,
                                        const std::vector<std::string>& variables)
{
  return job::values_at(comm_, decomposition_, cells, variables,
                        [&](const std::string& name) { return values(name); });
}

template <class T>
std::vector<std::pair<std::string, double>> Model<T>::series()
{
  const StormTotals sums = totals();
  std::vector<std::pair<std::string, double>> numbers{{"mass", sums.mass},
                                                      {"theta_mass", sums.theta},
                                                      {"energy", sums.energy},
                                                      {"kinetic_energy", sums.kinetic}};
  const auto add_extremes = [&](const std::string& name, std::string_view variable) {
    const std::vector<T> block = this->block(variable);
    const auto [low, high] = std::minmax_element(block.begin(), block.end());
    numbers.emplace_back(name + "_min", comm_.min(static_cast<double>(*low)));
    numbers.emplace_back(name + "_max", comm_.max(static_cast<double>(*high)));
  };
  add_extremes("w", "w");
  add_extremes("theta_perturbation", "theta_perturbation");
  return numbers;
}

template <class T>
std::pair<double, double> Model<T>::traffic_per_step() const
{
  const auto state = now_.halo.traffic(), push = push_halo_.traffic();
  const auto keep = water_.species > 0 ? keep_halo_.traffic() : comm::HaloTraffic{};
  double pushes = 0;
  for (const int n : short_steps_of_stages(setup_.short_steps)) pushes += n - 1;
  return {3 * state.messages + pushes * push.messages + keep.messages,
          3 * static_cast<double>(state.bytes_sent) +
              pushes * static_cast<double>(push.bytes_sent) + static_cast<double>(keep.bytes_sent)};
}

template <class T>
job::Cost Model<T>::cost() const
{
  job::Cost c;
  c.cells = volume(decomposition_.cells());
  c.bytes_per_step = static_cast<double>(owned_.cells()) * storm_traffic<T>(setup_);
  c.memory = storm_bytes<T>(owned_.size(), setup_);
  std::tie(c.messages, c.bytes_sent) = traffic_per_step();
  return c;
}

template class Model<float>;
template class Model<double>;

}  // namespace helicity::weather::detail
