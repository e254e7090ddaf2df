// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A subnet in memory, under virtual time: switches and adapters that hold their tables, cables that
// go and come, directed-route SMPs that are answered, lost, late or doubled, and traps. The control
// plane runs on it as it does on a real one. Everything that is drawn comes from one seed.
//
// An SMP is lost, or executed: at once, twice, or late. An agent executes its SMPs in the order in
// which they reach it, so one that is late holds up those behind it. An answer that comes after its
// request's time-out finds it given up.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "plugin/control/smp_transport.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "sim/control/agent.hpp"
#include "sim/control/virtual_clock.hpp"

namespace selvedge::sim {

/// Percent of the SMPs, and of the traps.
struct SmpDisturbances {
  unsigned lost = 0, late = 0, doubled = 0;
};

class MemorySubnet : public SmpTransport {
 public:
  /// `fabric`: all that there ever is, with LIDs. `manager`: the host with the subnet manager.
  MemorySubnet(VirtualClock& clock, Fabric fabric, HostId manager, std::uint64_t seed,
               const SmpDisturbances& disturbances);

  const Fabric& whole() const { return whole_; }
  Guid manager_port() const { return whole_.host(manager_).guid; }

  // --- What happens to it; `c`: either channel of a cable

  void cut(Channel c) { set_cable(c, false); }
  void heal(Channel c) { set_cable(c, true); }
  void kill(SwitchId s);
  /// Switched on again, with empty tables.
  void revive(SwitchId s);
  bool up(Channel c) const;
  bool alive(SwitchId s) const { return alive_[s]; }
  /// How often it was switched on again.
  unsigned restarts(SwitchId s) const { return restarts_[s]; }

  /// Called with the switch's LID when one of its ports has changed (trap 128), if the trap is not
  /// lost.
  std::function<void(Lid)> on_trap = [](Lid) {};

  // --- What can be seen from the manager's port

  /// What a discovery finds: ids close up over what is missing.
  Fabric discovered() const;
  /// The tables that the switches of this fabric hold, found by GUID; nothing where they are empty.
  Tables held(const Fabric& fabric) const;

  bool running() const override { return true; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const Enough& enough = {}) override;

 private:
  /// Where an SMP ends: a switch, or a host behind one.
  struct End {
    SwitchId at = kNoSwitch;
    HostId host = kNoHost;
  };
  void set_cable(Channel c, bool up);
  void send_trap(SwitchId s);
  std::optional<End> follow(const SmpPath& path) const;
  SmpAnswer execute(const SmpRequest& request);
  std::vector<bool> reached() const;

  VirtualClock& clock_;
  const Fabric whole_;
  const HostId manager_;
  StableRandom random_;
  const SmpDisturbances disturbances_;
  std::vector<bool> cable_up_;  // per channel
  std::vector<bool> alive_;
  std::vector<unsigned> restarts_;
  std::vector<SwitchAgent> switches_;
  std::vector<HostAgent> hosts_;
  std::vector<Instant> busy_until_;  // per switch, then per host: its agent
  std::uint32_t next_tag_ = 1;
};

}  // namespace selvedge::sim
