// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/regularity.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

Routing dor(const Fabric& fabric, ReplyGrade grade = ReplyGrade::kOwnSl) {
  EngineRequest request;
  request.replies = grade;
  return compute_with_replies(find_engine("dor"), fabric, request);
}

Fabric fabric_of(const std::string& spec, unsigned lmc = 0) {
  return assign_lids(make_fabric(spec), lmc);
}

Fabric cut(const Fabric& fabric, const std::vector<std::string>& names) {
  return without(fabric, parse_fault(fabric, names));
}

std::vector<std::string> names(const Fabric& f, const std::vector<SwitchId>& way) {
  std::vector<std::string> out;
  for (const SwitchId s : way) out.push_back(f.node(s).name);
  return out;
}

SwitchId switch_called(const Fabric& f, const std::string& name) {
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    if (f.node(s).name == name) return s;
  throw std::logic_error("no switch " + name);
}

using Names = std::vector<std::string>;

//      x 0   1   2   3   4        (wraparound cables not drawn)
//  y 0   A───┼───┼───┼───d1       from A (0,0) to B (2,3): x first, over the dateline,
//    1   ┼───┼───┼───a1──┼        then y. Its SL has the bit of x, dimension 1.
//    2   ┼───┼───┼───B───┼
TEST(Dor, TheLastDimensionComesFirstAndTheSlSaysWhichDatelinesAreCrossed) {
  const Fabric f = fabric_of("torus:5x5");
  const Tables t = dor(f).tables;
  const SwitchId a = switch_called(f, "S-0-0"), b = switch_called(f, "S-2-3");
  const Lid to_b = f.host(f.hosts_at(b)[0]).lid, to_a = f.host(f.hosts_at(a)[0]).lid;
  EXPECT_EQ(names(f, test::route(f, t, a, to_b)),
            (Names{"S-0-0", "S-0-4", "S-0-3", "S-1-3", "S-2-3"}));
  EXPECT_EQ(t.sl(a, to_b), 2);
  EXPECT_EQ(names(f, test::route(f, t, b, to_a)),
            (Names{"S-2-3", "S-2-4", "S-2-0", "S-1-0", "S-0-0"}));
  EXPECT_EQ(t.sl(b, to_a), 2);
}

//  One cable of the ring y = 0 is cut. Paths in that ring go round the other way; others stay, and
//  so do all SLs.
TEST(Dor, ACutIsPassedTheOtherWayRoundItsRing) {
  const Fabric whole = fabric_of("torus:5x5");
  const Fabric f = cut(whole, {"S-0-0/S-0-4"});
  const Tables before = dor(whole).tables, t = dor(f).tables;
  const SwitchId a = switch_called(f, "S-0-0"), c = switch_called(f, "S-1-0"),
                 b = switch_called(f, "S-2-3");
  const Lid to_b = f.host(f.hosts_at(b)[0]).lid;
  EXPECT_EQ(names(f, test::route(f, t, a, to_b)),
            (Names{"S-0-0", "S-0-1", "S-0-2", "S-0-3", "S-1-3", "S-2-3"}));
  EXPECT_EQ(test::route(f, t, c, to_b), test::route(whole, before, c, to_b));
  for (SwitchId s = 0; s < f.num_switches(); ++s)
    for (const Host& host : f.hosts()) ASSERT_EQ(t.sl(s, host.lid), before.sl(s, host.lid));
}

/// All channels of a dimension carry the same number of pairs, also on rings where half of the ring
/// away two ways are as long. (Where that half is odd, half of the pairs that far apart is none.)
TEST(Dor, LoadsAreEvenOnWholeTori) {
  for (const char* spec : {"torus:4x4", "torus:8x5", "torus:5x5", "torus:4x4x4"}) {
    const Fabric f = fabric_of(spec);
    const Tables t = dor(f).tables;
    std::vector<unsigned> load(f.num_channels(), 0);
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      for (const Host& host : f.hosts())
        for (SwitchId at = s; at != host.at;) {
          const Channel c = f.channel(at, t.next(at, host.lid));
          ++load[c];
          at = f.target(c);
        }
    const Regularity form = recognise(f);
    std::map<unsigned, std::set<unsigned>> by_dimension;
    for (Channel c = 0; c < f.num_channels(); ++c) {
      if (!f.between_switches(c)) continue;
      const SwitchId from = f.target(f.peer(c)), to = f.target(c);
      for (unsigned d = 0; d < form.sizes.size(); ++d)
        if (form.coordinates[from * form.sizes.size() + d] !=
            form.coordinates[to * form.sizes.size() + d])
          by_dimension[d].insert(load[c]);
    }
    ASSERT_EQ(by_dimension.size(), form.sizes.size());
    for (const auto& [d, loads] : by_dimension)
      EXPECT_EQ(loads.size(), 1u) << spec << " dimension " << d;
  }
}

/// Whether the path corrects one dimension after the other, from the last to the first.
bool in_order(const Regularity& form, const std::vector<SwitchId>& way) {
  std::size_t last = form.sizes.size();
  for (std::size_t i = 1; i < way.size(); ++i) {
    std::size_t d = 0;
    while (form.coordinates[way[i] * form.sizes.size() + d] ==
           form.coordinates[way[i - 1] * form.sizes.size() + d])
      ++d;
    if (d > last) return false;
    last = d;
  }
  return true;
}

