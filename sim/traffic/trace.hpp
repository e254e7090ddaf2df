// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traces: messages with their times and their dependencies. docs/simulator.md ("Traces") describes
// the CSV file; Trace is the content of such a file as a value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

inline constexpr double kMaxTraceTimeNs = 1e15;

struct TraceMessage {
  /// When the message is generated, counted from the start of the simulation. For a message that
  /// waits for others: counted from one tick after the last of them has arrived.
  double time_ns = 0;
  HostId from = kNoHost, to = kNoHost;
  std::uint32_t bytes = 0;
  bool management = false;  // on VL 15
  friend bool operator==(const TraceMessage&, const TraceMessage&) = default;
};

struct Trace {
  std::vector<TraceMessage> messages;
  /// Message i waits for after[after_first[i]] … after[after_first[i + 1] − 1], which precede it.
  std::vector<std::uint32_t> after_first{0}, after;

  std::span<const std::uint32_t> waits_for(std::size_t message) const {
    return {after.data() + after_first[message], after_first[message + 1] - after_first[message]};
  }
  /// `waits`: indices of messages that were added before.
  void add(const TraceMessage& message, std::span<const std::uint32_t> waits = {});
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Reads a trace from CSV text. `where` names the source of the text in error messages. Throws
/// InputError, with the line's number, for malformed lines, hosts that the fabric does not have or
/// that are not attached, messages to the sender itself, and references to ids that no earlier line
/// has.
Trace read_trace(std::string_view text, const std::string& where, const Fabric& fabric);
Trace read_trace_file(const std::string& path, const Fabric& fabric);

/// Writes a trace as CSV, with hosts by their numbers among the attached ones. read_trace() of the
/// result gives the same Trace.
std::string write_trace(const Trace& trace, const Fabric& fabric);

/// Replays the trace, with all times divided by `time_compression`. If a packet of a message is
/// lost, the messages that wait for it are never sent. Throws InputError for a compression out of
/// range.
std::unique_ptr<Traffic> replay(Trace trace, const Fabric& fabric, const Model& model,
                                double time_compression);

/// Requests of hosts to disks and their answers, by the distributions in docs/simulator.md
/// ("Synthetic I/O"). Throws InputError for values out of range and for fewer hosts than disks + 1.
Trace synthetic_io(const TrafficSpec& spec, const Fabric& fabric, std::uint64_t seed);

}  // namespace selvedge::sim
