// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Verbs is the transport of a worker over UD queue pairs of a verbs device, InfiniBand or RoCE.
// There is one queue pair for each path (ud_queue.hpp), and for each peer an address handle for
// each path (verbs_paths.hpp). A daemon's address is that of a UDP socket, over which daemons
// exchange their verbs addresses (address_exchange.hpp). So applications address a daemon in the
// same way with UDP and verbs. What the workers of a daemon share is in verbs_team.hpp.
//
// No function blocks. A packet that cannot be sent (unknown peer, no room, port down) is lost, as
// in a network, and the protocol retransmits it. When the port, its LID, its GIDs or the subnet
// manager change, the daemon announces its address again and makes all address handles again. A
// queue pair that fails is reset.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/transport/address.hpp"
#include "daemon/transport/address_exchange.hpp"
#include "daemon/transport/burst_writer.hpp"
#include "daemon/transport/cnp_counters.hpp"
#include "daemon/transport/ud_queue.hpp"
#include "daemon/transport/verbs_paths.hpp"
#include "daemon/transport/verbs_team.hpp"

namespace selvedge::transport {

struct VerbsConfig {
  std::string listen = "127.0.0.1:47001";  ///< UDP address for announcements (VerbsTeam)
  unsigned worker = 0;                     ///< below VerbsTeam::workers()
  unsigned paths = protocol::kPathsDefault;
  VerbsPortConfig port;
  ImpairConfig impair = {};
};

class Verbs final : public BurstWriter {
 public:
  struct Counters {
    std::uint64_t unknown_senders = 0;  ///< packets of queue pairs that no peer has announced
    std::uint64_t resets = 0;           ///< of queue pairs
    std::uint64_t port_changes = 0, subnet_changes = 0;
  };
  using Log = std::function<void(const std::string&)>;

  /// Throws EnvironmentError if there is no such device or the system refuses. log: called with a
  /// line at each change that concerns the operator, by worker 0 only.
  Verbs(const VerbsConfig& config, std::shared_ptr<VerbsTeam> team, Log log,
        std::unique_ptr<protocol::Seal> seal = nullptr);
  ~Verbs();

  /// Reads received packets, as Udp::poll().
  template <class F>
  std::uint32_t poll(std::uint32_t packets, F&& on_datagram) {
    std::uint32_t count = 0;
    while (count < packets) {
      const unsigned ready = take_received();
      for (unsigned i = 0; i < ready; ++i) {
        const Received r = received(completions_[i]);
        if (r.from != nullptr) {
          on_datagram(r.from->address, r.datagram);
          ++count;
        }
        release(completions_[i]);
      }
      if (ready < completions_.size()) break;
    }
    transport_counters_.received_packets += count;
    return count;
  }
  /// How the datagram that poll() handles has arrived. Over RoCE it is marked if its own IP header
  /// is, or if one of the port's counters has just risen (cnp_counters.hpp): some devices do not
  /// show the header as it was on the wire.
  protocol::Seen seen() const { return {.marked = marked_}; }

  /// As of Udp; `from` is the peer's address.
  protocol::Bytes open_handed_over(protocol::PeerAddress& /*from*/,
                                   protocol::MutableBytes datagram) {
    return unsealed(datagram);
  }

  /// Does all work but sending and receiving packets; delayed packets (impair.hpp) at each call,
  /// the rest at most once a millisecond.
  void tick(protocol::TimeNs now) {
    release_delayed(now);
    now_ = now;
    if (now >= next_periodic_ns_) periodic();
  }

  /// To be called before the daemon sleeps. From then on the descriptors become readable when a
  /// packet is received. For packets received earlier they may not.
  void arm();
  std::vector<int> descriptors() const;

  const protocol::PeerAddress& address() const { return team_->address(); }
  unsigned paths() const { return static_cast<unsigned>(queues_.size()); }
  /// The device and port, as "mlx5_0 port 1".
  std::string device() const { return port_.name(); }
  const PortState& state() const { return state_; }
  /// The longest payload of a packet, in bytes.
  std::uint16_t payload_bytes() const;
  /// How many bytes of packets the receive queues hold, if all packets are of the longest.
  std::size_t receive_bytes() const { return queues_.size() * kReceivePackets * payload_bytes(); }
  const TransportCounters& counters() const { return transport_counters_; }
  const Counters& verbs_counters() const { return counters_; }
  const AddressExchange::Counters& announcements() const { return exchange_.counters(); }
  /// Why no path to a peer, or not every path, can be used: an identifier for programs (port-down,
  /// peer-unknown, no-path, paths-missing) and its meaning. If `name` is empty, every path can be
  /// used.
  struct PathProblem {
    const char* name = "";
    std::string text;
  };
  PathProblem problem(const protocol::PeerAddress& peer) const;

