// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace helicity {
namespace {

constexpr int max_threads = 4096;
thread_local bool inside_body = false;

/// Loops over small grids follow each other within microseconds, and waking a thread takes tens:
/// who has nothing to do looks out for so long before it sleeps.
constexpr std::chrono::microseconds patience{40};

/// Looks for something until it is there or patience ends.
template <class There>
void look_out(There&& there)
{
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!there()) {
    for (int n = 0; n < 32; ++n)
      if (there()) return;
    std::this_thread::yield();
    if (std::chrono::steady_clock::now() > end) return;
  }
}

/// One parallel_for: workers take indices until none is left or one has thrown.
struct Job
{
  std::size_t count;
  const std::function<void(std::size_t, int)>& body;
  int helpers_wanted;
  int next_worker = 1;          // guarded by the pool's mutex; 0 is the caller
  std::atomic<int> active = 0;  // helpers inside run(); changed under the pool's mutex
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;  // guarded by error_mutex
  std::mutex error_mutex;

  void run(int worker)
  {
    inside_body = true;
    try {
      for (std::size_t i; (i = next.fetch_add(1)) < count;) body(i, worker);
    } catch (...) {
      next = count;
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
    }
    inside_body = false;
  }
};

/// Threads that help with jobs. Grows to the most that was asked for.
class Pool
{
 public:
  ~Pool()
  {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  void run(Job& job)
  {
    {
      const std::lock_guard lock(mutex_);
      grow(job.helpers_wanted);
      jobs_.push_back(&job);
      ++posted_;
    }
    wake_.notify_all();
    job.run(0);
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);  // nobody joins any more
    if (job.active == 0) return;
    if (may_look_out_) {
      lock.unlock();
      look_out([&] { return job.active == 0; });
      lock.lock();  // the last helper may still hold it to say that it is done
    }
    done_.wait(lock, [&] { return job.active == 0; });
  }

 private:
  void grow(int helpers)
  {
    while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { help(); });
    may_look_out_ = static_cast<int>(threads_.size()) < usable_threads();  // a core for each
  }

  Job* job_that_wants_help()
  {
    for (Job* job : jobs_)
      if (job->next_worker <= job->helpers_wanted && job->next < job->count) return job;
    return nullptr;
  }

  void help()
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = job_that_wants_help();
      if (job == nullptr && !stopping_ && may_look_out_) {
        const unsigned seen = posted_;
        lock.unlock();
        look_out([&] { return posted_ != seen; });
        lock.lock();
      }
      wake_.wait(lock, [&] { return stopping_ || (job = job_that_wants_help()) != nullptr; });
      if (stopping_) return;
      const int worker = job->next_worker++;
      ++job->active;
      lock.unlock();
      job->run(worker);
      lock.lock();
      if (--job->active == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<Job*> jobs_;
  std::vector<std::thread> threads_;
  std::atomic<unsigned> posted_ = 0;  // jobs so far
  bool may_look_out_ = false;
  bool stopping_ = false;
};

Pool& pool()
{
  static Pool instance;
  return instance;
}

}  // namespace

int usable_threads() noexcept
{
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int resolve_threads(int requested)
{
  if (requested < 0 || requested > max_threads)
    throw UsageError("threads must be between 0 and " + std::to_string(max_threads) + ", not " +
                     std::to_string(requested));
  return requested == 0 ? usable_threads() : requested;
}

void parallel_for(int threads, std::size_t count, const std::function<void(std::size_t, int)>& body)
{
  const auto workers = std::min(count, static_cast<std::size_t>(resolve_threads(threads)));
  if (workers <= 1 || inside_body) {
    for (std::size_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  Job job{.count = count, .body = body, .helpers_wanted = static_cast<int>(workers) - 1};
  pool().run(job);
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace helicity
