// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One HCA: its rearrange memory, its ends of connections, which of them have something to send, and
// the message of its application that is next.
//
//   application ─ pending ─▶ ends ─▶ ready (by turns, a burst each) ─▶ burst ─▶ link
//
// The protocol sees payloads as references. They are made to identify the packet: offset o of a
// block of zeros stands for a number modulo kIdentities. So what is delivered can be compared with
// what was sent, though no bytes are stored.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <memory>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/deadlines.hpp"
#include "daemon/protocol/growing_ring.hpp"
#include "sim/hca/application.hpp"
#include "sim/hca/piece.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// One end of a connection.
struct ConnectionEnd {
  ConnectionEnd(protocol::SlotPool& pool, protocol::Connection::Setup setup,
                const protocol::Handshake& peer_setup, protocol::TimeNs now)
      : connection(pool, std::move(setup), peer_setup, now) {}

  ConnectionEnd* other = nullptr;
  std::uint32_t number = 0;  // in Adapter::ends
  HostId peer = kNoHost;
  protocol::Sequence first = 0;
  // Of what is sent from here, in packets: given to the protocol, sent at least once, delivered to
  // the peer's application.
  std::uint32_t pushed = 0, sent = 0, delivered = 0;
  protocol::GrowingRing<Piece> pieces;  // of the packets pushed and not acknowledged
  bool listed = false;                  // in Adapter::ready
  // Whether packets are unacknowledged, and whether injection is limited, both since state_since.
  bool busy = false, limited = false;
  Tick state_since = 0;
  protocol::TimeNs timer = protocol::kNever;  // what Adapter::deadlines keeps
  protocol::Connection connection;

  void prefetch() const {
    prefetch_line(this);
    connection.prefetch();
  }
  /// What a delivery needs of the end that sent it.
  void prefetch_sent() const { prefetch_line(this); }
};

struct Adapter : Application {
  Adapter(std::size_t memory_bytes, unsigned payload_bytes)
      : pool(memory_bytes, payload_bytes, protocol::PayloadStorage::kReferences) {}

  protocol::SlotPool pool;
  std::vector<std::unique_ptr<ConnectionEnd>> ends;
  boost::unordered_flat_map<HostId, ConnectionEnd*> end_to;
  protocol::Deadlines deadlines;
  std::deque<ConnectionEnd*> ready;
  std::vector<Message> burst;            // packets that the protocol sends one after the other
  std::size_t burst_sent = 0;            // how many of them the link has
  ConnectionEnd* pending_end = nullptr;  // that `pending` goes to, if it exists
  bool pending_fetched = false;          // what its connection points to has been prefetched
  std::uint32_t used = 0;                // slots of the pool, since used_since
  Tick used_since = 0;
  double used_slot_ticks = 0;  // their integral until then

  void list(ConnectionEnd& end) {
    if (end.listed) return;
    end.listed = true;
    ready.push_back(&end);
  }
  /// `end` wants to be handled when its connection's deadline comes, if not before.
  void set_timer(ConnectionEnd& end) {
    const protocol::TimeNs at = end.connection.deadline();
    if (at >= end.timer) return;
    end.timer = at;
    deadlines.set(end.number, at);
  }
};

inline constexpr std::uint32_t kIdentities = 1u << 14;
static_assert(kIdentities >= 4 * protocol::kWindowPacketsMax);

/// What stands for the payload of packet `number` from one host to another.
const std::byte* identity_of(HostId from, HostId to, std::uint32_t number);

}  // namespace selvedge::sim
