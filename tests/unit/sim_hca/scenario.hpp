// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Random networks whose hosts send messages over the protocol: small rearrange memories, lifetimes
// that lose packets, and switches of two kinds.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/verify/adaptive.hpp"
#include "sim/hca/hca_traffic.hpp"
#include "sim/model/statistics.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge::sim::test {

struct PlannedMessage {
  HostId from = kNoHost;
  Message message;
};
struct PlannedCut {
  Channel cable = kNoChannel;
  Tick at = 0, restored = 0;
};

enum class Switches : std::uint8_t {
  kUpdn,     // updn's tables, adaptive where the mixture is proved; cables are cut and restored
  kMartinez  // fully adaptive (Martínez 2005 §4.1), with that engine's tables
};

struct HcaScenario {
  std::uint64_t seed = 0;
  Switches switches = Switches::kUpdn;
  Fabric fabric;
  Tables tables;
  Model model;
  HcaSpec spec;
  std::vector<PlannedMessage> plan;  // Message::tag: its index
  std::vector<PlannedCut> cuts;      // in the order of `at`, none before the one before is restored
};

/// Sends the planned messages, and answers each third one with a message of the same length.
class Applications final : public Traffic {
 public:
  explicit Applications(const HcaScenario& s) : hosts_(s.fabric.num_hosts()) {
    for (const PlannedMessage& one : s.plan) plan(one.from, one.message);
  }
  Message next(HostId from) override {
    Host& host = hosts_[from];
    host.given = {};
    if (host.to_come.empty()) return {};
    host.given = host.to_come.begin()->second;
    host.to_come.erase(host.to_come.begin());
    if (host.given.at != kNever) taken_last = host.given.tag;
    return host.given;
  }
  void put_back(HostId from) override {
    plan(from, hosts_[from].given);
    hosts_[from].given = {};
  }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
    received.push_back(d);
    if (!d.last || d.tag >= kAnswer || d.tag % 3 != 0) return;
    plan(d.to, {.at = d.delivered + 1, .to = d.from, .bytes = 100, .tag = kAnswer + d.tag});
    woken.push_back(d.to);
  }

  static constexpr std::uint32_t kAnswer = 1u << 20;
  std::vector<Delivery> received;  // by the applications, in that order
  std::uint32_t taken_last = 0;

 private:
  struct Host {
    std::map<std::pair<Tick, std::uint32_t>, Message> to_come;
    Message given;
  };
  void plan(HostId from, const Message& m) {
    if (m.at != kNever) hosts_[from].to_come[{m.at, m.tag}] = m;
  }
  std::vector<Host> hosts_;
};

