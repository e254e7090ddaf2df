// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The guard, compared with a slow implementation (the twin) that follows guard.hpp step by step
// with sets of turns: the permitted turns, the SL2VL rows and the counts must be equal. The tables,
// groups, multicast trees, earlier guards and orientations are arbitrary.
#include "plugin/transition/guard.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <set>
#include <tuple>

#include "plugin/engines/engine.hpp"
#include "plugin/transition/turn_orientation.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/arbitrary.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;

/// A turn between two cables, on the lowest SL of a class.
struct Permit {
  Channel in, out;  // both leave the switch
  Sl sl;
  friend auto operator<=>(const Permit&, const Permit&) = default;
};

class GuardTwin {
 public:
  GuardTwin(const Fabric& fabric, const Tables& tables, const GuardOptions& options)
      : fabric_(fabric), tables_(tables), options_(options) {
    for (unsigned sl = 0; sl < kSls; ++sl)
      for (unsigned low = 0; low <= sl; ++low)
        if (alike(low, sl)) {
          class_[sl] = static_cast<Sl>(low);
          break;
        }
  }

  Guard make() {
    Guard guard;
    guard.sl2vl = tables_.sl2vl;
    permit(of_paths(false, false));
    guard.in_use = permitted_.size();
    permit(of_groups());
    if (!order()) {
      count(guard);
      guard.cycle.emplace();
      guard.reason = "the turns of the paths close a cycle if LFTs may be arbitrary";
      return guard;
    }
    if (classes().size() > 1 && !all_or_none(of_paths(true, false))) {
      guard.reason = "the turns of replies on the request's SL close a cycle";
      return guard;
    }
    guard.any_sl = classes().size() == 1 || all_or_none(of_paths(false, true));
    if (!guard.any_sl && !all_or_none(of_paths(false, false, true))) {
      guard.reason = "the turns of path queries on SL 0 close a cycle";
      return guard;
    }
    guard.exists = true;
    if (options_.previous != nullptr) add(turns_of_previous_guard());
    add(turns_of_orientation());
    add_ordered_part();
    count(guard);
    write(guard.sl2vl);
    return guard;
  }

 private:
  template <class F>
  void each_row(F f) const {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (unsigned i = 0; i <= fabric_.node(s).ports; ++i)
        for (unsigned o = 0; o <= fabric_.node(s).ports; ++o)
          f(s, static_cast<PortNum>(i), static_cast<PortNum>(o));
  }
  bool alike(unsigned a, unsigned b) const {
    bool same = (tables_.host_sl2vl[a] == kDropVl) == (tables_.host_sl2vl[b] == kDropVl);
    each_row([&](SwitchId s, PortNum in, PortNum out) {
      same &= tables_.sl2vl.row(s, in, out)[a] == tables_.sl2vl.row(s, in, out)[b];
    });
    return same;
  }
  std::set<Sl> classes() const { return {class_.begin(), class_.end()}; }
  Vl vl(Channel in, Channel out, Sl sl) const {
    return tables_.sl2vl.row(fabric_.switch_of(in), fabric_.port_of(in), fabric_.port_of(out))[sl];
  }
  template <class F>
  void each_turn(F f) const {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (const Channel in : fabric_.out(s))
        for (const Channel out : fabric_.out(s)) f(s, in, out);
  }

  void permit(const std::vector<Permit>& turns) {
    for (const Permit& p : turns)
      if (vl(p.in, p.out, p.sl) != kDropVl) permitted_.insert(p);
  }

