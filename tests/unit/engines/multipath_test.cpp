// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Kim 2007 §3.2 and §3.3: the paper's example, and all connected graphs of up to six switches
// against an implementation that follows the text word by word and shares no code with the engine.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/engines/multipath/complement.hpp"
#include "plugin/engines/multipath/plan.hpp"
#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::Cables;
namespace mp = multipath;

struct Graph {
  Fabric fabric;
  SwitchGraph graph;
  mp::SimpleGraph simple;
  mp::Cycles cycles;

  explicit Graph(Fabric f) : fabric(std::move(f)), graph(make_switch_graph(fabric)) {
    simple = mp::make_simple_graph(graph);
    cycles = mp::find_cycles(simple, components(graph));
  }
  std::uint32_t count() const { return cycles.most(); }
  mp::CycleList list(const std::vector<SwitchId>& way, bool* defined = nullptr) const {
    std::vector<mp::Edge> edges;
    for (std::size_t i = 0; i + 1 < way.size(); ++i)
      edges.push_back(simple.between(way[i], way[i + 1]));
    const auto found = mp::path_list(cycles, edges);
    if (defined != nullptr) *defined = found.has_value();
    return found.value_or(mp::CycleList{});
  }
  std::string bits(const std::vector<SwitchId>& way) const {
    bool defined = false;
    const mp::CycleList found = list(way, &defined);
    return defined ? mp::bits_text(found, count()) : "undefined";
  }
};

//  Kim 2007, Fig. 4:   a---b      ports: a has b at 1 and c at 2, as in Fig. 5
//                      |  /|
//                      | / |
//                      |/  |
//                      c---d
constexpr SwitchId a = 0, b = 1, c = 2, d = 3;
Fabric example(unsigned lmc = 0) {
  return test::draw(4, {{a, b}, {a, c}, {b, c}, {b, d}, {c, d}}, {}, lmc);
}

TEST(Multipath, FindsThePapersCycles) {
  const Graph g(example());
  ASSERT_EQ(g.cycles.of.size(), 1u);
  EXPECT_EQ(g.cycles.of[0], (std::vector<std::vector<SwitchId>>{{a, c, b, a}, {c, d, b, c}}));
  EXPECT_EQ(g.cycles.list[g.simple.between(b, c)], (mp::CycleList{-1, 2}));
  EXPECT_EQ(g.cycles.list[g.simple.between(c, b)], (mp::CycleList{1, -2}));
}

TEST(Multipath, GivesThePapersPathBits) {
  const Graph g(example());
  EXPECT_EQ(g.bits({b, a}), "1X");
  EXPECT_EQ(g.bits({b, c, a}), "01");
  EXPECT_EQ(g.bits({b, d, c, a}), "00");
  EXPECT_EQ(g.bits({a, b}), "0X");
  EXPECT_EQ(g.bits({a, c, b}), "10");
  EXPECT_EQ(g.bits({a, c, d, b}), "11");
}

TEST(Multipath, TheWayBackOfTheExamplesPathsHasTheComplement) {
  const Graph g(example());
  EXPECT_EQ(g.bits({b, d, c, a}), "00");
  EXPECT_EQ(g.bits({a, c, d, b}), "11");
  const mp::ComplementCounts counts = mp::count_complements(g.simple, g.cycles, 100);
  EXPECT_EQ(counts.paths, 38u);
  EXPECT_EQ(counts.unlike, 0u);
}

TEST(Multipath, GivesThePapersTableOfSwitchA) {
  const Graph g(example());
  const mp::KeptBits kept = mp::keep_bits(2, 2, {});
  std::uint32_t entries = 0;
  for (const SwitchId to : {b, c, d})
    entries += mp::combined_entries(
        mp::make_entries(g.simple, g.cycles, kept, mp::paths_to(g.simple, to, 100)), a);
  EXPECT_EQ(entries, 6u);
}

