// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/in_place.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/up_down_repair.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/routed.hpp"

namespace selvedge {
namespace {

struct Repaired : test::Routed {
  using Routed::Routed;
  InPlaceRepair repair() const { return {fabric, routing.tables, routing.multicast}; }
};

/// A repair of which every step is proved, by revising the proof of the step before.
constexpr std::uint32_t kSlowUpTo = 64;  // in fabrics of up to so many switches, follow every path

/// Repair::moved, computed by following every path.
std::uint64_t moved_slowly(const Fabric& left, const Tables& before, const Tables& after) {
  std::uint64_t moved = 0;
  for (SwitchId s = 0; s < left.num_switches(); ++s) {
    if (left.hosts_at(s).empty()) continue;
    for (unsigned i = 1; i <= left.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const LidOwner owner = left.owner(lid);
      if (owner.kind != LidOwner::Kind::kHost || !left.attached(owner.id) ||
          left.destination_switch(lid) == s)
        continue;
      const Path was = walk(left, before, s, 0, lid);
      if (!was.arrives()) continue;
      const Path now = walk(left, after, s, 0, lid);
      moved += now.channels != was.channels || now.sl != was.sl;
    }
  }
  return moved;
}

class Proved {
 public:
  explicit Proved(const Repaired& c)
      : repair_(c.repair()), tables_(c.routing.tables), proof_(verify(c.fabric, c.routing.tables)) {
    tables_.mft.clear();
  }

  Repair fail(const Fault& fault) { return check(&InPlaceRepair::fail, fault); }
  Repair restore(const Fault& fault) { return check(&InPlaceRepair::restore, fault); }
  const Verdict& verdict() const { return proof_.verdict(); }
  const InPlaceRepair& repair() const { return repair_; }
  /// If the repair states that no turn in use goes down, then up: whether that is true.
  bool obeys_its_directions() const {
    const std::vector<bool>* const up = repair_.up();
    const Fabric& left = repair_.fabric();
    const auto out = [&](SwitchId s, Lid lid) {
      const PortNum port = tables_.next(s, lid);
      const Channel c = port <= left.node(s).ports ? left.channel(s, port) : kNoChannel;
      return c != kNoChannel && left.between_switches(c) ? c : kNoChannel;
    };
    for (SwitchId s = 0; up != nullptr && s < left.num_switches(); ++s)
      for (unsigned lid = 1; lid <= tables_.top_lid(); ++lid) {
        const Channel c = out(s, static_cast<Lid>(lid));
        if (c == kNoChannel || (*up)[c]) continue;
        const Channel then = out(left.target(c), static_cast<Lid>(lid));
        if (then != kNoChannel && (*up)[then]) return false;
      }
    return true;
  }

 private:
  Repair check(Repair (InPlaceRepair::*step)(const Fault&), const Fault& fault) {
    const Fabric before = repair_.fabric();
    Repair done = (repair_.*step)(fault);
    std::vector<Channel> changed;
    for (Channel c = 0; c < before.num_channels(); ++c)
      if (before.peer(c) != repair_.fabric().peer(c)) changed.push_back(c);
    const Tables old = tables_;
    apply(tables_, done.delta);
    if (before.num_switches() <= kSlowUpTo) {
      Tables opened = old;  // with turns permitted that no path used and that may have been dropped
      opened.sl2vl = tables_.sl2vl;
      EXPECT_EQ(done.moved, moved_slowly(repair_.fabric(), opened, tables_));
    }
    EXPECT_EQ(tables_, repair_.tables()) << "the delta does not lead to the tables";
    proof_ = verify(std::move(proof_), repair_.fabric(), tables_, done.delta, changed);
    if (done.multicast) {
      Tables with_groups = tables_;
      with_groups.mft = {{kMinMulticastLid, broadcast_tree(repair_.fabric(), *done.multicast)}};
      const Verdict verdict = verify(repair_.fabric(), with_groups).verdict();
      EXPECT_TRUE(verdict.deadlock_free && verdict.loop_free);
      EXPECT_EQ(verdict.multicast_faults, 0u);
    }
    return done;
  }