  /// The turns that packets from all sources make along the LFTs: on the SLs of their paths, with
  /// `replies` also on those of replies; with `any_sl` on all SLs, with `sl_0` on SL 0 instead.
  std::vector<Permit> of_paths(bool replies, bool any_sl, bool sl_0 = false) const {
    std::vector<Permit> turns;
    for (unsigned i = 1; i <= tables_.top_lid(); ++i)
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
        const auto dlid = static_cast<Lid>(i);
        std::set<Sl> own{class_[tables_.sl(s, dlid)]};
        if (any_sl) own = classes();
        if (sl_0) own = {class_[0]};
        for (const Sl sl : own) walk(s, 0, dlid, sl, turns);
        for (const HostId h : fabric_.hosts_at(s)) {
          std::set<Sl> sent = own;
          if (replies) answers(dlid, h, sent);
          for (const Sl sl : sent)
            if (tables_.host_sl2vl[sl] != kDropVl) walk(s, fabric_.host(h).port, dlid, sl, turns);
        }
      }
    return turns;
  }
  /// The SLs on which the host answers requests from the owner of the DLID.
  void answers(Lid dlid, HostId host, std::set<Sl>& sls) const {
    const LidOwner owner = fabric_.owner(dlid);
    if (owner.kind != LidOwner::Kind::kHost || !fabric_.attached(owner.id)) return;
    const SwitchId requester = fabric_.host(owner.id).at;
    const Host& h = fabric_.host(host);
    for (unsigned i = 0; h.lid != kNoLid && i < h.lid_count(); ++i) {
      const auto lid = static_cast<Lid>(h.lid + i);
      if (tables_.next(requester, lid) != kNoPort) sls.insert(class_[tables_.sl(requester, lid)]);
    }
  }
  void walk(SwitchId s, PortNum in, Lid dlid, Sl sl, std::vector<Permit>& turns) const {
    std::set<std::pair<SwitchId, PortNum>> seen;
    for (bool by_cable = false; seen.emplace(s, in).second; by_cable = true) {
      const PortNum out = tables_.next(s, dlid);
      if (out > fabric_.node(s).ports) return;
      const Channel c = fabric_.channel(s, out);
      if (!fabric_.between_switches(c) || tables_.sl2vl.row(s, in, out)[sl] == kDropVl) return;
      if (by_cable) turns.push_back({fabric_.channel(s, in), c, sl});
      s = fabric_.target(c);
      in = fabric_.port_of(fabric_.peer(c));
    }
  }

  std::vector<Permit> of_groups() const {
    std::vector<Permit> turns;
    // For each group: the ports that the switch itself has in the group.
    std::vector<MulticastTree> groups;
    for (const auto& [mlid, tree] : tables_.mft) groups.push_back(tree);
    for (MulticastTree& tree : groups) tree.resize(fabric_.num_switches());
    for (const MulticastTree& tree : groups)
      each_turn([&](SwitchId s, Channel in, Channel out) {
        const SwitchId before = fabric_.target(in);
        const bool arrives =
            tree[s][fabric_.port_of(in)] || tree[before][fabric_.port_of(fabric_.peer(in))];
        if (in != out && arrives && tree[s][fabric_.port_of(out)])
          turns.push_back({in, out, class_[0]});
      });
    std::set<Channel> cables;  // the tree's cables, both channels of each
    if (options_.multicast != nullptr)
      for (const Channel c : *options_.multicast)
        if (c != kNoChannel && fabric_.between_switches(c)) cables.insert({c, fabric_.peer(c)});
    each_turn([&](SwitchId, Channel in, Channel out) {
      if (in != out && cables.contains(in) && cables.contains(out))
        turns.push_back({in, out, class_[0]});
    });
    return turns;
  }

  /// (Channel, SL, VL) that packets of any SL can reach over permitted turns.
  std::set<std::tuple<Channel, Sl, Vl>> tokens() const {
    std::set<std::tuple<Channel, Sl, Vl>> found;
    std::vector<std::tuple<Channel, Sl, Vl>> open;
    const auto reach = [&](Channel c, Sl sl, Vl vl) {
      if (vl != kDropVl && found.emplace(c, sl, vl).second) open.emplace_back(c, sl, vl);
    };
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (const Channel out : fabric_.out(s))
        for (const Sl sl : classes()) {
          reach(out, sl, tables_.sl2vl.row(s, 0, fabric_.port_of(out))[sl]);
          for (const HostId h : fabric_.hosts_at(s))
            if (tables_.host_sl2vl[sl] != kDropVl)
              reach(out, sl, tables_.sl2vl.row(s, fabric_.host(h).port, fabric_.port_of(out))[sl]);
        }
    while (!open.empty()) {
      const auto [c, sl, from] = open.back();
      open.pop_back();
      const Channel in = fabric_.peer(c);
      for (const Channel out : fabric_.out(fabric_.target(c)))
        if (permitted_.contains({in, out, sl})) reach(out, sl, vl(in, out, sl));
    }
    return found;
  }

  /// Numbers the (channel, VL) pairs in use so that every dependency leads to a higher number.
  /// Pairs to which no dependency leads any more are numbered in the order in which they become so.
  /// False if there is a cycle.
  bool order() {
    std::map<slow_twin::Node, std::set<slow_twin::Node>> next;
    for (const auto& [c, sl, from] : tokens()) {
      std::set<slow_twin::Node>& after = next[{c, from}];
      const Channel in = fabric_.peer(c);
      for (const Channel out : fabric_.out(fabric_.target(c)))
        if (permitted_.contains({in, out, sl})) after.insert({out, vl(in, out, sl)});
    }
    std::map<slow_twin::Node, std::size_t> before;
    for (const auto& [node, after] : next)
      for (const slow_twin::Node& n : after) ++before[n];
    std::vector<slow_twin::Node> ready;
    for (const auto& [node, after] : next)
      if (!before.contains(node)) ready.push_back(node);
    for (std::size_t i = 0; i < ready.size(); ++i)
      for (const slow_twin::Node& n : next[ready[i]])
        if (--before[n] == 0) ready.push_back(n);
    if (ready.size() != next.size()) return false;
    position_.clear();
    for (std::size_t i = 0; i < ready.size(); ++i) position_[ready[i]] = i;
    return true;
  }

  bool all_or_none(const std::vector<Permit>& turns) {
    const std::set<Permit> kept = permitted_;
    permit(turns);
    if (permitted_.size() == kept.size() || order()) return true;
    permitted_ = kept;
    return false;
  }
  /// Turns, each with the SLs that can only be permitted together.
  using Sets = std::vector<std::pair<std::pair<Channel, Channel>, std::set<Sl>>>;
  /// Permits all of these turns if that closes no cycle; else does the same with each half of them.
  void add(const Sets& sets) {
    std::vector<Permit> all;
    for (const auto& [turn, sls] : sets)
      for (const Sl sl : sls) all.push_back({turn.first, turn.second, sl});
    if (sets.empty() || all_or_none(all) || sets.size() == 1) return;
    const auto half = sets.begin() + static_cast<std::ptrdiff_t>(sets.size() / 2);
    add(Sets{sets.begin(), half});
    add(Sets{half, sets.end()});
  }

  Sets turns_of_previous_guard() const {
    Sets sets;
    each_turn([&](SwitchId s, Channel in, Channel out) {
      std::set<Sl> sls;
      const Sl2VlRow& row = options_.previous->row(s, fabric_.port_of(in), fabric_.port_of(out));
      for (const Sl sl : classes())
        if (row[sl] != kDropVl && row[sl] == vl(in, out, sl)) sls.insert(sl);
      if (!sls.empty()) sets.push_back({{in, out}, sls});
    });
    return sets;
  }

  Sets turns_of_orientation() const {
    Sets sets;
    if (options_.up != nullptr) {
      each_turn([&](SwitchId, Channel in, Channel out) {
        if (in != out && ((*options_.up)[fabric_.peer(in)] || !(*options_.up)[out]))
          sets.push_back({{in, out}, classes()});
      });
      return sets;
    }
    for (const Sl sl : classes()) {
      const auto heights = fitting(sl);
      if (!heights) continue;
      each_turn([&](SwitchId s, Channel in, Channel out) {
        const std::uint32_t here = heights->at(s);
        if (in != out &&
            (heights->at(fabric_.target(in)) < here || heights->at(fabric_.target(out)) < here))
          sets.push_back({{in, out}, {sl}});
      });
    }
    return sets;
  }
  /// Heights of the switches for an SL. Repeatedly removes a switch at which no permitted turn
  /// leads from one remaining switch to another; the order of removal gives the heights. Nothing if
  /// some switches cannot be removed.
  std::optional<std::map<SwitchId, std::uint32_t>> fitting(Sl sl) const {
    std::map<SwitchId, std::uint32_t> height;
    const auto fits = [&](SwitchId s) {
      for (const Channel in : fabric_.out(s))
        for (const Channel out : fabric_.out(s)) {
          const SwitchId a = fabric_.target(in), b = fabric_.target(out);
          if (in != out && permitted_.contains({in, out, sl}) && a != s && b != s &&
              !height.contains(a) && !height.contains(b))
            return false;
        }
      return true;
    };
    std::vector<SwitchId> queue;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      if (fits(s)) queue.push_back(s);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      height[queue[i]] = static_cast<std::uint32_t>(i);
      for (const Channel c : fabric_.out(queue[i])) {
        const SwitchId s = fabric_.target(c);
        if (std::ranges::find(queue, s) == queue.end() && fits(s)) queue.push_back(s);
      }
    }
    if (queue.size() < fabric_.num_switches()) return std::nullopt;
    return height;
  }

  void add_ordered_part() {
    order();
    const auto delivered = tokens();
    const auto on = [&](Channel c, Sl sl) {
      std::vector<Vl> vls;
      for (unsigned v = 0; v < kDropVl; ++v)
        if (delivered.contains({c, sl, static_cast<Vl>(v)})) vls.push_back(static_cast<Vl>(v));
      return vls;
    };
    std::vector<Permit> agreeing;
    each_turn([&](SwitchId, Channel in, Channel out) {
      for (const Sl sl : classes()) {
        const Vl to = vl(in, out, sl);
        if (in == out || to == kDropVl || !delivered.contains({out, sl, to})) continue;
        if (std::ranges::all_of(on(fabric_.peer(in), sl), [&](Vl from) {
              return position_.at({fabric_.peer(in), from}) < position_.at({out, to});
            }))
          agreeing.push_back({in, out, sl});
      }
    });
    permit(agreeing);
  }

  void count(Guard& guard) const {
    each_turn([&](SwitchId, Channel in, Channel out) {
      for (const Sl sl : classes()) {
        ++guard.turns;
        guard.carried += vl(in, out, sl) != kDropVl;
        guard.permitted += permitted_.contains({in, out, sl});
      }
    });
  }
  void write(Sl2Vl& sl2vl) const {
    each_turn([&](SwitchId s, Channel in, Channel out) {
      const PortNum i = fabric_.port_of(in), o = fabric_.port_of(out);
      Sl2VlRow row = tables_.sl2vl.row(s, i, o);
      for (unsigned sl = 0; sl < kSls; ++sl)
        if (!permitted_.contains({in, out, class_[sl]})) row[sl] = kDropVl;
      sl2vl.set(s, i, o, row);
    });
    if (options_.previous == nullptr) return;
    each_row([&](SwitchId s, PortNum in, PortNum out) {
      const auto dead = [&](PortNum p) {
        return p != 0 && fabric_.peer(fabric_.channel(s, p)) == kNoChannel;
      };
      if (dead(in) || dead(out)) sl2vl.set(s, in, out, options_.previous->row(s, in, out));
    });
  }

  const Fabric& fabric_;
  const Tables& tables_;
  const GuardOptions& options_;
  std::array<Sl, kSls> class_{};
  std::set<Permit> permitted_;
  std::map<slow_twin::Node, std::size_t> position_;
};

