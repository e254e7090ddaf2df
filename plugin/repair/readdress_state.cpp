// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of ReaddressState that builds the indexes from tables and finds the paths that a fault
// breaks. readdress_join.cpp makes new paths.
#include "plugin/repair/readdress_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "plugin/repair/readdress_walk.hpp"

namespace selvedge {

ReaddressState::ReaddressState(const Fabric& fabric, const Tables& tables,
                               const RepairRequest& request)
    : fabric_(&fabric),
      request_(request),
      layout_(std::make_shared<ReaddressLayout>(fabric)),
      order_(fabric, request.max_vls) {
  s_.tables = tables;
  s_.tables.mft.clear();
  s_.down.assign(fabric.num_channels(), 0);
  s_.switch_down.assign(fabric.num_switches(), 0);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    s_.switch_down[s] = fabric.node(s).failed ? 1 : 0;
  s_.vl.assign(layout_->turns * kSls, 0);
  s_.component.assign(fabric.num_switches(), 0);
  best_direct_.assign(fabric.num_switch_channels(), 0);
  build_indexes();
  find_components();
}

void ReaddressState::assign(const ReaddressState& other) {
  s_ = other.s_;
  order_.restore(other.order_);
  frozen_ = other.frozen_;
}

/// Builds from the tables: a copy of the SL2VL tables, the dependencies, and how many paths rely on
/// each SL2VL entry.
void ReaddressState::build_indexes() {
  const Fabric& fabric = *fabric_;
  const Tables& tables = s_.tables;
  s_.users.assign(layout_->turns * kSls, 0);
  s_.sl_paths.fill(0);
  const auto mirror = [&](std::size_t turn, SwitchId at, PortNum in, PortNum out) {
    const Sl2VlRow& row = tables.sl2vl.row(at, in, out);
    std::copy(row.begin(), row.end(), s_.vl.begin() + static_cast<std::ptrdiff_t>(turn * kSls));
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (unsigned p = 0; p <= fabric.node(s).ports; ++p) {
      const auto out = static_cast<PortNum>(p);
      mirror(layout_->start(s, out), s, 0, out);
      for (const Channel c : fabric.out(s))
        mirror(layout_->turn(fabric.peer(c), out), s, fabric.port_of(c), out);
    }
  }
  std::vector<bool> frozen(tables.top_lid() + std::size_t{1}, false);
  // Packets for a LID without an attached owner still use its entries and hold channels.
  for (std::size_t lid = 1; lid < frozen.size(); ++lid) {
    if (layout_->end_of[lid] != ReaddressLayout::kNoEnd) continue;
    frozen[lid] = true;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (tables.next(s, static_cast<Lid>(lid)) != kNoPort) add_path(s, static_cast<Lid>(lid));
  }
  s_.current.assign(std::size_t{fabric.num_switches()} * layout_->ends.size(), kNoLid);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (std::size_t e = 0; e < layout_->ends.size(); ++e) {
      const ReaddressLayout::End& end = layout_->ends[e];
      for (unsigned i = 0; i < end.lids; ++i) {
        const auto lid = static_cast<Lid>(end.base + i);
        if (tables.next(s, lid) == kNoPort) continue;
        const bool arrives = add_path(s, lid);
        if (!arrives) frozen[lid] = true;
        Lid& current = s_.current[s * layout_->ends.size() + e];
        if (arrives && current == kNoLid) current = lid;
      }
    }
  }
  s_.path_length.assign(fabric.num_switches() * (tables.top_lid() + std::size_t{1}), {});
  for (const ReaddressLayout::End& end : layout_->ends)
    for (unsigned lid = end.base; lid < end.base + end.lids; ++lid)
      for (SwitchId s = 0; s < fabric.num_switches() && !frozen[lid]; ++s)
        if (const auto dlid = static_cast<Lid>(lid); tables.next(s, dlid) != kNoPort)
          measure_path(s, dlid, tables.sl(s, dlid));
  frozen_ = std::make_shared<const std::vector<bool>>(std::move(frozen));
  if (!order_.order())
    throw InputError("the paths of these tables close a cycle of dependencies", "repair rftr",
                     "start from an engine whose tables are deadlock free");
}