TEST(Multipath, CountsTheTwoConflictsOfThePapersExample) {
  const Graph g(example());
  // b → c: bits 10 lead over a and over d; the shorter path bc has other bits.
  EXPECT_EQ(g.bits({b, a, c}), "1X");
  EXPECT_EQ(g.bits({b, d, c}), "X0");
  const mp::KeptBits kept = mp::keep_bits(2, 2, {});
  mp::EntryCounts counts;
  for (SwitchId to = 0; to < 4; ++to)
    counts += mp::make_entries(g.simple, g.cycles, kept, mp::paths_to(g.simple, to, 100)).counts;
  EXPECT_EQ(counts.conflicts, 2u);
  EXPECT_EQ(counts.holes, 0u);
  EXPECT_EQ(counts.undefined, 0u);
  EXPECT_EQ(counts.strings, 4u * 3 * 4);
}

//  All paths of the example have a LID of their own at LMC 3: two bits, and the paper's third,
//  which says whether bits count (§3.3).
TEST(Multipath, EveryPathOfTheExampleHasALid) {
  const Fabric f = example(3);
  EXPECT_EQ(find_engine("multipath").lmc(f), 3u);
  const Tables t = find_engine("multipath").compute(f, {}).tables;
  const mp::BitPlan plan = mp::plan_bits(f);
  std::map<std::string, std::vector<SwitchId>> ways;
  for (unsigned i = 0; i < 8; ++i)
    ways.emplace(mp::lid_bits(f, plan, f.host(a), i),
                 test::route(f, t, b, static_cast<Lid>(f.host(a).lid + i)));
  const std::map<std::string, std::vector<SwitchId>> expected{
      {"-", {b, a}}, {"10", {b, a}}, {"11", {b, a}}, {"01", {b, c, a}}, {"00", {b, d, c, a}}};
  EXPECT_EQ(ways, expected);
}

/// The remark about the tables of the fabric that begins with, or contains, `part`.
std::string remark(const Fabric& f, std::string_view part, bool paper = false) {
  EngineRequest request;
  request.paper = paper;
  for (const std::string& line : find_engine("multipath").compute(f, request).remarks)
    if (line.find(part) != std::string::npos) return line;
  return "";
}

/// Where LIDs are too few, the bits that are in none of them are named, and how many paths are
/// left.
TEST(Multipath, RemarksNameThePathsThatAnLmcLeaves) {
  EXPECT_EQ(remark(example(0), "LMC 0"),
            "LMC 0 has no path bits: all paths are the default ones; the 2 cycles need LMC 3");
  EXPECT_EQ(remark(example(1), "path bits: "),
            "2 cycles, and LMC 1 has 1 path bits: P2 are 0 in every LID, and paths with a 1 there "
            "have none");
  EXPECT_EQ(remark(example(1), "LIDs follow", true),
            "LIDs follow 19 of 38 paths; 0 (0.0 %) paths have contradicting bits");
  EXPECT_EQ(remark(example(3), "LIDs follow", true),
            "LIDs follow 38 of 38 paths; 0 (0.0 %) paths have contradicting bits");
}

//      0 === 1    Two cables, at ports 1 and 2 of both switches.
//       \   /
//         2
TEST(Multipath, OfParallelCablesTheFirstHasPathBitsAndTheOthersAreNamed) {
  const Fabric f = test::draw(3, {{0, 1}, {0, 1}, {1, 2}, {0, 2}}, {}, 2);
  EXPECT_EQ(remark(f, "parallel"),
            "parallel cables without path bits, only on default paths: those at 0:2, 1:2");
  EngineRequest request;
  request.paper = true;
  const Tables t = find_engine("multipath").compute(f, request).tables;
  for (const SwitchId s : {0u, 1u})
    for (const Host& to : f.hosts())
      for (unsigned i = 1; i < to.lid_count(); ++i)
        EXPECT_NE(t.next(s, static_cast<Lid>(to.lid + i)), 2)
            << s << " to " << to.name << " + " << i;
}

TEST(Multipath, UnionFollowsDefinition2) {
  EXPECT_EQ(mp::list_union({1}, {2}), (mp::CycleList{1, 2}));
  EXPECT_EQ(mp::list_union({1, 2}, {-1, 3}), (mp::CycleList{2, 3}));
  EXPECT_EQ(mp::list_union({1, 2}, {-1}), (mp::CycleList{-1, 2}));
  EXPECT_EQ(mp::list_union({1}, {-1, 2}), (mp::CycleList{1, 2}));
  EXPECT_EQ(mp::list_union({1}, {-1}), std::nullopt);
  EXPECT_EQ(mp::list_union({}, {-1}), (mp::CycleList{-1}));
}

