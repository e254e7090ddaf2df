// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Converts Parameters from the user's units to ticks and blocks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "sim/model/bounds.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {
namespace {

[[noreturn]] void refuse(std::string_view key, std::string problem, std::string remedy) {
  throw InputError(std::move(problem), fmt::format("[model] {}", key), std::move(remedy));
}

void within(const BoundedKey& bounds, double value) {
  if (value >= bounds.least && value <= bounds.most) return;  // false for NaN
  refuse(bounds.key, fmt::format("{} is out of range", value),
         fmt::format("give a number from {} to {}", bounds.least, bounds.most));
}

Thirds thirds(double ns) { return std::llround(ns * kThirdsPerNs); }

/// Converts a lifetime; 0 means unlimited, both as argument and as result.
Thirds life(double us) { return us == 0 ? 0 : std::max<Thirds>(1, thirds(us * 1000)); }

Thirds byte_time(const Parameters& p) {
  double bits = 8;  // bits on the wire for a byte of data
  if (p.coding == Coding::k8b10b) bits = 10;
  if (p.coding == Coding::k64b66b) bits = 8 * 66.0 / 64;
  return std::max<Thirds>(1, thirds(bits / p.link_rate_gbps));
}

void check_ranges(const Parameters& p) {
  within("link_rate_gbps", p.link_rate_gbps);
  within("cable_m", p.cable_m);
  if (!(p.host_cable_m < 0)) within("host_cable_m", p.host_cable_m);
  within("propagation_ns_per_m", p.propagation_ns_per_m);
  within("credit_delay_ns", p.credit_delay_ns);
  within("hca_processing_ns", p.hca_processing_ns);
  within("routing_ns", p.routing_ns);
  within("routing_header_bytes", p.routing_header_bytes);
  within("crossbar_speedup", p.crossbar_speedup);
  within("input_buffer_bytes", p.input_buffer_bytes);
  within("output_buffer_bytes", p.output_buffer_bytes);
  within("central_buffer_bytes", p.central_buffer_bytes);
  within("management_buffer_bytes", p.management_buffer_bytes);
  within("head_of_queue_life_us", p.head_of_queue_life_us);
  within("switch_life_us", p.switch_life_us);
  within("arbitration_high_limit", p.arbitration_high_limit);
  within("mtu_bytes", p.mtu_bytes);
  within("header_bytes", p.header_bytes);
  within("hca_queue_packets", p.hca_queue_packets);
  within("adaptive_hops", p.adaptive_hops);
  within("congested_bytes", p.congested_bytes);
  within("settle_ns", p.settle_ns);
  within("flow_rate_gbps", p.flow_rate_gbps);
  if (p.flow_rate_gbps > 0 && p.flow_rate_gbps < kLeastFlowRateGbps)
    refuse("flow_rate_gbps", fmt::format("{} is too low", p.flow_rate_gbps),
           fmt::format("give 0 (not throttled), or at least {}", kLeastFlowRateGbps));
  if (p.flow_rate_gbps > 0 && thirds(8 / p.flow_rate_gbps) < byte_time(p))
    refuse("flow_rate_gbps",
           fmt::format("{} is above the rate of the hosts' links", p.flow_rate_gbps),
           fmt::format("stay within {:.4g}, or give 0",
                       8.0 * kThirdsPerNs / static_cast<double>(byte_time(p))));
}

void check_input_queues(const Parameters& p) {
  if (p.input_queues == InputQueues::kPerOutput && selects_per_packet(p.selection))
    refuse("input_queues",
           "\"per-output\" queues a packet for one port, and this selection for none",
           "choose \"fifo\", or selection \"deterministic\" or \"ear\"");
}

void check_replication(const Parameters& p) {
  if (p.replication == Replication::kNone) return;
  if (p.selection != Selection::kDeterministic || p.input_queues != InputQueues::kFifo)
    refuse("replication", "is given with a selection or with queues per output",
           "choose selection \"deterministic\" and input_queues \"fifo\", or no replication");
}

void check_own_port(const Parameters& p) {
  if (p.own_port == OwnPort::kEscape && !p.escape_queues)
    refuse("own_port",
           "\"escape\" leaves a packet's own port to its escape queue, and there is none",
           "set escape_queues = true, or own_port = \"any\"");
}

void check_packet_fits(const Parameters& p) {
  const unsigned most = p.mtu_bytes + p.header_bytes;
  if (most > kMaxPacketBytes)
    refuse("mtu_bytes", fmt::format("a packet of mtu_bytes + header_bytes = {} is too long", most),
           fmt::format("stay within {} bytes", kMaxPacketBytes));
  const bool escape = p.escape_queues && selects_per_packet(p.selection);
  const unsigned blocks = blocks_of(most) * (escape ? 2 : 1);
  const auto check = [&](std::string_view key, unsigned buffer_bytes) {
    if (blocks <= buffer_bytes / kBlockBytes) return;
    refuse(key,
           fmt::format("{} bytes hold no {} of mtu_bytes + header_bytes = {}", buffer_bytes,
                       escape ? "two packets (adaptive and escape)" : "packet", most),
           fmt::format("give at least {}", blocks * kBlockBytes));
  };
  check("input_buffer_bytes", p.input_buffer_bytes);
  check("output_buffer_bytes", p.output_buffer_bytes);
  if (p.replication == Replication::kCentral && p.central_buffer_bytes > 0)
    check("central_buffer_bytes", p.central_buffer_bytes);
}

void check_entries(std::string_view key, const std::vector<ArbitrationEntry>& entries) {
  if (entries.size() > kMaxArbitrationEntries)
    refuse(key, fmt::format("{} entries", entries.size()),
           fmt::format("a table has at most {}", kMaxArbitrationEntries));
  for (const ArbitrationEntry& entry : entries)
    if (entry.vl >= kMaxDataVls)
      refuse(key, fmt::format("VL {} is not arbitrated", unsigned{entry.vl}),
             fmt::format("name data VLs, 0 to {}", kMaxDataVls - 1));
}

/// Calls `see` with each VL on which a packet of these SLs may travel. VL 15 is among them if a
/// table drops such a packet.
template <class See>
void for_each_vl(const Tables& tables, const std::set<Sl>& sls, See&& see) {
  const auto look = [&](const Sl2VlRow& row) {
    for (const Sl sl : sls) see(row[sl]);
  };
  look(tables.host_sl2vl);
  for (SwitchId s = 0; s < tables.num_switches(); ++s) {
    if (tables.sl2vl.uniform(s)) {
      look(tables.sl2vl.default_row(s));
      continue;
    }
    const unsigned ports = tables.sl2vl.ports(s);
    for (unsigned in = 1; in <= ports; ++in)
      for (unsigned out = 1; out <= ports; ++out)
        look(tables.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)));
  }
}

