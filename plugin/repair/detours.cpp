// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/detours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <queue>

#include "plugin/fabric/connected.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/repair/damaged_fabric.hpp"
#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/tree_join.hpp"

namespace selvedge {
namespace {

using Edge = DependencyOrder::Edge;
using VlSet = std::uint16_t;
using SlSet = std::uint16_t;

/// A candidate next hop for a switch whose path to the LID is broken. Candidates are compared field
/// by field: one that keeps the path's SL comes first; then one that adds no dependencies, because
/// new ones restrict later choices; then the shortest; then `turn`, a rotation of the ports by LID
/// that spreads the load.
struct Candidate {
  bool other_sl;
  bool adds;
  std::uint32_t length;
  unsigned turn;
  SwitchId at;
  PortNum port;
  Sl sl;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

class DetourSearch {
 public:
  DetourSearch(const Fabric& fabric, const Tables& tables)
      : fabric_(fabric),
        component_(connected_parts(fabric)),
        order_(fabric, vls_of(tables)),
        used_sls_(sls_of(tables)),
        length_(fabric.num_switches()),
        waiting_(fabric.num_switches()),
        end_(fabric.num_switches()),
        on_(fabric.num_switches()) {
    result_.tables = tables;
  }

  std::optional<Detours> run(const std::optional<ParentChannels>& multicast) {
    const unsigned lids = result_.tables.top_lid() + 1u;
    std::vector<std::vector<SwitchId>> broken(lids);
    for (unsigned lid = 1; lid < lids; ++lid) {
      broken[lid] = remove_broken_entries(static_cast<Lid>(lid));
      add_dependencies(static_cast<Lid>(lid));
    }
    if (!order_.order()) return std::nullopt;
    // The multicast tree comes first, because it has the fewest alternatives. Base LIDs come before
    // other LIDs, because most hosts use them.
    if (multicast) join(*multicast);
    for (const bool base : {true, false})
      for (unsigned lid = 1; lid < lids; ++lid)
        if (!broken[lid].empty() && is_base(static_cast<Lid>(lid)) == base)
          repair_lid(static_cast<Lid>(lid), broken[lid]);
    for (const auto& [base, dead] : unserved_base_lids_) take_paths_of_other_lid(base, dead);
    return std::move(result_);
  }

 private:
  static SlSet sls_of(const Tables& tables) {
    SlSet used = 0;
    for (SwitchId s = 0; s < tables.num_switches(); ++s)
      for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
        used |= static_cast<SlSet>(1u << tables.sl(s, static_cast<Lid>(lid)));
    return used;
  }

  /// Rejoins the parts of the multicast tree. If that closes a cycle of dependencies, builds
  /// another tree; if that fails too, gives up multicast.
  void join(ParentChannels multicast) {
    for (Channel& c : multicast)  // removes parents whose cable is lost
      if (c != kNoChannel && !fabric_.between_switches(c)) c = kNoChannel;
    const DependencyOrder paths = order_;
    SwitchId root = 0;  // the root with most switches below: not that of a part that was cut off
    std::vector<std::uint32_t> below(fabric_.num_switches(), 0);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      SwitchId top = s;
      while (multicast[top] != kNoChannel) top = fabric_.target(multicast[top]);
      if (++below[top] > below[root]) root = top;
    }
    for (const bool same : {true, false}) {
      result_.multicast = same ? multicast : ParentChannels(fabric_.num_switches(), kNoChannel);
      if (add_tree(order_, fabric_, result_.tables, *result_.multicast) &&
          join_tree(order_, fabric_, result_.tables, *result_.multicast, root))
        return;
      order_.restore(paths);
    }
    result_.multicast.reset();
  }

  bool is_base(Lid lid) const {
    const LidOwner owner = fabric_.owner(lid);
    return owner.kind == LidOwner::Kind::kSwitch || fabric_.host(owner.id).lid == lid;
  }

  /// The port by which the owner's switch delivers the LID; kNoPort if the owner is detached.
  PortNum delivery_port(Lid lid) const {
    const LidOwner owner = fabric_.owner(lid);
    if (owner.kind == LidOwner::Kind::kSwitch)
      return fabric_.node(owner.id).failed ? kNoPort : PortNum{0};
    if (owner.kind == LidOwner::Kind::kHost && fabric_.attached(owner.id))
      return fabric_.host(owner.id).port;
    return kNoPort;
  }