// --- The same, word by word.

using Members = std::set<std::pair<std::uint32_t, bool>>;  // cycle, clockwise

struct Literal {
  unsigned n;
  std::vector<std::vector<bool>> edge;
  std::vector<std::vector<SwitchId>> cycles;

  Literal(unsigned count, const Cables& cables)
      : n(count), edge(count, std::vector<bool>(count, false)) {
    for (const auto& [x, y] : cables) edge[x][y] = edge[y][x] = true;
  }

  unsigned degree(SwitchId s) const {
    return static_cast<unsigned>(std::count(edge[s].begin(), edge[s].end(), true));
  }

  /// All simple paths, short ones first, then by their switches.
  std::vector<std::vector<SwitchId>> paths(SwitchId from, SwitchId to) const {
    std::vector<std::vector<SwitchId>> found, open{{from}};
    while (!open.empty()) {
      std::vector<std::vector<SwitchId>> longer;
      for (const auto& path : open)
        for (SwitchId s = 0; s < n; ++s) {
          if (!edge[path.back()][s] || std::ranges::find(path, s) != path.end()) continue;
          longer.push_back(path);
          longer.back().push_back(s);
          if (s == to) {
            found.push_back(longer.back());
            longer.pop_back();
          }
        }
      open = std::move(longer);
    }
    return found;
  }

  /// Whether `x` → `y` is a step of the cycle in its direction.
  static bool has(const std::vector<SwitchId>& cycle, SwitchId x, SwitchId y) {
    for (std::size_t i = 0; i + 1 < cycle.size(); ++i)
      if (cycle[i] == x && cycle[i + 1] == y) return true;
    return false;
  }

  Members list(SwitchId x, SwitchId y) const {
    Members members;
    for (std::uint32_t k = 0; k < cycles.size(); ++k) {
      if (has(cycles[k], x, y)) members.insert({k, true});
      if (has(cycles[k], y, x)) members.insert({k, false});
    }
    return members;
  }

  /// Definition 2, with its four cases.
  static std::optional<Members> join(const Members& one, const Members& two) {
    Members all = one;
    all.insert(two.begin(), two.end());
    for (const auto& [k, way] : one) {
      if (!two.contains({k, !way})) continue;
      if (one.size() == 1 && two.size() == 1) return std::nullopt;
      if (one.size() > 1) all.erase({k, way});
      if (two.size() > 1) all.erase({k, !way});
    }
    return all;
  }

  std::optional<Members> list(const std::vector<SwitchId>& path) const {
    std::optional<Members> all(std::in_place);
    for (std::size_t i = 0; i + 1 < path.size() && all; ++i)
      if (const Members next = list(path[i], path[i + 1]); !next.empty()) all = join(*all, next);
    return all;
  }
};

