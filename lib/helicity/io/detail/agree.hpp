// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>
#include <helicity/core/error.hpp>

#include <exception>
#include <string>

namespace helicity::io::detail {

/// What a step came to on this rank.
struct Outcome
{
  enum class Kind : char { good = 'g', usage = 'u', input = 'i', fault = 'f' };
  Kind kind = Kind::good;
  std::string text;
};

/// Throws the exception of an outcome that is not good.
void raise(const Outcome& outcome);

/// Runs f on this rank; exceptions become outcomes.
template <class F>
Outcome attempt(F&& f)
{
  try {
    f();
  } catch (const InputError& e) {
    return {Outcome::Kind::input, e.what()};
  } catch (const UsageError& e) {
    return {Outcome::Kind::usage, e.what()};
  } catch (const std::exception& e) {
    return {Outcome::Kind::fault, e.what()};
  }
  return {};
}

/// The outcome of the first rank whose is not good, on every rank. Collective.
Outcome agreed(const comm::Communicator& comm, const Outcome& mine);

/// Runs f on every rank; if it throws on one, all ranks throw the same exception. Collective.
template <class F>
void together(const comm::Communicator& comm, F&& f)
{
  raise(agreed(comm, attempt(f)));
}

/// Runs f on rank 0 alone; if it throws, all ranks throw the same exception. Collective.
template <class F>
void on_first_rank(const comm::Communicator& comm, F&& f)
{
  together(comm, [&] {
    if (comm.rank() == 0) f();
  });
}

}  // namespace helicity::io::detail
