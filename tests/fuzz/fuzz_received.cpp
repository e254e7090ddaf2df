// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever records the daemon, or the peer through it, puts into the ring of received packets, no
// call of libselvedge that receives reads outside the ring or writes outside its buffer. The input
// is a sequence of steps: a record with any flags and bytes, or one of the calls.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "daemon/client/connection.hpp"
#include "daemon/service/session.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge;

constexpr std::size_t kRoom = 300;

/// The bytes behind a buffer's end stay as they are, and no length exceeds the buffer.
void check(ssize_t got, const std::vector<char>& buffer) {
  if (got > static_cast<ssize_t>(kRoom)) die("a length that exceeds the buffer");
  if (std::any_of(buffer.begin() + kRoom, buffer.end(), [](char c) { return c != 'x'; }))
    die("written behind the buffer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) return 0;
  auto session = service::Session::make(1, -1, ring::kRingBytesMin);
  if (!session) die("no session");
  session->set_state(ring::State::kOpen, protocol::Error::kNone);
  {
    selvedge_connection c(ring::Segment::map(session->segment_fd()),
                          client::Descriptor(dup(session->application_eventfd())),
                          client::Descriptor(dup(session->daemon_eventfd())),
                          std::make_shared<client::Descriptor>(fds[0]),
                          client::Opened{size % 2 == 0 ? ring::kHeads : 0, "127.0.0.1:1", -1});
    unsigned borrowed = 0;
    for (std::size_t at = 0; at + 2 <= size;) {
      const std::uint8_t what = data[at], n = data[at + 1];
      at += 2;
      std::vector<char> buffer(kRoom + 64, 'x');
      const iovec parts[2] = {{buffer.data(), 100}, {buffer.data() + 100, kRoom - 100}};
      std::uint64_t tag = 0;
      std::size_t length = 0;
      switch (what % 8) {
        case 0:
        case 1: {
          const std::size_t bytes = std::min<std::size_t>(n, size - at);
          session->deliver({reinterpret_cast<const std::byte*>(data + at), bytes}, what / 8);
          session->publish();
          at += bytes;
          break;
        }
        case 2:
          check(selvedge_receive(&c, buffer.data(), kRoom, &length, 0), buffer);
          break;
        case 3:
          check(selvedge_receivev(&c, parts, 2, &tag, &length, 0), buffer);
          break;
        case 4:
          check(selvedge_read(&c, buffer.data(), std::min<std::size_t>(n, kRoom), 0), buffer);
          break;
        case 5: {
          selvedge_piece piece{};
          if (selvedge_borrow(&c, &piece, 0) == 0) {
            ++borrowed;
            if (piece.length > 255) die("a piece that is too long");
            buffer.assign(static_cast<const char*>(piece.bytes),
                          static_cast<const char*>(piece.bytes) + piece.length);
          }
          if (n % 2 == 0 && selvedge_return(&c, borrowed) == 0) borrowed = 0;
          break;
        }
        case 6:
          selvedge_peek(&c, &tag, &length, 0);
          selvedge_poll(&c, SELVEDGE_MESSAGE | SELVEDGE_BYTES | SELVEDGE_COMPLETION);
          break;
        default: {
          selvedge_completion done{};
          if (selvedge_receive_start(&c, parts, 2, nullptr) != 0) break;
          // The buffer ends here, so the receive must too.
          session->set_state(ring::State::kClosed, protocol::Error::kPeerSilent);
          if (selvedge_complete(&c, &done, 1, 0) != 1) die("a started receive is forgotten");
          if (done.error == 0) check(static_cast<ssize_t>(done.length), buffer);
          at = size;
          break;
        }
      }
    }
  }
  close(fds[1]);
  return 0;
}
