// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SPFTR's and A-SPFTR's trees that stretch: the zones, the stored trees, and proofs of the tables
// on tori of every size.
#include "plugin/engines/spftr/stretched_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/sanitized.hpp"

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

/// Each part is a zone, or the odd or even switches of a wide one, and they are numbered without
/// gaps.
RC_GTEST_PROP(Zones, have_parts_by_parity_where_switches_take_turns, ()) {
  const unsigned size = *rc::gen::inRange(1u, 40u), d = *rc::gen::inRange(0u, size);
  const Line line{size, d};
  const LineShape shape = shape_of(line);
  std::map<unsigned, std::pair<unsigned, bool>> meaning;
  for (unsigned c = 0; c < size; ++c) {
    const Zone zone = zone_of(line, c);
    RC_ASSERT(shape.part(zone) < shape.parts());
    const auto [known, fresh] =
        meaning.try_emplace(shape.part(zone), std::pair<unsigned, bool>{zone.number, zone.odd});
    RC_ASSERT(fresh || (known->second.first == zone.number && known->second.second == zone.odd));
  }
  unsigned narrow = 0;  // wide zones of one switch, which has no odd neighbour
  narrow += line.left() == kNear + kFar + 1 ? 1 : 0;
  narrow += line.right() == kNear + kFar + 1 ? 1 : 0;
  RC_ASSERT(meaning.size() + narrow == shape.parts());
}

void expect_trees(const TreeStore& store, unsigned least) {
  TreeCatalog catalog(store);
  for (unsigned a = least; a <= 12; ++a)
    for (unsigned b = least; b <= 12; ++b)
      for (unsigned y = 0; y < a; ++y)
        for (unsigned x = 0; x < b; ++x) {
          const ShapeTrees* trees = catalog.find(catalog.shape({a, y}, {b, x}));
          ASSERT_NE(trees, nullptr) << a << 'x' << b << " towards " << y << ',' << x;
          EXPECT_GE(trees->trees, 4u);
          EXPECT_LE(trees->trees, 15u) << "LMC 4 has 16 LIDs, one of them for column 0";
        }
  EXPECT_EQ(catalog.find(catalog.shape({3, 1}, {3, 1})), nullptr);
}

TEST(StoredTrees, AreThereForEveryDestination) {
  expect_trees(spftr_trees(), 4);
  expect_trees(aspftr_trees(), 5);
}

