// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Network is the transport of a daemon: UDP or verbs, chosen at the start. The choice costs a
// branch for each burst and nothing for each packet, because per-packet code is inlined into either
// transport.
#pragma once

#include <memory>
#include <optional>

#include "daemon/transport/udp.hpp"
#include "daemon/transport/verbs.hpp"

namespace selvedge::transport {

enum class Backend : std::uint8_t { kUdp, kVerbs };

class Network {
 public:
  /// Parameters and exceptions are those of the constructors of Udp and of Verbs.
  Network(const UdpConfig& config, std::unique_ptr<protocol::Seal> seal)
      : udp_(std::in_place, config, std::move(seal)) {}
  Network(const VerbsConfig& config, std::shared_ptr<VerbsTeam> team, Verbs::Log log,
          std::unique_ptr<protocol::Seal> seal)
      : verbs_(std::make_unique<Verbs>(config, std::move(team), std::move(log), std::move(seal))) {}

  // These call the functions of the same name of Udp or Verbs.
  template <class F>
  std::uint32_t poll(std::uint32_t packets, F&& on_datagram) {
    return udp_ ? udp_->poll(packets, on_datagram) : verbs_->poll(packets, on_datagram);
  }
  /// How the datagram that poll() handles has arrived.
  protocol::Seen seen() const { return udp_ ? udp_->seen() : verbs_->seen(); }
  void control(const protocol::PeerAddress& to, protocol::PeerLayout peer, std::uint8_t path,
               protocol::Bytes datagram) {
    writer().control(to, peer, path, datagram);
  }
  void data(const protocol::Connection& connection, const protocol::Burst& burst) {
    writer().data(connection, burst);
  }
  void hold(bool on) { writer().hold(on); }
  void tick(protocol::TimeNs now) { udp_ ? udp_->tick(now) : verbs_->tick(now); }
  void impair(const ImpairConfig& config) { writer().impair(config); }
  void on_sealed_for_other(
      std::function<void(unsigned worker, const protocol::PeerAddress& from, protocol::Bytes)> f) {
    writer().on_sealed_for_other(std::move(f));
  }
  protocol::Bytes open_handed_over(protocol::PeerAddress& from, protocol::MutableBytes datagram) {
    return udp_ ? udp_->open_handed_over(from, datagram) : verbs_->open_handed_over(from, datagram);
  }
  bool delaying() const { return writer().delaying(); }
  /// Has no effect if there were no keys at the start.
  void change_keys(const protocol::SealConfig& config) {
    if (writer().seal() != nullptr) writer().seal()->change_keys(config);
  }
  const protocol::Seal* seal() const { return writer().seal(); }
  std::uint64_t sealed_without_key() const { return writer().sealed_without_key(); }
  std::uint64_t corrupt() const { return writer().corrupt(); }
  const protocol::PeerAddress& address() const {
    return udp_ ? udp_->address() : verbs_->address();
  }
  const TransportCounters& counters() const { return udp_ ? udp_->counters() : verbs_->counters(); }

  unsigned paths() const {
    return udp_ ? static_cast<unsigned>(udp_->descriptors().size()) : verbs_->paths();
  }
  /// The descriptors that wake the daemon, after a call of arm().
  std::vector<int> descriptors() const {
    return udp_ ? udp_->descriptors() : verbs_->descriptors();
  }
  /// To be called before the daemon sleeps. True: no event is raised for packets that were received
  /// before this call, so the caller must poll() again.
  bool arm() {
    if (udp_) return false;
    verbs_->arm();
    return true;
  }
  /// The longest payload of a packet, in bytes, if the device determines it.
  std::optional<std::uint16_t> payload_bytes() const {
    return verbs_ ? std::optional(verbs_->payload_bytes()) : std::nullopt;
  }

  /// How many bytes of packets the queues of received packets hold at least.
  std::size_t receive_bytes() const {
    return udp_ ? udp_->receive_bytes() : verbs_->receive_bytes();
  }

  /// The transport in use; null if it is the other one.
  const Udp* udp() const { return udp_ ? &*udp_ : nullptr; }
  const Verbs* verbs() const { return verbs_.get(); }

 private:
  BurstWriter& writer() {
    if (udp_) return *udp_;
    return *verbs_;
  }
  const BurstWriter& writer() const {
    if (udp_) return *udp_;
    return *verbs_;
  }

  std::optional<Udp> udp_;
  std::unique_ptr<Verbs> verbs_;
};

}  // namespace selvedge::transport
