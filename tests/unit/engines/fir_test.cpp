// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/dmodk/fir_registers.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/shuffle.hpp"

namespace selvedge {
namespace {

LinkSet links(std::initializer_list<unsigned> numbers) {
  LinkSet set;
  for (const unsigned link : numbers) set.set(link);
  return set;
}

Tables tables_of(const Fabric& f) { return find_engine("dmodk").compute(f, {}).tables; }

// Gómez et al. 2007, Fig. 1 and §3.1: from node 1 to node 4 in a 2-ary 4-tree. Switch 0 may use
// links 2 and 3, and so may 9; 17 only link 1, 11 only link 0. (Their switch numbers count 8 a
// stage: 9 is <1, 1>, 17 is <2, 1>, 11 is <1, 3>.) Then switch 2, <0, 2>, to the node itself.
TEST(Registers, route_the_papers_packet) {
  const auto ir = make_ir_registers({2, 4});
  EXPECT_EQ(forward(ir, 0, 4), links({2, 3}));
  EXPECT_EQ(forward(ir, 9, 4), links({2, 3}));
  EXPECT_EQ(forward(ir, 17, 4), links({1}));
  EXPECT_EQ(forward(ir, 11, 4), links({0}));
  EXPECT_EQ(forward(ir, 2, 4), links({0}));
  // Switch 11 is above nodes 4 … 7: its ascending interval is cyclic.
  EXPECT_EQ(ir.at(11, 0), (IrRegisters{4, 5}));
  EXPECT_EQ(ir.at(11, 1), (IrRegisters{6, 7}));
  EXPECT_EQ(ir.at(11, 2), (IrRegisters{8, 3}));
  EXPECT_EQ(ir.at(11, 3), ir.at(11, 2));
}

// Fig. 3: the ascending links of the 2-ary 3-tree, MR 001 at stage 0 and 010 at stage 1, RRR 0011.
TEST(Registers, are_those_of_the_papers_figure) {
  const KaryShape shape{2, 3};
  const auto fir = make_fir_registers(shape);
  for (std::uint32_t o = 0; o < 4; ++o) {
    EXPECT_EQ(fir.at(shape.index(0, o), 2), (FirRegisters{0, 0, 0b001, links({0, 1})}));
    EXPECT_EQ(fir.at(shape.index(0, o), 3), (FirRegisters{1, 1, 0b001, links({0, 1})}));
    EXPECT_EQ(fir.at(shape.index(1, o), 2), (FirRegisters{0, 0, 0b010, links({0, 1})}));
    EXPECT_EQ(fir.at(shape.index(1, o), 3), (FirRegisters{2, 2, 0b010, links({0, 1})}));
  }
  EXPECT_EQ(fir.at(0, 0), (FirRegisters{0, 0, 0b111, {}}));
  EXPECT_EQ(fir.at(0, 1), (FirRegisters{1, 1, 0b111, {}}));
  EXPECT_EQ(fir.at(shape.index(2, 3), 1), (FirRegisters{4, 7, 0b111, {}}));
  // Destination 0 at switch 0 matches links 0 and 2; link 0 takes precedence.
  EXPECT_EQ(forward(fir, 0, 0), links({0}));
  EXPECT_EQ(forward(fir, 0, 2), links({2}));
}

// "As many bits set as a component has": log2 k of them, at the stage's place.
TEST(Registers, masks_are_bits_where_k_is_a_power_of_two) {
  EXPECT_EQ(bit_mask({2, 3}, 0b010), 0b010u);
  EXPECT_EQ(bit_mask({4, 3}, 0b010), 0b001100u);
  EXPECT_EQ(bit_mask({8, 4}, 0b1000), 0b111000000000u);
  EXPECT_EQ(bit_mask({8, 4}, 0b1111), 0b111111111111u);
  EXPECT_FALSE(bit_mask({6, 3}, 0b010).has_value());
  // And those bits are what is compared.
  const auto fir = make_fir_registers({4, 3});
  for (std::uint32_t index = 0; index < 48; ++index)
    for (unsigned link = 0; link < (index < 32 ? 8u : 4u); ++link) {
      const FirRegisters& r = fir.at(index, link);
      for (std::uint32_t p = 0; p < 64; ++p) {
        const std::uint64_t compared = p & *bit_mask({4, 3}, r.mask);
        const bool matches = r.first <= compared && compared <= r.last;
        const bool below = link >= 4 && forward(fir, index, p)[p / (index < 16 ? 1 : 4) % 4];
        EXPECT_EQ(forward(fir, index, p)[link], matches && !below) << index << ' ' << link;
      }
    }
}

// Claim G2, and IR: the table's port is one of the links that IR allows, and IR allows all links up
// or one link down.
TEST(Registers, forward_as_tables_do) {
  for (unsigned k = 2; k <= 8; ++k)
    for (unsigned n = 1; n <= 4; ++n) {
      const Fabric f = assign_lids(k_ary_n_tree(k, n), 0);
      const Tables t = tables_of(f);
      const std::optional<KaryLabels> labels = label_k_ary_tree(f);
      ASSERT_TRUE(labels.has_value()) << k << ' ' << n;
      ASSERT_EQ(labels->shape, (KaryShape{k, n}));
      const auto fir = make_fir_registers(labels->shape);
      const auto mismatch = compare(fir, *labels, f, t);
      EXPECT_FALSE(mismatch.has_value()) << k << ' ' << n << ": switch " << mismatch->at;
      const auto ir = make_ir_registers(labels->shape);
      EXPECT_FALSE(compare(ir, *labels, f, t).has_value()) << k << ' ' << n;
      LinkSet ascending;
      for (unsigned link = k; link < 2 * k; ++link) ascending.set(link);
      if (k > 4 && n > 3) continue;  // the same rule, only longer
      for (std::uint32_t index = 0; index < labels->shape.switches(); ++index)
        for (std::uint32_t p = 0; p < labels->shape.hosts(); ++p) {
          const LinkSet free = forward(ir, index, p), fixed = forward(fir, index, p);
          ASSERT_EQ(fixed.count(), 1u);
          ASSERT_TRUE((fixed & ascending).any() ? free == ascending : free == fixed);
        }
    }
}

RC_GTEST_PROP(Registers, forward_as_tables_do_for_any_hints, ()) {
  const auto seed = *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
  const Fabric base = *rc::gen::element(k_ary_n_tree(2, 4), k_ary_n_tree(3, 3), k_ary_n_tree(5, 2));
  const Fabric f = assign_lids(test::shuffled(base, seed).fabric, *rc::gen::inRange(0u, 3u));
  const std::optional<KaryLabels> labels = label_k_ary_tree(f);
  RC_ASSERT(labels.has_value());
  RC_ASSERT(!compare(make_fir_registers(labels->shape), *labels, f, tables_of(f)).has_value());
}

// The check can fail: an entry that goes up by another port, or down by one.
RC_GTEST_PROP(Registers, other_entries_are_found, ()) {
  const Fabric f = assign_lids(k_ary_n_tree(3, 3), 0);
  const KaryLabels labels = label_k_ary_tree(f).value();
  Tables t = tables_of(f);
  const auto s = *rc::gen::inRange<SwitchId>(0, f.num_switches());
  const auto h = *rc::gen::inRange<HostId>(0, f.num_hosts());
  const PortNum old = t.next(s, f.host(h).lid);
  const auto port = *rc::gen::distinctFrom(rc::gen::inRange<PortNum>(0, 8), old);
  t.set_next(s, f.host(h).lid, port);
  const auto mismatch = compare(make_fir_registers(labels.shape), labels, f, t);
  RC_ASSERT(mismatch.has_value());
  RC_ASSERT(mismatch->at == s && mismatch->destination == h && mismatch->table == port);
}

TEST(Registers, are_for_complete_k_ary_n_trees) {
  EXPECT_FALSE(label_k_ary_tree(torus({4, 4})).has_value());
  EXPECT_FALSE(label_k_ary_tree(clos(4, 4, 3)).has_value());
  EXPECT_FALSE(label_k_ary_tree(xgft({3, 4}, {1, 3})).has_value());
  EXPECT_FALSE(label_k_ary_tree(Fabric{}).has_value());
  EXPECT_TRUE(label_k_ary_tree(clos(4, 4, 4)).has_value());  // a 4-ary 2-tree
  const Fabric tree = k_ary_n_tree(2, 3);
  for (const Channel c : tree.links())
    EXPECT_FALSE(label_k_ary_tree(without(tree, {.links = {c}, .switches = {}})).has_value());
  for (SwitchId s = 0; s < tree.num_switches(); ++s)
    EXPECT_FALSE(label_k_ary_tree(without(tree, {.links = {}, .switches = {s}})).has_value());
}

}  // namespace
}  // namespace selvedge
