// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever datagrams come, an endpoint with an open connection does not crash and delivers only
// what its peer sent. The encoders write back byte for byte what the decoders accept. The input is
// a sequence of datagrams, each after two bytes of length. The first byte of each says whether the
// connection's number and token are put in, so that the fuzzer need not guess them.
#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "daemon/protocol/clear.hpp"
#include "daemon/protocol/endpoint.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge::protocol;

/// In the clear, a packet comes back as it was, and no other datagram of this version gets through.
void clear(const std::vector<std::byte>& datagram) {
  std::vector<std::byte> received = datagram;
  const Bytes opened = open_clear(received);
  if (!has_crc(datagram)) {
    if (opened.size() != datagram.size()) die("a datagram of another version is cut");
    return;
  }
  if (!opened.empty() && opened.size() + kCrcBytes != datagram.size()) die("another length");
  std::vector<std::byte> sent(datagram.begin(), datagram.begin() + kHeaderBytes);
  sent.resize(kClearHeadBytes);
  put_crc(sent.data(), Bytes{datagram}.subspan(kHeaderBytes));
  sent.insert(sent.end(), datagram.begin() + kHeaderBytes, datagram.end());
  if (!std::ranges::equal(open_clear(sent), datagram)) die("the packet does not come back");
}

void round_trip(Bytes datagram) {
  Header h;
  if (decode(datagram, h) != Decoded::kGood) return;
  const Bytes payload = datagram.subspan(kHeaderBytes);
  std::vector<std::byte> again(kControlBytesMax);
  encode(h, again.data());
  if (std::memcmp(again.data(), datagram.data(), kHeaderBytes) != 0) die("another header");
  if (const auto o = decode_handshake(payload)) {
    const std::size_t size = encode(*o, again.data());
    if (size != payload.size() || std::memcmp(again.data(), payload.data(), size) != 0)
      die("another opening");
  }
  Report r;
  if (decode(payload, r)) {
    const std::size_t size = encode(r, again.data());
    if (size != payload.size() || std::memcmp(again.data(), payload.data(), size) != 0)
      die("another report");
  }
}

struct Transmit {
  std::deque<std::vector<std::byte>>* to;
  void control(const PeerAddress&, PeerLayout, std::uint8_t, Bytes datagram) {
    if (to) to->emplace_back(datagram.begin(), datagram.end());
  }
  void data(const Connection&, const Burst& burst) {
    for (unsigned i = 0; i < burst.count; ++i)
      if (burst.packets[i].data == nullptr) die("a packet without bytes");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  EndpointConfig config;
  config.payload_bytes = kPayloadBytesMin;
  config.window_packets = config.sender.window_packets = 64;
  config.sender.in_flight_packets = 32;
  config.memory_bytes = 16 * kPayloadBytesMin;
  config.memory_bytes_per_connection = 8 * kPayloadBytesMin;
  config.secret = {1, 2};
  Endpoint a(config);
  config.secret = {3, 4};
  Endpoint b(config);
  b.listen("x");
  TimeNs now = kSecond;
  const auto id = a.connect(now, {}, "x");
  const auto sink = [](ConnectionId, Bytes, std::uint8_t) { return true; };
  std::deque<std::vector<std::byte>> to_a, to_b;
  for (int i = 0; i < 4; ++i, now += 1'000) {
    a.flush(now, true, Transmit{&to_b});
    for (; !to_b.empty(); to_b.pop_front()) b.on_datagram(now, {}, to_b.front(), sink);
    b.flush(now, true, Transmit{&to_a});
    for (; !to_a.empty(); to_a.pop_front()) a.on_datagram(now, {}, to_a.front(), sink);
  }
  if (a.find(*id) == nullptr || a.find(*id)->state() != Connection::State::kOpen)
    die("did not open");
  static const std::array<std::byte, kPayloadBytesMin> bytes{};
  for (int i = 0; i < 40; ++i) a.find(*id)->sender().push(bytes.data(), kPayloadBytesMin, 3);
  a.mark_ready(*id);

  for (std::size_t at = 0; at + 3 <= size;) {
    const std::size_t length = std::min<std::size_t>(data[at] << 8 | data[at + 1], size - at - 3);
    const bool known = (data[at + 2] & 1) != 0;
    now += (TimeNs{data[at + 2]} >> 1) * 100'000;
    at += 3;
    std::vector<std::byte> datagram(length);
    if (length != 0) std::memcpy(datagram.data(), data + at, length);
    at += length;
    clear(datagram);
    round_trip(datagram);
    if (const Connection* c = a.find(*id); c && known && length >= kHeaderBytes) {
      Header h;
      if (decode(datagram, h) == Decoded::kGood) {
        h.connection = *id;
        h.token = c->token();
        // Sequence numbers near the expected ones: the endpoint would drop any others.
        h.ack += c->sender().acknowledged();
        if (h.kind == Kind::kData || h.kind == Kind::kClose)
          h.sequence += c->receiver() ? c->receiver()->expected() : 0;
        encode(h, datagram.data());
      }
    }
    a.on_datagram(now, {}, datagram, sink);
    a.on_timer(now);
    a.flush(now, true, Transmit{nullptr});
    if (a.pool().used() > a.pool().slots()) die("more memory than there is");
    if (const Connection* c = a.find(*id)) {
      const Sender& s = c->sender();
      if (s.in_flight() > 32) die("more on the way than allowed");
      if (distance(s.acknowledged(), s.next()) < 0) die("acknowledged beyond the end");
      std::uint32_t outstanding = 0;
      for (unsigned p = 0; p < s.paths().size(); ++p) outstanding += s.paths()[p].outstanding;
      if (outstanding != s.in_flight()) die("the paths' accounts differ from the sender's");
    }
    a.take_events();
  }
  return 0;
}
