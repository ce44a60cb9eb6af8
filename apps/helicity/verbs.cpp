// SPDX-License-Identifier: Apache-2.0
#include "verbs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace helicity::app {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view prefix = "helicity-";

/// The folder of this program, then those of PATH.
std::vector<fs::path> folders()
{
  std::error_code ignored;
  std::vector<fs::path> out{fs::read_symlink("/proc/self/exe", ignored).parent_path()};
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    if (end > 0) out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

void add_from(const fs::path& folder, std::vector<Verb>& verbs)
{
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (!file.starts_with(prefix) || access(it->path().c_str(), X_OK) != 0) continue;
    if (it->is_directory(error)) continue;
    const std::string name = file.substr(prefix.size());
    const bool known = std::ranges::any_of(verbs, [&](const Verb& v) { return v.name == name; });
    if (!known) verbs.push_back({name, it->path().string()});
  }
}

}  // namespace

std::vector<Verb> find_verbs()
{
  std::vector<Verb> verbs;
  for (const auto& folder : folders()) add_from(folder, verbs);
  std::ranges::sort(verbs, {}, &Verb::name);
  return verbs;
}

std::string_view describe_verb(std::string_view name)
{
  if (name == "align") return "align pairs of sequences, with scores, CIGAR, SAM or PAF";
  if (name == "fluid") return "run flows: lattice Boltzmann on CPUs, GPUs and many nodes";
  if (name == "info") return "what this build and this machine can do";
  if (name == "weather") return "run storms: compressible air on CPUs, GPUs and many nodes";
  return {};
}

}  // namespace helicity::app
