// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/virtual_manager.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "plugin/control/directed_routes.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "sim/control/mft_blocks.hpp"

namespace selvedge::sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirstSweep = 1ms;
constexpr auto kSweepAfterTrap = 30ms;  // from a trap to the sweep that it causes
constexpr auto kDiscovery = 20ms;       // how long a sweep discovers, as OpenSM on a small fabric
constexpr auto kPeriod = 10s;           // between periodic sweeps: OpenSM's sweep_interval
constexpr unsigned kPreparations = 3;   // how often an order is prepared if its plan becomes stale

/// Whether the tables of this plan can be repaired in place after a fault.
bool repairable(const std::shared_ptr<const Plan>& plan) {
  try {
    prepare_repair(plan);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

VirtualManager::VirtualManager(MemorySubnet& subnet, VirtualClock& clock, const Settings& settings)
    : subnet_(subnet), clock_(clock), settings_(settings) {
  subnet_.on_trap = [this](Lid lid) {
    if (std::ranges::find(trap_issuers_, lid) == trap_issuers_.end()) trap_issuers_.push_back(lid);
    const Instant due = clock_.now() + kSweepAfterTrap;
    if (!sweep_due_ || *sweep_due_ > due) sweep_due_ = due;
  };
  restart();
}

void VirtualManager::restart() {
  changes_ = SweepChanges(ExcludedLinks(drained_file_, "drained",
                                        [this](const std::string& text) { drained_file_ = text; }));
  controller_.emplace(with(clock_), subnet_);
  writer_ = {};
  commands_ = {};
  prepared_.reset();
  trap_issuers_.clear();
  plan_.reset();
  in_force_ = errors_ = false;
  new_master_ = true;
  preferred_ = nullptr;
  late_.reset();
  recompute_ = false;
  copies_.clear();
  restore_ordered_.reset();
  announced_sls_.clear();
  hold_ends_.clear();
  sweep_due_ = clock_.now() + kFirstSweep;
}

void VirtualManager::order(Order order) {
  commands_.add(std::move(order), [](const std::string&) {});
}

// --- Scheduling

bool VirtualManager::settle(std::chrono::nanoseconds within) {
  const Instant end = clock_.now() + within;
  for (bool looked = false; clock_.now() < end;) {
    while (step()) looked = false;
    if (idle()) {
      if (looked) return true;
      looked = true;
      clock_.wait(kPeriod);  // the periodic sweep finds changes whose traps were lost
      if (idle()) sweep();
    } else {
      clock_.run_until(std::min(next_due(), end));
    }
  }
  return false;
}

void VirtualManager::run_for(std::chrono::nanoseconds time) {
  const Instant end = clock_.now() + time;
  while (clock_.now() < end) {
    while (clock_.now() < end && step()) {
    }
    clock_.run_until(std::min({next_due(), end, clock_.next(end)}));
  }
}

/// No work is pending; only the next periodic sweep is due.
bool VirtualManager::idle() const {
  return trap_issuers_.empty() && commands_.empty() && !prepared_ && !sweep_due_ &&
         hold_ends_.empty() && !changes_.restored() && (!late_ || late_->told);
}

Instant VirtualManager::next_due() const {
  Instant due = clock_.now() + kPeriod;
  if (sweep_due_) due = std::min(due, *sweep_due_);
  for (const Instant hold : hold_ends_) due = std::min(due, hold);
  if (late_ && !late_->told) due = std::min(due, std::max(late_->ready, clock_.now()));
  return std::min(due, clock_.next(due));
}

/// Does the first work that is due; returns false if none is. The order is that of the plugin's
/// threads for repairs outside sweeps: traps, then links that a sweep found restored, then prepared
/// orders. A sweep and the preparation of orders come last.
bool VirtualManager::step() {
  try {
    if (plan_in_force()) {
      controller_->prepare();
      if (!trap_issuers_.empty()) {
        const std::vector<Lid> issuers = std::exchange(trap_issuers_, {});
        if (controller_->ready_for() != nullptr && writer_.try_fast_path())
          controller_->handle_traps(issuers);
        writer_.end_fast_path();
        return true;
      }
      const auto restored = changes_.restored();
      if (restored && restore_takes_long(*restored, settings_.restore_at_once_max)) {
        if (std::exchange(restore_ordered_, restored) != restored) {
          commands_.add({Order::Kind::kRestore, {}}, {});
          ++counts_.restore_orders;
        }
      } else if (restored) {
        writer_.try_fast_path();
        controller_->route_restored(*restored);
        writer_.end_fast_path();
        ++counts_.restores;
        return true;
      }
      if (controller_->completion_due()) commands_.add({Order::Kind::kCompleteRepair, {}}, {});
      if (controller_->readdress_due()) commands_.add({Order::Kind::kReaddress, {}}, {});
      if (controller_->return_due()) commands_.add({Order::Kind::kReturnLids, {}}, {});
      if (prepared_) {
        writer_.try_fast_path();
        execute_order();
        writer_.end_fast_path();
        return true;
      }
    }
    trap_issuers_.clear();
  } catch (const Error& e) {
    controller_->forget();
    prepared_.reset();
    writer_.end_fast_path();
    log(true, e.what());
    return true;
  }
  if (std::erase_if(hold_ends_, [&](Instant until) { return until <= clock_.now(); }) > 0 &&
      release_held())
    request_sweep();
  if (late_ && !late_->told && late_->ready <= clock_.now()) {
    late_->told = true;
    commands_.add({Order::Kind::kInstall, {}}, {});
    return true;
  }
  if (sweep_due_ && *sweep_due_ <= clock_.now()) {
    sweep_due_.reset();
    sweep();
    return true;
  }
  if (!commands_.empty() && plan_in_force() && !prepared_) {
    Command command = commands_.take();
    preparations_ = 0;
    try {
      if (command.order.kind == Order::Kind::kUndrain)
        selvedge::undrain(command.order.words, with(clock_));
      else if (command.order.kind == Order::Kind::kInstall && !repairable(plan_))
        install_by_sweep();
      else
        prepared_.emplace(command.order,
                          prepare_order(command.order, prepare_repair(plan_), with(clock_)));
      ++counts_.orders;
    } catch (const Error& e) {
      give_up(command.order, e.what());
      ++counts_.refused;
    }
    return true;
  }
  if (!commands_.empty() && !plan_in_force() && !sweep_due_) commands_.take();
  return false;
}

void VirtualManager::execute_order() {
  using Outcome = RepairController::Outcome;
  auto [order, change] = std::move(*prepared_);
  prepared_.reset();
  try {
    const Outcome outcome = controller_->carry_out(change);
    if (outcome == Outcome::kDone) {
      if (const OrderReport report = report_order(order, change); !report.line.empty())
        log(false, report.line);
      return;
    }
    counts_.stale += outcome == Outcome::kStale ? 1 : 0;
    if (outcome == Outcome::kStale && ++preparations_ < kPreparations && plan_in_force())
      prepared_.emplace(order, prepare_order(order, prepare_repair(plan_), with(clock_)));
    else
      give_up(order, "the tables have changed meanwhile");
  } catch (const Error& e) {
    give_up(order, e.what());
    throw;
  }
}

/// Logs that an order is not carried out; a sweep may replace the tables that it leaves.
void VirtualManager::give_up(const Order& order, const std::string& why) {
  if (order.kind == Order::Kind::kRestore) leave_to_sweep();
  const bool completion = order.kind == Order::Kind::kCompleteRepair;
  if (const std::string line = completion ? give_up_completion(why, with(clock_)).line : why;
      !line.empty())
    log(false, line);
}

// --- A sweep

PlanRequest VirtualManager::request() {
  PlanRequest request;
  request.engine = preferred_ != nullptr ? preferred_ : settings_.engine;
  request.fallback = settings_.fallback;
  request.guard = settings_.guard;
  request.request.replies = settings_.replies;
  request.request.replies_if_possible = !settings_.demand_replies;
  if (settings_.readdress)
    request.request.spare_lids = spare_rule(new_master_ ? nullptr : plan_.get());
  if (settings_.late.count() > 0) {
    request.interim = &find_engine("updn");
    request.interim_meanwhile = true;
    request.within_deadline = [this](const Computation& task,
                                     const PlanRequest::Meanwhile& meanwhile) {
      if (meanwhile) meanwhile();
      return begin_late(task);
    };
  }
  return request;
}

/// The result of this computation, if Settings::late has passed since its first call; nothing
/// before that. The first call computes it at once, but it is withheld until then.
std::optional<Computed> VirtualManager::begin_late(const Computation& task) {
  if (!late_ || late_->engine != task.engine->name || !same_subnet(late_->fabric, task.fabric))
    late_ =
        Late{std::string(task.engine->name), task.fabric, run(task), clock_.now() + settings_.late};
  if (!late_->result.failure) late_->told = false;  // no order to install follows a failure
  if (late_->ready > clock_.now()) return std::nullopt;
  return late_->result;
}

std::optional<Plan> VirtualManager::awaited_plan(const Plan& interim) {
  if (!late_ || late_->ready > clock_.now() || late_->engine != interim.awaited ||
      !same_subnet(late_->fabric, interim.fabric))
    return std::nullopt;
  if (late_->result.failure) throw not_awaited_any_more(interim, *late_->result.failure);
  return late_->result.plan;
}

void VirtualManager::sweep() {
  ++counts_.sweeps;
  const bool ours = in_force_ && plan_ && !new_master_;
  clock_.wait(kDiscovery);
  writer_.try_sweep();
  changes_.begin_sweep();
  const Fabric discovered = subnet_.discovered();
  changes_.discovered();
  drop_restarted(discovered);
  Fabric fabric = changes_.take_in_service(discovered);
  if (ours) {
    if (Fault lost = missing_from(fabric, plan_->fabric); !lost.empty()) {
      writer_.end_sweep();
      writer_.try_fast_path();
      controller_->prepare();
      controller_->repair_lost({plan_, std::move(lost)});
      writer_.end_fast_path();
      writer_.try_sweep();
      fabric = changes_.take_in_service(discovered);
    }
    changes_.defer_restored_links(*plan_, fabric);
  }
  in_force_ = false;

  std::optional<Tables> found;
  if (new_master_) found = subnet_.tables_in_switches(fabric);
  PlanRequest request = this->request();
  request.last = new_master_ ? nullptr : plan_.get();
  request.leave_incomplete = ours && controller_->ready_for() == plan_.get();
  request.recompute = std::exchange(recompute_, false);
  request.found = found ? &*found : nullptr;
  Planned planned = make_plan(fabric, request);
  for (const std::string& failure : planned.failures) log(true, failure);
  new_master_ = false;
  if (!planned.plan) {
    ++counts_.declined;
    writer_.end_sweep();
    return;
  }
  counts_.adopted += planned.plan->outcome == Outcome::kAdopted ? 1 : 0;
  log(false, fmt::format("sweep: {}", name(planned.plan->outcome)));
  plan_ = std::make_shared<const Plan>(std::move(*planned.plan));
  in_force_ = true;
  if (!plan_->awaited.empty()) {
    PlanRequest awaited = this->request();
    begin_late({awaited.engine, plan_->fabric, awaited.request, awaited.guard, {}, nullptr});
  }
  announced_sls_.clear();
  changes_.planned(plan_);
  errors_ = !write_sweep(discovered);
  errors_ |= !write_groups(discovered);
  writer_.end_sweep();
  if (errors_) {
    if (!sweep_due_) sweep_due_ = clock_.now() + kSweepAfterTrap;
    return;
  }
  if (changes_.subnet_up(true)) request_sweep();
}

VirtualManager::Copy& VirtualManager::copy_of(Guid guid) {
  Copy& copy = copies_[guid];
  if (!copy.lft.empty()) return copy;
  const Fabric& whole = subnet_.whole();
  const SwitchId s = whole.find_switch(guid);
  const std::size_t ports = whole.node(s).ports + std::size_t{1};
  copy.restarts = subnet_.restarts(s);
  copy.lft.assign((whole.top_lid() / kSmpDataBytes + 1) * kSmpDataBytes, kNoPort);
  copy.rows.resize(ports * ports);
  return copy;
}

/// Forgets the tables of switches that restarted or disappeared. OpenSM sees a restart by ports in
/// the state Initialize, and treats a switch that returns as a new one.
void VirtualManager::drop_restarted(const Fabric& discovered) {
  std::erase_if(copies_, [&](const auto& entry) {
    return discovered.find_switch(entry.first) == kNoSwitch ||
           entry.second.restarts != subnet_.restarts(subnet_.whole().find_switch(entry.first));
  });
}

/// Writes the SL2VL tables and LFT blocks that differ from the manager's copies. As OpenSM does, it
/// keeps no deadlock-free order of the writes, and also writes to switches that only drained or
/// held cables reach. False if a write failed.
bool VirtualManager::write_sweep(const Fabric& discovered) {
  const Fabric& fabric = plan_->fabric;
  const SmpSettings settings = smp();
  const DirectedRoutes routes(discovered, settings.port);
  bool all = true;
  const auto write = [&](const SmpRequest& request) {
    const bool done = subnet_.run({&request, 1}, settings.limits).front().status == 0;
    all &= done;
    return done;
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const SwitchId found = discovered.find_switch(fabric.node(s).guid);
    const std::optional<SmpPath> path = found == kNoSwitch ? std::nullopt : routes.to(found);
    if (!path) continue;
    Copy& copy = copy_of(fabric.node(s).guid);
    SmpRequest request;
    request.method = SmpMethod::kSet;
    request.path = *path;
    request.attribute = SmpAttribute::kSl2Vl;
    const unsigned ports = fabric.node(s).ports;
    for (unsigned in = 0; in <= ports; ++in)
      for (unsigned out = 0; out <= ports; ++out) {
        const auto row = on_the_wire(
            plan_->tables.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)));
        auto& known = copy.rows[in * (ports + std::size_t{1}) + out];
        if (known == row) continue;
        request.modifier = in << 8U | out;
        std::ranges::copy(row, request.data.begin());
        known.reset();
        if (write(request)) known = row;
      }
    request.attribute = SmpAttribute::kLft;
    const auto row = plan_->tables.lft(s);
    bool whole = true;
    for (std::size_t first = 0; first < copy.lft.size(); first += kSmpDataBytes) {
      const std::span held = std::span(copy.lft).subspan(first, kSmpDataBytes);
      request.data.fill(kNoPort);
      if (first < row.size())
        std::ranges::copy(row.subspan(first, std::min(kSmpDataBytes, row.size() - first)),
                          request.data.begin());
      if (!copy.fresh && std::ranges::equal(request.data, held)) continue;
      request.modifier = static_cast<std::uint32_t>(first / kSmpDataBytes);
      const bool written = write(request);
      whole &= written;
      if (written)
        std::ranges::copy(request.data, held.begin());
      else
        std::ranges::fill(held, std::uint8_t{0});  // as OpenSM's copy while the SMP is unanswered
    }
    if (whole) copy.fresh = false;
  }
  return all;
}

