// SPDX-License-Identifier: Apache-2.0
// The part of a storm that carries water, and changes it.
#include <helicity/io/block.hpp>
#include <helicity/io/state_file.hpp>
#include <helicity/weather/detail/storm_model.hpp>

#include <array>
#include <functional>

namespace helicity::weather::detail {
namespace {

template <class T>
Mixture<T> mixture_of(const Constants& air, const MoistConstants& water)
{
  const double heat = air.heat - air.gas;
  return {static_cast<T>(air.gas),
          static_cast<T>(heat),
          static_cast<T>(air.heat),
          static_cast<T>(water.gas_vapour),
          static_cast<T>(water.heat_vapour - water.gas_vapour - heat),
          static_cast<T>(water.heat_liquid - heat),
          static_cast<T>(water.heat_ice - heat)};
}

}  // namespace

template <class T>
void Model<T>::set_water()
{
  const int species = setup_.species;
  if (species == 0) return;
  carried_ = grid::Field<T>(storm_shape(owned_, slab_, carried_content + species), executor_);
  const grid::Box columns{owned_.lo, {owned_.hi.i, owned_.hi.j, owned_.lo.k + 1}};
  fallen_ = grid::Field<T>(storm_shape(columns, slab_, 1), executor_);
  const auto in = [&](int m) { return carried_.view(m).origin; };
  dynamics_.flux_u = in(carried_flux_u);
  dynamics_.flux_v = in(carried_flux_v);
  dynamics_.flux_w = in(carried_flux_w);
  water_.species = species;
  water_.mixture = mixture_of<T>(setup_.constants, setup_.water);
  water_.weno = setup_.weno;
  water_.loss = in(carried_loss);
  water_.fallen = fallen_.view().origin;
  // What is kept is told and used when the rates of a stage have served.
  const Variables<T>&rate = dynamics_.rate, &deviation = dynamics_.deviation;
  const std::array<T*, species_count> keep{rate.rho, rate.theta, rate.u,
                                           rate.v,   rate.w,     deviation.rho};
  for (int s = 0; s < species; ++s) {
    water_.content[s] = in(carried_content + s);
    water_.keep[s] = keep[static_cast<std::size_t>(s)];
  }
  if (!setup_.scheme) return;
  physics_.scheme = *setup_.scheme;
  physics_.air =
      moist_air<T>(setup_.constants, setup_.water,
                   physics_.scheme == Scheme::klemp_wilhelmson ? Saturation::klemp_wilhelmson
                                                               : Saturation::bolton);
  physics_.step = static_cast<T>(setup_.step);
  const double vapour = setup_.vapour ? setup_.vapour(0) : 0,
               cloud = setup_.cloud ? setup_.cloud(0) : 0;
  physics_.surface_rho = static_cast<T>(column_.rho[0] * (1 - vapour - cloud));
}

template <class T>
OpenWater<T> Model<T>::open_water_of(State<T>& state)
{
  OpenWater<T> open;
  open.species = water_.species;
  for (int s = 0; s < open.species; ++s) open.water[s] = state.water_of(s);
  return open;
}

template <class T>
void Model<T>::set_water_stage(int stage, int count)
{
  for (int s = 0; s < water_.species; ++s) {
    water_.start[s] = now_.water_of(s);
    water_.next[s] = later_.water_of(s);
    water_.stage[s] = stage == 0 ? water_.start[s] : water_.next[s];
  }
  water_.step = static_cast<T>(setup_.step / (3 - stage));
  water_.per_count = T(1) / static_cast<T>(count);
}

template <class T>
void Model<T>::carry_water(int stage)
{
  const bool limited = stage == 2;
  if (limited) {
    on_device([&](auto exec) { limit_outflow(exec, dynamics_, water_); });
    keep_halo_.exchange();
  }
  on_device([&](auto exec) { move_water(exec, dynamics_, water_, limited); });
}

/// Column by column, those of the halo too: it stays as the neighbours have it.
template <class T>
void Model<T>::change_water()
{
  dynamics_.start = now_.variables();
  for (int s = 0; s < water_.species; ++s) water_.start[s] = now_.water_of(s);
  on_device([&](auto exec) {
    moist_physics(exec, dynamics_, water_, physics_);
    keep_velocities(exec, dynamics_, water_);
  });
}

/// f(z) at the owned centres; 0 where there is no f.
template <class T>
std::vector<double> Model<T>::column_block(const std::function<double(double)>& f) const
{
  std::vector<double> values = heights();
  for (double& x : values) x = f ? f(x) : 0;
  return values;
}

template <class T>
std::vector<T> Model<T>::content_block(int species)
{
  std::vector<T> x = io::gather_block(now_.water, species);
  const std::vector<T> rho = io::gather_block(now_.scalars, 0);
  const std::vector<double> reference = reference_block(false);
  for (std::size_t n = 0; n < x.size(); ++n)
    x[n] = static_cast<T>(static_cast<double>(x[n]) / (reference[n] + static_cast<double>(rho[n])));
  return x;
}

/// What has fallen, at all levels of its column.
template <class T>
std::vector<T> Model<T>::fallen_block()
{
  const std::vector<T> level = io::gather_block(fallen_);
  std::vector<T> x;
  for (Index k = 0; k < owned_.size().k; ++k) x.insert(x.end(), level.begin(), level.end());
  return x;
}

/// theta of air and vapour less that of the column: theta_rho over 1 - q_t + q_v Rv / R.
template <class T>
std::vector<T> Model<T>::theta_block()
{
  const double ratio = setup_.water.gas_vapour / setup_.constants.gas;
  const std::vector<T> rho = io::gather_block(now_.scalars, 0),
                       theta = io::gather_block(now_.scalars, 1);
  const std::vector<double> rho_0 = reference_block(false), theta_0 = reference_block(true);
  std::vector<double> gas(rho.size());
  for (std::size_t n = 0; n < gas.size(); ++n) gas[n] = rho_0[n] + static_cast<double>(rho[n]);
  for (int s = 0; s < water_.species; ++s) {
    const std::vector<T> x = io::gather_block(now_.water, s);
    const double share = s == vapour ? 1 - ratio : 1;
    for (std::size_t n = 0; n < x.size(); ++n) gas[n] -= share * static_cast<double>(x[n]);
  }
  const std::vector<double> steam = column_block(setup_.vapour), drops = column_block(setup_.cloud);
  std::vector<T> x;
  for (std::size_t n = 0; n < gas.size(); ++n) {
    const double of_column =
        theta_0[n] / (rho_0[n] * (1 - (steam[n] + drops[n]) + steam[n] * ratio));
    x.push_back(static_cast<T>((theta_0[n] + static_cast<double>(theta[n])) / gas[n] - of_column));
  }
  return x;
}

/// Internal energy less that of the column, times G, J/m3. @param pressure  p'
template <class T>
std::vector<double> Model<T>::internal_energy_block(const std::vector<T>& pressure)
{
  std::vector<double> energy = jacobians();
  const std::vector<double> depth = energy;
  for (std::size_t n = 0; n < energy.size(); ++n)
    energy[n] *= static_cast<double>(pressure[n]) / (setup_.constants.gamma() - 1);
  if (water_.species == 0) return energy;

  const MoistAir<double> air = moist_air<double>(setup_.constants, setup_.water);
  const auto of = [&](const Content<double>& q, double p) {
    return internal_energy(air, q, p / gas_density(air, q.dry, q.vapour));
  };
  const std::vector<double> steam = column_block(setup_.vapour), drops = column_block(setup_.cloud),
                            rho_0 = reference_block(false),
                            p_0 = reference_values(reference_pressure, column_.pressure);
  const std::vector<T> rho = io::gather_block(now_.scalars, 0);
  std::array<std::vector<T>, species_count> q;
  for (int s = 0; s < species_count; ++s)
    q[static_cast<std::size_t>(s)] =
        s < water_.species ? io::gather_block(now_.water, s) : std::vector<T>(rho.size());
  for (std::size_t n = 0; n < energy.size(); ++n) {
    const auto at = [&](int s) {
      return static_cast<double>(q[static_cast<std::size_t>(s)][n]) / depth[n];
    };
    const double before = rho_0[n] / depth[n];
    const Content<double> column{before * (1 - steam[n] - drops[n]), before * steam[n],
                                 before * drops[n], 0};
    Content<double> now{0, at(vapour), at(cloud) + at(rain),
                        at(cloud_ice) + at(snow) + at(graupel)};
    now.dry =
        (rho_0[n] + static_cast<double>(rho[n])) / depth[n] - now.vapour - now.liquid - now.ice;
    energy[n] =
        depth[n] * (of(now, p_0[n] + static_cast<double>(pressure[n])) - of(column, p_0[n]));
  }
  return energy;
}

/// First owned cell whose water cannot be, by its global index, or -1.
template <class T>
std::int64_t Model<T>::bad_water()
{
  if (water_.species == 0) return -1;
  Water<T> w = water_;
  for (int s = 0; s < w.species; ++s) w.start[s] = now_.water_of(s);
  return on_device([&](auto exec) {
    return first_bad_water(exec, dynamics_, w, owned_.lo, decomposition_.cells());
  });
}

/// What has fallen stands in the lowest level of a dataset that has all of them.
template <class T>
void Model<T>::write_water(io::StateWriter& out)
{
  out.write("water", now_.water);
  std::vector<T> fallen = io::gather_block(fallen_);
  fallen.resize(static_cast<std::size_t>(owned_.cells()));
  out.begin_dataset("fallen", io::element_type<T>(), 1);
  out.write_component(0, fallen.data());
  out.end_dataset();
}

template <class T>
void Model<T>::read_water(io::StateReader& in)
{
  in.read("water", now_.water);
  std::vector<T> fallen(static_cast<std::size_t>(owned_.cells()));
  in.begin_dataset("fallen", io::element_type<T>(), 1);
  in.read_component(0, fallen.data());
  in.end_dataset();
  fallen.resize(static_cast<std::size_t>(fallen_.owned().cells()));
  io::scatter_block(fallen_, 0, fallen);
  wait();
}

template void Model<float>::set_water();
template OpenWater<float> Model<float>::open_water_of(State<float>&);
template void Model<float>::set_water_stage(int, int);
template void Model<float>::carry_water(int);
template void Model<float>::change_water();
template std::vector<float> Model<float>::content_block(int);
template std::vector<float> Model<float>::fallen_block();
template std::vector<float> Model<float>::theta_block();
template std::vector<double> Model<float>::internal_energy_block(const std::vector<float>&);
template std::int64_t Model<float>::bad_water();
template void Model<float>::write_water(io::StateWriter&);
template void Model<float>::read_water(io::StateReader&);
template void Model<double>::set_water();
template OpenWater<double> Model<double>::open_water_of(State<double>&);
template void Model<double>::set_water_stage(int, int);
template void Model<double>::carry_water(int);
template void Model<double>::change_water();
template std::vector<double> Model<double>::content_block(int);
template std::vector<double> Model<double>::fallen_block();
template std::vector<double> Model<double>::theta_block();
template std::vector<double> Model<double>::internal_energy_block(const std::vector<double>&);
template std::int64_t Model<double>::bad_water();
template void Model<double>::write_water(io::StateWriter&);
template void Model<double>::read_water(io::StateReader&);

}  // namespace helicity::weather::detail
