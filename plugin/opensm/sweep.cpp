// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that does a sweep, in the order of OpenSM's callbacks: plan, LFTs, SL2VL and
// VL arbitration, multicast. Also path SLs, which OpenSM asks for at any time.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/stopwatch.hpp"
#include "plugin/control/qos_proof.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/opensm/census.hpp"
#include "plugin/opensm/entry.hpp"
#include "plugin/opensm/plugin.hpp"
#include "plugin/opensm/switches.hpp"

namespace selvedge {
namespace {

std::string summary(const Plan& plan, bool rows_by_opensm) {
  const Verdict& v = plan.verdict;
  std::string line = fmt::format(
      "{}: {} switches, {} hosts by {}: proved connected ({} pairs{}), loop free, deadlock free; "
      "{} VL, {} SL; compute {:.1f} ms, proof {:.1f} ms",
      name(plan.outcome), plan.fabric.num_switches(), plan.fabric.num_hosts(), plan.engine,
      v.pairs - v.failed_pairs,
      rows_by_opensm ? "" : ", if the SL2VL rows found in the switches let them pass", v.vls_used,
      v.sls_used, plan.steps.compute_ms, plan.steps.prove_ms);
  if (v.disconnected > 0)
    line += fmt::format("; {} host pairs are physically disconnected", v.disconnected);
  return line;
}

/// Whether packets of this SL have the same VLs as packets of SL 0 everywhere.
bool like_sl_0(const Tables& tables, Sl sl) {
  return tables.host_sl2vl[sl] == tables.host_sl2vl[0] &&
         std::ranges::all_of(tables.sl2vl.rows(),
                             [&](const Sl2VlRow& row) { return row[sl] == row[0]; });
}

/// Whether an LFT entry leads a host's LID out of some switch. Those of switches that nobody has
/// routed do not.
bool lead_to_hosts(const Fabric& fabric, const Tables& tables) {
  for (const Host& host : fabric.hosts())
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (const PortNum port = tables.next(s, host.lid); port != 0 && port != kNoPort) return true;
  return false;
}

}  // namespace

/// The fabric that OpenSM has discovered, without cables and switches that are drained, excluded
/// because they flap, or lost since according to the fast path.
Census Plugin::discovered_fabric() {
  Census census = take_census(osm_);
  {
    const std::lock_guard lock(sweep_mutex_);
    census.fabric = sweep_changes_.take_in_service(census.fabric);
  }
  port_vls_ = census.port_vls;
  sl2vl_ = census.sl2vl;
  return census;
}

/// Lets the fast path repair the tables for links of plan_ that are missing in `seen`. Called with
/// OpenSM's lock held, which the fast path needs. True if the lock was released meanwhile, so that
/// OpenSM's data and plan_ may have changed.
bool Plugin::repair_lost_links(const Fabric& seen, osm_routing_engine_t& slot) {
  LostLinks lost{plan_, missing_from(seen, plan_->fabric)};
  if (lost.fault.empty() || !fast_path_.agent_running()) return false;
  osm_.routing_engine_used = &slot;  // so that path queries get plan_'s SLs meanwhile
  cl_plock_release(&osm_.lock);
  fast_path_.repair_lost_for_sweep(std::move(lost));
  cl_plock_excl_acquire(&osm_.lock);
  return true;
}

void Plugin::defer_restored_links(Fabric& seen) {
  if (!fast_path_.agent_running()) return;
  const std::lock_guard lock(sweep_mutex_);
  sweep_changes_.defer_restored_links(*plan_, seen);
}

int Plugin::prepare(const Engine& configured, osm_routing_engine_t& slot) {
  begin_sweep(slot);
  const Engine& engine = preferred_ != nullptr ? *preferred_ : configured;
  reload_config_if_changed();
  follow_qos();
  status_due_ = true;
  swept_engine_ = &engine;
  if (!config_error_.empty()) {
    in_force_ = false;
    log(Level::kError, fmt::format("declined: {}", config_error_));
    return -1;
  }
  timeline_.add(Event::Kind::kTablesBegin);
  Stopwatch watch;
  Census census = discovered_fabric();
  reload_guid_files(census.fabric);
  follow_throttled_links(census);
  const bool new_master = osm_.subn.first_time_master_sweep != FALSE;
  const bool ours = in_force_ && plan_ && !new_master;  // whether plan_ is in force
  if (ours && repair_lost_links(census.fabric, slot)) census = discovered_fabric();
  const QosLevels levels_before = levels_;
  follow_qos_levels();
  if (ours && !plan_stale_) defer_restored_links(census.fabric);
  const std::shared_ptr<const Plan> before = ours ? plan_ : nullptr;
  in_force_ = false;
  const double census_ms = watch.lap_ms();

  // A new master finds tables in the switches. If they can be proved they stay.
  std::optional<Tables> found;
  if (new_master && config_.adopt) {
    reading_lfts_ = true;
    const bool read = read_lfts(osm_, census.fabric);
    reading_lfts_ = false;
    if (read) {
      census = discovered_fabric();
      found = lfts_seen(osm_, census.fabric);
    }
  }
  const double adopt_ms = watch.lap_ms();

  std::string remark;
  RoutedBy routed = RoutedBy::kOurTables;
  if (found && lead_to_hosts(census.fabric, *found))
    routed = RoutedBy::kFoundTables;
  else if (new_master && (found || !any_lft(osm_, census.fabric)))
    routed = RoutedBy::kNothing;
  PlanRequest request = plan_request(census.fabric, remark, routed);
  request.last = new_master ? nullptr : plan_.get();
  request.leave_incomplete =
      ours && fast_path_.agent_running() && fast_path_.ready_for(plan_.get());
  if (plan_stale_) background_.forget();
  request.recompute = plan_stale_ || awaited_ready_.exchange(false);
  request.found = found ? &*found : nullptr;
  request.report = [this](Event::Kind kind) { timeline_.add(kind); };
  Planned planned = make_plan(census.fabric, request);

  if (planned.plan && planned.plan->outcome != Outcome::kUnchanged) {
    if (auto fault = fault_of_levels(*planned.plan, levels_)) {
      planned.failures.push_back(std::move(*fault));
      planned.plan.reset();
    }
  }
  for (const std::string& failure : planned.failures) log(Level::kError, failure);
  if (!planned.plan) {
    log(Level::kError, fmt::format("declined: nothing could be proved for {}", engine.name));
    publish(planned, engine);
    refused_ += planned.failures.size();
    record(event_of(RoutingEvent::Kind::kDeclined,
                    fmt::format("nothing could be proved for {}", engine.name)));
    return -1;
  }
  if (!remark.empty() && planned.plan->outcome != Outcome::kUnchanged)
    planned.plan->remarks.push_back(remark);
  if (const std::string levels = levels_.arithmetic();
      !levels.empty() && planned.plan->outcome != Outcome::kUnchanged &&
      std::ranges::find(planned.plan->remarks, levels) == planned.plan->remarks.end())
    planned.plan->remarks.push_back(levels);
  planned.plan->steps.census_ms = census_ms;
  planned.plan->steps.adopt_ms = adopt_ms;
  plan_ = std::make_shared<const Plan>(std::move(*planned.plan));
  plan_stale_ = false;
  if (!plan_->awaited.empty()) await_plan(request);
  announced_sls_.clear();
  ++sweeps_planned_;
  in_force_ = true;
  {
    const std::lock_guard lock(sweep_mutex_);
    sweep_changes_.planned(plan_);
  }
  index_plan();
  publish(planned, engine);
  refused_ += planned.failures.size();
  check_engine_needs(engine);
  log(plan_->outcome == Outcome::kKept || plan_->outcome == Outcome::kFellBack ? Level::kError
                                                                               : Level::kInfo,
      summary(*plan_, options_.qos));
  // The repair that lost the tree may have been one of the fast path: then nothing has changed
  // here.
  const bool lost_tree = !plan_->multicast && plan_->undamaged_baseline &&
                         plan_->undamaged_baseline->multicast.has_value();
  if (!std::exchange(lost_tree_, lost_tree) && lost_tree)
    log(Level::kError, fmt::format("since the fault {}", kTreesOfOpensm));
  SweepTransition way;
  way.proved = true;
  if (plan_->outcome != Outcome::kUnchanged) {  // else the remarks were logged when they were new
    for (const std::string& line : plan_->remarks) log(Level::kInfo, line);
    if (before) way = log_sweep_transition(*before, levels_before);
  }
  std::string what = summary(*plan_, options_.qos);
  if (!way.new_sls.empty()) what += fmt::format("; {}", way.new_sls);
  record_sweep(before, what, way.proved);

  slot.mcast_build_stree = plan_->multicast ? multicast_callback() : nullptr;
  return plan_->multicast ? 0 : 1;
}

/// Lets the engine compute its tables in the background for the fabric of plan_, an interim plan. A
/// computation for the same fabric continues.
void Plugin::await_plan(const PlanRequest& request) {
  Computation task{.engine = request.engine,
                   .fabric = plan_->fabric,
                   .request = request.request,
                   .guard = request.guard,
                   .guard_in_force = {},
                   .clock = request.clock};
  background_.begin(std::move(task));
}

/// Called by the computing thread when the awaited tables are ready. The fast path installs them in
/// a proved order; if its agent does not run, a sweep does.
void Plugin::install_awaited() {
  if (ending_) return;
  if (!fast_path_.install_awaited()) install_by_sweep();
}

/// Logs whether the change from `before` to plan_ is proved free of deadlock. Every order of writes
/// counts, because OpenSM sends them in an order of its own. Logs also how many paths have a new
/// SL.
SweepTransition Plugin::log_sweep_transition(const Plan& before, const QosLevels& levels_before) {
  SweepTransition way = check_sweep_transition(before, *plan_, group_ports());
  // With one VL before and after, every dependency is one between channels, whatever the rows.
  if (levels_before != levels_ && std::max(before.verdict.vls_used, plan_->verdict.vls_used) > 1) {
    way.changes = true;
    way.proved = false;
    way.why = "the VLs of the QoS levels change";
  }
  if (!way.changes) return way;
  log(Level::kInfo,
      way.proved
          ? fmt::format(
                "during the change, in any order of OpenSM's writes: proved deadlock free ({})",
                way.why)
          : fmt::format("during the change deadlock freedom is NOT proved ({}): head-of-queue "
                        "lifetime must break deadlocks until the last table is written",
                        way.why));
  if (!way.new_sls.empty()) log(Level::kInfo, way.new_sls);
  return way;
}

int Plugin::write() {
  if (!plan_) return -1;
  Stopwatch watch;
  write_lfts(osm_, plan_->fabric, plan_->tables);
  timeline_.add(Event::Kind::kTablesWritten);
  const std::lock_guard lock(status_mutex_);
  status_.write_ms = watch.lap_ms();
  return 0;
}

void Plugin::index_plan() {
  switch_ids_.clear();
  for (SwitchId s = 0; s < plan_->fabric.num_switches(); ++s)
    switch_ids_.emplace(plan_->fabric.node(s).guid, s);
}

void Plugin::fill_sl2vl(const osm_physp_t& port, PortNum in, PortNum out, ib_slvl_table_t& table) {
  if (!plan_) return;
  const Sl2VlRow* row = &plan_->tables.host_sl2vl;
  if (port.p_node->sw != nullptr) {
    const auto s = switch_ids_.find(cl_ntoh64(osm_node_get_node_guid(port.p_node)));
    if (s == switch_ids_.end()) return;
    const PortNum ports = plan_->fabric.node(s->second).ports;
    if (in > ports || out > ports) return;
    row = &plan_->tables.sl2vl.row(s->second, in, out);
  }
  const bool at_switch = port.p_node->sw != nullptr;
  // OpenSM has separate rows for these ports, which lead to no other port, and has filled them in.
  const bool special = at_switch ? out == 0 : osm_node_get_type(port.p_node) == IB_NODE_TYPE_ROUTER;
  const bool drops = std::ranges::find(*row, kDropVl) != row->end();
  if (special && !drops && !levels_.plain() && levels_.engine_vls() == 1) return;
  std::ranges::copy(on_the_wire(at_switch ? levels_.at_switch(*row) : levels_.at_host(*row)),
                    table.raw_vl_by_sl);
}

/// Fills a block of a port's VL arbitration tables. Unless opensm.conf sets these tables, the
/// low-priority table lets all data VLs send 4 KB in turn, and the high-priority table stays empty.
/// So no VL starves, whichever VLs an engine uses.
void Plugin::fill_vlarb(const osm_physp_t& port, ib_vl_arb_table_t& block, unsigned length,
                        unsigned block_num) const {
  if (!plan_) return;
  constexpr unsigned kFirstLowBlock = 0, kFirstHighBlock = 2;
  if (qos_ && levels_.engine_vls() == 1) return;  // OpenSM has filled in its own
  if (qos_) {
    const QosSettings::Arbitration& own = qos_->of(port);
    const bool high = block_num >= kFirstHighBlock;
    const std::vector<VlWeight> list = spread(high ? own.high : own.low, levels_);
    const unsigned first =
        (block_num - (high ? kFirstHighBlock : kFirstLowBlock)) * IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK;
    for (unsigned i = 0; i < length; ++i) {
      const VlWeight entry = first + i < list.size() ? list[first + i] : VlWeight{};
      block.vl_entry[i].vl = entry.vl;
      block.vl_entry[i].weight = entry.weight;
    }
    return;
  }
  constexpr std::uint8_t kWeight = 64;  // in units of 64 bytes
  const unsigned vls = vls_of_code(ib_port_info_get_op_vls(&port.port_info));
  for (unsigned i = 0; i < length; ++i) {
    const bool used = block_num == kFirstLowBlock && i < vls;
    block.vl_entry[i].vl = static_cast<std::uint8_t>(used ? i : 0);
    block.vl_entry[i].weight = used ? kWeight : 0;
  }
}

Sl Plugin::path_sl(Sl hint, Lid slid, Lid dlid) const {
  if (!plan_ || plan_->any_sl()) return hint;
  const SwitchId source = plan_->fabric.destination_switch(slid);
  if (source == kNoSwitch || dlid > plan_->tables.top_lid()) return hint;
  if (!announced_sls_.empty())
    if (const auto announced = announced_sls_.find(place_of(source, dlid));
        announced != announced_sls_.end())
      return levels_.sl_in_level_of(hint, announced->second);
  return levels_.sl_in_level_of(hint, plan_->tables.sl(source, dlid));
}

void Plugin::build_multicast_tree(osm_mgrp_box_t& group) {
  if (!plan_ || !plan_->multicast) return;
  const Fabric& fabric = plan_->fabric;
  std::vector<GroupMember> members;
  auto add = [&](const osm_port_t* port) {
    if (port == nullptr || port->p_node == nullptr) return;
    const osm_node_t* at = port->p_node;
    PortNum number = 0;
    if (at->sw == nullptr) {
      const osm_physp_t* far =
          port->p_physp == nullptr ? nullptr : osm_physp_get_remote(port->p_physp);
      if (far == nullptr || far->p_node == nullptr || far->p_node->sw == nullptr) return;
      at = far->p_node;
      number = far->port_num;
    }
    const auto s = switch_ids_.find(cl_ntoh64(osm_node_get_node_guid(at)));
    if (s != switch_ids_.end()) members.push_back({s->second, number});
  };
  cl_qlist_t* groups = &group.mgrp_list;
  for (cl_list_item_t* i = cl_qlist_head(groups); i != cl_qlist_end(groups); i = cl_qlist_next(i)) {
    auto* one =
        reinterpret_cast<osm_mgrp_t*>(reinterpret_cast<char*>(i) - offsetof(osm_mgrp_t, list_item));
    constexpr unsigned kSlShift = 28;  // the word holds SL (4 bits), flow label (20), hop limit (8)
    const auto sl = static_cast<Sl>(cl_ntoh32(one->mcmember_rec.sl_flow_hop) >> kSlShift);
    if (sl != 0 && !like_sl_0(plan_->tables, levels_.engine_sl(sl)))
      log(Level::kError,
          fmt::format(
              "the multicast group with MLID 0x{:04x} is on SL {}, and it is proved on SL 0 "
              "only: give its partition sl=0 in partitions.conf",
              group.mlid, sl));
    for (cl_map_item_t* m = cl_qmap_head(&one->mcm_port_tbl); m != cl_qmap_end(&one->mcm_port_tbl);
         m = cl_qmap_next(m))
      add(reinterpret_cast<osm_mcm_port_t*>(m)->port);
  }
  std::ranges::sort(members, {}, [](const GroupMember& m) { return std::pair(m.at, m.port); });
  const auto twice = std::ranges::unique(
      members, {}, [](const GroupMember& m) { return std::pair(m.at, m.port); });
  members.erase(twice.begin(), twice.end());
  if (members.size() < 2) return;  // a single member needs no tree

  const MulticastTree tree = group_tree(fabric, *plan_->multicast, members);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (tree[s].none()) continue;
    osm_switch_t* sw = osm_get_switch_by_guid(&osm_.subn, cl_hton64(fabric.node(s).guid));
    if (sw == nullptr) continue;
    const auto paused = paused_ports_.find(fabric.node(s).guid);
    const PortSet none;
    const PortSet& lost = paused == paused_ports_.end() ? none : paused->second;
    for (unsigned p = 0; p <= fabric.node(s).ports; ++p)
      if (tree[s].test(p) && !lost.test(p))
        osm_mcast_tbl_set(&sw->mcast_tbl, group.mlid, static_cast<std::uint8_t>(p));
  }
}

}  // namespace selvedge
