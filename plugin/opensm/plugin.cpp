// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin outside of sweeps: start, configuration, self-check, status. sweep.cpp has the
// sweeps.
#include "plugin/opensm/plugin.hpp"

#include <endian.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "plugin/control/fabric_changes.hpp"
#include "plugin/opensm/entry.hpp"
#include "plugin/opensm/local_ports.hpp"
#include "plugin/opensm/set_options.hpp"
#include "plugin/tables/files.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kFaultsKept = 256;   // most entries of Status::faults
constexpr std::size_t kFaultsLogged = 16;  // most lines logged for one sweep

std::string role_of(const osm_opensm_t& osm) {
  switch (osm.subn.sm_state) {
    case IB_SMINFO_STATE_DISCOVERING:
      return "discovering";
    case IB_SMINFO_STATE_STANDBY:
      return "standby";
    case IB_SMINFO_STATE_MASTER:
      return "master";
    default:
      return "not active";
  }
}

}  // namespace

Plugin::Plugin(osm_opensm_t& osm) : osm_(osm), timeline_(PluginConfig{}.events) {
  load_config();
  check_opensm();
  register_engines();
  observe_events();
  start_fast_path();
  open_status();
  open_metrics();
}

/// Threads of the status server may be waiting for an order or for a sweep. These waits must end
/// before the members are destroyed.
Plugin::~Plugin() {
  ending_ = true;
  background_.stop();
  fast_path_.stop();
  recorder_.stop();
}

void Plugin::log(Level level, const std::string& line) {
  // OpenSM truncates long messages, so a message must say first what happened.
  osm_log_v2(&osm_.log, level == Level::kError ? OSM_LOG_ERROR : OSM_LOG_INFO, 0, "selvedge: %s\n",
             line.c_str());
}

void Plugin::check_opensm() {
  const osm_subn_opt_t& opt = osm_.subn.opt;
  options_.version = osm_.osm_version;
  options_.built_for = OSM_VERSION;
  options_.engines = opt.routing_engine_names != nullptr ? opt.routing_engine_names : "";
  options_.qos = opt.qos != FALSE;
  options_.qos_max_vls = opt.qos_options.max_vls;
  options_.lmc = opt.lmc;
  for (const LocalPort& port : local_ports(be64toh(opt.guid))) {
    options_.port_before = fmt::format("{} with LID {}", port.name, port.lid);
    options_.lmc_before = port.lmc;
    if (port.lmc != opt.lmc) break;
  }
  options_.ucast_cache = opt.use_ucast_cache != FALSE;
  options_.sweep_interval_s = opt.sweep_interval;
  options_.routing = set_options(opt);

  status_.opensm = osm_.osm_version;
  status_.self_check = self_check(options_);
  for (const SelfCheckItem& f : status_.self_check)
    if (!f.ok) log(Level::kError, fmt::format("self-check: {}: {}", f.what, f.remedy));
}

/// Repeats the self-check with the checks that need a plan: do OpenSM's options suit this engine on
/// this fabric? A failed check is logged if it is new.
void Plugin::check_engine_needs(const Engine& engine) {
  EngineNeeds needs;
  needs.engine = engine.name;
  needs.switches = plan_->fabric.num_switches();
  needs.hosts = plan_->fabric.num_hosts();
  needs.vls_used = plan_->verdict.vls_used;
  needs.sls_used = plan_->verdict.sls_used;
  if (plan_->outcome != Outcome::kFellBack) {  // else it refuses this fabric: that was reported
    needs.lmc_wanted = wanted_lmc(engine, plan_->fabric, ReplyGrade::kOwnSl);
    needs.lmc_base = wanted_lmc(engine, plan_->fabric, ReplyGrade::kBase);
  }
  options_.routing = set_options(osm_.subn.opt);  // SIGHUP may have changed them
  std::vector<SelfCheckItem> items = self_check(options_, &needs);
  const std::lock_guard lock(status_mutex_);
  for (const SelfCheckItem& f : items)
    if (!f.ok && std::ranges::find(status_.self_check, f) == status_.self_check.end())
      log(Level::kError, fmt::format("self-check: {}: {}", f.what, f.remedy));
  status_.self_check = std::move(items);
}

