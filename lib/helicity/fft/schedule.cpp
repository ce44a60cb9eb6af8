// SPDX-License-Identifier: Apache-2.0
#include <helicity/fft/detail/planner.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace helicity::fft::detail {
namespace {

/// Two steps over so many bytes are done together: they stay in a cache near the core.
constexpr Index group_bytes = Index{2} << 20;

LineKind line_kind(Kind kind, Direction direction)
{
  const bool back = direction == Direction::backward;
  switch (kind) {
    case Kind::dct1: return LineKind::dct1;
    case Kind::dct2: return back ? LineKind::dct3 : LineKind::dct2;
    case Kind::dct3: return back ? LineKind::dct2 : LineKind::dct3;
    case Kind::dct4: return LineKind::dct4;
    case Kind::dst1: return LineKind::dst1;
    case Kind::dst2: return back ? LineKind::dst3 : LineKind::dst2;
    case Kind::dst3: return back ? LineKind::dst2 : LineKind::dst3;
    case Kind::dst4: return LineKind::dst4;
  }
  return LineKind::c2c;
}

Index logical_size(LineKind kind, Index n)
{
  if (kind < LineKind::dct1) return n;
  return kind == LineKind::dct1 ? 2 * (n - 1) : kind == LineKind::dst1 ? 2 * (n + 1) : 2 * n;
}

template <class T>
class Scheduler
{
 public:
  explicit Scheduler(const Request& request) : r_(request) {}

  Schedule<T> run()
  {
    find_scale();
    if (!r_.types.real_in && r_.types.real_out)
      complex_to_real();
    else
      forwards();
    group_steps();
    for (Group<T>& group : schedule_.groups) find_one_task(group);
    return std::move(schedule_);
  }

 private:
  struct Axis
  {
    int axis;
    LineKind kind;
  };

  bool complex_in() const { return !r_.types.real_in; }
  bool complex_out() const { return !r_.types.real_out; }

  Index points(int axis) const
  {
    return r_.types.real_out ? r_.out.count(axis) : r_.in.count(axis);
  }

  LineKind kind_of(std::size_t i) const
  {
    if (r_.types.real_in && r_.types.real_out)
      return line_kind(r_.transform.kinds[i], r_.transform.direction);
    if (i > 0 || r_.types.real_in == r_.types.real_out) return LineKind::c2c;
    return r_.types.real_in ? LineKind::r2c : LineKind::c2r;
  }

  void find_scale()
  {
    double size = 1;
    for (std::size_t i = 0; i < r_.transform.axes.size(); ++i)
      size *= static_cast<double>(logical_size(kind_of(i), points(r_.transform.axes[i])));
    const bool forward = r_.transform.direction == Direction::forward;
    const Norm norm = r_.transform.norm;
    scale_ = r_.transform.scale;
    if (norm == Norm::ortho) scale_ /= std::sqrt(size);
    if (norm == (forward ? Norm::forward : Norm::backward)) scale_ /= size;
  }

  /// Axes from number `first` on, those with neighbours in memory first.
  std::vector<Axis> axes_from(std::size_t first, const Layout& layout) const
  {
    std::vector<Axis> list;
    for (std::size_t i = first; i < r_.transform.axes.size(); ++i)
      list.push_back({r_.transform.axes[i], kind_of(i)});
    std::stable_sort(list.begin(), list.end(), [&](const Axis& a, const Axis& b) {
      return std::abs(layout.step(a.axis)) < std::abs(layout.step(b.axis));
    });
    return list;
  }

  void forwards()
  {
    const bool halved = r_.types.real_in && complex_out();
    std::vector<Axis> list = axes_from(halved ? 1 : 0, r_.out);
    if (halved) list.insert(list.begin(), {r_.transform.axes[0], LineKind::r2c});
    for (std::size_t i = 0; i < list.size(); ++i)
      add(list[i], i == 0 ? r_.in : r_.out, i == 0 ? Place::input : Place::output, r_.out,
          Place::output, i + 1 == list.size());
  }

  void complex_to_real()
  {
    std::vector<Axis> list = axes_from(1, r_.in);
    std::reverse(list.begin(), list.end());
    Layout between = r_.in;
    Place place = Place::input;
    if (!list.empty() && !r_.in_place && !r_.transform.allow_destroy) {
      between = packed(r_.in);
      place = Place::scratch;
    }
    for (std::size_t i = 0; i < list.size(); ++i)
      add(list[i], i == 0 ? r_.in : between, i == 0 ? Place::input : place, between, place, false);
    add({r_.transform.axes[0], LineKind::c2r}, between, place, r_.out, Place::output, true);
  }