  /// The channel to another switch by which s sends the LID; kNoChannel if there is none.
  Channel out_of(SwitchId s, Lid lid) const {
    const PortNum port = result_.tables.next(s, lid);
    if (port == 0 || port > fabric_.node(s).ports) return kNoChannel;
    const Channel c = fabric_.channel(s, port);
    return fabric_.between_switches(c) ? c : kNoChannel;
  }

  /// Sets length_ of each switch to the number of links to the LID's owner along the entries;
  /// kNotReached if the entries do not lead there.
  void measure_paths(Lid lid) {
    std::ranges::fill(length_, kNotReached);
    const PortNum last = delivery_port(lid);
    if (last == kNoPort) return;
    const SwitchId destination_switch = fabric_.destination_switch(lid);
    if (result_.tables.next(destination_switch, lid) == last) length_[destination_switch] = 0;
    waiting_.assign(waiting_.size(), false);  // in this function: already visited
    for (SwitchId start = 0; start < fabric_.num_switches(); ++start) {
      trail_.clear();
      SwitchId s = start;
      while (length_[s] == kNotReached && !waiting_[s]) {
        waiting_[s] = true;
        trail_.push_back(s);
        const Channel c = out_of(s, lid);
        if (c == kNoChannel) break;
        s = fabric_.target(c);
      }
      if (trail_.empty() || length_[s] == kNotReached) continue;
      std::uint32_t length = length_[s];
      for (std::size_t i = trail_.size(); i-- > 0;) length_[trail_[i]] = ++length;
    }
  }

  /// Whether the fault is why the entries from switch s do not lead to the LID's owner. If they end
  /// at a missing entry, the answer is no, as the tables may have lacked the entry before the
  /// fault.
  bool broken_by_fault(SwitchId s, Lid lid) {
    trail_.clear();
    while (end_[s] == End::kUnknown) {
      trail_.push_back(s);
      end_[s] = End::kBroken;  // also the result if the entries loop back to s
      const Channel c = out_of(s, lid);
      if (c == kNoChannel) {
        if (result_.tables.next(s, lid) == kNoPort) end_[s] = End::kNoEntry;
        break;
      }
      s = fabric_.target(c);
    }
    for (const SwitchId t : trail_) end_[t] = end_[s];
    return end_[s] == End::kBroken;
  }

  /// Removes the LID's entries at switches whose path the fault broke. Of these switches, returns
  /// those still physically connected with the LID's owner.
  std::vector<SwitchId> remove_broken_entries(Lid lid) {
    std::vector<SwitchId> broken, broken_here;
    measure_paths(lid);
    std::ranges::fill(end_, End::kUnknown);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      if (length_[s] == kNotReached && broken_by_fault(s, lid)) broken_here.push_back(s);
    const SwitchId destination_switch = fabric_.destination_switch(lid);
    for (const SwitchId s : broken_here) {
      result_.tables.set_next(s, lid, kNoPort);
      if (destination_switch != kNoSwitch && delivery_port(lid) != kNoPort &&
          component_[s] == component_[destination_switch])
        broken.push_back(s);
    }
    return broken;
  }

  /// The VLs on which packets that enter the fabric at s (from its hosts or from the switch itself)
  /// leave s. Sets `dropped` if the packets of some source port are dropped.
  VlSet first_vls(SwitchId s, PortNum out, Sl sl, bool& dropped) const {
    const Sl2Vl& sl2vl = result_.tables.sl2vl;
    VlSet vls = 0;
    const auto take = [&](PortNum in) {
      const Vl vl = sl2vl.row(s, in, out)[sl];
      if (vl == kDropVl)
        dropped = true;
      else
        vls |= static_cast<VlSet>(1u << vl);
    };
    if (fabric_.hosts_at(s).empty()) take(0);
    for (const HostId h : fabric_.hosts_at(s)) take(fabric_.host(h).port);
    // Packets of the switch itself (port 0) count too, if the tables have a VL for them.
    if (const Vl own = sl2vl.row(s, 0, out)[sl]; own != kDropVl)
      vls |= static_cast<VlSet>(1u << own);
    return vls;
  }

