// SPDX-License-Identifier: Apache-2.0
#include "apart.hpp"

#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

namespace gpu_rows {

using helicity::RuntimeFault;

namespace {

constexpr const char* thrown = "thrown";  // first field of a line of the process's end

/// One end of a pipe.
class End
{
 public:
  explicit End(int file) : file_(file) {}
  ~End() { ::close(file_); }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  /// Everything; false if the other end is gone.
  bool write(const std::string& text) const
  {
    for (std::size_t done = 0; done < text.size();) {
      const auto n = ::write(file_, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR) return false;
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    return true;
  }

  /// What is there, at least a byte; empty when the other end is closed.
  std::string read() const
  {
    std::array<char, 4096> buffer;
    while (true) {
      const auto n = ::read(file_, buffer.data(), buffer.size());
      if (n >= 0) return {buffer.data(), static_cast<std::size_t>(n)};
      if (errno != EINTR) throw RuntimeFault(fmt::format("pipe: {}", std::strerror(errno)));
    }
  }

 private:
  int file_;
};

std::string line_of(const Fields& fields)
{
  std::string line;
  for (const std::string& field : fields) {
    if (!line.empty()) line += '\t';
    for (const char c : field) line += c == '\t' || c == '\n' ? ' ' : c;
  }
  return line + '\n';
}

Fields fields_of(const std::string& line)
{
  Fields fields(1);
  for (const char c : line) {
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// The process's part: never returns.
[[noreturn]] void work_there(const std::function<int(const Send&)>& work, const End& out)
{
  int code = 1;
  try {
    code = work([&](const Fields& fields) {
      if (!out.write(line_of(fields))) std::exit(1);
    });
  } catch (const std::exception& error) {
    if (!out.write(line_of({thrown, error.what()}))) std::exit(1);
  }
  std::exit(code);
}

/// Hands on all lines until the other end is closed; returns what was thrown there.
std::string receive_all(const End& in, const Send& receive)
{
  std::string rest, problem;
  for (std::string piece = in.read(); !piece.empty(); piece = in.read()) {
    rest += piece;
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
      Fields fields = fields_of(rest.substr(0, end));
      rest.erase(0, end + 1);
      if (fields[0] == thrown && fields.size() == 2)
        problem = std::move(fields[1]);
      else
        receive(fields);
    }
  }
  return problem;
}

Ending ending_of(int status, std::string problem)
{
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return {128 + number, fmt::format("ended by signal {} ({})", number, ::strsignal(number))};
  }
  const int code = WEXITSTATUS(status);
  if (problem.empty() && code != 0) problem = fmt::format("exit code {}", code);
  return {problem.empty() ? 0 : std::max(code, 1), std::move(problem)};
}

}  // namespace

Ending run_apart(const std::function<int(const Send&)>& work, const Send& receive)
{
  std::fflush(nullptr);
  std::array<int, 2> files{};
  if (::pipe(files.data()) != 0) throw RuntimeFault(fmt::format("pipe: {}", std::strerror(errno)));
  const End in(files[0]);
  const pid_t process = ::fork();
  if (process == 0) work_there(work, End(files[1]));
  {
    const End closed(files[1]);
  }
  if (process < 0) throw RuntimeFault(fmt::format("fork: {}", std::strerror(errno)));
  std::string problem = receive_all(in, receive);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw RuntimeFault(fmt::format("waitpid: {}", std::strerror(errno)));
  }
  return ending_of(status, std::move(problem));
}

}  // namespace gpu_rows
