// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/status.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/fabric/naming.hpp"

namespace selvedge {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kDarkListed = 256;   // most entries of dark_lids.listed
constexpr std::size_t kFreshListed = 256;  // most entries of fresh_lids.listed

ordered_json optional(const std::optional<bool>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json row_document(const Status& status) {
  if (status.manager_writes_rows || !status.plan) return nullptr;
  const FoundRows& rows = status.rows;
  return {{"rows", rows.rows},
          {"replaced", rows.replaced},
          {"unread", rows.unread},
          {"harmful", rows.harmful},
          {"let_pass", rows.let_pass(*status.plan)},
          {"failure", rows.failure.empty() ? ordered_json(nullptr) : ordered_json(rows.failure)}};
}

ordered_json sweep_document(const Status& status, const Plan& plan) {
  const Verdict& v = plan.verdict;
  const std::optional<ReplyGrade> grade = v.grade();
  unsigned lmc = 0;
  for (const Host& h : plan.fabric.hosts()) lmc = std::max<unsigned>(lmc, h.lmc);
  return {
      {"number", status.sweeps},
      {"time", status.last_sweep_time},
      {"outcome", status.last_declined ? "declined" : name(plan.outcome)},
      {"tables_of", plan.engine},
      {"awaited", status.awaited
                      ? ordered_json{{"engine", status.awaited->engine},
                                     {"done", status.awaited->done},
                                     {"total", status.awaited->total},
                                     {"seconds", status.awaited->seconds},
                                     {"failure", status.awaited->failure.empty()
                                                     ? ordered_json(nullptr)
                                                     : ordered_json(status.awaited->failure)}}
                      : ordered_json(nullptr)},
      {"remarks", plan.remarks},
      {"failures", status.last_failures},
      {"steps_ms",
       {{"census", plan.steps.census_ms},
        {"adopt", plan.steps.adopt_ms},
        {"compute", plan.steps.compute_ms},
        {"prove", plan.steps.prove_ms},
        {"write", status.write_ms}}},
      {"proof",
       // Rows that drop packets, or may do so, can leave pairs without a path though LFTs connect
       // them.
       {{"connected",
         optional(status.manager_writes_rows || !v.connected || status.rows.let_pass(plan)
                      ? std::optional(v.connected)
                      : std::nullopt)},
        {"loop_free", v.loop_free},
        {"deadlock_free", v.deadlock_free},
        {"deadlock_free_base", optional(v.deadlock_free_base)},
        {"deadlock_free_replies", optional(v.deadlock_free_replies)},
        {"deadlock_free_any_sl", optional(v.deadlock_free_any_sl)},
        {"replies", grade ? ordered_json(name(*grade)) : ordered_json(nullptr)},
        {"pairs", v.pairs},
        {"failed_pairs", v.failed_pairs},
        {"disconnected", v.disconnected},
        {"dependencies", v.dependencies}}},
      {"vls_used", v.vls_used},
      {"sls_used", v.sls_used},
      {"lmc", lmc},
      {"switches", plan.fabric.num_switches()},
      {"hosts", plan.fabric.num_hosts()},
      {"links", plan.fabric.links().size()},
  };
}

ordered_json lost_document(const LostPaths& lost) {
  ordered_json listed = ordered_json::array();
  for (const LostPair& pair : lost.listed) {
    ordered_json paths = ordered_json::array();
    for (const LostPath& p : pair.paths)
      paths.push_back(
          {{"lid", p.lid}, {"offset", p.offset}, {"disjoint", p.disjoint}, {"works", p.works}});
    listed.push_back({{"source", pair.source},
                      {"destination", pair.destination},
                      {"disjoint_before", pair.disjoint_before},
                      {"disjoint_now", pair.disjoint_now},
                      {"paths", std::move(paths)}});
  }
  return {{"pairs", lost.pairs}, {"paths", lost.paths}, {"listed", std::move(listed)}};
}

ordered_json dark_document(const Fabric& fabric, const std::vector<DarkLid>& dark) {
  const Labels labels(fabric);
  ordered_json listed = ordered_json::array();
  for (std::size_t i = 0; i < std::min(dark.size(), kDarkListed); ++i)
    listed.push_back({{"lid", dark[i].lid},
                      {"host", labels.of_host(dark[i].host)},
                      {"sources", dark[i].sources},
                      {"from", labels.of_switch(dark[i].first)}});
  return {{"lids", dark.size()}, {"paths", dark_paths(dark)}, {"listed", std::move(listed)}};
}

ordered_json fresh_document(const Plan& plan, const std::vector<FreshPair>& pairs) {
  const Labels labels(plan.fabric);
  ordered_json listed = ordered_json::array();
  std::size_t fresh = 0;
  for (const FreshPair& pair : pairs) {
    if (pair.after == kNoLid || fresh++ >= kFreshListed) continue;
    listed.push_back({{"from", labels.of_switch(pair.source)},
                      {"host", labels.of_host(pair.host)},
                      {"before", pair.before},
                      {"lid", pair.after},
                      {"sl", pair.sl}});
  }
  return {{"in_use", has_fresh_lids(plan)},
          {"pairs", fresh},
          {"in_place_only", pairs.size() - fresh},
          {"listed", std::move(listed)}};
}

ordered_json hint_document(const HintState& hint) {
  return {{"setting", setting_name(hint.role)},
          {"file", hint.path},
          {"guids", hint.guids},
          {"unknown", hint.unknown},
          {"in_force", hint.guids > hint.unknown && !hint.overruled},
          {"overruled", hint.overruled},
          {"fault", hint.fault.empty() ? ordered_json(nullptr) : ordered_json(hint.fault)}};
}

ordered_json load_document(const Fabric& fabric, const BaseLoad& load) {
  if (load.busiest == kNoChannel) return nullptr;
  return {{"busiest_from", fabric.port_name(load.busiest)},
          {"busiest_to", fabric.port_name(fabric.peer(load.busiest))},
          {"max_host_pairs", load.max},
          {"mean_host_pairs", load.mean},
          {"used_channels", load.used},
          {"mean_over", load.by_levels ? "up-cables" : "cables"},
          {"counted_max_host_pairs", load.counted_max},
          {"ratio", load.ratio()},
          {"uneven", load.uneven()}};
}

/// Null if the lifetimes are the subnet manager's.
ordered_json hoq_document(const HoqReport& hoq) {
  if (hoq.life == 0) return nullptr;
  return {
      {"life", hoq.life},
      {"us", hoq_us(hoq.life)},
      {"ports", hoq.ports},
      {"failed", hoq.failed},
      {"first_failed", hoq.failed > 0 ? ordered_json(hoq.first_failed) : ordered_json(nullptr)}};
}

/// The document as text. Node descriptions in it come from the fabric and may contain any bytes, so
/// invalid UTF-8 is replaced.
std::string text(const ordered_json& document) {
  return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string status_document(const Status& status) {
  ordered_json document = {
      {"format", "selvedge-status-1"},
      {"selvedge", SELVEDGE_VERSION},
      {"opensm", status.opensm},
      {"role", status.role},
      {"engine", status.engine.empty() ? ordered_json(nullptr) : ordered_json(status.engine)},
      {"config_error",
       status.config_error.empty() ? ordered_json(nullptr) : ordered_json(status.config_error)},
      {"sweeps", status.sweeps},
      {"drained", status.drained},
      {"held", status.held},
      {"fast_path",
       {{"ready", status.fast_path_ready},
        {"repairs", status.fast_repairs},
        {"groups_paused", status.groups_paused},
        {"group_pauses", status.group_pauses}}},
      {"declined", status.declined},
      {"last_sweep", status.plan ? sweep_document(status, *status.plan) : ordered_json(nullptr)},
      {"found_sl2vl_rows", row_document(status)},
      {"hoq_life", hoq_document(status.hoq)},
      {"base_load", status.plan && status.load ? load_document(status.plan->fabric, *status.load)
                                               : ordered_json(nullptr)},
      {"failures", status.last_failures},
      {"faults_total", status.faults_total},
  };
  document["hint_files"] = ordered_json::array();
  for (const HintState& hint : status.hint_files)
    document["hint_files"].push_back(hint_document(hint));
  document["faults"] = ordered_json::array();
  for (const FaultRecord& f : status.faults)
    document["faults"].push_back({{"time", f.time}, {"what", f.what}});
  document["lost_paths"] = lost_document(status.lost ? *status.lost : LostPaths{});
  document["dark_lids"] = status.plan && status.dark && !status.last_declined
                              ? dark_document(status.plan->fabric, *status.dark)
                              : ordered_json(nullptr);
  document["fresh_lids"] = status.plan && status.fresh && !status.last_declined
                               ? fresh_document(*status.plan, *status.fresh)
                               : ordered_json(nullptr);
  document["self_check"] = ordered_json::array();
  for (const SelfCheckItem& f : status.self_check)
    document["self_check"].push_back({{"ok", f.ok}, {"what", f.what}, {"remedy", f.remedy}});
  return text(document);
}

}  // namespace selvedge
