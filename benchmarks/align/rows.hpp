// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "peer.hpp"

namespace helicity::bench {

enum class Workload {
  read_in_window,  // 150 bp reads, windows of 200 to 250 bp that contain their source
  read_in_225,     // 150 bp reads, windows of 225 bp
  read_on_source,  // reads against the 150 bp they come from
};

struct Row
{
  std::string_view name;  // both of literals: null-terminated
  std::string_view what;
  Task task;
  Workload workload;
  double goal;  // ours / best exact peer
};

inline constexpr double threads_goal = 1.9;  // two threads of ours over one, wall clock

std::span<const Row> all_rows();

// Reads with 2 % errors: 80 % substitutions, 10 % insertions, 10 % deletions. The same pairs for
// the same arguments on every machine.
std::vector<TextPair> make_pairs(Workload workload, std::size_t count);

// Cells of the full matrices.
double full_cells(std::span<const TextPair> pairs);

}  // namespace helicity::bench
