// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of Plugin that implements SubnetManagerInterface: with OpenSM's lock, OpenSM's copies of
// the tables, and its sweeps. Also how a sweep waits for the fast path.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "plugin/opensm/drained_file.hpp"
#include "plugin/opensm/plugin.hpp"
#include "plugin/opensm/switches.hpp"

namespace selvedge {
namespace {

/// Holds OpenSM's read-write lock, for reading or writing.
class OsmLock {
 public:
  enum class Mode { kReading, kWriting };
  OsmLock(osm_opensm_t& osm, Mode what) : osm_(osm) {
    if (what == Mode::kReading)
      cl_plock_acquire(&osm_.lock);
    else
      cl_plock_excl_acquire(&osm_.lock);
  }
  ~OsmLock() { cl_plock_release(&osm_.lock); }
  OsmLock(const OsmLock&) = delete;
  OsmLock& operator=(const OsmLock&) = delete;

 private:
  osm_opensm_t& osm_;
};

/// The path of selvedge-smp-agent. It is searched relative to this library, as in a build folder
/// and as below any prefix of `cmake --install --prefix`. If it is not found, the result is the
/// path at which it was configured to be installed.
std::string find_agent() {
  constexpr const char* kName = "selvedge-smp-agent";
  const std::string installed = std::string(SELVEDGE_LIBEXEC) + "/" + kName;
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&find_agent), &here) == 0) return installed;
  std::error_code ignored;
  const auto library = std::filesystem::weakly_canonical(here.dli_fname, ignored);
  const auto folder = library.parent_path();
  for (const auto& agent :
       {folder.parent_path() / "bin" / kName, folder / SELVEDGE_LIBEXEC_FROM_LIB / kName})
    if (access(agent.c_str(), X_OK) == 0) return agent.lexically_normal().string();
  return installed;
}

/// Two SLs in an SL2VL row, both mapped to VL 14, which no engine does. It fills OpenSM's copy of a
/// row whose content is unknown. So OpenSM's next sweep finds a difference and writes the row.
constexpr std::uint8_t kUnknownRow = 0xee;

/// How long groups wait, before they pause, for the answers to SMPs that OpenSM has sent: some of
/// these may write MFTs. A trap's sweep may send many, and a repair does not wait for all of them.
constexpr auto kMftPatience = std::chrono::milliseconds(100);

osm_switch_t* switch_of(osm_opensm_t& osm, const Fabric& fabric, SwitchId s) {
  return osm_get_switch_by_guid(&osm.subn, cl_hton64(fabric.node(s).guid));
}

}  // namespace

void Plugin::start_fast_path() {
  {
    const std::lock_guard lock(sweep_mutex_);
    sweep_changes_ = SweepChanges(read_drained(config_.drained));
    if (const std::string& fault = sweep_changes_.excluded().fault(); !fault.empty())
      log(Level::kError, fmt::format("{}; until then nothing more can be drained", fault));
  }
  if (!config_.fast_path || !config_error_.empty()) return;
  fast_path_.start(config_.agent.empty() ? find_agent() : config_.agent);
}

/// Begins a sweep: waits until the fast path has finished, and keeps it from writing until the
/// sweep ends. Called with OpenSM's lock held. The fast path needs that lock to finish, so the lock
/// is released while the fast path is writing.
void Plugin::begin_sweep(osm_routing_engine_t& slot) {
  if (!fast_path_.try_begin_sweep()) {
    if (plan_) osm_.routing_engine_used = &slot;  // so that path queries get plan_'s SLs meanwhile
    cl_plock_release(&osm_.lock);
    fast_path_.begin_sweep();
    cl_plock_excl_acquire(&osm_.lock);
  }
  const std::lock_guard lock(sweep_mutex_);
  sweep_changes_.begin_sweep();
}

/// Whether OpenSM is master and has completed its first sweep as master. Before that, plan_ may be
/// from an earlier time as master.
bool Plugin::is_master() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return osm_.subn.sm_state == IB_SMINFO_STATE_MASTER && osm_.subn.first_time_master_sweep == FALSE;
}

