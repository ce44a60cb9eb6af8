// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <helicity/comm/detail/messages.hpp>
#include <helicity/comm/detail/pack.hpp>
#include <helicity/comm/halo.hpp>
#include <helicity/core/buffer.hpp>
#include <helicity/core/stream.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace helicity::comm::detail {

/// What a HaloExchange does.
///
/// Bytes lie in a buffer of what is sent and one of what is received, one part per neighbouring
/// rank, ascending. In a part are the segments by their direction, -1 before +1, k the slowest, and
/// among those of one direction as they were added: so both ends of a message agree on it. What
/// stays on this rank lies at the end of the buffer of what is sent, and is unpacked from there.
class Exchange
{
 public:
  Exchange(Communicator comm, Decomposition decomposition, Executor executor, Transport transport);

  void add(const HaloPiece& piece);
  void check_halo(const grid::FieldShape& shape, Index3 width) const;
  void commit();
  void start();
  void finish();

  HaloTraffic traffic() const { return traffic_; }
  Transport transport() const { return transport_; }

 private:
  /// A box, the rank that its cells go to or come from, and where they lie in the buffer.
  struct Part
  {
    int peer = 0;
    int direction = 0;  // 0 to 26
    Segment segment;
    std::size_t offset = 0;
  };

  /// Bytes of a buffer that travel to or from one rank.
  struct Range
  {
    int peer = 0;
    std::size_t first = 0, bytes = 0;
  };

  std::vector<Range> lay_out(std::vector<Part>& parts) const;
  void check_peers(const std::vector<Range>& sends, const std::vector<Range>& receives) const;
  void make_buffers(std::size_t send_bytes, std::size_t receive_bytes);
  void make_requests(const std::vector<Range>& sends, const std::vector<Range>& receives);
  std::vector<Segment> segments_of(const std::vector<Part>& parts, bool receiving);
  void count(const std::vector<Range>& sends);
  void pack_here();
  void unpack_here();

  Communicator comm_;
  Decomposition decomposition_;
  Executor executor_;
  Transport transport_;
  std::vector<Part> sends_, receives_;
  std::size_t remote_sent_ = 0, remote_received_ = 0;  // bytes before what stays here
  Buffer<std::byte> send_, receive_;                   // where cells are packed
  Buffer<std::byte> staged_send_, staged_receive_;     // pinned copies
  PackPlan pack_, unpack_;
  std::optional<Event> packed_;
  Messages messages_;  // ends before the buffers do
  HaloTraffic traffic_;
  bool committed_ = false, running_ = false;
};

}  // namespace helicity::comm::detail
