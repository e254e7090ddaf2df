// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exact figures of repairs, as docs/repair.md has them for larger fabrics: how many paths every
// single fault, and a sequence of faults and restorations, breaks, keeps and changes, how long the
// paths are afterwards and how evenly they load the channels. Repairs are deterministic, so the
// figures are the same on every machine. Other tests check that repairs are correct; these check
// how good they are. If a change of the code makes repairs choose other paths, the new figures
// belong here, and they must not be worse.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/kept_paths.hpp"
#include "plugin/repair/readdress.hpp"
#include "plugin/repair/readdress_state.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/two_switches.hpp"

namespace selvedge {
namespace {

/// Sums over the events.
struct Sums {
  std::uint64_t hit = 0, moved = 0, dead = 0, readdressed = 0;  // paths
  std::uint64_t entries = 0, rows = 0, sls = 0;                 // changes
  std::uint64_t hops = 0;               // of all paths between switches with hosts
  std::uint64_t squares = 0;            // of the numbers of paths on each channel
  std::uint64_t trees = 0, depths = 0;  // multicast trees, and links from each switch to the root
  std::map<std::string, unsigned> methods;

  void look(const Fabric& left, const Tables& tables, const std::optional<ParentChannels>& tree) {
    std::vector<std::uint64_t> load(left.num_channels(), 0);
    for (SwitchId s = 0; s < left.num_switches(); ++s)
      for (unsigned lid = 1; lid <= left.top_lid(); ++lid) {
        const Path path = walk(left, tables, s, 0, static_cast<Lid>(lid));
        if (!path.arrives()) continue;
        hops += path.hops();
        for (const Channel c : path.channels) ++load[c];
      }
    for (const std::uint64_t n : load) squares += n * n;
    if (!tree) return;
    ++trees;
    for (SwitchId s = 0; s < left.num_switches(); ++s)
      for (SwitchId at = s; (*tree)[at] != kNoChannel; at = left.target((*tree)[at])) ++depths;
  }
  void add(const Repair& done) {
    hit += done.affected;
    moved += done.moved;
    dead += done.dead;
    readdressed += done.readdressed.size();
    entries += done.delta.lft.size();
    rows += done.delta.sl2vl.size();
    sls += done.delta.sl.size();
    ++methods[done.method];
  }
  std::string text() const {
    return fmt::format(
        "{} hit, {} moved, {} dead, {} readdressed; {} entries, {} rows, {} SLs; {} hops, {} "
        "squares; {} trees, {} deep",
        hit, moved, dead, readdressed, entries, rows, sls, hops, squares, trees, depths);
  }
};

std::vector<Fault> single_faults(const Fabric& fabric, std::size_t step) {
  std::vector<Fault> all, some;
  for (const Channel c : fabric.links()) all.push_back({{c}, {}});
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) all.push_back({{}, {s}});
  for (HostId h = 0; h < fabric.num_hosts(); h += 3) all.push_back({{fabric.injection(h)}, {}});
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

/// A random sequence of faults and restorations.
template <class Repairer>
void run_sequence(Repairer& repair, const Fabric& whole, unsigned events, std::uint64_t seed,
                  const std::function<void(const Repair&)>& after) {
  StableRandom random(seed);
  std::vector<Fault> out;
  for (unsigned i = 0; i < events; ++i) {
    if (!out.empty() && random.chance(45)) {
      const std::size_t which = random.below(out.size());
      after(repair.restore(out[which]));
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    Fault fault;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
      fault.links.push_back(whole.links()[random.below(whole.links().size())]);
    if (random.chance(15))
      fault.switches.push_back(static_cast<SwitchId>(random.below(whole.num_switches())));
    after(repair.fail(fault));
    out.push_back(fault);
  }
  for (const Fault& fault : out) after(repair.restore(fault));
}

struct FigureCase {
  Fabric fabric;
  Tables tables;
  std::optional<ParentChannels> tree;

  FigureCase(const Fabric& bare, std::string_view name, std::optional<unsigned> lmc = {}) {
    const Engine& engine = find_engine(name);
    fabric = assign_lids(bare, lmc ? *lmc : engine.lmc == nullptr ? 0 : engine.lmc(bare));
    const Routing routing = engine.compute(fabric, {});
    tables = routing.tables;
    tree = routing.multicast;
  }
};

/// The case with all turns that no path and no multicast tree makes mapped to VL 15, as by a guard.
FigureCase with_drops(FigureCase c) {
  std::set<std::tuple<SwitchId, PortNum, PortNum>> used;
  for (SwitchId s = 0; s < c.fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= c.fabric.top_lid(); ++lid) {
      const Path path = walk(c.fabric, c.tables, s, 0, static_cast<Lid>(lid));
      for (std::size_t i = 1; i < path.channels.size(); ++i) {
        const Channel in = c.fabric.peer(path.channels[i - 1]);
        used.emplace(c.fabric.switch_of(in), c.fabric.port_of(in),
                     c.fabric.port_of(path.channels[i]));
      }
    }
  std::set<Channel> cables;
  if (c.tree)
    for (const Channel up : *c.tree)
      if (up != kNoChannel) cables.insert({up, c.fabric.peer(up)});
  Sl2VlRow dropped;
  dropped.fill(kDropVl);
  for (SwitchId s = 0; s < c.fabric.num_switches(); ++s)
    for (const Channel in : c.fabric.out(s))
      for (const Channel out : c.fabric.out(s)) {
        const PortNum i = c.fabric.port_of(in), o = c.fabric.port_of(out);
        if (!used.contains({s, i, o}) && !(cables.contains(in) && cables.contains(out)))
          c.tables.sl2vl.set(s, i, o, dropped);
      }
  return c;
}

/// The case with all SL2VL entries that no path uses mapped to VL 15, also those of hosts' ports.
FigureCase with_used_entries_alone(FigureCase c) {
  const Tables given = c.tables;
  Sl2VlRow dropped;
  dropped.fill(kDropVl);
  for (SwitchId s = 0; s < c.fabric.num_switches(); ++s) c.tables.sl2vl.set_all(s, dropped);
  const auto keep = [&](SwitchId s, PortNum in, PortNum out, Sl sl) {
    Sl2VlRow row = c.tables.sl2vl.row(s, in, out);
    row[sl] = given.sl2vl.row(s, in, out)[sl];
    c.tables.sl2vl.set(s, in, out, row);
  };
  for (SwitchId s = 0; s < c.fabric.num_switches(); ++s)
    for (unsigned i = 1; i <= c.fabric.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      std::vector<PortNum> sources{0};
      for (const HostId h : c.fabric.hosts_at(s)) sources.push_back(c.fabric.host(h).port);
      for (const PortNum source : sources) {
        const Path path = walk(c.fabric, given, s, source, lid);
        if (!path.arrives()) continue;
        PortNum in = source;
        for (std::size_t n = 0; n < path.switches.size(); ++n) {
          keep(path.switches[n], in, given.next(path.switches[n], lid), path.sl);
          if (n < path.channels.size()) in = c.fabric.port_of(c.fabric.peer(path.channels[n]));
        }
      }
    }
  c.tree.reset();  // without the multicast tree, whose turns are dropped too
  return c;
}

/// The case with some hosts that failed before the repairs began; the tables still have entries for
/// them.
FigureCase with_gone_hosts(FigureCase c) {
  Fault gone;
  for (HostId h = 0; h < c.fabric.num_hosts(); h += 4) gone.links.push_back(c.fabric.injection(h));
  c.fabric = without(c.fabric, gone);
  return c;
}

/// All paths are on SL 1. Some hosts were gone before, and the tables have no entries for them.
FigureCase on_sl_one_without_some_hosts(FigureCase c) {
  c = with_gone_hosts(std::move(c));
  for (unsigned i = 1; i <= c.fabric.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    const LidOwner owner = c.fabric.owner(lid);
    const bool gone = owner.kind == LidOwner::Kind::kHost && !c.fabric.attached(owner.id);
    for (SwitchId s = 0; s < c.fabric.num_switches(); ++s) {
      if (gone) c.tables.set_next(s, lid, kNoPort);
      if (!gone) c.tables.set_sl(s, lid, 1);
    }
  }
  return c;
}

/// The figures of every `step`-th single fault, then of a random sequence of events.
template <class Repairer>
Sums figures(const FigureCase& c, const RepairRequest& request, std::size_t step, unsigned events,
             std::uint64_t seed) {
  Sums sums;
  for (const Fault& fault : single_faults(c.fabric, step)) {
    Repairer repair(c.fabric, c.tables, c.tree, request);
    for (const bool lost : {true, false}) {
      const Repair done = lost ? repair.fail(fault) : repair.restore(fault);
      sums.add(done);
      sums.look(repair.fabric(), repair.tables(), done.multicast);
    }
  }
  Repairer repair(c.fabric, c.tables, c.tree, request);
  run_sequence(repair, c.fabric, events, seed, [&](const Repair& done) {
    sums.add(done);
    sums.look(repair.fabric(), repair.tables(), done.multicast);
  });
  return sums;
}

Fabric knotty(unsigned switches, unsigned lmc, std::uint64_t seed) {
  return test::random_irregular(
      {switches, switches + 3, switches + 2, lmc, seed},
      {.parallel = true, .pieces = false, .two_ports = true, .unattached = false});
}

void expect_figures(const Sums& sums, std::string_view figures, std::string_view methods = {}) {
  EXPECT_EQ(sums.text(), figures);
  if (!methods.empty()) {
    EXPECT_EQ(fmt::format("{}", sums.methods), methods);
  }
}

TEST(RepairFigures, UpDownInPlace) {
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({4, 4}), "updn"), {}, 1, 30, 1),
                 "1480 hit, 1022 moved, 0 dead, 0 readdressed; 4662 entries, 0 rows, 0 SLs; 162000 "
                 "hops, 4773698 squares; 148 trees, 5449 deep",
                 "{\"flip, strict\": 13, \"subtree reattached\": 135}");
  expect_figures(figures<InPlaceRepair>(FigureCase(mesh({3, 4}), "updn", 1), {}, 3, 30, 2),
                 "1415 hit, 1319 moved, 0 dead, 0 readdressed; 3134 entries, 0 rows, 0 SLs; 53028 "
                 "hops, 2122434 squares; 54 trees, 2337 deep",
                 "{\"flip, strict\": 13, \"subtree reattached\": 41}");
  expect_figures(figures<InPlaceRepair>(FigureCase(knotty(9, 0, 3), "updn", 0), {}, 1, 60, 3),
                 "240 hit, 130 moved, 0 dead, 0 readdressed; 2376 entries, 0 rows, 0 SLs; 32936 "
                 "hops, 537744 squares; 134 trees, 2760 deep",
                 "{\"flip, strict\": 8, \"subtree reattached\": 126}");
  expect_figures(figures<InPlaceRepair>(FigureCase(knotty(12, 1, 4), "updn", 1), {}, 1, 60, 4),
                 "1264 hit, 641 moved, 0 dead, 0 readdressed; 5459 entries, 0 rows, 0 SLs; 127386 "
                 "hops, 4784164 squares; 162 trees, 2583 deep",
                 "{\"flip, strict\": 14, \"subtree reattached\": 148}");
  expect_figures(figures<InPlaceRepair>(FigureCase(k_ary_n_tree(3, 2), "dmodk", 0), {}, 1, 40, 5),
                 "117 hit, 96 moved, 0 dead, 0 readdressed; 1101 entries, 0 rows, 0 SLs; 7884 "
                 "hops, 73100 squares; 86 trees, 500 deep",
                 "{\"flip, strict\": 2, \"subtree reattached\": 84}");
  expect_figures(figures<InPlaceRepair>(FigureCase(clos(3, 5, 2), "updn", 0), {}, 1, 40, 6),
                 "320 hit, 285 moved, 0 dead, 0 readdressed; 2252 entries, 0 rows, 0 SLs; 14912 "
                 "hops, 214808 squares; 86 trees, 724 deep",
                 "{\"flip, strict\": 3, \"subtree reattached\": 83}");
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({3, 6}), "updn", 0), {}, 9, 60, 7),
                 "1522 hit, 511 moved, 0 dead, 0 readdressed; 3686 entries, 0 rows, 0 SLs; 164484 "
                 "hops, 11027524 squares; 86 trees, 6795 deep",
                 "{\"flip, strict\": 15, \"subtree reattached\": 71}");
  expect_figures(
      figures<InPlaceRepair>(FigureCase(irregular(16, 3, 1, 8), "updn", 0), {}, 9, 90, 8),
      "1405 hit, 549 moved, 0 dead, 0 readdressed; 5694 entries, 0 rows, 0 SLs; 137772 hops, "
      "8678440 squares; 112 trees, 4873 deep",
      "{\"flip, extended\": 1, \"flip, strict\": 33, \"subtree reattached\": 78}");
}

