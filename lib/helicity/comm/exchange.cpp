// SPDX-License-Identifier: Apache-2.0
#include <helicity/comm/detail/access.hpp>
#include <helicity/comm/detail/exchange.hpp>
#include <helicity/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace helicity::comm::detail {
namespace {

constexpr std::size_t alignment = 64;  // of each segment in a buffer

std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

int number_of(Index3 d) { return static_cast<int>(d.i + 1 + 3 * (d.j + 1) + 9 * (d.k + 1)); }

Index3 opposite(Index3 d) { return Index3{} - d; }

}  // namespace

Exchange::Exchange(Communicator comm, Decomposition decomposition, Executor executor,
                   Transport transport)
    : comm_(std::move(comm)),
      decomposition_(decomposition),
      executor_(executor),
      transport_(transport)
{
  if (decomposition_.size() != comm_.size())
    throw UsageError(fmt::format("a decomposition for {} ranks, used by {}", decomposition_.size(),
                                 comm_.size()));
  const bool on_device = std::holds_alternative<Cuda>(executor_);
  if (on_device == (transport_ == Transport::host))
    throw UsageError(fmt::format("halos of a {} do not travel by transport \"{}\"",
                                 on_device ? "CUDA device" : "CPU", to_string(transport_)));
}

void Exchange::add(const HaloPiece& piece)
{
  if (committed_) throw UsageError("a halo piece after commit()");
  const int to = decomposition_.neighbour(comm_.rank(), piece.direction);
  const int from = decomposition_.neighbour(comm_.rank(), opposite(piece.direction));
  const int direction = number_of(piece.direction);
  Segment segment{.origin = piece.origin,
                  .sj = piece.sj,
                  .sk = piece.sk,
                  .box = piece.send,
                  .element_bytes = piece.element_bytes};
  if (to >= 0) sends_.push_back({.peer = to, .direction = direction, .segment = segment});
  segment.box = piece.receive;
  if (from >= 0) receives_.push_back({.peer = from, .direction = direction, .segment = segment});
}

void Exchange::check_halo(const grid::FieldShape& shape, Index3 width) const
{
  const Index3 cells = decomposition_.box(comm_.rank()).size();
  if (shape.cells != cells)
    throw UsageError(fmt::format("a field of {} x {} x {} cells on a rank that owns {} x {} x {}",
                                 shape.cells.i, shape.cells.j, shape.cells.k, cells.i, cells.j,
                                 cells.k));
  for (int x = 0; x < 3; ++x) {
    if (width[x] < 0 || width[x] > shape.halo[x])
      throw UsageError(
          fmt::format("a halo exchange of {} cells along axis {} of a field whose halo "
                      "has {}",
                      width[x], x, shape.halo[x]));
    const Index least = decomposition_.cells()[x] / decomposition_.ranks()[x];
    const bool alone = decomposition_.ranks()[x] == 1 && !decomposition_.periodic(x);
    if (width[x] > least && !alone)
      throw UsageError(
          fmt::format("a halo exchange of {} cells along axis {}, where a rank owns "
                      "{}: use fewer ranks",
                      width[x], x, least));
  }
}

std::vector<Exchange::Range> Exchange::lay_out(std::vector<Part>& parts) const
{
  const int self = comm_.rank();
  const auto order = [&](const Part& p) { return std::tuple(p.peer == self, p.peer, p.direction); };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const Part& a, const Part& b) { return order(a) < order(b); });
  std::vector<Range> ranges;
  std::size_t end = 0;
  for (Part& part : parts) {
    if (ranges.empty() || ranges.back().peer != part.peer)
      ranges.push_back({.peer = part.peer, .first = end});
    part.offset = end;
    end += rounded(part.segment.bytes());
    ranges.back().bytes = end - ranges.back().first;
  }
  return ranges;
}

void Exchange::check_peers(const std::vector<Range>& sends,
                           const std::vector<Range>& receives) const
{
  Messages messages;
  const int tag = Access::next_tag(comm_);
  std::vector<std::uint64_t> sizes(receives.size()), own(sends.size());
  bool wrong = false;
  for (std::size_t n = 0; n < receives.size(); ++n)
    if (receives[n].peer != comm_.rank())
      messages.add_receive(comm_, receives[n].peer, tag, reinterpret_cast<std::byte*>(&sizes[n]),
                           sizeof sizes[n]);
    else
      sizes[n] = receives[n].bytes;
  for (std::size_t n = 0; n < sends.size(); ++n) {
    own[n] = sends[n].bytes;
    if (sends[n].peer != comm_.rank())
      messages.add_send(comm_, sends[n].peer, tag, reinterpret_cast<const std::byte*>(&own[n]),
                        sizeof own[n]);
  }
  messages.start_receives();
  messages.start_sends();
  messages.wait();
  for (std::size_t n = 0; n < receives.size(); ++n) wrong = wrong || sizes[n] != receives[n].bytes;
  if (comm_.any(wrong)) throw UsageError("the halo pieces of two ranks do not match");
}

