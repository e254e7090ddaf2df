// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/traffic: the sources, destinations, sizes and times of messages. docs/simulator.md
// ("Traffic") defines every pattern.
//
// TrafficSpec has a member for each key of an experiment's [traffic], in the user's units.
// make_traffic() turns it into the Traffic that the network calls (sim/model/traffic.hpp). Only
// attached hosts take part. They are numbered 0 … n − 1 in the order of their ids, and patterns are
// arithmetic on these numbers. A host that would send to itself sends nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "sim/model/model.hpp"
#include "sim/model/traffic.hpp"
#include "sim/traffic/class_spec.hpp"

namespace selvedge::sim {

/// When a host's messages are generated (open loop).
enum class Arrival : std::uint8_t {
  kPoisson,   // exponential gaps
  kPeriodic,  // equal gaps, each host with a random phase
  kOnOff,     // bursts
};

struct TrafficSpec {
  std::string pattern = "uniform";  // a name of patterns()

  // --- Open loop: messages are generated independent of the network's state
  /// Share of a host link's data rate, headers included. Above 1 a source never pauses.
  double load = 0.1;
  std::uint32_t payload_bytes = 32;  // of a message; above the MTU the message is several packets
  Arrival arrival = Arrival::kPoisson;
  double burst_messages = 16;           // kOnOff: mean length of a burst (geometric)
  double burst_load = 1;                // kOnOff: load within a burst, whose gaps are equal
  std::uint64_t messages_per_host = 0;  // after so many the host stops sending; 0 = no limit

  // --- Closed loop, with any pattern of destinations; used if window > 0. Then load and arrival
  // have no effect.
  std::uint32_t window = 0;          // outstanding requests per host
  std::uint32_t response_bytes = 0;  // > 0: the destination answers; a request ends with its answer
  double think_ns = 0;               // mean (exponential) pause from a request's end to the next

  // --- Destinations
  std::vector<std::string> hot_hosts;  // hot-spot, hot-sources: names of the hot spots
  std::uint32_t hot_spots = 1;         // if hot_hosts is empty: number of hot spots drawn by seed
  double hot_share = 0.05;             // hot-spot: share of every host's messages to hot spots
  double hot_sources = 0.1;            // hot-sources: share of the hosts, drawn by seed
  std::uint32_t shift = 1;             // shift: to host i + shift
  std::uint32_t digit = 0;             // same-digit: to hosts ≡ digit (mod radix)
  std::uint32_t radix = 0;             // 0 = hosts of a leaf switch
  /// permutations: bytes that a host sends to one destination before it goes on to the next
  /// permutation; 0 = the first permutation for ever.
  std::uint64_t permutation_bytes = 1 << 18;

  // --- Collectives (all-to-all, ring-allreduce): payload_bytes per message. For all-to-all, window
  // is the number of outstanding messages per host; 0 = all at once
  std::uint64_t rounds = 0;  // number of rounds, with a barrier after each; 0 = no limit

  // --- Traces (trace, io)
  std::string trace;            // path of a CSV file
  double time_compression = 1;  // times are divided by it

  // --- io: synthetic requests of hosts to disks and their answers
  std::uint32_t disks = 23;
  std::uint64_t io_requests = 10'000;  // of all hosts together
  double io_rate_per_s = 400;          // requests of all hosts together, on the long-run average

  // --- Classes. If there are some, of the members above only `load` and those of destinations
  // apply
  std::vector<ClassSpec> classes;

  friend bool operator==(const TrafficSpec&, const TrafficSpec&) = default;
};

/// Makes the traffic that `spec` describes. The fabric must outlive the traffic. `model` gives the
/// length of a tick, the host links' byte time, the MTU and the header size. Every host has random
/// streams of its own, derived from `seed`. Throws InputError for an unknown pattern (the error
/// names the most similar known one), a value out of range (named as in [traffic]), a pattern that
/// is not defined on this fabric, and a trace that cannot be read or does not match the fabric.
/// Classes that send probes need `tables`, which must outlive the traffic.
std::unique_ptr<Traffic> make_traffic(const TrafficSpec& spec, const Fabric& fabric,
                                      const Model& model, std::uint64_t seed,
                                      const Tables* tables = nullptr);

struct PatternHelp {
  std::string_view name, help;
};
/// All patterns, in the order of the documentation.
std::span<const PatternHelp> patterns();

}  // namespace selvedge::sim
