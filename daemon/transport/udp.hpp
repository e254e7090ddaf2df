// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Udp is the transport over UDP sockets. Path i leads from this daemon's port listen + i to the
// peer's port listen + i. So switches that hash flows by port (ECMP) spread the paths. If the peer
// has only n paths, path i leads to its port listen + (i mod n).
//
// Packets to one peer over one path are sent by one system call if the kernel can segment them
// (UDP_SEGMENT, probed at the start, and switched off when a call fails), those of several
// connections too. They are received by one call if the kernel can join them (UDP_GRO). No function
// blocks: poll() reads only datagrams that have arrived.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/transport/address.hpp"
#include "daemon/transport/burst_writer.hpp"

namespace selvedge::transport {

struct UdpConfig {
  std::string listen = "127.0.0.1:47001";  ///< ADDRESS:PORT or [ADDRESS]:PORT, of path 0
  unsigned paths = protocol::kPathsDefault;
  std::size_t socket_bytes = 4 << 20;  ///< of a socket's send buffer, and of its receive buffer
  bool segmentation = true;            ///< use UDP_SEGMENT and UDP_GRO where the kernel has them
  /// With several workers each has sockets of its own at the same ports (steering.hpp). They are
  /// constructed in the order of their numbers.
  protocol::Shard shard = {};
  ImpairConfig impair = {};
};

class Udp final : public BurstWriter {
 public:
  /// Binds all ports. Throws InputError for a wrong address, EnvironmentError if the system
  /// refuses.
  explicit Udp(const UdpConfig& config, std::unique_ptr<protocol::Seal> seal = nullptr);
  ~Udp();
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;

  /// Reads waiting datagrams, about `packets` at most, and returns their number; 0 only if none
  /// waits. on_datagram:
  /// void(const PeerAddress& from, Bytes datagram), `from` being the address of the peer's path 0.
  template <class F>
  std::uint32_t poll(std::uint32_t packets, F&& on_datagram) {
    std::uint32_t count = 0;
    while (count < packets) {
      // One epoll call finds the readable sockets, which saves a failing read of each other socket.
      const std::uint32_t before = count;
      const unsigned ready = ready_sockets();
      for (unsigned n = 0; n < ready; ++n) {
        const Received r = receive(ready_[n]);
        seen_ = r.seen;
        protocol::PeerAddress from;
        bool known = false;
        for (std::size_t at = 0; at < r.bytes.size(); at += r.segment) {
          const protocol::MutableBytes whole =
              r.bytes.subspan(at, std::min(r.segment, r.bytes.size() - at));
          ++count;
          if (is_for_other(pack(from_, 0), whole)) continue;
          const protocol::Bytes datagram = unsealed(whole);
          if (datagram.empty()) continue;
          // All datagrams of one read have the same source port, and so the same path.
          if (!known) from = origin(from_, datagram);
          known = true;
          on_datagram(from, datagram);
        }
      }
      if (ready == 0) break;
      // Where packets come one by one, the caller's next turn is soon enough for the next one.
      const std::uint32_t few = std::min<std::uint32_t>(kFewPackets, sockets_.size() - 1);
      if (count != before && count - before <= few) break;
    }
    counters_.received_packets += count;
    return count;
  }

  /// Opens what another worker has handed over (on_sealed_for_other()). from: the address of the
  /// socket that sent it; becomes that of the peer's path 0.
  protocol::Bytes open_handed_over(protocol::PeerAddress& from, protocol::MutableBytes datagram);

  /// Sends delayed packets (impair.hpp) that are due; `now` serves no other purpose.
  void tick(protocol::TimeNs now) { release_delayed(now); }

  void hold(bool on) override;

  /// The sockets, one for each path.
  const std::vector<int>& descriptors() const { return sockets_; }
  const protocol::PeerAddress& address() const { return own_; }
  /// How many bytes of packets the sockets' queues hold. The system counts memory, of which a
  /// packet takes up to four times its length; it may grant less than socket_bytes.
  std::size_t receive_bytes() const;
  /// How the datagram that poll() handles has arrived.
  const protocol::Seen& seen() const { return seen_; }
  bool gso() const { return gso_; }
  bool gro() const { return gro_; }
  const TransportCounters& counters() const { return counters_; }

 private:
  /// poll() does not look again after it has read so few, or one less than there are sockets.
  static constexpr std::uint32_t kFewPackets = 2;
  struct Received {
    protocol::MutableBytes bytes;
    std::size_t segment = 1;
    protocol::Seen seen = {};
  };

  /// Binds a socket of one path; false: the system refuses, and errno says why.
  static bool bind_path(int socket, const sockaddr_storage& address, socklen_t size,
                        const protocol::Shard& shard);
  unsigned ready_sockets();
  Received receive(int socket);
  static protocol::PeerAddress origin(const sockaddr_storage& from, protocol::Bytes datagram);
  /// What one system call will send over one path: packets as long as the first one, only the last
  /// may be shorter.
  struct Run {
    protocol::PeerAddress to;
    protocol::PeerLayout peer;
    std::uint8_t path = 0;
    std::vector<Item> items;
    std::size_t bytes = 0;
    std::vector<std::byte> copies;  // of what does not stay

    bool takes(const protocol::PeerAddress& other, protocol::PeerLayout layout, std::uint8_t by,
               std::size_t more) const;
    /// Copies what of the last packet does not stay. False: that is too much, and it must leave
    /// now.
    bool keep_last();
  };

  void send_items(const protocol::PeerAddress& to, protocol::PeerLayout peer, std::uint8_t path,
                  const Item* items, unsigned count) override;
  void send_run(std::size_t path);
  bool send_packets(int socket, const sockaddr_storage& to, socklen_t size, const Item* items,
                    std::size_t count);

  std::vector<int> sockets_;
  std::vector<Run> runs_;  // one for each socket
  protocol::PeerAddress own_;
  bool gso_ = false, gro_ = false, holds_ = false;
  int epoll_ = -1;
  std::array<int, protocol::kPathsMax> ready_{};
  sockaddr_storage from_{};
  protocol::Seen seen_;
  std::vector<std::byte> buffer_;
  TransportCounters counters_;
};

}  // namespace selvedge::transport
