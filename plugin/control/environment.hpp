// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The interfaces by which the control plane uses the subnet manager around it. plugin/opensm
// implements them for OpenSM, sim/control for a simulated subnet manager. The control plane holds
// no lock of its own while it calls them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plugin/control/change.hpp"
#include "plugin/control/clock.hpp"
#include "plugin/control/event.hpp"
#include "plugin/control/routing_event.hpp"
#include "plugin/control/row_report.hpp"
#include "plugin/control/settings.hpp"
#include "plugin/control/smp_settings.hpp"
#include "plugin/control/sweep_changes.hpp"

namespace selvedge {

class TablesInForce {
 public:
  virtual ~TablesInForce() = default;
  /// The plan (plan.hpp) in force; null if the tables in force are not from one.
  virtual std::shared_ptr<const Plan> plan_in_force() = 0;
  /// Sets each block's entries to those that its switch last acknowledged to the subnet manager.
  /// False if the subnet manager does not know a switch, or if the entries are not those of `plan`.
  virtual bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) = 0;
  /// Copies `confirmed`, which was read back from switches, into the subnet manager's tables, and
  /// puts the plan `after` in force. `gone`: names of the components that `after` no longer uses.
  /// False if the plan in force is not `before`: then that plan stays. If a sweep had deferred
  /// restored links (sweep_changes.hpp), requests another sweep, which finds them again if they are
  /// not in `after` and writes the multicast trees.
  virtual bool take_over(const std::shared_ptr<const Plan>& before,
                         std::shared_ptr<const Plan> after, const Confirmed& confirmed,
                         const std::vector<std::string>& gone) = 0;
  /// From now on path queries are answered with these SLs, until the next plan is in force.
  virtual void announce_sls(const std::vector<SlChange>& sls) = 0;
  /// Whether the subnet manager writes SL2VL rows. If not, found_rows.hpp looks at those that are
  /// in the switches.
  virtual bool manager_writes_rows() = 0;
  /// These rows of the fabric's switches and hosts were replaced and read back.
  virtual void rows_replaced(const Fabric& fabric, const std::vector<RowImage>& rows) = 0;
  virtual void rows_found(FoundRows found) = 0;
};

class SweepRequests {
 public:
  virtual ~SweepRequests() = default;
  virtual void request_sweep() = 0;
  /// These do the same as in SweepChanges. rediscover() and leave_to_sweep() also request a sweep.
  virtual std::shared_ptr<const RestoredLinks> restored() = 0;
  virtual void rediscover() = 0;
  virtual void leave_to_sweep() = 0;
  /// Requests a sweep that puts the awaited plan (Plan::awaited) in force, since the fast path
  /// cannot change the tables in force.
  virtual void install_by_sweep() = 0;
};

/// The error that interim tables stay in force, since the awaited ones have failed.
InputError not_awaited_any_more(const Plan& interim, const std::string& failure);

class PlanSource {
 public:
  virtual ~PlanSource() = default;
  /// A plan with the tables that this engine makes for the fabric, not proved. Throws InputError if
  /// there is no such engine, or if the engine refuses the fabric.
  virtual Plan compute(const std::string& engine, const Fabric& fabric) = 0;
  /// A proved plan for this fabric, as a sweep would make it from the plan in force. nullopt if no
  /// tables could be proved; the log says why.
  virtual std::optional<Plan> plan_for(const Fabric& fabric) = 0;
  /// The proved tables of `interim.awaited` for the fabric of `interim`, the plan in force until
  /// then. nullopt: those tables are not ready, or are for another fabric. Throws
  /// not_awaited_any_more() if the engine or its proof has failed.
  virtual std::optional<Plan> awaited_plan(const Plan& interim) = 0;
  /// Makes sweeps use this engine from now on.
  virtual void prefer(const std::string& engine) = 0;
};

/// The cables and switches that sweeps exclude from routing, by name (excluded_links.hpp).
class LinkExclusion {
 public:
  virtual ~LinkExclusion() = default;
  virtual std::vector<std::string> drained() = 0;
  /// drain() and undrain() throw EnvironmentError if the list of drained names cannot be stored;
  /// then nothing has changed.
  virtual void drain(const std::vector<std::string>& names) = 0;
  virtual void undrain(const std::vector<std::string>& names) = 0;
  virtual void hold(const std::string& name, Instant until) = 0;
  /// Removes the holds that have expired. True if there were any: then a sweep must be requested,
  /// so that the cables are used again.
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
  /// Takes note of an event of routing, without waiting for anything. A subnet manager without
  /// observers drops it.
  virtual void record(RoutingEvent) {}
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
