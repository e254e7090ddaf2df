// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/opensm: the library that the unmodified OpenSM loads, and the only room that sees OpenSM's
// headers. It converts OpenSM's tables to values, calls functions of values, and hands the results
// to OpenSM:
//
//   census (OpenSM's tables → Fabric) → planner (compute, prove, or keep) → switches (→ new_lft)
//
// Locks. OpenSM calls the engine with its big lock write-held and path_sl with it read-held, so
// `plan_` needs no lock of its own there. The fast path takes OpenSM's lock for it. What other
// threads may read (status, timeline) has its own mutex, held for copies only. No exception leaves
// a callback.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <memory>
#include <mutex>

#include "plugin/control/planner.hpp"
#include "plugin/control/self_check.hpp"
#include "plugin/control/status.hpp"
#include "plugin/control/sweep_changes.hpp"
#include "plugin/opensm/background_plan.hpp"
#include "plugin/opensm/census.hpp"
#include "plugin/opensm/config.hpp"
#include "plugin/opensm/fast_path.hpp"
#include "plugin/opensm/hint_reader.hpp"
#include "plugin/opensm/osm.hpp"
#include "plugin/opensm/status_server.hpp"
#include "plugin/opensm/timeline.hpp"

namespace selvedge {

class Plugin : private SubnetManagerInterface {
 public:
  /// Reads the configuration, checks OpenSM's, opens the status socket, registers the engines.
  explicit Plugin(osm_opensm_t& osm);
  /// First ends every wait for an order or for a requested sweep, since no sweep comes any more.
  ~Plugin() override;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  // --- OpenSM's callbacks (entry.cpp turns exceptions into OpenSM's error codes)

  /// Plans. 0: the plan is ready and has its own multicast trees; 1: OpenSM must make its min-hop
  /// matrices for multicast; −1: nothing could be proved, OpenSM tries the next engine of its list.
  int prepare(const Engine& engine, osm_routing_engine_t& slot);
  /// Hands the plan's LFTs to OpenSM.
  int write();
  void fill_sl2vl(const osm_physp_t& port, PortNum in, PortNum out, ib_slvl_table_t& table);
  void fill_vlarb(const osm_physp_t& port, ib_vl_arb_table_t& block, unsigned length,
                  unsigned block_num) const;
  Sl path_sl(Sl hint, Lid slid, Lid dlid) const;
  void build_multicast_tree(osm_mgrp_box_t& group);
  void report(osm_epi_event_id_t id, void* data);

  enum class Level { kInfo, kError };
  void log(Level level, const std::string& line);

 private:
  static std::uint64_t place_of(SwitchId s, Lid dlid) { return std::uint64_t{s} << 16U | dlid; }

  struct EngineSlot {
    Plugin* plugin;
    const Engine* engine;
    osm_routing_engine_t* slot;
  };
  friend struct EngineCallbacks;

  void load_config();
  void reload_config_if_changed();
  void check_opensm();
  void register_engines();
  void open_status();
  std::string handle_request(const std::string& verb, const std::vector<std::string>& words = {});
  std::string execute_order(const std::string& verb, const std::vector<std::string>& words);
  bool wait_for_requested_sweep() const;
  void start_fast_path();
  bool repair_lost_links(const Fabric& seen, osm_routing_engine_t& slot);
  void defer_restored_links(Fabric& seen);
  Census discovered_fabric();
  void reload_guid_files(const Fabric& fabric);
  std::optional<BaseLoad> load_of(const std::shared_ptr<const Plan>& plan,
                                  const std::shared_ptr<const HintFiles>& hints);
  PlanRequest plan_request(const Fabric& fabric, std::string& remark);
  void begin_sweep(osm_routing_engine_t& slot);
  void await_plan(const PlanRequest& request);
  void install_awaited();
  std::optional<AwaitedTables> awaited_tables(const Plan* plan) const;

