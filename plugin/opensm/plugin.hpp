// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/opensm is the library that the unmodified OpenSM loads, and the only folder that sees
// OpenSM's headers. It converts OpenSM's data to values, calls functions of these values, and hands
// the results to OpenSM:
//
//   OpenSM's data → Fabric (census.hpp) → proved plan (planner.hpp) → OpenSM's LFTs (switches.hpp)
//
// Locks. OpenSM holds its one read-write lock for writing when it calls the engine, and for reading
// when it calls path_sl(). So these callbacks use `plan_` without a lock of their own. The fast
// path takes OpenSM's lock to use `plan_`. Status and timeline, which other threads read, each have
// a mutex, held for copies only. No exception leaves a callback.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <memory>
#include <mutex>

#include "plugin/control/error_watch.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/self_check.hpp"
#include "plugin/control/status.hpp"
#include "plugin/control/sweep_changes.hpp"
#include "plugin/control/sweep_transition_check.hpp"
#include "plugin/opensm/background_plan.hpp"
#include "plugin/opensm/balance_reader.hpp"
#include "plugin/opensm/census.hpp"
#include "plugin/opensm/config.hpp"
#include "plugin/opensm/event_recorder.hpp"
#include "plugin/opensm/fast_path.hpp"
#include "plugin/opensm/hint_reader.hpp"
#include "plugin/opensm/metrics_server.hpp"
#include "plugin/opensm/osm.hpp"
#include "plugin/opensm/qos_settings.hpp"
#include "plugin/opensm/status_server.hpp"
#include "plugin/opensm/timeline.hpp"

namespace selvedge {

class Plugin : private SubnetManagerInterface {
 public:
  /// Reads the configuration, checks OpenSM's options, opens the status socket and registers the
  /// engines with OpenSM.
  explicit Plugin(osm_opensm_t& osm);
  /// First ends every wait for an order or for a requested sweep, because no further sweep comes.
  ~Plugin() override;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  // --- OpenSM's callbacks (entry.cpp turns exceptions into OpenSM's error codes)

  /// Makes the plan of a sweep. Returns 0 if it has a multicast tree; 1 if OpenSM must make its
  /// min-hop matrices for multicast; −1 if no tables could be proved, so that OpenSM tries the next
  /// engine of its list.
  int prepare(const Engine& engine, osm_routing_engine_t& slot);
  /// Hands the plan's LFTs to OpenSM. Returns 0, or −1 if there is no plan.
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
  void open_metrics();
  void observe_events();
  void watch_errors(const osm_epi_pe_event_t& grown);
  void record_changes(const std::vector<std::string>& lines);
  void record_faults(const std::vector<std::string>& lines);
  std::string metrics();
  Status status_now(std::shared_ptr<const HintFiles>* hints = nullptr);
  void record_sweep(const std::shared_ptr<const Plan>& before, std::string what, bool proved);
  std::string handle_request(const std::string& verb, const std::vector<std::string>& words = {});
  std::string execute_order(const std::string& verb, const std::vector<std::string>& words);
  bool wait_for_requested_sweep() const;
  void start_fast_path();
  bool repair_lost_links(const Fabric& seen, osm_routing_engine_t& slot);
  void defer_restored_links(Fabric& seen);
  Census discovered_fabric();
  void reload_guid_files(const Fabric& fabric);
  void follow_throttled_links(const Census& census);
  std::optional<BaseLoad> load_of(const std::shared_ptr<const Plan>& plan,
                                  const std::shared_ptr<const HintFiles>& hints);
  void log_dark(const std::shared_ptr<const Plan>& plan);
  std::shared_ptr<const std::vector<FreshPair>> fresh_of(const std::shared_ptr<const Plan>& plan);
  /// `bring_up`: no host has a route yet.
  PlanRequest plan_request(const Fabric& fabric, std::string& remark, RoutedBy routed);
  void begin_sweep(osm_routing_engine_t& slot);
  void follow_qos();
  void follow_qos_levels();
  bool has_several_vls() const;
  void await_plan(const PlanRequest& request);
  void install_awaited();
  std::optional<AwaitedTables> awaited_tables(const Plan* plan) const;

  // --- SubnetManagerInterface (environment.cpp), called by the threads of the fast path
  std::shared_ptr<const Plan> plan_in_force() override;
  bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) override;
  bool take_over(const std::shared_ptr<const Plan>& before, std::shared_ptr<const Plan> after,
                 const Confirmed& confirmed, const std::vector<std::string>& gone) override;
  GroupPorts group_ports() override;
  std::optional<std::vector<MftImage>> pause_groups(const Plan& plan,
                                                    const std::vector<PausedPorts>& ports) override;
  void resume_groups() override;
  void announce_sls(const std::vector<SlChange>& sls) override;
  bool manager_writes_rows() override;
  void rows_replaced(const Fabric& fabric, const std::vector<RowImage>& rows) override;
  void rows_found(FoundRows found) override;
  void hoq_life_set(HoqReport report) override;
  void request_sweep() override;
  std::shared_ptr<const RestoredLinks> restored() override;
  void rediscover() override;
  void leave_to_sweep() override;
  void install_by_sweep() override;
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
  std::chrono::seconds keep_fresh() override;
  void report(Event::Kind kind, Guid guid, std::uint32_t number) override;
  void log(bool error, const std::string& line) override;
  void record(RoutingEvent event) override;

