// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/log.hpp>
#include <helicity/job/detail/checkpoint.hpp>
#include <helicity/job/detail/files.hpp>
#include <helicity/job/detail/node.hpp>

#include <fmt/format.h>

#include <map>

namespace helicity::job {
namespace {

/// The files of rank 0's view of the folder, the newest first, on every rank.
std::vector<std::string> candidates(const std::string& directory, const std::string& name,
                                    const comm::Communicator& comm)
{
  std::string lines;
  if (comm.rank() == 0)
    for (const auto& file : detail::list_states(directory, name)) lines += file.path + "\n";
  lines = comm.broadcast(std::move(lines));
  std::vector<std::string> paths;
  for (std::size_t begin = 0; begin < lines.size();) {
    const auto end = lines.find('\n', begin);
    paths.push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

/// Why a file cannot be resumed from, or "".
std::string problem_of(const std::string& path, const comm::Communicator& comm,
                       const comm::Decomposition& decomposition)
{
  try {
    io::StateReader(path, comm, decomposition).verify();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

std::string latest_restart(const std::string& directory, const std::string& name,
                           const comm::Communicator& comm, const comm::Decomposition& decomposition)
{
  std::string problems;
  for (const std::string& path : candidates(directory, name, comm)) {
    const std::string problem = problem_of(path, comm, decomposition);
    if (problem.empty()) return path;
    if (comm.rank() == 0)
      log(LogKind::warning, fmt::format("a state cannot be resumed from: {}", problem));
    problems += fmt::format("{}{}", problems.empty() ? ": " : "; ", problem);
  }
  throw InputError(fmt::format("there is no state {}_restart_*.h5 to resume from{}",
                               detail::file_prefix(directory, name), problems));
}

namespace detail {
namespace {

using Values = std::map<std::string, std::string>;

Values values_of(const std::string& toml)
{
  const auto pairs = flatten(parse_toml(toml, "configuration"));
  return {pairs.begin(), pairs.end()};
}

bool may_change(const std::string& key)
{
  const auto within = [&](std::string_view table) { return key.starts_with(table); };
  return within("output.") || within("checkpoint.") || within("run.") || key.ends_with("steps");
}

std::string difference_of(const std::string& key, const Values& there, const Values& here)
{
  const auto text = [&](const Values& values) {
    const auto found = values.find(key);
    return found == values.end() ? std::string("not set") : found->second;
  };
  const std::string a = text(there), b = text(here);
  return a == b ? "" : fmt::format("{} is {} there, {} here", key, a, b);
}

}  // namespace

std::string describe_difference(const std::string& there_text, const std::string& here_text)
{
  constexpr const char* unknown = "its digest differs";
  try {
    const Values there = values_of(there_text), here = values_of(here_text);
    Values keys = there;
    keys.insert(here.begin(), here.end());
    std::string physics, others;
    for (const auto& [key, value] : keys) {
      const std::string text = difference_of(key, there, here);
      std::string& list = may_change(key) ? others : physics;
      if (!text.empty()) list += fmt::format("{}{}", list.empty() ? "" : "; ", text);
    }
    if (!physics.empty()) return physics;
    return others.empty() ? unknown : others;
  } catch (const InputError&) {  // not a text of ours
    return unknown;
  }
}

}  // namespace detail
}  // namespace helicity::job