  /// The same dimensions without gaps, in the order of their strides.
  Layout packed(Layout layout)
  {
    std::vector<int> order;
    for (int d = 0; d < layout.dimensions; ++d) order.push_back(d);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return std::abs(layout.step(a)) < std::abs(layout.step(b));
    });
    Index stride = 1;
    for (const int d : order) {
      layout.stride[static_cast<std::size_t>(d)] = stride;
      stride *= layout.count(d);
    }
    schedule_.scratch_numbers = 2 * stride;
    return layout;
  }

  void add(Axis a, const Layout& in, Place from, const Layout& out, Place to, bool last)
  {
    const Index in_unit = in.element_bytes == sizeof(T) ? 1 : 2;
    const Index out_unit = out.element_bytes == sizeof(T) ? 1 : 2;
    Step<T> step;
    step.from = from;
    step.to = to;
    step.axis = a.axis;
    step.n = points(a.axis);
    step.in_row = in.step(a.axis) * in_unit;
    step.out_row = out.step(a.axis) * out_unit;
    for (int d = 0; d < in.dimensions; ++d)
      if (d != a.axis)
        step.outer.push_back({out.count(d), in.step(d) * in_unit, out.step(d) * out_unit});
    const double scale = last ? scale_ : 1;
    const LongSplit split =
        a.kind == LineKind::c2c ? long_split(step.n, 2 * sizeof(T)) : LongSplit{};
    if (split.n1 > 0) return add_long(step, split, scale);
    LineRequest request;
    request.kind = a.kind;
    request.backward = r_.transform.direction == Direction::backward;
    request.n = step.n;
    request.scale = scale;
    request.orthonormal_ends = r_.transform.norm == Norm::ortho;
    step.line = make_line<T>(request);
    pending_.push_back({step, in_unit, out_unit});
  }

  /// n = n1 n2: DFTs of n1 numbers n2 apart, turned, to scratch; of n2 numbers to places n1 apart.
  void add_long(const Step<T>& whole, LongSplit split, double scale)
  {
    flush();
    Group<T> group;
    group.independent = false;
    for (const Beside& d : whole.outer) group.count *= d.count;
    const bool back = r_.transform.direction == Direction::backward;
    LineRequest request{LineKind::c2c, back, split.n1, 1, false, whole.n};
    Step<T> first = whole;
    first.outer.clear();
    first.shared = whole.outer;
    for (Beside& d : first.shared) d.out = 0;
    first.n = split.n1;
    first.line = make_line<T>(request);
    first.to = Place::line;
    first.in_row = whole.in_row * split.n2;
    first.out_row = 2 * split.n2;
    first.columns = {split.n2, whole.in_row, 2};
    first.tile = 32;
    Step<T> second = whole;
    second.outer.clear();
    second.shared = whole.outer;
    for (Beside& d : second.shared) d.in = 0;
    second.n = split.n2;
    second.line = make_line<T>({LineKind::c2c, back, split.n2, scale, false, 0});
    second.from = Place::line;
    second.in_row = 2;
    second.out_row = whole.out_row * split.n1;
    second.columns = {split.n1, 2 * split.n2, whole.out_row};
    second.tile = 32;
    group.steps = {first, second};
    schedule_.line_numbers = std::max(schedule_.line_numbers, 2 * whole.n);
    schedule_.groups.push_back(std::move(group));
  }

  struct Pending
  {
    Step<T> step;
    Index in_unit, out_unit;
  };

  /// Steps that wait, alone or two of them together.
  void flush()
  {
    std::size_t i = 0;
    if (pending_.size() == 3 && r_.types.real_out && complex_in()) i = alone(i);
    while (i < pending_.size()) i = i + 1 < pending_.size() && together(i) ? i + 2 : alone(i);
    pending_.clear();
  }

  void group_steps() { flush(); }

  std::size_t alone(std::size_t i)
  {
    Pending& p = pending_[i];
    choose_columns(p.step, size_of(p.in_unit), size_of(p.out_unit));
    Group<T> group;
    group.steps.push_back(p.step);
    schedule_.groups.push_back(std::move(group));
    return i + 1;
  }

  static std::size_t size_of(Index n) { return static_cast<std::size_t>(n); }

  /// Dimensions that are farther in memory than both axes become those of the group.
  bool together(std::size_t i)
  {
    Pending a = pending_[i], b = pending_[i + 1];
    const Layout& layout = complex_out() ? r_.out : r_.in;
    const Index inner =
        std::max(std::abs(layout.step(a.step.axis)), std::abs(layout.step(b.step.axis)));
    Group<T> group;
    auto bytes = static_cast<Index>(layout.element_bytes);
    for (int d = 0; d < layout.dimensions; ++d) {
      if (std::abs(layout.step(d)) <= inner) {
        bytes *= layout.count(d);
        continue;
      }
      group.count *= layout.count(d);
      share(a.step, d);
      share(b.step, d);
    }
    if (group.count == 1 || bytes > group_bytes) return false;
    choose_columns(a.step, size_of(a.in_unit), size_of(a.out_unit));
    choose_columns(b.step, size_of(b.in_unit), size_of(b.out_unit));
    group.steps = {a.step, b.step};
    schedule_.groups.push_back(std::move(group));
    return true;
  }

  /// The outer list of a step has all dimensions but its axis, in order.
  static void share(Step<T>& step, int d)
  {
    Beside& entry = step.outer[size_of(d > step.axis ? d - 1 : d)];
    step.shared.push_back(entry);
    entry = {1, 0, 0};
  }

  const Request& r_;
  double scale_ = 1;
  std::vector<Pending> pending_;
  Schedule<T> schedule_;
};

}  // namespace

template <class T>
Schedule<T> schedule(const Request& request)
{
  return Scheduler<T>(request).run();
}

template Schedule<float> schedule(const Request&);
template Schedule<double> schedule(const Request&);

}  // namespace helicity::fft::detail
