// SPDX-License-Identifier: Apache-2.0
#include <support/process.hpp>
#include <support/temporary.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace helicity::test {
namespace {

void redirect(const std::string& path, int flags, int target)
{
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0 || dup2(file, target) < 0) _exit(127);
  close(file);
}

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment, const TemporaryFolder& folder)
{
  redirect(folder / "in", O_RDONLY, 0);
  redirect(folder / "out", O_WRONLY | O_CREAT, 1);
  redirect(folder / "err", O_WRONLY | O_CREAT, 2);
  for (const auto& variable : environment) putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::string_view input,
                          const std::vector<std::string>& environment)
{
  const TemporaryFolder folder;
  write_file(folder / "in", input);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(command, environment, folder);
  int status = 0;
  waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_file(folder / "out"), read_file(folder / "err")};
}

std::string program(std::string_view name)
{
  const char* folder = std::getenv("HELICITY_BIN_DIR");
  if (folder == nullptr) throw std::runtime_error("HELICITY_BIN_DIR is not set; run under ctest");
  return std::string(folder) + "/" + std::string(name);
}

}  // namespace helicity::test
