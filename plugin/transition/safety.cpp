// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/safety.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugin/transition/drain_interval.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/verify/cycle.hpp"

namespace selvedge {
namespace {

/// Finds a forwarding loop by depth-first search, where each switch may use its old or its new
/// entry. `starts`: the switches whose entries change. Returns the channels of the loop; empty if
/// there is none.
std::vector<Channel> find_loop(const Fabric& fabric,
                               const transition::MixedTablesFlow::MixedEntries& entries,
                               std::span<const SwitchId> starts) {
  const auto next_channel = [&](SwitchId at, unsigned which) {
    const PortNum port = which == 0 ? entries.old_port[at] : entries.new_port[at];
    if (port > fabric.node(at).ports) return kNoChannel;
    const Channel c = fabric.channel(at, port);
    return fabric.between_switches(c) ? c : kNoChannel;
  };
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> state(fabric.num_switches(), kNew), tried(fabric.num_switches(), 0);
  std::vector<SwitchId> path;
  for (const SwitchId start : starts) {  // a new loop must pass one of these switches
    if (state[start] != kNew) continue;
    path.assign(1, start);
    state[start] = kOpen;
    while (!path.empty()) {
      const SwitchId at = path.back();
      if (tried[at] == 2) {
        state[at] = kDone;
        path.pop_back();
        continue;
      }
      const Channel c = next_channel(at, tried[at]++);
      if (c == kNoChannel) continue;
      const SwitchId next = fabric.target(c);
      if (state[next] == kOpen) {
        std::vector<Channel> found;
        for (auto it = std::ranges::find(path, next); it != path.end(); ++it)
          found.push_back(next_channel(*it, tried[*it] - 1u));
        return found;
      }
      if (state[next] == kNew) {
        state[next] = kOpen;
        path.push_back(next);
      }
    }
  }
  return {};
}

std::size_t interval_end(const SendPlan& plan, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < plan.phases.size() && !plan.phases[end].drain_first) ++end;
  return end;
}

class SafetyProver {
 public:
  SafetyProver(const Fabric& fabric, const Tables& from, const SendPlan& plan,
               const SafetyOptions& options)
      : fabric_(fabric), plan_(plan), options_(options), first_(from), tables_(from) {
    safety_.phases.resize(plan.phases.size());
  }

  Safety run() {
    for (std::size_t begin = 0; begin < plan_.phases.size();) {
      const std::size_t end = interval_end(plan_, begin);
      prove_interval(begin, end);
      for (; begin < end; ++begin) {
        find_loops(begin);
        transition::apply_phase(tables_, plan_.phases[begin]);
      }
    }
    return std::move(safety_);
  }

 private:
  void prove_interval(std::size_t begin, std::size_t end);
  void find_loops(std::size_t p);

