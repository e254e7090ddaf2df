// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tests/unit/verify/reference.hpp"

#include <functional>
#include <string>

namespace reference {

using selvedge::kDropVl;
using selvedge::kNoChannel;
using selvedge::kNoPort;
using selvedge::LidOwner;

namespace {

bool is_end(const Fabric& f, SwitchId s, PortNum out, Lid dlid) {
  const LidOwner who = f.owner(dlid);
  if (who.kind == LidOwner::Kind::kSwitch) return who.id == s && out == 0;
  if (who.kind == LidOwner::Kind::kHost)
    return f.attached(who.id) && f.host(who.id).at == s && f.host(who.id).port == out;
  return false;
}

std::set<SwitchId> component(const Fabric& f, SwitchId start) {
  std::set<SwitchId> seen{start};
  std::vector<SwitchId> todo{start};
  while (!todo.empty()) {
    const SwitchId s = todo.back();
    todo.pop_back();
    for (const Channel c : f.out(s))
      if (seen.insert(f.target(c)).second) todo.push_back(f.target(c));
  }
  return seen;
}

void add(Edges& edges, const Walk& walk) {
  for (std::size_t i = 1; i < walk.nodes.size(); ++i)
    edges.insert({walk.nodes[i - 1], walk.nodes[i]});
}

std::vector<Lid> lids(const Fabric& f, HostId h) {
  std::vector<Lid> all;
  if (f.host(h).lid != selvedge::kNoLid)
    for (unsigned i = 0; i < f.host(h).lid_count(); ++i)
      all.push_back(static_cast<Lid>(f.host(h).lid + i));
  return all;
}

bool host_works(const Fabric& f, const Tables& t, HostId h, Lid dlid) {
  const auto& host = f.host(h);
  const Sl sl = t.sl(host.at, dlid);
  return t.host_sl2vl[sl] != kDropVl &&
         walk(f, t, host.at, host.port, dlid, sl).end == Walk::End::kArrives;
}

std::set<Sl> answer_sls(const Fabric& f, const Tables& t, HostId asker, HostId from) {
  std::set<Sl> sls;
  for (const Lid m : lids(f, from))
    if (t.next(f.host(asker).at, m) != kNoPort) sls.insert(t.sl(f.host(asker).at, m));
  return sls;
}

void multicast(const Fabric& f, const Tables& t, bool any_lid, Expected& e, std::set<Vl>& vls) {
  for (const auto& [mlid, tree] : t.mft) {
    auto in_set = [&, &group = tree](SwitchId s, unsigned p) {
      return s < group.size() && group[s][p];
    };
    std::set<Channel> sends;
    bool broken = false;
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      for (unsigned p = 1; p < 256; ++p) {
        if (!in_set(s, p)) continue;
        const bool exists = p <= f.node(s).ports;
        const Channel c = exists ? f.channel(s, static_cast<PortNum>(p)) : kNoChannel;
        if (!exists || f.peer(c) == kNoChannel) {
          if (any_lid) continue;
          ++e.multicast_faults;
          broken = true;
        } else if (f.between_switches(c)) {
          sends.insert(c);
          if (!in_set(f.target(c), f.port_of(f.peer(c)))) {
            ++e.multicast_faults;
            broken = true;
          }
        }
      }
    }
    if (broken) e.multicast = false;
    auto after = [&](Channel c) {
      std::vector<Channel> all;
      for (const Channel d : f.out(f.target(c)))
        if (sends.contains(d) && d != f.peer(c)) all.push_back(d);
      return all;
    };
    Edges flood;
    for (const Channel c : sends)
      for (const Channel d : after(c)) flood.insert({{c, Vl{0}}, {d, Vl{0}}});
    if (cyclic(flood)) {
      e.loop_free = false;
      ++e.multicast_faults;
    }
    for (const Channel c : sends) {
      const SwitchId s = f.switch_of(c);
      for (unsigned in = 0; in <= f.node(s).ports; ++in) {
        if (in == f.port_of(c)) continue;
        const Channel at = f.channel(s, static_cast<PortNum>(in));
        const Channel peer = f.peer(at);
        const bool enters = in == 0               ? in_set(s, 0)
                            : peer == kNoChannel  ? false
                            : f.from_switch(peer) ? sends.contains(peer)
                                                  : in_set(s, in);
        if (!enters) continue;
        for (unsigned sl = 0; sl < 16; ++sl) {
          const Vl v = t.sl2vl.row(s, static_cast<PortNum>(in), f.port_of(c))[sl];
          if (v == kDropVl) continue;
          if (sl == 0) vls.insert(v);
          for (const Channel d : after(c)) {
            const Vl w = t.sl2vl.row(f.target(c), f.port_of(f.peer(c)), f.port_of(d))[sl];
            if (w == kDropVl) continue;
            if (sl == 0) {
              e.paths.insert({{c, v}, {d, w}});
              e.base.insert({{c, v}, {d, w}});
              e.replies.insert({{c, v}, {d, w}});
            }
            e.any_sl.insert({{c, v}, {d, w}});
          }
        }
      }
    }
  }
}

unsigned disjoint_paths(const Fabric& f, const Tables& t, SwitchId from, HostId to) {
  std::vector<std::vector<Channel>> paths;
  for (const Lid lid : lids(f, to)) {
    bool all = true;
    for (const HostId h : f.hosts_at(from)) all &= host_works(f, t, h, lid);
    if (!all) continue;
    paths.emplace_back();
    const PortNum in = f.host(f.hosts_at(from).front()).port;
    for (const Node& n : walk(f, t, from, in, lid, t.sl(from, lid)).nodes)
      paths.back().push_back(n.first);
  }
  unsigned best = 0;
  for (unsigned chosen = 0; chosen < (1u << paths.size()); ++chosen) {
    std::set<SwitchId> switches;
    std::set<Channel> cables;
    bool good = true;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!((chosen >> i) & 1)) continue;
      for (std::size_t k = 0; k < paths[i].size(); ++k) {
        const Channel c = paths[i][k];
        good &= cables.insert(std::min(c, f.peer(c))).second;
        if (k > 0) good &= switches.insert(f.switch_of(c)).second;
      }
    }
    if (good) best = std::max(best, static_cast<unsigned>(__builtin_popcount(chosen)));
  }
  return best;
}

}  // namespace

