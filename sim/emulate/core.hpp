// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator without sockets and clocks: clients, and what happens to their MADs. Time is handed
// in, datagrams go out through ClientOutput.
//
// A client's request is marked with the client's number in the upper 16 bits of its transaction,
// and kept until its answer comes (transactions.hpp). What arrives at a node is executed by its
// agents, or it goes to a client at that port: an answer to the client that asked, anything else to
// a client that is a subnet manager. A MAD of a class for which a client has registered nothing
// kills it (libumad2sim), so a class is forwarded only if it is a manager's own, or if the client
// has used it.
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
inline constexpr ClientId kOwnRequests = 0xfffe;  // in transactions: what the emulator asks itself

class ClientOutput {
 public:
  virtual ~ClientOutput() = default;
  virtual void deliver(ClientId client, const MadDatagram& datagram) = 0;
};

/// Who asks on behalf of hosts: its requests go through the subnet as a client's do.
class Requester {
 public:
  virtual ~Requester() = default;
  virtual void answered(const MadPacket& answer) = 0;
  /// No answer came, in any of the tries.
  virtual void gave_up(const MadPacket& request) = 0;
};

struct CoreSettings {
  RetryPolicy smp{std::chrono::milliseconds(200), 3};   // as OpenSM asks
  RetryPolicy gmp{std::chrono::milliseconds(1000), 3};  // as infiniband-diags ask
};

struct CoreStatistics {
  std::uint64_t from_clients = 0, to_clients = 0, executed = 0, repeated = 0, timed_out = 0;
  std::uint64_t late_answers = 0;  // and doubled ones
  std::uint64_t traps = 0, nobody = 0, malformed = 0;
  std::array<std::uint64_t, kLossCauses> lost{};
};

class Core : public Arrivals {
 public:
  struct Client {
    bool connected = false, is_sm = false;
    std::uint32_t pid = 0;
    PortAt at;
    std::bitset<256> classes;  // that it has sent
  };

  Core(EmulatedSubnet& subnet, MadTransport& transport, const CounterSource& counters,
       ClientOutput& output, const CoreSettings& settings, std::uint64_t seed);

  // --- Clients
  /// The number of a new client, or kNoClient with `why`. A client with the same process id is
  /// replaced: its process has ended, and the number was used again.
  ClientId connect(const ClientInfo& info, std::string& why);
  void disconnect(ClientId c);
  /// Answers a control message, but for CONNECT and DISCONNECT. False, with `why`: it has to be
  /// answered with an error.
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
  /// Does what is due: repeats, gives up, sends traps.
  void on_time();
  /// Switches a switch on again, with empty tables.
  void revive(NodeId n) {
    subnet_.revive(n);
    transport_.follow_restart(n);
  }
  /// Something was cut, killed, healed: traps for the switches that noticed.
  void subnet_changed();
  // --- Requests of hosts themselves
  void set_requester(Requester* requester) { requester_ = requester; }
  /// Sends a Get to the port's subnet manager; the answer goes to the requester. The upper 16 bits
  /// of the transaction are not the requester's.
  void ask(PortAt from, const Mad& mad);

  // Of whoever carries the MADs.
  void arrived(PortAt at, MadPacket& packet) override;
  void lost(const MadPacket& packet, LossCause cause) override;

  EmulatedSubnet& subnet() { return subnet_; }
  /// All MADs are recorded there from now on.
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