/// Compares the engine's parts with the paper's words. Adds what it counted to `sum`.
void check_graph(unsigned n, const Cables& cables, mp::EntryCounts& sum) {
  Graph g(test::draw(n, cables));
  Literal literal(n, cables);
  // Algorithm 1: as many cycles as edges beside a spanning tree.
  ASSERT_EQ(g.count(), cables.size() - n + 1);
  literal.cycles = g.cycles.of[0];
  std::set<std::pair<SwitchId, SwitchId>> backs;
  for (const std::vector<SwitchId>& cycle : literal.cycles) {
    ASSERT_GE(cycle.size(), 4u);
    ASSERT_EQ(cycle.front(), cycle.back());
    ASSERT_EQ(std::set<SwitchId>(cycle.begin(), cycle.end()).size(), cycle.size() - 1);
    for (std::size_t i = 0; i + 1 < cycle.size(); ++i)
      ASSERT_TRUE(literal.edge[cycle[i]][cycle[i + 1]]);
    ASSERT_TRUE(backs.insert({cycle[0], cycle[1]}).second);
    // Algorithm 2: no cycle through that edge is shorter.
    std::size_t shortest = SIZE_MAX;
    for (const auto& home : literal.paths(cycle[1], cycle[0]))
      if (home.size() > 2) shortest = std::min(shortest, home.size() + 1);
    ASSERT_EQ(cycle.size(), shortest);
  }
  // The other edges are a tree: without the back edges the graph is connected.
  Literal tree(n, cables);
  for (const auto& [x, y] : backs) tree.edge[x][y] = tree.edge[y][x] = false;
  for (SwitchId s = 1; s < n; ++s) ASSERT_EQ(tree.paths(0, s).size(), 1u);

  const mp::KeptBits kept = mp::keep_bits(g.count(), g.count(), {});
  for (SwitchId to = 0; to < n; ++to) {
    const mp::PathsTo paths = mp::paths_to(g.simple, to, mp::path_limit(n));
    ASSERT_EQ(paths.cut, 0u);
    const mp::Entries entries = mp::make_entries(g.simple, g.cycles, kept, paths);
    mp::EntryCounts expected;
    for (SwitchId from = 0; from < n; ++from) {
      if (from == to) continue;
      const auto all = literal.paths(from, to);
      ASSERT_EQ(paths.of[from], all.size());
      expected.paths += all.size();
      expected.strings += kept.strings();
      struct Best {
        std::size_t length = SIZE_MAX;
        SwitchId next = kNoSwitch;
        std::set<SwitchId> nexts;
      };
      std::vector<Best> best(kept.strings());
      for (const auto& path : all) {
        const auto members = literal.list(path);
        if (!members) {
          ++expected.undefined;
          continue;
        }
        for (std::uint32_t string = 0; string < kept.strings(); ++string) {
          bool matches = true;
          for (const auto& [k, clockwise] : *members)
            matches &= (string >> (g.count() - 1 - k) & 1) == (clockwise ? 1u : 0u);
          if (!matches) continue;
          Best& now = best[string];
          now.nexts.insert(path[1]);
          // Ports of draw() ascend in the order of the cables, and so with the neighbour's id.
          if (path.size() < now.length || (path.size() == now.length && path[1] < now.next)) {
            now.length = path.size();
            now.next = path[1];
          }
        }
      }
      for (std::uint32_t string = 0; string < kept.strings(); ++string) {
        const mp::Edge e = entries.at(from, string);
        ASSERT_EQ(e == mp::kNoEdge ? kNoSwitch : g.simple.target[e], best[string].next);
        expected.holes += best[string].nexts.empty() ? 1 : 0;
        expected.conflicts += best[string].nexts.size() > 1 ? 1 : 0;
      }
    }
    sum += expected;
    ASSERT_EQ(entries.counts.paths, expected.paths);
    ASSERT_EQ(entries.counts.strings, expected.strings);
    ASSERT_EQ(entries.counts.undefined, expected.undefined);
    ASSERT_EQ(entries.counts.holes, expected.holes);
    ASSERT_EQ(entries.counts.conflicts, expected.conflicts);
  }
  // §3.4: the way back has the complement of the bits. Where it has not, that is counted.
  mp::ComplementCounts complements;
  for (SwitchId from = 0; from < n; ++from)
    for (SwitchId to = 0; to < n; ++to) {
      if (from == to) continue;
      for (std::vector<SwitchId> path : literal.paths(from, to)) {
        const auto bits = literal.list(path);
        if (!bits) continue;
        ++complements.paths;
        std::ranges::reverse(path);
        Members turned;
        for (const auto& [k, clockwise] : *bits) turned.insert({k, !clockwise});
        complements.unlike += literal.list(path) == turned ? 0 : 1;
      }
    }
  const mp::ComplementCounts counted = mp::count_complements(g.simple, g.cycles, mp::path_limit(n));
  ASSERT_EQ(counted.paths, complements.paths);
  ASSERT_EQ(counted.unlike, complements.unlike);
}

