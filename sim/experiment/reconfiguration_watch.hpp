// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What traffic sees of changes of the tables.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/model/traffic.hpp"
#include "sim/reconfigure/manager.hpp"

namespace selvedge::sim {

/// Packets delivered, and their times from generation to delivery.
struct Delivered {
  std::uint64_t packets = 0, bytes = 0;
  Tick latency = 0;     // sum
  Tick in_network = 0;  // of it, from the injection on
  Tick longest = 0;     // of any packet
  void add(const Delivery& d) {
    ++packets;
    bytes += d.bytes;
    latency += d.delivered - d.generated;
    in_network += d.delivered - d.injected;
    longest = std::max(longest, d.delivered - d.generated);
  }
};

class ReconfigurationWatch {
 public:
  explicit ReconfigurationWatch(const Manager& manager) : manager_(manager) {}

  /// The measurement begins; what was delivered before does not count.
  void begin(Tick now) { began_ = now; }
  /// A fault, or the beginning of a change without one.
  void cause(Tick now) { first_cause_ = std::min(first_cause_, now); }
  void delivered(const Delivery& d);
  void lost(const Delivery& d);

  Tick began() const { return began_; }
  Tick first_cause() const { return first_cause_; }
  /// Delivered after the beginning of the measurement and before the first cause.
  const Delivered& before() const { return before_; }
  /// Delivered, or generated, between the detection and the end of a change.
  const Delivered& during() const { return during_; }
  const Delivered& generated_during() const { return generated_; }
  /// The longest time from its generation to its delivery of a packet that existed at some time
  /// between the first cause and the end of the last change.
  Tick stall() const { return stall_; }
  /// When a packet was lost last, from the first cause on; kNever: none was.
  Tick last_loss() const { return last_loss_; }

 private:
  /// The end of the changes so far; kNever: one is under way, or none has been begun.
  Tick end_of_changes() const {
    return manager_.changes().empty() || !manager_.idle() ? kNever
                                                          : manager_.changes().back().distributed;
  }

  const Manager& manager_;
  Tick began_ = kNever, first_cause_ = kNever;
  Delivered before_, during_, generated_;
  Tick stall_ = 0, last_loss_ = kNever;
};

struct ReconfigurationResult {
  std::vector<Reconfiguration> changes;
  bool reached = false;  // the switches hold the tables of the last change
  std::uint64_t smps = 0;
  Delivered before, during, generated;
  Tick before_ticks = 0, during_ticks = 0;
  Tick stall = 0;        // ReconfigurationWatch::stall()
  Tick outage = kNever;  // from the first cause to the last loss; kNever: nothing was lost
};

ReconfigurationResult result_of(const ReconfigurationWatch& watch, const Manager& manager);

}  // namespace selvedge::sim
