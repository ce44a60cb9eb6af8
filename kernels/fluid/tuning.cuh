// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Numbers of the kernels of this room.
namespace helicity::fluid::tuning {

inline constexpr unsigned step_threads = 128;  ///< of a block: 19 + 19 values live in registers
inline constexpr unsigned link_threads = 128;
inline constexpr unsigned link_lanes = 8;  ///< threads on one run of links

}  // namespace helicity::fluid::tuning