void Plugin::open_status() {
  if (config_.socket.empty() || !config_error_.empty()) return;
  try {
    server_.start(config_.socket,
                  [this](const std::string& verb, const std::vector<std::string>& words) {
                    return handle_request(verb, words);
                  });
  } catch (const EnvironmentError& e) {
    log(Level::kError, fmt::format("{}; routing continues without it", e.what()));
  }
}

/// A copy of the status for a reader.
Status Plugin::status_now(std::shared_ptr<const HintFiles>* hints) {
  Status status;
  {
    const std::lock_guard lock(status_mutex_);
    status = status_;
    if (hints != nullptr) *hints = status_hints_;
  }
  status.role = role_of(osm_);
  status.fast_path_ready = fast_path_.ready_for(status.plan.get());
  const std::lock_guard lock(sweep_mutex_);
  status.drained = sweep_changes_.excluded().drained();
  status.held = sweep_changes_.excluded().held();
  return status;
}

std::string Plugin::handle_request(const std::string& verb, const std::vector<std::string>& words) {
  if (verb == "events") return events_document(timeline_);
  if (verb == "drain" || verb == "drain-with-hosts" || verb == "undrain" || verb == "reroute")
    return execute_order(verb, words);
  std::shared_ptr<const HintFiles> hints;
  Status status = status_now(&hints);
  if (verb == "status") {
    status.awaited = awaited_tables(status.plan.get());
    status.load = status.last_declined ? std::nullopt : load_of(status.plan, hints);
    status.dark = status.last_declined || !status.plan ? nullptr : dark_lids_of(*status.plan);
    status.fresh = status.last_declined ? nullptr : fresh_of(status.plan);
    return status_document(status);
  }
  if (verb == "tables") {
    if (!status.plan || status.last_declined)
      return "{\"error\": \"no tables of Selvedge are in force\"}\n";
    QosLevels levels;
    {
      const std::lock_guard lock(status_mutex_);
      levels = status_levels_;
    }
    return write_tables(status.plan->fabric,
                        as_written(status.plan->fabric, status.plan->tables, levels));
  }
  return "";
}

std::optional<AwaitedTables> Plugin::awaited_tables(const Plan* plan) const {
  if (plan == nullptr || plan->awaited.empty()) return std::nullopt;
  AwaitedTables awaited;
  awaited.engine = plan->awaited;
  if (const auto progress = background_.progress(); progress && progress->engine == plan->awaited) {
    awaited.done = progress->done;
    awaited.total = progress->total;
    awaited.seconds = progress->seconds;
  }
  if (const auto result = background_.result(plan->awaited, plan->fabric);
      result && result->failure)
    awaited.failure = *result->failure;
  return awaited;
}

std::string Plugin::execute_order(const std::string& verb, const std::vector<std::string>& words) {
  using Kind = Order::Kind;
  const bool with_hosts = verb == "drain-with-hosts";
  const Kind kind = verb == "drain" || with_hosts ? Kind::kDrain
                    : verb == "undrain"           ? Kind::kUndrain
                                                  : Kind::kReroute;
  const std::uint64_t asked = sweeps_requested_;
  std::string answer = fast_path_.carry_out({kind, words, with_hosts});
  if (kind == Kind::kUndrain || sweeps_requested_ == asked) return answer;
  // The order has requested a sweep, which moves the multicast groups. Until then groups still use
  // the drained components.
  auto done = nlohmann::ordered_json::parse(answer, nullptr, false);
  if (done.is_discarded() || done.contains("error")) return answer;
  done["groups_moved"] = wait_for_requested_sweep();
  return done.dump() + "\n";
}

