// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever an application writes to the memory that it shares with the daemon, the daemon reads and
// writes nothing outside this memory, and its own state stays valid. The input is a sequence of
// steps. Each step writes one word somewhere, lets the daemon take what is in the ring, or lets it
// deliver something.
#include <unistd.h>

#include <cstring>

#include "daemon/service/session.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge;
using namespace selvedge::protocol;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SlotPool pool(16 * 256, 256);
  Connection::Setup setup;
  setup.own.token = 1;
  setup.own.payload_bytes = 256;
  setup.memory_slots = 8;
  setup.window_packets = setup.sender.window_packets = 64;
  setup.sender.in_flight_packets = 32;
  Handshake peer;
  peer.token = 2;
  setup.own.features = peer.features = size % 2 == 1 ? kHeads : 0;
  peer.payload_bytes = 256;
  TimeNs now = kSecond;
  Connection connection(pool, setup, peer, now);
  auto session = service::Session::make(1, -1, ring::kRingBytesMin);
  if (!session) return 0;
  const ring::Segment theirs = ring::Segment::map(session->segment_fd());
  if (!theirs) die("the segment cannot be mapped");
  const std::byte payload[256] = {};
  Burst burst;
  Sequence acknowledged = 0, arrived = 0;
  for (std::size_t at = 0; at + 10 <= size; at += 10) {
    const std::uint8_t what = data[at];
    std::uint64_t value;
    std::memcpy(&value, data + at + 2, sizeof value);
    switch (what % 8) {
      case 0:
        theirs.control().tx_tail = value;
        break;
      case 1:
        theirs.control().tx_tail += data[at + 1] * 8;
        break;
      case 2:
        theirs.control().rx_head = value;
        break;
      case 3:  // writes a word at any position: it may be a record's header
        std::memcpy(theirs.tx() + value / 256 % (ring::kRingBytesMin - 8), &value, 8);
        break;
      case 4:
        std::memcpy(theirs.tx() + data[at + 1] * 8u, &value, 8);
        break;
      case 5:
        theirs.control().closing = data[at + 1];
        break;
      case 6: {
        bool intact = true;
        session->pump(connection, now, &intact);
        session->publish();
        if (!intact) return 0;  // the daemon resets the connection
        unsigned sum = 0;
        while (connection.sender().next_burst(now, burst))
          for (unsigned i = 0; i < burst.count; ++i) {
            const Outgoing& p = burst.packets[i];
            if ((p.flags & kHeadOfMessage) != 0 &&
                (peer.features == 0 || (p.flags & kFirstOfMessage) == 0 ||
                 p.length < kMessageHeadBytes))
              die("a packet that the peer takes for a breach of the protocol");
            for (unsigned b = 0; b < burst.packets[i].length; ++b)
              sum += std::to_integer<unsigned>(burst.packets[i].data[b]);
          }
        // So that the compiler does not drop the reads.
        theirs.rx()[0] = static_cast<std::byte>(sum);
        break;
      }
      case 7: {
        Header h;
        h.sequence = arrived++;
        h.ack = acknowledged;
        h.window = 64;
        if (connection.sender().in_flight() != 0 && (what & 8) != 0) h.ack = ++acknowledged;
        connection.on_data(now, h, Bytes{payload, data[at + 1] + std::size_t{1}},
                           [&](Bytes p, std::uint8_t f) { return session->deliver(p, f); });
        if (connection.state() != Connection::State::kOpen) return 0;
        arrived = connection.receiver()->expected();
        break;
      }
    }
    if (pool.used() > 8) die("more memory than its share");
    now += 1'000;
  }
  return 0;
}
