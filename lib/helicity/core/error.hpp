// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/core/macros.hpp>

#include <stdexcept>
#include <string>

namespace helicity {

/// Base of everything the library throws.
class HELICITY_EXPORT Error : public std::runtime_error
{
 public:
  using std::runtime_error::runtime_error;
};

/// A wrong call, option or configuration, found at the public boundary before any work (exit 2).
class HELICITY_EXPORT UsageError : public Error
{
 public:
  using Error::Error;
};

/// A malformed input file; the text names file, record or line, and what was expected (exit 2).
class HELICITY_EXPORT InputError : public UsageError
{
 public:
  using UsageError::UsageError;
};

/// A failure outside the program: memory, CUDA, MPI, files; the text names call and cause (exit 1).
class HELICITY_EXPORT RuntimeFault : public Error
{
 public:
  using Error::Error;
};

}  // namespace helicity
