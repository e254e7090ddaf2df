// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever datagrams reach the address where a daemon takes announcements: the daemon does not
// crash, and answers a datagram with at most one of about the same size. It believes no peer that
// does not receive its answers, and the encoder writes back what the decoder accepts. The input is
// a sequence of datagrams, each after two bytes of length; a third byte says whether the right echo
// is put in, so that the fuzzer need not guess it.
#include <algorithm>
#include <cstring>

#include "daemon/transport/address_exchange.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge::transport;
namespace protocol = selvedge::protocol;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  AddressExchange daemon({1, 2});
  VerbsAddress own;
  own.queues = {{17}, {18}, {19}};
  own.gids = {Gid{1}};
  daemon.set_own_address(own);
  protocol::PeerAddress from;
  from.bytes[0] = std::byte{2};
  protocol::TimeNs now = protocol::kSecond;
  std::uint64_t nonce = 0;  // the daemon's nonce for `from`
  for (std::size_t at = 0; at + 3 <= size;) {
    const std::size_t length = std::min<std::size_t>(data[at] << 8 | data[at + 1], size - at - 3);
    const bool echo = (data[at + 2] & 1) != 0;
    now += (protocol::TimeNs{data[at + 2]} >> 1) * protocol::kMillisecond;
    at += 3;
    std::vector<std::byte> datagram(length);
    if (length != 0) std::memcpy(datagram.data(), data + at, length);
    at += length;
    if (const auto said = decode_announcement(datagram)) {
      if (encode(*said) != datagram) die("another announcement");
      if (echo && nonce != 0) protocol::put64(datagram.data() + 16, nonce);
    }
    const auto received = daemon.on_datagram(now, from, datagram);
    if (received.answer.size() > kAnnouncementBytesMax) die("a long answer");
    if (!received.answer.empty()) {
      const auto answer = decode_announcement(received.answer);
      if (!answer) die("an answer that is none");
      nonce = answer->nonce;
    }
    if (received.updated != nullptr && !echo) {
      // The daemon believed the datagram, so it must contain the daemon's nonce as its echo.
      const auto said = decode_announcement(datagram);
      if (!said || said->echo == 0) die("believed without a proof");
    }
    if (daemon.peers() > 1) die("a peer from nowhere");
    daemon.tick(now, [](const protocol::PeerAddress&, protocol::Bytes bytes) {
      if (!decode_announcement(bytes)) die("a question that is none");
    });
  }
  return 0;
}
