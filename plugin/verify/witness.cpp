// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds witnesses. They are searched only if a property fails, and only from the counts that a
// proof keeps for each LID and host. So a full proof and a revised one find the same witnesses.
#include <fmt/format.h>

#include <algorithm>

#include "plugin/fabric/naming.hpp"
#include "plugin/verify/disjoint.hpp"
#include "plugin/verify/state.hpp"

namespace selvedge::prover {
namespace {

/// A packet's path, up to the point where it fails.
struct FollowedPath {
  std::string text;
  std::vector<Channel> channels;  // the path's channels between switches
  std::vector<Vl> vls;
  Witness::Kind kind = Witness::Kind::kUnreachable;
};

class Witnesses {
 public:
  Witnesses(Proof::State& state, const Fabric& fabric, const Tables& tables,
            const FurtherSls* further)
      : state_(state),
        fabric_(fabric),
        tables_(tables),
        wiring_(state.wiring),
        rows_(tables.sl2vl),
        view_{&state.wiring, &tables, &tables.sl2vl, &rows_,
              &state.rules,  nullptr, nullptr,       further} {}

  void find() {
    unreachable();
    loops();
    multicast();
    for (const ScopeGraph& graph : state_.graphs) cycles(graph);
    not_disjoint();
    dropped_replies(Scope::kBase);
    dropped_replies(Scope::kReplies);
  }

 private:
  void unreachable();
  void loops();
  void multicast();
  void cycles(const ScopeGraph& graph);
  void dropped_replies(Scope scope);
  void not_disjoint();

  FollowedPath follow(HostId source, Lid dlid, Sl sl) const;
  std::string wrong_entry(SwitchId s, PortNum out, Lid dlid) const;
  Sl failing_sl(HostId source, Lid dlid) const;
  bool connected(HostId a, HostId b) const {
    return wiring_.host_at[a] != wiring_.nowhere() && wiring_.host_at[b] != wiring_.nowhere() &&
           wiring_.component[wiring_.host_at[a]] == wiring_.component[wiring_.host_at[b]];
  }
  std::string host_name(HostId h) const { return host_label(fabric_, h); }
  std::string owner_name(Lid dlid) const {
    const LidOwner owner = wiring_.lid_owner[dlid];
    if (owner.kind == LidOwner::Kind::kHost) return host_name(owner.id);
    return owner.kind == LidOwner::Kind::kSwitch ? fabric_.node(owner.id).name : "unassigned";
  }
  /// Counts a witness of the current property. Returns false if max_witnesses were counted before.
  bool room() { return found_++ < state_.options.max_witnesses; }
  void start() { found_ = 0; }
  void add(Witness w) { state_.verdict.witnesses.push_back(std::move(w)); }