/// Many small fabrics. Those of the list of seeds include fabrics that need an "extended" repair.
TEST(RepairFigures, UpDownInPlaceOnManyFabrics) {
  std::vector<unsigned> seeds{62, 66, 86, 104, 122, 158, 201, 230, 270, 300, 315};
  for (unsigned seed = 1; seed <= 50; ++seed) seeds.push_back(seed);
  Sums sums;
  for (const unsigned seed : seeds) {
    const unsigned n = 6 + seed % 7;
    const FigureCase c(seed % 2 == 1 ? knotty(n, 0, seed) : irregular(n + 4, 3, 1, seed), "updn",
                       0);
    InPlaceRepair repair(c.fabric, c.tables, c.tree, {});
    run_sequence(repair, c.fabric, 60, seed, [&](const Repair& done) {
      sums.add(done);
      sums.look(repair.fabric(), repair.tables(), done.multicast);
    });
  }
  expect_figures(sums,
                 "29933 hit, 13099 moved, 0 dead, 0 readdressed; 124695 entries, 0 rows, 0 SLs; "
                 "2243691 hops, 98493159 squares; 4230 trees, 104176 deep",
                 "{\"extended\": 10, \"flip, extended\": 6, \"flip, strict\": 696, \"subtree "
                 "reattached\": 3518}");
}