std::shared_ptr<const Plan> Plugin::plan_in_force() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return in_force_ && osm_.subn.subnet_initialization_error == FALSE ? plan_ : nullptr;
}

SmpSettings Plugin::smp() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);  // because a sweep may reload config_
  return {.port = cl_ntoh64(osm_.subn.sm_port_guid),
          .m_key = osm_.subn.opt.m_key,
          .limits = {.outstanding_max = 16,
                     .timeout_ms = config_.smp_timeout_ms,
                     .tries = config_.smp_tries},
          .drain = std::chrono::milliseconds(config_.drain_ms),
          .hoq_life = config_.hoq_life,
          .window_hoq_life = config_.window_hoq_life,
          .levels = levels_};
}

bool Plugin::fill_in(const Plan& plan, std::vector<BlockImage>& blocks) {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return std::ranges::all_of(blocks, [&](BlockImage& block) {
    const osm_switch_t* sw = switch_of(osm_, plan.fabric, block.at);
    const std::size_t first = block.block * kSmpDataBytes;
    if (sw == nullptr || sw->lft == nullptr || first + kSmpDataBytes > sw->lft_size) return false;
    std::copy_n(sw->lft + first, kSmpDataBytes, block.entries.begin());
    const auto row = plan.tables.lft(block.at);
    for (std::size_t i = 0; i < kSmpDataBytes && first + i < row.size(); ++i)
      if (plan.fabric.destination_switch(static_cast<Lid>(first + i)) != kNoSwitch &&
          block.entries[i] != row[first + i])
        return false;
    return true;
  });
}

/// Stores the row in OpenSM's copy of the port's SL2VL tables.
void Plugin::store_row(const Fabric& fabric, const RowImage& row) {
  osm_physp_t* out = nullptr;
  if (row.host != kNoHost) {
    const osm_port_t* port =
        osm_get_port_by_guid(&osm_.subn, cl_hton64(fabric.host(row.host).guid));
    if (port != nullptr) out = port->p_physp;
  } else if (const osm_switch_t* sw = switch_of(osm_, fabric, row.at)) {
    out = osm_node_get_physp_ptr(sw->p_node, row.out);
  }
  if (out == nullptr) return;
  ib_slvl_table_t table{};
  std::ranges::copy(row.row, table.raw_vl_by_sl);
  osm_physp_set_slvl_tbl(out, &table, row.in);
}

bool Plugin::take_over(const std::shared_ptr<const Plan>& before, std::shared_ptr<const Plan> after,
                       const Confirmed& confirmed, const std::vector<std::string>& gone) {
  const OsmLock lock(osm_, OsmLock::Mode::kWriting);
  for (const BlockImage& block : confirmed.blocks) {
    osm_switch_t* sw = switch_of(osm_, after->fabric, block.at);
    const std::size_t first = block.block * kSmpDataBytes;
    if (sw == nullptr || sw->lft == nullptr || first + kSmpDataBytes > sw->lft_size) continue;
    std::ranges::copy(block.entries, sw->lft + first);
    // OpenSM's SA answers path queries by what the routing engine has computed last.
    if (sw->new_lft != nullptr) std::ranges::copy(block.entries, sw->new_lft + first);
  }
  // Blocks whose content is unknown are set to zeros in OpenSM's copy, as OpenSM itself does before
  // it sends a block. So OpenSM's next sweep finds a difference and sends them again.
  for (const BlockImage& block : confirmed.unknown_blocks) {
    osm_switch_t* sw = switch_of(osm_, after->fabric, block.at);
    const std::size_t first = block.block * kSmpDataBytes;
    if (sw == nullptr || sw->lft == nullptr || first + kSmpDataBytes > sw->lft_size) continue;
    std::fill_n(sw->lft + first, kSmpDataBytes, std::uint8_t{0});
  }
  for (const RowImage& row : confirmed.rows) store_row(after->fabric, row);
  for (RowImage row : confirmed.unknown_rows) {
    row.row.fill(kUnknownRow);
    store_row(after->fabric, row);
  }
  if (plan_ != before) return false;
  plan_ = std::move(after);
  announced_sls_.clear();
  index_plan();
  bool repaired = false;
  {
    const std::lock_guard changes(sweep_mutex_);
    const std::vector<std::string>& drained = sweep_changes_.excluded().drained();
    repaired = std::ranges::any_of(gone, [&](const std::string& name) {
      return std::ranges::find(drained, name) == drained.end();
    });
    if (sweep_changes_.taken_over(*plan_, gone, confirmed.paused)) request_sweep();
  }
  status_due_ = true;
  const std::lock_guard status(status_mutex_);
  status_.plan = plan_;
  if (repaired) ++status_.fast_repairs;
  return true;
}