/// Writes the MFT blocks that differ from the manager's copies, after all other tables: those of
/// the group that stands for all groups, and empty ones in place of others.
bool VirtualManager::write_groups(const Fabric& discovered) {
  constexpr unsigned kPortsPerBlock = 16, kPositionShift = 28;
  const Fabric& fabric = plan_->fabric;
  const SmpSettings settings = smp();
  const DirectedRoutes routes(discovered, settings.port);
  bool all = true;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const Guid guid = fabric.node(s).guid;
    const SwitchId found = discovered.find_switch(guid);
    const std::optional<SmpPath> path = found == kNoSwitch ? std::nullopt : routes.to(found);
    if (!path) continue;
    Copy& copy = copy_of(guid);
    std::map<MftPlace, MftImage> wanted;
    for (const auto& [place, block] : copy.mft) wanted[place] = {};
    // What another manager has left in the first block is overwritten.
    for (unsigned p = 0; p <= fabric.node(s).ports / kPortsPerBlock; ++p)
      wanted[{0, static_cast<std::uint8_t>(p)}] = {};
    for (const MftImage& block : mft_blocks(plan_->tables.mft, s))
      wanted[{block.block, block.position}] = block;
    for (auto& [place, block] : wanted) {
      std::tie(block.block, block.position) = place;
      if (copy.mft_held.contains(place) && copy.mft[place].entries == block.entries) continue;
      SmpRequest request;
      request.method = SmpMethod::kSet;
      request.attribute = SmpAttribute::kMft;
      request.path = *path;
      request.modifier = std::uint32_t{block.position} << kPositionShift | block.block;
      request.data = block.entries;
      copy.mft[place] = block;
      const bool written = subnet_.run({&request, 1}, settings.limits).front().status == 0;
      if (written)
        copy.mft_held.insert(place);
      else
        copy.mft_held.erase(place);
      all &= written;
    }
  }
  return all;
}