void compare_guards(const Fabric& whole, std::uint64_t seed) {
  StableRandom random(seed);
  const unsigned sls = random.chance(30) ? 1 : 3;
  test::Arbitrary draw(whole, random.next(), sls, 1 + static_cast<unsigned>(random.below(3)));
  Tables tables = draw.tables();
  // Often use updn's entries with few changes: with fully arbitrary entries there is rarely a
  // guard.
  if (random.chance(60))
    tables = draw.changed(find_engine("updn").compute(whole, {}).tables,
                          static_cast<unsigned>(random.below(20)),
                          static_cast<unsigned>(random.below(60)), 20);
  if (random.chance(30)) tables.mft = draw.groups();
  Fault fault;
  if (!whole.links().empty() && random.chance(50))
    fault.links.push_back(whole.links()[random.below(whole.links().size())]);
  const Fabric fabric = without(whole, fault);

  GuardOptions options;
  const Guard before = guard(whole, tables);
  const Sl2Vl other = draw.changed(tables, 0, 50, 0).sl2vl;
  if (random.chance(60)) options.previous = random.chance(70) ? &before.sl2vl : &other;
  std::vector<bool> up;
  for (Channel c = 0; c < whole.num_switch_channels(); ++c) up.push_back(random.chance(50));
  if (random.chance(40)) options.up = &up;
  std::vector<Channel> tree;
  for (SwitchId s = 0; s < whole.num_switches(); ++s) {
    const auto out = whole.out(s);
    tree.push_back(out.empty() || random.chance(60) ? kNoChannel : out[random.below(out.size())]);
  }
  if (random.chance(30)) options.multicast = &tree;

  const Guard made = guard(fabric, tables, options);
  const Guard slow = GuardTwin(fabric, tables, options).make();
  RC_CLASSIFY(made.exists && made.any_sl, "whole");
  RC_CLASSIFY(made.cycle.has_value(), "paths close a cycle");
  RC_CLASSIFY(!made.exists && !made.cycle, "answers close a cycle");
  RC_CLASSIFY(made.exists && !made.any_sl, "not for any SL");
  RC_ASSERT(made.exists == slow.exists);
  RC_ASSERT(made.any_sl == slow.any_sl);
  RC_ASSERT(made.in_use == slow.in_use);
  RC_ASSERT(made.turns == slow.turns);
  RC_ASSERT(made.carried == slow.carried);
  RC_ASSERT(made.permitted == slow.permitted);
  RC_ASSERT(made.reason == slow.reason);
  RC_ASSERT(made.cycle.has_value() == slow.cycle.has_value());
  RC_ASSERT(made.sl2vl == slow.sl2vl);
  Tables with = tables;
  with.sl2vl = slow.sl2vl;
  RC_ASSERT(guarded(fabric, tables, options) == with);
}