  /// Adds the dependencies of all paths to a LID. Visits each switch after the switches that send
  /// to it. on_ holds, per switch and SL, the VLs on which packets leave the switch.
  void add_dependencies(Lid lid) {
    const std::uint32_t n = fabric_.num_switches();
    std::vector<std::uint32_t>& senders = length_;
    std::ranges::fill(senders, 0);
    for (SwitchId s = 0; s < n; ++s)
      if (const Channel c = out_of(s, lid); c != kNoChannel) ++senders[fabric_.target(c)];
    trail_.clear();
    for (SwitchId s = 0; s < n; ++s)
      if (senders[s] == 0) trail_.push_back(s);
    for (SwitchId s = 0; s < n; ++s) on_[s].fill(0);
    for (std::size_t i = 0; i < trail_.size(); ++i) {
      const SwitchId s = trail_[i];
      const Channel c = out_of(s, lid);
      if (c == kNoChannel) continue;
      bool dropped = false;
      const Sl own = result_.tables.sl(s, lid);
      on_[s][own] |= first_vls(s, fabric_.port_of(c), own, dropped);
      const SwitchId t = fabric_.target(c);
      if (--senders[t] == 0) trail_.push_back(t);
      const Channel next = out_of(t, lid);
      if (next == kNoChannel) continue;
      const Sl2VlRow& row =
          result_.tables.sl2vl.row(t, fabric_.port_of(fabric_.peer(c)), fabric_.port_of(next));
      for (SlSet sls = used_sls_; sls != 0; sls &= static_cast<SlSet>(sls - 1)) {
        const auto sl = static_cast<unsigned>(std::countr_zero(sls));
        if (on_[s][sl] == 0 || row[sl] == kDropVl) continue;
        on_[t][sl] |= static_cast<VlSet>(1u << row[sl]);
        for (VlSet vls = on_[s][sl]; vls != 0; vls &= static_cast<VlSet>(vls - 1))
          order_.put({{c, static_cast<Vl>(std::countr_zero(vls))}, {next, row[sl]}});
      }
    }
  }

  /// Whether packets for the LID on this SL can leave s by this port and then follow the LFT
  /// entries. With `may_add`, adds the dependencies of this path if they close no cycle; otherwise
  /// all of them must exist already.
  bool usable(SwitchId s, PortNum port, Sl sl, Lid lid, bool may_add) {
    if (result_.tables.host_sl2vl[sl] == kDropVl) return false;
    bool dropped = false;
    VlSet vls = first_vls(s, port, sl, dropped);
    if (dropped) return false;
    wanted_.clear();
    for (Channel c = fabric_.channel(s, port);;) {
      const SwitchId t = fabric_.target(c);
      const PortNum in = fabric_.port_of(fabric_.peer(c)), out = result_.tables.next(t, lid);
      const Vl vl = result_.tables.sl2vl.row(t, in, out)[sl];
      if (out != 0 && vl == kDropVl) return false;
      const Channel next = out_of(t, lid);
      if (next == kNoChannel) break;  // t is the owner's switch
      for (; vls != 0; vls &= static_cast<VlSet>(vls - 1))
        wanted_.push_back({{c, static_cast<Vl>(std::countr_zero(vls))}, {next, vl}});
      vls = static_cast<VlSet>(1u << vl);
      c = next;
    }
    if (!may_add) return std::ranges::all_of(wanted_, [&](const Edge& e) { return order_.has(e); });
    return order_.add(wanted_);
  }

  void repair_lid(Lid lid, const std::vector<SwitchId>& broken) {
    measure_paths(lid);
    const SwitchId destination_switch = fabric_.destination_switch(lid);
    if (length_[destination_switch] ==
        kNotReached) {  // the owner's own switch has lost its entry: it needs no search
      result_.tables.set_next(destination_switch, lid, delivery_port(lid));
      length_[destination_switch] = 0;
      ++result_.entries;
    }
    waiting_.assign(waiting_.size(), false);
    for (const SwitchId s : broken) waiting_[s] = s != destination_switch;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto offer = [&](SwitchId s, PortNum port) {
      const SwitchId t = fabric_.target(fabric_.channel(s, port));
      const Sl old = result_.tables.sl(s, lid);
      const unsigned turn = (port + lid) % (fabric_.node(s).ports + 1u);
      for (unsigned sl = 0; sl < kSls; ++sl)
        if (used_sls_ >> sl & 1u)
          candidates.push({sl != old, false, length_[t] + 1, turn, s, port, static_cast<Sl>(sl)});
    };
    for (const SwitchId s : broken)
      for (const Channel c : fabric_.out(s))
        if (waiting_[s] && length_[fabric_.target(c)] != kNotReached) offer(s, fabric_.port_of(c));
    while (!candidates.empty()) {
      const Candidate best = candidates.top();
      candidates.pop();
      if (!waiting_[best.at]) continue;
      if (!usable(best.at, best.port, best.sl, lid, best.adds)) {
        if (!best.adds) {
          Candidate again = best;
          again.adds = true;
          candidates.push(again);
        }
        continue;
      }
      waiting_[best.at] = false;
      length_[best.at] = best.length;
      result_.tables.set_next(best.at, lid, best.port);
      ++result_.entries;
      if (best.other_sl) {
        result_.tables.set_sl(best.at, lid, best.sl);
        ++result_.sls;
      }
      for (const Channel c : fabric_.out(best.at))
        if (waiting_[fabric_.target(c)]) offer(fabric_.target(c), fabric_.port_of(fabric_.peer(c)));
    }
    const LidOwner owner = fabric_.owner(lid);
    std::uint64_t dead = 0;
    bool missed = false;
    for (const SwitchId s : broken) {
      dead += waiting_[s];
      missed |= waiting_[s] && !fabric_.hosts_at(s).empty();
    }
    result_.dead += dead;
    if (missed && owner.kind == LidOwner::Kind::kHost && is_base(lid))
      unserved_base_lids_.emplace_back(lid, dead);
  }