  InPlaceRepair repair_;
  Tables tables_;
  Proof proof_;
};

std::vector<Fault> every_single_fault(const Fabric& fabric) {
  std::vector<Fault> faults;
  for (const Channel c : fabric.links()) faults.push_back({{c}, {}});
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) faults.push_back({{}, {s}});
  return faults;
}

/// Checks for every `step`-th single fault that all pairs stay connected and no LID and no SL
/// changes.
void expect_all_kept(const Repaired& c, std::size_t step = 1) {
  const std::vector<Fault> faults = every_single_fault(c.fabric);
  for (std::size_t i = 0; i < faults.size(); i += step) {
    Proved proved(c);
    const Repair done = proved.fail(faults[i]);
    const std::string what = faults[i].links.empty() ? c.fabric.node(faults[i].switches[0]).name
                                                     : c.fabric.port_name(faults[i].links[0]);
    EXPECT_TRUE(proved.verdict().holds({})) << what << ": " << done.method;
    EXPECT_EQ(done.dead, 0u) << what;
    EXPECT_TRUE(done.readdressed.empty() && done.delta.sl.empty()) << what;
    EXPECT_TRUE(done.multicast) << what;
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(InPlace, EverySingleFaultOfAnUpdnTorus) { expect_all_kept({torus({8, 8}), "updn", 0}); }
TEST(InPlace, EverySingleFaultOfAnUpdnTorusWithFourLids) {
  expect_all_kept({torus({5, 6}), "updn", 2});
}
TEST(InPlace, SingleFaultsOfALargeUpdnTorus) { expect_all_kept({torus({16, 16}), "updn", 0}, 16); }
TEST(InPlace, EverySingleFaultOfAnIrregularFabric) {
  for (const std::uint64_t seed : {1, 2}) expect_all_kept({irregular(64, 4, 1, seed), "updn", 0});
}
TEST(InPlace, EverySingleFaultOfATree) { expect_all_kept({k_ary_n_tree(4, 3), "dmodk", 0}); }

TEST(InPlace, NothingLostNothingChanged) {
  const Repaired c(torus({4, 4}), "updn", 0);
  Proved proved(c);
  const Repair done = proved.fail({});
  EXPECT_TRUE(done.delta.empty());
  EXPECT_EQ(done.multicast, c.routing.multicast);
  EXPECT_EQ(done.affected, 0u);
}

// In a fat tree a detour is no longer than the original path. Restored cables must be used again
// nevertheless.
TEST(InPlace, ARestoredTreeHasItsOriginalTables) {
  for (const Fabric& bare : {clos(6, 12, 6), k_ary_n_tree(4, 3)})
    for (const std::size_t lost : {1u, 5u, 20u})
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Fabric f = assign_lids(bare, 0);
        const Routing r = find_engine("updn").compute(f, {});
        InPlaceRepair repair(f, r.tables, r.multicast);
        std::vector<Channel> links(f.links().begin(), f.links().end());
        StableRandom(seed).shuffle(links);
        links.resize(lost);
        repair.fail({links, {}});
        repair.restore({links, {}});
        EXPECT_TRUE(difference(r.tables, repair.tables()).lft.empty())
            << f.num_switches() << " switches, " << lost << " cables, seed " << seed;
        EXPECT_TRUE(verify(f, repair.tables(), {}).verdict().holds({}));
      }
}

// After a strict repair some paths violate the up and down directions. Then a path that obeys the
// directions may close a cycle when it returns to its original course; such a path keeps its
// detour. The last event here is such a case. Cables: a S-0-1 – S-1-1, b S-1-0 – S-1-1, c S-2-0 –
// S-2-1.
//
//   S-0-0 ─── S-0-1 ── S-0-2      events: −b −c +b −b −a +a +c
//     │         a        │
//   S-1-0 ─b─ S-1-1 ── S-1-2
//     │         │        │
//   S-2-0 ─c─ S-2-1 ── S-2-2
TEST(InPlace, PathsWhoseReturnClosesACycleStay) {
  const Repaired mesh3x3(mesh({3, 3}), "updn", 0);
  const auto cable = [&](std::string_view at, PortNum port) {
    return Fault{{mesh3x3.fabric.channel(mesh3x3.fabric.find_switch(at), port)}, {}};
  };
  const Fault a = cable("S-0-1", 2), b = cable("S-1-0", 4), c = cable("S-2-0", 4);
  Proved proved(mesh3x3);
  const auto expect_sound = [&](const char* event) {
    EXPECT_TRUE(proved.verdict().holds({})) << event;
  };
  proved.fail(b), expect_sound("-b");
  proved.fail(c), expect_sound("-c");
  proved.restore(b), expect_sound("+b");
  proved.fail(b), expect_sound("-b again");
  proved.fail(a), expect_sound("-a");
  proved.restore(a), expect_sound("+a");
  proved.restore(c), expect_sound("+c");
}

/// The sum of the lengths of the paths from all switches to the LID.
std::uint64_t links_to(const Fabric& fabric, const Tables& tables, Lid lid) {
  std::uint64_t links = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    links += walk(fabric, tables, s, 0, lid).channels.size();
  return links;
}

/// Whether no path to the LID goes down, then up.
bool obeys(const Fabric& fabric, const Tables& tables, Lid lid, const std::vector<bool>& up) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const std::vector<Channel> way = walk(fabric, tables, s, 0, lid).channels;
    for (std::size_t i = 1; i < way.size(); ++i)
      if (!up[way[i - 1]] && up[way[i]]) return false;
  }
  return true;
}