/// Trees have several roots. Some of these sequences need "extended", where no cable is turned.
TEST(RepairFigures, UpDownInPlaceOnTrees) {
  Sums sums;
  const auto add = [&](const FigureCase& c, std::initializer_list<unsigned> seeds) {
    for (const unsigned seed : seeds) {
      InPlaceRepair repair(c.fabric, c.tables, c.tree, {});
      run_sequence(repair, c.fabric, 60, seed, [&](const Repair& done) {
        sums.add(done);
        sums.look(repair.fabric(), repair.tables(), done.multicast);
      });
    }
  };
  add(FigureCase(clos(3, 6, 3), "updn", 0), {120, 148});
  add(FigureCase(k_ary_n_tree(2, 3), "dmodk", 0), {92, 134});
  add(FigureCase(k_ary_n_tree(2, 4), "updn", 0), {3, 4, 8, 14, 20, 25});
  expect_figures(sums,
                 "4913 hit, 1615 moved, 0 dead, 0 readdressed; 58350 entries, 0 rows, 0 SLs; "
                 "2383176 hops, 344861564 squares; 684 trees, 58937 deep",
                 "{\"extended\": 11, \"flip, strict\": 65, \"subtree reattached\": 608}");
}

/// Long enough paths for what is longer by a little less or a little more than 5 %.
TEST(RepairFigures, UpDownInPlaceOnATorus) {
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({6, 6}), "updn"), {}, 4, 10, 9),
                 "2292 hit, 2255 moved, 0 dead, 0 readdressed; 6279 entries, 0 rows, 0 SLs; 585898 "
                 "hops, 39929662 squares; 72 trees, 40974 deep",
                 "{\"flip, strict\": 2, \"subtree reattached\": 70}");
}

