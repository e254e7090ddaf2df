// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths to a destination (class Columns) are turned into tables (column_writer.hpp) and mapped
// to the paths to another destination (cube_symmetry.hpp). Both are compared with a slow reference
// that follows every path separately.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <vector>

#include "plugin/engines/column_writer.hpp"
#include "plugin/engines/spftr/cube_symmetry.hpp"
#include "plugin/engines/spftr/lattice.hpp"
#include "plugin/engines/spftr/stretched_columns.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/support/shuffle.hpp"

namespace selvedge {
namespace {

struct RuledTorus {
  Fabric fabric;
  SwitchGraph graph;
  Lattice lattice;
  TurnRules rules;

  explicit RuledTorus(Fabric f)
      : fabric(std::move(f)),
        graph(make_switch_graph(fabric)),
        lattice(find_torus(fabric, graph, "spftr", 3)),
        rules(turn_rules(lattice, graph, spftr_rules(lattice.dimensions()))) {}
};

/// The number of a path's hops on VL 1 minus those on VL 0 with this SL, counted hop by hop. The
/// first hop is on VL 0.
std::int64_t lean_of(const TurnRules& rules, const std::vector<SwitchId>& switches,
                     const std::vector<Arc>& arcs, unsigned sl) {
  std::int64_t lean = -1;
  for (std::size_t i = 1; i < arcs.size(); ++i)
    lean += (rules.turn(switches[i], arcs[i - 1], arcs[i]).on_vl1 >> sl & 1u) != 0 ? 1 : -1;
  return lean;
}

// Computes the LFT entries, and the SL that balances the VLs, path by path in the columns' own
// order.
RC_GTEST_PROP(ColumnWriter, writes_what_following_every_path_gives, ()) {
  const unsigned lmc = *rc::gen::inRange(0u, 6u);
  const RuledTorus torus(
      assign_lids(selvedge::torus({*rc::gen::inRange(4u, 7u), *rc::gen::inRange(4u, 7u)},
                                  *rc::gen::inRange(1u, 3u)),
                  lmc));
  spftr::TreeCatalog catalog(spftr::spftr_trees());
  StretchedColumns stretched(torus.graph, torus.lattice, torus.rules, catalog, 1u << lmc);
  ColumnWriter writer(torus.fabric, torus.graph, torus.rules);
  std::vector<Columns> all;
  for (SwitchId d = 0; d < torus.fabric.num_switches(); ++d) {
    all.push_back(*stretched.towards(d));
    writer.write(d, all.back());
  }
  const Tables tables = std::move(writer).finish();

  std::int64_t lean = 0;
  for (SwitchId d = 0; d < torus.fabric.num_switches(); ++d) {
    const Columns& columns = all[d];
    for (unsigned c = 0; c < columns.used; ++c)
      for (SwitchId i = 0; i + 1 < torus.fabric.num_switches(); ++i) {
        const SwitchId s = columns.order[std::size_t{c} * torus.fabric.num_switches() + i];
        std::vector<SwitchId> switches{s};
        std::vector<Arc> arcs;
        while (switches.back() != d) {
          arcs.push_back(columns.next[switches.back() * columns.stride + c]);
          switches.push_back(torus.graph.target[arcs.back()]);
        }
        const SlSet may = columns.sls[s * columns.stride + c];
        unsigned best = 0;
        std::int64_t after = INT64_MAX;
        for (unsigned sl = 0; sl < torus.rules.sls; ++sl) {
          const std::int64_t then = lean + lean_of(torus.rules, switches, arcs, sl);
          if ((may >> sl & 1u) == 0 || std::abs(then) >= std::abs(after)) continue;
          after = then;
          best = sl;
        }
        lean = after;
        for (const HostId h : torus.fabric.hosts_at(d)) {
          const Host& host = torus.fabric.host(h);
          for (unsigned offset = c; offset < host.lid_count(); offset += columns.used) {
            const auto lid = static_cast<Lid>(host.lid + offset);
            RC_ASSERT(tables.lft(s)[lid] == torus.graph.port[arcs.front()]);
            RC_ASSERT(tables.sl(s, lid) == best);
          }
        }
      }
    for (const HostId h : torus.fabric.hosts_at(d))
      RC_ASSERT(tables.lft(d)[torus.fabric.host(h).lid] == torus.fabric.host(h).port);
  }
}

/// Columns with arbitrary arcs, which suffice since an image depends on positions only.
Columns drawn(const RuledTorus& torus, SwitchId destination) {
  Columns columns;
  columns.used = 2;
  columns.stride = 3;
  const SwitchId switches = torus.fabric.num_switches();
  columns.next.assign(std::size_t{switches} * columns.stride, kNoArc);
  columns.sls.assign(columns.next.size(), 0);
  columns.order.assign(columns.next.size(), kNoSwitch);
  for (SwitchId s = 0; s < switches; ++s)
    for (unsigned c = 0; c < columns.used && s != destination; ++c) {
      const Arc first = torus.graph.first[s];
      columns.next[s * columns.stride + c] =
          first + *rc::gen::inRange<Arc>(0, torus.graph.first[s + 1] - first);
      columns.sls[s * columns.stride + c] = *rc::gen::inRange<SlSet>(1, 16);
      columns.order[std::size_t{c} * switches + s] = s;
    }
  return columns;
}

std::array<unsigned, 3> position(const RuledTorus& torus, SwitchId s) {
  return {torus.lattice.coordinate(s, 0), torus.lattice.coordinate(s, 1),
          torus.lattice.coordinate(s, 2)};
}

SwitchId at(const RuledTorus& torus, const std::array<unsigned, 3>& wanted) {
  for (SwitchId s = 0; s < torus.fabric.num_switches(); ++s)
    if (position(torus, s) == wanted) return s;
  return kNoSwitch;
}

std::array<unsigned, 3> exchanged(const std::array<unsigned, 3>& from,
                                  const std::array<unsigned, 3>& exchange) {
  std::array<unsigned, 3> to{};
  for (unsigned i = 0; i < 3; ++i) to[exchange[i]] = from[i];
  return to;
}

RC_GTEST_PROP(CubeSymmetry, images_are_what_exchanging_coordinates_gives, ()) {
  const unsigned k = *rc::gen::inRange(3u, 6u);
  const Fabric bare = assign_lids(selvedge::torus({k, k, k}), 0);
  const RuledTorus torus(*rc::gen::arbitrary<bool>() ? bare : test::shuffled(bare, 1).fabric);
  const CubeSymmetry cube(torus.graph, torus.lattice, torus.rules);
  RC_ASSERT(cube.holds());
  const SwitchId destination = *rc::gen::inRange(0u, torus.fabric.num_switches());
  const Columns columns = drawn(torus, destination);

  std::set<SwitchId> seen;
  unsigned leaders = 0;
  for (const CubeSymmetry::Image& image : cube.images(destination)) {
    RC_ASSERT(seen.insert(image.destination).second);
    leaders += cube.leads(image.destination) ? 1 : 0;
    const Columns turned = cube.image(columns, image.exchange);
    // One exchange of the coordinates must map all columns.
    std::array<unsigned, 3> exchange{0, 1, 2};
    bool explained = false;
    do {
      bool fits = at(torus, exchanged(position(torus, destination), exchange)) == image.destination;
      for (SwitchId s = 0; fits && s < torus.fabric.num_switches(); ++s) {
        const SwitchId to = at(torus, exchanged(position(torus, s), exchange));
        for (unsigned c = 0; fits && c < columns.used; ++c) {
          const Arc arc = columns.next[s * columns.stride + c];
          const Arc image_arc = turned.next[to * columns.stride + c];
          fits = (arc == kNoArc) == (image_arc == kNoArc) &&
                 turned.sls[to * columns.stride + c] == columns.sls[s * columns.stride + c];
          if (fits && arc != kNoArc)
            fits = torus.graph.target[image_arc] ==
                       at(torus, exchanged(position(torus, torus.graph.target[arc]), exchange)) &&
                   image_arc >= torus.graph.first[to] && image_arc < torus.graph.first[to + 1];
        }
        const std::size_t place = s;
        const SwitchId listed = columns.order[place];
        fits = fits && turned.order[place] == (listed == kNoSwitch ? kNoSwitch : to);
      }
      explained = explained || fits;
    } while (!explained && std::ranges::next_permutation(exchange).found);
    RC_ASSERT(explained);
  }
  RC_ASSERT(leaders == 1u);
  // A destination has as many images as its coordinates have distinct orders.
  std::array<unsigned, 3> own = position(torus, destination);
  std::ranges::sort(own);
  std::set<std::array<unsigned, 3>> orders;
  do orders.insert(own);
  while (std::ranges::next_permutation(own).found);
  RC_ASSERT(seen.size() == orders.size());
}

TEST(CubeSymmetry, HoldsForWholeCubesAlone) {
  const auto holds = [](const RuledTorus& torus) {
    return CubeSymmetry(torus.graph, torus.lattice, torus.rules).holds();
  };
  const Fabric cube = assign_lids(torus({4, 4, 4}), 0);
  EXPECT_TRUE(holds(RuledTorus(cube)));
  EXPECT_FALSE(holds(RuledTorus(assign_lids(torus({4, 4, 5}), 0))));
  EXPECT_FALSE(holds(RuledTorus(assign_lids(torus({4, 4}), 0))));
  EXPECT_FALSE(holds(RuledTorus(without(cube, parse_fault(cube, {"S-0-1-2:3"})))));
  EXPECT_FALSE(holds(RuledTorus(without(cube, parse_fault(cube, {"S-3-1-2"})))));
  RuledTorus bent(cube);  // one entry of the table differs
  bent.rules.turns[(bent.rules.region[0] * bent.rules.kinds + 1) * bent.rules.kinds + 3].on_vl1 ^=
      1;
  EXPECT_FALSE(holds(bent));
}

}  // namespace
}  // namespace selvedge
