// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>

#include <sched.h>

#include <algorithm>
#include <atomic>
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

/// One parallel_for: workers take indices until none is left or one has thrown.
struct Job
{
  std::size_t count;
  const std::function<void(std::size_t, int)>& body;
  int helpers_wanted;
  int next_worker = 1;  // guarded by the pool's mutex; 0 is the caller
  int active = 0;       // helpers inside run(); guarded by the pool's mutex
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
    }
    wake_.notify_all();
    job.run(0);
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    done_.wait(lock, [&] { return job.active == 0; });
  }

 private:
  void grow(int helpers)
  {
    while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { help(); });
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
      Job* job = nullptr;
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
