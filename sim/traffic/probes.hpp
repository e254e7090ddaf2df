// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Connections that reserve a path by a probe before they send (Kim 2007 §3.4; docs/simulator.md,
// "Probes"). The source tries the paths of the destination's LIDs in the order of their lengths: a
// probe reserves the connection's rate at each link that it comes to. At the destination it becomes
// an ACK. A switch whose link has no room sends it back as a NACK, on the reversed path where a LID
// of the source has that path; the NACK releases what it passes. All three are management messages.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/model/model.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

inline constexpr std::uint32_t kProbeBytes = 256;  // of payload: a MAD (IBA 1.3 §13.4)

/// What became of a class's connections, since the start of the simulation.
struct Admission {
  std::uint64_t admitted = 0, refused = 0;  // connections
  std::uint64_t probes = 0;                 // sent
  std::uint64_t sent_back = 0;              // of these by a switch
  std::uint64_t lost = 0;                   // probes, ACKs and NACKs

  friend bool operator==(const Admission&, const Admission&) = default;
};

/// A path of a connection: the LID that it uses, as an offset from the destination's base LID, and
/// the one by which the way back is its reverse, else 0.
struct ProbedPath {
  unsigned offset = 0, back = 0;
  std::vector<Channel> channels;  // from the source's link to the destination's
};

/// The distinct paths from one host to another, the shortest first; of equally long ones the lowest
/// offset. `channels` are those between switches and the one to the destination, after the source's
/// own.
std::vector<ProbedPath> probed_paths(const Fabric& fabric, const Tables& tables, HostId from,
                                     HostId to);

class Probes {
 public:
  using ConnectionId = std::uint32_t;
  static constexpr ConnectionId kMaxConnections = 1U << 26;

  struct Connection {
    HostId from = kNoHost, to = kNoHost;
    std::size_t of_class = 0;
    double bytes_per_tick = 0;  // on the wire
    double share = 1;           // of a link's rate: what all reservations there may come to
  };
  /// Since when a connection may send, and to which of the destination's LIDs.
  struct Admitted {
    ConnectionId connection = 0;
    unsigned offset = 0;
    Tick at = 0;
  };

  /// `rule`: the index in Model::classes of the class of probes; it has the VL 15 queue. Tags are
  /// `tag_base` and, in the low 28 bits, Probes' own.
  Probes(const Fabric& fabric, const Tables& tables, const Model& model, std::size_t classes,
         std::uint8_t rule, std::uint32_t tag_base);

  /// The connection's first probe is due at `start`.
  ConnectionId add(const Connection& connection, Tick start);

  /// The host's next message; nullptr if there is none for now.
  const Message* next(HostId from) const;
  void take(HostId from);  // next() is sent

  // --- As the functions of Traffic, for messages with `tag_base`
  Lid inspect(SwitchId at, PortNum out, const Delivery& d);
  std::optional<Admitted> delivered(const Delivery& d, std::vector<HostId>& woken);
  void lost(const Delivery& d, std::vector<HostId>& woken);

  const Admission& of_class(std::size_t c) const { return admission_[c]; }
  /// What is reserved at a channel, in bytes a tick.
  double reserved(Channel c) const { return static_cast<double>(reserved_[c]) / kUnits; }

 private:
  /// Reservations are integers, bytes in so many ticks, so that their sums are exact.
  static constexpr double kUnits = 1ULL << 32;
  struct State {
    Connection as;
    std::uint64_t rate = 0;
    std::vector<ProbedPath> paths;
    std::size_t tried = 0;      // the path of the probe that is under way, or of the connection
    std::vector<Channel> held;  // reserved for it
  };
  enum class Kind : std::uint32_t { kProbe, kAck };

  void send_probe(ConnectionId id, Tick at, std::vector<HostId>& woken);
  void send(HostId from, HostId to, unsigned path, Kind kind, ConnectionId id, Tick at);
  bool is_ack(const Delivery& d) const;
  bool reserve(State& connection, Channel c);
  void release(State& connection, Channel c);
  void release_all(State& connection);
  /// The path under way did not come about: the next one, from `at` on.
  void try_next(ConnectionId id, Tick at, std::vector<HostId>& woken);

  const Fabric& fabric_;
  const Tables& tables_;
  const Model& model_;
  std::uint8_t rule_;
  std::uint32_t tag_base_;
  Tick timeout_;
  std::vector<State> connections_;
  std::vector<std::uint64_t> reserved_;  // per channel
  /// Per host, by time and tag: a connection has one message under way.
  std::vector<std::map<std::pair<Tick, std::uint32_t>, Message>> to_send_;
  std::vector<Admission> admission_;  // per class
};

}  // namespace selvedge::sim