GroupPorts Plugin::group_ports() {
  const std::lock_guard lock(sweep_mutex_);
  return sweep_changes_.group_ports();
}

std::optional<std::vector<MftImage>> Plugin::pause_groups(const Plan& plan,
                                                          const std::vector<PausedPorts>& ports) {
  std::vector<MftImage> images;
  const auto answered = [this] { return osm_.stats.qp0_mads_outstanding == 0; };
  const auto end = std::chrono::steady_clock::now() + kMftPatience;
  while (!answered() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const OsmLock lock(osm_, OsmLock::Mode::kWriting);
  for (const PausedPorts& lost : ports)
    if (switch_of(osm_, plan.fabric, lost.at) == nullptr) return std::nullopt;
  for (const PausedPorts& lost : ports) {
    // If a group changes meanwhile, OpenSM makes its tree anew: without these ports.
    paused_ports_[plan.fabric.node(lost.at).guid] |= lost.ports;
    osm_switch_t* sw = switch_of(osm_, plan.fabric, lost.at);
    for (MftImage& image : take_from_groups(sw->mcast_tbl, lost.ports)) {
      image.at = lost.at;
      images.push_back(image);
    }
  }
  const std::lock_guard status(status_mutex_);
  status_.groups_paused = true;
  ++status_.group_pauses;
  return images;
}

void Plugin::resume_groups() {
  const OsmLock lock(osm_, OsmLock::Mode::kWriting);
  paused_ports_.clear();
  const std::lock_guard status(status_mutex_);
  status_.groups_paused = false;
}

void Plugin::announce_sls(const std::vector<SlChange>& sls) {
  const OsmLock lock(osm_, OsmLock::Mode::kWriting);
  for (const SlChange& c : sls) announced_sls_[place_of(c.source, c.dlid)] = c.after;
}

bool Plugin::manager_writes_rows() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return options_.qos;
}

/// Updates OpenSM's copies, by which it decides what to write once its option qos is TRUE again.
void Plugin::rows_replaced(const Fabric& fabric, const std::vector<RowImage>& rows) {
  const OsmLock lock(osm_, OsmLock::Mode::kWriting);
  for (const RowImage& row : rows) store_row(fabric, row);
}

void Plugin::hoq_life_set(HoqReport report) {
  {
    const std::lock_guard lock(status_mutex_);
    if (status_.hoq == report) return;
    status_.hoq = std::move(report);
  }
  std::string file;
  {
    const OsmLock lock(osm_, OsmLock::Mode::kReading);  // because a sweep may reload config_
    file = config_.file;
  }
  write_status_file(file);
}

void Plugin::rows_found(FoundRows found) {
  {
    const std::lock_guard lock(status_mutex_);
    const bool news = status_.rows.plan != found.plan || status_.rows.failure != found.failure;
    status_.rows = std::move(found);
    if (!news) return;
  }
  std::string file;
  {
    const OsmLock lock(osm_, OsmLock::Mode::kReading);  // because a sweep may reload config_
    file = config_.file;
  }
  write_status_file(file);
}