void Exchange::make_buffers(std::size_t send_bytes, std::size_t receive_bytes)
{
  if (const auto* cuda = std::get_if<Cuda>(&executor_)) {
    send_ = Buffer<std::byte>(MemoryKind::device, send_bytes, *cuda);
    receive_ = Buffer<std::byte>(MemoryKind::device, receive_bytes, *cuda);
    fill_bytes(send_.data(), 0, send_bytes, *cuda);  // the gaps travel too
    packed_.emplace(cuda->device_id);
    if (transport_ == Transport::staged) {
      staged_send_ = Buffer<std::byte>(MemoryKind::pinned, remote_sent_, *cuda);
      staged_receive_ = Buffer<std::byte>(MemoryKind::pinned, remote_received_, *cuda);
    }
    return;
  }
  send_ = Buffer<std::byte>(MemoryKind::host, send_bytes);
  receive_ = Buffer<std::byte>(MemoryKind::host, receive_bytes);
  std::fill(send_.span().begin(), send_.span().end(), std::byte{0});
}

void Exchange::make_requests(const std::vector<Range>& sends, const std::vector<Range>& receives)
{
  const bool staged = transport_ == Transport::staged;
  const std::byte* const from = staged ? staged_send_.data() : send_.data();
  std::byte* const to = staged ? staged_receive_.data() : receive_.data();
  const int tag = Access::next_tag(comm_);
  for (const Range& r : receives)
    if (r.peer != comm_.rank()) messages_.add_receive(comm_, r.peer, tag, to + r.first, r.bytes);
  for (const Range& s : sends)
    if (s.peer != comm_.rank()) messages_.add_send(comm_, s.peer, tag, from + s.first, s.bytes);
}

std::vector<Segment> Exchange::segments_of(const std::vector<Part>& parts, bool receiving)
{
  std::vector<Segment> segments;
  for (const Part& part : parts) {
    Segment segment = part.segment;
    const bool local = part.peer == comm_.rank();
    if (receiving && local)
      segment.packed = send_.data() + remote_sent_ + (part.offset - remote_received_);
    else
      segment.packed = (receiving ? receive_.data() : send_.data()) + part.offset;
    if (!segment.box.empty()) segments.push_back(segment);
  }
  return segments;
}

void Exchange::count(const std::vector<Range>& sends)
{
  for (const Range& s : sends) {
    if (s.peer == comm_.rank() || s.bytes == 0) continue;
    ++traffic_.messages;
  }
  for (const Part& part : sends_)
    (part.peer == comm_.rank() ? traffic_.bytes_local : traffic_.bytes_sent) +=
        part.segment.bytes();
}

void Exchange::commit()
{
  if (committed_) throw UsageError("commit() twice");
  const auto sends = lay_out(sends_), receives = lay_out(receives_);
  const auto remote = [&](const std::vector<Range>& ranges) {
    std::size_t bytes = 0;
    for (const Range& r : ranges) bytes += r.peer == comm_.rank() ? 0 : r.bytes;
    return bytes;
  };
  const auto total = [](const std::vector<Range>& ranges) {
    return ranges.empty() ? 0 : ranges.back().first + ranges.back().bytes;
  };
  check_peers(sends, receives);
  remote_sent_ = remote(sends);
  remote_received_ = remote(receives);
  make_buffers(total(sends), remote_received_);
  make_requests(sends, receives);
  std::visit(
      [&](auto exec) {
        pack_ = make_plan(exec, segments_of(sends_, false));
        unpack_ = make_plan(exec, segments_of(receives_, true));
      },
      executor_);
  count(sends);
  committed_ = true;
}

void Exchange::pack_here()
{
  const auto* cuda = std::get_if<Cuda>(&executor_);
  if (cuda == nullptr) return pack(std::get<Cpu>(executor_), pack_);
  pack(*cuda, pack_);
  if (messages_.empty()) return;  // nothing for the host to wait for
  if (transport_ == Transport::staged)
    copy_bytes(staged_send_.data(), send_.data(), remote_sent_, *cuda);
  packed_->record(cuda->stream);
  packed_->synchronize();
}

void Exchange::unpack_here()
{
  const auto* cuda = std::get_if<Cuda>(&executor_);
  if (cuda == nullptr) return unpack(std::get<Cpu>(executor_), unpack_);
  if (transport_ == Transport::staged && remote_received_ > 0)
    copy_bytes(receive_.data(), staged_receive_.data(), remote_received_, *cuda);
  unpack(*cuda, unpack_);
}

void Exchange::start()
{
  if (!committed_) throw UsageError("a halo exchange starts before commit()");
  if (running_) throw UsageError("a halo exchange starts while it runs");
  const bool early = std::holds_alternative<Cpu>(executor_);
  if (early) messages_.start_receives();  // else unpacking may still read what they fill
  pack_here();
  if (!early) messages_.start_receives();
  messages_.start_sends();
  running_ = true;
}

void Exchange::finish()
{
  if (!running_) return;
  running_ = false;
  messages_.wait();
  unpack_here();
}

}  // namespace helicity::comm::detail
