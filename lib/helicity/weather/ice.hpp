// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/weather/microphysics.hpp>

/// Single-moment microphysics of vapour, cloud, rain, cloud ice, snow and graupel, at constant
/// volume: the formulas of Hong & Lim (2006), J. Korean Meteorol. Soc. 42, 129 (HL), and Hong,
/// Dudhia & Chen (2004), Mon. Weather Rev. 132, 103 (HDC), with sizes as in Rutledge & Hobbs
/// (1984), J. Atmos. Sci. 41, 2949 (RH) and Lin, Farley & Orville (1983), J. Appl. Meteorol. 22,
/// 1065 (LFO). Left out: enhanced melting by what is collected, and rain collecting snow.
///
/// Drops, flakes and graupel are distributed as N0 exp(-lambda D), with 1 / lambda =
/// (x / (pi rho_x N0))^(1/4) of their density x, and fall at a D^b sqrt(1.28 / rho).
namespace helicity::weather::ice {

/// A distribution: 1 / lambda, N0, and its mass-weighted speed; all 0 where there is nothing.
template <class T>
struct Sizes
{
  T length = 0, intercept = 0, speed = 0;
  T log_length = 0;
};

/// @param log_scale  log(pi rho_x N0)   @param factor  a Gamma(4 + b) / 6
template <class T>
HELICITY_HD Sizes<T> sizes_of(T x, T intercept, T log_scale, T factor, T b, T thinness)
{
  const Amount<T> amount = amount_of(x);
  const T log_length = T(0.25) * (amount.log - log_scale);
  const bool there = x > least_amount<T>;
  const T length = math::exp(log_length), speed = factor * math::exp(b * log_length) * thinness;
  return {there ? length : T(0), there ? intercept : T(0), there ? speed : T(0), log_length};
}

/// sqrt(1.28 / rho)
template <class T>
HELICITY_HD T thinness_of(const Parcel<T>& p)
{
  return math::sqrt(T(1.28) / p.dry);
}

/// a = 841.9, b = 0.8, N0 = 8e6, 1000 kg/m3 (LFO).
template <class T>
HELICITY_HD Sizes<T> rain_sizes(const Parcel<T>& p)
{
  return sizes_of(p.rain, T(8e6), T(23.9474373), T(2502.94933), T(0.8), thinness_of(p));
}

/// a = 330, b = 0.8, N0 = 4e6, 500 kg/m3 (HL).
template <class T>
HELICITY_HD Sizes<T> graupel_sizes(const Parcel<T>& p)
{
  return sizes_of(p.graupel, T(4e6), T(22.5611429), T(981.082411), T(0.8), thinness_of(p));
}

/// a = 11.72, b = 0.41, N0 = 2e6 exp(0.12 (T0 - T)) up to 1e11, 100 kg/m3 (HDC, eq. 6).
template <class T>
HELICITY_HD Sizes<T> snow_sizes(const MoistAir<T>& a, const Parcel<T>& p)
{
  const T colder = least(most(a.freezing - p.temperature, T(0)), T(90));
  const T log_intercept = T(14.5086577) + T(0.12) * colder;  // log(2e6) + ...
  const T intercept = math::exp(log_intercept);
  return sizes_of(p.snow, intercept, T(5.74990007) + log_intercept, T(20.0712893), T(0.41),
                  thinness_of(p));
}

/// Cloud ice: crystals per m3, and their diameter, m.
template <class T>
struct Crystals
{
  T number, diameter;
};

/// N = 5.38e7 x^0.75, 1e3 to 1e6 (HDC, eq. 5c); D = 11.9 sqrt(x / N), at most 5e-4 (eq. 5b).
template <class T>
HELICITY_HD Crystals<T> crystals_of(const Parcel<T>& p)
{
  const T number =
      least(most(T(5.38e7) * power_of(amount_of(p.cloud_ice), T(0.75)), T(1e3)), T(1e6));
  const T mass = most(p.cloud_ice, T(0)) / number;
  return {number, least(T(11.9) * math::sqrt(mass), T(5e-4))};
}

template <class T>
HELICITY_HD T rain_speed(const Parcel<T>& p)
{
  return rain_sizes(p).speed;
}

template <class T>
HELICITY_HD T snow_speed(const MoistAir<T>& a, const Parcel<T>& p)
{
  return snow_sizes(a, p).speed;
}

template <class T>
HELICITY_HD T graupel_speed(const Parcel<T>& p)
{
  return graupel_sizes(p).speed;
}

/// 1.49e4 D^1.31 (HDC, eq. 5a).
template <class T>
HELICITY_HD T cloud_ice_speed(const Parcel<T>& p)
{
  return T(1.49e4) * power_of(amount_of(crystals_of(p).diameter), T(1.31));
}

/// What diffusion of heat and vapour to particles depends on.
template <class T>
struct Diffusion
{
  T viscosity = 0;     ///< kinematic, m2/s
  T conductivity = 0;  ///< J/(m s K)
  T diffusivity = 0;   ///< of vapour, m2/s
  T ventilation = 0;   ///< Sc^(1/3) (1.28 / rho)^(1/4) / sqrt(viscosity)
};

/// viscosity 1.496e-6 T^1.5 / (T + 120) / rho, conductivity 1414 rho viscosity, diffusivity
/// 8.794e-5 T^1.81 / p (HDC, appendix).
template <class T>
HELICITY_HD Diffusion<T> diffusion_of(const Parcel<T>& p)
{
  const T t = p.temperature, root = math::sqrt(t);
  const T dynamic = T(1.496e-6) * (t * root) / (t + T(120));
  Diffusion<T> d;
  d.viscosity = dynamic / p.dry;
  d.conductivity = T(1414) * dynamic;
  d.diffusivity = T(8.794e-5) * math::exp(T(1.81) * math::log(t)) / p.pressure;
  const T schmidt = math::exp(T(1.0 / 3) * math::log(d.viscosity / d.diffusivity));
  d.ventilation = schmidt * math::sqrt(math::sqrt(T(1.28) / p.dry)) / math::sqrt(d.viscosity);
  return d;
}

/// N0 (f1 / lambda^2 + f2 / lambda^((b + 5) / 2) ventilation), the bracket of LFO, eq. 32 and 46.
template <class T>
HELICITY_HD T ventilated(const Sizes<T>& s, const Diffusion<T>& d, T f1, T f2, T power)
{
  const T wake = f2 * (math::exp(power * s.log_length) * d.ventilation);
  return s.intercept * (f1 * (s.length * s.length) + wake);
}

/// 1 / (L^2 / (K Rv T^2) + 1 / (rho_vs D)): what a saturation excess does, kg/(m s).
template <class T>
HELICITY_HD T per_excess(const MoistAir<T>& a, const Diffusion<T>& d, T temperature, T latent,
                         T saturated)
{
  const T heat = latent / temperature;
  return T(1) /
         (heat * heat / (d.conductivity * a.gas_vapour) + T(1) / (saturated * d.diffusivity));
}

/// All that one moves: `wish`, as much as there is. Takes from `from`.
template <class T>
HELICITY_HD T move(T& from, T& to, T wish)
{
  const T moved = least(most(wish, T(0)), most(from, T(0)));
  from = from - moved;
  to = to + moved;
  return moved;
}

/// State of a cell and the rates' common factors. Masses move at once, T follows at the end.
template <class T>
struct Cell
{
  Parcel<T> p;
  Sizes<T> rain, snow, graupel;
  Crystals<T> crystals;
  Diffusion<T> diffusion;
  T step, colder;                        ///< s; T0 - T
  T over_water, over_ice;                ///< saturated densities of vapour
  T snow_vent, graupel_vent, rain_vent;  ///< ventilated(), with the factor before
  T budget;                              ///< melting or freezing that ends at T0, kg/m3
};

template <class T>
HELICITY_HD Cell<T> cell_of(const Microphysics<T>& m, const Parcel<T>& p)
{
  const MoistAir<T>& a = m.air;
  Cell<T> c;
  c.p = p;
  c.rain = rain_sizes(p), c.snow = snow_sizes(a, p), c.graupel = graupel_sizes(p);
  c.crystals = crystals_of(p);
  c.diffusion = diffusion_of(p);
  c.step = m.step, c.colder = a.freezing - p.temperature;
  const T per = T(1) / (a.gas_vapour * p.temperature);
  c.over_water = saturation_pressure(a.over_water, p.temperature) * per;
  c.over_ice = saturation_pressure(a.over_ice, p.temperature) * per;
  // 2 pi 0.78, 2 pi 0.31 Gamma(2.9) sqrt(a) and 4 0.65, 4 0.44 Gamma(2.705) sqrt(a)
  c.rain_vent = ventilated(c.rain, c.diffusion, T(4.90088454), T(103.274895), T(2.9));
  c.graupel_vent = ventilated(c.graupel, c.diffusion, T(4.90088454), T(64.6578824), T(2.9));
  c.snow_vent = ventilated(c.snow, c.diffusion, T(2.6), T(9.34445), T(2.705));
  const T capacity = heat_capacity(a, content_of(p));
  const T size = c.colder < T(0) ? -c.colder : c.colder;
  c.budget = capacity * size / fusion_heat(a, p.temperature);
  return c;
}

/// pi / 4 a Gamma(3 + b) N0 / lambda^(3 + b) sqrt(1.28 / rho): what a distribution sweeps, 1/s.
template <class T>
HELICITY_HD T swept(const Parcel<T>& p, const Sizes<T>& s, T factor, T power)
{
  return factor * (s.intercept * math::exp(power * s.log_length)) * thinness_of(p);
}

/// pi^2 rho_x N0x N0y |Vx - Vy| (5 / (lx^6 ly) + 2 / (lx^5 ly^2) + 0.5 / (lx^4 ly^3)) of x
/// collected by y, kg/(m3 s) (LFO, eq. 28). @param scale  pi^2 rho_x
template <class T>
HELICITY_HD T collected(const Sizes<T>& x, const Sizes<T>& y, T scale)
{
  const T difference = x.speed < y.speed ? y.speed - x.speed : x.speed - y.speed;
  const T l = x.length, n = y.length, square = l * l;
  // in an order that stays within the range of float
  const T shape = n * (T(5) * square + n * (T(2) * l + T(0.5) * n));
  return (scale * (x.intercept * (square * square))) * (y.intercept * shape) * difference;
}

/// Warm rain: autoconversion 0.104 g 0.55 / (mu (Nc rho_w)^(1/3)) q_c^(7/3) rho^(4/3) of Tripoli &
/// Cotton above what 3e8 drops of 8 um hold (HDC, eq. 18), and accretion (HL, Pracw).
template <class T>
HELICITY_HD void make_rain(Cell<T>& c)
{
  Parcel<T>& p = c.p;
  const T cloud = most(p.cloud, T(0));
  const T dynamic = c.diffusion.viscosity * p.dry;
  // 0.104 9.81 0.55 / (3e8 1000)^(1/3) = 8.3822e-5
  const T drops = T(8.38219869e-5) / dynamic * power_of(amount_of(cloud), T(7.0 / 3));
  const T enough = cloud > T(6.43398175e-4) ? drops : T(0);
  const T sweep = swept(p, c.rain, T(3103.91338), T(3.8));
  move(p.cloud, p.rain, c.step * (enough + cloud * sweep));
}

/// Collection of cloud (efficiency 1) and of cloud ice (exp(-0.07 (T0 - T))) by snow and graupel
/// (HL, Psacw, Pgacw, Psaci, Pgaci), of rain by both (Psacr, Pgacr), of cloud ice by rain (Praci).
/// Above T0 what is liquid stays so. @return liquid that froze
template <class T>
HELICITY_HD T collect(Cell<T>& c)
{
  Parcel<T>& p = c.p;
  const bool cold = c.colder > T(0);
  const T sticky = math::exp(T(-0.07) * most(c.colder, T(0)));
  const T by_snow = swept(p, c.snow, T(27.7371621), T(3.41));
  const T by_graupel = swept(p, c.graupel, T(1216.64261), T(3.8));
  const T by_rain = swept(p, c.rain, T(3103.91338), T(3.8));
  const T cloud = most(p.cloud, T(0)), crystals = most(p.cloud_ice, T(0));
  const T budget = cold ? c.budget : T(0);
  T frozen = move(p.cloud, p.snow, least(c.step * (cloud * by_snow), budget));
  frozen = frozen + move(p.cloud, p.graupel, least(c.step * (cloud * by_graupel), budget - frozen));
  const T wet = cold ? T(0) : c.step * (cloud * (by_snow + by_graupel));
  move(p.cloud, p.rain, wet);
  const T rain_on_snow = c.step * collected(c.rain, c.snow, T(9869.6044));
  const T rain_on_graupel = c.step * collected(c.rain, c.graupel, T(9869.6044));
  const T heavy = p.rain > T(1e-4) * p.dry || p.snow > T(1e-4) * p.dry ? T(1) : T(0);
  const T on_snow = least(rain_on_snow, budget - frozen);
  frozen = frozen + move(p.rain, p.graupel, heavy * on_snow);
  frozen = frozen + move(p.rain, p.snow, (T(1) - heavy) * on_snow);
  frozen = frozen + move(p.rain, p.graupel, least(rain_on_graupel, budget - frozen));
  move(p.cloud_ice, p.snow, c.step * (sticky * (crystals * by_snow)));
  move(p.cloud_ice, p.graupel, c.step * (sticky * (crystals * by_graupel)));
  const T dragged = cold ? c.step * (crystals * by_rain) : T(0);
  const T caught = move(p.cloud_ice, p.graupel, heavy * dragged);
  move(p.cloud_ice, p.snow, (T(1) - heavy) * dragged - caught);
  return frozen;
}

/// Cloud ice to snow beyond crystals of 0.5 mm, 8.125e-5 kg/m3 (HDC, eq. 7); snow to graupel
/// 1e-3 exp(-0.09 (T0 - T)) (q - 6e-4) (HL, Pgaut; LFO).
template <class T>
HELICITY_HD void aggregate(Cell<T>& c)
{
  Parcel<T>& p = c.p;
  const bool cold = c.colder > T(0);
  move(p.cloud_ice, p.snow, cold ? p.cloud_ice - T(8.125e-5) : T(0));
  const T rate = T(1e-3) * math::exp(T(-0.09) * most(c.colder, T(0)));
  move(p.snow, p.graupel, cold ? c.step * (rate * (p.snow - T(6e-4) * p.dry)) : T(0));
}

/// Below -40 C cloud freezes; rain freezes as Bigg has it, 20 pi^2 B rho_w N0 (exp(0.66 (T0 - T)) -
/// 1) / lambda^7, B = 100 (HL, Pgfrz).
template <class T>
HELICITY_HD void freeze(Cell<T>& c, T budget)
{
  Parcel<T>& p = c.p;
  const T excited = math::exp(T(0.66) * least(most(c.colder, T(0)), T(60))) - T(1);
  const T square = c.rain.length * c.rain.length;
  const T drops = T(1.97392088e7) * (c.rain.intercept * (square * square)) *
                  ((square * c.rain.length) * excited);
  const T frozen = move(p.rain, p.graupel, least(c.step * drops, budget));
  move(p.cloud, p.cloud_ice, c.colder > T(40) ? least(p.cloud, budget - frozen) : T(0));
}

/// Above T0: cloud ice melts at once, snow and graupel by conduction, K (T - T0) / Lf
/// ventilated() with 2 pi for snow too (HDC, eq. 21; HL, Pgmlt).
template <class T>
HELICITY_HD void melt(const MoistAir<T>& a, Cell<T>& c)
{
  Parcel<T>& p = c.p;
  const T budget = c.colder < T(0) ? c.budget : T(0);
  const T flow = c.step * (c.diffusion.conductivity * -c.colder / fusion_heat(a, p.temperature));
  T melted = move(p.cloud_ice, p.cloud, least(p.cloud_ice, budget));
  melted =
      melted + move(p.snow, p.rain, least(flow * (T(1.57079633) * c.snow_vent), budget - melted));
  move(p.graupel, p.rain, least(flow * c.graupel_vent, budget - melted));
}

/// Deposition on crystals, snow and graupel below T0, or sublimation; nucleation of crystals up to
/// 4.92e-11 N^1.33 kg/m3, N = 1000 exp(0.1 (T0 - T)) (HDC, eq. 8 to 10). No further than to
/// saturation over ice.
template <class T>
HELICITY_HD void deposit(const MoistAir<T>& a, Cell<T>& c, T capacity)
{
  Parcel<T>& p = c.p;
  const T latent = latent_heat(a, p.temperature) + fusion_heat(a, p.temperature);
  const T per_x = latent / capacity;
  const T slope = c.over_ice * (steepness(a.over_ice, p.temperature) - T(1) / p.temperature);
  const T excess = p.vapour - c.over_ice, room = excess / (T(1) + slope * per_x);
  const T grown = T(4) * (c.crystals.diameter * c.crystals.number);
  const T there = p.cloud_ice > least_amount<T> ? grown : T(0);
  const T rate = c.colder > T(0) ? c.step * (excess / c.over_ice) *
                                       per_excess(a, c.diffusion, p.temperature, latent, c.over_ice)
                                 : T(0);
  const T all = rate * (there + (c.snow_vent + c.graupel_vent));
  const T size = all < T(0) ? -all : all, limit = room < T(0) ? -room : room;
  const T share = size > limit ? limit / size : T(1);
  const T on_crystals = share * (rate * there), on_snow = share * (rate * c.snow_vent),
          on_graupel = share * (rate * c.graupel_vent);
  T left = most(room, T(0));
  left = left - move(p.vapour, p.cloud_ice, least(on_crystals, left));
  left = left - move(p.vapour, p.snow, least(on_snow, left));
  left = left - move(p.vapour, p.graupel, least(on_graupel, left));
  move(p.cloud_ice, p.vapour, -on_crystals);
  move(p.snow, p.vapour, -on_snow);
  move(p.graupel, p.vapour, -on_graupel);
  const T log_number = T(6.90775528) + T(0.1) * least(most(c.colder, T(0)), T(90));
  const T first = T(4.92e-11) * math::exp(T(1.33) * log_number) - most(p.cloud_ice, T(0));
  move(p.vapour, p.cloud_ice, c.colder > T(0) ? least(first, left) : T(0));
}

/// What the cell was made of and is made of now: warming by the energy.
template <class T>
HELICITY_HD T warming(const MoistAir<T>& a, const Content<T>& old, const Content<T>& now,
                      T temperature)
{
  const T vapour = now.vapour - old.vapour, ice = now.ice - old.ice;
  const T liquid = -(vapour + ice);
  const T more = vapour * a.heat_vapour + (liquid * a.heat_liquid + ice * a.heat_ice);
  return ((ice * a.fusion_zero - vapour * a.latent_zero) - more * temperature) /
         heat_capacity(a, now);
}

/// Condensation or evaporation of cloud, then evaporation of rain (HL, Prevp), to saturation over
/// water. @return warming
template <class T>
HELICITY_HD T adjust(const MoistAir<T>& a, Cell<T>& c)
{
  Parcel<T>& p = c.p;
  const T capacity = heat_capacity(a, content_of(p));
  const T pressure = saturation_pressure(a.over_water, p.temperature);
  const T latent = latent_heat(a, p.temperature);
  const T deficit = most(T(1) - p.vapour / c.over_water, T(0));
  const T drying = c.step * (deficit * c.rain_vent) *
                   per_excess(a, c.diffusion, p.temperature, latent, c.over_water);
  const T cloud = most(p.cloud, T(0)), rain = most(p.rain, T(0));
  const T dried = least(drying, rain);
  const T x = most(condensation(a, p.temperature, capacity, p.vapour, pressure), -(cloud + dried));
  p.vapour = p.vapour - x;
  p.cloud = p.cloud + most(x, -cloud);
  p.rain = p.rain - least(most(-x - cloud, T(0)), dried);
  return weather::warming(a, p.temperature, capacity, x);
}

/// Phase changes of a cell: warm rain, collection, aggregation, freezing, melting, deposition, all
/// at the rates of the state before, then saturation over water.
/// @return relative change of Theta
template <class T>
HELICITY_HD T change_phases(const Microphysics<T>& m, Parcel<T>& p)
{
  const MoistAir<T>& a = m.air;
  Cell<T> c = cell_of(m, p);
  const Content<T> old = content_of(p);
  make_rain(c);
  const T frozen = collect(c);
  aggregate(c);
  freeze(c, c.colder > T(0) ? most(c.budget - frozen, T(0)) : T(0));
  melt(a, c);
  deposit(a, c, heat_capacity(a, old));
  const T first = warming(a, old, content_of(c.p), p.temperature);
  c.p.temperature = p.temperature + first;
  const T second = adjust(a, c);
  const T change = theta_change(a, p.temperature, first + second, gas_density(a, p.dry, p.vapour),
                                c.p.vapour - p.vapour);
  p = c.p;
  p.temperature = p.temperature + second;
  return change;
}

/// Equivalent reflectivity of rain, snow and graupel, dBZ: 720 N0 (1 / lambda)^7 of each, those of
/// ice times 0.224 and the square of its density over that of water (Smith 1984, J. Clim. Appl.
/// Meteorol. 23, 1258), as if dry; 0 dBZ at least.
template <class T>
HELICITY_HD T reflectivity(const MoistAir<T>& a, const Parcel<T>& p)
{
  const auto seventh = [](const Sizes<T>& s) {
    const T square = s.length * s.length;
    return (s.intercept * (square * square)) * (square * s.length);
  };
  const T z = seventh(rain_sizes(p)) + T(0.224) * (T(0.01) * seventh(snow_sizes(a, p)) +
                                                   T(0.25) * seventh(graupel_sizes(p)));
  return T(4.3429448) * math::log(most(T(7.2e20) * z, T(1)));
}

}  // namespace helicity::weather::ice