/// Adds the dependencies of the path from `at` to the LID, and counts the SL2VL entries that the
/// path uses. Returns whether the path arrives.
bool ReaddressState::add_path(SwitchId at, Lid lid) {
  const Sl sl = s_.tables.sl(at, lid);
  ++s_.sl_paths[sl];
  std::uint16_t held = 0;
  Channel on = kNoChannel;
  bool dropped = false;
  const auto check = [&](Vl vl) {
    if (vl >= request_.max_vls)
      throw InputError(fmt::format("the tables use VL {}", unsigned{vl}), "repair rftr",
                       fmt::format("allow {} VLs", vl + 1u));
  };
  const bool arrives =
      each_turn(at, lid, [&](std::size_t turn, SwitchId, Channel in, Channel out, bool last) {
        ++s_.users[turn * kSls + sl];
        if (in == kNoChannel) {
          held = local_vls(at, turn, sl);
          dropped = (held >> kDropVl & 1u) != 0;
          held &= static_cast<std::uint16_t>(~(1u << kDropVl));
          if (last) return true;
          for (unsigned v = 0; v < kDropVl; ++v)
            if (held >> v & 1u) check(static_cast<Vl>(v));
        } else {
          const Vl next = vl(turn, sl);
          if (next == kDropVl) {
            dropped = true;
            return false;
          }
          if (last) return true;
          check(next);
          for (unsigned v = 0; v < kDropVl; ++v)
            if (held >> v & 1u) order_.put({{on, static_cast<Vl>(v)}, {out, next}});
          held = static_cast<std::uint16_t>(1u << next);
        }
        on = out;
        return held != 0;
      });
  return arrives && !dropped;
}

void ReaddressState::rebuild_indexes(Changes& changes) {
  // build_indexes() sets each pair to the first LID that works. A pair that uses another LID by now
  // must keep that.
  std::vector<Lid> current = s_.current;
  order_.restore(DependencyOrder(*fabric_, request_.max_vls));
  build_indexes();
  for (std::size_t i = 0; i < current.size(); ++i)
    if (current[i] != kNoLid) s_.current[i] = current[i];
  restore({}, changes);
}

/// The VLs, as a bit mask, that SL2VL gives packets of this SL from the switch's host ports or port
/// 0. `turn` must be `start(at, out)`, and selects the output port. Bit 15 is set if some of these
/// packets are dropped.
std::uint16_t ReaddressState::local_vls(SwitchId at, std::size_t turn, Sl sl) const {
  const auto out = static_cast<PortNum>(turn - layout_->start_first[at]);
  std::uint16_t vls = 0;
  for (const PortNum in : layout_->local[at])
    vls |= static_cast<std::uint16_t>(1u << s_.tables.sl2vl.row(at, in, out)[sl]);
  return vls;
}

/// With by = 1, counts the path from `at` to the LID as a user of its SL and SL2VL entries. With by
/// = −1, undoes that.
void ReaddressState::count_path(SwitchId at, Lid lid, Sl sl, int by) {
  s_.sl_paths[sl] += static_cast<std::uint32_t>(by);
  each_turn(at, lid, [&](std::size_t turn, SwitchId, Channel, Channel, bool) {
    s_.users[turn * kSls + sl] += static_cast<std::uint32_t>(by);
    return true;
  });
}

/// Recomputes the stored length and VL transitions of the path from `at` to the LID.
void ReaddressState::measure_path(SwitchId at, Lid lid, Sl sl) {
  constexpr unsigned most = std::numeric_limits<std::uint8_t>::max();
  unsigned hops = 0, transitions = 0;
  Vl on = 0;
  each_turn(at, lid, [&](std::size_t turn, SwitchId, Channel, Channel, bool last) {
    if (last) return true;
    const Vl now = vl(turn, sl);
    transitions += hops > 0 && now != on ? 1 : 0;
    on = now;
    ++hops;
    return true;
  });
  path_length(at, lid) = {static_cast<std::uint8_t>(std::min(hops, most)),
                          static_cast<std::uint8_t>(std::min(transitions, most))};
}

void ReaddressState::count_faults(Channel c, int by) {
  s_.down[c] = static_cast<std::uint8_t>(s_.down[c] + by);
  if (const Channel back = fabric_->peer(c); back != kNoChannel)
    s_.down[back] = static_cast<std::uint8_t>(s_.down[back] + by);
}