  Proof::State& state_;
  const Fabric& fabric_;
  const Tables& tables_;
  const Wiring& wiring_;
  RowMasks rows_;
  View view_;
  unsigned found_ = 0;
};

/// Says why a path ends at this LFT entry, which leads neither to another switch nor to the LID's
/// owner.
std::string Witnesses::wrong_entry(SwitchId s, PortNum out, Lid dlid) const {
  if (out == kNoPort) return "no route";
  if (out > wiring_.ports(s)) return fmt::format("port {} of {}", out, wiring_.ports(s));
  if (out == 0) return fmt::format("port 0, but the LID is {}", owner_name(dlid));
  for (const Wiring::Attached& a : wiring_.attached(s))
    if (a.port == out)
      return fmt::format("port {} leads to {}, but the LID is {}", out, host_name(a.host),
                         owner_name(dlid));
  return fmt::format("port {} has no cable", out);
}

FollowedPath Witnesses::follow(HostId source, Lid dlid, Sl sl) const {
  FollowedPath path;
  path.text = fmt::format("{} -> {} LID {}:", host_name(source), owner_name(dlid), dlid);
  if (tables_.host_sl2vl[sl] >= kDropVl) {
    path.kind = Witness::Kind::kDropped;
    path.text += fmt::format(" {}: SL {} has no VL at the host", host_name(source), sl);
    return path;
  }
  SwitchId s = wiring_.host_at[source];
  PortNum in = wiring_.host_port[source];
  std::vector<bool> seen(wiring_.switches, false);
  for (;;) {
    const std::string& name = fabric_.node(s).name;
    if (seen[s]) {
      path.kind = Witness::Kind::kLoop;
      path.text += fmt::format(" {}: loops", name);
      return path;
    }
    seen[s] = true;
    const PortNum out = view_.next(s, dlid);
    const bool delivers = view_.delivers(s, dlid);
    const Channel c = view_.forward(s, dlid);
    if (!delivers && c == kNoChannel) {
      if (out != kNoPort) path.kind = Witness::Kind::kBadEntry;
      path.text += fmt::format(" {}: {}", name, wrong_entry(s, out, dlid));
      return path;
    }
    const Vl vl = tables_.sl2vl.row(s, in, out)[sl];
    if (vl >= kDropVl) {
      path.kind = Witness::Kind::kDropped;
      path.text += fmt::format(" {}: SL {} has no VL from port {} to port {}", name, sl, in, out);
      return path;
    }
    path.text += fmt::format(" {}:{}", name, out);
    if (delivers) return path;
    path.channels.push_back(c);
    path.vls.push_back(vl);
    in = wiring_.arrival[c];
    s = wiring_.to[c];
  }
}

/// Of the SLs that a host uses for a DLID, the first on which its packets are dropped; else the
/// path's own.
Sl Witnesses::failing_sl(HostId source, Lid dlid) const {
  const SwitchId s = wiring_.host_at[source];
  const Sl own = view_.sl(s, dlid);
  const std::optional<SlMask> mask = view_.arriving(s, wiring_.host_port[source], dlid);
  if (!mask) return own;
  const SlMask failing = static_cast<SlMask>((bit(own) | view_.further_sls(s, dlid)) &
                                             ~(*mask & state_.rules.from_hosts));
  return failing == 0 ? own : static_cast<Sl>(std::countr_zero(failing));
}

void Witnesses::unreachable() {
  start();
  for (HostId b = 0; b < fabric_.num_hosts(); ++b) {
    if (state_.failed_of_host[b] == 0) continue;
    if (!room()) return;
    const Host& to = fabric_.host(b);
    const unsigned lids = to.lid == kNoLid ? 0 : to.lid_count();
    for (HostId a = 0; a < fabric_.num_hosts(); ++a) {
      if (a == b || !connected(a, b)) continue;
      unsigned failing = 0;
      bool works = false;
      Lid first = kNoLid;
      for (unsigned i = 0; i < lids; ++i) {
        const auto dlid = static_cast<Lid>(to.lid + i);
        if (view_.works(a, dlid)) {
          works = true;
          continue;
        }
        if (!state_.options.any_lid && view_.excused(wiring_.host_at[a], dlid)) {
          if (first == kNoLid) first = dlid;
          continue;
        }
        if (failing++ == 0) first = dlid;
      }
      if (lids == 0) {
        add({Witness::Kind::kUnreachable,
             "connected",
             fmt::format("{} -> {}: the destination has no LID", host_name(a), host_name(b)),
             {},
             {},
             a,
             kNoLid});
        break;
      }
      if (state_.options.any_lid ? works : works && failing == 0) continue;
      FollowedPath path = follow(a, first, failing_sl(a, first));
      if (state_.options.any_lid && lids > 1)
        path.text += fmt::format(" (and none of its other {} LIDs works)", lids - 1);
      add({path.kind, "connected", path.text, path.channels, path.vls, a, first});
      break;
    }
  }
}

void Witnesses::loops() {
  start();
  if (state_.looping_lids == 0) return;
  DestinationTree tree(wiring_);
  std::vector<PortNum> next(wiring_.switches);
  for (std::size_t lid = 0; lid < state_.loops.size(); ++lid) {
    if (!state_.loops[lid]) continue;
    if (!room()) return;
    const auto dlid = static_cast<Lid>(lid);
    for (SwitchId s = 0; s < wiring_.switches; ++s) next[s] = tables_.next(s, dlid);
    tree.load(dlid, next.data());
    const SwitchId first = tree.on_cycles().front();
    Witness w{Witness::Kind::kLoop,
              "loop_free",
              fmt::format("LID {} ({}):", dlid, owner_name(dlid)),
              {},
              {},
              kNoHost,
              dlid};
    SwitchId s = first;
    do {
      w.channels.push_back(tree.out(s));
      w.text += " " + fabric_.port_name(tree.out(s));
      s = tree.parent(s);
    } while (s != first);
    w.text += fmt::format(" {}: loops", fabric_.node(first).name);
    add(std::move(w));
  }
}

void Witnesses::multicast() {
  start();
  for (const auto& [mlid, group] : state_.groups) {
    if (group.cycle.empty()) continue;
    if (!room()) break;
    Witness w{Witness::Kind::kMulticast,
              "loop_free",
              fmt::format("MLID 0x{:04x}: ", mlid),
              group.cycle,
              {},
              kNoHost,
              mlid};
    for (const Channel c : group.cycle) w.text += fabric_.port_name(c) + " ";
    w.text += fmt::format("{}: loops", fabric_.node(wiring_.owner[group.cycle.front()]).name);
    add(std::move(w));
  }
  start();
  for (const auto& [mlid, group] : state_.groups) {
    const std::string prefix = fmt::format("MLID 0x{:04x}: ", mlid);
    auto port = [&](const GroupProof::Port& p) {
      return fmt::format("{}:{}", fabric_.node(p.at).name, p.port);
    };
    auto report = [&](const GroupProof::Port& p, const std::string& text) {
      Witness w{Witness::Kind::kMulticast, "multicast", text, {}, {}, kNoHost, mlid};
      if (p.port <= wiring_.ports(p.at)) w.channels.push_back(wiring_.first[p.at] + p.port);
      add(std::move(w));
    };
    for (const auto& p : group.one_sided)
      if (room()) report(p, prefix + port(p) + " leads to a switch whose port is not in the group");
    if (state_.options.any_lid) continue;
    for (const auto& p : group.dead)
      if (room()) report(p, prefix + port(p) + " has no cable");
  }
}

void Witnesses::cycles(const ScopeGraph& graph) {
  start();
  if (graph.order.holds()) return;
  auto is_of = [&](Scope scope) { return &graph_of(state_, scope) == &graph; };
  const auto cycles = short_cycles(wiring_, graph.dependencies, state_.options.max_witnesses);
  auto add_witnesses = [&](const char* property) {
    for (const auto& cycle : cycles) {
      Witness w{Witness::Kind::kCycle, property, "", {}, {}, kNoHost, kNoLid};
      for (const VirtualChannel& vc : cycle) {
        w.text += fmt::format("{} VL{} -> ", fabric_.port_name(vc.channel), vc.vl);
        w.channels.push_back(vc.channel);
        w.vls.push_back(vc.vl);
      }
      w.text += fmt::format("{} VL{}", fabric_.port_name(cycle.front().channel), cycle.front().vl);
      add(std::move(w));
    }
  };
  if (is_of(Scope::kPaths)) add_witnesses("deadlock_free");
  // A cycle of one grade is a cycle of the next, too.
  const bool base = graph_of(state_, Scope::kBase).order.holds();
  const bool paths = graph_of(state_, Scope::kPaths).order.holds();
  if (state_.options.replies && paths && is_of(Scope::kBase)) add_witnesses("deadlock_free_base");
  if (state_.options.replies && base && is_of(Scope::kReplies))
    add_witnesses("deadlock_free_replies");
  if (state_.options.any_sl && is_of(Scope::kAnySl)) add_witnesses("deadlock_free_any_sl");
}

void Witnesses::dropped_replies(Scope scope) {
  const auto& counts = scope == Scope::kBase ? state_.dropped_base : state_.dropped_replies;
  start();
  for (std::size_t lid = 0; lid < counts.size(); ++lid) {
    if (counts[lid] == 0) continue;
    if (!room()) return;
    const auto dlid = static_cast<Lid>(lid);
    const HostId requester = wiring_.lid_owner[dlid].id;
    bool found = false;
    for (HostId b = 0; b < fabric_.num_hosts() && !found; ++b) {
      if (b == requester || !connected(b, requester)) continue;
      const auto passing = view_.arriving(wiring_.host_at[b], wiring_.host_port[b], dlid);
      if (!passing) continue;
      const SlMask dropped = view_.reply_sls(scope, wiring_.host_at[requester], fabric_.host(b)) &
                             ~(*passing & state_.rules.from_hosts);
      if (dropped == 0) continue;
      const FollowedPath path = follow(b, dlid, static_cast<Sl>(std::countr_zero(dropped)));
      add({Witness::Kind::kDropped, scope == Scope::kBase ? "dropped_base" : "dropped_replies",
           path.text, path.channels, path.vls, b, dlid});
      found = true;
    }
  }
}

void Witnesses::not_disjoint() {
  start();
  if (state_.options.disjoint == 0) return;
  Disjointness disjointness(wiring_, state_.rules, tables_);
  // Destinations with the fewest disjoint paths come first.
  std::vector<HostId> too_few;
  for (HostId h = 0; h < fabric_.num_hosts(); ++h)
    if (state_.disjoint_of_host[h] < state_.options.disjoint) too_few.push_back(h);
  std::ranges::stable_sort(too_few, {}, [&](HostId h) { return state_.disjoint_of_host[h]; });
  for (const HostId h : too_few) {
    if (!room()) return;
    const Host& to = fabric_.host(h);
    const auto fewest = disjointness.fewest(to, h);
    const HostId from = wiring_.attached(fewest.source).front().host;
    Witness w{Witness::Kind::kNotDisjoint,
              "disjoint",
              fmt::format("{} -> {}: {} disjoint path(s), {} required:", host_name(from),
                          host_name(h), fewest.paths, state_.options.disjoint),
              {},
              {},
              from,
              to.lid};
    for (unsigned i = 0; to.lid != kNoLid && i < to.lid_count(); ++i) {
      const auto dlid = static_cast<Lid>(to.lid + i);
      const FollowedPath path = follow(from, dlid, view_.sl(fewest.source, dlid));
      if (i == 0) {
        w.channels = path.channels;
        w.vls = path.vls;
      }
      w.text += (i == 0 ? " " : "; ") + path.text.substr(path.text.find(" LID ") + 1);
    }
    add(std::move(w));
  }
}

}  // namespace

void find_witnesses(Proof::State& state, const Fabric& fabric, const Tables& tables,
                    const FurtherSls* further) {
  state.verdict.witnesses.clear();
  Witnesses(state, fabric, tables, further).find();
}

}  // namespace selvedge::prover