// --- SubnetManagerInterface

std::optional<std::vector<MftImage>> VirtualManager::pause_groups(
    const Plan& plan, const std::vector<PausedPorts>& ports) {
  ++counts_.pauses;
  std::vector<MftImage> blocks;
  for (const PausedPorts& lost : ports) {
    const Guid guid = plan.fabric.node(lost.at).guid;
    Copy& copy = copy_of(guid);
    for (auto& [place, block] : copy.mft) {
      take_ports(block, lost.ports);
      copy.mft_held.erase(place);  // until a sweep has written it
      blocks.push_back(block);
      blocks.back().at = lost.at;
    }
  }
  return blocks;
}

std::shared_ptr<const Plan> VirtualManager::plan_in_force() {
  return in_force_ && !errors_ ? plan_ : nullptr;
}

bool VirtualManager::fill_in(const Plan& plan, std::vector<BlockImage>& blocks) {
  return std::ranges::all_of(blocks, [&](BlockImage& block) {
    const Copy& copy = copy_of(plan.fabric.node(block.at).guid);
    const std::size_t first = block.block * kSmpDataBytes;
    std::copy_n(copy.lft.begin() + static_cast<std::ptrdiff_t>(first), kSmpDataBytes,
                block.entries.begin());
    const auto row = plan.tables.lft(block.at);
    for (std::size_t i = 0; i < kSmpDataBytes && first + i < row.size(); ++i)
      if (plan.fabric.destination_switch(static_cast<Lid>(first + i)) != kNoSwitch &&
          block.entries[i] != row[first + i])
        return false;
    return true;
  });
}

