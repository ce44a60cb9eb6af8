// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>
#include <helicity/weather/sounding_indices.hpp>

#include <optional>
#include <string>

namespace helicity::weather {

struct SoundingPicture
{
  std::string title;
  LiftedParcel parcel;  ///< whose path is drawn
  Ascent ascent = Ascent::pseudo_adiabatic;
  std::optional<Wind> storm_motion;  ///< drawn beside the movers of Bunkers
};

/// Draws a skew-T log-p diagram, 1050 to 100 hPa (isotherms, dry adiabats, pseudo-adiabats, mixing
/// ratios, T, Td, the parcel with its CAPE and CIN shaded, barbs in knots), and a hodograph up to
/// 12 km, as a PNG that is written beside and renamed.
/// @pre     check_sounding accepts it
/// @throws  RuntimeFault for a file that cannot be written
HELICITY_EXPORT void write_sounding_picture(const std::string& path, const Sounding& sounding,
                                            const SoundingPicture& options,
                                            const SoundingConstants& c = {});

}  // namespace helicity::weather
