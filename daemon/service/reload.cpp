// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/reload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <type_traits>

namespace selvedge::service {
namespace {

using namespace protocol;

enum class When { kNow, kNewConnections, kRestart };

template <class T>
std::string shown(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return fmt::format("\"{}\"", value);
  else
    return fmt::format("{}", value);
}
std::string shown(Cipher c) {
  return c == Cipher::kChaCha20Poly1305 ? "chacha20-poly1305" : "aes-256-gcm";
}
/// The number of keys: the keys themselves must not be shown.
std::string shown(const SealKeys& keys) { return fmt::format("{} keys", keys.size()); }
std::string shown(MemoryPolicy p) { return p == MemoryPolicy::kDynamic ? "dynamic" : "static"; }
std::string shown(InjectionMode m) {
  switch (m) {
    case InjectionMode::kLi:
      return "li";
    case InjectionMode::kLw:
      return "lw";
    case InjectionMode::kNone:
      return "none";
    case InjectionMode::kCredits:
      break;
  }
  return "credits";
}
std::string shown(transport::Backend b) { return b == transport::Backend::kUdp ? "udp" : "verbs"; }
std::string shown(PathChoice c) {
  return c == PathChoice::kRoundRobin         ? "round-robin"
         : c == PathChoice::kLeastOutstanding ? "least-outstanding"
                                              : "two-choices";
}
std::string shown(Overtaking o) { return o == Overtaking::kLoss ? "loss" : "measured"; }
std::string shown(Congestion c) { return c == Congestion::kDelay ? "delay" : "off"; }

}  // namespace

Reload reload(const DaemonConfig& running, const DaemonConfig& wanted) {
  Reload r{running, {}, {}};
  // Compares one key of the two configurations. get: returns the key's member of a DaemonConfig.
  const auto key = [&](std::string_view name, When when, auto get) {
    const auto& before = get(running);
    const auto& after = get(wanted);
    if (before == after) return;
    std::string text = fmt::format("{}: {} to {}", name, shown(before), shown(after));
    if (when == When::kRestart) return r.needs_restart.push_back(std::move(text));
    if (when == When::kNewConnections) text += ", for new connections";
    get(r.config) = after;
    r.changed.push_back(std::move(text));
  };
  // Mode lw requires static memory, and the memory policy of a running daemon cannot change.
  const bool lw_fits = wanted.endpoint.sender.injection != InjectionMode::kLw ||
                       running.endpoint.policy == MemoryPolicy::kStatic;
  // The file is checked against its own MTU, but the running daemon keeps the MTU that it has.
  const std::size_t stored = wanted.endpoint.memory_bytes_per_connection;
  const bool packet_fits = stored == 0 || stored >= stored_packet_bytes(running);

  key("[daemon] backend", When::kRestart, [](auto& c) -> auto& { return c.backend; });
  key("[daemon] socket", When::kRestart, [](auto& c) -> auto& { return c.socket; });
  key("[daemon] poll = busy", When::kNow, [](auto& c) -> auto& { return c.busy; });
  key("[daemon] spin_us", When::kNow, [](auto& c) -> auto& { return c.spin_us; });
  key("[daemon] user", When::kRestart, [](auto& c) -> auto& { return c.user; });
  key("[daemon] group", When::kRestart, [](auto& c) -> auto& { return c.group; });
  key("[daemon] mode", When::kRestart, [](auto& c) -> auto& { return c.mode; });
  key("[daemon] users", When::kNow, [](auto& c) -> auto& { return c.users; });
  r.config.user_ids = wanted.user_ids;
  key("[daemon] workers", When::kRestart, [](auto& c) -> auto& { return c.workers; });
  key("[daemon] oversubscribe", When::kRestart, [](auto& c) -> auto& { return c.oversubscribe; });
  key("[daemon] cpus", When::kRestart, [](auto& c) -> auto& { return c.cpus; });
  key("[daemon] numa_node", When::kRestart, [](auto& c) -> auto& { return c.numa_node; });
  key("[daemon] clients_max", When::kNow, [](auto& c) -> auto& { return c.clients_max; });
  key("[daemon] client_connections_max", When::kNow,
      [](auto& c) -> auto& { return c.client_connections_max; });
  key("[daemon] ring_bytes", When::kNewConnections, [](auto& c) -> auto& { return c.ring_bytes; });
  key("[udp] listen", When::kRestart, [](auto& c) -> auto& { return c.udp.listen; });
  key("[udp] paths", When::kRestart, [](auto& c) -> auto& { return c.udp.paths; });
  key("[udp] mtu, as payload", When::kRestart,
      [](auto& c) -> auto& { return c.endpoint.payload_bytes; });
  key("[udp] socket_bytes", When::kRestart, [](auto& c) -> auto& { return c.udp.socket_bytes; });
  key("[udp] segmentation", When::kRestart, [](auto& c) -> auto& { return c.udp.segmentation; });
  key("[verbs] listen", When::kRestart, [](auto& c) -> auto& { return c.verbs.listen; });
  key("[verbs] device", When::kRestart, [](auto& c) -> auto& { return c.verbs.port.device; });
  key("[verbs] port", When::kRestart, [](auto& c) -> auto& { return c.verbs.port.port; });
  key("[verbs] gids", When::kRestart, [](auto& c) -> auto& { return c.verbs.port.gids; });
  key("[verbs] paths", When::kRestart, [](auto& c) -> auto& { return c.verbs.paths; });
  key("insecure", When::kRestart, [](auto& c) -> auto& { return c.insecure; });
  // Sealing changes the longest payload, so it cannot be switched on or off while running.
  const When seal =
      running.keys_file.empty() == wanted.keys_file.empty() ? When::kNow : When::kRestart;
  key("[seal] keys", seal, [](auto& c) -> auto& { return c.keys_file; });
  key("[seal] keys, what the file holds", seal, [](auto& c) -> auto& { return c.seal.keys; });
  key("[seal] cipher", When::kNow, [](auto& c) -> auto& { return c.seal.cipher; });
  key("[memory] policy", When::kRestart, [](auto& c) -> auto& { return c.endpoint.policy; });
  key("[memory] total_bytes", When::kRestart,
      [](auto& c) -> auto& { return c.endpoint.memory_bytes; });
  key("[memory] per_connection_bytes", packet_fits ? When::kNewConnections : When::kRestart,
      [](auto& c) -> auto& { return c.endpoint.memory_bytes_per_connection; });
  key("[injection] mode", lw_fits ? When::kNewConnections : When::kRestart,
      [](auto& c) -> auto& { return c.endpoint.sender.injection; });
  key("[paths] choice", When::kNewConnections,
      [](auto& c) -> auto& { return c.endpoint.sender.paths.choice; });
  key("[paths] overtaking", When::kNewConnections,
      [](auto& c) -> auto& { return c.endpoint.sender.paths.overtaking; });
  key("[paths] congestion", When::kNewConnections,
      [](auto& c) -> auto& { return c.endpoint.sender.congestion; });
  key("[paths] empty_rtt_us", When::kNewConnections,
      [](auto& c) -> auto& { return c.endpoint.sender.empty_rtt_us; });
  key("[paths] burst_packets", When::kNewConnections,
      [](auto& c) -> auto& { return c.endpoint.sender.burst_packets; });
  key("[paths] in_flight_packets", When::kNewConnections,
      [](auto& c) -> auto& { return c.endpoint.sender.in_flight_packets; });
  key("[limits] user_clients", When::kNow, [](auto& c) -> auto& { return c.limits.clients; });
  key("[limits] user_connections", When::kNow,
      [](auto& c) -> auto& { return c.limits.connections; });
  key("[limits] user_ring_bytes", When::kNow, [](auto& c) -> auto& { return c.limits.ring_bytes; });
  key("[limits] ring_bytes", When::kNow, [](auto& c) -> auto& { return c.limits.all_ring_bytes; });
  key("[limits] source_connections", When::kNow,
      [](auto& c) -> auto& { return c.endpoint.sources.connections; });
  key("[limits] source_half_open", When::kNow,
      [](auto& c) -> auto& { return c.endpoint.sources.half_open; });
  key("[limits] source_new_per_second", When::kNow,
      [](auto& c) -> auto& { return c.endpoint.sources.new_per_second; });
  key("[metrics] listen", When::kRestart, [](auto& c) -> auto& { return c.metrics_listen; });
  key("[impair] loss", When::kNow, [](auto& c) -> auto& { return c.impair.loss; });
  key("[impair] duplicate", When::kNow, [](auto& c) -> auto& { return c.impair.duplicate; });
  key("[impair] reorder", When::kNow, [](auto& c) -> auto& { return c.impair.reorder; });
  key("[impair] reorder_depth", When::kNow,
      [](auto& c) -> auto& { return c.impair.reorder_depth; });
  key("[impair] jitter_us", When::kNow, [](auto& c) -> auto& { return c.impair.jitter_us; });
  key("[impair] paths", When::kNow, [](auto& c) -> auto& { return c.impair.paths; });
  key("[impair] seed", When::kNow, [](auto& c) -> auto& { return c.impair.seed; });
  return r;
}

}  // namespace selvedge::service
