// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SPFTR's trees that stretch: the zones, the stored trees, and what the verifier says of the tables
// on tori of every size.
#include "plugin/engines/stretched_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {
namespace {

using namespace spftr;

/// d the destination, n near, w and W wide (at an even, an odd distance), f far, . a zone by
/// itself.
std::string drawn(unsigned size, unsigned destination) {
  const Line line{size, destination};
  std::string text;
  for (unsigned c = 0; c < size; ++c) {
    const Zone zone = zone_of(line, c);
    const unsigned gap = c > destination ? line.right() : line.left();
    const unsigned distance = c > destination ? c - destination : destination - c;
    text += c == destination ? 'd'
            : zone.wide      ? (zone.odd ? 'W' : 'w')
            : gap < 4        ? '.'
            : distance == 1  ? 'n'
                             : 'f';
  }
  return text;
}

TEST(Zones, OfALine) {
  EXPECT_EQ(drawn(4, 0), "d...");
  EXPECT_EQ(drawn(5, 0), "dnwff");
  EXPECT_EQ(drawn(7, 3), "...d...");
  EXPECT_EQ(drawn(10, 3), "...dnwWwff");
  EXPECT_EQ(drawn(10, 9), "ffWwWwWwnd");
  EXPECT_EQ(drawn(13, 6), "ffwWwndnwWwff");
}

RC_GTEST_PROP(Zones, follow_the_coordinates_and_leave_none_out, ()) {
  const unsigned size = *rc::gen::inRange(1u, 40u), d = *rc::gen::inRange(0u, size);
  const Line line{size, d};
  unsigned expected = 0;
  for (unsigned c = 0; c < size; ++c) {
    const Zone zone = zone_of(line, c);
    if (c > 0 && !(zone.wide && zone_of(line, c - 1).wide && zone.number == expected)) ++expected;
    RC_ASSERT(zone.number == expected);
    RC_ASSERT(zone.wide || !zone.odd);
  }
  RC_ASSERT(expected + 1 == shape_of(line).zones());
}

TEST(StoredTrees, AreThereForEveryDestinationFromFourOn) {
  TreeBook book(spftr_trees(), true);
  for (unsigned a = 4; a <= 12; ++a)
    for (unsigned b = 4; b <= 12; ++b)
      for (unsigned y = 0; y < a; ++y)
        for (unsigned x = 0; x < b; ++x) {
          const ShapeTrees* trees = book.find({spftr::shape_of({a, y}), spftr::shape_of({b, x})});
          ASSERT_NE(trees, nullptr) << a << 'x' << b << " towards " << y << ',' << x;
          EXPECT_GE(trees->trees, 4u);
          EXPECT_LE(trees->trees, 15u) << "LMC 4 has 16 LIDs, one of them for column 0";
        }
  EXPECT_EQ(book.find({spftr::shape_of({3, 1}), spftr::shape_of({3, 1})}), nullptr);
}

TEST(StoredTrees, RowsAndColumnsCanBeExchanged) {
  TreeBook book(spftr_trees(), true);
  for (const Line rows : {Line{9, 0}, Line{9, 4}, Line{12, 9}})
    for (const Line columns : {Line{6, 1}, Line{8, 7}, Line{11, 5}}) {
      const PlaneShape shape{spftr::shape_of(rows), spftr::shape_of(columns)};
      const PlaneShape turned{shape.columns, shape.rows};
      if (turned.index() == shape.index()) continue;  // stored as it is
      const ShapeTrees &one = *book.find(shape), &other = *book.find(turned);
      ASSERT_EQ(one.trees, other.trees);
      for (unsigned y = 0; y < rows.size; ++y)
        for (unsigned x = 0; x < columns.size; ++x) {
          if (y == rows.destination && x == columns.destination) continue;
          const unsigned cell = shape.cell(zone_of(rows, y), zone_of(columns, x));
          const unsigned turned_cell = turned.cell(zone_of(columns, x), zone_of(rows, y));
          for (unsigned t = 0; t < one.trees; ++t)
            EXPECT_EQ(one.direction[cell * one.trees + t],
                      other.direction[turned_cell * one.trees + t] ^ 2u);
        }
    }
}

TEST(StoredTrees, AWrongTextIsRefused) {
  const StoredTrees torn{4, 4, 4, 4, "ABC"}, strange{0, 3, 0, 3, "ABC*EFG"};
  EXPECT_THROW(TreeBook({&torn, 1}, true).find({{4, 4}, {4, 4}}), std::logic_error);
  EXPECT_THROW(TreeBook({&strange, 1}, true).find({{0, 3}, {0, 3}}), std::logic_error);
}

Verdict verdict_of(const Fabric& fabric, unsigned disjoint) {
  VerifyOptions asked;
  asked.disjoint = disjoint;
  const Proof proof = verify(fabric, find_engine("spftr").compute(fabric, {}).tables, asked);
  EXPECT_TRUE(proof.verdict().holds(asked))
      << (proof.verdict().witnesses.empty() ? "" : proof.verdict().witnesses.front().text);
  return proof.verdict();
}

Fabric with_lids(unsigned rows, unsigned columns) {
  const Fabric bare = torus({rows, columns});
  return assign_lids(bare, find_engine("spftr").lmc(bare));
}

// T6: Montañana 2008, Fig. 8.8. The larger ones are left to an ordinary build: under a sanitizer
// they would take minutes.
TEST(StretchedColumns, FourDisjointPathsOnEveryTorus) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr unsigned kMost = 8;
#else
  constexpr unsigned kMost = 20;
#endif
  for (unsigned rows = 4; rows <= kMost; ++rows)
    for (unsigned columns = rows; columns <= kMost; ++columns) {
      SCOPED_TRACE(fmt::format("{}x{}", rows, columns));
      const Verdict verdict = verdict_of(with_lids(rows, columns), 4);
      EXPECT_LE(verdict.vls_used, 2u);
      EXPECT_LE(verdict.sls_used, 4u);
    }
}