  // --- What the fast path needs of OpenSM (environment.cpp), called from its threads
  std::shared_ptr<const Plan> plan_in_force() override;
  bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) override;
  bool take_over(const std::shared_ptr<const Plan>& before, std::shared_ptr<const Plan> after,
                 const Confirmed& confirmed, const std::vector<std::string>& gone) override;
  void announce_sls(const std::vector<SlChange>& sls) override;
  void request_sweep() override;
  std::shared_ptr<const RestoredLinks> restored() override;
  void rediscover() override;
  void leave_to_sweep() override;
  Plan compute(const std::string& engine, const Fabric& fabric) override;
  std::optional<Plan> plan_for(const Fabric& fabric) override;
  std::optional<Plan> awaited_plan(const Plan& interim) override;
  void prefer(const std::string& engine) override;
  std::vector<std::string> drained() override;
  void drain(const std::vector<std::string>& names) override;
  void undrain(const std::vector<std::string>& names) override;
  void hold(const std::string& name, Instant until) override;
  bool release_held() override;
  bool is_master() override;
  SmpSettings smp() override;
  FlapSettings flaps() override;
  DriftSettings drift() override;
  void report(Event::Kind kind, Guid guid, std::uint32_t number) override;
  void log(bool error, const std::string& line) override;

  void store_row(const Fabric& fabric, const RowImage& row);
  void check_engine_needs(const Engine& engine);
  EngineRequest engine_request(const Fabric& fabric, unsigned port_vls, std::string& remark) const;
  std::optional<SwitchId> root_of(const Fabric& fabric, std::string& remark) const;
  void publish(const Planned& planned, const Engine& engine);
  void update_status();
  void record_lost_paths(const Plan& plan);
  void log_sweep_transition(const Plan& before);
  void index_plan();

  osm_opensm_t& osm_;
  std::optional<std::string> config_path_;
  timespec config_mtime_{};
  PluginConfig config_;
  std::string config_error_;
  OpensmOptions options_;
  Timeline timeline_;
  std::deque<EngineSlot> slots_;  // stable addresses: OpenSM holds them

  // Guarded by OpenSM's lock.
  std::shared_ptr<const Plan> plan_;
  bool plan_stale_ = false;                  // settings or hint files have changed since plan_
  bool in_force_ = false;                    // false: OpenSM went on to another engine
  std::atomic<bool> awaited_ready_ = false;  // the next sweep takes over the awaited plan
  boost::unordered_flat_map<Guid, SwitchId> switch_ids_;  // of plan_->fabric
  boost::unordered_flat_map<std::uint64_t, Sl>
      announced_sls_;                       // (switch, DLID) → SL, not as in plan_
  const Engine* swept_engine_ = nullptr;    // the engine of the last sweep
  const Engine* preferred_ = nullptr;       // by `reroute`; null: opensm.conf's
  std::atomic<unsigned> port_vls_ = 1;      // as the last census found them
  bool sl2vl_ = false;                      // likewise: all switches have SL2VL tables
  HintReader hint_reader_;                  // the files of opensm.conf
  std::atomic<bool> reading_lfts_ = false;  // LFT_CHANGE by our own Gets is ignored

  // Heavy sweeps: requested by the plugin; planned so far; planned at the last request; planned
  // when the subnet was last up. (A sweep that is requested during a discovery is no further sweep:
  // OpenSM restarts the discovery.)
  std::atomic<std::uint64_t> sweeps_requested_ = 0, sweeps_planned_ = 0;
  std::atomic<std::uint64_t> planned_when_requested_ = 0, planned_when_up_ = 0;

  std::mutex sweep_mutex_;
  SweepChanges sweep_changes_;

  // Sweeper thread only.
  std::shared_ptr<const Plan> recorded_plan_;  // the last plan that update_status() has seen
  std::atomic<bool> status_due_ = false;
  bool status_file_failed_ = false;

  mutable std::mutex status_mutex_;
  Status status_;
  std::shared_ptr<const HintFiles> status_hints_ = std::make_shared<const HintFiles>();
  std::shared_ptr<const Plan> load_plan_;        // the plan of status_.load…
  std::shared_ptr<const HintFiles> load_hints_;  // …and the hints for its levels

  SteadyClock clock_;
  FastPath fast_path_{*this};
  BackgroundPlan background_{[this] { install_awaited(); }};
  std::atomic<bool> ending_ = false;
  StatusServer server_;  // last: stopped before what it uses is destroyed
};

}  // namespace selvedge