TEST(RepairFigures, UpDownInPlaceWithTurnsThatDrop) {
  expect_figures(figures<InPlaceRepair>(with_drops({torus({4, 4}), "updn"}), {}, 2, 20, 11),
                 "897 hit, 756 moved, 0 dead, 0 readdressed; 2974 entries, 90 rows, 0 SLs; 79556 "
                 "hops, 1860606 squares; 76 trees, 2526 deep",
                 "{\"flip, strict\": 11, \"subtree reattached\": 65}");
  expect_figures(figures<InPlaceRepair>(with_drops({knotty(10, 0, 12), "updn", 0}), {}, 1, 40, 12),
                 "438 hit, 278 moved, 0 dead, 0 readdressed; 2515 entries, 213 rows, 0 SLs; 40344 "
                 "hops, 577406 squares; 116 trees, 3181 deep",
                 "{\"flip, strict\": 7, \"subtree reattached\": 109}");
}

TEST(RepairFigures, InPlaceWithoutSomeHosts) {
  expect_figures(figures<InPlaceRepair>(with_gone_hosts({torus({4, 4}), "updn"}), {}, 4, 30, 13),
                 "394 hit, 242 moved, 0 dead, 0 readdressed; 2500 entries, 0 rows, 0 SLs; 56430 "
                 "hops, 1475370 squares; 62 trees, 2243 deep",
                 "{\"flip, extended\": 1, \"flip, strict\": 6, \"subtree reattached\": 55}");
  expect_figures(figures<InPlaceRepair>(with_gone_hosts({torus({3, 4}), "tftr"}), {}, 8, 12, 14),
                 "2311 hit, 307 moved, 0 dead, 49 readdressed; 6006 entries, 47 rows, 75 SLs; "
                 "96816 hops, 13553036 squares; 23 trees, 624 deep",
                 "{\"detours\": 26}");
  expect_figures(
      figures<InPlaceRepair>(with_gone_hosts({knotty(8, 2, 24), "tftr", 2}), {}, 3, 20, 15),
      "494 hit, 145 moved, 0 dead, 0 readdressed; 1585 entries, 110 rows, 0 SLs; 18034 hops, "
      "412880 squares; 42 trees, 524 deep",
      "{\"detours\": 42}");
}

