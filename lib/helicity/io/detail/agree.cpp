// SPDX-License-Identifier: Apache-2.0
#include <helicity/io/detail/agree.hpp>

namespace helicity::io::detail {

void raise(const Outcome& outcome)
{
  switch (outcome.kind) {
    case Outcome::Kind::good: return;
    case Outcome::Kind::usage: throw UsageError(outcome.text);
    case Outcome::Kind::input: throw InputError(outcome.text);
    case Outcome::Kind::fault: throw RuntimeFault(outcome.text);
  }
}

Outcome agreed(const comm::Communicator& comm, const Outcome& mine)
{
  if (comm.size() == 1 || !comm.any(mine.kind != Outcome::Kind::good))
    return comm.size() == 1 ? mine : Outcome{};
  for (const std::string& text : comm.gather(static_cast<char>(mine.kind) + mine.text))
    if (text.front() != static_cast<char>(Outcome::Kind::good))
      return {static_cast<Outcome::Kind>(text.front()), text.substr(1)};
  return {};
}

}  // namespace helicity::io::detail