/// Every connected graph of n labelled switches, up to renaming: the first in the order of the
/// bits of its cables.
template <class F>
unsigned each_graph(unsigned n, F f) {
  Cables all;
  for (SwitchId x = 0; x < n; ++x)
    for (SwitchId y = x + 1; y < n; ++y) all.emplace_back(x, y);
  std::vector<std::vector<std::size_t>> renamings;
  std::vector<SwitchId> name(n);
  for (SwitchId s = 0; s < n; ++s) name[s] = s;
  do {
    std::vector<std::size_t>& renamed = renamings.emplace_back();
    for (const auto& [x, y] : all)
      renamed.push_back(static_cast<std::size_t>(
          std::ranges::find(all, std::pair<SwitchId, SwitchId>(std::minmax(name[x], name[y]))) -
          all.begin()));
  } while (std::next_permutation(name.begin(), name.end()));
  std::set<std::uint32_t> seen;
  unsigned graphs = 0;
  for (std::uint32_t bits = 0; bits < 1u << all.size(); ++bits) {
    if (seen.contains(bits)) continue;
    for (const auto& renamed : renamings) {
      std::uint32_t same = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if ((bits >> i & 1) != 0) same |= 1u << renamed[i];
      seen.insert(same);
    }
    Cables cables;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((bits >> i & 1) != 0) cables.push_back(all[i]);
    const Fabric fabric = test::draw(n, cables);
    const std::vector<unsigned> from_0 = test::hop_distances(fabric, 0);
    if (std::ranges::find(from_0, test::kApart) != from_0.end()) continue;
    ++graphs;
    f(cables);
  }
  return graphs;
}

TEST(Multipath, AgreesWithThePapersWordsOnAllSmallGraphs) {
  constexpr unsigned kConnected[] = {0, 1, 1, 2, 6, 21, 112};  // OEIS A001349
  for (unsigned n = 2; n <= 6; ++n) {
    const unsigned graphs = each_graph(n, [&](const Cables& cables) {
      mp::EntryCounts sum;
      if (!testing::Test::HasFatalFailure()) check_graph(n, cables, sum);
    });
    EXPECT_EQ(graphs, kConnected[n]);
  }
}

TEST(Multipath, AgreesWithThePapersWordsOnRandomGraphs) {
  mp::EntryCounts sum;
  for (std::uint64_t seed = 1; seed <= 60 && !testing::Test::HasFatalFailure(); ++seed) {
    const auto n = static_cast<unsigned>(7 + seed % 2);
    const Fabric f = irregular(n, 4, 1, seed, static_cast<unsigned>(n + 1 + seed % 4));
    Cables cables;
    for (const Channel link : f.links())
      cables.emplace_back(std::minmax(f.switch_of(link), f.target(link)));
    std::sort(cables.begin(), cables.end());
    check_graph(n, cables, sum);
  }
  // All that the paper leaves open occurs.
  EXPECT_GT(sum.holes, 0u);
  EXPECT_GT(sum.conflicts, 0u);
  EXPECT_GT(sum.undefined, 0u);
}

