// SPDX-License-Identifier: Apache-2.0
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/core/text.hpp>
#include <helicity/fft/detail/planner.hpp>
#include <helicity/fft/plan.hpp>

#include <algorithm>

namespace helicity::fft {
namespace {

constexpr std::size_t alignment = 64;

int cpu_threads(const Executor& exec)
{
  const Cpu* const cpu = std::get_if<Cpu>(&exec);
  if (cpu == nullptr)
    throw UsageError("transforms on a CUDA device are not in this build; use the CPU");
  return resolve_threads(cpu->threads);
}

std::size_t padded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

namespace detail {

template <class T>
class PlanState
{
 public:
  PlanState(const Executor& exec, Request request)
      : threads_(cpu_threads(exec)), request_(std::move(request)), schedule_(schedule<T>(request_))
  {
    for (const Group<T>& group : schedule_.groups)
      for (const Step<T>& step : group.steps)
        work_numbers_ = std::max(work_numbers_, step.line->work_numbers());
    work_numbers_ = static_cast<Index>(padded(bytes_of(work_numbers_)) / sizeof(T));
  }

  std::size_t scratch_bytes() const
  {
    return alignment + static_cast<std::size_t>(threads_) * bytes_of(work_numbers_) +
           bytes_of(schedule_.scratch_numbers + schedule_.line_numbers);
  }

  void execute(const void* in, void* out, std::span<std::byte> scratch) const
  {
    check_addresses(reinterpret_cast<std::uintptr_t>(in), reinterpret_cast<std::uintptr_t>(out));
    if (scratch.size() < scratch_bytes())
      throw UsageError("scratch of " + std::to_string(scratch.size()) + " bytes; the plan needs " +
                       std::to_string(scratch_bytes()));
    const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
    std::byte* const start = scratch.data() + (padded(address) - address);
    Memories<T> memories;
    memories.input = static_cast<const T*>(in);
    memories.output = static_cast<T*>(out);
    memories.work = reinterpret_cast<T*>(start);
    memories.work_numbers = work_numbers_;
    memories.scratch = memories.work + threads_ * work_numbers_;
    memories.line = memories.scratch + schedule_.scratch_numbers;
    for (const Group<T>& group : schedule_.groups) run_group(group, memories, threads_);
  }

  std::string describe() const
  {
    std::string text;
    for (const Group<T>& group : schedule_.groups) {
      for (const Step<T>& step : group.steps) {
        text += "axis " + std::to_string(step.axis) + ": " + std::to_string(step.n) +
                " points, passes " + step.line->describe();
        text += group.steps.size() == 1 ? "" : &step == group.steps.data() ? ", then at once" : "";
        text += "\n";
      }
    }
    return text + "scratch " + format_bytes(scratch_bytes()) + ", threads " +
           std::to_string(threads_) + "\n";
  }

 private:
  static std::size_t bytes_of(Index numbers)
  {
    return static_cast<std::size_t>(numbers) * sizeof(T);
  }

  void check_addresses(std::uintptr_t in, std::uintptr_t out) const
  {
    if (in == 0 || out == 0) throw UsageError("a null address of input or output");
    if ((in == out) != request_.in_place)
      throw UsageError(request_.in_place
                           ? "the plan is in place; input and output differ"
                           : "the plan is not in place; input and output are the same");
    if (!request_.in_place && overlap(in, request_.in_reach, out, request_.out_reach))
      throw UsageError("input and output overlap without being in place");
  }

  int threads_;
  Request request_;
  Schedule<T> schedule_;
  Index work_numbers_ = 0;
};

template <class T>
constexpr bool is_real = std::is_floating_point_v<T>;

template <class In, class Out>
Plan<In, Out> plan_views(const Executor& exec, View<const In> in, View<Out> out,
                         const Transform& transform)
{
  using Real = typename Plan<In, Out>::Real;
  cpu_threads(exec);
  return Plan<In, Out>(std::make_unique<PlanState<Real>>(
      exec, check_request({is_real<In>, is_real<Out>}, layout_of(in), layout_of(out), transform)));
}

}  // namespace detail

template <class In, class Out>
Plan<In, Out>::Plan(std::unique_ptr<const detail::PlanState<Real>> state) : state_(std::move(state))
{}

template <class In, class Out>
Plan<In, Out>::Plan(Plan&&) noexcept = default;

template <class In, class Out>
Plan<In, Out>& Plan<In, Out>::operator=(Plan&&) noexcept = default;

template <class In, class Out>
Plan<In, Out>::~Plan() = default;

template <class In, class Out>
std::size_t Plan<In, Out>::scratch_bytes() const
{
  return state_->scratch_bytes();
}

template <class In, class Out>
Buffer<std::byte> Plan<In, Out>::make_scratch() const
{
  return {MemoryKind::host, scratch_bytes()};
}

template <class In, class Out>
void Plan<In, Out>::execute(const In* in, Out* out, std::span<std::byte> scratch) const
{
  state_->execute(in, out, scratch);
}

template <class In, class Out>
std::string Plan<In, Out>::describe() const
{
  return state_->describe();
}

#define HELICITY_FFT_PLANS(In, Out)                                                     \
  template class Plan<In, Out>;                                                         \
  template Plan<In, Out> detail::plan_views(const Executor&, View<const In>, View<Out>, \
                                            const Transform&);

HELICITY_FFT_PLANS(std::complex<float>, std::complex<float>)
HELICITY_FFT_PLANS(float, std::complex<float>)
HELICITY_FFT_PLANS(std::complex<float>, float)
HELICITY_FFT_PLANS(float, float)
HELICITY_FFT_PLANS(std::complex<double>, std::complex<double>)
HELICITY_FFT_PLANS(double, std::complex<double>)
HELICITY_FFT_PLANS(std::complex<double>, double)
HELICITY_FFT_PLANS(double, double)

#undef HELICITY_FFT_PLANS

}  // namespace helicity::fft
