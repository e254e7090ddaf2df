// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the control plane needs of the subnet manager around it, in small interfaces: plugin/opensm
// implements them on OpenSM, sim/control on a simulated subnet manager. The control plane holds no
// lock of its own while it calls them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plugin/control/change.hpp"
#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/control/settings.hpp"
#include "plugin/control/smp_settings.hpp"
#include "plugin/control/sweep_changes.hpp"

namespace selvedge {

class TablesInForce {
 public:
  virtual ~TablesInForce() = default;
  /// Null if no plan of ours is in force.
  virtual std::shared_ptr<const Plan> plan_in_force() = 0;
  /// Fills in the entries that were last acknowledged to the subnet manager. False if a switch is
  /// not known, or if the entries are not those of the plan.
  virtual bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) = 0;
  /// Copies what was read back into the subnet manager's tables, and puts the new plan in force,
  /// without the components named in `gone`. False if the plan in force is not `before`: then that
  /// plan stays. If something waited to be taken into use, requests a sweep, which writes the
  /// multicast trees, or finds it again in addition to this plan.
  virtual bool take_over(const std::shared_ptr<const Plan>& before,
                         std::shared_ptr<const Plan> after, const Confirmed& confirmed,
                         const std::vector<std::string>& gone) = 0;
  /// From now on path queries are answered with these SLs, until the next plan is in force.
  virtual void announce_sls(const std::vector<SlChange>& sls) = 0;
};

class SweepRequests {
 public:
  virtual ~SweepRequests() = default;
  virtual void request_sweep() = 0;
  /// As in SweepChanges; the last two also request a sweep.
  virtual std::shared_ptr<const RestoredLinks> restored() = 0;
  virtual void rediscover() = 0;
  virtual void leave_to_sweep() = 0;
};

/// The error that interim tables stay in force, since the awaited ones have failed.
InputError not_awaited_any_more(const Plan& interim, const std::string& failure);

class PlanSource {
 public:
  virtual ~PlanSource() = default;
  /// The tables that an engine makes for this fabric, unproved. Throws InputError if there is no
  /// such engine, or if it refuses the fabric.
  virtual Plan compute(const std::string& engine, const Fabric& fabric) = 0;
  /// A proved plan for this fabric, as a sweep would make it from the plan in force. nullopt if
  /// nothing could be proved; the log says why.
  virtual std::optional<Plan> plan_for(const Fabric& fabric) = 0;
  /// The proved tables of `interim.awaited` for the fabric of this plan, which is in force until
  /// then. nullopt: they are not ready, or the fabric is another one. Throws not_awaited_any_more()
  /// if the engine or its proof has failed.
  virtual std::optional<Plan> awaited_plan(const Plan& interim) = 0;
  /// From now on sweeps use this engine.
  virtual void prefer(const std::string& engine) = 0;
};

/// What sweeps exclude, by name (excluded_links.hpp).
class LinkExclusion {
 public:
  virtual ~LinkExclusion() = default;
  virtual std::vector<std::string> drained() = 0;
  /// Throw EnvironmentError if the list cannot be stored; then nothing has changed.
  virtual void drain(const std::vector<std::string>& names) = 0;
  virtual void undrain(const std::vector<std::string>& names) = 0;
  virtual void hold(const std::string& name, Instant until) = 0;
  /// Removes the holds that have expired. True if there were any: then a sweep is due.
  virtual bool release_held() = 0;
};

class ControlSettings {
 public:
  virtual ~ControlSettings() = default;
  virtual bool is_master() = 0;
  virtual SmpSettings smp() = 0;
  virtual FlapSettings flaps() = 0;
  virtual DriftSettings drift() = 0;
};

class ControlLog {
 public:
  virtual ~ControlLog() = default;
  virtual void report(Event::Kind kind, Guid guid = 0, std::uint32_t number = 0) = 0;
  virtual void log(bool error, const std::string& line) = 0;
};

struct ControlEnvironment {
  TablesInForce& tables;
  SweepRequests& sweeps;
  PlanSource& plans;
  LinkExclusion& links;
  ControlSettings& settings;
  ControlLog& journal;
  Clock& clock;
};

/// All these interfaces in one object.
class SubnetManagerInterface : public TablesInForce,
                               public SweepRequests,
                               public PlanSource,
                               public LinkExclusion,
                               public ControlSettings,
                               public ControlLog {
 public:
  ControlEnvironment with(Clock& clock) {
    return {*this, *this, *this, *this, *this, *this, clock};
  }
};

}  // namespace selvedge
