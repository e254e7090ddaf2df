// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/tree_detours.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "plugin/engines/turn_rules.hpp"

namespace selvedge {
namespace {

constexpr unsigned kVls = 2, kSlsNeeded = 2;

class UpperHostDetours {
 public:
  UpperHostDetours(const Fabric& fabric, const FatTree& tree, Tables& tables)
      : fabric_(fabric),
        tree_(tree),
        graph_(directed(make_switch_graph(fabric), tree.order.rank)),
        rules_(order_rules(graph_, kVls, kSlsNeeded)),
        tables_(tables),
        arc_of_(fabric.num_switch_channels(), kNoArc),
        passed_(fabric.num_switches(), false) {
    for (Arc a = 0; a < graph_.num_arcs(); ++a) arc_of_[graph_.channel[a]] = a;
    for (const SwitchId s : tree.levels.order) {
      if (fabric.hosts_at(s).empty()) continue;
      with_hosts_.push_back(s);
      if (!is_leaf(s)) uppers_.push_back(s);
    }
  }

  void run() {
    if (uppers_.empty()) return;
    bool any = false;
    for (const SwitchId t : uppers_)
      for (const HostId h : fabric_.hosts_at(t)) any |= route_via_relays(fabric_.host(h));
    for (const SwitchId t : tree_.levels.leaves)
      for (const HostId h : fabric_.hosts_at(t)) any |= separate_sources(fabric_.host(h));
    if (any) write_sl2vl(fabric_, graph_, rules_, tables_);
  }

 private:
  bool is_leaf(SwitchId s) const { return tree_.levels.place[s] != TreeLevels::kNoPlace; }

  Arc arc_to(SwitchId s, Lid lid) const {
    const PortNum port = tables_.next(s, lid);
    return port == kNoPort || port == 0 ? kNoArc : arc_of_[fabric_.channel(s, port)];
  }

  /// The arcs of the path from s to a LID of a host at switch t, if s takes the arc `first`. Empty
  /// if that path does not end at t or passes s again.
  std::span<const Arc> walk(SwitchId s, Arc first, Lid lid, SwitchId t) {
    path_.assign(1, first);
    for (SwitchId at = graph_.target[first]; at != t; at = graph_.target[path_.back()]) {
      const Arc next = arc_to(at, lid);
      if (next == kNoArc || at == s || path_.size() > fabric_.num_switches()) return {};
      path_.push_back(next);
    }
    return path_;
  }

  SlSet admitted(std::span<const Arc> path) const {
    SlState state{rules_.all(), 0};
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      state = state.after(rules_.turn(graph_.target[path[i]], path[i], path[i + 1]));
    return state.any();
  }

  void set_sl(SwitchId s, Lid lid, SlSet sls) {
    const auto sl = static_cast<Sl>(std::countr_zero(sls));
    if (sl != tables_.sl(s, lid)) tables_.set_sl(s, lid, sl);
  }

  // --- Paths to a host at a switch above the leaf switches

  bool route_via_relays(const Host& host) {
    if (host.lid == kNoLid) return false;
    bool any = false;
    std::vector<SwitchId> relays;
    const SwitchGraph& g = tree_.levels.graph;
    for (Arc a = g.first_down[host.at]; a < g.first[host.at + 1]; ++a)
      if (is_leaf(g.target[a])) relays.push_back(g.target[a]);
    std::ranges::sort(relays);
    const auto cables = relays.size();
    relays.erase(std::unique(relays.begin(), relays.end()), relays.end());
    // Each host begins with another relay, so that the relays share the load.
    if (!relays.empty())
      std::ranges::rotate(relays, relays.begin() + host.lid % std::ssize(relays));
    // The first LIDs keep their direct paths from the leaf switches: as many LIDs as a leaf switch
    // has cables to the host's switch.
    const auto direct_lids = static_cast<unsigned>((cables + relays.size() / 2) /
                                                   std::max<std::size_t>(1, relays.size()));
    std::size_t next = 0;
    for (unsigned offset = std::max(1u, direct_lids);
         offset < host.lid_count() && next < relays.size(); ++offset)
      any |= route_via_relay(relays[next++], host, offset);
    return any;
  }

