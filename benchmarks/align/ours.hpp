// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>

#include "peer.hpp"

namespace helicity::bench {

// Our configuration for a task, on the CPU.
inline align::Config our_config(const Task& task, int threads)
{
  align::Config config;
  config.scoring = {
      .match = match, .mismatch = mismatch, .gap_open = gap_open, .gap_extend = gap_extend};
  config.mode = task.mode == Mode::local    ? align::Mode::local
                : task.mode == Mode::global ? align::Mode::global
                                            : align::Mode::semi_global;
  config.free_ends = {
      .query_begin = false, .query_end = false, .target_begin = true, .target_end = true};
  config.output = task.output == Output::score ? align::Output::score : align::Output::cigar;
  config.exec.device = Device::cpu;
  config.exec.threads = threads;
  return config;
}

// The pairs as views; they outlive what is returned.
inline std::vector<align::Pair> our_pairs(std::span<const TextPair> pairs)
{
  std::vector<align::Pair> views;
  views.reserve(pairs.size());
  for (const TextPair& pair : pairs) {
    views.push_back({pair.query, pair.target});
  }
  return views;
}

}  // namespace helicity::bench