TEST(RepairFigures, LayeredInPlaceWhereUnusedEntriesDrop) {
  expect_figures(
      figures<InPlaceRepair>(with_used_entries_alone({torus({3, 4}), "tftr"}), {}, 4, 8, 26),
      "3388 hit, 499 moved, 0 dead, 1 readdressed; 6012 entries, 89 rows, 1 SLs; 147975 hops, "
      "17621293 squares; 0 trees, 0 deep",
      "{\"detours\": 30}");
  expect_figures(
      figures<InPlaceRepair>(with_used_entries_alone({knotty(8, 2, 27), "tftr", 2}), {}, 2, 20, 27),
      "471 hit, 210 moved, 0 dead, 0 readdressed; 2480 entries, 174 rows, 0 SLs; 30906 hops, "
      "1059444 squares; 0 trees, 0 deep",
      "{\"detours\": 58}");
}

TEST(RepairFigures, LayeredInPlace) {
  RepairRequest still;
  still.move_unbroken = false;
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({4, 4}), "tftr"), {}, 12, 6, 21),
                 "3665 hit, 817 moved, 0 dead, 57 readdressed; 4604 entries, 16 rows, 57 SLs; "
                 "185082 hops, 35276652 squares; 15 trees, 524 deep",
                 "{\"detours\": 18}");
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({4, 4}), "spftr"), {}, 14, 6, 22),
                 "4557 hit, 469 moved, 3 dead, 75 readdressed; 5088 entries, 43 rows, 72 SLs; "
                 "216680 hops, 53027348 squares; 0 trees, 0 deep",
                 "{\"detours\": 18}");
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({4, 4}), "spftr"), still, 14, 6, 22),
                 "4554 hit, 337 moved, 2 dead, 134 readdressed; 4955 entries, 50 rows, 132 SLs; "
                 "219740 hops, 54386278 squares; 0 trees, 0 deep",
                 "{\"detours\": 18}");
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({5, 5}), "ist"), {}, 11, 4, 23),
                 "2770 hit, 420 moved, 0 dead, 87 readdressed; 3772 entries, 76 rows, 87 SLs; "
                 "218242 hops, 23419774 squares; 20 trees, 2032 deep",
                 "{\"detours\": 22}");
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({5, 5}), "ist"), still, 11, 4, 23),
                 "2803 hit, 87 moved, 2 dead, 160 readdressed; 3451 entries, 73 rows, 158 SLs; "
                 "220778 hops, 23918954 squares; 20 trees, 2032 deep",
                 "{\"detours\": 22}");
  expect_figures(figures<InPlaceRepair>(FigureCase(knotty(8, 2, 24), "tftr", 2), {}, 2, 20, 24),
                 "722 hit, 130 moved, 0 dead, 0 readdressed; 1838 entries, 117 rows, 0 SLs; 32714 "
                 "hops, 1031312 squares; 62 trees, 721 deep",
                 "{\"detours\": 62}");
  expect_figures(figures<InPlaceRepair>(FigureCase(torus({5}), "tftr"), {.max_vls = 2}, 2, 20, 25),
                 "688 hit, 174 moved, 0 dead, 0 readdressed; 3176 entries, 9 rows, 0 SLs; 14214 "
                 "hops, 947782 squares; 42 trees, 182 deep",
                 "{\"detours\": 42}");
}

