// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A proof that is revised step by step equals the full proof of each step.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/verify/state.hpp"
#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/reference.hpp"

namespace {

using namespace selvedge;

/// Every field of the verdict, with the witnesses, which both proofs find in the same order.
std::string show(const Verdict& v) {
  auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : "-"; };
  std::string text = fmt::format(
      "connected {} loop_free {} deadlock_free {} base {} replies {} any_sl {} disjoint {} pairs "
      "{} failed "
      "{} disconnected {} switch LIDs {} dropped {} of base {} multicast {} dependencies {} VLs {} "
      "SLs {}",
      v.connected, v.loop_free, v.deadlock_free, number(v.deadlock_free_base),
      number(v.deadlock_free_replies), number(v.deadlock_free_any_sl), number(v.disjoint_min),
      v.pairs, v.failed_pairs, v.disconnected, v.unreachable_switch_lids, v.dropped_replies,
      v.dropped_base, v.multicast_faults, v.dependencies, v.vls_used, v.sls_used);
  for (const Witness& w : v.witnesses)
    text += fmt::format("\n  {} {}: {}", w.property, static_cast<int>(w.kind), w.text);
  return text;
}

/// Compares the state that the next revision uses, not only the verdict: each turn with its count,
/// and each counter. Returns a difference, if there is one. (A revised proof may distinguish more
/// cases than necessary, and have a separate graph for a scope that a full proof merges with
/// another.)
std::string remembered(const Proof& revised, const Proof& full) {
  using prover::Dependencies, prover::graph_of, prover::Scope, prover::ScopeGraph, prover::Turn;
  const Proof::State &a = *revised.state, &b = *full.state;
  for (const Scope scope : {Scope::kPaths, Scope::kBase, Scope::kReplies, Scope::kAnySl}) {
    if ((prover::has_replies(scope) && !a.options.replies) ||
        (scope == Scope::kAnySl && !a.options.any_sl))
      continue;
    const ScopeGraph &mine = graph_of(a, scope), &theirs = graph_of(b, scope);
    if (mine.dependencies.size() != theirs.dependencies.size()) return "number of turns";
    std::string wrong;
    theirs.dependencies.for_each([&](const Turn& t) {
      const Dependencies &m = mine.dependencies, &d = theirs.dependencies;
      if (t.from >= m.vls() || t.to >= m.vls() || m.count(m.cell(t)) != d.count(d.cell(t)))
        wrong = fmt::format("turn at switch {}, {} to {}", t.at, t.in, t.out);
    });
    if (!wrong.empty()) return wrong;
    const bool alike = mine.scope == theirs.scope && mine.simple == theirs.simple &&
                       a.rules.lowest == b.rules.lowest;
    if (alike && mine.leaving != theirs.leaving) return "what leaves the switches";
  }
  if (a.sl_uses != b.sl_uses) return "SLs";
  if (a.vl_uses != b.vl_uses) return "VLs";
  if (a.loops != b.loops || a.looping_lids != b.looping_lids) return "loops";
  if (a.failed_of_host != b.failed_of_host) return "pairs";
  if (a.failed_of_switch != b.failed_of_switch) return "switch LIDs";
  if (a.dropped_replies != b.dropped_replies) return "answers";
  if (a.dropped_base != b.dropped_base) return "responses between base LIDs";
  if (a.disjoint_of_host != b.disjoint_of_host) return "disjoint paths";
  return {};
}

