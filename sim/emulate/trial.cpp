// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/trial.hpp"

#include <algorithm>

#include "sim/emulate/reachability.hpp"

namespace selvedge::sim {
namespace {

/// Time between two checks of the tables and for a deadlock.
constexpr std::chrono::nanoseconds kLookInterval{20'000};

/// CPU time that an idle manager uses, since its threads wake from time to time: this share of the
/// machine's time, plus one burst.
constexpr double kIdleShare = 0.1;
constexpr std::chrono::nanoseconds kIdleBurst{500'000};

}  // namespace

std::uint64_t TrialResult::all_lost() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : lost) sum += n;
  return sum;
}

Trial::Trial(Core& core, DataPlane& plane, SwitchedTraffic& traffic, PathQueries& queries,
             const std::vector<PortAt>& ports, EmulationClock& clock, TrialPlan plan)
    : core_(core),
      plane_(plane),
      traffic_(traffic),
      queries_(queries),
      ports_(ports),
      clock_(clock),
      plan_(std::move(plan)) {
  queries_.await_subnet();
}

std::string Trial::phase() const {
  switch (phase_) {
    case Phase::kUp:
      return "bringing the subnet up";
    case Phase::kPaths:
      return "asking for paths";
    case Phase::kQuiet:
      return "waiting for the manager";
    case Phase::kWarmUp:
      return "warming up";
    case Phase::kDrain:
      return "draining";
    case Phase::kRepair:
      return "repairing";
    case Phase::kAskAgain:
      return "asking for paths again";
    case Phase::kEnd:
      break;
  }
  return "ended";
}

std::optional<Nanoseconds> Trial::deadline() const {
  switch (phase_) {
    case Phase::kWarmUp:
      return phase_began_ + plan_.warm_up;
    case Phase::kDrain:
      return next_look_;
    case Phase::kRepair:
      return settled() ? next_look_ : std::min(next_look_, quiet_since_ + plan_.settle);
    case Phase::kQuiet:
      // The fabric's time is over; now only the machine's time must pass.
      if (settled()) return std::nullopt;
      return quiet_since_ + plan_.settle;
    default:
      return std::nullopt;
  }
}

Nanoseconds Trial::slowest() const {
  const Histogram& latency = plane_.network().window().latency;
  return Nanoseconds(static_cast<std::int64_t>(plane_.time_base().ns(latency.max())));
}

void Trial::watch_manager() {
  const auto now = std::chrono::steady_clock::now();
  // While pairs are not routed, outstanding requests count as activity: their repetition or giving
  // up may make the manager act. Once all pairs are routed, they do not: a request over a dead
  // cable takes a second until it is given up.
  const bool waits = result_.unrouted_pairs > 0 && core_.deadline();
  // The emulator has not yet read MADs that a manager sent ahead of the fabric's time.
  const bool behind = clock_.behind() > kIdleBurst;
  const Nanoseconds used = clock_.managers_used() - used_;
  if (!behind && core_.statistics().from_clients == sent_ && plane_.under_way() == 0 && !waits &&
      used <= kIdleShare * (now - quiet_from_) + kIdleBurst)
    return;
  sent_ = core_.statistics().from_clients;
  used_ = clock_.managers_used();
  quiet_from_ = now;
  quiet_since_ = plane_.now();
}

void Trial::on_time() {
  const Nanoseconds now = plane_.now();
  watch_manager();
  if (std::chrono::steady_clock::now() - began_ > plan_.patience) {
    if (phase_ == Phase::kRepair) finish();
    result_.stopped_while = phase();
    return end();
  }
  switch (phase_) {
    case Phase::kUp:
      if (!queries_.up()) return;
      result_.came_up = true;
      queries_.ask_all();
      phase_ = Phase::kPaths;
      return;
    case Phase::kPaths:
      if (!queries_.done()) return;
      first_paths_ = queries_.paths();
      result_.without_path = queries_.without_path();
      phase_ = Phase::kQuiet;
      return;
    case Phase::kQuiet:
      if (!quiet(plan_.quiet_before)) return;
      traffic_.turn_on(plane_.network().now());
      plane_.poll_sources();
      phase_began_ = now;
      phase_ = Phase::kWarmUp;
      return;
    case Phase::kWarmUp:
      if (now < phase_began_ + plan_.warm_up) return;
      before_ = plane_.network().totals();
      result_.slowest_before = slowest();
      plane_.clear_window();
      fault_at_ = next_point_ = next_look_ = now;
      if (!plan_.drain) return fault();
      plan_.drain();
      phase_ = Phase::kDrain;
      return;
    case Phase::kDrain:
      look();
      if (plan_.drained()) fault();
      return;
    case Phase::kRepair:
      look();
      if (now - fault_at_ > plan_.longest || quiet(plan_.quiet_after)) {
        result_.ended = settled();
        finish();
        traffic_.turn_off(plane_.network().now());
        plane_.poll_sources();
        queries_.ask_all();
        phase_ = Phase::kAskAgain;
      }
      return;
    case Phase::kAskAgain:
      if (!queries_.done()) return;
      result_.asked_again = true;
      result_.changed_paths = queries_.changed_paths();
      for (std::size_t i = 0; i < first_paths_.size(); ++i) {
        const PathAnswer &first = first_paths_[i], &again = queries_.paths()[i];
        result_.pairs += first.dlid != kNoLid;
        result_.changed_sls += first.dlid != kNoLid && again.dlid != kNoLid && first.sl != again.sl;
      }
      return end();
    case Phase::kEnd:
      return;
  }
}

void Trial::fault() {
  // Times, also those of the curve's points so far, count from the cut.
  const Nanoseconds drained_after = plane_.now() - fault_at_;
  for (TrialPoint& point : result_.curve) point.at -= drained_after;
  fault_at_ = quiet_since_ = plane_.now();
  quiet_from_ = std::chrono::steady_clock::now();
  faulted_ = true;
  for (const PortAt at : plan_.links) core_.subnet().cut(at);
  for (const NodeId n : plan_.switches) core_.subnet().kill(n);
  core_.subnet_changed();
  next_look_ = fault_at_;
  phase_ = Phase::kRepair;
}

/// Checks what has happened since the last call: losses, changed tables, deadlock.
void Trial::look(bool at_end) {
  const Nanoseconds now = plane_.now();
  const std::uint64_t lost = plane_.network().totals().all_lost();
  if (lost != lost_seen_) {
    lost_seen_ = lost;
    if (faulted_ && lost > before_.all_lost()) result_.last_loss = now - fault_at_;
  }
  if (now >= next_point_) record_point();
  if (now < next_look_ && !at_end) return;
  next_look_ = now + kLookInterval;
  result_.deadlock = result_.deadlock || !plane_.network().deadlock(true).empty();
  if (!faulted_ || (plane_.table_writes() == writes_seen_ && !at_end)) return;
  writes_seen_ = plane_.table_writes();
  result_.unrouted_pairs = count_unrouted(core_.subnet(), ports_, first_paths_);
  if (result_.unrouted_pairs != 0)
    result_.routed.reset();
  else if (!result_.routed)
    result_.routed = now - fault_at_;
}

void Trial::record_point() {
  const Totals& t = plane_.network().totals();
  result_.curve.push_back({plane_.now() - fault_at_, t.delivered - before_.delivered,
                           t.all_lost() - before_.all_lost()});
  next_point_ = plane_.now() + plan_.interval;
}

void Trial::finish() {
  look(true);
  record_point();
  const Totals& t = plane_.network().totals();
  result_.fabric_time = plane_.now() - fault_at_;
  result_.delivered = t.delivered - before_.delivered;
  for (unsigned i = 0; i < kLosses; ++i) result_.lost[i] = t.lost[i] - before_.lost[i];
  result_.slowest = slowest();
  result_.packet_hops = t.packet_hops;
}

}  // namespace selvedge::sim
