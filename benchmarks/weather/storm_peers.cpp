// SPDX-License-Identifier: Apache-2.0
#include "storm_peers.hpp"

#include <helicity/core/error.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace helicity::bench {
namespace {

namespace fs = std::filesystem;

/// A folder to run in, removed afterwards.
class Scratch
{
 public:
  Scratch()
  {
    std::string name = (fs::temp_directory_path() / "storm-peer-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw RuntimeFault("mkdtemp " + name + " failed");
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch()
  {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

[[noreturn]] void become(const fs::path& program, const fs::path& folder)
{
  const int log = open((folder / "log").c_str(), O_CREAT | O_WRONLY, 0644);
  if (chdir(folder.c_str()) == 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0)
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

/// Runs a program in a folder: its CPU seconds.
double run(const fs::path& program, const fs::path& folder)
{
  const pid_t child = fork();
  if (child < 0) throw RuntimeFault("fork failed");
  if (child == 0) become(program, folder);
  int status = 0;
  rusage use{};
  if (wait4(child, &status, 0, &use) != child || status != 0)
    throw RuntimeFault(program.string() + " failed");
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/// The last `count` numbers of a file.
template <class T>
std::vector<double> last_numbers(const fs::path& file, std::size_t count)
{
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto bytes = static_cast<std::streamoff>(count * sizeof(T));
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
  if (size < bytes) throw RuntimeFault(file.string() + " is not there, or too short");
  std::vector<T> values(count);
  in.seekg(size - bytes);
  in.read(reinterpret_cast<char*>(values.data()), bytes);
  return {values.begin(), values.end()};
}

/// The text of a namelist with other values of keys; every key must be there.
std::string with_values(const fs::path& file,
                        std::vector<std::pair<std::string, std::string>> values)
{
  std::ifstream in(file);
  std::string result, line;
  while (std::getline(in, line)) {
    std::string key;
    std::istringstream(line) >> key;
    if (const std::size_t end = key.find('='); end != std::string::npos) key.resize(end);
    const bool output = key.starts_with("output_") && !key.starts_with("output_fil") &&
                        !key.starts_with("output_form");
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == key; });
    if (found != values.end()) {
      line = " " + key + " = " + found->second + ",";
      values.erase(found);
    } else if (output) {
      line = " " + key + " = 0,";
    }
    result += line + "\n";
  }
  if (!values.empty())
    throw RuntimeFault(file.string() + " has no key '" + values.front().first + "'");
  return result;
}

bool contains(const fs::path& file, std::string_view text)
{
  std::ifstream in(file);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  return all.find(text) != std::string::npos;
}

std::string text(double x)
{
  std::ostringstream out;
  out << std::showpoint << x;
  return out.str();
}

}  // namespace

fs::path StormPeers::find(const std::string& name) const
{
  fs::path path = prefix_ / name;
  if (prefix_.empty() || !fs::exists(path))
    throw UsageError("no " +
                     (prefix_.empty() ? name + ": HELICITY_PEERS is not set" : path.string()) +
                     "; scripts/install_peers.sh PREFIX makes it");
  return path;
}

PeerStorm StormPeers::run_cm1(Index3 cells, double end,
                              const std::vector<std::pair<std::string, std::string>>& keys) const
{
  const fs::path program = find("bin/cm1.exe"), namelist = find("share/cm1/namelist.input");
  auto values = keys;
  for (const auto& [key, value] :
       std::initializer_list<std::pair<std::string, std::string>>{{"nx", std::to_string(cells.i)},
                                                                  {"ny", std::to_string(cells.j)},
                                                                  {"nz", std::to_string(cells.k)},
                                                                  {"timax", text(end)},
                                                                  {"tapfrq", text(end)},
                                                                  {"statfrq", text(2 * end)},
                                                                  {"prclfrq", text(2 * end)},
                                                                  {"output_thpert", "1"}})
    values.emplace_back(key, value);
  const Scratch scratch;
  std::ofstream(scratch.path() / "namelist.input") << with_values(namelist, values);
  PeerStorm storm;
  storm.cpu_seconds = run(program, scratch.path());
  if (!contains(scratch.path() / "log", "Program terminated normally"))
    throw RuntimeFault(program.string() + " stopped early");
  storm.theta =
      last_numbers<float>(scratch.path() / "cm1out_s.dat", static_cast<std::size_t>(volume(cells)));
  return storm;
}

PeerStorm StormPeers::run_miniweather() const
{
  const fs::path program = find("bin/miniweather_400x200");
  const Scratch scratch;
  PeerStorm storm;
  storm.cpu_seconds = run(program, scratch.path());
  storm.theta = last_numbers<double>(scratch.path() / "theta.raw", std::size_t{400} * 200);
  return storm;
}

}  // namespace helicity::bench