/// Throws if the tables use a VL that no arbitration table serves: its packets would never be sent.
void check_all_are_served(const Parameters& p, const Tables& tables) {
  const auto served = [&](Vl vl) {
    const auto serves = [vl](const ArbitrationEntry& entry) {
      return entry.vl == vl && entry.weight > 0;
    };
    return std::any_of(p.arbitration_high.begin(), p.arbitration_high.end(), serves) ||
           std::any_of(p.arbitration_low.begin(), p.arbitration_low.end(), serves);
  };
  for_each_vl(tables, sls_of(tables), [&](Vl vl) {
    if (vl != kDropVl && !served(vl))
      refuse("arbitration_low",
             fmt::format("VL {}, which the tables use, has no weight in either arbitration table",
                         unsigned{vl}),
             "add an entry with a weight for it, or leave both tables out");
  });
}

}  // namespace

std::set<Sl> sls_of(const Tables& tables) {
  std::set<Sl> found;
  if (tables.one_sl()) return {0};
  for (SwitchId s = 0; s < tables.num_switches(); ++s)
    for (unsigned lid = 0; lid <= tables.top_lid(); ++lid)
      found.insert(tables.sl(s, static_cast<Lid>(lid)));
  return found;
}

unsigned vls_of(const Tables& tables) {
  unsigned vls = 1;
  for_each_vl(tables, sls_of(tables), [&](Vl vl) {
    if (vl != kDropVl) vls = std::max(vls, vl + 1u);
  });
  return vls;
}