Plan Plugin::compute(const std::string& name, const Fabric& fabric) {
  std::string remark;
  const Engine& engine = find_engine(name);
  EngineRequest request;
  {
    const OsmLock lock(osm_, OsmLock::Mode::kReading);
    request = engine_request(fabric, port_vls_, remark);
  }
  Plan plan = draft_plan(engine, fabric, request);
  if (!remark.empty()) plan.remarks.push_back(remark);
  return plan;
}

std::optional<Plan> Plugin::plan_for(const Fabric& fabric) {
  std::string remark;
  PlanRequest request;
  std::shared_ptr<const Plan> last;
  {
    const OsmLock lock(osm_, OsmLock::Mode::kReading);
    request = plan_request(fabric, remark, RoutedBy::kOurTables);
    last = plan_;
  }
  request.last = last.get();
  Planned planned = make_plan(fabric, request);
  for (const std::string& failure : planned.failures) log(Level::kError, failure);
  if (planned.plan && !remark.empty()) planned.plan->remarks.push_back(remark);
  return std::move(planned.plan);
}

std::optional<Plan> Plugin::awaited_plan(const Plan& interim) {
  std::optional<Computed> computed = background_.result(interim.awaited, interim.fabric);
  if (!computed) return std::nullopt;
  if (computed->failure) throw not_awaited_any_more(interim, *computed->failure);
  computed->plan->fabric = interim.fabric;  // names may have changed
  return std::move(computed->plan);
}

std::shared_ptr<const RestoredLinks> Plugin::restored() {
  const std::lock_guard lock(sweep_mutex_);
  return sweep_changes_.restored();
}

void Plugin::rediscover() {
  {
    const std::lock_guard lock(sweep_mutex_);
    sweep_changes_.rediscover();
  }
  request_sweep();
}

void Plugin::leave_to_sweep() {
  {
    const std::lock_guard lock(sweep_mutex_);
    sweep_changes_.leave_to_sweep();
  }
  request_sweep();
}

void Plugin::install_by_sweep() {
  awaited_ready_ = true;
  request_sweep();
}

void Plugin::prefer(const std::string& engine) {
  const OsmLock lock(osm_, OsmLock::Mode::kWriting);
  preferred_ = &find_engine(engine);
}

FlapSettings Plugin::flaps() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return config_.flaps;
}
DriftSettings Plugin::drift() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return config_.drift;
}

std::chrono::seconds Plugin::keep_fresh() {
  const OsmLock lock(osm_, OsmLock::Mode::kReading);
  return std::chrono::seconds(config_.keep_fresh_s);
}

void Plugin::drain(const std::vector<std::string>& names) {
  {
    const std::lock_guard lock(sweep_mutex_);
    if (!sweep_changes_.drain(names)) return;
  }
  request_sweep();
}

void Plugin::undrain(const std::vector<std::string>& names) {
  const std::lock_guard lock(sweep_mutex_);
  sweep_changes_.excluded().undrain(names);
}

std::vector<std::string> Plugin::drained() {
  const std::lock_guard lock(sweep_mutex_);
  return sweep_changes_.excluded().drained();
}

void Plugin::hold(const std::string& name, Instant until) {
  const std::lock_guard lock(sweep_mutex_);
  sweep_changes_.excluded().hold(name, until);
}

bool Plugin::release_held() {
  const std::lock_guard lock(sweep_mutex_);
  return sweep_changes_.excluded().release(clock_.now());
}

void Plugin::request_sweep() {
  planned_when_requested_ = sweeps_planned_.load();
  ++sweeps_requested_;
  osm_.subn.force_heavy_sweep = TRUE;
  osm_sm_signal(&osm_.sm, OSM_SIGNAL_SWEEP);
}

void Plugin::report(Event::Kind kind, Guid guid, std::uint32_t number) {
  timeline_.add(kind, guid, number);
}

void Plugin::log(bool error, const std::string& line) {
  log(error ? Level::kError : Level::kInfo, line);
}

}  // namespace selvedge