TEST(StoredTrees, RowsAndColumnsCanBeExchanged) {
  TreeCatalog catalog(spftr_trees());
  for (const Line rows : {Line{9, 0}, Line{9, 4}, Line{12, 9}})
    for (const Line columns : {Line{6, 1}, Line{8, 7}, Line{11, 5}}) {
      const PlaneShape shape = catalog.shape(rows, columns);
      const PlaneShape turned = catalog.shape(columns, rows);
      if (turned.index() == shape.index()) continue;  // stored as it is
      const ShapeTrees &one = *catalog.find(shape), &other = *catalog.find(turned);
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

/// The error for the trees of a shape in a text of the form of trees.txt.
std::string said_of(const std::string& text, Alternation turns) {
  try {
    const std::vector<StoredTrees> shapes = list_shapes("trees.txt", text);
    const StoredTrees& s = shapes.at(0);
    TreeCatalog({"trees.txt", shapes, turns, true})
        .find({{s.rows_left, s.rows_right}, {s.columns_left, s.columns_right}, turns});
    return "";
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

TEST(StoredTrees, AWrongTextIsRefusedWithItsLine) {
  const auto own = Alternation::kDestinationLines, everywhere = Alternation::kEverywhere;
  const std::string right = "# a head\nshape 0 1 0 4\no<<<< ^<v>^ : .>..\n";
  EXPECT_EQ(said_of(right, own), "");
  EXPECT_EQ(said_of("shape 0 1 0 4\no<<<<> ^<v>^^\n", everywhere), "");
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = right;
    text.replace(text.find(from), from.size(), to);
    return said_of(text, own);
  };
  EXPECT_EQ(with("o<<<<", "o<<<*"), "plugin/engines/trees.txt:3: '*' is none of ^v<>");
  const std::string form =
      "plugin/engines/trees.txt:3: a tree of this shape has the form o**** ***** : .*..";
  EXPECT_EQ(with("o<<<<", "o<<<"), form);
  EXPECT_EQ(with("o<<<<", "<<<<<"), form);
  EXPECT_EQ(with(".>..", ".>.<"), form);
  EXPECT_EQ(with("o<<<< ^<v>^ : .>..\n", ""), "plugin/engines/trees.txt:3: a shape without trees");
  EXPECT_EQ(with("1 0 4", "1 0 5"), "plugin/engines/trees.txt:2: '5' is no number from 0 to 4");
  EXPECT_EQ(with("1 0 4", "1 4"),
            "plugin/engines/trees.txt:2: no shape and its four numbers of zones");
  EXPECT_EQ(with("# a head", "o<<<<"),
            "plugin/engines/trees.txt:1: no shape and its four numbers of zones");
}

TEST(StoredTrees, EveryLineOfTheFilesIsATreeOfItsShape) {
  for (const TreeStore& store : {spftr_trees(), aspftr_trees()}) {
    TreeCatalog catalog(store);
    std::size_t trees = 0;
    for (const StoredTrees& s : store.shapes) {
      const PlaneShape shape{
          {s.rows_left, s.rows_right}, {s.columns_left, s.columns_right}, store.turns};
      ASSERT_NE(catalog.find(shape), nullptr);
      trees += catalog.find(shape)->trees;
    }
    EXPECT_EQ(store.shapes.size(), store.exchangeable ? 190u : 225u);
    EXPECT_GE(trees, 10 * store.shapes.size());
  }
}

struct Promise {
  const char* engine;
  unsigned least;  // size of a dimension
  unsigned sls;
};
constexpr Promise kSpftr{"spftr", 4, 4}, kAspftr{"aspftr", 5, 3};

Promise either() { return *rc::gen::element(kSpftr, kAspftr); }

Fabric with_lids(const char* engine, unsigned rows, unsigned columns) {
  const Fabric bare = torus({rows, columns});
  return assign_lids(bare, find_engine(engine).lmc(bare));
}

Fabric with_lids(unsigned rows, unsigned columns) { return with_lids("spftr", rows, columns); }

bool serves(const Promise& promise, unsigned rows, unsigned columns) {
  SCOPED_TRACE(fmt::format("{} on {}x{}", promise.engine, rows, columns));
  const Fabric fabric = with_lids(promise.engine, rows, columns);
  VerifyOptions asked;
  asked.disjoint = 4;
  const Proof proof = verify(fabric, find_engine(promise.engine).compute(fabric, {}).tables, asked);
  const Verdict& verdict = proof.verdict();
  EXPECT_TRUE(verdict.holds(asked))
      << (verdict.witnesses.empty() ? "" : verdict.witnesses.front().text);
  EXPECT_LE(verdict.vls_used, 2u);
  EXPECT_LE(verdict.sls_used, promise.sls);
  return verdict.holds(asked) && verdict.vls_used <= 2 && verdict.sls_used <= promise.sls;
}

// Only builds without a sanitizer test the larger tori; with one they would take minutes.
constexpr unsigned kLargest = test::kSanitized ? 8 : 20;

constexpr std::size_t kDrawn = 24;  // sizes drawn at random, if not all are tested

// Montañana 2008, Fig. 8.8.
TEST(StretchedColumns, FourDisjointPathsOnEveryTorus) {
  std::vector<std::pair<unsigned, unsigned>> sizes;
  for (unsigned rows = 4; rows <= kLargest; ++rows)
    for (unsigned columns = rows; columns <= kLargest; ++columns) sizes.emplace_back(rows, columns);
  for (const auto& [rows, columns] : test::drawn(sizes, kDrawn)) serves(kSpftr, rows, columns);
}

/// Table 4.3 is not the same with rows and columns exchanged.
TEST(StretchedColumns, FourDisjointPathsOnEveryTorusByAspftrToo) {
  std::vector<std::pair<unsigned, unsigned>> sizes;
  for (unsigned rows = 5; rows <= kLargest; ++rows)
    for (unsigned columns = 5; columns <= kLargest; ++columns) sizes.emplace_back(rows, columns);
  for (const auto& [rows, columns] : test::drawn(sizes, kDrawn)) serves(kAspftr, rows, columns);
}

RC_GTEST_PROP(StretchedColumns, also_where_rows_are_more_than_columns, ()) {
  const unsigned rows = *rc::gen::inRange(5u, 14u), columns = *rc::gen::inRange(4u, rows);
  RC_ASSERT(serves(kSpftr, rows, columns));
}

/// Wider than any torus in the search for the trees.
TEST(StretchedColumns, AlsoOnLongTori) {
  serves(kSpftr, 4, 30);
  serves(kSpftr, 33, 5);
  serves(kAspftr, 5, 31);
  serves(kAspftr, 32, 6);
}

/// Up to four cables or switches.
Fabric damaged(const Fabric& whole) {
  std::vector<std::string> cut;
  for (unsigned i = *rc::gen::inRange(1u, 5u); i > 0; --i) {
    const std::string& name = whole.node(*rc::gen::inRange(0u, whole.num_switches())).name;
    cut.push_back(
        *rc::gen::inRange(0, 4) == 0 ? name : fmt::format("{}:{}", name, *rc::gen::inRange(1, 5)));
  }
  return without(whole, parse_fault(whole, cut));
}

RC_GTEST_PROP(StretchedColumns, what_is_left_of_a_torus_is_routed, ()) {
  const Promise promise = either();
  const Fabric left =
      damaged(with_lids(promise.engine, *rc::gen::inRange(5u, 8u), *rc::gen::inRange(5u, 8u)));
  std::optional<Routing> routing;
  try {
    routing = find_engine(promise.engine).compute(left, {});
  } catch (const InputError&) {
    RC_DISCARD("too much is missing to see a torus");
  }
  const Proof proof = verify(left, routing->tables);
  for (const Witness& witness : proof.verdict().witnesses) RC_LOG() << witness.text << "\n";
  RC_ASSERT(proof.verdict().holds({}));
  RC_ASSERT(proof.verdict().vls_used <= 2u && proof.verdict().sls_used <= promise.sls);
}

/// Two adjacent switches that are cut off except for the cable between them.
TEST(StretchedColumns, APieceApartIsRoutedByItself) {
  for (const unsigned size : {8u, 12u}) {
    const Fabric whole = with_lids(size, size);
    const unsigned end = size - 1;
    const std::string last = fmt::format("S-{}-0", end);
    const Fabric left = without(
        whole, parse_fault(whole, {"S-0-0/S-0-1", "S-0-0/S-1-0", fmt::format("S-0-0/S-0-{}", end),
                                   fmt::format("{}/S-{}-1", last, end),
                                   fmt::format("{}/S-{}-0", last, end - 1),
                                   fmt::format("{}/S-{}-{}", last, end, end)}));
    const Proof proof = verify(left, find_engine("spftr").compute(left, {}).tables);
    EXPECT_TRUE(proof.verdict().holds({})) << size;
    EXPECT_GT(proof.verdict().disconnected, 0u);
  }
}

/// If the torus is too large for a search, the trees are mended, and most pairs keep most of their
/// paths.
void expect_most_paths_kept(const Promise& promise) {
  const Fabric whole = with_lids(promise.engine, 12, 12);
  for (const char* fault : {"S-5-5", "S-0-0:2", "S-11-11/S-11-0"}) {
    SCOPED_TRACE(fmt::format("{}, {}", promise.engine, fault));
    const Fabric left = without(whole, parse_fault(whole, {fault}));
    const Routing routing = find_engine(promise.engine).compute(left, {});
    EXPECT_TRUE(verify(left, routing.tables).verdict().holds({}));
    DisjointPaths paths(left, routing.tables);
    unsigned pairs = 0, three = 0;
    for (SwitchId s = 0; s < left.num_switches(); ++s)
      for (SwitchId d = 0; d < left.num_switches(); ++d) {
        if (s == d || left.node(s).failed || left.node(d).failed) continue;
        ++pairs;
        three += paths.find(s, left.hosts_at(d).front()).size() >= 3 ? 1 : 0;
      }
    EXPECT_GE(three * 10, pairs * 9) << three << " of " << pairs;
  }
}

TEST(StretchedColumns, AMendedTorusKeepsMostDisjointPaths) {
  expect_most_paths_kept(kSpftr);
  expect_most_paths_kept(kAspftr);
}

/// The columns of a torus by themselves.
struct Laid {
  Fabric fabric;
  SwitchGraph graph;
  Lattice lattice;
  TurnRules rules;
  TreeCatalog catalog;
  StretchedColumns columns;

  Laid(const Promise& promise, Fabric f)
      : fabric(std::move(f)),
        graph(make_switch_graph(fabric)),
        lattice(find_torus(fabric, graph, promise.engine, 2)),
        rules(turn_rules(lattice, graph, promise.sls == 4 ? spftr_rules(2) : aspftr_rules())),
        catalog(promise.sls == 4 ? spftr_trees() : aspftr_trees()),
        columns(graph, lattice, rules, catalog, 16) {}

  std::vector<SwitchId> path(const Columns& towards, SwitchId s, unsigned column) const {
    std::vector<SwitchId> path{s};
    for (Arc arc; (arc = towards.next[path.back() * towards.stride + column]) != kNoArc;)
      path.push_back(graph.target[arc]);
    return path;
  }
};

bool is_found(const Promise& promise, const Fabric& fabric) {
  try {
    find_torus(fabric, make_switch_graph(fabric), promise.engine, 2);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// A path that crossed nothing that is missing is unchanged, except in column 0, which is built
/// again, and in columns that became copies of it.
RC_GTEST_PROP(StretchedColumns, a_cut_moves_only_what_crossed_it, ()) {
  const Promise promise = either();
  Laid whole(promise, with_lids(*rc::gen::inRange(5u, 9u), *rc::gen::inRange(5u, 9u)));
  std::vector<std::string> cut;
  for (unsigned i = *rc::gen::inRange(1u, 4u); i > 0; --i) {
    const SwitchId s = *rc::gen::inRange(0u, whole.fabric.num_switches());
    cut.push_back(fmt::format("{}:{}", whole.fabric.node(s).name, *rc::gen::inRange(1, 5)));
  }
  const Fabric rest = without(whole.fabric, parse_fault(whole.fabric, cut));
  RC_PRE(is_found(promise, rest));  // three missing cables hide a small torus once in 3,000 draws
  Laid left(promise, rest);
  RC_PRE(left.lattice.position == whole.lattice.position);  // else the torus is found turned over
  const auto joined = [&](SwitchId a, SwitchId b) {
    for (Arc arc = left.graph.first[a]; arc < left.graph.first[a + 1]; ++arc)
      if (left.graph.target[arc] == b) return true;
    return false;
  };
  const SwitchId switches = whole.fabric.num_switches();
  for (SwitchId d = 0; d < switches; ++d) {
    const Columns& before = *whole.columns.towards(d);
    RC_ASSERT(whole.columns.reattached() == 0u);
    const Columns* after = left.columns.towards(d);
    if (after == nullptr) continue;
    unsigned copies = 0;
    for (unsigned c = 1; c < before.used; ++c) {
      bool copy = true;
      for (SwitchId s = 0; s < switches; ++s)
        copy = copy && after->next[s * after->stride + c] == after->next[s * after->stride];
      copies += copy ? 1 : 0;
      if (copy) continue;
      for (SwitchId s = 0; s < switches; ++s) {
        const std::vector<SwitchId> path = whole.path(before, s, c);
        bool crossed = false;
        for (std::size_t i = 1; i < path.size(); ++i) crossed |= !joined(path[i - 1], path[i]);
        if (!crossed) RC_ASSERT(left.path(*after, s, c) == path);
      }
    }
    RC_ASSERT(copies >= left.columns.copies());  // a mended one may be like it by chance
  }
}

Path path_of(const Fabric& fabric, const Tables& tables, SwitchId s, SwitchId d, unsigned offset) {
  const Host& host = fabric.host(fabric.hosts_at(d).front());
  return walk(fabric, tables, s, 0, static_cast<Lid>(host.lid + offset));
}

/// Column 0 serves sources that use one LID only: it is hardly longer than the shortest of all.
TEST(StretchedColumns, TheFirstPathIsShort) {
  const Fabric fabric = with_lids(10, 10);
  const Tables tables = find_engine("spftr").compute(fabric, {}).tables;
  std::uint64_t first = 0, shortest = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (SwitchId d = 0; d < fabric.num_switches(); ++d) {
      if (d == s) continue;
      std::size_t least = SIZE_MAX;
      for (unsigned offset = 0; offset < 16; ++offset) {
        const Path path = path_of(fabric, tables, s, d, offset);
        least = std::min(least, path.channels.size());
        if (offset == 0) first += path.channels.size();
      }
      shortest += least;
    }
  EXPECT_LE(static_cast<double>(first), 1.03 * static_cast<double>(shortest));
}

}  // namespace
}  // namespace selvedge