RC_GTEST_PROP(StretchedColumns, also_where_rows_are_more_than_columns, ()) {
  const unsigned rows = *rc::gen::inRange(5u, 14u), columns = *rc::gen::inRange(4u, rows);
  const Verdict verdict = verdict_of(with_lids(rows, columns), 4);
  RC_ASSERT(verdict.vls_used <= 2u && verdict.sls_used <= 4u);
}

/// A tree for 30×4 and 4×30: wider than anything that the search for the trees looked at.
TEST(StretchedColumns, AlsoOnLongTori) {
  verdict_of(with_lids(4, 30), 4);
  verdict_of(with_lids(33, 5), 4);
}

Path path_of(const Fabric& fabric, const Tables& tables, SwitchId s, SwitchId d, unsigned offset) {
  const Host& host = fabric.host(fabric.hosts_at(d).front());
  return walk(fabric, tables, s, 0, static_cast<Lid>(host.lid + offset));
}

/// With up to three cables missing all is routed, and a path that crossed none of them stays as it
/// was, but for column 0, which is laid anew, and columns that became copies of it.
RC_GTEST_PROP(StretchedColumns, a_cut_moves_only_what_crossed_it, ()) {
  const Fabric whole = with_lids(*rc::gen::inRange(4u, 9u), *rc::gen::inRange(4u, 9u));
  const Tables before = find_engine("spftr").compute(whole, {}).tables;
  std::vector<std::string> cut;
  for (unsigned i = *rc::gen::inRange(1u, 4u); i > 0; --i) {
    const SwitchId s = *rc::gen::inRange(0u, whole.num_switches());
    cut.push_back(fmt::format("{}:{}", whole.node(s).name, *rc::gen::inRange(1, 5)));
  }
  const Fabric left = without(whole, parse_fault(whole, cut));
  const Routing routing = find_engine("spftr").compute(left, {});
  const Tables& after = routing.tables;
  const Proof proof = verify(left, after);
  for (const Witness& witness : proof.verdict().witnesses) RC_LOG() << witness.text << "\n";
  RC_ASSERT(proof.verdict().holds({}));
  RC_ASSERT(proof.verdict().disconnected == 0u);  // three cables leave a torus in one piece
  RC_ASSERT(proof.verdict().vls_used <= 2u && proof.verdict().sls_used <= 4u);

  // Seldom so much is missing that the paths to a switch have to be searched for.
  RC_PRE(std::ranges::none_of(routing.remarks, [](const std::string& remark) {
    return remark.starts_with("damage") && !remark.ends_with(" 0 switches were searched for");
  }));

  for (SwitchId d = 0; d < whole.num_switches(); ++d)
    for (unsigned offset = 1; offset < 16; ++offset) {
      bool copied = true;
      for (SwitchId s = 0; s < whole.num_switches() && copied; ++s)
        copied = s == d || path_of(left, after, s, d, offset).switches ==
                               path_of(left, after, s, d, 0).switches;
      if (copied) continue;
      for (SwitchId s = 0; s < whole.num_switches(); ++s) {
        if (s == d) continue;
        const Path path = path_of(whole, before, s, d, offset);
        const bool whole_still = std::ranges::all_of(
            path.channels, [&](Channel c) { return left.peer(c) != kNoChannel; });
        // Offsets beyond the columns begin again with column 0.
        if (!whole_still || path.switches == path_of(whole, before, s, d, 0).switches) continue;
        RC_ASSERT(path_of(left, after, s, d, offset).switches == path.switches);
      }
    }
}

/// Column 0 is there for who has one path only: it is hardly longer than the shortest of all.
TEST(StretchedColumns, TheFirstPathIsShort) {
  const Fabric fabric = with_lids(10, 10);
  const Tables tables = find_engine("spftr").compute(fabric, {}).tables;
  std::uint64_t first = 0, shortest = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (SwitchId d = 0; d < fabric.num_switches(); ++d) {
      if (d == s) continue;
      const HostId h = fabric.hosts_at(d).front();
      std::size_t least = SIZE_MAX;
      for (unsigned offset = 0; offset < fabric.host(h).lid_count(); ++offset) {
        const Path path = walk(fabric, tables, s, 0, static_cast<Lid>(fabric.host(h).lid + offset));
        least = std::min(least, path.channels.size());
        if (offset == 0) first += path.channels.size();
      }
      shortest += least;
    }
  EXPECT_LE(static_cast<double>(first), 1.03 * static_cast<double>(shortest));
}

}  // namespace
}  // namespace selvedge
