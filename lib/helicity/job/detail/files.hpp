// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/communicator.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace helicity::job::detail {

/// DIRECTORY/NAME, without "./".
std::string file_prefix(const std::string& directory, const std::string& name);

/// DIRECTORY/NAME_restart_<step, 9 digits>.h5
std::string state_path(const std::string& directory, const std::string& name, std::int64_t step);

struct StateFile
{
  std::int64_t step = 0;
  std::string path;
};

/// Files that are named as states of this run, the newest step first. Not collective.
std::vector<StateFile> list_states(const std::string& directory, const std::string& name);

/// Does something on rank 0 while the others wait. @throws RuntimeFault, on every rank, for what
/// it throws there
void on_rank_0(const comm::Communicator& comm, const std::function<void()>& body);

/// Makes a folder, on rank 0. @throws RuntimeFault
void make_folder(const comm::Communicator& comm, const std::string& directory);

}  // namespace helicity::job::detail
