// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The engines on random irregular trees: proved, balanced, and independent of the order in the
// file. SELVEDGE_TREES sets the number of trees (200), SELVEDGE_SEED the first seed (1).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/union_find.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/draw.hpp"
#include "tests/unit/engines/drawn.hpp"
#include "tests/unit/fabric/random_tree.hpp"

namespace selvedge {
namespace {

using test::RandomTree;

std::uint64_t number_of(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// The same tree twice, each adapter with a port in both: two rails in one subnet.
Fabric two_rails(const Fabric& rail) {
  FabricBuilder builder;
  constexpr Guid kBeyond = Guid{1} << 40;
  for (unsigned i = 0; i < 2; ++i)
    for (Switch s : rail.switches()) {
      s.guid += i * kBeyond;
      s.name += i == 0 ? " A" : " B";
      s.lid = kNoLid;
      builder.add_switch(s);
    }
  for (unsigned i = 0; i < 2; ++i) {
    const SwitchId by = i * rail.num_switches();
    for (const Channel c : rail.links())
      builder.connect(rail.switch_of(c) + by, rail.port_of(c), rail.target(c) + by,
                      rail.port_of(rail.peer(c)));
    for (Host h : rail.hosts()) {
      h.guid += i * kBeyond;
      h.ca_port = static_cast<PortNum>(i + 1);
      h.lid = kNoLid;
      h.at += by;
      builder.add_host(h);
    }
  }
  return std::move(builder).build("two rails");
}

/// A lower bound on the load of the busiest channel: the pairs that must leave a subtree, spread
/// evenly over the cables that leave it; and all pairs of one host, on its own cable.
std::uint64_t lower_bound(const Fabric& fabric, const std::vector<std::int32_t>& level) {
  std::uint64_t bound = fabric.num_hosts() > 0 ? fabric.num_hosts() - 1 : 0;
  const std::int32_t top = *std::ranges::max_element(level);
  for (std::int32_t l = *std::ranges::min_element(level); l < top; ++l) {
    UnionFind parts(fabric.num_switches());
    for (const Channel c : fabric.links())
      if (level[fabric.switch_of(c)] <= l && level[fabric.target(c)] <= l)
        parts.unite(fabric.switch_of(c), fabric.target(c));
    std::vector<std::uint64_t> hosts(fabric.num_switches(), 0), cables(fabric.num_switches(), 0);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (level[s] <= l) hosts[parts.root(s)] += fabric.hosts_at(s).size();
    for (const Channel c : fabric.links())
      for (const Channel way : {c, fabric.peer(c)})
        if (level[fabric.switch_of(way)] <= l && level[fabric.target(way)] > l)
          ++cables[parts.root(fabric.switch_of(way))];
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (cables[s] == 0) continue;
      const std::uint64_t pairs = hosts[s] * (fabric.num_hosts() - hosts[s]);
      bound = std::max(bound, (pairs + cables[s] - 1) / cables[s]);
    }
  }
  return bound;
}

Routing proved(const Fabric& fabric, std::string_view engine, const std::string& text) {
  // tftr is free from deadlock only with its own SLs, not for replies.
  const bool one_sl = engine != "tftr";
  const VerifyOptions all{.replies = one_sl, .any_sl = one_sl};
  Routing routing = find_engine(engine).compute(fabric, {});
  if (routing.multicast)
    routing.tables.mft[kMinMulticastLid] = broadcast_tree(fabric, *routing.multicast);
  const Proof proof = verify(fabric, routing.tables, all);
  EXPECT_TRUE(proof.verdict().holds(all))
      << engine << " on " << text << ": " << test::first_witness(proof.verdict());
  return routing;
}

TEST(RandomTrees, AreProvedAndBalanced) {
  const std::uint64_t count = number_of("SELVEDGE_TREES", 200);
  const std::uint64_t first = test::draw_seed();
  for (const std::string_view engine : {"dmodk", "updn", "tftr"}) {
    std::uint64_t over = 0;
    double worst = 0;
    std::string worst_text;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      const RandomTree tree = test::random_tree(seed, static_cast<unsigned>(seed % 3));
      const Routing routing = proved(tree.fabric, engine, tree.text);
      const std::uint64_t bound = lower_bound(tree.fabric, tree.level);
      if (bound == 0) continue;
      const double ratio = static_cast<double>(base_channel_load_max(tree.fabric, routing.tables)) /
                           static_cast<double>(bound);
      over += ratio > 2;
      if (ratio <= worst) continue;
      worst = ratio;
      worst_text = tree.text;
    }
    std::cout << fmt::format("{}: {} of {} trees over twice the bound; worst {:.2f}: {}\n", engine,
                             over, count, worst, worst_text);
    EXPECT_LE(100 * over, count) << engine << ", seeds from " << first;
  }
}

/// A leaf switch's hosts times all other hosts, divided by its cables to spines, is the least
/// possible load (in pairs) of the most loaded of these cables. The expected values are this bound.
TEST(IntactTrees, AreBalancedAsWellAsCanBe) {
  const std::pair<Fabric, std::uint64_t> trees[] = {
      {clos(6, 12, 6), 66}, {k_ary_n_tree(4, 3), 60}, {xgft({8, 3, 9}, {1, 8, 4}), 208}};
  for (const auto& [bare, optimum] : trees)
    for (const unsigned lmc : {0u, 2u})
      for (const std::string_view engine : {"dmodk", "updn", "tftr"}) {
        const Fabric fabric = assign_lids(bare, lmc);
        EXPECT_EQ(base_channel_load_max(fabric, find_engine(engine).compute(fabric, {}).tables),
                  optimum)
            << engine << ", LMC " << lmc;
      }
}

TEST(RandomTrees, TwoRailsAreProved) {
  const std::uint64_t first = test::draw_seed();
  for (std::uint64_t seed = first; seed < first + number_of("SELVEDGE_TREES", 200) / 10; ++seed) {
    const RandomTree tree = test::random_tree(seed);
    const Fabric fabric = assign_lids(two_rails(tree.fabric), 0);
    for (const std::string_view engine : {"dmodk", "updn", "tftr"})
      proved(fabric, engine, "two rails of " + tree.text);
  }
}

/// The records of a .net file, which empty lines separate, in another order.
std::string reordered(const std::string& text, std::uint64_t seed) {
  std::vector<std::string> records;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find("\n\n", begin)) != std::string::npos; begin = end + 2)
    records.push_back(text.substr(begin, end - begin));
  records.push_back(text.substr(begin));
  StableRandom random(seed);
  random.shuffle(records);
  std::string result;
  for (const std::string& record : records) result += record + "\n\n";
  return result;
}

TEST(RandomTrees, HaveTheSameTablesWhateverTheOrderInTheFile) {
  const std::uint64_t first = test::draw_seed();
  for (std::uint64_t seed = first; seed < first + number_of("SELVEDGE_TREES", 200) / 10; ++seed) {
    const RandomTree tree = test::random_tree(seed, 0, {.shuffle = false});
    const std::string text = write_net(tree.fabric);
    const Fabric one = assign_lids(read_fabric(text, "one").fabric, 0);
    const Fabric two = assign_lids(read_fabric(reordered(text, seed), "two").fabric, 0);
    for (const std::string_view engine : {"dmodk", "updn", "tftr"})
      EXPECT_EQ(find_engine(engine).compute(one, {}).tables,
                find_engine(engine).compute(two, {}).tables)
          << engine << " on " << tree.text;
  }
}

}  // namespace
}  // namespace selvedge