bool VirtualManager::take_over(const std::shared_ptr<const Plan>& before,
                               std::shared_ptr<const Plan> after, const Confirmed& confirmed,
                               const std::vector<std::string>& gone) {
  const auto held = [&](const BlockImage& block) {
    return std::span(copy_of(after->fabric.node(block.at).guid).lft)
        .subspan(block.block * kSmpDataBytes, kSmpDataBytes);
  };
  for (const BlockImage& block : confirmed.blocks)
    std::ranges::copy(block.entries, held(block).begin());
  for (const BlockImage& block : confirmed.unknown_blocks)
    std::ranges::fill(held(block), std::uint8_t{0});
  const auto known = [&](const RowImage& row) -> auto& {
    const std::size_t ports = after->fabric.node(row.at).ports + std::size_t{1};
    return copy_of(after->fabric.node(row.at).guid).rows[row.in * ports + row.out];
  };
  for (const RowImage& row : confirmed.rows)
    if (row.host == kNoHost) known(row) = row.row;
  for (const RowImage& row : confirmed.unknown_rows)
    if (row.host == kNoHost) known(row).reset();
  if (plan_ != before) return false;
  plan_ = std::move(after);
  announced_sls_.clear();
  counts_.repairs += gone.empty() ? 0 : 1;
  if (changes_.taken_over(*plan_, gone, confirmed.paused)) request_sweep();
  return true;
}

