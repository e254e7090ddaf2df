// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/read_model.hpp"

#include <charconv>

#include "sim/model/bounds.hpp"
#include "sim/traffic/packets.hpp"

namespace selvedge::sim {
namespace {

void read(Keys& keys, const BoundedKey& bounds, double& value) {
  keys.read(bounds.key, value, {.least = bounds.least, .most = bounds.most});
}
void read(Keys& keys, const BoundedKey& bounds, unsigned& value) {
  keys.read(bounds.key, value,
            {.least = static_cast<std::int64_t>(bounds.least),
             .most = static_cast<std::int64_t>(bounds.most)});
}

/// Parses the whole text as a number; false if it is none or above `most`.
bool take_number(std::string_view text, unsigned most, unsigned& number) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [at, error] = std::from_chars(begin, end, number);
  return error == std::errc{} && at == end && number <= most;
}

void read_entries(Keys& keys, std::string_view key, std::vector<ArbitrationEntry>& entries) {
  std::string text;
  for (const ArbitrationEntry& e : entries)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", e.vl, e.weight);
  keys.read(key, text);
  entries = read_arbitration(text, fmt::format("[model] {}", key), keys.section().at(key));
}

}  // namespace

std::vector<ArbitrationEntry> read_arbitration(std::string_view text, const std::string& key,
                                               const std::string& where) {
  std::vector<ArbitrationEntry> entries;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(entry.size() == text.size() ? entry.size() : entry.size() + 1);
    const std::size_t colon = entry.find(':');
    unsigned vl = 0, weight = 0;
    if (colon == std::string_view::npos || !take_number(entry.substr(0, colon), 14, vl) ||
        !take_number(entry.substr(colon + 1), 255, weight))
      throw InputError(fmt::format("{} has an entry that is not allowed", key),
                       fmt::format("{}, '{}'", where, entry),
                       "write VL:WEIGHT, a VL from 0 to 14 and a weight from 0 to 255");
    entries.push_back({static_cast<std::uint8_t>(vl), static_cast<std::uint8_t>(weight)});
  }
  if (entries.size() > kMaxArbitrationEntries)
    throw InputError(fmt::format("{} has {} entries", key, entries.size()), where,
                     fmt::format("write at most {}", kMaxArbitrationEntries));
  return entries;
}

const Preset& read_model(Keys& keys, Parameters& m) {
  std::vector<std::string_view> names;
  for (const Preset& p : presets()) names.push_back(p.name);
  std::size_t chosen = 0;
  keys.choose("preset", chosen, names);
  const Preset& preset = presets()[chosen];
  m = preset.parameters;

  read(keys, "link_rate_gbps", m.link_rate_gbps);
  keys.choose("coding", m.coding, {"none", "8b10b", "64b66b"});
  read(keys, "cable_m", m.cable_m);
  double host_cable_m = m.host_cable_m < 0 ? m.cable_m : m.host_cable_m;
  read(keys, "host_cable_m", host_cable_m);
  m.host_cable_m = host_cable_m;
  read(keys, "propagation_ns_per_m", m.propagation_ns_per_m);
  read(keys, "credit_delay_ns", m.credit_delay_ns);
  read(keys, "hca_processing_ns", m.hca_processing_ns);

  keys.choose("switching", m.switching, {"cut-through", "store-and-forward"});
  read(keys, "routing_ns", m.routing_ns);
  read(keys, "routing_header_bytes", m.routing_header_bytes);
  read(keys, "crossbar_speedup", m.crossbar_speedup);
  if (keys.has("buffer_bytes")) {
    keys.read("buffer_bytes", m.input_buffer_bytes,
              {.least = kBlockBytes, .most = kMaxBufferBytes});
    m.output_buffer_bytes = m.input_buffer_bytes;
  }
  read(keys, "input_buffer_bytes", m.input_buffer_bytes);
  read(keys, "output_buffer_bytes", m.output_buffer_bytes);
  keys.choose("input_queues", m.input_queues, {"fifo", "per-output"});
  keys.choose(
      "replication", m.replication,
      {"none", "synchronous-fcfs", "synchronous-rr", "synchronous-held", "counter", "central"});
  read(keys, "central_buffer_bytes", m.central_buffer_bytes);
  read(keys, "management_buffer_bytes", m.management_buffer_bytes);
  read(keys, "head_of_queue_life_us", m.head_of_queue_life_us);
  read(keys, "switch_life_us", m.switch_life_us);
  keys.choose("drop", m.drop, {"all", "selective"});

  keys.choose("selection", m.selection,
              {"deterministic", "first-free", "most-credits", "least-frequently-used", "sadp",
               "random", "ear"});
  keys.read("escape_queues", m.escape_queues);
  keys.choose("own_port", m.own_port, {"any", "escape"});
  read(keys, "adaptive_hops", m.adaptive_hops);
  read(keys, "congested_bytes", m.congested_bytes);
  read(keys, "settle_ns", m.settle_ns);

  read_entries(keys, "arbitration_high", m.arbitration_high);
  read_entries(keys, "arbitration_low", m.arbitration_low);
  read(keys, "arbitration_high_limit", m.arbitration_high_limit);

  read(keys, "mtu_bytes", m.mtu_bytes);
  read(keys, "header_bytes", m.header_bytes);
  read(keys, "hca_queue_packets", m.hca_queue_packets);
  read(keys, "flow_rate_gbps", m.flow_rate_gbps);
  keys.choose("paths", m.paths, {"first", "round-robin", "random"});
  return preset;
}

void read_traffic(Keys& keys, const Preset& preset, TrafficSpec& t) {
  t.payload_bytes = preset.payload_bytes;
  keys.read("pattern", t.pattern);
  keys.read("load", t.load, {.least = 1e-6, .most = 100});
  keys.read("payload_bytes", t.payload_bytes, {.most = kMaxMessageBytes});
  keys.choose("arrival", t.arrival, {"poisson", "periodic", "on-off"});
  keys.read("burst_messages", t.burst_messages, {.least = 1, .most = 1e9});
  keys.read("burst_load", t.burst_load, {.least = 1e-6, .most = 100});
  keys.read("messages_per_host", t.messages_per_host, {});
  keys.read("window", t.window, {.most = 1 << 20});
  keys.read("response_bytes", t.response_bytes, {.most = kMaxMessageBytes});
  keys.read("think_ns", t.think_ns, {.most = 1e12});
  keys.read("hot_hosts", t.hot_hosts, 1 << 16);
  keys.read("hot_spots", t.hot_spots, {.least = 1, .most = 1 << 16});
  keys.read("hot_share", t.hot_share, {.most = 1});
  keys.read("hot_sources", t.hot_sources, {.most = 1});
  keys.read("shift", t.shift, {.most = 1 << 24});
  keys.read("digit", t.digit, {.most = 1 << 16});
  keys.read("radix", t.radix, {.most = 1 << 16});
  keys.read("permutation_bytes", t.permutation_bytes, {});
  keys.read("rounds", t.rounds, {});
  keys.read("trace", t.trace);
  keys.read("time_compression", t.time_compression, {.least = 1e-6, .most = 1e9});
  keys.read("disks", t.disks, {.least = 1, .most = 1 << 16});
  keys.read("io_requests", t.io_requests, {.least = 1, .most = 100'000'000});
  keys.read("io_rate_per_s", t.io_rate_per_s, {.least = 1, .most = 1e9});
}

}  // namespace selvedge::sim
