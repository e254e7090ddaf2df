// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/emulation_clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace selvedge::sim {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

constexpr microseconds kLongest{50'000};  // between two looks at what has happened
constexpr microseconds kSoon{20};         // while a manager is about to run
constexpr microseconds kStride{200};      // of the fabric's time, between two looks at the sockets
constexpr microseconds kIdleStride{20'000};  // likewise, while no packet is in it
constexpr microseconds kShortStride{5};  // while managers sleep: one that wakes is to be answered

/// Passes arrivals on to the core, after setting the core's time to that of the arrival.
struct TimedArrivals : Arrivals {
  TimedArrivals(const DataPlane& plane_in, Core& core_in) : plane(plane_in), core(core_in) {}
  void arrived(PortAt at, MadPacket& packet) override {
    core.set_now(plane.now());
    core.arrived(at, packet);
  }
  void lost(const MadPacket& packet, LossCause cause) override { core.lost(packet, cause); }

  const DataPlane& plane;
  Core& core;
};

}  // namespace

Nanoseconds FreeRunningClock::now() {
  return duration_cast<Nanoseconds>(std::chrono::steady_clock::now() - start_);
}

microseconds FreeRunningClock::step(Core& core, std::optional<Nanoseconds> deadline,
                                    const std::function<bool()>&) {
  if (!deadline) return kLongest;
  return std::clamp(std::chrono::ceil<microseconds>(*deadline - core.now()), microseconds::zero(),
                    kLongest);
}

void ManagerClock::client_came(pid_t pid) {
  client_left(pid);  // the system may have used this process id before
  if (!processes_.manages(pid)) return;
  if (const auto used = processes_.cpu_time(pid)) managers_.push_back({pid, *used});
}

void ManagerClock::client_left(pid_t pid) {
  std::erase_if(managers_, [pid](const Manager& m) { return m.pid == pid; });
}

/// CPU time that the managers have used since the last call.
Nanoseconds ManagerClock::used_since() {
  Nanoseconds sum{};
  for (Manager& m : managers_) {
    const Nanoseconds used = std::max(m.used, processes_.cpu_time(m.pid).value_or(m.used));
    sum += used - std::exchange(m.used, used);
  }
  used_ += sum;
  return sum;
}

bool ManagerClock::all_wait() const {
  return std::ranges::all_of(managers_,
                             [this](const Manager& m) { return processes_.waits(m.pid); });
}

Nanoseconds ManagerClock::advance_target() {
  const Nanoseconds used = used_since();
  target_ = std::max(target_, plane_.now()) +
            Nanoseconds(std::llround(static_cast<double>(used.count()) * speed_));
  return used;
}

bool ManagerClock::caught_up() {
  advance_target();
  return plane_.reached(target_);
}

bool ManagerClock::counts(pid_t pid) const {
  return std::ranges::any_of(managers_, [pid](const Manager& m) { return m.pid == pid; });
}

/// Simulates until then. It stops at the first tick at or after `due`.
void ManagerClock::simulate(Nanoseconds until, std::optional<Nanoseconds> due, Core& core) {
  TimedArrivals arrivals(plane_, core);
  if (!due || *due > until) return plane_.run(until, arrivals);
  plane_.run(*due, arrivals);
  if (plane_.now() < *due && plane_.reached(*due)) {
    const Nanoseconds tick(std::llround(std::ceil(plane_.time_base().ns(1))));
    plane_.run(*due + tick, arrivals);
  }
}

microseconds ManagerClock::step(Core& core, std::optional<Nanoseconds> deadline,
                                const std::function<bool()>& all_read) {
  const Nanoseconds used = advance_target();
  const std::optional<Nanoseconds> asleep = std::exchange(asleep_, std::nullopt);
  // The caller first does what is due.
  if (deadline && *deadline <= plane_.now()) return microseconds::zero();
  if (!plane_.reached(target_)) {
    simulate(std::min<Nanoseconds>(target_, plane_.now() + kStride), deadline, core);
    return microseconds::zero();
  }
  if (used > Nanoseconds::zero() || !all_read() || !all_wait()) return kSoon;
  // A manager that slept may have sent something while the other managers were checked.
  if (advance_target() > Nanoseconds::zero()) return microseconds::zero();
  // All managers wait: for SMPs under way, for the next event, or for nothing.
  const bool flying = plane_.under_way() > 0;
  const bool moves = !plane_.network().idle();
  // Lifetimes that may end, of packets that have left, are events too; nothing moves for them.
  const bool traffic = moves && plane_.network().has_traffic();
  if (flying || (deadline && !traffic && !managers_.empty())) {
    const Nanoseconds before = plane_.now();
    simulate(before + (traffic || flying ? kStride : kIdleStride), deadline, core);
    if (flying) flight_ += plane_.now() - before;
    return microseconds::zero();
  }
  if (managers_.empty() || !moves) return kLongest;
  asleep_ = asleep.value_or(plane_.now() - machine_time_());
  const Nanoseconds until = *asleep_ + machine_time_();
  if (until <= plane_.now()) return kSoon;
  simulate(std::min<Nanoseconds>(until, plane_.now() + kShortStride), deadline, core);
  return microseconds::zero();
}

}  // namespace selvedge::sim