/// Waits until the sweep last requested has brought the subnet up. False if that takes too long, or
/// if opensm is ending.
bool Plugin::wait_for_requested_sweep() const {
  constexpr auto kPatience = std::chrono::seconds(20);
  constexpr auto kStep = std::chrono::milliseconds(5);
  const std::uint64_t before = planned_when_requested_;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (planned_when_up_ <= before && !ending_ && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(kStep);
  return planned_when_up_ > before;
}

void Plugin::register_engines() {
  for (const Engine* engine : engines()) {
    slots_.push_back({this, engine, nullptr});
    register_engine(osm_, *engine, &slots_.back());
  }
}

/// The load of channels under the plan. It is computed only when the status is queried or the
/// status file is written, so that it does not delay tables, and cached until the plan or the hints
/// change.
std::optional<BaseLoad> Plugin::load_of(const std::shared_ptr<const Plan>& plan,
                                        const std::shared_ptr<const HintFiles>& hints) {
  if (!plan) return std::nullopt;
  {
    const std::lock_guard lock(status_mutex_);
    if (load_plan_ == plan && load_hints_ == hints) return status_.load;
  }
  const BaseLoad load = base_load(plan->fabric, plan->tables, hints->find(plan->fabric));
  const std::lock_guard lock(status_mutex_);
  status_.load = load;
  load_plan_ = plan;
  load_hints_ = hints;
  return load;
}

void Plugin::publish(const Planned& planned, const Engine& engine) {
  const std::lock_guard lock(status_mutex_);
  status_.engine = engine.name;
  ++status_.sweeps;
  status_.last_declined = !planned.plan;
  if (!planned.plan) ++status_.declined;
  status_.last_sweep_time = utc_now();
  status_.last_failures = planned.failures;
  status_.plan = plan_;
  status_.manager_writes_rows = options_.qos;
  status_levels_ = levels_;
}

/// Computes Status::lost. Repaired tables are compared with their undamaged baseline, other tables
/// with those of the sweep before. If neither the subnet nor the baseline has changed, the last
/// result stays.
void Plugin::record_lost_paths(const Plan& plan) {
  const Plan* before =
      plan.undamaged_baseline ? plan.undamaged_baseline.get() : recorded_plan_.get();
  std::shared_ptr<const LostPaths> lost;
  if (before != nullptr) {
    if (recorded_plan_ && same_subnet(recorded_plan_->fabric, plan.fabric) &&
        recorded_plan_->undamaged_baseline == plan.undamaged_baseline)
      return;
    lost = std::make_shared<const LostPaths>(
        lost_paths(before->fabric, before->tables, plan.fabric, plan.tables));
    if (lost->paths > 0)
      log(Level::kInfo, fmt::format("{} paths of {} pairs crossed lost links or switches",
                                    lost->paths, lost->pairs));
  }
  const std::lock_guard lock(status_mutex_);
  status_.lost = std::move(lost);
}

/// `lines`: what has changed in the fabric (fabric_changes.hpp), for log, events and status.
void Plugin::record_faults(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < std::min(lines.size(), kFaultsLogged); ++i)
    log(Level::kInfo, lines[i]);
  if (lines.size() > kFaultsLogged)
    log(Level::kInfo, fmt::format("… and {} more changes", lines.size() - kFaultsLogged));
  record_changes(lines);
  const std::string now = utc_now();
  const std::lock_guard lock(status_mutex_);
  for (const std::string& line : lines) status_.faults.push_back({now, line});
  status_.faults_total += lines.size();
  if (status_.faults.size() > kFaultsKept)
    status_.faults.erase(status_.faults.begin(),
                         status_.faults.end() - static_cast<std::ptrdiff_t>(kFaultsKept));
}

/// Logs the changes of the fabric and writes the status file, after a sweep has sent its tables.
void Plugin::update_status() {
  if (!status_due_.exchange(false)) return;
  std::shared_ptr<const Plan> plan;
  {
    const std::lock_guard lock(status_mutex_);
    plan = status_.plan;
  }
  if (plan) {
    // What the operator drains, or uses again, is no change of the fabric.
    std::vector<std::string> drained;
    {
      const std::lock_guard lock(sweep_mutex_);
      drained = sweep_changes_.excluded().drained();
    }
    if (recorded_plan_) {
      const auto without_drained = [](const Fabric& fabric, const std::vector<std::string>& names) {
        return without(fabric, ExcludedLinks::named_components(names, fabric));
      };
      record_faults(changes(without_drained(recorded_plan_->fabric, drained),
                            without_drained(plan->fabric, recorded_drained_)));
    }
    // What is undrained may be used by a later plan only.
    for (const std::string& name : recorded_drained_)
      if (std::ranges::find(drained, name) == drained.end() &&
          ExcludedLinks::named_components({name}, plan->fabric).empty())
        drained.push_back(name);
    recorded_drained_ = std::move(drained);
    record_lost_paths(*plan);
    log_dark(plan);
    recorded_plan_ = plan;
  }
  write_status_file(config_.file);
}

