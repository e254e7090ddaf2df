// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/turn_rules.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

#include "tests/unit/engines/small_graphs.hpp"

namespace selvedge {
namespace {

using test::Ruled;

/// 0---1---2: from either end there is a way up and a way down, whatever the order.
Ruled line(unsigned vls, unsigned sls) { return Ruled(test::draw(3, {{0, 1}, {1, 2}}), vls, sls); }

/// All words of up to eight steps.
std::vector<std::string> words() {
  std::vector<std::string> all{"u", "d"};
  for (std::size_t i = 0; all[i].size() < 8; ++i)
    for (const char step : {'d', 'u'}) all.push_back(all[i] + step);
  return all;
}

const Turn& turn(const TurnRules& rules, char in, char out) {
  return rules.turns[(in == 'u' ? 2 : 0) + (out == 'u' ? 1 : 0)];
}

SlSet by_states(const TurnRules& rules, const std::string& word) {
  SlState state{rules.all(), 0};
  for (std::size_t i = 1; i < word.size(); ++i)
    state = state.after(turn(rules, word[i - 1], word[i]));
  return state.any();
}

TEST(TurnRules, states_say_what_walking_each_sl_says) {
  for (const unsigned vls : {1u, 2u, 5u})
    for (unsigned sls = 1; sls <= 6; ++sls) {
      const TurnRules rules = line(vls, sls).rules;
      EXPECT_EQ(rules.vls, std::min(vls, 2u));
      EXPECT_EQ(rules.sls, vls == 1 ? 1u : std::min(sls, 4u));
      for (const std::string& word : words()) {
        const SlSet served = by_states(rules, word);
        for (unsigned sl = 0; sl < rules.sls; ++sl)
          ASSERT_EQ(test::vls_along(word, sl, rules.vls).has_value(), (served >> sl & 1u) != 0)
              << word << ", SL " << sl << ", " << vls << " VLs";
        ASSERT_EQ(served & ~rules.all(), 0) << word;
      }
    }
}

TEST(TurnRules, the_shapes_that_each_sl_serves) {
  // The rows of the header's table.
  const std::regex shape[] = {
      std::regex("u*d*u?"),    // u d, and one hop up after that
      std::regex("d*u*d?"),    // d, u, one hop down
      std::regex("[ud]u*d*"),  // one hop, then u d
      std::regex("u?d*u*"),    // one hop up, d, u
  };
  const TurnRules rules = line(2, 4).rules;
  for (const std::string& word : words())
    for (unsigned sl = 0; sl < 4; ++sl)
      EXPECT_EQ(std::regex_match(word, shape[sl]), (by_states(rules, word) >> sl & 1u) != 0)
          << word << ", SL " << sl;
}

TEST(TurnRules, with_one_vl_only_up_then_down) {
  const TurnRules rules = line(1, 4).rules;
  const std::regex up_down("u*d*");
  for (const std::string& word : words())
    EXPECT_EQ(std::regex_match(word, up_down), by_states(rules, word) != 0) << word;
}

TEST(TurnRules, no_two_sls_are_alike) {
  const TurnRules rules = line(2, 4).rules;
  for (unsigned a = 0; a < 4; ++a)
    for (unsigned b = 0; b < 4; ++b) {
      if (a == b) continue;
      bool more = false;
      for (const std::string& word : words()) {
        const SlSet served = by_states(rules, word);
        more |= (served >> a & 1u) != 0 && (served >> b & 1u) == 0;
      }
      EXPECT_TRUE(more) << a << " serves nothing that " << b << " does not";
    }
}

/// Any turns at all, not only those of order_rules().
rc::Gen<std::vector<Turn>> any_turns() {
  return rc::gen::container<std::vector<Turn>>(
      rc::gen::map(rc::gen::pair(rc::gen::arbitrary<SlSet>(), rc::gen::inRange(0, 4)),
                   [](const auto& drawn) { return Turn{drawn.first, drawn.second == 0}; }));
}

RC_GTEST_PROP(TurnRules, backwards_is_the_same_as_forwards, ()) {
  const std::vector<Turn> turns = *any_turns();
  const SlSet all = 0xffff;
  SlState low{all, 0}, high{0, all};
  for (const Turn& turn : turns) {
    low = low.after(turn);
    high = high.after(turn);
  }
  SlSuffix rest{all, all};
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) rest = rest.before(*turn);
  RC_ASSERT(rest.from_vl0 == low.any());
  RC_ASSERT(rest.from_vl1 == high.any());
}

RC_GTEST_PROP(TurnRules, a_state_is_each_sl_by_itself, ()) {
  const std::vector<Turn> turns = *any_turns();
  SlState state{0xffff, 0};
  for (const Turn& turn : turns) state = state.after(turn);
  for (unsigned sl = 0; sl < kSls; ++sl) {
    unsigned vl = 0;
    bool served = true;
    for (const Turn& turn : turns) {
      const unsigned then = turn.on_vl1 >> sl & 1u;
      served &= then >= vl && !(turn.forbidden && then == vl);
      vl = then;
    }
    RC_ASSERT((state.vl0 >> sl & 1u) == (served && vl == 0 ? 1u : 0u));
    RC_ASSERT((state.vl1 >> sl & 1u) == (served && vl == 1 ? 1u : 0u));
  }
}

/// The theorem: let every packet make every turn that the rules admit for some SL, from any VL. The
/// dependencies of these turns have no cycle, so those of any set of paths have none.
RC_GTEST_PROP(TurnRules, dependencies_are_acyclic, ()) {
  const Ruled g(*test::any_fabric(), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u));
  const Arc arcs = g.graph.num_arcs();
  std::vector<std::vector<Arc>> after(2 * std::size_t{arcs});
  std::vector<unsigned> before(after.size(), 0);
  for (Arc in = 0; in < arcs; ++in) {
    const SwitchId at = g.graph.target[in];
    for (Arc out = g.graph.first[at]; out < g.graph.first[at + 1]; ++out) {
      if (g.graph.channel[out] == g.fabric.peer(g.graph.channel[in])) continue;
      const Turn& turn = g.rules.turn(at, in, out);
      RC_ASSERT(turn.forbidden == (!g.up(in) && g.up(out)));
      const SlState low = SlState{g.rules.all(), 0}.after(turn);
      const SlState high = SlState{0, g.rules.all()}.after(turn);
      RC_ASSERT(high.vl0 == 0);  // a VL never falls
      const auto depend = [&](Arc from, Arc to) { after[from].push_back(to), ++before[to]; };
      if (low.vl0 != 0) depend(in, out);
      if (low.vl1 != 0) depend(in, arcs + out);
      if (high.vl1 != 0) depend(arcs + in, arcs + out);
    }
  }
  std::vector<Arc> ready;
  for (Arc a = 0; a < after.size(); ++a)
    if (before[a] == 0) ready.push_back(a);
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const Arc here = ready[i];
    for (const Arc a : after[here])
      if (--before[a] == 0) ready.push_back(a);
  }
  RC_ASSERT(ready.size() == after.size());
}

