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
#include "plugin/control/group_ports.hpp"
#include "plugin/control/hoq_report.hpp"
#include "plugin/control/routing_event.hpp"
#include "plugin/control/row_report.hpp"
#include "plugin/control/settings.hpp"
#include "plugin/control/smp_settings.hpp"
#include "plugin/control/sweep_changes.hpp"

namespace selvedge {

class TablesInForce {
 public:
  virtual ~TablesInForce() = default;
  /// The plan (plan.hpp) whose tables the switches hold: the plan "in force". Null if the tables in
  /// the switches are not from a plan.
  virtual std::shared_ptr<const Plan> plan_in_force() = 0;
  /// Sets the entries of each block to those that its switch last acknowledged to the subnet
  /// manager. False if the subnet manager does not know a switch, or if the entries are not those
  /// of `plan`.
  virtual bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) = 0;
  /// Copies `confirmed`, which was read back from switches, into the subnet manager's tables, and
  /// makes `after` the plan in force. `gone`: names of the components that `after` no longer uses.
  /// Returns false if the plan in force is not `before`: then that plan stays in force. If a sweep
  /// had deferred restored links (sweep_changes.hpp), requests another sweep. That sweep finds the
  /// links again if they are not in `after`, and writes the multicast trees.
  virtual bool take_over(const std::shared_ptr<const Plan>& before,
                         std::shared_ptr<const Plan> after, const Confirmed& confirmed,
                         const std::vector<std::string>& gone) = 0;
  /// The ports that multicast groups may have in the switches, beside those of the plan in force:
  /// those of trees that no sweep has replaced yet.
  virtual GroupPorts group_ports() = 0;
  /// Takes these ports from every multicast group, in the subnet manager's own tables, and does not
  /// give them to groups until resume_groups() is called. `plan`: the plan in force. Returns the
  /// MFT blocks of these ports, as the switches must then hold them: also those that do not change,
  /// since a switch may not have confirmed an earlier change. nullopt, with nothing changed, if the
  /// subnet manager does not know a switch.
  virtual std::optional<std::vector<MftImage>> pause_groups(
      const Plan& plan, const std::vector<PausedPorts>& ports) = 0;
  /// Groups may have all ports again. The next sweep writes those of the plan in force.
  virtual void resume_groups() = 0;
  /// Path queries are answered with these SLs until another plan comes into force.
  virtual void announce_sls(const std::vector<SlChange>& sls) = 0;
  /// Whether the subnet manager writes SL2VL rows. If not, RowChecker (found_rows.hpp) examines
  /// those that the switches hold.
  virtual bool manager_writes_rows() = 0;
  /// Reports that these SL2VL rows of the fabric's switches and hosts were replaced and read back.
  virtual void rows_replaced(const Fabric& fabric, const std::vector<RowImage>& rows) = 0;
  virtual void rows_found(FoundRows found) = 0;
  /// Reports the head-of-queue lifetimes after a round of HoqKeeper (hoq_keeper.hpp).
  virtual void hoq_life_set(HoqReport report) = 0;
};

class SweepRequests {
 public:
  virtual ~SweepRequests() = default;
  virtual void request_sweep() = 0;
  /// restored(), rediscover() and leave_to_sweep() are those of SweepChanges; the last two also
  /// request a sweep.
  virtual std::shared_ptr<const RestoredLinks> restored() = 0;
  virtual void rediscover() = 0;
  virtual void leave_to_sweep() = 0;
  /// Requests a sweep with tables of the engine, not those in force: the awaited plan
  /// (Plan::awaited), if there is one. Needed if the fast path cannot replace the tables in force.
  virtual void install_by_sweep() = 0;
};

/// The error that interim tables stay in use, because the engine whose tables were awaited has
/// failed.
InputError not_awaited_any_more(const Plan& interim, const std::string& failure);

class PlanSource {
 public:
  virtual ~PlanSource() = default;
  /// A plan with the tables that this engine makes for the fabric, not proved. Throws InputError if
  /// there is no such engine, or if the engine refuses the fabric.
  virtual Plan compute(const std::string& engine, const Fabric& fabric) = 0;
  /// A proved plan for this fabric, as a sweep would make it from the plan in force. nullopt if no
  /// tables could be proved; the log has the reason.
  virtual std::optional<Plan> plan_for(const Fabric& fabric) = 0;
  /// The proved plan of the engine `interim.awaited` for the fabric of `interim`. nullopt if it is
  /// not ready, or is for another fabric. Throws not_awaited_any_more() if the engine or its proof
  /// has failed.
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
  /// Drops the exclusions by hold() that have ended. Returns true if there were any: then a sweep
  /// must be requested, so that the cables are used again.
  virtual bool release_held() = 0;
};

class ControlSettings {
 public:
  virtual ~ControlSettings() = default;
  virtual bool is_master() = 0;
  virtual SmpSettings smp() = 0;
  virtual FlapSettings flaps() = 0;
  virtual DriftSettings drift() = 0;
  /// How long fresh LIDs (fresh_lids.hpp) keep their paths once the fabric is whole again; 0: they
  /// are not returned.
  virtual std::chrono::seconds keep_fresh() { return {}; }
};

class ControlLog {
 public:
  virtual ~ControlLog() = default;
  virtual void report(Event::Kind kind, Guid guid = 0, std::uint32_t number = 0) = 0;
  virtual void log(bool error, const std::string& line) = 0;
  /// Records a routing event without blocking. A subnet manager without observers drops it.
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
