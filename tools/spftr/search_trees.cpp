// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the stretched trees of one shape (plugin/engines/spftr/zones.hpp) and prints them in the
// form of plugin/engines/spftr/trees.hpp:
//
//   search_trees spftr|aspftr ROWS-LEFT ROWS-RIGHT COLUMNS-LEFT COLUMNS-RIGHT TREES EXTRA SECONDS
//
// The four numbers are the zones on either side of the destination, 0 to 4. EXTRA: how many hops
// the four paths of a source may together take over the least possible. Exit code 1: there are no
// trees, 3: no answer in time.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "tools/spftr/trees_sat.hpp"

using namespace selvedge;
using namespace selvedge::spftr;

namespace {

/// The widths of a sample torus, which decide the sources to check in wide zones.
///
/// If switches alternate (even and odd ones send in different directions) only in the destination's
/// row and column: a wide zone of four switches has both ends and, between them, an even and an odd
/// switch that are no ends. For widths below four the ends differ, but only in that row and column.
/// Elsewhere the two switches in the middle are enough.
///
/// If switches alternate everywhere, the case of a source depends on whether its neighbours are in
/// the same zone, and on their parity. Four switches have all cases except an even end (the last of
/// five), the zone after it, and a zone of one switch; rows and columns are independent.
struct Kind {
  unsigned wide_rows, wide_columns;
};
constexpr Kind kOwnLines[] = {{4, 4}, {3, 3}, {2, 2}, {1, 1}};
constexpr Kind kEverywhere[] = {{4, 4}, {4, 5}, {4, 1}, {5, 4}, {5, 5},
                                {5, 1}, {1, 4}, {1, 5}, {1, 1}};

Line line_of(unsigned left, unsigned right, unsigned wide) {
  const auto gap = [&](unsigned zones) {
    return zones == kMostSideZones ? kNear + wide + kFar : zones;
  };
  return {gap(left) + 1 + gap(right), gap(left)};
}

unsigned distance_on(const Line& line, unsigned coordinate) {
  return coordinate > line.destination ? coordinate - line.destination
                                       : line.destination - coordinate;
}

/// Whether a source at this coordinate is checked. With widths other than four, only the sources
/// whose case does not occur with four.
bool shows_line(const Line& line, unsigned coordinate, unsigned wide) {
  if (wide == 4) return true;
  const unsigned distance = distance_on(line, coordinate);
  return distance == kNear + wide || (wide == 5 && distance == kNear + wide + 1);
}

bool shows(const SampleTorus& torus, unsigned source, const Kind& kind) {
  const unsigned y = source / torus.columns.size, x = source % torus.columns.size;
  if (torus.shape.turns == Alternation::kEverywhere)
    return shows_line(torus.rows, y, kind.wide_rows) &&
           shows_line(torus.columns, x, kind.wide_columns);
  const Zone row = torus.row_zone(source), column = torus.column_zone(source);
  if (row.number == torus.shape.rows.left || column.number == torus.shape.columns.left) return true;
  if (kind.wide_rows != 4) return false;
  const auto middle = [](const Line& line, unsigned coordinate, const Zone& zone) {
    const unsigned distance = distance_on(line, coordinate);
    return !zone.wide || distance == kNear + 2 || distance == kNear + 3;
  };
  return middle(torus.rows, y, row) && middle(torus.columns, x, column);
}

/// Bounds of the paths of a source that a tree may have besides the source's four disjoint paths.
constexpr PathBounds kOthers[] = {{6, 40, 60}, {9, 40, 400}};

struct Offer {
  std::vector<ZonePath> paths;
  std::vector<unsigned> total;  // the result of totals()
  unsigned least = 0;

