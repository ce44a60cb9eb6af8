// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>
#include <helicity/job/config.hpp>

#include <support/solver_options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string_view>
#include <variant>

namespace helicity::app {

void add_session_options(CLI::App& app, std::string& gpu_aware, bool& share_gpu)
{
  app.add_option("--gpu-aware-mpi", gpu_aware,
                 "Hand device memory to MPI: auto (if a trial works), on, off")
      ->capture_default_str();
  app.add_flag("--share-gpu", share_gpu, "Let several ranks use one GPU");
}

comm::TransportRequest parse_gpu_aware(const std::string& text)
{
  if (text == "auto") return comm::TransportRequest::automatic;
  if (text == "on") return comm::TransportRequest::on;
  if (text == "off") return comm::TransportRequest::off;
  throw UsageError(fmt::format("--gpu-aware-mpi is auto, on or off, not '{}'", text));
}

double parse_walltime(const std::string& text)
{
  try {
    return job::parse_quantity(text, job::Unit::seconds);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--walltime: {}", error.what()));
  }
}

comm::Transport announce_transport(const comm::Session& session, const Executor& executor,
                                   comm::TransportRequest request)
{
  std::string why;
  const comm::Transport transport =
      comm::choose_transport(session.world(), executor, request, &why);
  if (session.world().size() > 1 || std::holds_alternative<Cuda>(executor)) {
    std::string_view ranks = session.device_table();
    if (ranks.ends_with('\n')) ranks.remove_suffix(1);
    log(LogKind::info, fmt::format("rank, host, device:\n{}", ranks));
    log(LogKind::info, fmt::format("halos travel {}: {}", to_string(transport), why));
  }
  return transport;
}

}  // namespace helicity::app