void VirtualManager::request_sweep() {
  const Instant due = clock_.now() + kFirstSweep;
  if (!sweep_due_ || *sweep_due_ > due) sweep_due_ = due;
}

void VirtualManager::rediscover() {
  changes_.rediscover();
  request_sweep();
}

void VirtualManager::leave_to_sweep() {
  changes_.leave_to_sweep();
  request_sweep();
}

void VirtualManager::install_by_sweep() {
  recompute_ = true;
  request_sweep();
}

Plan VirtualManager::compute(const std::string& engine, const Fabric& fabric) {
  return draft_plan(find_engine(engine), fabric, request().request);
}

std::optional<Plan> VirtualManager::plan_for(const Fabric& fabric) {
  PlanRequest request = this->request();
  request.last = plan_.get();
  return std::move(make_plan(fabric, request).plan);
}

void VirtualManager::drain(const std::vector<std::string>& names) {
  if (changes_.drain(names)) request_sweep();
}

void VirtualManager::undrain(const std::vector<std::string>& names) {
  changes_.excluded().undrain(names);
}

void VirtualManager::hold(const std::string& name, Instant until) {
  changes_.excluded().hold(name, until);
  hold_ends_.push_back(until);
}

SmpSettings VirtualManager::smp() {
  return {.port = subnet_.manager_port(),
          .m_key = 0,
          .limits = settings_.limits,
          .drain = settings_.drain};
}

void VirtualManager::report(Event::Kind, Guid, std::uint32_t) {}

void VirtualManager::log(bool error, const std::string& line) {
  lines_.push_back(fmt::format("{:10.6f} {}{}", std::chrono::duration<double>(clock_.now()).count(),
                               error ? "error: " : "", line));
}

}  // namespace selvedge::sim
