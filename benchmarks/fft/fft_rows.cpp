// SPDX-License-Identifier: Apache-2.0
// Rows F1 to F5: CPU time of ours, of FFTW and of other libraries that were found, in turns within
// one run.
//     fft_rows [ROW-PART] [replicates]
#include "peers.hpp"

#include <helicity/fft/plan.hpp>

#include <fftw3.h>

#include <time.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace helicity;
using namespace helicity::fft;

double cpu_seconds()
{
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// FFTW by precision.
template <class T>
struct Fftw;

#define HELICITY_FFTW(T, prefix)                                                                   \
  template <>                                                                                      \
  struct Fftw<T>                                                                                   \
  {                                                                                                \
    using Plan = prefix##_plan;                                                                    \
    using Complex = prefix##_complex;                                                              \
    using Dim = prefix##_iodim64;                                                                  \
    static Plan c2c(int rank, const Dim* d, int b, const Dim* e, Complex* i, Complex* o,           \
                    unsigned flags)                                                                \
    {                                                                                              \
      return prefix##_plan_guru64_dft(rank, d, b, e, i, o, FFTW_FORWARD, flags);                   \
    }                                                                                              \
    static Plan r2c(int rank, const Dim* d, int b, const Dim* e, T* i, Complex* o, unsigned flags) \
    {                                                                                              \
      return prefix##_plan_guru64_dft_r2c(rank, d, b, e, i, o, flags);                             \
    }                                                                                              \
    static Plan c2r(int rank, const Dim* d, int b, const Dim* e, Complex* i, T* o, unsigned flags) \
    {                                                                                              \
      return prefix##_plan_guru64_dft_c2r(rank, d, b, e, i, o, flags);                             \
    }                                                                                              \
    static void run(Plan p) { prefix##_execute(p); }                                               \
    static void free(Plan p) { prefix##_destroy_plan(p); }                                         \
  };
HELICITY_FFTW(float, fftwf)
HELICITY_FFTW(double, fftw)

struct Case
{
  std::string name;
  std::vector<Index> extent;
  std::vector<int> axes;
  bool single = false;  ///< call it often: latency
};

struct Contestant
{
  const char* name;
  std::function<void()> run;
  std::vector<double> seconds = {};
};

double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

void contest(const std::string& name, std::vector<Contestant>& all, int replicates)
{
  for (auto& c : all) c.run();
  const double start = cpu_seconds();
  all[0].run();
  const int calls = std::max(1, static_cast<int>(0.03 / std::max(cpu_seconds() - start, 1e-8)));
  for (int r = 0; r < replicates; ++r)
    for (auto& c : all) {
      const double begin = cpu_seconds();
      for (int i = 0; i < calls; ++i) c.run();
      c.seconds.push_back((cpu_seconds() - begin) / calls);
    }
  std::printf("%-34s", name.c_str());
  for (auto& c : all) std::printf("  %s %10.2f us", c.name, 1e6 * median(c.seconds));
  for (std::size_t i = 1; i < all.size(); ++i)
    std::printf("  ours/%s %.2f", all[i].name, median(all[0].seconds) / median(all[i].seconds));
  std::printf("\n");
  std::fflush(stdout);
}

#if defined(HELICITY_POCKETFFT) || defined(HELICITY_DUCC0)
template <class View>
void fill_shape(const View& view, std::vector<std::size_t>& extent,
                std::vector<std::ptrdiff_t>& stride)
{
  for (int d = view.dimensions; d-- > 0;) {
    extent.push_back(static_cast<std::size_t>(view.extent[static_cast<std::size_t>(d)]));
    stride.push_back(view.stride[static_cast<std::size_t>(d)]);
  }
}

/// Adds the contestants that are there. The views have their data.
template <class T>
void add_peers(std::vector<Contestant>& all, int type, const std::vector<int>& axes, View<T> real,
               View<std::complex<T>> complex_in, View<std::complex<T>> spectrum)
{
  bench::PeerShape s;
  if (type == 0)
    fill_shape(complex_in, s.real, s.real_stride);
  else
    fill_shape(real, s.real, s.real_stride);
  fill_shape(spectrum, s.spectrum, s.spectrum_stride);
  for (std::size_t i = axes.size(); i-- > 0;)
    s.axes.push_back(static_cast<std::size_t>(spectrum.dimensions - 1 - axes[i]));
  const auto add = [&](const char* name, auto c2c, auto r2c, auto c2r) {
    all.push_back({name, [=] {
                     if (type == 0)
                       c2c(s, complex_in.data, spectrum.data);
                     else if (type == 1)
                       r2c(s, real.data, spectrum.data);
                     else
                       c2r(s, spectrum.data, real.data);
                   }});
  };
#ifdef HELICITY_POCKETFFT
  add("pocketfft", bench::pocketfft_c2c<T>, bench::pocketfft_r2c<T>, bench::pocketfft_c2r<T>);
#endif
#ifdef HELICITY_DUCC0
  add("ducc0", bench::ducc0_c2c<T>, bench::ducc0_r2c<T>, bench::ducc0_c2r<T>);
#endif
}
#endif

template <class T>
void run_case(const Case& c, int type, int replicates)
{
  using F = Fftw<T>;
  using C = std::complex<T>;
  const bool real_in = type == 1, real_out = type == 2;
  const auto half = [&](std::size_t d) {
    return static_cast<int>(d) == c.axes[0] ? c.extent[d] / 2 + 1 : c.extent[d];
  };
  View<C> spectrum, complex_in;
  View<T> real;
  Index points = 1, half_points = 1;
  for (std::size_t d = 0; d < c.extent.size(); ++d) {
    real.extent[d] = complex_in.extent[d] = c.extent[d];
    real.stride[d] = complex_in.stride[d] = points;
    spectrum.extent[d] = type == 0 ? c.extent[d] : half(d);
    spectrum.stride[d] = half_points;
    points *= c.extent[d];
    half_points *= spectrum.extent[d];
  }
  real.dimensions = complex_in.dimensions = spectrum.dimensions = static_cast<int>(c.extent.size());
  const auto count = static_cast<std::size_t>(points);
  std::vector<C> a(count), b(static_cast<std::size_t>(half_points));
  std::vector<T> r(count);
  std::vector<typename F::Dim> dims, loops;
  for (std::size_t d = c.extent.size(); d-- > 0;) {
    const bool axis = std::find(c.axes.begin(), c.axes.end(), static_cast<int>(d)) != c.axes.end();
    const Index in = real_out ? spectrum.stride[d] : real.stride[d];
    const Index out = real_out ? real.stride[d] : spectrum.stride[d];
    (axis ? dims : loops).push_back({c.extent[d], in, out});
  }
  std::vector<Contestant> all;
  std::vector<std::byte> scratch;
  const Transform t(c.axes, real_out ? Direction::backward : Direction::forward, Norm::none);
  auto* const fa = reinterpret_cast<typename F::Complex*>(a.data());
  auto* const fb = reinterpret_cast<typename F::Complex*>(b.data());
  std::vector<typename F::Plan> plans;
  const int rank = static_cast<int>(dims.size()), batch = static_cast<int>(loops.size());
  for (const unsigned flags : {FFTW_ESTIMATE, FFTW_MEASURE})  // in this order: wisdom
    plans.push_back(type == 0 ? F::c2c(rank, dims.data(), batch, loops.data(), fa, fb, flags)
                    : type == 1
                        ? F::r2c(rank, dims.data(), batch, loops.data(), r.data(), fb, flags)
                        : F::c2r(rank, dims.data(), batch, loops.data(), fb, r.data(), flags));
  // Small numbers: c2r of FFTW destroys its input, and what it leaves must not grow.
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = C(static_cast<T>(i % 7), static_cast<T>(i % 5));
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<T>(i % 11);
  std::fill(b.begin(), b.end(), C(0));
  const auto ours = [&](auto in, auto out) {
    auto plan =
        std::make_shared<decltype(make_plan(Cpu{1}, in, out, t))>(make_plan(Cpu{1}, in, out, t));
    scratch.resize(plan->scratch_bytes());
    all.push_back({"ours", [=, &scratch] { plan->execute(in.data, out.data, scratch); }});
  };
  complex_in.data = a.data();
  spectrum.data = b.data();
  real.data = r.data();
  if (real_in)
    ours(real, spectrum);
  else if (real_out)
    ours(spectrum, real);
  else
    ours(complex_in, spectrum);
  all.push_back({"measure", [&] { F::run(plans[1]); }});
  all.push_back({"estimate", [&] { F::run(plans[0]); }});
#if defined(HELICITY_POCKETFFT) || defined(HELICITY_DUCC0)
  add_peers<T>(all, type, c.axes, real, complex_in, spectrum);
#endif
  const char* const types[] = {"C2C", "R2C", "C2R"};
  contest(c.name + (std::is_same_v<T, float> ? " float " : " double ") + types[type], all,
          replicates);
  for (auto plan : plans) F::free(plan);
}

const std::vector<Case> cases = {
    {"F1 256x256", {256, 256}, {0, 1}},
    {"F1 1024x1024", {1024, 1024}, {0, 1}},
    {"F1 128x128x128", {128, 128, 128}, {0, 1, 2}},
    {"F1 120x120x120", {120, 120, 120}, {0, 1, 2}},
    {"F1 127x127x127", {127, 127, 127}, {0, 1, 2}},
    {"F1 256x256x256", {256, 256, 256}, {0, 1, 2}},
    {"F2 256x256x256 axis 0", {256, 256, 256}, {0}},
    {"F2 256x256x256 axis 1", {256, 256, 256}, {1}},
    {"F2 256x256x256 axis 2", {256, 256, 256}, {2}},
    {"F3 2^18", {1 << 18}, {0}},
    {"F3 2^20", {1 << 20}, {0}},
    {"F4 1009 x 100", {1009, 100}, {0}},
    {"F4 10007 x 10", {10007, 10}, {0}},
    {"F4 1050 x 100", {1050, 100}, {0}},
    {"F4 11025 x 10", {11025, 10}, {0}},
    {"F5 16", {16}, {0}, true},
    {"F5 64", {64}, {0}, true},
    {"F5 100", {100}, {0}, true},
    {"F5 256", {256}, {0}, true},
    {"F5 1000", {1000}, {0}, true},
    {"F5 1024", {1024}, {0}, true},
    {"F5 4096", {4096}, {0}, true},
    {"F5 16384", {16384}, {0}, true},
};

}  // namespace

int main(int argc, char** argv)
{
  const std::string wanted = argc > 1 ? argv[1] : "";
  const int replicates = argc > 2 ? std::atoi(argv[2]) : 7;
  for (const Case& c : cases) {
    if (c.name.find(wanted) == std::string::npos) continue;
    for (const int type : {0, 1, 2}) {
      run_case<double>(c, type, replicates);
      run_case<float>(c, type, replicates);
    }
  }
  return 0;
}
