// SPDX-License-Identifier: Apache-2.0
#include "pipeline.hpp"

#include "bounded_queue.hpp"

#include <helicity/core/timer.hpp>

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace helicity::app {
namespace {

constexpr std::size_t pieces_apart = 2;

/// The three parts of a run, with their clocks.
class Parts
{
 public:
  Parts(PairSource& source, align::Aligner& aligner, Writer& writer,
        const std::function<void(std::uint64_t)>& progress)
      : source_(source), aligner_(aligner), writer_(writer), progress_(progress)
  {}

  bool read(Work& work)
  {
    const ScopedTimer timer(totals.read_seconds);
    return source_.next(work);
  }

  void align(Work& work)
  {
    const ScopedTimer timer(totals.align_seconds);
    pairs_.clear();
    for (const PairIndex pair : work.pairs)
      pairs_.push_back(
          {(*work.queries)[pair.query].sequence, (*work.targets)[pair.target].sequence});
    work.alignments = aligner_.align(pairs_);
    for (const align::Alignment& alignment : work.alignments) {
      if (alignment.status == align::Status::ok) continue;
      ++(alignment.status == align::Status::unaligned ? totals.unaligned : totals.failed);
    }
    totals.pairs += pairs_.size();
    progress_(totals.pairs);
  }

  void write(const Work& work)
  {
    const ScopedTimer timer(totals.write_seconds);
    writer_.write(work);
  }

  Totals totals;

 private:
  PairSource& source_;
  align::Aligner& aligner_;
  Writer& writer_;
  const std::function<void(std::uint64_t)>& progress_;
  std::vector<align::Pair> pairs_;
};

/// Runs the parts at once; the queues close when one of them ends or fails.
class Overlap
{
 public:
  explicit Overlap(Parts& parts) : parts_(parts) {}

  void run()
  {
    std::thread reader([&] { guard([&] { read_all(); }); });
    std::thread writer([&] { guard([&] { write_all(); }); });
    guard([&] { align_all(); });
    reader.join();
    writer.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void read_all()
  {
    for (Work work; parts_.read(work);)
      if (!read_.push(std::move(work))) return;
    read_.close();
  }

  void align_all()
  {
    while (auto work = read_.pop()) {
      parts_.align(*work);
      if (!aligned_.push(std::move(*work))) return;
    }
    aligned_.close();
  }

  void write_all()
  {
    while (const auto work = aligned_.pop()) parts_.write(*work);
  }

  template <class Part>
  void guard(const Part& part)
  {
    try {
      part();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      read_.close(true);
      aligned_.close(true);
    }
  }

  Parts& parts_;
  BoundedQueue<Work> read_{pieces_apart};
  BoundedQueue<Work> aligned_{pieces_apart};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

Totals run_pipeline(PairSource& source, align::Aligner& aligner, Writer& writer, bool overlap,
                    const std::function<void(std::uint64_t)>& progress)
{
  Parts parts(source, aligner, writer, progress);
  if (overlap) {
    Overlap(parts).run();
  } else {
    for (Work work; parts.read(work);) {
      parts.align(work);
      parts.write(work);
    }
  }
  return parts.totals;
}

}  // namespace helicity::app
