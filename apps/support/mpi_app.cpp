// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/log.hpp>
#include <helicity/core/simd.hpp>
#include <helicity/io/process.hpp>

#include <support/app.hpp>
#include <support/mpi_app.hpp>

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

namespace helicity::app {
namespace {

/// Rank 0 has so long to tell an error of all ranks and end the job before others speak.
constexpr std::chrono::milliseconds rank_0_first{300};

LogSink sink_of_rank(const std::string& name, int rank)
{
  if (rank == 0) return stderr_sink(name);
  return [sink = stderr_sink(fmt::format("{}: rank {}", name, rank))](LogKind kind,
                                                                      std::string_view message) {
    if (kind == LogKind::warning) sink(kind, message);
  };
}

/// Tells the exception that is being handled, and ends the job if there are other ranks.
int fail(const comm::Session& session, const std::string& name) noexcept
{
  const int rank = session.world().rank();
  if (rank != 0) std::this_thread::sleep_for(rank_0_first);
  const int code = tell_exception(rank == 0 ? name : fmt::format("{}: rank {}", name, rank));
  if (session.world().size() > 1) session.abort(code);
  return code;
}

int run_session(const std::string& name, comm::Session& session,
                const std::function<int(comm::Session&)>& body) noexcept
{
  try {
    set_log_sink(sink_of_rank(name, session.world().rank()));
    limit_isa_from_environment();
    return flush_stdout(name, body(session));
  } catch (const Exit& exit) {
    return flush_stdout(name, exit.code);
  } catch (...) {
    return fail(session, name);
  }
}

}  // namespace

int run_mpi_app(std::string_view name, int argc, char** argv,
                const std::function<int(comm::Session&)>& body) noexcept
{
  io::leave_hdf5_alone_at_exit();
  try {
    comm::Session session(argc, argv);
    return run_session(std::string(name), session, body);
  } catch (...) {
    return tell_exception(name);
  }
}

}  // namespace helicity::app