Walk walk(const Fabric& f, const Tables& t, SwitchId s, PortNum in, Lid dlid, Sl sl, bool guard) {
  Walk w;
  std::set<std::pair<SwitchId, PortNum>> seen;
  for (;;) {
    const bool again = !seen.insert({s, in}).second;
    const PortNum out = t.next(s, dlid);
    if (out > f.node(s).ports) return w;
    const Vl vl = t.sl2vl.row(s, in, out)[sl];
    const Channel c = f.channel(s, out);
    if (is_end(f, s, out, dlid)) {
      w.end = vl == kDropVl && guard ? Walk::End::kDropped : Walk::End::kArrives;
      return w;
    }
    if (out == 0 || !f.between_switches(c)) return w;
    if (vl == kDropVl && guard) {
      w.end = Walk::End::kDropped;
      return w;
    }
    w.nodes.push_back({c, vl});
    if (again) {  // the last step has closed the loop
      w.end = Walk::End::kLoops;
      return w;
    }
    in = f.port_of(f.peer(c));
    s = f.target(c);
  }
}

bool cyclic(const Edges& edges) {
  std::map<Node, std::vector<Node>> next;
  for (const auto& [a, b] : edges) next[a].push_back(b);
  for (const auto& [start, unused] : next) {
    std::set<Node> seen;
    std::vector<Node> todo = next[start];
    while (!todo.empty()) {
      const Node n = todo.back();
      todo.pop_back();
      if (n == start) return true;
      if (!seen.insert(n).second) continue;
      if (const auto it = next.find(n); it != next.end())
        todo.insert(todo.end(), it->second.begin(), it->second.end());
    }
  }
  return false;
}