void Plugin::write_status_file(const std::string& file) {
  const std::lock_guard lock(file_mutex_);
  if (file.empty()) return;
  const bool done = replace_file(file, handle_request("status"));
  if (!done && !status_file_failed_)
    log(Level::kError, fmt::format("cannot write the status file: {}: {}; set [status] file in "
                                   "plugin.toml",
                                   file, std::strerror(errno)));
  status_file_failed_ = !done;
}

void Plugin::report(osm_epi_event_id_t id, void* data) {
  switch (id) {
    case OSM_EVENT_ID_TRAP: {
      const auto* notice = static_cast<const ib_mad_notice_attr_t*>(data);
      if (notice == nullptr) return;
      const bool generic = (notice->generic_type & 0x80) != 0;
      const std::uint16_t number = generic ? cl_ntoh16(notice->g_or_v.generic.trap_num) : 0;
      timeline_.add(Event::Kind::kTrap, 0, number, cl_ntoh16(notice->issuer_lid));
      // Traps (IBA 1.3 §14.2.5.1): 128, the link state of a switch's port has changed; 144, the
      // link width or speed, the capabilities or the node description has changed.
      constexpr std::uint16_t kLinkStateChange = 128;
      constexpr std::uint16_t kPortsChanged = 144;
      if (number == kLinkStateChange)
        fast_path_.handle_trap(cl_ntoh16(notice->data_details.ntc_128.sw_lid));
      if (number == kPortsChanged)
        fast_path_.handle_trap(cl_ntoh16(notice->data_details.ntc_144.lid));
      return;
    }
    case OSM_EVENT_ID_LFT_CHANGE: {
      const auto* change = static_cast<const osm_epi_lft_change_event_t*>(data);
      if (change == nullptr || change->p_sw == nullptr || reading_lfts_) return;
      const Guid guid = cl_ntoh64(osm_node_get_node_guid(change->p_sw->p_node));
      if (change->flags & LFT_CHANGED_BLOCK)
        timeline_.add(Event::Kind::kLftBlock, guid, change->block_num);
      if (change->flags & LFT_CHANGED_LFT_TOP)
        timeline_.add(Event::Kind::kLftTop, guid, change->lft_top);
      return;
    }
    case OSM_EVENT_ID_PORT_ERRORS:
      if (data != nullptr) watch_errors(*static_cast<const osm_epi_pe_event_t*>(data));
      return;
    case OSM_EVENT_ID_HEAVY_SWEEP_START:
      fast_path_.end_sweep();  // OpenSM may have abandoned the last sweep without reporting its end
      timeline_.add(Event::Kind::kHeavySweepStart);
      update_status();
      return;
    case OSM_EVENT_ID_HEAVY_SWEEP_DONE: {
      const std::lock_guard lock(sweep_mutex_);
      sweep_changes_.discovered();
    }
      timeline_.add(Event::Kind::kHeavySweepDone);
      return;
    case OSM_EVENT_ID_UCAST_ROUTING_DONE:
      fast_path_.end_sweep();
      timeline_.add(Event::Kind::kRoutingDone);
      return;
    case OSM_EVENT_ID_SUBNET_UP: {
      const std::lock_guard lock(sweep_mutex_);
      if (sweep_changes_.subnet_up(osm_.subn.subnet_initialization_error == FALSE)) request_sweep();
    }
      planned_when_up_ = sweeps_planned_.load();
      fast_path_.end_sweep();
      fast_path_.ports_configured();
      timeline_.add(Event::Kind::kSubnetUp);
      update_status();
      return;
    case OSM_EVENT_ID_STATE_CHANGE:
      timeline_.add(Event::Kind::kStateChange);
      return;
    default:
      return;
  }
}

}  // namespace selvedge
