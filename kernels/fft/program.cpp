// SPDX-License-Identifier: Apache-2.0
#include <fft/program.hpp>
#include <fft/tables.hpp>
#include <helicity/core/error.hpp>

#include <algorithm>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

namespace helicity::fft {
namespace {

std::size_t size_of(Index n) { return static_cast<std::size_t>(n); }

/// Primes above it, as factors of a line, send the whole line through Bluestein's convolution.
constexpr Index largest_prime_pass = 300;

/// Builds the tables of a line and keeps them.
template <class T>
class Tables
{
 public:
  Line<T> line(Index n)
  {
    Line<T> result{.n = n, .work = 2 * n};
    if (n <= 1) return result;
    const std::vector<Index> list = radices(n);
    if (list.back() > largest_radix && (list.size() == 1 || list.back() > largest_prime_pass)) {
      result.convolution = convolution(n);
      result.work = n + convolution_work(*result.convolution);
      return result;
    }
    passes(list, result);
    return result;
  }

  T* numbers(Index count)
  {
    buffers_.emplace_back(MemoryKind::host, size_of(std::max<Index>(count, 1)));
    return buffers_.back().data();
  }

  Index* places(Index count)
  {
    places_.emplace_back(size_of(count));
    return places_.back().data();
  }

  /// Interleaved parts of f(0), f(1), ...
  template <class F>
  const T* complex_table(Index count, F&& f)
  {
    T* const table = numbers(2 * count);
    for (Index k = 0; k < count; ++k) {
      const Extended z = f(k);
      table[2 * k] = static_cast<T>(z.real());
      table[2 * k + 1] = static_cast<T>(z.imag());
    }
    return table;
  }

 private:
  void passes(const std::vector<Index>& list, Line<T>& result)
  {
    std::vector<Pass<T>>& pass = passes_.emplace_back();
    Index n = result.n, s = 1, extra = 0;
    for (const Index radix : list) {
      n /= radix;
      Pass<T> p{.radix = radix, .m = n, .s = s};
      if (n > 1) p.twiddle = twiddle(radix, n);
      if (radix > largest_radix) {
        p.convolution = convolution(radix);
        extra = std::max(extra, radix + convolution_work(*p.convolution));
      }
      pass.push_back(p);
      s *= radix;
    }
    result.pass = pass.data();
    result.pass_count = static_cast<Index>(pass.size());
    result.work = 2 * result.n + extra;
    if (list.size() < 2 || list.back() > largest_radix) return;
    int& lanes = list[0] % 4 == 0 ? result.row_lanes : result.plane_lanes;
    while (2 * lanes <= std::min(list[0], pass[0].m)) lanes *= 2;
  }

  const T* twiddle(Index radix, Index m)
  {
    const Index blocks = (m + table_block - 1) / table_block;
    const Index block_numbers = (radix - 1) * 2 * table_block;
    T* const table = numbers((blocks + 1) * block_numbers);
    for (Index b = 0; b <= blocks; ++b)
      for (Index k = 1; k < radix; ++k)
        for (Index i = 0; i < table_block; ++i) {
          const Index p = b < blocks ? b * table_block + i : m - table_block + i;
          const Extended w = p >= 0 && p < m ? root(p * k, radix * m) : Extended(1);
          T* const at = table + b * block_numbers + (k - 1) * 2 * table_block + i;
          at[0] = static_cast<T>(w.real());
          at[table_block] = static_cast<T>(w.imag());
        }
    return table;
  }

  static Index convolution_work(const Convolution<T>& c) { return c.line.n + c.line.work; }

  const Convolution<T>* convolution(Index n)
  {
    Convolution<T> c;
    c.n = n;
    const std::vector<Index> list = prime_factors(n);
    c.rader = list.size() == 1 && prime_factors(n - 1).back() < 16;
    if (c.rader)
      fill_rader(c);
    else
      fill_bluestein(c);
    convolutions_.push_back(c);
    return &convolutions_.back();
  }

  void fill_rader(Convolution<T>& c)
  {
    const Index size = c.n - 1, g = primitive_root(c.n), back = power_mod(g, size - 1, c.n);
    c.line = line(size);
    Index* const gather = places(size);
    Index* const scatter = places(size);
    std::vector<Extended> b(size_of(size));
    for (Index q = 0, up = 1, down = 1; q < size; ++q) {
      gather[q] = up;
      scatter[q] = down;
      b[size_of(q)] = root(down, c.n);
      up = up * g % c.n;
      down = down * back % c.n;
    }
    set_kernel(c, b);
    c.gather = gather;
    c.scatter = scatter;
  }

