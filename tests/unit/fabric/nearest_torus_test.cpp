// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/nearest_torus.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "tests/support/shuffle.hpp"

namespace selvedge {
namespace {

/// The fabric without `lost` random cables.
Fabric thinned(const Fabric& whole, std::size_t lost, std::uint64_t seed) {
  StableRandom random(seed);
  std::vector<Channel> links(whole.links().begin(), whole.links().end());
  Fault fault;
  for (std::size_t i = 0; i < lost; ++i) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(links.size()));
    fault.links.push_back(links[at]);
    links.erase(links.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return without(whole, fault);
}

TEST(NearestTorus, is_named_where_too_much_lacks_to_count_as_one) {
  const Fabric fabric = thinned(torus({6, 6}), 9, 2);
  ASSERT_EQ(recognise(fabric).describe(), "irregular");
  EXPECT_EQ(nearest_torus_text(fabric), "an irregular graph; nearest: torus 6x6, 9 links missing");
}

//   . . . .      The wraparound cables are missing: 4 in either dimension.
//   . . . .
//   . . . .      On 3×4×5: 4·5 + 3·5 + 3·4.
//   . . . .
TEST(NearestTorus, of_a_mesh_lacks_what_goes_round) {
  EXPECT_EQ(nearest_torus_text(mesh({4, 4})), "a mesh 4x4; nearest: torus 4x4, 8 links missing");
  EXPECT_EQ(nearest_torus(mesh({3, 4, 5}))->missing_links, 47u);
  FabricBuilder builder(mesh({5, 6}));
  builder.connect(0, 1, 24, 2);  // S-0-0 to S-4-0
  const Fabric one_round = std::move(builder).build("one cable round");
  EXPECT_EQ(nearest_torus_text(one_round),
            "a mesh 5x6, 1 link out of place; nearest: torus 5x6, 10 links missing");
  // All columns closed: a cylinder is neither a mesh nor a torus; 5 wraparound cables of the rows
  // are missing.
  FabricBuilder cylinder(mesh({5, 6}));
  for (SwitchId column = 0; column < 6; ++column) cylinder.connect(column, 1, 24 + column, 2);
  EXPECT_EQ(nearest_torus_text(std::move(cylinder).build("cylinder")).substr(0, 18),
            "an irregular graph");
}

TEST(NearestTorus, a_mesh_of_two_rows_has_none) {
  EXPECT_EQ(nearest_torus_text(mesh({2, 5})), "a mesh 2x5");
  EXPECT_FALSE(nearest_torus(mesh({2, 5})));
}

TEST(NearestTorus, is_not_named_of_what_is_like_none) {
  EXPECT_EQ(nearest_torus_text(clos(4, 6, 3)), "a folded Clos: 6 leaves, 3 spines, 1 cable a pair");
  EXPECT_EQ(nearest_torus_text(irregular(37, 5, 2, 991)), "an irregular graph");
  EXPECT_EQ(nearest_torus_text(irregular(16, 4, 4, 1)), "an irregular graph");
  EXPECT_EQ(nearest_torus_text(k_ary_n_tree(4, 3)), "a 4-ary 3-tree");
  EXPECT_EQ(nearest_torus_text(k_ary_n_tree(8, 2)), "an 8-ary 2-tree");
  EXPECT_EQ(nearest_torus_text(torus({5, 6})), "a torus 5x6");
  EXPECT_EQ(nearest_torus_text(mesh({1, 1})), "a mesh 1");
  EXPECT_FALSE(nearest_torus(FabricBuilder().build("")));
}

/// For any missing cables and any order of the switches, the reported differences are exact, cable
/// by cable.
RC_GTEST_PROP(NearestTorus, matches_its_description, ()) {
  const Fabric whole = torus({*rc::gen::inRange(3u, 9u), *rc::gen::inRange(3u, 9u)});
  const auto most = whole.links().size() / 4;
  const std::size_t lost = *rc::gen::inRange<std::size_t>(0, most + 1);
  const Fabric fabric =
      test::shuffled(thinned(whole, lost, *rc::gen::arbitrary<unsigned>()), 1 + lost).fabric;
  const std::optional<Regularity> found = nearest_torus(fabric);
  if (!found) return;
  RC_ASSERT(found->kind == Regularity::Kind::kTorus);
  std::size_t places = 1;
  for (const unsigned size : found->sizes) places *= size;
  std::size_t cables = 0;
  for (const unsigned size : found->sizes) cables += size < 3 ? places / 2 : places;
  if (found->missing_switches == 0)
    RC_ASSERT(fabric.links().size() - found->surplus.size() + found->missing.size() == cables);
  for (const auto& [a, b] : found->missing)
    RC_ASSERT(std::ranges::none_of(fabric.out(a),
                                   [&, to = b](Channel c) { return fabric.target(c) == to; }));
}

// How often the torus is found in 40 random fabrics.
TEST(NearestTorus, is_mostly_found_with_an_eighth_of_the_cables_lost) {
  for (const auto& [sizes, at_least] :
       {std::pair(std::vector{6u, 6u}, 20u), std::pair(std::vector{8u, 8u}, 30u),
        std::pair(std::vector{5u, 5u, 5u}, 38u)}) {
    const Fabric whole = torus(sizes);
    unsigned found = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const auto form = nearest_torus(thinned(whole, whole.links().size() / 8, seed));
      found += form && form->sizes == sizes ? 1 : 0;
    }
    EXPECT_GE(found, at_least) << sizes.size() << " dimensions of " << sizes[0];
  }
}

}  // namespace
}  // namespace selvedge
