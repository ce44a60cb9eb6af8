// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/job/config.hpp>

#include <string>
#include <string_view>

namespace helicity::job::detail {

/// "s", "m", "m2/s", ...; empty for Unit::none.
std::string_view si_name(Unit unit);

/// "m, km, cm, mm, um, nm": what texts may carry.
std::string accepted_units(Unit unit);

}  // namespace helicity::job::detail
