// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/exchange.hpp>
#include <helicity/comm/halo.hpp>
#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace helicity::comm {
namespace {

bool is_direction(Index3 d)
{
  for (int x = 0; x < 3; ++x)
    if (d[x] < -1 || d[x] > 1) return false;
  return d != Index3{};
}

/// Part of [0, n) that goes towards a side, `width` deep.
std::pair<Index, Index> sent(Index n, Index width, Index side)
{
  if (side == 0) return {0, n};
  return side > 0 ? std::pair(n - width, n) : std::pair<Index, Index>(0, width);
}

/// Part beyond [0, n) that what came from the opposite side fills.
std::pair<Index, Index> received(Index n, Index width, Index side)
{
  if (side == 0) return {0, n};
  return side > 0 ? std::pair<Index, Index>(-width, 0) : std::pair(n, n + width);
}

}  // namespace

struct HaloExchange::State : detail::Exchange
{
  using Exchange::Exchange;
};

HaloExchange::HaloExchange(Communicator comm, Decomposition decomposition, Executor executor,
                           Transport transport)
    : state_(std::make_unique<State>(std::move(comm), decomposition, executor, transport))
{}
HaloExchange::~HaloExchange() = default;
HaloExchange::HaloExchange(HaloExchange&&) noexcept = default;
HaloExchange& HaloExchange::operator=(HaloExchange&&) noexcept = default;

void HaloExchange::add(const HaloPiece& piece)
{
  if (!is_direction(piece.direction)) throw UsageError("a halo piece needs a direction");
  if (piece.send.size() != piece.receive.size())
    throw UsageError("a halo piece sends and receives boxes of different sizes");
  if (piece.element_bytes != 2 && piece.element_bytes != 4 && piece.element_bytes != 8)
    throw UsageError(fmt::format("halos of elements of {} bytes", piece.element_bytes));
  state_->add(piece);
}

void HaloExchange::add_halo(std::byte* origin, int element_bytes, Index sj, Index sk,
                            const grid::FieldShape& shape, Index3 width)
{
  state_->check_halo(shape, width);
  HaloPiece piece{.origin = origin, .element_bytes = element_bytes, .sj = sj, .sk = sk};
  for (int n = 0; n < 27; ++n) {
    const Index3 d{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    bool wanted = d != Index3{};
    for (int x = 0; x < 3; ++x) {
      wanted = wanted && (d[x] == 0 || width[x] > 0);
      std::tie(piece.send.lo[x], piece.send.hi[x]) = sent(shape.cells[x], width[x], d[x]);
      std::tie(piece.receive.lo[x], piece.receive.hi[x]) = received(shape.cells[x], width[x], d[x]);
    }
    piece.direction = d;
    if (wanted) add(piece);
  }
}

void HaloExchange::commit() { state_->commit(); }

HaloExchange::Flight HaloExchange::start()
{
  state_->start();
  return Flight(this);
}

void HaloExchange::finish() { state_->finish(); }
HaloTraffic HaloExchange::traffic() const { return state_->traffic(); }
Transport HaloExchange::transport() const { return state_->transport(); }

}  // namespace helicity::comm