  void fill_bluestein(Convolution<T>& c)
  {
    const Index size = convolution_size(2 * c.n - 1);
    c.line = line(size);
    c.chirp = complex_table(c.n, [&](Index j) { return chirp_root(j, c.n); });
    std::vector<Extended> b(size_of(size));
    for (Index j = 0; j < c.n; ++j) {
      b[size_of(j)] = std::conj(chirp_root(j, c.n));
      if (j > 0) b[size_of(size - j)] = b[size_of(j)];
    }
    set_kernel(c, b);
  }

  void set_kernel(Convolution<T>& c, const std::vector<Extended>& b)
  {
    const std::vector<Extended> spectrum = reference_dft(b);
    const auto size = static_cast<long double>(b.size());
    c.kernel = complex_table(c.line.n, [&](Index q) { return spectrum[size_of(q)] / size; });
  }

  std::deque<std::vector<Pass<T>>> passes_;
  std::deque<Convolution<T>> convolutions_;
  std::deque<Buffer<T>> buffers_;
  std::deque<std::vector<Index>> places_;
};

bool is_cosine_or_sine(LineKind kind) { return kind >= LineKind::dct1; }

/// Points of the real DFT that a kind is made of; 0: it is made of a complex one.
Index real_points(LineKind kind, Index n)
{
  switch (kind) {
    case LineKind::c2c: return 0;
    case LineKind::dct1: return 2 * (n - 1);
    case LineKind::dst1: return 2 * (n + 1);
    default: return n;
  }
}

template <class T>
class CpuLine final : public detail::LineTransform<T>
{
 public:
  explicit CpuLine(const detail::LineRequest& request)
  {
    LineProgram<T>& p = program_;
    const Index n = request.n;
    p.kind = request.kind;
    p.backward = request.backward;
    p.n = n;
    p.scale = static_cast<T>(request.scale);
    p.real_n = real_points(p.kind, n);
    p.line = tables_.line(p.kind == LineKind::c2c || p.real_n % 2 == 1 ? std::max(p.real_n, n)
                                                                       : p.real_n / 2);
    if (p.real_n > 0 && p.real_n % 2 == 0) p.half = half_table(p.real_n);
    if (request.orthonormal_ends) set_ends();
    set_turn();
    if (request.turn_n > 0) set_long(request.turn_n);
    p.work = p.line.work + (p.kind == LineKind::c2c ? 4 * n : 2 * (p.real_n + 1) + n);
    const bool odd_real = p.kind != LineKind::c2c && n % 2 == 1;
    may_work_within_ = !is_cosine_or_sine(p.kind) && p.fine == nullptr && !odd_real;
    works_within_ = may_work_within_ && goes_within(p.line);
  }

  Index work_numbers() const override { return fft::work_numbers(program_); }

  bool works_within() const override { return works_within_; }

  void run(const detail::LineBatch<T>& b) const override
  {
    const Index in_unit = reads_real(program_.kind) ? 1 : 2;
    const Index out_unit = writes_real(program_.kind) ? 1 : 2;
    const bool within = (works_within_ || (may_work_within_ && b.columns < few_columns)) &&
                        b.in_row == in_unit && b.out_row == out_unit;
    const LineTask<T> task{&program_, &b, within};
    if constexpr (std::is_same_v<T, float>)
      HELICITY_PICK_ISA(run_lines_float)(task);
    else
      HELICITY_PICK_ISA(run_lines_double)(task);
  }

  std::string describe() const override
  {
    const Line<T>& line = program_.line;
    if (line.convolution != nullptr)
      return (line.convolution->rader ? "Rader " : "Bluestein ") +
             std::to_string(line.convolution->line.n);
    std::string text = line.n <= 1 ? "1" : "";
    for (Index i = 0; i < line.pass_count; ++i)
      text += (i == 0 ? "" : " x ") + std::to_string(line.pass[i].radix);
    return text;
  }

 private:
  /// So few lines are done one by one even where more would be done side by side.
  static constexpr Index few_columns = 4;

  /// Whether many lines, too, are best done one by one: they need no transposing, or registers full
  /// of them would not stay in the caches of a core.
  static bool goes_within(const Line<T>& line)
  {
    constexpr Index cache = Index{1} << 19, lanes = most_lanes<T>;
    if (line.row_lanes >= 4 || line.convolution != nullptr) return true;
    return line.plane_lanes >= 4 && line.n * 4 * lanes * static_cast<Index>(sizeof(T)) > cache;
  }

