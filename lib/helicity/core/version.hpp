// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <string_view>
#include <vector>

namespace helicity {

/// One optional part of the library: whether it was built in, and its version or why it was not.
struct Feature
{
  std::string_view name;
  bool enabled = false;
  std::string_view detail;
};

/// How this library was built; every text has static lifetime.
struct BuildInfo
{
  std::string_view version;   ///< "major.minor.patch"
  std::string_view git_hash;  ///< 12 digits; empty outside a git checkout
  std::string_view compiler;  ///< "GNU 12.2.0"
  std::string_view build_type;
  std::string_view sanitizers;  ///< empty if none
  bool shared = false;
  std::vector<Feature> features;  ///< cuda, mpi, hdf5, hts, fftw
};

/// The version of the library that is running, "major.minor.patch".
HELICITY_EXPORT std::string_view version() noexcept;

/// How the library that is running was built.
HELICITY_EXPORT BuildInfo build_info();

}  // namespace helicity
