// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of the plugin and of routing as a value, and as the JSON document of the status file
// and the status socket.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/control/fresh_lids.hpp"
#include "plugin/control/hint_state.hpp"
#include "plugin/control/hoq_report.hpp"
#include "plugin/control/lost_paths.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/row_report.hpp"
#include "plugin/control/self_check.hpp"
#include "plugin/tables/base_load.hpp"
#include "plugin/tables/dark_lids.hpp"

namespace selvedge {

struct FaultRecord {
  std::string time;  // UTC, ISO 8601
  std::string what;
};

/// The progress of the tables that will replace the present interim ones.
struct AwaitedTables {
  std::string engine;                 // the engine that makes them
  std::uint64_t done = 0, total = 0;  // destination switches; 0 of 0: not known
  double seconds = 0;                 // since the computation began; 0: none is under way
  std::string failure;                // why these tables will not come; "" = they will
};

/// A consistent snapshot of the state. The plugin copies it for readers under a mutex of its own,
/// so that no reader blocks OpenSM.
struct Status {
  std::string opensm;                      // OpenSM's version
  std::string role;                        // "master", "standby", "discovering", "not active"
  std::string engine;                      // used in the last sweep; "" = the plugin only observes
  std::string config_error;                // an error in plugin.toml; "" = none
  std::uint64_t sweeps = 0;                // sweeps since start
  std::uint64_t fast_repairs = 0;          // faults that were repaired before their sweep
  std::uint64_t group_pauses = 0;          // changes during which multicast groups paused
  bool groups_paused = false;              // whether they pause now
  bool fast_path_ready = false;            // whether a repair of the next fault is prepared
  std::vector<std::string> drained, held;  // names of excluded components (excluded_links.hpp)
  std::uint64_t declined = 0;              // sweeps for which no tables could be proved
  std::string last_sweep_time;             // UTC
  std::shared_ptr<const Plan> plan;        // the last plan; null before the first
  std::optional<AwaitedTables> awaited;    // set if `plan` is interim
  /// Whether the last sweep made no plan, so that the next engine of OpenSM's list made the tables.
  bool last_declined = false;
  bool manager_writes_rows = true;  // whether OpenSM writes SL2VL rows, by its option `qos`
  FoundRows rows;                   // if it does not
  HoqReport hoq;                    // lifetimes that the plugin sets; life 0: none
  double write_ms = 0;              // how long it took to hand the LFTs of `plan` to OpenSM
  std::vector<std::string> last_failures;
  std::vector<SelfCheckItem> self_check;
  std::vector<FaultRecord> faults;  // the most recent faults, oldest first
  std::uint64_t faults_total = 0;
  std::shared_ptr<const LostPaths> lost;  // null if there is no earlier state to compare with
  /// The dark LIDs (dark_lids.hpp) of the tables in use; null if these are not from `plan`.
  std::shared_ptr<const std::vector<DarkLid>> dark;
  /// The pairs of which a fault broke a path (fresh_lids.hpp); null if no LID is spare.
  std::shared_ptr<const std::vector<FreshPair>> fresh;
  std::vector<HintState> hint_files;  // the files that opensm.conf names
  std::optional<BaseLoad> load;       // the load of channels under `plan`
};

/// The status as a JSON document: `{"format": "selvedge-status-1", …}`.
std::string status_document(const Status& status);

}  // namespace selvedge
