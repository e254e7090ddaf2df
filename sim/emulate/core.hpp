// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The core of the emulator, without sockets and clocks: clients, and what happens to their MADs.
// The caller sets the time; datagrams go out through ClientOutput.
//
// A client's request is marked with the client's number in the upper 16 bits of its transaction id,
// and kept until its answer comes (transactions.hpp). A MAD that arrives at a node is executed by
// the node's agents, or it goes to a client at that port: an answer to the client that asked, any
// other MAD to a client that is a subnet manager. libumad2sim ends a client that gets a MAD of a
// class for which the client has not registered. So a MAD is forwarded only if its class is a
// manager's own, or if the client has sent MADs of that class.
#pragma once

#include <bitset>
#include <functional>
#include <memory>
#include <string>

#include "sim/emulate/mad_capture.hpp"
#include "sim/emulate/mad_transport.hpp"
#include "sim/emulate/mishaps.hpp"
#include "sim/emulate/performance.hpp"
#include "sim/emulate/transactions.hpp"
#include "sim/emulate/traps.hpp"
#include "sim/emulate/wire.hpp"

namespace selvedge::sim {

inline constexpr ClientId kMostClients = 4096;
inline constexpr ClientId kNoClient = 0xffff;
inline constexpr ClientId kOwnRequests = 0xfffe;  // stands for the emulator's own requests

class ClientOutput {
 public:
  virtual ~ClientOutput() = default;
  virtual void deliver(ClientId client, const MadDatagram& datagram) = 0;
};

/// Sends requests on behalf of hosts without a client (Core::ask()). The requests go through the
/// subnet as a client's do.
class Requester {
 public:
  virtual ~Requester() = default;
  virtual void answered(const MadPacket& answer) = 0;
  /// None of the tries of this request was answered.
  virtual void gave_up(const MadPacket& request) = 0;
};

struct CoreSettings {
  RetryPolicy smp{std::chrono::milliseconds(200), 3};   // as OpenSM asks
  RetryPolicy gmp{std::chrono::milliseconds(1000), 3};  // as infiniband-diags ask
};

struct CoreStatistics {
  std::uint64_t from_clients = 0, to_clients = 0, executed = 0, repeated = 0, timed_out = 0;
  std::uint64_t late_answers = 0;  // answers that came too late, or a second time
  std::uint64_t traps = 0, nobody = 0, malformed = 0;
  std::array<std::uint64_t, kLossCauses> lost{};
};

class Core : public Arrivals {
 public:
  struct Client {
    bool connected = false, is_sm = false;
    bool repeats = true;  // the kernel repeats its SMPs
    std::uint32_t pid = 0;
    PortAt at;
    std::bitset<256> classes;  // management classes that it has sent
  };

  Core(EmulatedSubnet& subnet, MadTransport& transport, const CounterSource& counters,
       ClientOutput& output, const CoreSettings& settings, std::uint64_t seed);

  // --- Clients
  /// Connects a client and returns its number; kNoClient if it is refused, with the reason in
  /// `why`. A client with the same process id is replaced: its process must have ended, since the
  /// system has used the process id again.
  ClientId connect(const ClientInfo& info, std::string& why);
  void disconnect(ClientId c);
  /// From now on this client's SMPs are not repeated, only given up.
  void repeat_nothing(ClientId c) { clients_[c].repeats = false; }
  /// Answers a control message other than CONNECT and DISCONNECT. Returns false, with `why`, if the
  /// message has to be answered with an error.
  bool control(ControlMessage& m, std::string& why);
  const Client* client(ClientId c) const {
    return c < clients_.size() && clients_[c].connected ? &clients_[c] : nullptr;
  }
  ClientId num_slots() const { return static_cast<ClientId>(clients_.size()); }

  // --- MADs and time
  void from_client(ClientId c, const MadDatagram& datagram);
  void set_now(Nanoseconds now) { now_ = now; }
  Nanoseconds now() const { return now_; }
  std::optional<Nanoseconds> deadline();
  /// Whether something is still to come for clients: answers that are waited for, which may be
  /// given up; traps that no manager has got yet, and that can arrive by the tables as they are.
  bool more_for_clients() { return transactions_.deadline() || traps_.any_would_arrive(); }
  /// Repeats or gives up requests whose time-out has passed, and sends the traps that are due.
  void on_time();
  /// Switches a switch on again, with empty tables.
  void revive(NodeId n) {
    subnet_.revive(n);
    transport_.follow_restart(n);
  }
  /// To be called after a cut, a failure or a restoring in the subnet: raises traps for the
  /// switches whose ports changed.
  void subnet_changed();
  // --- Requests of hosts themselves
  void set_requester(Requester* requester) { requester_ = requester; }
  /// Sends a Get to the port's subnet manager; the answer goes to the requester. The requester may
  /// use only the lower 48 bits of the transaction id.
  void ask(PortAt from, const Mad& mad);

  // Called by the transport that carries the MADs.
  void arrived(PortAt at, MadPacket& packet) override;
  void lost(const MadPacket& packet, LossCause cause) override;

  EmulatedSubnet& subnet() { return subnet_; }
  /// Records all MADs in this capture from now on.
  void capture_to(MadCapture& capture) { capture_ = &capture; }
  Mishaps& mishaps() { return mishaps_; }
  const CoreStatistics& statistics() const { return statistics_; }
  std::size_t waiting() const { return transactions_.size(); }

 private:
  void send(PortAt from, MadPacket& packet) {
    if (capture_ != nullptr) capture_->record(now_, from, MadCapture::Direction::kOutbound, packet);
    transport_.send(from, packet, *this);
  }
  void send_answer(PortAt from, MadPacket& packet);
  void serve(PortAt at, MadPacket& packet);
  void answer(PortAt at, MadPacket& packet, SmpStatus status);
  void execute_smp(PortAt at, MadPacket& packet);
  void to_requester(PortAt at, const MadPacket& packet);
  bool to_manager(PortAt at, const MadPacket& packet);
  void deliver(ClientId c, const MadPacket& packet, std::uint32_t status);
  void set_is_sm(ClientId c, bool is_sm);

  EmulatedSubnet& subnet_;
  MadTransport& transport_;
  ClientOutput& output_;
  Requester* requester_ = nullptr;
  MadCapture* capture_ = nullptr;
  const CoreSettings settings_;
  PerformanceAgent performance_;
  Mishaps mishaps_;
  Traps traps_;
  Transactions transactions_;
  std::vector<Client> clients_;
  CoreStatistics statistics_;
  Nanoseconds now_{};
};

}  // namespace selvedge::sim
