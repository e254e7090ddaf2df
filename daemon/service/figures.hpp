// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The figures of a running daemon as a value: what the status of selvedgectl and the page of
// metrics show.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/protocol/seal.hpp"
#include "daemon/transport/network.hpp"

namespace selvedge::service {

/// One path of this daemon, over all connections that are open.
struct PathFigures {
  protocol::PathTotals totals;  ///< since the start, ended connections included
  /// What data packets carried in the last whole second.
  std::uint64_t sent_bytes_per_s = 0, received_bytes_per_s = 0;
  std::uint32_t dead = 0;      ///< connections to which the path is dead
  std::uint32_t measured = 0;  ///< connections that have measured its round trip
  /// Means over those: the round trip, and by how much it exceeds the least one.
  protocol::TimeNs rtt_ns = 0, queueing_ns = 0;

  /// Adds the path of one connection; finish() makes means of the sums.
  void add(const protocol::PathSet::Path& path, protocol::TimeNs least_rtt_ns);
  void finish();
};

/// Verbs only. All workers see the changes of the port, of the subnet and of peers' addresses, so
/// these count once.
struct VerbsFigures {
  std::uint64_t unknown_senders = 0, queue_pair_resets = 0, port_changes = 0, subnet_changes = 0,
                peer_addresses_updated = 0;
};

struct Figures {
  /// Adds those of a worker.
  void add(const VerbsFigures& of_worker);

  std::size_t workers = 1;
  std::size_t connections = 0, active_connections = 0, applications = 0;
  std::size_t limited_connections = 0;  ///< in limited injection (LI)
  std::size_t memory_bytes = 0, memory_bytes_max = 0, memory_bytes_total = 0;
  protocol::Totals open;         ///< of connections that are open now
  protocol::Totals since_start;  ///< of all connections
  protocol::SenderTimes times;   ///< since the start
  std::vector<PathFigures> paths;
  transport::TransportCounters transport;
  std::optional<VerbsFigures> verbs;
  std::optional<protocol::Seal::Counters> seal;       ///< with keys
  std::uint64_t sealed_without_key = 0, corrupt = 0;  ///< without keys
  protocol::Endpoint::Counters endpoint;
  std::uint64_t ring_bytes = 0, corrupt_rings = 0, refused_applications = 0, sleeps = 0;
  /// Packets that came to another worker than their connection's, and were handed over, or dropped
  /// because the ring was full.
  std::uint64_t given_packets = 0, ungiven_packets = 0;
};

/// Measures what each path carries in a second.
class PathRates {
 public:
  using Paths = std::array<protocol::PathTotals, protocol::kPathsMax>;

  /// To be called often; takes a sample once a second.
  void sample(protocol::TimeNs now, const Paths& totals);
  const Paths& per_second() const { return rates_; }

 private:
  Paths before_{}, rates_{};
  protocol::TimeNs since_ns_ = 0;
};

/// The page in Prometheus' text format.
std::string metrics_page(const Figures& figures);
/// The members `since_start`, `open`, `message_latency`, `queueing_delay` and `path_totals` of the
/// status.
nlohmann::ordered_json totals_json(const Figures& figures);

}  // namespace selvedge::service
