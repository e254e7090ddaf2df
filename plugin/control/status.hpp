// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of routing as a value, and as the JSON document of the status file and the status
// socket.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/hint_state.hpp"
#include "plugin/control/lost_paths.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/self_check.hpp"
#include "plugin/tables/base_load.hpp"

namespace selvedge {

struct FaultRecord {
  std::string time;  // UTC, ISO 8601
  std::string what;
};

/// How far the tables are that replace the interim ones in force.
struct AwaitedTables {
  std::string engine;
  std::uint64_t done = 0, total = 0;  // destination switches; 0 of 0: not known
  double seconds = 0;                 // since the computation began; 0: it is not under way
  std::string failure;                // why they will not come; "" = they will
};

/// A consistent snapshot. It is copied under its own mutex, so that no reader blocks OpenSM.
struct Status {
  std::string opensm;                      // version
  std::string role;                        // "master", "standby", "discovering", "not active"
  std::string engine;                      // of the last sweep; "" = the plugin only observes
  std::string config_error;                // "" = none
  std::uint64_t sweeps = 0;                // since start
  std::uint64_t fast_repairs = 0;          // faults that were repaired before their sweep
  bool fast_path_ready = false;            // is a repair of the next fault prepared?
  std::vector<std::string> drained, held;  // names: excluded_links.hpp
  std::uint64_t declined = 0;              // sweeps for which nothing could be proved
  std::string last_sweep_time;             // UTC
  std::shared_ptr<const Plan> plan;        // the last one; null before the first
  std::optional<AwaitedTables> awaited;    // if `plan` is interim
  bool last_declined = false;              // the last sweep had no plan: OpenSM's list decided
  double write_ms = 0;                     // to hand its LFTs to OpenSM
  std::vector<std::string> last_failures;
  std::vector<SelfCheckItem> self_check;
  std::vector<FaultRecord> faults;  // the last ones, oldest first
  std::uint64_t faults_total = 0;
  std::shared_ptr<const LostPaths> lost;  // null: nothing to compare with
  std::vector<HintState> hint_files;      // those that opensm.conf names
  std::optional<BaseLoad> load;           // of `plan`
};

/// `{"format": "selvedge-status-1", …}`
std::string status_document(const Status& status);

}  // namespace selvedge
