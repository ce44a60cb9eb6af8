// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contest.hpp"

namespace helicity::bench {

// ROW ours peer ratio goal, then a line for each aligner.
void print_row(const Contest& contest);

// Times ours with one thread and two, and says whether the goal is met.
void print_threads(const Contest& contest, std::size_t rounds);

// row, aligner and GCUPS, a line for each round, for scripts.
void print_tsv(const Contest& contest);

}  // namespace helicity::bench
