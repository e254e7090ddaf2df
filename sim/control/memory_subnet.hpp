// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A subnet in memory, under virtual time: switches and adapters with their tables, cables that fail
// and return, directed-route SMPs, and traps. The control plane (plugin/control) runs on this
// subnet as on a real one. All random choices come from one seed.
//
// An SMP is lost, or it is executed: at once, twice, or late. An agent executes its SMPs in order
// of arrival, so a late SMP delays those behind it. A response that comes after its request's
// time-out is ignored.
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

/// Probabilities in percent that an SMP is lost, executed late, or executed twice. `lost` also
/// applies to responses and traps.
struct SmpFaults {
  unsigned lost = 0, late = 0, doubled = 0;
};

class MemorySubnet : public SmpTransport {
 public:
  /// `fabric`: every switch, host and cable that can ever be present, with LIDs. `manager`: the
  /// host with the subnet manager.
  MemorySubnet(VirtualClock& clock, Fabric fabric, HostId manager, std::uint64_t seed,
               const SmpFaults& faults);

  const Fabric& whole() const { return whole_; }
  Guid manager_port() const { return whole_.host(manager_).guid; }

  // --- Faults; `c`: either of the two channels (directions) of a cable

  void cut(Channel c) { set_cable(c, false); }
  void restore(Channel c) { set_cable(c, true); }
  void power_off(SwitchId s);
  /// Powers the switch on again, with empty tables.
  void power_on(SwitchId s);
  bool up(Channel c) const;
  bool alive(SwitchId s) const { return alive_[s]; }
  /// How often the switch was powered on again.
  unsigned restarts(SwitchId s) const { return restarts_[s]; }

  /// Called for each trap 128 that reaches the manager, with the LID of the switch that sent it: a
  /// port of that switch has changed its state.
  std::function<void(Lid)> on_trap = [](Lid) {};

  // --- As seen from the manager's port

  /// The fabric that a discovery finds now. Switch and host ids are renumbered without gaps, so
  /// they differ from those of whole().
  Fabric discovered() const;
  /// The tables in force in the switches. `fabric` is a result of discovered(); its switches are
  /// matched by GUID.
  Tables tables_in_switches(const Fabric& fabric) const;
  /// Likewise the ports of the group with the first multicast LID.
  MulticastTables group_in_switches(const Fabric& fabric) const;

  /// Called after each Set that a node has executed.
  std::function<void()> on_set = [] {};

  bool running() const override { return true; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop_condition = {}) override;

 private:
  /// Where an SMP's path ends: at a switch or at a host.
  struct Destination {
    SwitchId at = kNoSwitch;
    HostId host = kNoHost;
  };
  void set_cable(Channel c, bool up);
  void send_trap(SwitchId s);
  std::optional<Destination> follow(const SmpPath& path) const;
  SmpAnswer execute(const SmpRequest& request);
  std::vector<bool> reachable() const;

  VirtualClock& clock_;
  const Fabric whole_;
  const HostId manager_;
  StableRandom random_;
  const SmpFaults faults_;
  std::vector<bool> cable_up_;  // per channel
  std::vector<bool> alive_;
  std::vector<unsigned> restarts_;
  std::vector<SwitchAgent> switches_;
  std::vector<HostAgent> hosts_;
  std::vector<Instant> busy_until_;  // per agent: first those of switches, then those of hosts
  std::uint32_t next_tag_ = 1;
};

}  // namespace selvedge::sim
