// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>
#include <helicity/core/simd.hpp>

#include <support/app.hpp>

#include <cstdio>
#include <exception>
#include <new>

namespace helicity::app {
namespace {

int report(std::string_view name, const char* what, ExitCode code) noexcept
{
  std::fflush(stdout);
  std::fprintf(stderr, "%.*s: error: %s\n", static_cast<int>(name.size()), name.data(), what);
  return code;
}

}  // namespace

int flush_stdout(std::string_view name, int code) noexcept
{
  const bool good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (good || code != success) return code;
  return report(name, "cannot write standard output", failure);
}

int tell_exception(std::string_view name) noexcept
{
  try {
    throw;
  } catch (const UsageError& error) {
    return report(name, error.what(), misuse);
  } catch (const std::bad_alloc&) {
    return report(name, "out of memory", failure);
  } catch (const std::exception& error) {
    return report(name, error.what(), failure);
  } catch (...) {
    return report(name, "unknown exception", failure);
  }
}

int run_app(std::string_view name, const std::function<int()>& body) noexcept
{
  try {
    set_log_sink(stderr_sink(name));
    limit_isa_from_environment();
    return flush_stdout(name, body());
  } catch (const Exit& exit) {
    return flush_stdout(name, exit.code);
  } catch (...) {
    return tell_exception(name);
  }
}

}  // namespace helicity::app
