// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

namespace helicity::io {

/// For programs that own their process, before anything of this room is used: HDF5 does nothing at
/// exit. After a failed write (a full disk) its exit handler would free a file twice and crash.
/// Files that the program itself left open through HDF5 are not flushed then.
HELICITY_EXPORT void leave_hdf5_alone_at_exit() noexcept;

}  // namespace helicity::io
