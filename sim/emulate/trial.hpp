// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A trial of one fault under traffic, with an opensm that manages the emulated subnet. The subnet
// comes up, the hosts ask the SA for their paths, and they send for a while. Then cables are cut
// and switches fail, and the manager repairs. When the manager has nothing left to do, the hosts
// ask for their paths again. Each phase begins when the one before has ended, so the result does
// not depend on how fast the machine is.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/emulate/course.hpp"
#include "sim/emulate/emulation_clock.hpp"
#include "sim/emulate/path_queries.hpp"
#include "sim/emulate/switched_traffic.hpp"

namespace selvedge::sim {

struct TrialPlan {
  std::vector<PortAt> links;     // cut at the fault
  std::vector<NodeId> switches;  // fail at the fault
  std::chrono::nanoseconds warm_up{1'000'000};
  /// The manager is done when it has sent nothing and used next to no CPU time for `settle` of the
  /// fabric's time, and for quiet_before (before the fault) or quiet_after of the machine's time.
  /// The machine's time counts too, since the timers by which the manager's threads wake run by it.
  std::chrono::nanoseconds settle{2'000'000};
  std::chrono::milliseconds quiet_before{300}, quiet_after{100};
  /// The trial ends at the latest after `longest` of the fabric's time since the fault, and after
  /// `patience` of the machine's time in all.
  std::chrono::nanoseconds longest{20'000'000'000};
  std::chrono::seconds patience{600};
  std::chrono::nanoseconds interval{100'000};  // between two points of the curves
  /// Begins to take the links out of service before they are cut; called once. If empty, there is
  /// no drain.
  std::function<void()> drain;
  /// Whether the drain has ended. Throws if the drain was refused.
  std::function<bool()> drained;
};

/// A point of the curves: packets counted from the end of the warm-up up to the time `at`.
struct TrialPoint {
  std::chrono::nanoseconds at{};  // since the fault; negative before it
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
};

struct TrialResult {
  bool came_up = false;
  bool ended = false;         // after the fault the manager was done in time
  bool asked_again = false;   // after that, the hosts have asked for their paths again
  std::string stopped_while;  // the phase in which `patience` ran out; empty: in none
  std::chrono::nanoseconds fabric_time{};
  std::uint64_t delivered = 0;                // from the end of the warm-up on
  std::array<std::uint64_t, kLosses> lost{};  // likewise, by cause; without cut_off
  std::uint64_t cut_off = 0;                  // lost between hosts that no cables connect any more
  std::uint64_t all_lost() const;             // without cut_off
  /// Since the fault: when the tables led every pair to its destination again, and the last loss.
  std::optional<std::chrono::nanoseconds> routed, last_loss;
  std::uint64_t unrouted_pairs = 0;                      // at the end
  std::chrono::nanoseconds slowest_before{}, slowest{};  // longest packet latency in, after warm-up
  std::uint64_t changed_paths = 0, changed_sls = 0;      // pairs whose path, whose SL has changed
  std::uint64_t pairs = 0, without_path = 0;
  bool deadlock = false;
  std::uint64_t packet_hops = 0;
  std::vector<TrialPoint> curve;
};

class Trial : public Course {
 public:
  /// `ports`: for each host its port. All references must outlive the trial.
  Trial(Core& core, DataPlane& plane, SwitchedTraffic& traffic, PathQueries& queries,
        const std::vector<PortAt>& ports, EmulationClock& clock, TrialPlan plan);
  ~Trial() override { plane_.on_loss({}); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Begins the next phase if the present one has ended.
  void on_time() override;
  std::optional<Nanoseconds> deadline() const override;
  bool ended() const override { return phase_ == Phase::kEnd; }
  /// What the trial waits for, in words, to be shown to the user.
  std::string phase() const;
  const TrialResult& result() const { return result_; }

 private:
  enum class Phase : std::uint8_t {
    kUp,
    kPaths,
    kQuiet,
    kWarmUp,
    kDrain,
    kRepair,
    kAskAgain,
    kEnd
  };
  // --- What ends a phase and begins the next, in their order
  void ask_first();
  void keep_paths();
  void begin_traffic();
  void begin_measuring();
  void fault();
  void ask_again();
  void compare_paths();
  void give_up();

  // --- Meanwhile
  void watch_manager();
  void count_loss(const Delivery& packet, Loss why);
  bool cut_off(HostId from, HostId to) const;
  /// Checks at intervals whether the LFTs route every pair and whether there is a deadlock; with
  /// `at_end` at once.
  void look(bool at_end = false);
  void record_point();
  /// Ends the measurement: the last check, the last point of the curves, and the totals.
  void finish();
  bool settled() const { return plane_.now() >= quiet_since_ + plan_.settle; }
  bool quiet(std::chrono::milliseconds time) const {
    return settled() && std::chrono::steady_clock::now() >= quiet_from_ + time;
  }
  Nanoseconds slowest() const;

  Core& core_;
  DataPlane& plane_;
  SwitchedTraffic& traffic_;
  PathQueries& queries_;
  const std::vector<PortAt>& ports_;
  EmulationClock& clock_;
  const TrialPlan plan_;
  TrialResult result_;
  Phase phase_ = Phase::kUp;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  // Since when the manager has been quiet (in the machine's time and in the fabric's), and the CPU
  // time it had used and the MADs it had sent by then.
  std::chrono::steady_clock::time_point quiet_from_ = began_;
  Nanoseconds quiet_since_{}, used_{};
  std::uint64_t sent_ = 0;
  Nanoseconds phase_began_{}, fault_at_{}, next_point_{}, next_look_{};
  bool faulted_ = false, measuring_ = false;
  std::vector<std::uint32_t> components_;  // of hosts, once the fault has happened
  std::uint64_t delivered_before_ = 0;     // at the end of the warm-up
  std::uint64_t writes_seen_ = 0;          // DataPlane::table_writes() at the last check
  std::vector<PathAnswer> first_paths_;    // as the hosts used them
};

}  // namespace selvedge::sim