// A LID returns to its original paths over a restored cable if the detours are longer by more than
// 5 %; else the detours stay. On a torus some detours are longer by 5 to 15 %. Where directions of
// cables were reversed meanwhile, the original paths may go down, then up: no LID returns to those.
TEST(InPlace, ReturnsIfTheDetoursAreMoreThanFivePercentLonger) {
  const Repaired c(torus({4, 4}), "updn", 0);
  unsigned around = 0;  // LIDs whose paths were longer by 5 to 15 % while the cable was lost
  for (const Channel cable : c.fabric.links()) {
    InPlaceRepair repair = c.repair();
    repair.fail({{cable}, {}});
    const Tables broken = repair.tables();
    repair.restore({{cable}, {}});
    if (repair.up() == nullptr) continue;
    for (HostId h = 0; h < c.fabric.num_hosts(); ++h) {
      const Lid lid = c.fabric.host(h).lid;
      if (!obeys(c.fabric, c.routing.tables, lid, *repair.up())) continue;
      const std::uint64_t before = links_to(c.fabric, c.routing.tables, lid),
                          out = links_to(c.fabric, broken, lid),
                          back = links_to(c.fabric, repair.tables(), lid);
      EXPECT_LE(100 * back, 105 * before) << c.fabric.port_name(cable) << ", LID " << lid;
      around += 100 * out > 105 * before && 100 * out <= 115 * before;
    }
  }
  EXPECT_GT(around, 0u);  // else this tests nothing
}

RC_GTEST_PROP(InPlace, IsProvedForAnyFaultsAndRestorations, ()) {
  const Fabric bare = *test::any_fabric();
  const Routing routing = find_engine("updn").compute(bare, {});
  Repaired c(torus({3}), "updn", 0);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Fault gone;  // hosts that failed before the repairs; the tables still have entries for them
  for (HostId h = 0; h < bare.num_hosts(); ++h)
    if (bare.attached(h) && random.chance(10)) gone.links.push_back(bare.injection(h));
  c.fabric = without(bare, gone);
  c.routing = routing;
  RC_PRE(verify(c.fabric, c.routing.tables).verdict().holds({}));
  Proved proved(c);
  std::vector<Fault> out;
  const unsigned events = *rc::gen::inRange(1u, 12u);
  for (unsigned i = 0; i < events; ++i) {
    if (!out.empty() && random.chance(40)) {
      const std::size_t which = random.below(out.size());
      proved.restore(out[which]);
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      Fault fault;
      if (!c.fabric.links().empty() && random.chance(80))
        fault.links = {c.fabric.links()[random.below(c.fabric.links().size())]};
      else
        fault.switches = {static_cast<SwitchId>(random.below(c.fabric.num_switches()))};
      proved.fail(fault);
      out.push_back(fault);
    }
    if (!proved.verdict().holds({}))
      for (const Witness& w : proved.verdict().witnesses) RC_LOG() << w.property << ": " << w.text;
    RC_ASSERT(proved.verdict().holds({}));
    RC_ASSERT(proved.obeys_its_directions());
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace selvedge