FigureCase one_path(FigureCase c) {
  c.tables = base_lids_only(c.fabric, c.tables);
  return c;
}

/// An SL is in use only if a path has it, and SL 0 is that of no path here.
TEST(RepairFigures, ReaddressTakesAnSlThatNoPathHas) {
  expect_figures(
      figures<ReaddressRepair>(on_sl_one_without_some_hosts(one_path({torus({4, 4}), "updn", 2})),
                               {}, 3, 12, 39),
      "1005 hit, 0 moved, 0 dead, 293 readdressed; 2063 entries, 49 rows, 122 SLs; 51483 "
      "hops, 1463967 squares; 34 trees, 1122 deep");
}

TEST(RepairFigures, ReaddressWhereUnusedEntriesDrop) {
  expect_figures(figures<ReaddressRepair>(
                     with_used_entries_alone(one_path({mesh({3, 3}), "updn", 2})), {}, 2, 20, 37),
                 "654 hit, 0 moved, 0 dead, 108 readdressed; 1338 entries, 84 rows, 72 SLs; 12250 "
                 "hops, 254492 squares; 0 trees, 0 deep");
  expect_figures(
      figures<ReaddressRepair>(with_used_entries_alone({torus({3, 4}), "tftr"}), {}, 9, 8, 38),
      "2978 hit, 0 moved, 0 dead, 164 readdressed; 3095 entries, 64 rows, 107 SLs; 75385 "
      "hops, 7564581 squares; 0 trees, 0 deep");
}