inline HcaScenario random_hca_scenario(std::uint64_t seed, bool small,
                                       Switches switches = Switches::kUpdn) {
  StableRandom draw(seed);
  const auto from = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<unsigned>(least + draw.below(most - least + 1));
  };
  HcaScenario s;
  s.seed = seed;
  s.switches = switches;
  const bool fully_adaptive = switches == Switches::kMartinez;
  const unsigned lmc = fully_adaptive ? from(1, 3) : from(0, 2);
  switch (from(0, 3)) {
    case 0:
      s.fabric = assign_lids(torus({3, 3}), lmc);
      break;
    case 1:
      s.fabric = assign_lids(k_ary_n_tree(2, from(2, 3)), lmc);
      break;
    default:
      s.fabric = selvedge::test::random_irregular(
          {from(2, 8), from(1, 8), from(2, small ? 6 : 12), lmc, draw.next()},
          {.parallel = true, .pieces = false, .two_ports = false, .unattached = false});
  }
  s.tables = find_engine(fully_adaptive ? "martinez" : "updn").compute(s.fabric, {}).tables;

  Parameters p;
  p.mtu_bytes = draw.chance(50) ? 512 : 1024;
  p.link_rate_gbps = draw.chance(50) ? 2.5 : 10;
  p.cable_m = from(1, 20);
  p.routing_ns = from(20, 200);
  p.input_buffer_bytes = p.output_buffer_bytes = (p.mtu_bytes + 64) * from(1, 4);
  p.selection = static_cast<Selection>(from(0, 5));
  if (fully_adaptive) {
    p.selection = static_cast<Selection>(from(1, 5));
    p.escape_queues = true;
    p.own_port = OwnPort::kEscape;
    p.adaptive_hops = from(1, 20);
    p.input_buffer_bytes = p.output_buffer_bytes = (p.mtu_bytes + 64) * from(2, 4);
  } else {
    // As an experiment, without --allow-unproved.
    if (const AdaptiveVerdict mixture = verify_adaptive(s.fabric, s.tables);
        !mixture.delivered || !mixture.loop_free || !mixture.deadlock_free)
      p.selection = Selection::kDeterministic;
    p.escape_queues = p.selection != Selection::kDeterministic && draw.chance(30);
    if (p.escape_queues) p.input_buffer_bytes = p.output_buffer_bytes = 4 * (p.mtu_bytes + 64);
  }
  if (draw.chance(30)) p.switch_life_us = from(5, 40);
  if (draw.chance(30)) p.head_of_queue_life_us = from(5, 40);
  // Packets of fully adaptive switches carry base LIDs.
  const bool by_protocol = !fully_adaptive && draw.chance(30);
  if (!by_protocol && !fully_adaptive) p.paths = static_cast<PathChoice>(from(0, 2));
  s.model = resolve(p, s.tables);

  s.spec.protocol = static_cast<HcaProtocol>(from(1, 4));
  const unsigned hosts = s.fabric.num_hosts();
  const unsigned sizes[] = {0, 300, 2'000, 20'000, 1 << 20};
  s.spec.memory_bytes = sizes[from(0, 4)];
  s.spec.memory_bytes_per_connection = sizes[from(0, 4)];
  if (s.spec.protocol == HcaProtocol::kLw || draw.chance(30)) {
    s.spec.memory = protocol::MemoryPolicy::kStatic;
    s.spec.memory_bytes_per_connection = s.spec.memory_bytes / hosts;
  }
  s.spec.window_packets = 64u << from(0, 2);
  s.spec.paths = by_protocol ? from(1, 4) : 1;
  if (draw.chance(30)) s.spec.burst_packets = from(2, protocol::kBurstPacketsMax);
  if (draw.chance(20)) s.spec.in_flight_packets = from(1, 64);
  s.spec.payload_bytes = draw.chance(50) ? 0 : from(64, p.mtu_bytes - kProtocolBytes);
  s.spec.overtaking = static_cast<protocol::Overtaking>(from(0, 1));

  const Tick busy = s.model.time_base.at(from(1, small ? 20 : 200) * 1'000.0);
  const unsigned spot = draw.chance(30) ? from(20, 90) : 0;
  for (unsigned i = from(1, small ? 40 : 400); i > 0; --i) {
    PlannedMessage one;
    one.from = from(0, hosts - 1);
    one.message.to = draw.chance(spot) ? 0 : from(0, hosts - 1);
    if (one.message.to == one.from) continue;
    one.message.at = static_cast<Tick>(draw.below(static_cast<std::uint64_t>(busy) + 1));
    one.message.bytes =
        draw.chance(5) ? 0 : from(1, draw.chance(20) ? (small ? 2'000 : 6'000) : 900);
    one.message.tag = static_cast<std::uint32_t>(s.plan.size());
    s.plan.push_back(one);
  }
  if (fully_adaptive) return s;  // the proof needs whole escape paths
  std::vector<Channel> cables;
  for (const Channel c : s.fabric.links()) cables.push_back(c);
  Tick at = 0;
  for (unsigned i = draw.chance(60) ? from(1, 4) : 0; i > 0 && !cables.empty(); --i) {
    at += 1 + static_cast<Tick>(draw.below(static_cast<std::uint64_t>(busy) + 1));
    const Tick restored = at + s.model.time_base.at(from(1, 200) * 1'000.0);
    s.cuts.push_back({cables[draw.below(cables.size())], at, restored});
    at = restored;
  }
  return s;
}

/// The scenario with the protocol of Montañana 2008 instead of the daemon's.
inline HcaScenario by_thesis(HcaScenario s) {
  StableRandom draw(s.seed ^ 0x7e515u);
  s.spec = {.protocol = HcaProtocol::kThesis,
            .window_packets = 1u << draw.below(8),
            .payload_bytes = s.spec.payload_bytes,
            .timeout_us = 1.0 + static_cast<double>(draw.below(200))};
  // A timer that is shorter than packets live floods the network with copies; if lifetimes discard
  // all of them where they meet, that may last for ever.
  for (const Tick life : {s.model.switch_life, s.model.head_of_queue_life})
    if (life != kNever)
      s.spec.timeout_us = std::max(s.spec.timeout_us, 2 * s.model.time_base.ns(life) / 1000);
  return s;
}

/// For the message of a failure.
inline std::string describe(const HcaScenario& s) {
  return fmt::format(
      "scenario {}{}: {} switches, {} hosts, LMC {}, {} messages, {} cuts; selection {}, escape "
      "{}, adaptive hops {}, lifetimes {} and {} ticks; protocol {}, {} memory of {} and {} bytes, "
      "window {}, payload "
      "{}, "
      "{} paths, bursts of {}, {} in flight, overtaking {}, timer {} us",
      s.seed, s.switches == Switches::kMartinez ? " of martinez" : "", s.fabric.num_switches(),
      s.fabric.num_hosts(), s.fabric.host(0).lmc, s.plan.size(), s.cuts.size(),
      static_cast<int>(s.model.selection), s.model.escape_queues, s.model.adaptive_hops,
      s.model.switch_life, s.model.head_of_queue_life, static_cast<int>(s.spec.protocol),
      s.spec.memory == protocol::MemoryPolicy::kStatic ? "static" : "dynamic", s.spec.memory_bytes,
      s.spec.memory_bytes_per_connection.value_or(0), s.spec.window_packets, s.spec.payload_bytes,
      s.spec.paths, s.spec.burst_packets, s.spec.in_flight_packets.value_or(0),
      static_cast<int>(s.spec.overtaking), s.spec.timeout_us);
}

struct HcaRecord {
  std::vector<Delivery> packets;   // of the network, in the order of (tick, source, sequence)
  std::vector<Delivery> received;  // by applications, in the order of (tick, receiver)
  HcaFigures figures;
  Totals totals;
  std::uint32_t used_slots_max = 0, slots = 0;
  bool idle = false;
  Tick ended = 0;
};

/// Runs until all is delivered, at most for `most_us`.
template <class Simulator>
HcaRecord play(const HcaScenario& s, double most_us) {
  Applications above(s);
  const std::uint32_t hosts = s.fabric.num_hosts();
  const auto protocol = make_hca_traffic(s.spec, s.model, above, hosts, hosts);
  HcaTraffic& traffic = *protocol;
  Simulator simulator(s.fabric, s.tables, s.model, traffic, s.seed);
  HcaRecord record;
  simulator.on_delivery([&](const Delivery& d) { record.packets.push_back(d); });
  for (const PlannedCut& cut : s.cuts) {
    simulator.run(cut.at);
    simulator.cut(cut.cable);
    simulator.run(cut.restored);
    simulator.restore(cut.cable);
  }
  const Tick step = s.model.time_base.at(100'000), end = s.model.time_base.at(most_us * 1'000);
  while (!traffic.idle() && simulator.now() < end) simulator.run(simulator.now() + step);
  record.received = above.received;
  record.figures = traffic.figures(simulator.now());
  record.totals = simulator.totals();
  record.used_slots_max = traffic.window().used_slots_max;
  record.slots = static_cast<std::uint32_t>(s.spec.memory_bytes / traffic.slot_bytes());
  record.idle = traffic.idle();
  record.ended = simulator.now();
  for (Delivery& d : record.packets) d.tag = 0;  // its number in Flights: of no meaning
  std::ranges::sort(record.packets, {},
                    [](const Delivery& d) { return std::tuple(d.delivered, d.from, d.sequence); });
  // Packets that one arrival lets through are in their order.
  std::ranges::stable_sort(record.received, {},
                           [](const Delivery& d) { return std::tuple(d.delivered, d.to); });
  return record;
}

/// What is wrong with what applications received; "" if each has all messages of each other one in
/// the order in which these were sent, once. The messages of one host are sent in the order of
/// their times.
inline std::string wrong_stream(const HcaScenario& s, const HcaRecord& record) {
  std::map<std::pair<HostId, HostId>, std::vector<std::uint32_t>> sent, got;
  std::vector<PlannedMessage> plan = s.plan;
  std::ranges::stable_sort(
      plan, {}, [](const PlannedMessage& m) { return std::tuple(m.message.at, m.message.tag); });
  for (const PlannedMessage& one : plan)
    sent[{one.from, one.message.to}].push_back(one.message.tag);
  std::set<std::uint32_t> answers;
  for (const Delivery& d : record.received) {
    if (!d.last) continue;
    if (d.tag < Applications::kAnswer)
      got[{d.from, d.to}].push_back(d.tag);
    else if (!answers.insert(d.tag).second)
      return fmt::format("answer {} came twice", d.tag - Applications::kAnswer);
  }
  for (const auto& [pair, tags] : sent)
    if (got[pair] != tags)
      return fmt::format("hosts {} to {}: {} messages sent, {} received, or in another order",
                         pair.first, pair.second, tags.size(), got[pair].size());
  const auto asked = static_cast<std::size_t>(std::ranges::count_if(
      s.plan, [](const PlannedMessage& m) { return m.message.tag % 3 == 0; }));
  if (answers.size() != asked) return fmt::format("{} answers of {} came", answers.size(), asked);
  return "";
}

}  // namespace selvedge::sim::test