  const Fabric& fabric_;
  const SendPlan& plan_;
  const SafetyOptions options_;
  const Tables& first_;
  Tables tables_;
  Safety safety_;
};

void SafetyProver::prove_interval(std::size_t begin, std::size_t end) {
  const std::span phases(plan_.phases);
  const auto interval_of = [&](std::size_t last) {
    return transition::DrainInterval(fabric_, first_, tables_, phases.subspan(begin, last - begin),
                                     options_);
  };
  const transition::DrainInterval interval = interval_of(end);
  if (!lft_independent_cycle(fabric_, interval.rows(), interval.hosts())) return;
  safety_.any_lfts = false;
  std::optional<Witness> cycle = interval.cycle();
  if (!cycle) return;
  safety_.deadlock_free = false;
  if (!safety_.cycle) safety_.cycle = std::move(cycle);
  for (std::size_t p = begin; p < end; ++p) {
    const bool before = p > begin && !safety_.phases[p - 1].deadlock_free;
    safety_.phases[p].deadlock_free = !before && p + 1 < end && !interval_of(p + 1).cycle();
  }
}

void SafetyProver::find_loops(std::size_t p) {
  std::vector<LftChange> changes = plan_.phases[p].lft;
  std::ranges::sort(changes, {}, [](const LftChange& c) { return std::pair(c.dlid, c.at); });
  transition::MixedTablesFlow::MixedEntries entries;
  for (std::size_t i = 0; i < changes.size();) {
    const Lid dlid = changes[i].dlid;
    transition::load(entries, tables_, dlid);
    std::vector<SwitchId> starts;
    for (; i < changes.size() && changes[i].dlid == dlid; ++i) {
      entries.new_port[changes[i].at] = changes[i].after;
      starts.push_back(changes[i].at);
    }
    std::vector<Channel> found = find_loop(fabric_, entries, starts);
    if (found.empty()) continue;
    ++safety_.phases[p].looping_lids;
    safety_.loop_free = false;
    if (safety_.loop) continue;
    Witness w;
    w.kind = Witness::Kind::kLoop;
    w.property = "loop_free";
    w.dlid = dlid;
    w.text = fmt::format("LID {} during phase {}: ", dlid, p + 1);
    for (const Channel c : found) w.text += fabric_.port_name(c) + " -> ";
    w.text += fabric_.port_name(found.front());
    w.channels = std::move(found);
    safety_.loop = std::move(w);
  }
}

}  // namespace

Safety prove_safety(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                    const SafetyOptions& options) {
  return SafetyProver(fabric, from, plan, options).run();
}

bool deadlock_free(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                   const SafetyOptions& options) {
  Tables tables = from;
  const std::span phases(plan.phases);
  for (std::size_t begin = 0; begin < phases.size();) {
    const std::size_t end = interval_end(plan, begin);
    const transition::DrainInterval interval(fabric, from, tables,
                                             phases.subspan(begin, end - begin), options);
    if (lft_independent_cycle(fabric, interval.rows(), interval.hosts()) && !interval.acyclic())
      return false;
    for (; begin < end; ++begin) transition::apply_phase(tables, phases[begin]);
  }
  return true;
}

std::optional<CyclicState> first_cycle(const Fabric& fabric, const Tables& from,
                                       const SendPlan& plan) {
  Tables tables = from;
  Proof proof = verify(fabric, tables);
  std::size_t writes = 0;
  const auto cyclic_state = [&]() -> std::optional<CyclicState> {
    for (const Witness& w : proof.verdict().witnesses)
      if (w.kind == Witness::Kind::kCycle) return CyclicState{writes, w};
    return std::nullopt;
  };
  const auto write = [&](const SendPhase& part) {
    transition::apply_phase(tables, part);
    Delta delta;
    delta.lft = part.lft;
    delta.sl2vl = part.sl2vl;
    delta.mft = part.mft;
    delta.host_sl2vl_before = delta.host_sl2vl_after = tables.host_sl2vl;
    proof = verify(std::move(proof), fabric, tables, delta);
    ++writes;
  };
  if (auto at_once = cyclic_state()) return at_once;
  for (const SendPhase& phase : plan.phases) {
    for (const Sl2VlChange& c : phase.sl2vl) {
      write({.sl2vl = {c}});
      if (auto found = cyclic_state()) return found;
    }
    for (const LftBlock& b : phase.blocks) {
      const auto first = phase.lft.begin() + b.first;
      write({.lft = {first, first + b.count}});
      if (auto found = cyclic_state()) return found;
    }
    for (const MftChange& c : phase.mft) {
      write({.mft = {c}});
      if (auto found = cyclic_state()) return found;
    }
    if (phase.host_sl2vl || !phase.sl.empty()) {  // these change no table of a switch
      transition::apply_phase(tables, {.sl = phase.sl, .host_sl2vl = phase.host_sl2vl});
      proof = verify(fabric, tables);
      if (auto found = cyclic_state()) return found;
    }
  }
  return std::nullopt;
}

}  // namespace selvedge
