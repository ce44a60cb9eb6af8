// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <comm/mpi_main.hpp>
#include <support/temporary.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace helicity::test {

/// One temporary folder for all ranks, removed when all are done with it.
class SharedFolder
{
 public:
  SharedFolder()
  {
    if (world().rank() == 0) own_.emplace();
    path_ = world().broadcast(own_ ? own_->path().string() : std::string());
  }
  ~SharedFolder() { world().barrier(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::optional<TemporaryFolder> own_;
  std::string path_;
};

/// Runs f on rank 0; the others wait.
template <class F>
void on_rank_0(F&& f)
{
  world().barrier();
  if (world().rank() == 0) f();
  world().barrier();
}

/// The text of the exception E that f throws; "none" if there is none, "other: ..." for another. A
/// failure unless it is the same on every rank and one line.
template <class E, class F>
std::string thrown(F&& f)
{
  std::string text = "none";
  try {
    f();
  } catch (const E& e) {
    text = e.what();
  } catch (const std::exception& e) {
    text = std::string("other: ") + e.what();
  }
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  for (const std::string& other : world().gather(text)) EXPECT_EQ(other, text);
  return text;
}

}  // namespace helicity::test
