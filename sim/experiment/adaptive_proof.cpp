// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/adaptive_proof.hpp"

#include <algorithm>
#include <set>

namespace selvedge::sim {
namespace {

/// Whether all packets of the point's messages need equally many buffer blocks.
bool one_size(const Point& point) {
  const TrafficSpec& traffic = point.traffic;
  if (traffic.pattern == "trace" || traffic.pattern == "io") return false;
  if (point.hca.on()) return false;  // reports
  std::set<std::uint64_t> blocks;
  const auto add_packet = [&](std::uint64_t payload) {
    blocks.insert(
        (std::max<std::uint64_t>(1, payload + point.model.header_bytes) + kBlockBytes - 1) /
        kBlockBytes);
  };
  const auto add_message = [&](std::uint64_t bytes) {
    const std::uint64_t mtu = point.model.mtu_bytes;
    if (bytes >= mtu) add_packet(mtu);
    if (bytes % mtu != 0 || bytes == 0) add_packet(bytes % mtu);
  };
  add_message(traffic.payload_bytes);
  if (traffic.window > 0 && traffic.response_bytes > 0) add_message(traffic.response_bytes);
  return blocks.size() == 1;
}

}  // namespace

std::optional<AdaptiveUse> adaptive_use_of(const Point& point, const Fabric& fabric) {
  if (!selects_per_packet(point.model.selection)) return {};
  if (std::ranges::all_of(fabric.hosts(), [](const Host& host) { return host.lmc == 0; }))
    return {};
  const bool cut = !point.faults.cut.empty() || point.faults.random > 0;
  AdaptiveUse adaptive;
  adaptive.carried =
      point.model.paths == PathChoice::kFirst && !point.routing.around_cuts && point.hca.paths == 1
          ? Carried::kFirst
          : Carried::kAny;
  adaptive.escape_queues = point.model.escape_queues;
  adaptive.own_ports_suffice =
      !cut && (one_size(point) || point.model.own_port == OwnPort::kEscape);
  adaptive.hops_are_limited = point.model.adaptive_hops > 0;
  return adaptive;
}

bool takes_mixtures_only(const Point& point, const Fabric& fabric) {
  const std::optional<AdaptiveUse> adaptive = adaptive_use_of(point, fabric);
  return adaptive && adaptive->carried == Carried::kFirst && point.traffic.classes.empty();
}

bool is_proved(const Point& point, const RoutedFabric& routed) {
  if (routed.proved()) return true;
  return routed.verdict.connected && routed.verdict.loop_free &&
         takes_mixtures_only(point, routed.fabric);
}

std::optional<Unproved> first_unproved(const AdaptiveUse& adaptive,
                                       const AdaptiveVerdict& mixture) {
  const std::string others =
      "choose \"deterministic\" or other tables, or accept it with --allow-unproved";
  const auto because = [&](std::string_view property) {
    const Witness* const witness = mixture.witness_of(property);
    return witness == nullptr ? std::string("[model] selection") : witness->text;
  };
  if (!mixture.delivered)
    return Unproved{"adaptive packets can get lost", because("delivered"), others};
  if (!mixture.deadlock_free) {
    const bool apart = adaptive.escape_queues;
    const std::string_view needed = apart ? "escape_free" : "own_free";
    const std::string waits = "adaptive packets can deadlock";
    if (!(apart ? mixture.escape_free : mixture.own_free)) {
      if (!apart && mixture.escape_free && adaptive.own_ports_suffice)
        return Unproved{waits, because(needed), "set [model] escape_queues = true, or " + others};
      return Unproved{waits, because(needed), others};
    }
    if (!adaptive.own_ports_suffice)
      return Unproved{waits + " where cables are cut or packets are of several sizes",
                      because("deadlock_free"), others};
  }
  // Where packets have their own port wherever they get, and the graph of these ports has no cycle,
  // own paths end at the destination.
  const std::string_view own = adaptive.escape_queues ? "escape_free" : "own_free";
  const bool own_paths_end = adaptive.escape_queues ? mixture.escape_free : mixture.own_free;
  if (adaptive.hops_are_limited && !own_paths_end)
    return Unproved{"adaptive packets can get lost when their hops are used up", because(own),
                    "set [model] adaptive_hops = 0, or " + others};
  if (!mixture.loop_free && !adaptive.hops_are_limited)
    return Unproved{"adaptive packets can loop", because("loop_free"),
                    own_paths_end ? "set [model] adaptive_hops, after which they follow their own "
                                    "ports, or " +
                                        others
                                  : others};
  return {};
}

}  // namespace selvedge::sim