  void store_row(const Fabric& fabric, const RowImage& row);
  void check_engine_needs(const Engine& engine);
  EngineRequest engine_request(const Fabric& fabric, unsigned port_vls, std::string& remark) const;
  std::optional<SwitchId> root_of(const Fabric& fabric, std::string& remark) const;
  void publish(const Planned& planned, const Engine& engine);
  void update_status();
  void write_status_file(const std::string& file);
  void record_lost_paths(const Plan& plan);
  SweepTransition log_sweep_transition(const Plan& before, const QosLevels& levels_before);
  void index_plan();

  osm_opensm_t& osm_;
  std::optional<std::string> config_path_;
  timespec config_mtime_{};
  PluginConfig config_;
  std::string config_error_;
  OpensmOptions options_;
  Timeline timeline_;
  std::deque<EngineSlot> slots_;  // a deque, because OpenSM keeps the addresses of its elements

  // Guarded by OpenSM's lock.
  std::shared_ptr<const Plan> plan_;
  bool plan_stale_ = false;  // whether settings or hint files have changed since plan_ was made
  /// Whether plan_ is the plan in force (plan.hpp); false if OpenSM uses another engine
  bool in_force_ = false;
  /// Whether the next sweep installs the awaited plan (Plan::awaited)
  std::atomic<bool> awaited_ready_ = false;
  boost::unordered_flat_map<Guid, SwitchId> switch_ids_;  // the switches of plan_->fabric
  boost::unordered_flat_map<std::uint64_t, Sl>
      announced_sls_;  // place_of(switch, DLID) → SL, if not that of plan_
  /// Ports that no group gets while groups pause, by the GUID of their switch
  boost::unordered_flat_map<Guid, PortSet> paused_ports_;
  const Engine* swept_engine_ = nullptr;  // the engine of the last sweep
  const Engine* preferred_ = nullptr;     // the engine set by `reroute`; null: opensm.conf's
  std::atomic<unsigned> port_vls_ = 1;    // Census::port_vls of the last sweep
  bool sl2vl_ = false;                    // Census::sl2vl of the last sweep
  std::optional<QosSettings> qos_;        // as opensm.conf has them; nullopt: none are set
  QosLevels levels_;                      // by which SL2VL rows are written
  HintReader hint_reader_;                // reads the files that opensm.conf names
  BalanceReader balance_reader_;     // reads files of routing order, hop weights, ignored ports
  std::vector<PortName> throttled_;  // Census::throttled of the last sweep
  /// Set while the plugin reads LFTs by Get; LFT_CHANGE events are ignored then.
  std::atomic<bool> reading_lfts_ = false;

  // Numbers of heavy sweeps: requested by the plugin so far; for which a plan was made so far. The
  // latter number is also kept as of the last request, and as of the last time that the subnet came
  // up. These two show when a requested sweep is complete. (The number of requests cannot show it:
  // a request during a discovery makes OpenSM restart the discovery, so no further sweep follows.)
  std::atomic<std::uint64_t> sweeps_requested_ = 0, sweeps_planned_ = 0;
  std::atomic<std::uint64_t> planned_when_requested_ = 0, planned_when_up_ = 0;

  std::mutex sweep_mutex_;
  SweepChanges sweep_changes_;

  // Used by OpenSM's sweeper thread only.
  std::shared_ptr<const Plan> recorded_plan_;  // the last plan that update_status() has seen
  std::vector<std::string> recorded_drained_;  // what was drained then, or not used again yet
  std::atomic<bool> status_due_ = false;
  std::string dark_logged_;  // what log_dark() has logged last
  bool lost_tree_ = false;   // whether a repair has left the last plan without a multicast tree

  std::mutex file_mutex_;            // held while the status file is written
  bool status_file_failed_ = false;  // guarded by file_mutex_

  mutable std::mutex status_mutex_;
  Status status_;
  std::shared_ptr<const HintFiles> status_hints_ = std::make_shared<const HintFiles>();
  QosLevels status_levels_;
  // The plan, and the hints for its levels, for which status_.load was computed.
  std::shared_ptr<const Plan> load_plan_;
  std::shared_ptr<const HintFiles> load_hints_;
  std::shared_ptr<const Plan> fresh_plan_;  // the plan for which status_.fresh was computed

  SteadyClock clock_;
  const Instant started_ = clock_.now();
  std::mutex errors_mutex_;  // guards the next two: PerfMgr's thread and sweeps use them
  ErrorSettings error_settings_;
  ErrorWatch error_watch_;
  std::atomic<std::uint64_t> refused_ = 0;  // Planned::failures of all sweeps
  EventRecorder recorder_{[this](bool error, const std::string& line) { log(error, line); }};
  FastPath fast_path_{*this};
  BackgroundPlan background_{[this] { install_awaited(); }};
  std::atomic<bool> ending_ = false;
  // The last members, so that they are stopped before the others are destroyed.
  MetricsServer metrics_server_;
  StatusServer server_;
};

}  // namespace selvedge