TEST(RepairFigures, Readdress) {
  expect_figures(figures<ReaddressRepair>(one_path({torus({4, 4}), "updn", 2}), {}, 3, 12, 31),
                 "1756 hit, 0 moved, 0 dead, 543 readdressed; 3095 entries, 62 rows, 67 SLs; 57647 "
                 "hops, 1732249 squares; 47 trees, 1526 deep");
  expect_figures(
      figures<ReaddressRepair>(one_path({mesh({3, 3}), "updn", 2}), {.max_vls = 2}, 3, 20, 32),
      "771 hit, 0 moved, 0 dead, 209 readdressed; 1307 entries, 81 rows, 136 SLs; 14125 hops, "
      "351783 squares; 14 trees, 388 deep");
  expect_figures(figures<ReaddressRepair>(one_path({torus({3, 3}), "updn", 1}),
                                          {.max_vls = 1, .max_sls = 1}, 1, 20, 33),
                 "970 hit, 0 moved, 0 dead, 237 readdressed; 1744 entries, 0 rows, 0 SLs; 21201 "
                 "hops, 259411 squares; 75 trees, 917 deep");
  expect_figures(figures<ReaddressRepair>(FigureCase(torus({4, 4}), "tftr"), {}, 9, 8, 34),
                 "4735 hit, 0 moved, 0 dead, 195 readdressed; 4829 entries, 11 rows, 117 SLs; "
                 "173691 hops, 25919719 squares; 10 trees, 320 deep");
  expect_figures(figures<ReaddressRepair>(FigureCase(torus({4, 4}), "spftr"), {}, 9, 8, 35),
                 "7034 hit, 0 moved, 0 dead, 202 readdressed; 7328 entries, 44 rows, 290 SLs; "
                 "215757 hops, 45769107 squares; 0 trees, 0 deep");
  expect_figures(figures<ReaddressRepair>(FigureCase(knotty(9, 1, 36), "updn", 1), {}, 2, 30, 36),
                 "1036 hit, 0 moved, 0 dead, 200 readdressed; 1619 entries, 12 rows, 40 SLs; 22231 "
                 "hops, 371121 squares; 38 trees, 433 deep");
}

/// The log's lines about a readdressing repair.
TEST(RepairFigures, ReaddressTellsWhatItDid) {
  const FigureCase c(mesh({3, 3}), "updn", 1);
  ReaddressRepair repair(c.fabric, base_lids_only(c.fabric, c.tables), c.tree, {});
  std::string told;
  run_sequence(repair, c.fabric, 8, 41, [&](const Repair& done) { told += done.method + "\n"; });
  EXPECT_EQ(told,
            "readdressed: 22 paths joined, 0 searched, 4 pairs took another LID\nreaddressed: 23 "
            "paths joined, 0 searched, 20 pairs took another LID\nreaddressed: 4 paths joined, 0 "
            "searched, 0 pairs took another LID\nreaddressed: 0 paths joined, 0 searched, 0 pairs "
            "took another LID\nreaddressed: 38 paths joined, 4 searched, 2 pairs took another "
            "LID\nreaddressed: 36 paths joined, 2 searched, 42 pairs took another "
            "LID\nreaddressed: 0 paths joined, 0 searched, 0 pairs took another LID\nreaddressed: "
            "0 paths joined, 0 searched, 0 pairs took another LID\n");
}

/// The figures of detours around single faults and around several faults at a time.
Sums detour_figures(const FigureCase& c, std::size_t step, unsigned rounds, std::uint64_t seed) {
  std::vector<Fault> faults = single_faults(c.fabric, step);
  StableRandom random(seed);
  for (unsigned i = 0; i < rounds; ++i) {
    Fault fault;
    for (unsigned n = 0; n < 4; ++n)
      fault.links.push_back(c.fabric.links()[random.below(c.fabric.links().size())]);
    faults.push_back(fault);
  }
  Sums sums;
  for (const Fault& fault : faults) {
    const Fabric left = without(c.fabric, fault);
    const auto found = make_detours(left, c.tables, c.tree);
    if (!found) {
      ++sums.methods["cyclic"];
      continue;
    }
    sums.entries += found->entries;
    sums.dead += found->dead;
    sums.sls += found->sls;
    sums.readdressed += found->taken_over;
    sums.methods["whole"] += found->all_hosts_reached;
    sums.look(left, found->tables, found->multicast);
    const KeptPaths paths = kept_paths(c.fabric, left, c.tables, found->tables);
    sums.hit += paths.hit;
    sums.moved += paths.moved;
    sums.methods["kept"] += static_cast<unsigned>(paths.kept);
    sums.methods["lost"] += static_cast<unsigned>(paths.dead);
  }
  return sums;
}