RC_GTEST_PROP(TurnRules, sl2vl_is_what_the_rules_say, ()) {
  const Ruled g(*test::any_fabric(), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u));
  Tables tables(g.fabric);
  write_sl2vl(g.fabric, g.graph, g.rules, tables);
  const auto flat = [](Vl vl) {
    Sl2VlRow row;
    row.fill(vl);
    return row;
  };
  const Vl last = g.rules.vls == 2 ? 1 : 0;
  RC_ASSERT(tables.host_sl2vl == flat(0));
  for (Arc in = 0; in < g.graph.num_arcs(); ++in) {
    const SwitchId at = g.graph.target[in];
    const PortNum by = g.fabric.port_of(g.fabric.peer(g.graph.channel[in]));
    for (Arc out = g.graph.first[at]; out < g.graph.first[at + 1]; ++out) {
      if (g.graph.channel[out] == g.fabric.peer(g.graph.channel[in])) continue;
      const Sl2VlRow row = tables.sl2vl.row(at, by, g.graph.port[out]);
      for (unsigned sl = 0; sl < kSls; ++sl) {
        const bool high = g.rules.vls == 2 && test::rises(sl % g.rules.sls, g.up(in), g.up(out));
        RC_ASSERT(row[sl] == (high ? 1 : 0));
      }
    }
    RC_ASSERT(tables.sl2vl.row(at, by, 0) == flat(last));
    for (const HostId h : g.fabric.hosts_at(at))
      RC_ASSERT(tables.sl2vl.row(at, by, g.fabric.host(h).port) == flat(last));
  }
  for (SwitchId s = 0; s < g.fabric.num_switches(); ++s)
    for (const HostId h : g.fabric.hosts_at(s)) {
      const PortNum port = g.fabric.host(h).port;
      for (unsigned out = 0; out <= g.fabric.node(s).ports; ++out) {
        RC_ASSERT(tables.sl2vl.row(s, port, static_cast<PortNum>(out)) == flat(0));
        RC_ASSERT(tables.sl2vl.row(s, 0, static_cast<PortNum>(out)) == flat(0));
      }
    }
}

}  // namespace
}  // namespace selvedge
