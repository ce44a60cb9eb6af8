// SPDX-License-Identifier: Apache-2.0
#include <fft/column_rows.hpp>
#include <helicity/comm/mail.hpp>
#include <helicity/core/error.hpp>
#include <helicity/core/parallel.hpp>
#include <helicity/fft/columns.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace helicity::fft {
namespace {

enum Tag : int { tag_pivots = 101, tag_up, tag_down, tag_first };

template <class T>
const ColumnRows<T>& rows()
{
  if constexpr (std::is_same_v<T, float>)
    return HELICITY_PICK_ISA(column_rows_float)();
  else
    return HELICITY_PICK_ISA(column_rows_double)();
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values)
{
  return std::as_bytes(std::span(values));
}

std::size_t size_of(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

template <class T>
struct Columns<T>::State
{
  State(const ColumnEquations& e, const comm::Communicator& c, Cpu x);

  void find_pivots();
  void find_returns();
  void sweep(T* f, Index sj, Index sk, bool wide);
  void sweep_up(T* f, Index sj, Index sk, bool wide, Index piece);
  void sweep_down(T* f, Index sj, Index sk, bool wide, Index piece);
  void close(T* f, Index sj, Index sk);

  /// Levels of this rank that elimination goes through: not the last one of a periodic axis.
  Index inner() const { return std::min(eq.count, last() - eq.first); }
  Index last() const { return eq.periodic ? eq.levels - 1 : eq.levels; }
  bool lowest() const { return eq.first == 0; }
  bool highest() const { return eq.first + eq.count >= last(); }
  bool has_end() const { return eq.first + eq.count == eq.levels; }
  T lower(Index k) const { return static_cast<T>(eq.lower[size_of(eq.first + k)]); }
  T upper(Index k) const { return static_cast<T>(eq.upper[size_of(eq.first + k)]); }
  const T* pivot(Index j, Index k) const
  {
    return pivots.data() + (k * eq.modes_j + j) * eq.modes_i;
  }
  Index row_values(bool wide) const { return eq.modes_i * (wide ? 2 : 1); }
  Index begin_of(Index piece) const { return eq.modes_j * piece / pieces; }
  template <class F>
  void for_rows(Index first, Index end, F&& f) const
  {
    parallel_for(exec.threads, size_of(end - first),
                 [&](std::size_t n, int) { f(first + static_cast<Index>(n)); });
  }

  ColumnEquations eq;
  comm::Communicator comm;
  Cpu exec;
  Index pieces = 1;
  std::optional<comm::Mail> mail;
  std::vector<T> pivots;   // of the inner levels
  std::vector<T> returns;  // z: what a unit at the last level adds to the others
  std::vector<T> closing;  // pivots of the last level of a periodic axis
  std::vector<T> from_below, from_above, to_above, to_below, corner, first_row;
  std::vector<std::size_t> sent_up;
};

template <class T>
Columns<T>::State::State(const ColumnEquations& e, const comm::Communicator& c, Cpu x)
    : eq(e), comm(c), exec(x)
{
  if (eq.periodic && eq.levels < 3)
    throw UsageError("a periodic axis of tridiagonal equations has 3 levels or more");
  const auto is = [](const std::vector<double>& v, Index n) { return v.size() == size_of(n); };
  if (!is(eq.lower, eq.levels) || !is(eq.upper, eq.levels) || !is(eq.minus_i, eq.modes_i) ||
      !is(eq.minus_j, eq.modes_j))
    throw UsageError("tridiagonal equations: coefficients of the wrong size");
  if (comm.size() > 1) {
    mail.emplace(comm);
    pieces = std::min<Index>(eq.modes_j, 16);
  }
  const std::size_t plane = size_of(row_values(eq.complex_values) * eq.modes_j);
  for (auto* v : {&from_below, &from_above, &to_above, &to_below, &corner, &first_row})
    v->assign(plane, T(0));
  find_pivots();
  if (eq.periodic) find_returns();
}

/// In double, level by level, from the rank below to the one above.
template <class T>
void Columns<T>::State::find_pivots()
{
  if (inner() <= 0) return;  // the last level of a periodic axis alone
  const std::size_t plane = size_of(eq.modes_i * eq.modes_j);
  std::vector<double> before(plane, 0);
  if (!lowest())
    mail->receive(std::as_writable_bytes(std::span(before)), comm.rank() - 1, tag_pivots);
  pivots.resize(plane * size_of(inner()));
  const bool loose = !eq.periodic && eq.lower.front() == 0 && eq.upper.back() == 0;
  for (Index k = 0; k < inner(); ++k) {
    const std::size_t level = size_of(eq.first + k);
    const double low = level > 0 ? eq.lower[level] * eq.upper[level - 1] : 0;
    for (std::size_t m = 0; m < plane; ++m) {
      const double minus =
          eq.minus_i[m % size_of(eq.modes_i)] + eq.minus_j[m / size_of(eq.modes_i)];
      const bool singular = loose && minus == 0 && level + 1 == size_of(eq.levels);
      const double pivot = -(eq.lower[level] + eq.upper[level] + minus) - low * before[m];
      before[m] = singular ? 0 : 1 / pivot;
      pivots[plane * size_of(k) + m] = static_cast<T>(before[m]);
    }
  }
  if (!highest() && mail) {
    mail->send(bytes_of(before), comm.rank() + 1, tag_pivots);
    mail->wait_all();
  }
}

/// z, and how the last level follows from its two neighbours.
template <class T>
void Columns<T>::State::find_returns()
{
  const Index mi = eq.modes_i, plane = mi * eq.modes_j;
  returns.assign(size_of(plane * std::max<Index>(inner(), 0)), T(0));
  const auto set = [&](Index level, double value) {
    const Index k = level - eq.first;
    if (k < 0 || k >= inner()) return;
    for (Index m = 0; m < plane; ++m) returns[size_of(k * plane + m)] += static_cast<T>(-value);
  };
  set(0, eq.lower.front());
  set(eq.levels - 2, eq.upper[size_of(eq.levels - 2)]);
  const Index kept = std::exchange(pieces, 1);
  sweep(returns.data(), mi, plane, false);
  pieces = kept;
  std::vector<T> first(size_of(plane)), below(size_of(plane));
  if (lowest()) std::copy_n(returns.begin(), plane, first.begin());
  comm.broadcast(std::as_writable_bytes(std::span(first)), 0);
  if (!has_end()) {
    if (highest() && mail) {  // the last level stands alone on the next rank
      mail->send(std::as_bytes(std::span(returns).last(size_of(plane))), comm.rank() + 1, tag_up);
      mail->wait_all();
    }
    return;
  }
  if (inner() > 0)
    std::copy_n(returns.end() - plane, plane, below.begin());
  else
    mail->receive(std::as_writable_bytes(std::span(below)), comm.rank() - 1, tag_up);
  closing.resize(size_of(plane));
  const double low = eq.lower.back(), up = eq.upper.back();
  for (Index m = 0; m < plane; ++m) {
    const double minus = eq.minus_i[size_of(m % mi)] + eq.minus_j[size_of(m / mi)];
    const double pivot = -(low + up + minus) + low * static_cast<double>(below[size_of(m)]) +
                         up * static_cast<double>(first[size_of(m)]);
    closing[size_of(m)] = minus == 0 ? T(0) : static_cast<T>(1 / pivot);
  }
}

template <class T>
void Columns<T>::State::sweep_up(T* f, Index sj, Index sk, bool wide, Index piece)
{
  const ColumnRows<T>& row = rows<T>();
  const Index begin = begin_of(piece), end = begin_of(piece + 1), n = row_values(wide);
  const auto part = [&](std::vector<T>& v) {
    return std::span(v).subspan(size_of(begin * n), size_of((end - begin) * n));
  };
  if (!lowest()) mail->receive(std::as_writable_bytes(part(from_below)), comm.rank() - 1, tag_up);
  for_rows(begin, end, [&](Index j) {
    for (Index k = 0; k < inner(); ++k) {
      T* d = f + j * sj + k * sk;
      if (lowest() && k == 0)
        row.begin(d, pivot(j, 0), eq.modes_i, wide);
      else
        row.forward(d, k == 0 ? from_below.data() + j * n : d - sk, pivot(j, k), lower(k),
                    eq.modes_i, wide);
    }
    if (!highest()) std::copy_n(f + j * sj + (inner() - 1) * sk, n, to_above.data() + j * n);
  });
  if (!highest())
    sent_up.push_back(mail->send(std::as_bytes(part(to_above)), comm.rank() + 1, tag_up));
}

template <class T>
void Columns<T>::State::sweep_down(T* f, Index sj, Index sk, bool wide, Index piece)
{
  const ColumnRows<T>& row = rows<T>();
  const Index begin = begin_of(piece), end = begin_of(piece + 1), n = row_values(wide);
  const auto part = [&](std::vector<T>& v) {
    return std::span(v).subspan(size_of(begin * n), size_of((end - begin) * n));
  };
  if (!highest())
    mail->receive(std::as_writable_bytes(part(from_above)), comm.rank() + 1, tag_down);
  for_rows(begin, end, [&](Index j) {
    for (Index k = inner() - 1; k >= 0; --k) {
      T* d = f + j * sj + k * sk;
      if (k + 1 < inner())
        row.backward(d, d + sk, pivot(j, k), upper(k), eq.modes_i, wide);
      else if (!highest())
        row.backward(d, from_above.data() + j * n, pivot(j, k), upper(k), eq.modes_i, wide);
    }
    if (!lowest()) std::copy_n(f + j * sj, n, to_below.data() + j * n);
  });
  if (!lowest()) mail->send(std::as_bytes(part(to_below)), comm.rank() - 1, tag_down);
}

/// Elimination of the inner levels: pieces upwards, and each piece back as soon as it can be.
template <class T>
void Columns<T>::State::sweep(T* f, Index sj, Index sk, bool wide)
{
  if (inner() <= 0) return;
  for (Index p = 0; p < pieces; ++p) {
    sweep_up(f, sj, sk, wide, p);
    if (highest()) sweep_down(f, sj, sk, wide, p);
  }
  if (!highest())
    for (Index p = 0; p < pieces; ++p) sweep_down(f, sj, sk, wide, p);
  if (mail) mail->wait_all();
  sent_up.clear();
}

/// The last level of a periodic axis, then what it adds to the others.
template <class T>
void Columns<T>::State::close(T* f, Index sj, Index sk)
{
  const bool wide = eq.complex_values;
  const ColumnRows<T>& row = rows<T>();
  const Index n = row_values(wide);
  const auto plane_to = [&](std::vector<T>& v, Index k) {
    for_rows(0, eq.modes_j,
             [&](Index j) { std::copy_n(f + j * sj + k * sk, n, v.data() + j * n); });
  };
  const int end_rank = comm.size() - 1;
  const bool apart = mail && !has_end() && highest();
  if (lowest()) plane_to(first_row, 0);
  if (mail) {
    if (lowest() && end_rank != comm.rank()) mail->send(bytes_of(first_row), end_rank, tag_first);
    if (apart) {
      plane_to(to_above, inner() - 1);
      mail->send(bytes_of(to_above), end_rank, tag_up);
    }
  }
  if (has_end()) {
    if (mail && !lowest())
      mail->receive(std::as_writable_bytes(std::span(first_row)), 0, tag_first);
    if (inner() > 0)
      plane_to(from_below, inner() - 1);
    else
      mail->receive(std::as_writable_bytes(std::span(from_below)), comm.rank() - 1, tag_up);
    const Index k = eq.count - 1;
    for_rows(0, eq.modes_j, [&](Index j) {
      row.close(f + j * sj + k * sk, from_below.data() + j * n, first_row.data() + j * n,
                closing.data() + j * eq.modes_i, lower(k), upper(k), eq.modes_i, wide);
    });
    plane_to(corner, k);
  }
  if (mail) mail->wait_all();
  comm.broadcast(std::as_writable_bytes(std::span(corner)), end_rank);
  for_rows(0, eq.modes_j, [&](Index j) {
    for (Index k = 0; k < inner(); ++k)
      row.add(f + j * sj + k * sk, returns.data() + (k * eq.modes_j + j) * eq.modes_i,
              corner.data() + j * n, eq.modes_i, wide);
  });
}

template <class T>
Columns<T>::Columns(const ColumnEquations& equations, const comm::Communicator& comm, Cpu exec)
    : state_(std::make_unique<State>(equations, comm, exec))
{}

template <class T>
Columns<T>::~Columns() = default;
template <class T>
Columns<T>::Columns(Columns&&) noexcept = default;
template <class T>
Columns<T>& Columns<T>::operator=(Columns&&) noexcept = default;

template <class T>
void Columns<T>::solve(T* f, Index sj, Index sk)
{
  state_->sweep(f, sj, sk, state_->eq.complex_values);
  if (state_->eq.periodic) state_->close(f, sj, sk);
}

template <class T>
std::size_t Columns<T>::bytes() const
{
  return (state_->pivots.size() + state_->returns.size() + state_->closing.size() +
          6 * state_->corner.size()) *
         sizeof(T);
}

template class Columns<float>;
template class Columns<double>;

}  // namespace helicity::fft