Expected expect(const Fabric& f, const Tables& t, const VerifyOptions& o) {
  Expected e;
  std::set<Vl> vls;
  std::set<Sl> sls;
  for (unsigned d = 1; d <= t.top_lid(); ++d) {
    const auto dlid = static_cast<Lid>(d);
    const LidOwner who = f.owner(dlid);
    const bool asks = who.kind == LidOwner::Kind::kHost && f.attached(who.id);
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      const Sl own = t.sl(s, dlid);
      if (t.next(s, dlid) != kNoPort) sls.insert(own);
      if (walk(f, t, s, 0, dlid, own, false).end == Walk::End::kLoops) e.loop_free = false;
      auto send = [&](PortNum in, Sl sl, Edges& edges, std::set<Vl>* used) {
        const Walk w = walk(f, t, s, in, dlid, sl);
        add(edges, w);
        if (used != nullptr)
          for (const Node& n : w.nodes) used->insert(n.second);
      };
      auto from = [&](PortNum in, bool host) {
        if (!host || t.host_sl2vl[own] != kDropVl) {
          send(in, own, e.paths, &vls);
          send(in, own, e.base, nullptr);
          send(in, own, e.replies, nullptr);
        }
        for (Sl sl = 0; sl < 16; ++sl)
          if (!host || t.host_sl2vl[sl] != kDropVl) send(in, sl, e.any_sl, nullptr);
      };
      from(0, false);
      for (const HostId h : f.hosts_at(s)) {
        from(f.host(h).port, true);
        if (!asks) continue;
        bool dropped = false;
        for (const Sl sl : answer_sls(f, t, who.id, h)) {
          const bool leaves = t.host_sl2vl[sl] != kDropVl;
          if (leaves) send(f.host(h).port, sl, e.replies, nullptr);
          if (walk(f, t, s, f.host(h).port, dlid, sl, false).end != Walk::End::kArrives) continue;
          dropped |= !leaves || walk(f, t, s, f.host(h).port, dlid, sl).end == Walk::End::kDropped;
        }
        if (dropped && h != who.id) e.dropped.insert({h, dlid});
        // The one reply between base LIDs, to the request for the base LID of h.
        const Lid asked = f.host(h).lid;
        if (dlid != f.host(who.id).lid || asked == selvedge::kNoLid) continue;
        if (t.next(f.host(who.id).at, asked) == kNoPort) continue;
        const Sl sl = t.sl(f.host(who.id).at, asked);
        const bool leaves = t.host_sl2vl[sl] != kDropVl;
        if (leaves) send(f.host(h).port, sl, e.base, nullptr);
        if (h != who.id &&
            walk(f, t, s, f.host(h).port, dlid, sl, false).end == Walk::End::kArrives &&
            (!leaves || walk(f, t, s, f.host(h).port, dlid, sl).end == Walk::End::kDropped))
          e.dropped_base.insert({h, dlid});
      }
    }
  }

  unsigned least = UINT32_MAX;
  for (HostId b = 0; b < f.num_hosts(); ++b) {
    for (HostId a = 0; a < f.num_hosts(); ++a) {
      if (a == b) continue;
      if (!f.attached(a) || !f.attached(b) || !component(f, f.host(a).at).contains(f.host(b).at)) {
        ++e.disconnected;
        continue;
      }
      ++e.pairs;
      unsigned working = 0;
      unsigned excused = 0;  // spare LIDs for which the host's switch has no entry
      for (const Lid lid : lids(f, b)) {
        working += host_works(f, t, a, lid);
        excused += t.is_spare(lid) && t.next(f.host(a).at, lid) == selvedge::kNoPort;
      }
      if (o.any_lid ? working == 0 : working == 0 || working + excused < f.host(b).lid_count())
        e.failed.insert({a, b});
      if (o.disjoint != 0 && f.host(a).at != f.host(b).at) {
        const unsigned n = disjoint_paths(f, t, f.host(a).at, b);
        e.disjoint[{f.host(a).at, b}] = n;
        least = std::min(least, n);
      }
    }
  }
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (HostId a = 0; f.node(s).lid != selvedge::kNoLid && a < f.num_hosts(); ++a)
      if (f.attached(a) && component(f, f.host(a).at).contains(s))
        e.unreachable_switch_lids += !host_works(f, t, a, f.node(s).lid);
  e.failed_pairs = e.failed.size();
  e.connected = e.failed.empty();
  if (o.replies) {
    e.dropped_replies = e.dropped.size();
    e.dropped_base_replies = e.dropped_base.size();
  }
  multicast(f, t, o.any_lid, e, vls);
  e.deadlock_free = !cyclic(e.paths);
  e.deadlock_free_base = !cyclic(e.base);
  e.deadlock_free_replies = !cyclic(e.replies);
  e.deadlock_free_any_sl = !cyclic(e.any_sl);
  e.disjoint_min = least == UINT32_MAX ? o.disjoint : least;
  e.vls_used = static_cast<unsigned>(vls.size());
  e.sls_used = static_cast<unsigned>(sls.size());
  return e;
}

