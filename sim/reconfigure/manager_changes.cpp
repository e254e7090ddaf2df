// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// From what has been reported to the last answer of a change.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/transition/order.hpp"
#include "sim/reconfigure/manager.hpp"

namespace selvedge::sim {
namespace {

constexpr double kEmptyPollUs = 0.1;  // how often it is looked whether the network is empty
constexpr unsigned kPathBytes = 6;    // of a path record in an SMP

}  // namespace

void Manager::begin_change() {
  changes_.push_back({.cause = news_since_, .detected = subnet_.now()});
  news_since_ = kNever;
  again_ = false;
  std::erase_if(all_, [&](const auto& one) {  // the rest of a sweep
    if (one.second.why != Why::kSweep) return false;
    open_.erase(one.first);
    std::erase(queue_, one.first);
    return true;
  });
  said_.clear();
  look_at_cables();
  say(fmt::format("change {}: detected", changes_.size()));
  if (scheme_.epochs && ++epoch_ >= 1u << spec_.epoch_bits)
    throw InputError(
        fmt::format("change {} needs an epoch that {} bits do not hold", +epoch_, spec_.epoch_bits),
        "[reconfiguration] epoch_bits", "give more bits, or plan fewer faults");
  if (!scheme_.rediscovers) return compute();
  ask_everything();
  phase_ = Phase::kRediscovering;
}

/// Takes over what has been reported of cables.
void Manager::look_at_cables() {
  Fault down;
  for (const auto& [cable, state] : cables_)
    if (state.first) down.links.push_back(cable);
  known_ = without(fabric_, down);
  routes_.emplace(known_, host_);
}

/// Whether the change under way may be given up.
bool Manager::may_abort() const {
  if (scheme_.epochs) return true;
  if (scheme_.layers)
    return phase_ != Phase::kWriting || stages_[stage_].after != Stage::After::kSaid;
  if (!scheme_.tokens || phase_ == Phase::kComputing) return scheme_.tokens;
  // Not when somebody may have been told to send tokens.
  return std::ranges::none_of(stages_.begin(),
                              stages_.begin() + static_cast<std::ptrdiff_t>(stage_) + 1,
                              [](const Stage& stage) {
                                return std::ranges::any_of(stage.writes, [](const Write& write) {
                                  return write.token == Write::TokenStep::kSend;
                                });
                              });
}

/// Whether all switches that can be reached have said what the stage waits for.
bool Manager::all_have_said() const {
  for (SwitchId s = 0; s < known_.num_switches(); ++s)
    if (routes_->links({SmpEnd::Kind::kSwitch, s}) > 0 && !said_.contains(s)) return false;
  return true;
}

/// What OpenSM asks in a heavy sweep: NodeInfo and SwitchInfo of each switch, PortInfo of each
/// port, NodeInfo and PortInfo of each host.
void Manager::ask_everything() {
  for (SwitchId s = 0; s < known_.num_switches(); ++s)
    if (routes_->links({SmpEnd::Kind::kSwitch, s}) > 0)
      for (unsigned i = 0; i < 2U + known_.node(s).ports; ++i)
        enqueue({.at = {SmpEnd::Kind::kSwitch, s}, .why = Why::kRediscover});
  for (HostId h = 0; h < known_.num_hosts(); ++h)
    for (unsigned i = 0; i < 2; ++i)
      if (routes_->links({SmpEnd::Kind::kHost, h}) > 0)
        enqueue({.at = {SmpEnd::Kind::kHost, h}, .why = Why::kRediscover});
}

void Manager::compute() {
  std::vector<Channel> down;
  for (const auto& [cable, state] : cables_)
    if (state.first) down.push_back(cable);
  to_ = target_.after(down, agents_.tables());
  const std::uint64_t entries = difference(agents_.tables(), to_.tables).lft.size();
  changes_.back().lft_entries = entries;
  wait_until_ = subnet_.now() + ticks(spec_.compute_us + static_cast<double>(entries) *
                                                             spec_.compute_ns_per_entry / 1000);
  phase_ = Phase::kComputing;
  if (scheme_.at_once == nullptr) return;
  for (const Write& write : scheme_.at_once(known_, static_cast<unsigned>(changes_.size())))
    if (can_tell(write.at)) tell(write);
  if (scheme_.at_once_first) phase_ = Phase::kHolding;
}

bool Manager::can_tell(const SmpEnd& end) const {
  return end == SmpEnd{SmpEnd::Kind::kHost, host_} || routes_->links(end) > 0;
}

/// The manager tells its own host without an SMP.
void Manager::tell(const Write& write) {
  if (write.at == SmpEnd{SmpEnd::Kind::kHost, host_})
    agents_.apply(write);
  else
    enqueue({.at = write.at, .why = Why::kWrite, .write = write});
}

/// Goes on to the next phase, if the present one is over. Returns whether it did.
bool Manager::advance_phase() {
  const Tick now = subnet_.now();
  switch (phase_) {
    case Phase::kIdle:
      return false;
    case Phase::kRediscovering:
      if (!nothing_to_do()) return false;
      compute();
      return true;
    case Phase::kHolding:
      if (!nothing_to_do()) return false;
      phase_ = Phase::kComputing;
      return true;
    case Phase::kComputing:
      if (now < wait_until_) return false;
      changes_.back().computed = now;
      say(fmt::format("change {}: computed", changes_.size()));
      write_stages();
      return true;
    case Phase::kWaiting:
      if (stages_[stage_].after == Stage::After::kSaid) {
        if (!all_have_said()) {
          if (now < wait_until_) return false;
          wait_until_ = now + patience();  // something may have failed
          ask_switches();
          return true;
        }
        say(fmt::format("change {}: {}", changes_.size(),
                        scheme_.layers ? "VL 1 is empty" : "all tokens have passed"));
      } else if (now < wait_until_) {
        return false;
      }
      if (stages_[stage_].after == Stage::After::kEmpty && subnet_.totals().in_flight() > 0) {
        wait_until_ = now + std::max<Tick>(ticks(kEmptyPollUs), 1);
        return false;
      }
      for (const Write& write : stages_[stage_].writes) tell(write);
      phase_ = Phase::kWriting;
      return true;
    case Phase::kWriting:
      if (!nothing_to_do()) return false;
      ++stage_;
      begin_stage();
      return true;
  }
  return false;
}

void Manager::write_stages() {
  const Delta delta = delta_to(to_.tables);
  std::vector<SwitchId> near;
  for (const Channel cable : news_)
    for (const Channel port : {cable, fabric_.peer(cable)})
      if (fabric_.from_switch(port)) near.push_back(fabric_.switch_of(port));
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  news_.clear();
  const std::vector<Write> hosts = news_for_hosts(to_);
  stages_ = scheme_.stages({.whole = fabric_,
                            .left = known_,
                            .from = agents_.tables(),
                            .to = to_.tables,
                            .delta = delta,
                            .near = near,
                            .hosts = hosts,
                            .spec = spec_,
                            .epoch = epoch_,
                            .change = static_cast<unsigned>(changes_.size()),
                            .manager = known_.host(host_).at});
  for (Stage& stage : stages_) {
    std::erase_if(stage.writes, [&](const Write& write) { return !can_tell(write.at); });
    changes_.back().writes += stage.writes.size();
  }
  stage_ = 0;
  begin_stage();
}

void Manager::begin_stage() {
  if (stage_ == stages_.size()) {
    changes_.back().distributed = subnet_.now();
    say(fmt::format("change {}: distributed", changes_.size()));
    phase_ = Phase::kIdle;
    if (again_) begin_change();
    return;
  }
  wait_until_ = subnet_.now();
  if (stages_[stage_].after == Stage::After::kDrain) wait_until_ += ticks(spec_.drain_us);
  if (stages_[stage_].after == Stage::After::kSaid) wait_until_ += patience();
  phase_ = Phase::kWaiting;
}

void Manager::abort_change() {
  changes_.back().aborted = true;
  say(fmt::format("change {}: aborted", changes_.size()));
  // A switch that has not confirmed all its parts may hold its new table or the old one.
  std::set<SwitchId> unfinished;
  for (const auto& [id, request] : all_)
    if (request.why == Why::kWrite && request.at.kind == SmpEnd::Kind::kSwitch)
      unfinished.insert(request.at.id);
  for (const Stage& stage : stages_)
    for (const Write& write : stage.writes)
      if (write.at.kind == SmpEnd::Kind::kSwitch && unfinished.contains(write.at.id))
        put_in_doubt(write);
  std::erase_if(all_, [&](const auto& one) {
    if (one.second.why == Why::kLocate) return false;
    open_.erase(one.first);
    std::erase(queue_, one.first);
    return true;
  });
  stages_.clear();
  phase_ = Phase::kIdle;
}

void Manager::put_in_doubt(const Write& write) {
  if (write.at.kind != SmpEnd::Kind::kSwitch) return;
  for (const LftEntry& entry : write.lft) doubtful_entries_.insert({write.at.id, entry.dlid});
  if (write.row) doubtful_rows_.insert({write.at.id, write.row->in, write.row->out});
}

/// The differences from what the switches hold, and what may be different.
Delta Manager::delta_to(const Tables& to) const {
  const Tables& from = agents_.tables();
  Delta delta = difference(from, to);
  drop_failed_switches(delta, known_);
  for (const auto& [at, dlid] : doubtful_entries_)
    if (from.next(at, dlid) == to.next(at, dlid))
      delta.lft.push_back({at, dlid, from.next(at, dlid), to.next(at, dlid)});
  for (const auto& [at, in, out] : doubtful_rows_)
    if (from.sl2vl.row(at, in, out) == to.sl2vl.row(at, in, out))
      delta.sl2vl.push_back({at, in, out, from.sl2vl.row(at, in, out), to.sl2vl.row(at, in, out)});
  std::ranges::sort(delta.lft, {}, [](const LftChange& c) { return std::pair(c.at, c.dlid); });
  std::ranges::sort(delta.sl2vl, {},
                    [](const Sl2VlChange& c) { return std::tuple(c.at, c.in, c.out); });
  return delta;
}

/// What hosts must be told: other LIDs or SLs than they use, and the row of their ports.
std::vector<Write> Manager::news_for_hosts(const Target::Change& change) {
  std::vector<Write> writes;
  const Tables& from = agents_.tables();
  std::map<std::pair<SwitchId, Lid>, const Readdressed*> moved;
  for (const Readdressed& one : change.readdressed) moved[{one.source, one.before}] = &one;
  const bool rows = from.host_sl2vl != change.tables.host_sl2vl;
  const bool paths = !moved.empty() || !told_.empty() || !from.one_sl() || !change.tables.one_sl();
  const unsigned each = std::max(1U, spec_.smp_payload_bytes / kPathBytes);
  for (SwitchId s = 0; s < known_.num_switches() && (rows || paths); ++s) {
    if (known_.hosts_at(s).empty()) continue;
    std::vector<PathEntry> news;
    for (HostId to = 0; to < known_.num_hosts() && paths; ++to) {
      const Lid base = known_.host(to).lid;
      const auto told = told_.find({s, to});
      const PathEntry now =
          told == told_.end() ? PathEntry{to, base, from.sl(s, base)} : told->second;
      PathEntry next{to, now.dlid, change.tables.sl(s, now.dlid)};
      if (const auto found = moved.find({s, now.dlid}); found != moved.end())
        next = {to, found->second->after, found->second->sl_after};
      if (next.dlid == now.dlid && next.sl == now.sl) continue;
      news.push_back(next);
      told_[{s, to}] = next;
    }
    for (const HostId h : known_.hosts_at(s)) {
      const SmpEnd at{SmpEnd::Kind::kHost, h};
      if (rows) writes.push_back({.at = at, .host_row = change.tables.host_sl2vl});
      for (std::size_t i = 0; i < news.size(); i += each)
        writes.push_back({.at = at,
                          .paths = {news.begin() + static_cast<std::ptrdiff_t>(i),
                                    news.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min(i + each, news.size()))}});
    }
  }
  return writes;
}

bool Manager::reached() const {
  if (changes_.empty()) return true;
  const Tables& now = agents_.tables();
  for (SwitchId s = 0; s < known_.num_switches(); ++s) {
    if (routes_->links({SmpEnd::Kind::kSwitch, s}) == 0) continue;
    if (!std::ranges::equal(now.lft(s), to_.tables.lft(s))) return false;
    for (unsigned in = 0; in <= known_.node(s).ports; ++in)
      for (unsigned out = 0; out <= known_.node(s).ports; ++out)
        if (now.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)) !=
            to_.tables.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)))
          return false;
  }
  return true;
}

}  // namespace selvedge::sim