RC_GTEST_PROP(GuardTwin, IsTheGuard, ()) {
  const Fabric whole = *rc::gen::resize(100, test::irregular_fabric({}, 6));
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  for (unsigned i = 0; i < 8; ++i) compare_guards(whole, seed + i);
}

/// An order of the switches is found if and only if one exists, and the result is such an order.
RC_GTEST_PROP(FittingHeights, AreFoundWhereThereAreSome, ()) {
  const Fabric fabric = *rc::gen::resize(100, test::irregular_fabric({.pieces = false}, 6));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const unsigned share = static_cast<unsigned>(random.below(40));
  std::set<std::tuple<SwitchId, std::size_t, std::size_t>> made;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (std::size_t i = 0; i < fabric.out(s).size(); ++i)
      for (std::size_t o = 0; o < fabric.out(s).size(); ++o)
        if (random.chance(share)) made.emplace(s, i, o);
  const auto directions_hold = [&](const std::vector<std::uint32_t>& height) {
    return std::ranges::all_of(made, [&](const auto& turn) {
      const auto [s, i, o] = turn;
      const SwitchId a = fabric.target(fabric.out(s)[i]), b = fabric.target(fabric.out(s)[o]);
      return i == o || a == s || b == s || height[a] < height[s] || height[b] < height[s];
    });
  };
  std::vector<std::uint32_t> height;
  for (std::uint32_t i = 0; i < fabric.num_switches(); ++i) height.push_back(i);
  bool exists = false;
  do exists = directions_hold(height);
  while (!exists && std::ranges::next_permutation(height).found);
  const auto found = transition::orientation_heights(
      fabric, [&](SwitchId s, std::size_t i, std::size_t o) { return made.contains({s, i, o}); });
  RC_CLASSIFY(exists, "there is an order");
  RC_ASSERT(found.has_value() == exists);
  if (!found) return;
  RC_ASSERT(directions_hold(*found));
  std::vector<std::uint32_t> sorted = *found;
  std::ranges::sort(sorted);
  for (std::uint32_t i = 0; i < sorted.size(); ++i) RC_ASSERT(sorted[i] == i);
}

}  // namespace