/// Some changes to a random subnet, one after the other.
void try_changes(unsigned seed, unsigned switches, unsigned steps) {
  random_subnet::Random random(seed);
  const Fabric whole = random_subnet::fabric(random, switches);
  const auto style = random_subnet::style(random);
  VerifyOptions options;
  options.replies = random_subnet::chance(random, 50);
  options.any_sl = random_subnet::chance(random, 50);
  options.any_lid = random_subnet::chance(random, 30);
  options.disjoint = random_subnet::chance(random, 30) ? 2 : 0;

  Fabric fabric = whole;
  Tables tables = random_subnet::route(whole, style, random);
  if (random_subnet::chance(random, 40)) random_subnet::spare(whole, tables, random);
  Fault down;
  Proof proof = verify(fabric, tables, options);
  for (unsigned step = 0; step < steps; ++step) {
    Fabric next_fabric = fabric;
    Tables next = tables;
    switch (random_subnet::below(random, 4)) {
      case 0: {  // a fault, perhaps with its repair in the same step
        const Fault fault = random_subnet::fault(fabric, random);
        down.links.insert(down.links.end(), fault.links.begin(), fault.links.end());
        down.switches.insert(down.switches.end(), fault.switches.begin(), fault.switches.end());
        next_fabric = without(whole, down);
        if (random_subnet::chance(random, 30))
          next = random_subnet::route(next_fabric, style, random);
        break;
      }
      case 1:  // all faults are restored
        down = {};
        next_fabric = whole;
        break;
      case 2:
        if (random_subnet::chance(random, 20)) {
          next = random_subnet::route(fabric, style, random);
          break;
        }
        [[fallthrough]];
      default:
        random_subnet::disturb(fabric, style, next, 1 + random_subnet::below(random, 4), random);
    }
    const Delta delta = difference(tables, next);
    proof = verify(std::move(proof), next_fabric, next, delta, rewired(fabric, next_fabric));
    const Proof full = verify(next_fabric, next, options);
    if (show(proof.verdict()) != show(full.verdict()))
      RC_FAIL(fmt::format("seed {}, step {}: revised:\n{}\nfull:\n{}", seed, step,
                          show(proof.verdict()), show(full.verdict())));
    if (const std::string wrong = remembered(proof, full); !wrong.empty())
      RC_FAIL(fmt::format("seed {}, step {}: {}", seed, step, wrong));
    fabric = next_fabric;
    tables = next;
  }
}

/// The fabric differs in one property (numbers of switches, hosts or ports, LIDs): the proof must
/// be done anew, without results of the earlier proof.
TEST(Revise, AnotherShapeIsProvedAnew) {
  // Two switches, two cables, a host at each.
  const auto fabric = [](unsigned switches, unsigned hosts, PortNum ports, Lid first, Lid second) {
    FabricBuilder builder;
    for (unsigned s = 0; s < switches; ++s) {
      Switch node;
      node.guid = 0x10 + s;
      node.name = fmt::format("S-{}", s);
      node.ports = s == 0 ? ports : PortNum{5};
      node.lid = static_cast<Lid>(20 + s);
      builder.add_switch(node);
      if (s > 0) builder.connect(0, static_cast<PortNum>(2 * s - 1), s, 1);
    }
    builder.connect(0, 4, 1, 2);
    for (unsigned h = 0; h < hosts; ++h) {
      Host host;
      host.guid = 0x100 + h;
      host.name = fmt::format("H-{}", h);
      host.at = h % 2;
      host.port = h == 2 ? PortNum{2} : static_cast<PortNum>(5 - h);
      host.lid = h == 0 ? first : h == 1 ? second : kNoLid;
      builder.add_host(host);
    }
    return std::move(builder).build("two switches");
  };
  const auto tables = [](const Fabric& f) {
    Tables t(f);
    for (HostId h = 0; h < 2; ++h)
      for (SwitchId s = 0; s < 2; ++s)
        t.set_next(s, f.host(h).lid, s == f.host(h).at ? f.host(h).port : PortNum{1});
    return t;
  };
  const Fabric shapes[] = {fabric(2, 2, 5, 1, 2), fabric(3, 2, 5, 1, 2), fabric(2, 3, 5, 1, 2),
                           fabric(2, 2, 6, 1, 2), fabric(2, 2, 5, 2, 1), fabric(2, 2, 5, 1, 40),
                           fabric(2, 2, 5, 1, 22)};
  for (const Fabric& before : shapes)
    for (const Fabric& after : shapes)
      for (const std::vector<Channel>& changed : {std::vector<Channel>{}, {1, 7}}) {
        const Tables was = tables(before), is = tables(after);
        const bool same = &before == &after;
        // If no changed cable is given, the caller states that LIDs and ports are unchanged; skip
        // pairs of fabrics for which that is false.
        if (!same && changed.empty() && before.num_switches() == after.num_switches() &&
            before.num_hosts() == after.num_hosts() && before.top_lid() == after.top_lid())
          continue;
        const Delta delta = was.num_switches() == is.num_switches() && was.top_lid() == is.top_lid()
                                ? difference(was, is)
                                : Delta{};
        EXPECT_EQ(show(verify(verify(before, was), after, is, delta, changed).verdict()),
                  show(verify(after, is).verdict()));
      }
}