namespace {

using selvedge::Verdict;
using selvedge::Witness;

std::optional<std::string> check_witness(const Fabric& f, const Tables& t, const VerifyOptions& o,
                                         const Expected& e, const Witness& w) {
  auto wrong = [&](const char* why) { return "witness \"" + w.text + "\": " + why; };
  if (w.text.empty() || w.text.find('\n') != std::string::npos) return wrong("not one line");
  switch (w.kind) {
    case Witness::Kind::kCycle: {
      const Edges& edges = w.property == "deadlock_free"           ? e.paths
                           : w.property == "deadlock_free_base"    ? e.base
                           : w.property == "deadlock_free_replies" ? e.replies
                                                                   : e.any_sl;
      if (w.channels.empty() || w.channels.size() != w.vls.size()) return wrong("no cycle");
      for (std::size_t i = 0; i < w.channels.size(); ++i) {
        const std::size_t j = (i + 1) % w.channels.size();
        if (!edges.contains({{w.channels[i], w.vls[i]}, {w.channels[j], w.vls[j]}}))
          return wrong("not a dependency");
      }
      return std::nullopt;
    }
    case Witness::Kind::kMulticast: {
      const auto& group = t.mft.at(w.dlid);
      if (w.property == "multicast") {
        for (const Channel c : w.channels) {
          if (!group[f.switch_of(c)][f.port_of(c)]) return wrong("not in the group");
          if (f.peer(c) == selvedge::kNoChannel) continue;
          if (!f.between_switches(c)) return wrong("a host's port is sound");
          const SwitchId far = f.target(c);
          if (far < group.size() && group[far][f.port_of(f.peer(c))])
            return wrong("both sides are");
        }
        return std::nullopt;
      }
      if (w.property != "loop_free") return wrong("unknown property");
      for (std::size_t i = 0; i < w.channels.size(); ++i) {
        const Channel c = w.channels[i], d = w.channels[(i + 1) % w.channels.size()];
        if (!group[f.switch_of(c)][f.port_of(c)]) return wrong("not in the group");
        if (f.target(c) != f.switch_of(d) || f.peer(c) == d) return wrong("not a cycle");
      }
      return w.channels.empty() ? std::optional(wrong("no cycle")) : std::nullopt;
    }
    case Witness::Kind::kNotDisjoint: {
      std::set<unsigned> of_destination;
      for (const auto& [pair, n] : e.disjoint)
        if (f.host(pair.second).lid == w.dlid) of_destination.insert(n);
      const auto it = e.disjoint.find(
          {f.host(w.source).at,
           f.owner(w.dlid).kind == LidOwner::Kind::kHost ? f.owner(w.dlid).id : selvedge::kNoHost});
      if (f.owner(w.dlid).kind != LidOwner::Kind::kHost) return std::nullopt;
      if (it == e.disjoint.end() || it->second >= o.disjoint) return wrong("enough are disjoint");
      return it->second == *of_destination.begin() ? std::nullopt
                                                   : std::optional(wrong("not the fewest"));
    }
    default:
      break;
  }
  if (w.property == "loop_free") {
    for (std::size_t i = 0; i < w.channels.size(); ++i) {
      const Channel c = w.channels[i], d = w.channels[(i + 1) % w.channels.size()];
      if (t.next(f.switch_of(c), w.dlid) != f.port_of(c)) return wrong("not in the LFT");
      if (f.target(c) != f.switch_of(d)) return wrong("not a cycle");
    }
    return w.channels.empty() ? std::optional(wrong("no cycle")) : std::nullopt;
  }
  if (w.property == "dropped_replies")
    return e.dropped.contains({w.source, w.dlid}) ? std::nullopt
                                                  : std::optional(wrong("not dropped"));
  if (w.property == "dropped_base")
    return e.dropped_base.contains({w.source, w.dlid}) ? std::nullopt
                                                       : std::optional(wrong("not dropped"));
  if (w.property != "connected") return wrong("unknown property");
  if (w.dlid == selvedge::kNoLid) return std::nullopt;
  const HostId to = f.owner(w.dlid).id;
  if (!e.failed.contains({w.source, to})) return wrong("the pair does not fail");
  if (host_works(f, t, w.source, w.dlid)) return wrong("the path works");
  const auto& from = f.host(w.source);
  const Sl sl = t.sl(from.at, w.dlid);
  if (t.host_sl2vl[sl] == kDropVl)
    return w.kind == Witness::Kind::kDropped ? std::nullopt : std::optional(wrong("is dropped"));
  const Walk real = walk(f, t, from.at, from.port, w.dlid, sl);
  // A witness may be called a loop although a packet that comes round is then dropped.
  const bool loops = walk(f, t, from.at, from.port, w.dlid, sl, false).end == Walk::End::kLoops;
  if (w.kind == Witness::Kind::kLoop && !loops) return wrong("does not loop");
  if (real.end == Walk::End::kDropped && w.kind != Witness::Kind::kDropped && !loops)
    return wrong("is dropped");
  if (real.end == Walk::End::kDead && w.kind != Witness::Kind::kUnreachable &&
      w.kind != Witness::Kind::kBadEntry)
    return wrong("is a dead end");
  for (std::size_t i = 0; i < w.channels.size(); ++i)
    if (i >= real.nodes.size() || real.nodes[i] != Node{w.channels[i], w.vls[i]})
      return wrong("is not the path");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> disagreement(const Fabric& f, const Tables& t, const VerifyOptions& o,
                                        const Verdict& v) {
  const Expected e = expect(f, t, o);
  std::string wrong;
  auto compare = [&](const char* name, auto got, auto want) {
    if (got != want)
      wrong +=
          std::string(name) + " is " + std::to_string(got) + ", not " + std::to_string(want) + "; ";
  };
  compare("connected", v.connected, e.connected);
  compare("loop_free", v.loop_free, e.loop_free);
  compare("deadlock_free", v.deadlock_free, e.deadlock_free);
  compare("replies asked", v.deadlock_free_replies.has_value(), o.replies);
  compare("any_sl asked", v.deadlock_free_any_sl.has_value(), o.any_sl);
  compare("disjoint asked", v.disjoint_min.has_value(), o.disjoint != 0);
  compare("base asked", v.deadlock_free_base.has_value(), o.replies);
  if (o.replies) compare("base", *v.deadlock_free_base, e.deadlock_free_base);
  if (o.replies) compare("replies", *v.deadlock_free_replies, e.deadlock_free_replies);
  if (o.any_sl) compare("any_sl", *v.deadlock_free_any_sl, e.deadlock_free_any_sl);
  if (o.disjoint != 0) compare("disjoint_min", *v.disjoint_min, e.disjoint_min);
  compare("pairs", v.pairs, e.pairs);
  compare("failed_pairs", v.failed_pairs, e.failed_pairs);
  compare("disconnected", v.disconnected, e.disconnected);
  compare("unreachable_switch_lids", v.unreachable_switch_lids, e.unreachable_switch_lids);
  compare("dropped_replies", v.dropped_replies, e.dropped_replies);
  compare("dropped_base", v.dropped_base, e.dropped_base_replies);
  // 0: no grade; 1 to 3: own-sl, base, same-sl.
  int grade = 0;
  if (o.replies && e.deadlock_free) {
    grade = 1;
    if (e.deadlock_free_base && e.dropped_base_replies == 0) {
      grade = 2;
      if (e.deadlock_free_replies && e.dropped_replies == 0) grade = 3;
    }
  }
  compare("grade", v.grade() ? static_cast<int>(*v.grade()) + 1 : 0, grade);
  compare("multicast_faults", v.multicast_faults, e.multicast_faults);
  compare("holds", v.holds(o),
          e.connected && e.loop_free && e.multicast && e.deadlock_free &&
              (!o.replies || grade > static_cast<int>(o.grade)) &&
              (!o.any_sl || e.deadlock_free_any_sl) && e.disjoint_min >= o.disjoint);
  compare("dependencies", v.dependencies, e.paths.size());
  compare("vls_used", v.vls_used, e.vls_used);
  compare("sls_used", v.sls_used, e.sls_used);

  std::set<std::string> told;
  for (const Witness& w : v.witnesses) {
    told.insert(w.property);
    if (const auto why = check_witness(f, t, o, e, w)) wrong += *why + "; ";
  }
  auto needs = [&](const char* property, bool failed) {
    if (failed && o.max_witnesses > 0 && !told.contains(property))
      wrong += std::string("no witness for ") + property + "; ";
    if (!failed && told.contains(property))
      wrong += std::string("a witness for ") + property + ", which holds; ";
  };
  needs("connected", !e.connected);
  needs("loop_free", !e.loop_free);
  needs("multicast", !e.multicast);
  needs("deadlock_free", !e.deadlock_free);
  // Only the first grade that does not hold has a cycle as its witness.
  needs("deadlock_free_base", o.replies && e.deadlock_free && !e.deadlock_free_base);
  needs("deadlock_free_replies", o.replies && e.deadlock_free_base && !e.deadlock_free_replies);
  needs("dropped_base", o.replies && e.dropped_base_replies != 0);
  needs("deadlock_free_any_sl", o.any_sl && !e.deadlock_free_any_sl);
  needs("dropped_replies", o.replies && e.dropped_replies != 0);
  needs("disjoint", o.disjoint != 0 && e.disjoint_min < o.disjoint);
  return wrong.empty() ? std::nullopt : std::optional(wrong);
}

}  // namespace reference