TEST(RepairFigures, DetoursAtASweep) {
  expect_figures(detour_figures(FigureCase(torus({4, 4}), "tftr"), 6, 4, 51),
                 "7282 hit, 0 moved, 35 dead, 0 readdressed; 7648 entries, 0 rows, 315 SLs; 133766 "
                 "hops, 24790336 squares; 7 trees, 226 deep",
                 "{\"kept\": 6947, \"lost\": 35, \"whole\": 13}");
  expect_figures(detour_figures(FigureCase(torus({5, 5}), "spftr"), 12, 4, 52),
                 "15793 hit, 14 moved, 46 dead, 1 readdressed; 16457 entries, 0 rows, 572 SLs; "
                 "399462 hops, 168393792 squares; 0 trees, 0 deep",
                 "{\"kept\": 15196, \"lost\": 45, \"whole\": 11}");
  expect_figures(detour_figures(FigureCase(knotty(10, 1, 53), "updn", 1), 1, 10, 53),
                 "743 hit, 0 moved, 0 dead, 0 readdressed; 1148 entries, 0 rows, 0 SLs; 22234 "
                 "hops, 550708 squares; 44 trees, 569 deep",
                 "{\"kept\": 447, \"lost\": 296, \"whole\": 44}");
  expect_figures(detour_figures(FigureCase(torus({4, 4}), "updn"), 3, 10, 54),
                 "844 hit, 0 moved, 0 dead, 0 readdressed; 1688 entries, 0 rows, 0 SLs; 29680 "
                 "hops, 720688 squares; 28 trees, 942 deep",
                 "{\"kept\": 844, \"lost\": 0, \"whole\": 28}");
  expect_figures(detour_figures(FigureCase(clos(3, 4, 2), "dmodk", 0), 2, 10, 55),
                 "305 hit, 0 moved, 0 dead, 0 readdressed; 321 entries, 0 rows, 0 SLs; 2266 hops, "
                 "29510 squares; 19 trees, 142 deep",
                 "{\"kept\": 161, \"lost\": 144, \"whole\": 19}");
}

/// Also of the host whose LID is 1, which the generators give to a switch.
TEST(KeptPaths, AreCountedForEveryLid) {
  const Fabric whole = test::two_switches({1, 2});
  const auto over = [&](PortNum cable) {
    Tables tables(whole);
    for (const Host& host : whole.hosts())
      for (const SwitchId s : {0u, 1u})
        tables.set_next(s, host.lid, s == host.at ? host.port : cable);
    return tables;
  };
  const Fabric left = without(whole, {{whole.channel(0, 1)}, {}});
  EXPECT_EQ(kept_paths(whole, left, over(1), over(2)), (KeptPaths{2, 2, 0, 0}));
  EXPECT_EQ(kept_paths(whole, left, over(1), over(1)), (KeptPaths{2, 0, 2, 0}));
  EXPECT_EQ(kept_paths(whole, whole, over(1), over(2)), (KeptPaths{0, 0, 0, 2}));
}

/// docs/repair.md, "Beside the thesis": memory. 4.9 and 32 KB for 7×7.
TEST(RepairFigures, Memory) {
  const FigureCase c(torus({7, 7}), "updn", 0);
  const ReaddressState state(c.fabric, c.tables, {.max_vls = 3});
  const InPlaceRepair up_down(c.fabric, c.tables, c.tree);
  const FigureCase layers(torus({4, 4}), "tftr");
  const InPlaceRepair layered(layers.fabric, layers.tables, layers.tree);
  EXPECT_EQ(fmt::format("{} {}; {} {}; {} {}", state.bytes().reach, state.bytes().indexes,
                        up_down.bytes().reachability, up_down.bytes().further,
                        layered.bytes().reachability, layered.bytes().further),
            "14553 216535; 4851 32349; 10368 180480");
}

}  // namespace
}  // namespace selvedge
