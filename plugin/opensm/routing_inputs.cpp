// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that follows what opensm.conf says about routing, at each sweep: files of
// GUIDs and ports, slow cables, QoS. And what an engine is asked for as a result.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/opensm/plugin.hpp"

namespace selvedge {

/// Reads hint files that have changed. Called with OpenSM's lock held, before a sweep makes its
/// plan.
void Plugin::reload_guid_files(const Fabric& fabric) {
  const osm_subn_opt_t& opt = osm_.subn.opt;
  const auto text = [](const char* path) { return std::string(path != nullptr ? path : ""); };
  std::vector<FileMessage> lines;
  if (hint_reader_.refresh(
          {text(opt.root_guid_file), text(opt.cn_guid_file), text(opt.io_guid_file)}, lines))
    plan_stale_ = true;  // so that the engine computes the next tables, with the new hints
  std::string ignored;
  hint_reader_.match(fabric, root_of(fabric, ignored).has_value(), lines);
  if (balance_reader_.refresh({text(opt.guid_routing_order_file), text(opt.hop_weights_file),
                               text(opt.port_prof_ignore_file)},
                              lines))
    plan_stale_ = true;
  balance_reader_.match(fabric, lines);
  for (const FileMessage& line : lines) log(line.error ? Level::kError : Level::kInfo, line.text);
  const std::lock_guard lock(status_mutex_);
  status_.hint_files = hint_reader_.states();
  status_hints_ = hint_reader_.in_force();
}

/// Takes over which cables OpenSM's option avoid_throttled_links tells to avoid. If they differ,
/// the plan must be made again.
void Plugin::follow_throttled_links(const Census& census) {
  if (census.throttled == throttled_) return;
  throttled_ = census.throttled;
  plan_stale_ = true;
  if (throttled_.empty()) {
    log(Level::kInfo, "avoid_throttled_links: no cable is slower than its ports any more");
    return;
  }
  const Fabric& fabric = census.fabric;
  const SwitchId at = fabric.find_switch(throttled_[0].guid);
  BalanceOptions balance;
  avoid(throttled_, fabric, balance);
  log(Level::kError,
      fmt::format("avoid_throttled_links: {} cable{} slower than both ports are enabled for, the "
                  "first at {}:{}: {}",
                  throttled_.size(), throttled_.size() == 1 ? " is" : "s are",
                  switch_label(fabric, at), throttled_[0].port,
                  balance.weight.empty()
                      ? "no path takes them"
                      : "without them switches would be cut off, so that they count 255 hops with "
                        "updn, spf and, on fat trees, dmodk"));
}

/// Takes over OpenSM's option `qos` at each sweep, because OpenSM re-reads it after SIGHUP. If it
/// has changed, the plan must be made again.
void Plugin::follow_qos() {
  const bool qos = osm_.subn.opt.qos != FALSE;
  if (std::exchange(options_.qos, qos) != qos) plan_stale_ = true;
  if (qos || config_.fast_path) return;
  FoundRows found = unknown_rows("[repair] fast_path is off, which could read them");
  const std::string line = found.failure;
  {
    const std::lock_guard lock(status_mutex_);
    if (std::exchange(status_.rows, std::move(found)).failure == line) return;
  }
  log(Level::kError, line);
}

/// Whether the engine that opensm.conf names may use several VLs, or fills them. That engine
/// decides for all engines of this run, so that the tables of one can replace those of another.
bool Plugin::has_several_vls() const {
  const std::string name = first_engine(options_.engines);
  return config_.fill_vls || (!name.empty() && find_engine(name).facts.vls != "1");
}

/// Updates levels_. OpenSM re-reads the options of QoS after SIGHUP, and the number of VLs that all
/// ports have changes with the fabric. If the levels differ, the plan must be made again.
void Plugin::follow_qos_levels() {
  qos_ = qos_settings(osm_.subn.opt);
  QosLevels levels;
  if (qos_)
    levels = QosLevels(qos_->map, std::min(port_vls_.load(), vls_of_code(osm_.subn.opt.max_op_vls)),
                       has_several_vls());
  if (levels == levels_) return;
  levels_ = levels;
  plan_stale_ = true;
}

EngineRequest Plugin::engine_request(const Fabric& fabric, unsigned port_vls,
                                     std::string& remark) const {
  EngineRequest request;
  request.max_vls = std::min({config_.max_vls, port_vls, vls_of_code(osm_.subn.opt.max_op_vls)});
  request.max_sls = config_.max_sls;
  request.fill_vls = config_.fill_vls;
  if (!options_.qos) request.max_vls = request.max_sls = 1;  // OpenSM then writes no SL2VL tables
  request.max_vls = std::min(request.max_vls, levels_.engine_vls());
  request.max_sls = std::min(request.max_sls, levels_.engine_sls());
  request.bounds = levels_.arithmetic();
  using Replies = PluginConfig::Replies;
  request.replies = config_.replies == Replies::kOwnSl    ? ReplyGrade::kOwnSl
                    : config_.replies == Replies::kSameSl ? ReplyGrade::kSameSl
                                                          : ReplyGrade::kBase;
  request.replies_if_possible = config_.replies == Replies::kBest;
  if (config_.mode == PluginConfig::RepairWay::kReaddress && config_.fast_path)
    request.spare_lids = spare_rule(osm_.subn.first_time_master_sweep ? nullptr : plan_.get());
  request.tree = config_.tree;
  request.root = root_of(fabric, remark);
  request.hints = hint_reader_.in_force()->find(fabric);
  request.balance = balance_reader_.options(fabric);
  avoid(throttled_, fabric, request.balance);
  return request;
}

std::optional<SwitchId> Plugin::root_of(const Fabric& fabric, std::string& remark) const {
  if (config_.root.empty()) return std::nullopt;
  try {
    if (const SwitchId root = name_switch(fabric, config_.root); root != kNoSwitch) return root;
    remark = fmt::format("[engine] root = \"{}\" is no switch of this fabric: a root is chosen",
                         config_.root);
  } catch (const InputError& e) {  // several switches have this name
    remark = fmt::format("[engine] root: {}: a root is chosen", e.what());
  }
  return std::nullopt;
}

PlanRequest Plugin::plan_request(const Fabric& fabric, std::string& remark, RoutedBy routed) {
  PlanRequest request;
  request.engine = swept_engine_;
  request.request = engine_request(fabric, port_vls_, remark);
  request.fallback = config_.fallback == "opensm" ? nullptr : &find_engine(config_.fallback);
  request.guard = options_.qos && sl2vl_;
  request.clock = &clock_;
  request.interim = &find_engine("updn");
  request.interim_meanwhile = routed == RoutedBy::kNothing && !config_.deadline_ms;
  request.within_deadline = [this, routed](Computation task,
                                           const PlanRequest::Meanwhile& meanwhile) {
    return background_.within(wait_for_engine(config_.deadline_ms, routed, clock_.now() - started_),
                              std::move(task), meanwhile);
  };
  return request;
}

}  // namespace selvedge
