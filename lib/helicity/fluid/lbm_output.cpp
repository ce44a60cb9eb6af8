// SPDX-License-Identifier: Apache-2.0
// What is read from a running flow: health, states, snapshots, slices.
#include <helicity/core/error.hpp>
#include <helicity/core/exact_sum.hpp>
#include <helicity/core/text.hpp>
#include <helicity/fluid/detail/lbm_model.hpp>
#include <helicity/grid/hash.hpp>
#include <helicity/io/block.hpp>
#include <helicity/job/gather.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

namespace helicity::fluid::detail {
namespace {

constexpr std::string_view variable_names[] = {"density",    "pressure",   "velocity_x",
                                               "velocity_y", "velocity_z", "solid"};

/// @throws UsageError for a name that is neither a variable nor speed, with the nearest
void require_variable(std::string_view name)
{
  std::vector<std::string_view> names(std::begin(variable_names), std::end(variable_names));
  names.emplace_back("speed");
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UsageError(fmt::format("there is no variable '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace

/// Fills what reading in layout `neighbour` needs: halos came with the last step, mailboxes now.
template <class T>
void Model<T>::prepare_reading()
{
  if (layout_ == Layout::neighbour) links(true);
}

template <class T>
void Model<T>::compute_moments()
{
  if (moments_.buffer().empty()) moments_ = grid::Field<T>(shape(4, 0), executor_);
  prepare_reading();
  on_device([&](auto exec) {
    lbm_moments(exec, setup_.lattice, layout_, read_only(populations()), relaxation_,
                std::as_const(flags_).view(), components(moments_));
  });
}

template <class T>
std::optional<job::Trouble> Model<T>::check()
{
  compute_moments();
  const Index3 global = decomposition_.cells();
  const std::int64_t mine = on_device([&](auto exec) {
    return first_bad_cell(exec, read_only(components(moments_)), owned_.lo, global,
                          static_cast<T>(setup_.speed_limit));
  });
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = comm_.min(mine < 0 ? none : mine);
  if (first == none) return std::nullopt;

  const Index3 cell{first % global.i, first / global.i % global.j, first / (global.i * global.j)};
  std::array<double, 4> local{};
  int owner = -1;
  if (owned_.contains(cell)) {
    owner = comm_.rank();
    const Index3 c = cell - owned_.lo;
    const Index3 n = owned_.size();
    const auto at = static_cast<std::size_t>(c.i + n.i * (c.j + n.j * c.k));
    for (int x = 0; x < 4; ++x)
      local[static_cast<std::size_t>(x)] = io::gather_block(moments_, x)[at];
  }
  owner = static_cast<int>(comm_.max(static_cast<std::int64_t>(owner)));
  comm_.broadcast(std::as_writable_bytes(std::span(local)), owner);

  const double speed = std::sqrt(local[1] * local[1] + local[2] * local[2] + local[3] * local[3]);
  job::Trouble t;
  t.cell = cell;
  if (!std::isfinite(local[0]) || local[0] <= -1)
    t.variable = "density";
  else
    t.variable = "velocity";
  if (!std::isfinite(local[0]) || !std::isfinite(speed))
    t.problem = "is not finite";
  else if (local[0] <= -1)
    t.problem = "is not positive";
  else
    t.problem =
        fmt::format("is {:.3g} cells a step (CFL), above {:.3g}", speed, setup_.speed_limit);
  t.local = {{"density", units_.density * (1 + local[0])},
             {"velocity_x", local[1] * units_.dx / units_.dt},
             {"velocity_y", local[2] * units_.dx / units_.dt},
             {"velocity_z", local[3] * units_.dx / units_.dt},
             {"Mach", speed * std::sqrt(3.)}};
  t.advice = "a shorter step (lower Mach number), a finer grid, or more viscosity";
  return t;
}

template <class T>
void Model<T>::write_state(io::StateWriter& out)
{
  grid::Field<T> one(shape(1, 0), executor_);
  const int q = velocities(setup_.lattice);
  prepare_reading();
  out.begin_dataset("population", io::element_type<T>(), q);
  for (int i = 0; i < q; ++i) {
    on_device([&](auto exec) {
      lbm_population(exec, setup_.lattice, layout_, read_only(populations()), i,
                     std::as_const(flags_).view(), one.view());
    });
    out.write_component(i, io::gather_block(one).data());
  }
  out.end_dataset();
}

template <class T>
void Model<T>::read_state(io::StateReader& in, std::int64_t step)
{
  in.read("population", f_);
  layout_ = Layout::own;
  clock_.step = step;
}

template <class T>
std::uint64_t Model<T>::state_hash()
{
  grid::Field<T> one(shape(1, 0), executor_);
  const auto cells = static_cast<std::uint64_t>(volume(decomposition_.cells()));
  std::uint64_t hash = 0;
  prepare_reading();
  for (int i = 0; i < velocities(setup_.lattice); ++i)
    hash += on_device([&](auto exec) {
      lbm_population(exec, setup_.lattice, layout_, read_only(populations()), i,
                     std::as_const(flags_).view(), one.view());
      return grid::hash_view(exec, std::as_const(one).view(), owned_.lo, decomposition_.cells(),
                             cells * static_cast<std::uint64_t>(i));
    });
  return comm_.sum(hash);
}

/// One variable of the owned cells in the units of snapshots. @pre compute_moments() was called
template <class T>
std::vector<T> Model<T>::variable_block(std::string_view name)
{
  const double scale = units_.dx / units_.dt;
  if (name == "solid") return std::vector<T>(solid_block_.begin(), solid_block_.end());
  const bool scalar = name == "density" || name == "pressure";
  std::vector<T> block = io::gather_block(moments_, scalar ? 0 : name.back() - 'x' + 1);
  for (T& v : block) {
    const auto lattice = static_cast<double>(v);
    v = static_cast<T>(name == "density"    ? units_.density * (1 + lattice)
                       : name == "pressure" ? units_.density * scale * scale * lattice / 3
                                            : lattice * scale);
  }
  return block;
}

template <class T>
void Model<T>::write_snapshot(io::SnapshotWriter& out, const std::vector<std::string>& names)
{
  const auto wanted = [&](std::string_view name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names)
    if (std::find(std::begin(variable_names), std::end(variable_names), name) ==
        std::end(variable_names))
      throw UsageError(
          fmt::format("there is no variable '{}'{}", name, did_you_mean(name, variable_names)));
  compute_moments();
  for (const std::string_view name : variable_names) {
    if (!wanted(name)) continue;
    if (name == "velocity_z" && setup_.lattice == LatticeKind::d2q9 && names.empty()) continue;
    if (name == "solid") {
      out.write_block({"solid", "1", "1 where there is no fluid"}, io::ElementType::uint8,
                      solid_block_.data());
      continue;
    }
    const char* unit = !units_.si           ? "1"
                       : name == "density"  ? "kg m-3"
                       : name == "pressure" ? "Pa"
                                            : "m s-1";
    std::string text(name == "pressure" ? "pressure less that at rest" : name);
    std::replace(text.begin(), text.end(), '_', ' ');
    out.write_block({std::string(name), unit, text}, io::element_type<T>(),
                    variable_block(name).data());
  }
}

template <class T>
std::vector<double> Model<T>::variable_values(std::string_view name)
{
  std::vector<double> values;
  if (name == "speed") {
    const auto u = variable_block("velocity_x"), v = variable_block("velocity_y"),
               w = variable_block("velocity_z");
    for (std::size_t c = 0; c < u.size(); ++c)
      values.emplace_back(std::sqrt(static_cast<double>(u[c] * u[c] + v[c] * v[c] + w[c] * w[c])));
  } else {
    const auto block = variable_block(name);
    values.assign(block.begin(), block.end());
  }
  for (std::size_t c = 0; name != "solid" && c < values.size(); ++c)
    if (solid_block_[c] != 0) values[c] = std::numeric_limits<double>::quiet_NaN();
  return values;
}

template <class T>
typename Model<T>::Slice Model<T>::slice(const std::string& variable, int axis)
{
  require_variable(variable);
  compute_moments();
  return job::middle_slice(comm_, decomposition_, variable_values(variable), axis);
}

template <class T>
std::vector<double> Model<T>::values_at(const std::vector<Index3>& cells,
                                        const std::vector<std::string>& variables)
{
  for (const std::string& name : variables) require_variable(name);
  compute_moments();
  return job::values_at(comm_, decomposition_, cells, variables,
                        [&](const std::string& name) { return variable_values(name); });
}

template <class T>
std::vector<std::pair<std::string, double>> Model<T>::series()
{
  compute_moments();
  const std::vector<T> density = variable_block("density");
  const std::vector<double> speed = variable_values("speed");
  ExactSum mass, energy;
  double fastest = 0;
  for (std::size_t c = 0; c < speed.size(); ++c) {
    if (solid_block_[c] != 0) continue;
    const auto rho = static_cast<double>(density[c]);
    mass.add(rho);
    energy.add(rho * speed[c] * speed[c] / 2);
    fastest = std::max(fastest, speed[c]);
  }
  const double cell = units_.dx * units_.dx * units_.dx;
  return {{"mass", comm_.sum(mass).value() * cell},
          {"kinetic_energy", comm_.sum(energy).value() * cell},
          {"speed_max", comm_.max(fastest)}};
}

template <class T>
LbmModel::Macroscopic Model<T>::macroscopic()
{
  compute_moments();
  Macroscopic m;
  const auto values = [&](int component) {
    const auto block = io::gather_block(moments_, component);
    return std::vector<double>(block.begin(), block.end());
  };
  m.density = values(0);
  for (int x = 0; x < 3; ++x) m.velocity[static_cast<std::size_t>(x)] = values(x + 1);
  return m;
}

template <class T>
job::Cost Model<T>::cost() const
{
  const double q = velocities(setup_.lattice);
  job::Cost c;
  c.cells = volume(decomposition_.cells());
  c.bytes_per_step = static_cast<double>(fluid_cells_) * 2 * q * sizeof(T) +
                     static_cast<double>(links_.bytes()) + exchange_.bytes_per_step();
  c.memory =
      lbm_bytes<T>(setup_.lattice, owned_.size()) + links_.bytes() + runs_.size() * sizeof(RowRun);
  return c;
}

template class Model<float>;
template class Model<double>;

}  // namespace helicity::fluid::detail