 private:
  struct Source {  ///< the sender of a packet: its QPN, and its LID or GID
    std::uint32_t queue = 0;
    Gid from{};
    friend bool operator==(const Source&, const Source&) = default;
  };
  /// What is needed to send to one peer.
  struct Route {
    AddressExchange::Peer* peer = nullptr;
    std::vector<ibv_ah*> handles;  ///< address handle of each path; empty or null: none yet
    std::vector<Source> sources;   ///< the peer's keys in sources_
    std::uint64_t requested = 0;   ///< number of the last request to VerbsPaths
    bool pending = false;          ///< that request is not complete
    protocol::TimeNs requested_ns = 0;
    bool ready = false;   ///< there is at least one handle
    std::string problem;  ///< why there is no handle, or not one for every path
  };
  struct Hash {
    std::size_t operator()(const protocol::PeerAddress& a) const;
    std::size_t operator()(const Source& s) const;
  };
  struct Retired {  ///< an address handle that outstanding sends may still use
    ibv_ah* handle;
    unsigned queue;
    std::uint32_t generation, posted;
  };
  struct Received {
    AddressExchange::Peer* from = nullptr;
    protocol::Bytes datagram;
  };

  void start(const VerbsConfig& config);
  void stop();
  void send_items(const protocol::PeerAddress& to, protocol::PeerLayout peer, std::uint8_t path,
                  const Item* items, unsigned count) override;
  unsigned take_received();
  Received received(const ibv_wc& completion);
  void release(const ibv_wc& completion);
  void reap_sent();

  void periodic();
  void read_marks();
  void receive_announcements();
  void send_announcement(const protocol::PeerAddress& to, protocol::Bytes announcement);
  void handle_events();
  void publish_address();
  void request_handles(Route& route);
  void install_handles();
  bool next_announcement(protocol::PeerAddress& from, protocol::MutableBytes room,
                         protocol::Bytes& announcement);
  void on_address_changed(AddressExchange::Peer& peer);
  void add_sources(Route& route);
  void remove_sources(Route& route);
  void maintain_peers();
  void reset_broken_queues();
  void retire(unsigned path, ibv_ah* handle);
  void retire(std::vector<ibv_ah*>& handles);
  void free_retired();
  Route* route(const protocol::PeerAddress& to);

  Log log_;
  std::shared_ptr<VerbsTeam> team_;
  VerbsPort port_;
  PortState state_;
  CnpCounters cnp_;
  bool marked_ = false;
  std::uint32_t qkey_;
  AddressExchange exchange_;
  unsigned worker_;
  std::uint64_t announced_ = 0;  // VerbsTeam::changes() that exchange_ knows
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq *sent_ = nullptr, *received_ = nullptr;
  std::byte* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  ibv_mr* region_ = nullptr;
  std::vector<std::unique_ptr<UdQueue>> queues_;
  std::unordered_map<protocol::PeerAddress, Route, Hash> routes_;
  std::unordered_map<Source, AddressExchange::Peer*, Hash> sources_;
  Source last_source_;
  AddressExchange::Peer* last_peer_ = nullptr;
  std::vector<Retired> retired_;
  std::array<ibv_wc, 32> completions_;
  protocol::TimeNs now_ = 0, next_periodic_ns_ = 0, next_peer_check_ns_ = 0, next_expiry_ns_ = 0;
  protocol::TimeNs next_marks_ns_ = 0, marked_until_ns_ = 0;
  protocol::TimeNs queue_reset_due_ns_ = 0;
  std::uint64_t requests_ = 0;
  bool port_dirty_ = false, subnet_dirty_ = false;
  TransportCounters transport_counters_;
  Counters counters_;
  std::unique_ptr<VerbsPaths> paths_;  // last member: its thread ends before port_ is closed
};

}  // namespace selvedge::transport