TEST(Multipath, Theorem2OfThePaperIsFalse) {
  // K4 has three cycles; no pair has 2³ paths.
  const Graph k4(test::draw(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(k4.count(), 3u);
  EXPECT_EQ(mp::paths_to(k4.simple, 0, 100).of, (std::vector<std::uint32_t>{0, 5, 5, 5}));
}

/// Proves tables with their multicast tree, on no more VLs than allowed.
void prove(const Fabric& f, const Routing& r, unsigned vls) {
  Tables tables = r.tables;
  tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Proof proof = verify(f, tables);
  ASSERT_TRUE(proof.verdict().holds({})) << test::first_witness(proof.verdict());
  ASSERT_LE(proof.verdict().vls_used, vls);
}

TEST(Multipath, AllSmallGraphsAreProvedOnOneVlAndOnEight) {
  for (unsigned n = 2; n <= 6; ++n)
    each_graph(n, [&](const Cables& cables) {
      for (const unsigned vls : {1u, 2u, 8u}) {
        if (testing::Test::HasFatalFailure()) return;
        const Fabric f = test::draw(n, cables, {}, 4);
        EngineRequest request;
        request.max_vls = vls;
        prove(f, find_engine("multipath").compute(f, request), vls);
      }
    });
}

RC_GTEST_PROP(Multipath, is_proved_on_every_fabric, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.max_vls = *rc::gen::inRange(1u, 9u);
  request.max_sls = *rc::gen::inRange(1u, 17u);
  Routing r = find_engine("multipath").compute(f, request);
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Proof proof = verify(f, r.tables);
  RC_LOG() << test::first_witness(proof.verdict());
  RC_ASSERT(proof.verdict().holds({}));
  RC_ASSERT(proof.verdict().vls_used <= request.max_vls);
  RC_ASSERT(proof.verdict().sls_used <= request.max_sls);
  // The same input gives the same tables.
  RC_ASSERT(find_engine("multipath").compute(f, request).tables == without_multicast(r.tables));
}

RC_GTEST_PROP(Multipath, papers_tables_connect_every_fabric_without_loops, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.paper = true;
  const Routing r = find_engine("multipath").compute(f, request);
  const Proof proof = verify(f, r.tables);
  RC_LOG() << test::first_witness(proof.verdict());
  RC_ASSERT(proof.verdict().connected);
  RC_ASSERT(proof.verdict().loop_free);
  RC_ASSERT(r.tables.one_sl());
  RC_ASSERT(!r.multicast);
}

RC_GTEST_PROP(Multipath, base_lids_have_shortest_paths_where_vls_suffice, ()) {
  const Fabric f = *test::every_fabric();
  const Routing r = find_engine("multipath").compute(f, {});
  RC_PRE(!r.base_paths);
  for (const Host& host : f.hosts()) {
    if (host.lid == kNoLid || f.destination_switch(host.lid) == kNoSwitch) continue;
    const std::vector<unsigned> distance = test::hop_distances(f, f.destination_switch(host.lid));
    for (SwitchId s = 0; s < f.num_switches(); ++s)
      if (const auto hops = test::hops(f, r.tables, s, host.lid)) RC_ASSERT(*hops == distance[s]);
  }
}

RC_GTEST_PROP(Multipath, answers_between_base_lids_are_safe, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.replies = ReplyGrade::kBase;
  request.replies_if_possible = true;
  const Routing r = compute_with_replies(find_engine("multipath"), f, request);
  // A remark says why it is not possible: every LID of a host may be needed for a disjoint path.
  const bool refused = std::ranges::any_of(r.remarks, [](const std::string& remark) {
    return remark.starts_with("responses on the request's SL: ");
  });
  RC_CLASSIFY(refused);
  const VerifyOptions base{.replies = true,
                           .grade = refused ? ReplyGrade::kOwnSl : ReplyGrade::kBase};
  RC_ASSERT(verify(f, r.tables, base).verdict().holds(base));
  if (!refused) return;
  request.replies_if_possible = false;
  RC_ASSERT_THROWS_AS(compute_with_replies(find_engine("multipath"), f, request), InputError);
}

//  A net as Kim 2007 describes it: 15 switches, nine cycles, each switch on one or two, 512 paths.
TEST(Multipath, Kim15IsWhatThePaperSays) {
  const std::string file = std::string(SELVEDGE_SOURCE_DIR) + "/conf/fabrics/kim-15.net";
  const Graph g(assign_lids(read_fabric_file(file).fabric, 0));
  ASSERT_EQ(g.fabric.num_switches(), 15u);
  EXPECT_EQ(g.fabric.links().size(), 23u);
  EXPECT_EQ(g.count(), 9u);
  const mp::KeptBits kept = mp::keep_bits(9, 9, {});
  std::uint32_t most_paths = 0;
  std::vector<mp::Entries> entries;
  for (SwitchId to = 0; to < 15; ++to) {
    const mp::PathsTo paths = mp::paths_to(g.simple, to, mp::path_limit(15));
    EXPECT_EQ(paths.cut, 0u);
    for (const std::uint32_t n : paths.of) most_paths = std::max(most_paths, n);
  }
  EXPECT_EQ(most_paths, 512u);
  for (SwitchId s = 0; s < 15; ++s) {
    EXPECT_LE(g.graph.first[s + 1] - g.graph.first[s], 4u);
    std::set<std::uint32_t> on;
    for (std::uint32_t k = 0; k < 9; ++k)
      if (std::ranges::find(g.cycles.of[0][k], s) != g.cycles.of[0][k].end()) on.insert(k);
    EXPECT_GE(on.size(), 1u);
    EXPECT_LE(on.size(), 2u);
  }
}

}  // namespace
}  // namespace selvedge
