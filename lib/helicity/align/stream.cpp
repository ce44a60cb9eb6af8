// SPDX-License-Identifier: Apache-2.0
#include <helicity/align/stream.hpp>
#include <helicity/core/error.hpp>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace helicity::align {

class Stream::Impl
{
 public:
  Impl(Aligner& aligner, Sink sink, StreamOptions options)
      : aligner_(aligner), sink_(std::move(sink)), options_(options)
  {
    if (!sink_) throw UsageError("Stream: the sink is empty; expected a function");
    if (options_.batch_letters == 0 || options_.batch_pairs == 0 || options_.batches_in_flight == 0)
      throw UsageError(
          "StreamOptions: batch_letters, batch_pairs and batches_in_flight must be at least 1");
    worker_ = std::thread([this] { work(); });
  }

  ~Impl()
  {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  void push(OwnedPair pair)
  {
    {
      const std::lock_guard lock(mutex_);
      rethrow();
    }
    gathered_letters_ += pair.query.size() + pair.target.size();
    gathered_.push_back(std::move(pair));
    if (gathered_letters_ >= options_.batch_letters || gathered_.size() >= options_.batch_pairs)
      submit();
  }

  void finish()
  {
    if (!gathered_.empty()) submit();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return unfinished_ == 0 || error_; });
    rethrow();
  }

 private:
  using Batch = std::vector<OwnedPair>;

  void rethrow() const
  {
    if (error_) std::rethrow_exception(error_);
  }

  void submit()
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return unfinished_ < options_.batches_in_flight || error_; });
    rethrow();
    queue_.push_back(std::exchange(gathered_, {}));
    gathered_letters_ = 0;
    ++unfinished_;
    changed_.notify_all();
  }

  /// The worker: ends when told to stop, or after an error.
  void work()
  {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_) return;
      const Batch batch = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      std::exception_ptr error;
      try {
        deliver(batch);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      --unfinished_;
      error_ = error;
      changed_.notify_all();
      if (error) return;
    }
  }

  void deliver(const Batch& batch)
  {
    std::vector<Pair> pairs;
    pairs.reserve(batch.size());
    for (const OwnedPair& pair : batch) pairs.push_back({pair.query, pair.target});
    const std::vector<Alignment> results = aligner_.align(pairs);
    for (std::size_t k = 0; k < batch.size() && !abandoned(); ++k) sink_(batch[k], results[k]);
  }

  bool abandoned()
  {
    const std::lock_guard lock(mutex_);
    return stopping_;
  }

  Aligner& aligner_;
  const Sink sink_;
  const StreamOptions options_;
  Batch gathered_;  ///< touched by the caller's thread only
  std::size_t gathered_letters_ = 0;

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  std::deque<Batch> queue_;
  std::size_t unfinished_ = 0;  ///< batches queued or with the worker
  std::exception_ptr error_;    ///< stays: a stream that failed takes nothing more
  bool stopping_ = false;
  std::thread worker_;
};

Stream::Stream(Aligner& aligner, Sink sink, StreamOptions options)
    : impl_(std::make_unique<Impl>(aligner, std::move(sink), options))
{}

Stream::~Stream() = default;

void Stream::push(OwnedPair pair) { impl_->push(std::move(pair)); }

void Stream::finish() { impl_->finish(); }

}  // namespace helicity::align
