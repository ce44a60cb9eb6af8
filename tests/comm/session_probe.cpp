// SPDX-License-Identifier: Apache-2.0
// What session_test.cpp starts: prints the ranks and what each computes on.
//     session_probe DEVICE [share] [throw|abort]
#include <helicity/comm/session.hpp>
#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace helicity;

void run(const std::vector<std::string>& words)
{
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const comm::Session session;
  const Device device = has("cuda") ? Device::cuda : has("cpu") ? Device::cpu : Device::automatic;
  if (has("throw") && session.world().rank() == 1) throw std::runtime_error("rank 1 gives up");
  if (has("abort") && session.world().rank() == 1) session.abort(75);
  if (has("throw") || has("abort")) session.world().barrier();
  std::string text;
  int code = 0;
  try {
    static_cast<void>(session.executor({.device = device}, {.share_gpu = has("share")}));
    text = session.device_table();
  } catch (const UsageError& error) {
    text = fmt::format("error: {}\n", error.what());
    code = 2;
  }
  for (const auto& other : session.world().gather(text))
    if (other != text) text = "ranks disagree\n", code = 1;
  if (session.world().rank() == 0) fmt::print("size {}\n{}", session.world().size(), text);
  if (code != 0) throw code;
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (int code) {
    return code;
  } catch (const UsageError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
