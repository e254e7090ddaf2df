// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the control plane needs of the subnet manager around it, in small interfaces: OpenSM through
// plugin/opensm, or a manager in memory. Called without locks of the control plane's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  /// Null if there is none of ours.
  virtual std::shared_ptr<const Plan> plan_in_force() = 0;
  /// Fills in the entries as the subnet manager last saw them acknowledged; false if a switch is
  /// not known, or if they are not those of the plan.
  virtual bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) = 0;
  /// This much was read back; and the new plan, without what `gone` names, is in force. False if
  /// another plan has come between: then that stays. Sweeps again if something waited to be taken
  /// into use: that sweep writes the groups' trees, or finds it anew beside this plan.
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
  /// As SweepChanges has them; the last two request a sweep.
  virtual std::shared_ptr<const RestoredLinks> restored() = 0;
  virtual void look_again() = 0;
  virtual void leave_to_sweep() = 0;
};

class PlanSource {
 public:
  virtual ~PlanSource() = default;
  /// The tables that an engine makes for this fabric, unproved. Throws InputError: there is no such
  /// engine, or it can't.
  virtual Plan compute(const std::string& engine, const Fabric& fabric) = 0;
  /// A proved plan for this fabric, as a sweep would make it from the plan in force; none if there
  /// is none, and the log says why.
  virtual std::optional<Plan> plan_for(const Fabric& fabric) = 0;
  /// From now on sweeps ask this engine.
  virtual void prefer(const std::string& engine) = 0;
};

/// What sweeps leave out, by its names (excluded_links.hpp).
class LinkExclusion {
 public:
  virtual ~LinkExclusion() = default;
  virtual std::vector<std::string> drained() = 0;
  /// Throw EnvironmentError if that cannot be stored; then nothing has changed.
  virtual void drain(const std::vector<std::string>& names) = 0;
  virtual void undrain(const std::vector<std::string>& names) = 0;
  virtual void hold(const std::string& name, Instant until) = 0;
  /// Were holds over? Then a sweep is due.
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

struct Surroundings {
  TablesInForce& tables;
  SweepRequests& sweeps;
  PlanSource& plans;
  LinkExclusion& links;
  ControlSettings& settings;
  ControlLog& journal;
  Clock& clock;
};

/// All of it in one object.
class Surrounding : public TablesInForce,
                    public SweepRequests,
                    public PlanSource,
                    public LinkExclusion,
                    public ControlSettings,
                    public ControlLog {
 public:
  Surroundings with(Clock& clock) { return {*this, *this, *this, *this, *this, *this, clock}; }
};

}  // namespace selvedge