  /// exp(-2 pi i k / n): cosines for k <= n / 4, then sines.
  const T* half_table(Index n)
  {
    const Index count = n / 4 + 1;
    T* const table = tables_.numbers(2 * count);
    for (Index k = 0; k < count; ++k) {
      const Extended w = root(k, n);
      table[k] = static_cast<T>(w.real());
      table[count + k] = static_cast<T>(w.imag());
    }
    return table;
  }

  /// An orthogonal matrix has weights of sqrt(2) at the ends that the extension has only once.
  void set_ends()
  {
    LineProgram<T>& p = program_;
    const T up = static_cast<T>(1.41421356237309504880168872420969808L);
    const T down = static_cast<T>(0.707106781186547524400844362104849039L);
    switch (p.kind) {
      case LineKind::dct1:
        p.in_first = p.in_last = up;
        p.out_first = p.out_last = down;
        break;
      case LineKind::dct2: p.out_first = down; break;
      case LineKind::dct3: p.in_first = up; break;
      case LineKind::dst2: p.out_last = down; break;
      case LineKind::dst3: p.in_last = up; break;
      default: break;
    }
  }

  void set_turn()
  {
    LineProgram<T>& p = program_;
    const Index n = p.n;
    switch (p.kind) {
      case LineKind::dct2:
      case LineKind::dct3:
      case LineKind::dst2:
      case LineKind::dst3:
        p.turn = tables_.complex_table(n / 2 + 1, [&](Index k) { return root(k, 4 * n); });
        break;
      case LineKind::dct4:
      case LineKind::dst4:
        if (n % 2 == 0)
          p.turn = tables_.complex_table(n / 2, [&](Index k) { return root(8 * k + 1, 16 * n); });
        else
          set_odd_places();
        break;
      default: break;
    }
  }

  /// Odd n: what a = n + 8 t is up to sign; see run_dct4_odd.
  void set_odd_places()
  {
    const Index n = program_.n;
    Index* const place = tables_.places(2 * n);
    T* const sign = tables_.numbers(n);
    for (Index t = 0; t < n; ++t) {
      Index a = (n + 8 * t) % (8 * n);
      if (a > 4 * n) a = 8 * n - a;
      sign[t] = a > 2 * n ? T(-1) : T(1);
      if (a > 2 * n) a = 4 * n - a;
      place[t] = (a - 1) / 2;
      place[n + t] = 8 * t % n;
    }
    program_.place = place;
    program_.sign = sign;
    program_.turn = tables_.complex_table(1, [&](Index) {
      const Extended w = root(n % 8, 8);
      return Extended(2 * w.real(), -2 * w.imag());
    });
  }

  void set_long(Index total)
  {
    const Index n = program_.n, blocks = (total / n + table_block - 1) / table_block;
    T* const fine = tables_.numbers(2 * n * table_block);
    for (Index k = 0; k < n; ++k)
      for (Index c = 0; c < table_block; ++c) {
        const Extended w = root(k * c, total);
        fine[2 * table_block * k + c] = static_cast<T>(w.real());
        fine[2 * table_block * k + table_block + c] = static_cast<T>(w.imag());
      }
    program_.fine = fine;
    program_.coarse = tables_.complex_table(
        n * blocks, [&](Index i) { return root(i % n * (i / n * table_block), total); });
  }

  Tables<T> tables_;
  LineProgram<T> program_;
  bool may_work_within_ = false, works_within_ = false;
};

}  // namespace

template <class T>
std::shared_ptr<const detail::LineTransform<T>> detail::make_line(const LineRequest& request)
{
  return std::make_shared<CpuLine<T>>(request);
}

template std::shared_ptr<const detail::LineTransform<float>> detail::make_line(const LineRequest&);
template std::shared_ptr<const detail::LineTransform<double>> detail::make_line(const LineRequest&);

/// Beyond what caches near a core hold, and factors that are nearly equal and have small primes.
detail::LongSplit detail::long_split(Index n, std::size_t bytes_of_number)
{
  constexpr Index least_bytes = Index{1} << 23;
  if (n < least_bytes / static_cast<Index>(bytes_of_number)) return {};
  const std::vector<Index> factors = prime_factors(n);
  if (factors.back() > largest_radix) return {};
  Index best = 1;
  std::vector<Index> products{1};
  for (const Index f : factors) {
    const std::size_t count = products.size();
    for (std::size_t i = 0; i < count; ++i) products.push_back(products[i] * f);
    std::sort(products.begin(), products.end());
    products.erase(std::unique(products.begin(), products.end()), products.end());
  }
  for (const Index d : products)
    if (d <= n / d) best = std::max(best, d);
  if (best < 64) return {};
  return {best, n / best};
}

}  // namespace helicity::fft