Model resolve(const Parameters& p, const Tables& tables, unsigned vls) {
  check_ranges(p);
  check_input_queues(p);
  check_replication(p);
  check_own_port(p);
  check_packet_fits(p);
  check_entries("arbitration_high", p.arbitration_high);
  check_entries("arbitration_low", p.arbitration_low);
  for (const Sl sl : sls_of(tables))
    if (tables.host_sl2vl[sl] == kDropVl)
      throw InputError(fmt::format("SL {} is sent to VL 15, which hosts drop", unsigned{sl}),
                       "host_sl2vl of the tables", "map the SLs of all paths to data VLs");

  const Thirds byte = byte_time(p);
  const double host_cable_m = p.host_cable_m < 0 ? p.cable_m : p.host_cable_m;
  const Thirds between = thirds(p.cable_m * p.propagation_ns_per_m);
  const Thirds to_hosts = thirds(host_cable_m * p.propagation_ns_per_m);
  const Thirds routing = thirds(p.routing_ns), credit_delay = thirds(p.credit_delay_ns);
  const Thirds processing = thirds(p.hca_processing_ns);
  const Thirds at_head = life(p.head_of_queue_life_us), in_switch = life(p.switch_life_us);
  const bool waits_for_bytes =
      p.switching == Switching::kStoreAndForward || p.routing_header_bytes > 0;
  if (routing + std::min(between, to_hosts) == 0 && !waits_for_bytes)
    refuse("routing_ns", "a packet would pass a switch and its cable in zero time",
           "give routing_ns, cable_m or routing_header_bytes a value above 0");

  Thirds tick = byte;
  for (const Thirds duration :
       {between, to_hosts, routing, credit_delay, processing, at_head, in_switch})
    tick = std::gcd(tick, duration);

  // The fast network stores these durations in 32 bits.
  for (const Thirds duration : {byte, between, to_hosts})
    if (duration / tick > INT32_MAX)
      refuse("cable_m", "the greatest common divisor of the durations is too small",
             "give lengths and times of fewer digits, or a shorter cable");

  Model m;
  m.time_base.thirds_per_tick = tick;
  m.between_switches = {byte / tick, between / tick};
  m.to_hosts = {byte / tick, to_hosts / tick};
  m.routing = routing / tick;
  m.credit_delay = credit_delay / tick;
  m.processing = processing / tick;
  m.switching = p.switching;
  m.routing_header_bytes = p.routing_header_bytes;
  m.crossbar_speedup = p.crossbar_speedup;
  m.input_blocks = p.input_buffer_bytes / kBlockBytes;
  m.output_blocks = p.output_buffer_bytes / kBlockBytes;
  m.management_blocks = p.management_buffer_bytes / kBlockBytes;
  m.head_of_queue_life = at_head == 0 ? kNever : at_head / tick;
  m.switch_life = in_switch == 0 ? kNever : in_switch / tick;
  m.vls = std::max(vls, vls_of(tables));
  m.selection = p.selection;
  m.input_queues = p.input_queues;
  m.replication = p.replication;
  m.central_blocks =
      (p.central_buffer_bytes == 0 ? p.input_buffer_bytes : p.central_buffer_bytes) / kBlockBytes;
  m.escape_queues = p.escape_queues;
  m.own_port = p.own_port;
  m.adaptive_hops = p.adaptive_hops;
  m.congested_bytes = p.congested_bytes;
  m.settle = thirds(p.settle_ns) / tick;
  m.arbitration_high = p.arbitration_high;
  m.arbitration_low = p.arbitration_low;
  if (m.arbitration_high.empty() && m.arbitration_low.empty())
    for (unsigned vl = 0; vl < m.vls; ++vl)
      m.arbitration_low.push_back({static_cast<std::uint8_t>(vl), 1});
  else
    check_all_are_served(p, tables);
  m.arbitration_high_limit = p.arbitration_high_limit;
  m.mtu_bytes = p.mtu_bytes;
  m.header_bytes = p.header_bytes;
  m.hca_queue_packets = p.hca_queue_packets;
  m.paths = p.paths;
  m.drop = p.drop;
  if (p.flow_rate_gbps > 0)
    m.throttled_byte_time = 8 * kThirdsPerNs / p.flow_rate_gbps / static_cast<double>(tick);
  return m;
}

}  // namespace selvedge::sim