  explicit Offer(std::vector<ZonePath> found) : paths(std::move(found)), total(totals(paths)) {
    for (const unsigned t : total)
      if (t > 0 && (least == 0 || t < least)) least = t;
  }
};

/// The paths from which the four of a source are chosen. If switches alternate everywhere, one path
/// may go almost round the torus, and there are far too many paths of that length to try all.
Offer candidates(ZonePaths& all, unsigned source, Alternation turns) {
  Offer offer({});
  if (turns == Alternation::kDestinationLines) {
    for (unsigned slack = 8; slack <= 24 && offer.least == 0; slack += 2)
      offer = Offer(all.from(source, {6, slack}));
  } else {
    for (unsigned number = 60; number <= 600 && offer.least == 0; number *= 3)
      offer = Offer(all.from(source, {6, UINT_MAX / 2, number}));
  }
  return offer;
}

/// The paths of a source that may be among its four disjoint ones (which together are at most
/// `extra` hops longer than necessary), and the other paths that a tree may have.
SourcePaths offer(ZonePaths& all, unsigned source, Alternation turns, unsigned extra,
                  const PathBounds& others) {
  Offer best = candidates(all, source, turns);
  SourcePaths kept;
  for (std::size_t p = 0; p < best.paths.size(); ++p)
    if (best.total[p] > 0 && best.total[p] <= best.least + extra) {
      kept.paths.push_back(std::move(best.paths[p]));
      kept.disjoint.push_back(true);
    }
  for (ZonePath& path : all.from(source, others)) {
    const bool known = std::ranges::any_of(
        kept.paths, [&](const ZonePath& k) { return k.directions == path.directions; });
    if (known) continue;
    kept.paths.push_back(std::move(path));
    kept.disjoint.push_back(false);
  }
  return kept;
}

/// The samples of a shape; empty if some source has no four disjoint paths, which is then printed.
std::vector<Sample> make_samples(const unsigned (&side)[4], const LatticeRules& rules,
                                 Alternation turns, unsigned extra, const PathBounds& others) {
  const auto stretched = [&](unsigned i) {
    return side[i] == kMostSideZones || side[i + 1] == kMostSideZones;
  };
  const std::span<const Kind> kinds =
      turns == Alternation::kEverywhere ? std::span<const Kind>(kEverywhere) : kOwnLines;
  std::vector<Sample> samples;
  for (const Kind& kind : kinds) {
    const bool both = turns == Alternation::kEverywhere;  // each dimension has a width of its own
    const bool any = stretched(0) || stretched(2);
    if (kind.wide_rows != 4 && !(both ? stretched(0) : any)) continue;
    if (kind.wide_columns != 4 && !(both ? stretched(2) : any)) continue;
    Sample sample;
    SampleTorus& torus = sample.torus;
    torus.rows = line_of(side[0], side[1], kind.wide_rows);
    torus.columns = line_of(side[2], side[3], kind.wide_columns);
    torus.shape = {shape_of(torus.rows), shape_of(torus.columns), turns};
    torus.rules = &rules;
    ZonePaths all(torus);
    for (unsigned s = 0; s < torus.switches(); ++s) {
      if (s == torus.destination() || !shows(torus, s, kind)) continue;
      sample.sources.push_back(s);
      sample.offers.push_back(offer(all, s, turns, extra, others));
      const auto& fit = sample.offers.back().disjoint;
      if (std::ranges::find(fit, true) == fit.end()) {
        fmt::print(stderr, "no four disjoint paths from row {}, column {}\n",
                   s / torus.columns.size, s % torus.columns.size);
        return {};
      }
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9) {
    fmt::print(stderr,
               "usage: search_trees spftr|aspftr ROWS-LEFT ROWS-RIGHT COLUMNS-LEFT COLUMNS-RIGHT "
               "TREES EXTRA SECONDS\n");
    return 2;
  }
  const bool symmetric = std::strcmp(argv[1], "spftr") == 0;
  const LatticeRules rules = symmetric ? spftr_rules(2) : aspftr_rules();
  const Alternation turns = symmetric ? Alternation::kDestinationLines : Alternation::kEverywhere;
  unsigned side[4];
  for (int i = 0; i < 4; ++i) side[i] = static_cast<unsigned>(std::atoi(argv[2 + i]));
  const unsigned trees = static_cast<unsigned>(std::atoi(argv[6]));
  const unsigned extra = static_cast<unsigned>(std::atoi(argv[7]));

  Answer answer;
  for (const PathBounds& others : kOthers) {
    const std::vector<Sample> samples = make_samples(side, rules, turns, extra, others);
    if (samples.empty()) return 1;
    answer = find_trees(samples, trees, std::atof(argv[8]));
    if (answer.trees.empty()) return answer.proved_none ? 1 : 3;
    if (answer.unreached == 0) break;
  }
  if (answer.unreached > 0)
    fmt::print(stderr, "{} sources lack a path in some tree\n", answer.unreached);
  fmt::print("{} {} {} {} ", side[0], side[1], side[2], side[3]);
  for (const auto& tree : answer.trees) {
    if (&tree != &answer.trees.front()) fmt::print("/");
    for (const unsigned direction : tree) fmt::print("{}", direction);
  }
  fmt::print("\n");
  return 0;
}
