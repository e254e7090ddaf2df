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
  plane_.on_loss([this](const Delivery& packet, Loss why) { count_loss(packet, why); });
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
      // Enough simulated time has passed; what is left of the wait is wall time.
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

void Trial::on_time() {
  watch_manager();
  if (std::chrono::steady_clock::now() - began_ > plan_.patience) return give_up();
  const Nanoseconds now = plane_.now();
  switch (phase_) {
    case Phase::kUp:
      if (queries_.up()) ask_first();
      return;
    case Phase::kPaths:
      if (queries_.done()) keep_paths();
      return;
    case Phase::kQuiet:
      if (quiet(plan_.quiet_before)) begin_traffic();
      return;
    case Phase::kWarmUp:
      if (now >= phase_began_ + plan_.warm_up) begin_measuring();
      return;
    case Phase::kDrain:
      look();
      if (plan_.drained()) fault();
      return;
    case Phase::kRepair:
      look();
      if (now - fault_at_ > plan_.longest || quiet(plan_.quiet_after)) ask_again();
      return;
    case Phase::kAskAgain:
      if (queries_.done()) compare_paths();
      return;
    case Phase::kEnd:
      return;
  }
}

// --- The phases

void Trial::ask_first() {
  result_.came_up = true;
  queries_.ask_all();
  phase_ = Phase::kPaths;
}

void Trial::keep_paths() {
  first_paths_ = queries_.paths();
  result_.without_path = queries_.without_path();
  phase_ = Phase::kQuiet;
}

void Trial::begin_traffic() {
  traffic_.turn_on(plane_.network().now());
  plane_.poll_sources();
  phase_began_ = plane_.now();
  phase_ = Phase::kWarmUp;
}

void Trial::begin_measuring() {
  delivered_before_ = plane_.network().totals().delivered;
  result_.slowest_before = slowest();
  plane_.clear_window();
  measuring_ = true;
  fault_at_ = next_point_ = next_look_ = plane_.now();
  if (!plan_.drain) return fault();
  plan_.drain();
  phase_ = Phase::kDrain;
}

void Trial::fault() {
  // Curves and times count from here.
  const Nanoseconds drained_after = plane_.now() - fault_at_;
  for (TrialPoint& point : result_.curve) point.at -= drained_after;
  fault_at_ = quiet_since_ = plane_.now();
  quiet_from_ = std::chrono::steady_clock::now();
  faulted_ = true;
  for (const PortAt at : plan_.links) core_.subnet().cut(at);
  for (const NodeId n : plan_.switches) core_.subnet().kill(n);
  components_ = host_components(core_.subnet(), ports_);
  core_.subnet_changed();  // which loses the packets on these wires
  next_look_ = fault_at_;
  phase_ = Phase::kRepair;
}

void Trial::ask_again() {
  result_.ended = settled();
  finish();
  traffic_.turn_off(plane_.network().now());
  plane_.poll_sources();
  queries_.ask_all();
  phase_ = Phase::kAskAgain;
}

void Trial::compare_paths() {
  result_.asked_again = true;
  result_.changed_paths = queries_.changed_paths();
  for (std::size_t i = 0; i < first_paths_.size(); ++i) {
    const PathAnswer &first = first_paths_[i], &again = queries_.paths()[i];
    result_.pairs += first.dlid != kNoLid;
    result_.changed_sls += first.dlid != kNoLid && again.dlid != kNoLid && first.sl != again.sl;
  }
  phase_ = Phase::kEnd;
}

void Trial::give_up() {
  if (phase_ == Phase::kRepair) finish();
  result_.stopped_while = phase();
  phase_ = Phase::kEnd;
}

// --- Meanwhile

void Trial::watch_manager() {
  const auto now = std::chrono::steady_clock::now();
  // While pairs are not routed, the manager may still act on a trap, or when a request of its own
  // is answered or times out. Once all are routed, such requests are not waited for: beyond a dead
  // cable each takes a second to time out. Traps never count that cannot reach the manager by the
  // present tables, or that have reached it and are repeated because it does not repress them.
  const bool waits = result_.unrouted_pairs > 0 && core_.more_for_clients();
  // MADs that a manager has sent ahead of the simulated time have not been read yet.
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

bool Trial::cut_off(HostId from, HostId to) const {
  return !components_.empty() &&
         (components_[from] == kApart || components_[from] != components_[to]);
}

void Trial::count_loss(const Delivery& packet, Loss why) {
  if (!measuring_) return;
  if (cut_off(packet.from, packet.to)) {
    ++result_.cut_off;
    return;
  }
  ++result_.lost[static_cast<unsigned>(why)];
  if (faulted_) result_.last_loss = plane_.now() - fault_at_;
}

void Trial::look(bool at_end) {
  const Nanoseconds now = plane_.now();
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
  result_.curve.push_back({plane_.now() - fault_at_,
                           plane_.network().totals().delivered - delivered_before_,
                           result_.all_lost()});
  next_point_ = plane_.now() + plan_.interval;
}

void Trial::finish() {
  look(true);
  record_point();
  measuring_ = false;
  const Totals& t = plane_.network().totals();
  result_.fabric_time = plane_.now() - fault_at_;
  result_.delivered = t.delivered - delivered_before_;
  result_.slowest = slowest();
  result_.packet_hops = t.packet_hops;
}

}  // namespace selvedge::sim