/// Makes one thing of a delta wrong.
void spoil(Delta& delta, const Tables& from, random_subnet::Random& random) {
  using random_subnet::below, random_subnet::chance;
  const auto at = static_cast<SwitchId>(below(random, from.num_switches()));
  const auto lid = static_cast<Lid>(1 + below(random, from.top_lid()));
  const auto drop_one = [&](auto& list) {
    if (list.empty()) return false;
    list.erase(list.begin() + below(random, static_cast<unsigned>(list.size())));
    return true;
  };
  switch (below(random, 8)) {
    case 0:
      if (drop_one(delta.lft)) return;
      break;
    case 1:
      if (drop_one(delta.sl)) return;
      break;
    case 2:
      if (drop_one(delta.sl2vl)) return;
      break;
    case 3:
      if (drop_one(delta.mft)) return;
      break;
    case 4:  // an entry of before that was not there
      if (delta.lft.empty()) break;
      ++delta.lft[below(random, static_cast<unsigned>(delta.lft.size()))].before;
      return;
    case 5:  // another SL, or row, of before
      if (!delta.sl.empty()) {
        Sl& before = delta.sl.front().before;
        before = static_cast<Sl>((before + 1) % kSls);
        return;
      }
      if (delta.sl2vl.empty()) break;
      delta.sl2vl.front().before[below(random, kSls)] ^= 1;
      return;
    case 6:  // what the tables do not have
      if (chance(random, 50))
        delta.lft.push_back({from.num_switches() + below(random, 1000), lid, 1, 2});
      else
        delta.lft.push_back({at, static_cast<Lid>(from.top_lid() + 1), 1, 2});
      return;
    case 7: {
      const auto port = static_cast<PortNum>(from.sl2vl.ports(at) + 1);
      delta.sl2vl.push_back({at, port, 0, {}, {}});
      return;
    }
  }
  delta.lft.push_back({at, lid, 1, 2});  // of an entry that stays, or a second time
}

/// A delta that does not lead from the proved tables to the new ones is found out, whatever is
/// wrong with it: the proof is that of the new tables, and can be revised again.
RC_GTEST_PROP(ReviseProperty, AWrongDeltaIsProvedAnew, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  constexpr unsigned kSubnets = 10;
  for (unsigned i = 0; i < kSubnets; ++i) {
    random_subnet::Random random(seed + i);
    const Fabric fabric = random_subnet::fabric(random, 8);
    if (fabric.num_switches() == 0 || fabric.top_lid() == 0) continue;
    const auto style = random_subnet::style(random);
    VerifyOptions options;
    options.replies = random_subnet::chance(random, 50);
    options.any_sl = random_subnet::chance(random, 50);
    const Tables before = random_subnet::route(fabric, style, random);
    Tables after =
        random_subnet::chance(random, 50) ? random_subnet::route(fabric, style, random) : before;
    random_subnet::disturb(fabric, style, after, 3, random);
    Delta delta = difference(before, after);
    spoil(delta, before, random);
    Proof proof = verify(verify(fabric, before, options), fabric, after, delta);
    const Proof full = verify(fabric, after, options);
    if (show(proof.verdict()) != show(full.verdict()))
      RC_FAIL(fmt::format("seed {}: with a wrong delta:\n{}\nfull:\n{}", seed + i,
                          show(proof.verdict()), show(full.verdict())));
    proof = verify(std::move(proof), fabric, before, difference(after, before));
    RC_ASSERT(show(proof.verdict()) == show(verify(fabric, before, options).verdict()));
  }
}

RC_GTEST_PROP(ReviseProperty, EqualsTheFullProofAfterEveryChange, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const unsigned switches = *rc::gen::weightedElement<unsigned>({{3, 4}, {3, 8}, {1, 20}});
  const unsigned steps = *rc::gen::inRange(1u, 8u);
  constexpr unsigned kSubnets = 30;
  for (unsigned i = 0; i < kSubnets; ++i) try_changes(seed + i, switches, steps);
}

}  // namespace