  /// Routes the LID base + `offset` of `host` over `relay`: to the relay as a LID of some host
  /// there, then up to the host. Of the relay's hosts it takes the one whose paths share least with
  /// those to the host's lower LIDs. Returns false, with nothing changed, if the relay has no host
  /// with a LID, or if some path would have no SL.
  bool route_via_relay(SwitchId relay, const Host& host, unsigned offset) {
    const auto lid = static_cast<Lid>(host.lid + offset);
    Lid model = kNoLid;
    std::size_t least = SIZE_MAX;
    for (const HostId h : fabric_.hosts_at(relay)) {
      if (fabric_.host(h).lid == kNoLid) continue;
      const std::size_t shared = count_shared(fabric_.host(h).lid, relay, host, offset);
      if (shared >= least) continue;
      least = shared;
      model = fabric_.host(h).lid;
    }
    if (model == kNoLid) return false;
    std::vector<PortNum> before;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) before.push_back(tables_.next(s, lid));
    std::vector<Arc> up;
    for (Arc a = graph_.first[relay]; a < graph_.first[relay + 1]; ++a)
      if (graph_.target[a] == host.at) up.push_back(a);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      if (s != relay && s != host.at && tables_.next(s, model) != kNoPort)
        tables_.set_next(s, lid, tables_.next(s, model));
    tables_.set_next(relay, lid, graph_.port[up[offset % up.size()]]);
    std::vector<SlSet> sls;
    for (const SwitchId s : with_hosts_) {
      if (s == host.at || before[s] == kNoPort) {
        sls.push_back(rules_.all());
        continue;
      }
      const std::span<const Arc> path = walk(s, arc_to(s, lid), lid, host.at);
      sls.push_back(path.empty() ? SlSet{0} : admitted(path));
    }
    if (std::ranges::count(sls, 0) > 0) {
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s) tables_.set_next(s, lid, before[s]);
      return false;
    }
    for (std::size_t i = 0; i < with_hosts_.size(); ++i)
      if (with_hosts_[i] != host.at) set_sl(with_hosts_[i], lid, sls[i]);
    return true;
  }

  /// The number of leaf switches from which the path to `model` begins with the same switch as a
  /// path to one of the host's LIDs below `offset`.
  std::size_t count_shared(Lid model, SwitchId relay, const Host& host, unsigned offset) const {
    std::size_t shared = 0;
    for (const SwitchId s : tree_.levels.leaves) {
      const Arc a = arc_to(s, model);
      if (s == relay || a == kNoArc) continue;
      bool intersects = graph_.target[a] == host.at;
      for (unsigned o = 0; o < offset && !intersects; ++o) {
        const Arc other = arc_to(s, static_cast<Lid>(host.lid + o));
        intersects = other != kNoArc && graph_.target[other] == graph_.target[a];
      }
      shared += intersects;
    }
    return shared;
  }

  // --- Paths from hosts at switches above the leaf switches

  /// The paths from one source to the LIDs of one host so far: the switches that they pass, and the
  /// arcs of those that are a single hop.
  struct UsedPaths {
    std::vector<SwitchId> switches;
    std::vector<Arc> direct;
  };

  bool intersects(const UsedPaths& used, std::span<const Arc> path) const {
    if (path.size() == 1) return std::ranges::count(used.direct, path[0]) > 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (std::ranges::count(used.switches, graph_.target[path[i]]) > 0) return true;
    return false;
  }

  void note(UsedPaths& used, std::span<const Arc> path) const {
    if (path.size() == 1) used.direct.push_back(path[0]);
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      used.switches.push_back(graph_.target[path[i]]);
  }

  bool separate_sources(const Host& host) {
    if (host.lid == kNoLid || host.lmc == 0) return false;
    bool any = false;
    used_.assign(uppers_.size(), {});
    for (unsigned offset = 0; offset < host.lid_count(); ++offset) {
      const auto lid = static_cast<Lid>(host.lid + offset);
      passed_.assign(passed_.size(), false);
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
        if (const Arc a = s == host.at ? kNoArc : arc_to(s, lid); a != kNoArc)
          passed_[graph_.target[a]] = true;
      for (std::size_t i = 0; i < uppers_.size(); ++i)
        any |= make_disjoint(uppers_[i], used_[i], host, lid);
    }
    return any;
  }

  bool make_disjoint(SwitchId s, UsedPaths& used, const Host& host, Lid lid) {
    const Arc first = arc_to(s, lid);
    if (first == kNoArc) return false;
    const std::span<const Arc> own = walk(s, first, lid, host.at);
    if (own.empty()) return false;
    if (!intersects(used, own)) {
      note(used, own);
      return false;
    }
    if (passed_[s]) return false;
    const Arc arcs = graph_.first[s + 1] - graph_.first[s];
    for (Arc i = 0; i < arcs; ++i) {
      const Arc a = graph_.first[s] + (i + lid) % arcs;
      if (graph_.target[a] == host.at) continue;
      const std::span<const Arc> path = walk(s, a, lid, host.at);
      if (path.empty() || intersects(used, path)) continue;
      const SlSet sls = admitted(path);
      if (sls == 0) continue;
      note(used, path);
      tables_.set_next(s, lid, graph_.port[a]);
      set_sl(s, lid, sls);
      passed_[graph_.target[a]] = true;
      return true;
    }
    return false;
  }

  const Fabric& fabric_;
  const FatTree& tree_;
  const SwitchGraph graph_;
  const TurnRules rules_;
  Tables& tables_;
  std::vector<Arc> arc_of_;  // per switch channel: its arc
  std::vector<SwitchId> with_hosts_, uppers_;
  std::vector<Arc> path_;
  std::vector<bool> passed_;     // per switch: whether another switch forwards the LID to it
  std::vector<UsedPaths> used_;  // per switch in uppers_, for the current host
};

}  // namespace

void add_detours(const Fabric& fabric, const FatTree& tree, const EngineRequest& request,
                 Tables& tables) {
  if (request.max_vls < kVls || request.max_sls < kSlsNeeded) return;
  UpperHostDetours(fabric, tree, tables).run();
}

}  // namespace selvedge