void ReaddressState::find_components() {
  constexpr std::uint32_t none = UINT32_MAX;
  std::ranges::fill(s_.component, none);
  s_.components = 0;
  for (SwitchId s = 0; s < s_.component.size(); ++s) {
    if (s_.component[s] != none) continue;
    queue_.assign(1, s);
    s_.component[s] = s_.components;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      for (const Channel c : fabric_->out(queue_[i])) {
        const SwitchId to = fabric_->target(c);
        if (!alive(c) || s_.component[to] != none) continue;
        s_.component[to] = s_.components;
        queue_.push_back(to);
      }
    }
    ++s_.components;
  }
}

/// Collects in broken_paths_ every (switch, LID) whose path leaves `at` by this port.
void ReaddressState::collect_broken_paths(SwitchId at, PortNum port) {
  const Tables& tables = s_.tables;
  const auto lft = std::as_const(tables).lft(at);
  for (std::size_t i = 1; i < lft.size(); ++i) {
    if (lft[i] != port) continue;
    const auto lid = static_cast<Lid>(i);
    std::size_t next = broken_paths_.size();
    broken_paths_.push_back({at, lid, tables.sl(at, lid)});
    for (; next < broken_paths_.size(); ++next) {
      const SwitchId x = broken_paths_[next].at;
      for (const Channel c : fabric_->out(x)) {
        const SwitchId from = fabric_->target(c);
        if (from != x && tables.next(from, lid) == fabric_->port_of(fabric_->peer(c)))
          broken_paths_.push_back({from, lid, tables.sl(from, lid)});
      }
    }
  }
}

void ReaddressState::fail(const Fault& fault, Changes& changes) {
  broken_paths_.clear();
  const auto cut = [&](Channel c) {
    if (alive(c) && fabric_->between_switches(c)) {
      collect_broken_paths(fabric_->switch_of(c), fabric_->port_of(c));
      const Channel back = fabric_->peer(c);
      collect_broken_paths(fabric_->switch_of(back), fabric_->port_of(back));
    }
    count_faults(c, 1);
  };
  for (const Channel c : fault.links) cut(c);
  for (const SwitchId s : fault.switches) {
    ++s_.switch_down[s];
    for (const Channel c : fabric_->out(s)) cut(c);
    for (const HostId h : fabric_->hosts_at(s)) count_faults(fabric_->injection(h), 1);
  }
  find_components();
  remove_broken_paths(changes);
  direct_of_ = kNoSwitch;
  for (const BrokenPath& broken : broken_paths_) {
    const std::uint32_t end = layout_->end_of[broken.lid];
    if (end == ReaddressLayout::kNoEnd) continue;
    Lid& current = s_.current[broken.at * layout_->ends.size() + end];
    if (layout_->has_hosts[broken.at]) ++changes.affected;
    if (current != broken.lid) continue;  // this pair uses another LID, so it has lost nothing
    current = kNoLid;
    repair_pair(broken.at, end, broken.lid, broken.sl, changes);
  }
}

/// Removes the LFT entries of all (switch, LID) in broken_paths_. First takes their paths out of
/// the counts, because count_path() follows the entries.
void ReaddressState::remove_broken_paths(Changes& changes) {
  std::ranges::sort(broken_paths_, {}, [](const BrokenPath& h) { return std::pair(h.at, h.lid); });
  const auto rest = std::ranges::unique(broken_paths_, {},
                                        [](const BrokenPath& h) { return std::pair(h.at, h.lid); });
  broken_paths_.erase(rest.begin(), rest.end());
  for (const BrokenPath& broken : broken_paths_) {
    if ((*frozen_)[broken.lid]) continue;
    count_path(broken.at, broken.lid, broken.sl, -1);
  }
  for (const BrokenPath& broken : broken_paths_) {
    changes.lft.push_back({broken.at, broken.lid, s_.tables.next(broken.at, broken.lid), kNoPort});
    s_.tables.set_next(broken.at, broken.lid, kNoPort);
    path_length(broken.at, broken.lid) = {};
  }
}

