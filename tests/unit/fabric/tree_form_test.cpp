// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/tree_form.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/spec.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/shuffle.hpp"
#include "tests/unit/fabric/random_tree.hpp"

namespace selvedge {
namespace {

using test::RandomTree;
using test::shuffled;

std::string form_of(const Fabric& fabric) { return recognise_form(fabric).describe(); }

Fabric real(const char* file) {
  return make_fabric(std::string("file:" SELVEDGE_SOURCE_DIR "/conf/fabrics/") + file);
}

/// Switches with their numbers of hosts, and cables: {"a", "b", 2} is two cables between a and b.
Fabric drawn(const std::vector<std::pair<std::string, unsigned>>& switches,
             const std::vector<std::tuple<std::string, std::string, unsigned>>& cables) {
  FabricBuilder builder;
  std::map<std::string, SwitchId> id;
  std::map<std::string, PortNum> next;
  for (const auto& [name, hosts] : switches) {
    Switch s;
    s.guid = 1 + id.size();
    s.name = name;
    s.ports = 40;
    id[name] = builder.add_switch(s);
    for (unsigned i = 0; i < hosts; ++i) {
      Host h;
      h.name = fmt::format("{}-host-{}", name, i);
      h.at = id[name];
      h.port = ++next[name];
      h.guid = 0x1000 + 0x100 * Guid{id[name]} + i;
      h.node_guid = 0x100000 + h.guid;
      builder.add_host(h);
    }
  }
  for (const auto& [a, b, count] : cables)
    for (unsigned i = 0; i < count; ++i) builder.connect(id[a], ++next[a], id[b], ++next[b]);
  return std::move(builder).build("drawn");
}

TEST(TreeForm, RealClusters) {
  const Fabric a = real("real-40-switches.net");
  const FabricForm form = recognise_form(a);
  EXPECT_EQ(form.describe(), "folded Clos: 31 leaves, 9 spines, 2 cables a pair, 26 missing");
  ASSERT_EQ(form.trees.size(), 1u);
  const TreeForm& tree = form.trees[0];
  EXPECT_EQ(tree.missing.size(), 16u);
  for (const TreePair& pair : tree.missing) {
    EXPECT_EQ(pair.lower_ports.size(), pair.usual - pair.cables);
    EXPECT_EQ(pair.upper_ports.size(), pair.usual - pair.cables);
  }
  // leaf-24 to spine-09: the cable at port 33 is there, the one at port 34 is missing.
  const auto pair = std::ranges::find_if(tree.missing, [&](const TreePair& p) {
    return a.node(p.lower).name == "leaf-24" && a.node(p.upper).name == "spine-09";
  });
  ASSERT_NE(pair, tree.missing.end());
  EXPECT_EQ(pair->lower_ports, std::vector<PortNum>{34});
  EXPECT_EQ(pair->upper_ports, std::vector<PortNum>{20});
  EXPECT_EQ(tree.per_switch_nodes.size(), 40u);
  EXPECT_TRUE(tree.hosts_above.empty());
  EXPECT_EQ(tree.hosts_min, 16u);
  EXPECT_EQ(tree.hosts_max, 19u);

  const Fabric b = real("real-8-switches.net");
  const FabricForm small = recognise_form(b);
  EXPECT_EQ(small.describe(), "folded Clos: 6 leaves, 2 spines, 4 cables a pair, 1 missing");
  std::vector<std::string> above;
  for (const HostId h : small.trees[0].hosts_above)
    above.push_back(fmt::format("{}:{}", b.node(b.host(h).at).name, b.host(h).port));
  EXPECT_EQ(above, (std::vector<std::string>{"spine-02:9", "spine-02:11", "spine-02:12"}));
}

TEST(TreeForm, GeneratedTreesAreRecognised) {
  for (const auto& [spec, form] : std::vector<std::pair<const char*, const char*>>{
           {"clos:n=4,r=6,m=4", "folded Clos: 6 leaves, 4 spines, 1 cable a pair"},
           {"clos:n=4,r=2,m=1", "folded Clos: 2 leaves, 1 spine, 1 cable a pair"},
           {"clos:n=3,r=5,m=1", "folded Clos: 5 leaves, 1 spine, 1 cable a pair"},
           {"clos:n=24,r=48,m=24", "folded Clos: 48 leaves, 24 spines, 1 cable a pair"},
           {"xgft:m=4x4x8,w=1x4x4", "XGFT(3; 4,4,8; 1,4,4): 32 leaves, 32 spines, 16 cores"},
           {"xgft:m=3x2x2x3,w=1x1x2x2",
            "XGFT(4; 3,2,2,3; 1,1,2,2): 12 leaves, 6 level-1 switches, 6 level-2 switches, 4 "
            "cores"},
           {"xgft:m=4x4,w=2x2", "2 rails, each: folded Clos: 4 leaves, 2 spines, 1 cable a pair"},
           {"tree:k=4,n=3", "4-ary 3-tree"},
           {"tree:k=2,n=2", "2-ary 2-tree"},
           {"xgft:m=5,w=1", "one switch"},
           {"torus:4x4", "torus 4x4"},
           {"torus:4", "torus 4"},
           {"mesh:1x3", "mesh 3"},
           {"mesh:1x2", "two switches, 1 cable between them"},
           {"mesh:2x2x2", "mesh 2x2x2"},
           {"irregular:switches=16,degree=4,hosts=4,seed=1", "irregular"}}) {
    const Fabric fabric = make_fabric(spec);
    EXPECT_EQ(form_of(fabric), form) << spec;
    const std::string_view kind = spec;
    if (kind.starts_with("mesh") || kind.starts_with("torus")) continue;
    EXPECT_EQ(form_of(shuffled(fabric, 7).fabric), form) << spec << " shuffled";
  }
}

TEST(TreeForm, NothingButLevelsNeedsHosts) {
  EXPECT_EQ(form_of(torus({4, 4}, 0)), "torus 4x4");
  EXPECT_EQ(form_of(FabricBuilder().build("")), "irregular");
}

//      a ═══ b      Two cables, a host at each: neither switch is above the other.
TEST(TreeForm, TwoSwitches) {
  EXPECT_EQ(form_of(drawn({{"a", 1}, {"b", 1}}, {{"a", "b", 2}})),
            "two switches, 2 cables between them");
}

//        s1        s2          p1 lacks its second cable to s2; p4 has one surplus cable to s1.
//      ╱╱ ╲╲╲    ╱ ╱╱ ╲╲
//    p1 p2 p3 p4 (all to both, double)
TEST(TreeForm, MissingAndSurplusCables) {
  const Fabric fabric =
      drawn({{"p1", 4}, {"p2", 4}, {"p3", 3}, {"p4", 2}, {"s1", 0}, {"s2", 0}}, {{"p1", "s1", 2},
                                                                                 {"p2", "s1", 2},
                                                                                 {"p3", "s1", 2},
                                                                                 {"p4", "s1", 3},
                                                                                 {"p1", "s2", 1},
                                                                                 {"p2", "s2", 2},
                                                                                 {"p3", "s2", 2},
                                                                                 {"p4", "s2", 2}});
  const FabricForm form = recognise_form(fabric);
  EXPECT_EQ(form.describe(),
            "folded Clos: 4 leaves, 2 spines, 2 cables a pair, 1 missing, 1 surplus");
  const TreeForm& tree = form.trees.at(0);
  ASSERT_EQ(tree.missing.size(), 1u);
  EXPECT_EQ(tree.missing[0].lower, 0u);
  EXPECT_EQ(tree.missing[0].upper, 5u);
  EXPECT_EQ(tree.missing[0].cables, 1u);
  EXPECT_EQ(tree.hosts_min, 2u);
  EXPECT_EQ(tree.hosts_max, 4u);
  // Moving one end of a cable cannot repair both pairs.
  EXPECT_TRUE(tree.suspicions.empty());
}

//   Two of four pods, each with four leaf switches and four spines. Two cables have been swapped at
//   their upper ends: each joins the two pods below the cores.
TEST(TreeForm, CrossedCables) {
  const Fabric whole = xgft({4, 4, 4}, {1, 4, 2});
  const Fabric fabric = test::swap_cables(whole, whole.channel(whole.find_switch("S-0-0"), 5),
                                          whole.channel(whole.find_switch("S-0-4"), 5));
  const FabricForm form = recognise_form(fabric);
  EXPECT_EQ(form.describe(),
            "XGFT(3; 4,4,4; 1,4,2): 16 leaves, 16 spines, 8 cores, 2 missing, 2 crossed");
  EXPECT_EQ(form.trees[0].suspicions,
            (std::vector<std::string>{"cable S-0-0:5 – S-1-4:1: S-0-0:5 should go to S-1-0",
                                      "cable S-0-4:5 – S-1-0:1: S-0-4:5 should go to S-1-4"}));
}

//        s1   s2   s3           A small switch below s1, a host on s3, a leaf switch without hosts.
//      ╱╱│ ╲ ╱│╲  ╱│╲ ╲         None of them changes the form that is recognised.
//    p1 p2 p3 p4  (all to all)  store: s1
TEST(TreeForm, WhatHangsWhereNobodyComputes) {
  std::vector<std::tuple<std::string, std::string, unsigned>> cables{{"store", "s1", 1}};
  for (const char* p : {"p1", "p2", "p3", "p4"})
    for (const char* s : {"s1", "s2", "s3"}) cables.emplace_back(p, s, 1);
  const Fabric fabric = drawn(
      {{"p1", 8}, {"p2", 8}, {"p3", 7}, {"p4", 0}, {"store", 2}, {"s1", 0}, {"s2", 0}, {"s3", 1}},
      cables);
  const FabricForm form = recognise_form(fabric);
  EXPECT_EQ(form.describe(), "folded Clos: 4 leaves, 3 spines, 1 cable a pair");
  const TreeForm& tree = form.trees.at(0);
  EXPECT_EQ(tree.service_switches, std::vector<SwitchId>{4});
  EXPECT_EQ(tree.idle_leaves, std::vector<SwitchId>{3});
  ASSERT_EQ(tree.hosts_above.size(), 1u);
  EXPECT_EQ(fabric.host(tree.hosts_above[0]).name, "s3-host-0");
}

//   s0  s1  s3        The third spine is dead: no leaf switch has a cable at the port that led to
//   it.
TEST(TreeForm, ADeadSpine) {
  const Fabric whole = clos(4, 12, 6);
  const FabricForm form = recognise_form(without(whole, parse_fault(whole, {"S-1-2"})));
  EXPECT_EQ(form.describe(), "folded Clos: 12 leaves, 5 spines, 1 cable a pair");
  EXPECT_EQ(form.dead, std::vector<SwitchId>{whole.find_switch("S-1-2")});
  ASSERT_EQ(form.trees[0].unused_ports.size(), 1u);
  EXPECT_EQ(form.trees[0].unused_ports[0].ports, std::vector<PortNum>{7});
  EXPECT_TRUE(form.trees[0].unused_ports[0].upward);
  EXPECT_EQ(form.trees[0].unused_ports[0].switches, 1u);

  const Fabric tree = xgft({2, 4, 6}, {1, 4, 2});
  EXPECT_EQ(form_of(without(tree, parse_fault(tree, {"S-1-3"}))),
            "XGFT(3; 2,4,6; 1,4,2): 24 leaves, 23 spines, 8 cores, 1 switch missing");
}

//   A cable p1 ─── p2 between two leaf switches: the fabric has no levels, and the cable is
//   reported.
TEST(TreeForm, NearlyATree) {
  const Fabric grown = clos(4, 6, 3);
  FabricBuilder wider;
  for (Switch s : grown.switches()) {
    ++s.ports;
    wider.add_switch(s);
  }
  for (const Channel c : grown.links())
    wider.connect(grown.switch_of(c), grown.port_of(c), grown.target(c),
                  grown.port_of(grown.peer(c)));
  for (const Host& h : grown.hosts()) wider.add_host(h);
  wider.connect(0, 8, 1, 8);
  const Fabric fabric = std::move(wider).build("joined");
  const FabricForm form = recognise_form(fabric);
  EXPECT_EQ(form.kind, FabricForm::Kind::kIrregular);
  EXPECT_EQ(form.describe(),
            "no tree, but nearly a folded Clos: 6 leaves, 3 spines, 1 cable a pair");
  ASSERT_EQ(form.clashes.size(), 1u);
  EXPECT_EQ(describe(fabric, form.clashes[0]), "cable S-0-0:8 – S-0-1:8 joins two leaf switches");
}

//   One of six leaf switches is cut off: the components are described one by one.
TEST(TreeForm, Pieces) {
  const Fabric whole = clos(4, 6, 3);
  const Fabric fabric =
      without(whole, parse_fault(whole, {"S-0-5/S-1-0", "S-0-5/S-1-1", "S-0-5/S-1-2"}));
  EXPECT_EQ(form_of(fabric), "folded Clos: 5 leaves, 3 spines, 1 cable a pair; and one switch");
}

/// The levels and the form that are found are those of the generator.
RC_GTEST_PROP(TreeForm, RandomTreesAreFound, ()) {
  const RandomTree tree = *test::any_tree();
  LevelClash clash{};
  const std::optional<Levels> levels = find_levels(tree.fabric, {}, clash);
  RC_ASSERT(levels.has_value());
  RC_ASSERT(levels->level == tree.level);
  const std::vector<TreeForm> forms = find_tree_forms(tree.fabric, *levels);
  RC_ASSERT(forms.size() == 1u);
  const TreeForm& form = forms[0];
  RC_ASSERT(form.levels.size() == tree.switches.size());
  for (std::size_t l = 0; l < form.levels.size(); ++l)
    RC_ASSERT(form.levels[l].switches.size() == tree.switches[l]);
  RC_ASSERT(form.service_switches == tree.small);
  for (std::size_t l = 0; l < form.stages.size(); ++l)
    RC_ASSERT(form.stages[l].usual == tree.usual[l]);
  RC_ASSERT(form.regular());
  RC_ASSERT(form.crossed.empty());
  RC_ASSERT(form.missing_cables == tree.missing_cables);
  RC_ASSERT(form.xgft);
  for (std::size_t l = 0; l < form.stages.size(); ++l) {
    RC_ASSERT(form.m[l + 1] == tree.lower[l]);
    RC_ASSERT(form.w[l + 1] == tree.upper[l]);
  }
}

/// For any fabric and any hints there is a description, and a switch is in at most one level of one
/// tree.
RC_GTEST_PROP(TreeForm, AnyFabricHasAnAnswer, ()) {
  const Fabric fabric = *test::any_fabric();
  LevelHints hints;
  if (*rc::gen::arbitrary<bool>())
    hints.roots.push_back(*rc::gen::inRange(0u, fabric.num_switches()));
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (*rc::gen::inRange(0, 4) == 0) hints.not_compute.push_back(h);
  const FabricForm form = recognise_form(fabric, hints);
  RC_ASSERT(!form.describe().empty());
  std::vector<unsigned> times(fabric.num_switches(), 0);
  for (const TreeForm& tree : form.trees) {
    RC_ASSERT(tree.stages.size() + 1 == tree.levels.size());
    for (const TreeLevel& level : tree.levels)
      for (const SwitchId s : level.switches) ++times[s];
    for (const SwitchId s : tree.service_switches) ++times[s];
  }
  for (const unsigned count : times) RC_ASSERT(count <= 1u);
}

/// The ports suggested for a missing cable are unused.
RC_GTEST_PROP(TreeForm, GuessedPortsAreFree, ()) {
  const RandomTree tree = *test::any_tree({.shuffle = false});
  const FabricForm form = recognise_form(tree.fabric);
  for (const TreeForm& one : form.trees)
    for (const TreePair& pair : one.missing)
      for (const auto& [s, ports] :
           {std::pair(pair.lower, pair.lower_ports), std::pair(pair.upper, pair.upper_ports)}) {
        RC_ASSERT(ports.empty() || ports.size() == pair.usual - pair.cables);
        for (const PortNum p : ports)
          RC_ASSERT(tree.fabric.peer(tree.fabric.channel(s, p)) == kNoChannel);
      }
}

}  // namespace
}  // namespace selvedge
