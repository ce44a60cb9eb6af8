// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/align/aligner.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace helicity::align {

/// Owned letters of one pair on their way through a Stream; `tag` comes back with the result.
struct OwnedPair
{
  std::string query;
  std::string target;
  std::int64_t tag = 0;
};

struct StreamOptions
{
  std::size_t batch_letters = std::size_t{8} << 20;  ///< letters gathered before a batch is aligned
  std::size_t batch_pairs = 65536;                   ///< pairs likewise
  std::size_t batches_in_flight = 2;                 ///< push() waits when so many are unfinished
};

/// Streams pairs through an Aligner: push() gathers batches, a worker aligns them, and the sink
/// gets every pair with its result, in the order of push(), called by the worker thread. push()
/// blocks while StreamOptions::batches_in_flight batches are unfinished (back-pressure). An
/// exception of the worker or the sink is rethrown by the next push() or by finish().
class HELICITY_EXPORT Stream
{
 public:
  using Sink = std::function<void(const OwnedPair&, const Alignment&)>;

  Stream(Aligner& aligner, Sink sink, StreamOptions options = {});
  ~Stream();  ///< abandons what is not finished
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void push(OwnedPair pair);
  void finish();  ///< waits until the sink has had everything

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace helicity::align