RC_GTEST_PROP(Dor, tori_and_meshes_are_proved_with_cuts_and_every_grade, ()) {
  const bool torus = *rc::gen::arbitrary<bool>();
  const unsigned dimensions = *rc::gen::inRange(1u, 5u);
  const unsigned most = dimensions == 1 ? 9u : dimensions == 2 ? 7u : dimensions == 3 ? 5u : 4u;
  std::string spec = torus ? "torus:" : "mesh:";
  for (unsigned d = 0; d < dimensions; ++d)
    spec += std::to_string(*rc::gen::inRange(torus ? 3u : 2u, most)) +
            (d + 1 < dimensions ? "x" : ",hosts=");
  spec += std::to_string(*rc::gen::inRange(1u, dimensions > 2 ? 2u : 3u));
  const unsigned lmc = *rc::gen::inRange(0u, 2u);
  const auto grade = *rc::gen::element(ReplyGrade::kOwnSl, ReplyGrade::kBase, ReplyGrade::kSameSl);
  const Fabric whole = fabric_of(spec, lmc);
  Fabric f = whole;
  unsigned cuts = 0;
  if (torus) {  // cables that leave at most one missing in a ring
    const Regularity form = recognise(whole);
    const std::vector<Channel> links(whole.links().begin(), whole.links().end());
    Fault fault;
    std::set<std::vector<unsigned>> rings;
    const unsigned wanted = *rc::gen::inRange(0u, 4u);
    for (unsigned i = 0; i < wanted; ++i) {
      const Channel c = *rc::gen::elementOf(links);
      const SwitchId a = whole.target(c), b = whole.target(whole.peer(c));
      std::vector<unsigned> ring;
      for (unsigned d = 0; d < form.sizes.size(); ++d) {
        const unsigned at_a = form.coordinates[a * form.sizes.size() + d];
        const unsigned at_b = form.coordinates[b * form.sizes.size() + d];
        ring.push_back(at_a == at_b ? at_a : UINT32_MAX);
      }
      if (rings.insert(ring).second) fault.links.push_back(c);
    }
    cuts = static_cast<unsigned>(fault.links.size());
    f = without(whole, fault);
  }
  const Regularity form = recognise(f);
  RC_PRE(form.regular() && form.missing.size() == cuts);  // else it is another form
  Routing r = dor(f, grade);
  r.tables.mft = broadcast_group(f, r.multicast);
  RC_ASSERT(!r.tables.mft.empty());
  const VerifyOptions asked{.replies = true, .grade = grade};
  const Verdict verdict = verify(f, r.tables, asked).verdict();
  if (!verdict.holds(asked)) RC_FAIL(spec + ": " + test::first_witness(verdict));
  // A mesh of 2x2 is a ring of 4.
  RC_ASSERT(verdict.vls_used <= (form.kind == Regularity::Kind::kTorus ? 2u : 1u));
  for (const Host& host : f.hosts()) {
    const std::vector<unsigned> far = test::hop_distances(f, host.at);
    for (const Lid lid : test::lids_of(host))
      for (SwitchId s = 0; s < f.num_switches(); ++s) {
        const std::vector<SwitchId> way = test::route(f, r.tables, s, lid);
        RC_ASSERT(in_order(form, way));
        if (cuts == 0) RC_ASSERT(way.size() == far[s] + 1);
      }
  }
  RC_CLASSIFY(cuts > 0, "cut");
}

std::string complaint(const Fabric& fabric, unsigned max_vls = 8, unsigned max_sls = 16) {
  EngineRequest request;
  request.max_vls = max_vls;
  request.max_sls = max_sls;
  try {
    find_engine("dor").compute(fabric, request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Dor, WhatItCannotRouteIsRefusedInOneLine) {
  const Fabric torus = fabric_of("torus:6x6"), mesh = fabric_of("mesh:6x6");
  EXPECT_NE(complaint(fabric_of("tree:k=4,n=3")).find("no torus or mesh"), std::string::npos);
  EXPECT_NE(complaint(torus, 1).find("2 VLs and 4 SLs, and there are 1 and 16"), std::string::npos)
      << complaint(torus, 1);
  EXPECT_NE(complaint(torus, 8, 3).find("there are 8 and 3"), std::string::npos);
  EXPECT_EQ(complaint(mesh, 1, 1), "");
  EXPECT_NE(complaint(fabric_of("torus:3x3x3x3x3")).find("32 SLs"), std::string::npos);
  EXPECT_NE(complaint(cut(torus, {"S-0-0/S-0-1", "S-0-3/S-0-4"})).find("another one of its ring"),
            std::string::npos);
  EXPECT_EQ(complaint(cut(torus, {"S-0-0/S-0-1", "S-1-3/S-1-4", "S-1-1/S-2-1"})), "");
  EXPECT_NE(complaint(cut(mesh, {"S-0-0/S-0-1"})).find("a mesh has no other way"),
            std::string::npos);
  EXPECT_NE(complaint(cut(torus, {"S-2-2"})).find("a switch is missing"), std::string::npos)
      << complaint(cut(torus, {"S-2-2"}));
}

}  // namespace
}  // namespace selvedge
