// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/recognise.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/clos/qos_policy.hpp"

namespace selvedge::sim {
namespace {

RecognisedClos recognised(const char* spec, const std::vector<std::string>& fail = {}) {
  const Fabric fabric = make_fabric(spec);
  return recognise_clos(fabric, parse_fault(fabric, fail), spec);
}

std::string refusal(const Fabric& fabric) {
  try {
    recognise_clos(fabric, {}, "F");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Recognise, a_folded_clos) {
  const RecognisedClos clos = recognised("clos:n=4,r=6,m=3");
  EXPECT_EQ(clos.size(), (ClosSize{4, 6, 3}));
  EXPECT_TRUE(clos.wiring.complete());
  EXPECT_TRUE(clos.wiring.folded);
  EXPECT_EQ(clos.leaves, (std::vector<SwitchId>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(clos.spines, 3U);
  EXPECT_EQ(clos.form, "folded Clos: 6 leaves, 3 spines, 1 cable a pair");
  EXPECT_TRUE(clos.remarks.empty());
  EXPECT_EQ(clos.link_gbps, 10);  // 4x SDR, as generated
  EXPECT_EQ(clos.host_gbps, 10);
}

TEST(Recognise, trees_of_two_levels_by_other_names) {
  EXPECT_EQ(recognised("xgft:m=4x6,w=1x4").size(), (ClosSize{4, 6, 4}));
  EXPECT_EQ(recognised("tree:k=4,n=2").size(), (ClosSize{4, 4, 4}));
}

TEST(Recognise, cables_and_spines_that_have_failed) {
  const RecognisedClos clos = recognised("clos:n=4,r=6,m=4", {"S-1-2", "S-0-1/S-1-0"});
  EXPECT_EQ(clos.size(), (ClosSize{4, 6, 4}));
  for (unsigned leaf = 0; leaf < 6; ++leaf)
    for (unsigned k = 0; k < 4; ++k)
      EXPECT_EQ(clos.wiring.has(leaf, k), k != 2 && (leaf != 1 || k != 0)) << leaf << ' ' << k;
  EXPECT_EQ(clos.least_uplinks(), 2U);
  EXPECT_EQ(clos.wiring.ways(0, 1), (std::vector<unsigned>{1, 3}));
  // Leaf switch 1 lacks links for 2 of its 4 flows, the others for one each.
  EXPECT_EQ(flows_without_place(clos.wiring, clos.wiring.hosts, 1), 5U + 2U);
  EXPECT_EQ(flows_without_place(clos.wiring, clos.wiring.hosts, 2), 0U);
}

TEST(Recognise, a_damaged_tree_without_the_undamaged_one) {
  const Fabric whole = make_fabric("clos:n=4,r=6,m=4");
  const Fabric left = without(whole, parse_fault(whole, {"S-0-1/S-1-0", "S-0-3/S-1-3"}));
  const RecognisedClos clos = recognise_clos(left, {}, "F");
  EXPECT_EQ(clos.size(), (ClosSize{4, 6, 4}));
  EXPECT_FALSE(clos.wiring.has(1, 0));
  EXPECT_FALSE(clos.wiring.has(3, 3));
  EXPECT_EQ(clos.least_uplinks(), 3U);
}

TEST(Recognise, a_leaf_switch_that_has_failed_takes_no_part) {
  const RecognisedClos clos = recognised("clos:n=4,r=6,m=4", {"S-0-1"});
  EXPECT_EQ(clos.size(), (ClosSize{4, 5, 4}));
  EXPECT_EQ(clos.leaves, (std::vector<SwitchId>{0, 2, 3, 4, 5}));
  EXPECT_EQ(clos.remarks, (std::vector<std::string>{"1 leaf switch without hosts left out"}));
}

/// Two leaf switches with two hosts each, and two spines with two cables to each, at other rates.
/// H3 can be slower than the others; each switch can have an aggregation node of 25 Gb/s.
Fabric with_parallel_cables(unsigned lanes_of_h3 = 4, bool aggregation = false) {
  FabricBuilder builder;
  for (unsigned s = 0; s < 4; ++s)
    builder.add_switch({.guid = s + 1, .name = "S" + std::to_string(s), .ports = 8});
  for (unsigned leaf = 0; leaf < 2; ++leaf) {
    for (unsigned h = 0; h < 2; ++h)
      builder.add_host(
          {.guid = 100 + 10 * leaf + h,
           .node_guid = 200 + 10 * leaf + h,
           .name = "H" + std::to_string(2 * leaf + h),
           .at = leaf,
           .port = static_cast<PortNum>(h + 1)},
          {.lanes = static_cast<std::uint8_t>(leaf + h < 2 ? 4 : lanes_of_h3), .speed = 6});
    for (unsigned spine = 0; spine < 2; ++spine)
      for (unsigned i = 0; i < 2; ++i)
        builder.connect(leaf, static_cast<PortNum>(3 + 2 * spine + i), 2 + spine,
                        static_cast<PortNum>(1 + 2 * leaf + i), {.lanes = 4, .speed = 7});
  }
  for (unsigned s = 0; aggregation && s < 4; ++s)
    builder.add_host(
        {.guid = 300 + s, .node_guid = 400 + s, .name = "Aggregation Node", .at = s, .port = 8},
        {.lanes = 1, .speed = 6});
  return std::move(builder).build("drawn");
}

TEST(Recognise, of_hosts_the_fastest_that_sends_counts) {
  const RecognisedClos mixed = recognise_clos(with_parallel_cables(1), {}, "F");
  EXPECT_EQ(mixed.host_gbps, 100);
  EXPECT_EQ(mixed.remarks[0], "hosts of 25 to 100 Gb/s: the fastest counts");
  const RecognisedClos slowest = recognise_clos(with_parallel_cables(4, true), {}, "F");
  EXPECT_EQ(slowest.wiring.hosts, (std::vector<unsigned>{2, 2}));
  EXPECT_EQ(slowest.host_gbps, 100);
  EXPECT_EQ(slowest.remarks.size(), 1U);  // of the parallel cables
  const RecognisedClos nodes = recognise_clos(with_parallel_cables(1, true), {}, "F");
  EXPECT_EQ(nodes.host_gbps, 100);
  EXPECT_EQ(recognise_clos(with_parallel_cables(0), {}, "F").host_gbps, 0);  // unknown
}

/// Two rails, S and T: of each the first three switches are leaf switches with two hosts, two are
/// spines.
Fabric with_two_rails(unsigned gbps_speed_of_a_link = 6) {
  FabricBuilder builder;
  for (unsigned s = 0; s < 10; ++s)
    builder.add_switch(
        {.guid = s + 1, .name = (s < 5 ? "S" : "T") + std::to_string(s % 5), .ports = 8});
  for (unsigned rail = 0; rail < 2; ++rail)
    for (unsigned leaf = 0; leaf < 3; ++leaf) {
      for (unsigned h = 0; h < 2; ++h)
        builder.add_host({.guid = 100 + 10 * (2 * leaf + h) + rail,
                          .node_guid = 200 + 2 * leaf + h,
                          .name = "H" + std::to_string(2 * leaf + h),
                          .at = 5 * rail + leaf,
                          .port = static_cast<PortNum>(h + 1)},
                         {.lanes = 4, .speed = 6});
      for (unsigned spine = 0; spine < 2; ++spine)
        builder.connect(5 * rail + leaf, static_cast<PortNum>(3 + spine), 5 * rail + 3 + spine,
                        static_cast<PortNum>(1 + leaf),
                        {.lanes = 4,
                         .speed = static_cast<std::uint8_t>(
                             rail + leaf + spine == 0 ? gbps_speed_of_a_link : 6)});
    }
  return std::move(builder).build("drawn");
}

TEST(Recognise, a_fault_in_another_rail_is_remarked) {
  const Fabric fabric = with_two_rails();
  const auto remarks = [&](const std::vector<std::string>& fail) {
    return recognise_clos(fabric, parse_fault(fabric, fail), "F").remarks;
  };
  const std::string which = "the largest of 2 rails is examined, that of S0";
  EXPECT_EQ(remarks({"S4", "S0/S3", "S1:1"}), std::vector{which});
  EXPECT_EQ(remarks({"S4", "T4"}),
            (std::vector{which, std::string("outside of the tree that is examined, without effect: "
                                            "switch T4")}));
  EXPECT_EQ(
      remarks({"T0/T3"})[1].find("outside of the tree that is examined, without effect: T0:3"), 0U);
  EXPECT_EQ(remarks({"T0:1"}).size(), 2U);  // a host's cable
}

TEST(Recognise, of_cables_between_switches_the_slowest_counts) {
  const RecognisedClos clos = recognise_clos(with_two_rails(5), {}, "F");
  EXPECT_EQ(clos.link_gbps, 56);
  EXPECT_EQ(clos.remarks[0], "cables between switches of 56 to 100 Gb/s: the slowest counts");
}

TEST(Recognise, flows_inside_a_leaf_switch_need_no_link_up) {
  const Wiring folded = recognised("clos:n=2,r=3,m=1").wiring;
  const std::vector<Flow> flows{{0, 0}, {0, 1}, {1, 2}, {1, 0}, {2, 1}, {2, 2}};
  EXPECT_EQ(flows_up(folded, flows), (std::vector<unsigned>{1, 2, 1}));
  EXPECT_EQ(flows_without_place(folded, flows_up(folded, flows), 1), 1U);
  EXPECT_EQ(flows_up(complete_clos({2, 3, 1}), flows), (std::vector<unsigned>{2, 2, 2}));
}

TEST(Recognise, parallel_cables_count_as_middle_switches) {
  const Fabric fabric = with_parallel_cables();
  const RecognisedClos clos = recognise_clos(fabric, parse_fault(fabric, {"S0:4"}), "F");
  EXPECT_EQ(clos.size(), (ClosSize{2, 2, 4}));
  EXPECT_EQ(clos.least_uplinks(), 3U);
  EXPECT_EQ(clos.remarks,
            (std::vector<std::string>{
                "2 cables from a leaf switch to a spine count as 2 middle switches"}));
  EXPECT_EQ(clos.link_gbps, 200);
  EXPECT_EQ(clos.host_gbps, 100);
}

TEST(Recognise, leaf_switches_that_no_spine_connects) {
  EXPECT_EQ(unconnected_leaves(recognised("clos:n=2,r=3,m=2").wiring), (std::pair{0U, 0U}));
  const RecognisedClos clos = recognised("clos:n=2,r=3,m=2", {"S-0-1/S-1-0", "S-0-2/S-1-1"});
  EXPECT_EQ(unconnected_leaves(clos.wiring), (std::pair{1U, 2U}));
}

TEST(Recognise, what_is_no_tree_of_two_levels_is_refused_with_what_it_is) {
  EXPECT_EQ(refusal(make_fabric("torus:4x4")),
            "the fabric is no fat tree of two levels: F: torus 4x4: a Clos network has leaf "
            "switches with hosts, and spines above all of them");
  EXPECT_EQ(refusal(make_fabric("tree:k=2,n=3")),
            "the fabric is no fat tree of two levels: F: 2-ary 3-tree: the nearest that is one has "
            "its 4 leaf switches with all spines above them");
  EXPECT_NE(refusal(make_fabric("irregular:switches=16,degree=4")), "");
  EXPECT_NE(refusal(make_fabric("mesh:1x1")), "");
}

TEST(Recognise, a_tree_without_hosts_to_send_is_refused) {
  const Fabric fabric = make_fabric("clos:n=2,r=3,m=2");
  try {
    recognise_clos(fabric, parse_fault(fabric, {"S-0-1", "S-0-2"}), "F");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "fewer than two leaf switches have hosts: F: folded Clos: 3 leaves, 2 spines, 1 "
                 "cable a pair: adaptive routing needs flows from leaf to leaf");
  }
}

TEST(QosPolicy, has_the_next_lower_rate_with_a_code) {
  EXPECT_EQ(rate_limit_below(5)->code, 5U);
  EXPECT_EQ(rate_limit_below(20)->code, 6U);
  EXPECT_EQ(rate_limit_below(12.5)->gbps, 10);
  EXPECT_EQ(rate_limit_below(84)->gbps, 80);
  EXPECT_EQ(rate_limit_below(5000)->gbps, 1200);
  EXPECT_FALSE(rate_limit_below(2.4));
  EXPECT_NE(qos_policy({20, 6}).find("\n        rate-limit: 6\n"), std::string::npos);
}

}  // namespace
}  // namespace selvedge::sim
