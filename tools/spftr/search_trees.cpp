// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the stretched trees of one shape (plugin/engines/spftr_zones.hpp) and prints them in the
// form of plugin/engines/spftr_trees.hpp:
//
//   search_trees spftr|aspftr ROWS-LEFT ROWS-RIGHT COLUMNS-LEFT COLUMNS-RIGHT TREES EXTRA SECONDS
//
// The four numbers are zones on either side, 0 to 4. EXTRA: how many hops the four paths of a
// source may take together over the least possible. Exit code 1: there are none, 3: no answer in
// time.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tools/spftr/trees_sat.hpp"

using namespace selvedge;
using namespace selvedge::spftr;

namespace {

/// Wide zones of four switches show both ends and, between them, an even and an odd one that are
/// neither. Where switches take turns, the ends differ with the width, until it is four.
constexpr unsigned kWide[] = {4, 3, 2, 1};

Line line_of(unsigned left, unsigned right, unsigned wide) {
  const auto gap = [&](unsigned zones) {
    return zones == kMostSideZones ? kNear + wide + kFar : zones;
  };
  return {gap(left) + 1 + gap(right), gap(left)};
}

/// Which sources show every case: in wide zones the two in the middle, but all in the destination's
/// row and column, and for narrower zones only these.
bool shows(const SampleTorus& torus, unsigned source, bool narrower) {
  const Zone row = torus.row_zone(source), column = torus.column_zone(source);
  if (row.number == torus.shape.rows.left || column.number == torus.shape.columns.left) return true;
  if (narrower) return false;
  const auto middle = [](const Line& line, unsigned coordinate, const Zone& zone) {
    if (!zone.wide) return true;
    const unsigned distance = coordinate > line.destination ? coordinate - line.destination
                                                            : line.destination - coordinate;
    return distance == kNear + 2 || distance == kNear + 3;
  };
  return middle(torus.rows, source / torus.columns.size, row) &&
         middle(torus.columns, source % torus.columns.size, column);
}

/// What else than one of the four paths of a source a tree may hold there.
struct Others {
  PathBounds bounds;
  unsigned number;  // for each first direction
};
constexpr Others kOthers[] = {{{6, 16}, 60}, {{9, 26}, 400}};

/// The paths that may be among four that are at most `extra` longer than need be, and others.
SourcePaths offer(const SampleTorus& torus, unsigned source, unsigned extra, const Others& others) {
  SourcePaths offer;
  constexpr unsigned kMostSlack = 24;
  std::vector<unsigned> total;
  unsigned least = 0;
  for (unsigned slack = 8; slack <= kMostSlack && least == 0; slack += 2) {
    offer.paths = zone_paths(torus, source, {6, slack});
    total = totals(torus, offer.paths);
    for (const unsigned t : total)
      if (t > 0 && (least == 0 || t < least)) least = t;
  }
  std::vector<ZonePath> more = zone_paths(torus, source, others.bounds);
  for (const unsigned t : total) offer.disjoint.push_back(t > 0 && t <= least + extra);
  SourcePaths kept;
  unsigned number[4] = {};
  for (std::size_t p = 0; p < offer.paths.size(); ++p)
    if (offer.disjoint[p]) {
      kept.paths.push_back(offer.paths[p]);
      kept.disjoint.push_back(true);
    }
  for (ZonePath& path : more) {
    if (number[path.directions[0]]++ >= others.number) continue;
    const bool known = std::ranges::any_of(
        kept.paths, [&](const ZonePath& k) { return k.directions == path.directions; });
    if (known) continue;
    kept.paths.push_back(std::move(path));
    kept.disjoint.push_back(false);
  }
  return kept;
}

/// Nothing if some source has no four disjoint paths; says which.
std::vector<Sample> make_samples(const unsigned (&side)[4], const LatticeRules& rules,
                                 unsigned extra, const Others& others) {
  const bool stretched = std::ranges::any_of(side, [](unsigned s) { return s == kMostSideZones; });
  std::vector<Sample> samples;
  for (const unsigned wide : kWide) {
    const bool narrower = wide != kWide[0];
    if (narrower && !stretched) break;
    Sample sample;
    SampleTorus& torus = sample.torus;
    torus.rows = line_of(side[0], side[1], wide);
    torus.columns = line_of(side[2], side[3], wide);
    torus.shape = {shape_of(torus.rows), shape_of(torus.columns)};
    torus.rules = &rules;
    for (unsigned s = 0; s < torus.switches(); ++s) {
      if (s == torus.destination() || !shows(torus, s, narrower)) continue;
      sample.sources.push_back(s);
      sample.offers.push_back(offer(torus, s, extra, others));
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
  const LatticeRules rules = std::strcmp(argv[1], "spftr") == 0 ? spftr_rules(2) : aspftr_rules();
  unsigned side[4];
  for (int i = 0; i < 4; ++i) side[i] = static_cast<unsigned>(std::atoi(argv[2 + i]));
  const unsigned trees = static_cast<unsigned>(std::atoi(argv[6]));
  const unsigned extra = static_cast<unsigned>(std::atoi(argv[7]));

  Answer answer;
  for (const Others& others : kOthers) {
    const std::vector<Sample> samples = make_samples(side, rules, extra, others);
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