void ReaddressState::restore(const Fault& fault, Changes& changes) {
  const auto restore_cable = [&](Channel c) {
    if (s_.down[c] > 0) count_faults(c, -1);
  };
  for (const Channel c : fault.links) restore_cable(c);
  for (const SwitchId s : fault.switches) {
    if (s_.switch_down[s] == 0) continue;
    --s_.switch_down[s];
    for (const Channel c : fabric_->out(s)) restore_cable(c);
    for (const HostId h : fabric_->hosts_at(s)) restore_cable(fabric_->injection(h));
  }
  find_components();
  direct_of_ = kNoSwitch;
  for (SwitchId s = 0; s < fabric_->num_switches(); ++s)
    for (std::uint32_t e = 0; e < layout_->ends.size(); ++e)
      if (s_.current[s * layout_->ends.size() + e] == kNoLid)
        repair_pair(s, e, kNoLid, s_.tables.sl(s, layout_->ends[e].base), changes);
}

std::uint64_t ReaddressState::dead() const {
  std::uint64_t dead = 0;
  for (SwitchId s = 0; s < fabric_->num_switches(); ++s) {
    if (!layout_->has_hosts[s] || !switch_alive(s)) continue;
    for (std::size_t e = 0; e < layout_->ends.size(); ++e) {
      const ReaddressLayout::End& end = layout_->ends[e];
      if (end.host && alive(fabric_->injection(end.id)) &&
          s_.component[s] == s_.component[end.destination_switch])
        dead += s_.current[s * layout_->ends.size() + e] == kNoLid ? 1 : 0;
    }
  }
  return dead;
}

unsigned ReaddressState::top_offset() const {
  unsigned top = 0;
  const Lid* current = s_.current.data();
  for (SwitchId s = 0; s < fabric_->num_switches(); ++s)
    for (const ReaddressLayout::End& end : layout_->ends)
      if (const Lid lid = *current++; lid != kNoLid) top = std::max<unsigned>(top, lid - end.base);
  return top;
}

ReaddressState::Bytes ReaddressState::bytes() const {
  const auto of = [](const auto& v) { return v.size() * sizeof v[0]; };
  const std::size_t entries =
      std::size_t{fabric_->num_switches()} * (s_.tables.top_lid() + std::size_t{1});
  const ReaddressLayout& l = *layout_;
  std::size_t indexes = of(s_.down) + of(s_.switch_down) + of(s_.vl) + of(s_.users) +
                        of(s_.current) + of(s_.component) + order_.bytes() + of(best_direct_);
  indexes += of(l.ports) + of(l.first) + of(l.to) + of(l.arrival) + of(l.turn_first) +
             of(l.start_first) + of(l.ends) + of(l.end_of);
  return {entries * (s_.tables.one_sl() ? 1 : 2) + of(s_.path_length), indexes};
}

std::vector<ReaddressState::Reach> ReaddressState::direct(SwitchId source) const {
  std::vector<Reach> rows;
  for (unsigned i = 1; i <= s_.tables.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    if (s_.tables.next(source, lid) == kNoPort || fabric_->destination_switch(lid) == source)
      continue;
    const Sl sl = s_.tables.sl(source, lid);
    unsigned hops = 0, transitions = 0;
    Vl on = 0;
    each_turn(source, lid, [&](std::size_t turn, SwitchId, Channel, Channel out, bool last) {
      if (last) return true;
      const Vl now = vl(turn, sl);
      transitions += hops > 0 && now != on ? 1 : 0;
      on = now;
      rows.push_back({source, fabric_->destination_switch(lid), fabric_->target(out), transitions,
                      out, ++hops});
      return true;
    });
  }
  return rows;
}

std::vector<ReaddressState::Reach> ReaddressState::indirect(SwitchId destination) const {
  std::vector<Reach> rows;
  for (const std::uint32_t e : layout_->ends_at[destination]) {
    for (unsigned i = 0; i < layout_->ends[e].lids; ++i) {
      const auto lid = static_cast<Lid>(layout_->ends[e].base + i);
      for (SwitchId s = 0; s < fabric_->num_switches(); ++s)
        if (const PathLength left = path_length(s, lid); left.hops != 0)
          rows.push_back({s, destination, s, left.transitions,
                          fabric_->channel(s, s_.tables.next(s, lid)), left.hops});
    }
  }
  return rows;
}

}  // namespace selvedge
