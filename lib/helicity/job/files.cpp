// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/job/detail/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace helicity::job::detail {
namespace {

namespace fs = std::filesystem;

/// The step in "NAME_restart_000001200.h5", or -1.
std::int64_t step_of(std::string_view file, const std::string& name)
{
  const std::string prefix = name + "_restart_";
  constexpr std::string_view suffix = ".h5";
  if (!file.starts_with(prefix) || !file.ends_with(suffix)) return -1;
  if (file.size() < prefix.size() + suffix.size() + 9) return -1;
  file.remove_prefix(prefix.size());
  file.remove_suffix(suffix.size());
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(file.data(), file.data() + file.size(), step);
  return error == std::errc() && end == file.data() + file.size() ? step : -1;
}

std::string folder_of(const std::string& directory)
{
  return directory.empty() ? std::string(".") : directory;
}

}  // namespace

std::string file_prefix(const std::string& directory, const std::string& name)
{
  return directory.empty() || directory == "." ? name : (fs::path(directory) / name).string();
}

std::string state_path(const std::string& directory, const std::string& name, std::int64_t step)
{
  return fmt::format("{}_restart_{:09}.h5", file_prefix(directory, name), step);
}

std::vector<StateFile> list_states(const std::string& directory, const std::string& name)
{
  std::vector<StateFile> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_of(directory), error)) {
    const std::string file = entry.path().filename().string();
    const std::int64_t step = step_of(file, name);
    if (step >= 0) files.push_back({step, file_prefix(directory, file)});
  }
  std::sort(files.begin(), files.end(),
            [](const StateFile& a, const StateFile& b) { return a.step > b.step; });
  return files;
}

void on_rank_0(const comm::Communicator& comm, const std::function<void()>& body)
{
  std::string problem;
  if (comm.rank() == 0) {
    try {
      body();
    } catch (const std::exception& error) {
      problem = error.what();
      if (problem.empty()) problem = "unknown failure";
    }
  }
  problem = comm.broadcast(std::move(problem));
  if (!problem.empty()) throw RuntimeFault(problem);
}

void make_folder(const comm::Communicator& comm, const std::string& directory)
{
  on_rank_0(comm, [&] {
    std::error_code error;
    fs::create_directories(folder_of(directory), error);
    if (error)
      throw RuntimeFault(fmt::format("cannot make the folder {}: {}", directory, error.message()));
  });
}

}  // namespace helicity::job::detail
