// SPDX-License-Identifier: Apache-2.0
// A program of the kind that run_mpi_app serves: job_probe WHAT, as the tests want it.
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>

#include <support/app.hpp>
#include <support/mpi_app.hpp>

#include <cstdio>
#include <string>

namespace {

using namespace helicity;

int body(comm::Session& session, const std::string& what)
{
  const auto& world = session.world();
  const bool last = world.rank() == world.size() - 1;
  log(LogKind::info, "starting");
  if (what == "usage") throw UsageError("no such thing");
  if (what == "fault") throw RuntimeFault("disk full");
  if (what == "help") throw app::Exit{app::success};
  if (what == "alone" && last) throw RuntimeFault("lost my disk");
  if (what == "warn" && last) log(LogKind::warning, "odd");
  world.barrier();
  if (world.rank() == 0) std::printf("%d ranks\n", world.size());
  return what == "requeue" ? 75 : 0;
}

}  // namespace

int main(int argc, char** argv)
{
  const std::string what = argc > 1 ? argv[1] : "";
  return helicity::app::run_mpi_app("probe", argc, argv,
                                    [&](comm::Session& session) { return body(session, what); });
}
