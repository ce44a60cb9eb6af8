// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <cstddef>

namespace helicity {

/// The most resident memory this process has had, in bytes; 0 if the system does not tell.
HELICITY_EXPORT std::size_t peak_resident_bytes() noexcept;

/// Memory that could be had without swapping, in bytes: what the machine has free or the control
/// group of this process leaves, whichever is less; 0 if the system does not tell.
HELICITY_EXPORT std::size_t available_bytes() noexcept;

}  // namespace helicity