  /// Called for a base LID to which some switch with hosts found no detour. If all switches with
  /// hosts reach another LID of the host, the base LID takes that LID's paths and SLs. This adds no
  /// new dependency. `dead`: how many switches have no path to the base LID.
  void take_paths_of_other_lid(Lid base, std::uint64_t dead) {
    const Host& host = fabric_.host(fabric_.owner(base).id);
    for (unsigned offset = 1; offset < host.lid_count(); ++offset) {
      const auto other = static_cast<Lid>(base + offset);
      measure_paths(other);
      bool reached = true;
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
        reached &= length_[s] != kNotReached || fabric_.hosts_at(s).empty() ||
                   component_[s] != component_[host.at];
      if (!reached) continue;
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
        result_.tables.set_next(s, base, result_.tables.next(s, other));
        result_.tables.set_sl(s, base, result_.tables.sl(s, other));
      }
      result_.dead -= dead;
      ++result_.taken_over;
      return;
    }
    result_.all_hosts_reached = false;
  }

  const Fabric& fabric_;
  const std::vector<SwitchId> component_;
  DependencyOrder order_;
  const SlSet used_sls_;
  Detours result_;
  std::vector<std::uint32_t> length_;
  std::vector<bool> waiting_;
  enum class End : std::uint8_t { kUnknown, kBroken, kNoEntry };
  std::vector<End> end_;  // per switch: why the path to the present LID does not arrive
  std::vector<SwitchId> trail_;
  std::vector<std::array<VlSet, kSls>> on_;  // per switch and SL: VLs of the packets that leave it
  std::vector<Edge> wanted_;
  std::vector<std::pair<Lid, std::uint64_t>>
      unserved_base_lids_;  // base LIDs, each with the number of switches without a path to it
};

}  // namespace

std::optional<Detours> make_detours(const Fabric& fabric, const Tables& tables,
                                    const std::optional<ParentChannels>& multicast) {
  return DetourSearch(fabric, tables).run(multicast);
}

bool only_removals(const Fabric& before, const Fabric& after) {
  if (!missing_from(before, after).empty()) return false;
  std::vector<SwitchId> was(after.num_switches(), kNoSwitch);
  for (SwitchId s = 0; s < after.num_switches(); ++s) {
    if (after.node(s).failed) continue;
    was[s] = before.find_switch(after.node(s).guid);
    const Switch &a = before.node(was[s]), &b = after.node(s);
    if (a.ports != b.ports || a.lid != b.lid) return false;
  }
  std::vector<std::pair<Guid, HostId>> hosts;
  hosts.reserve(before.num_hosts());
  for (HostId h = 0; h < before.num_hosts(); ++h) hosts.emplace_back(before.host(h).guid, h);
  std::ranges::sort(hosts);
  for (HostId h = 0; h < after.num_hosts(); ++h) {
    if (!after.attached(h)) continue;
    const Host& b = after.host(h);
    const auto found = std::ranges::lower_bound(hosts, b.guid, {}, &std::pair<Guid, HostId>::first);
    if (found == hosts.end() || found->first != b.guid) return false;
    const Host& a = before.host(found->second);
    if (a.lid != b.lid || a.lmc != b.lmc) return false;
    if (!before.attached(found->second) || a.at != was[b.at] || a.port != b.port) return false;
  }
  return true;
}

}  // namespace selvedge
