// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tools/spftr/zone_paths.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <climits>

namespace selvedge::spftr {
namespace {

using Passed = std::bitset<512>;

class Search {
 public:
  Search(const SampleTorus& torus, unsigned source, const PathBounds& bounds)
      : torus_(torus),
        bounds_(bounds),
        most_(torus.distance(source) + bounds.slack),
        in_row_(torus.row_zone(source).number == torus.shape.rows.left),
        in_column_(torus.column_zone(source).number == torus.shape.columns.left) {
    on_[source] = true;
    const SlSet all = static_cast<SlSet>((1u << torus.rules->sls) - 1);
    go(source, {all, 0}, 0);
    std::ranges::stable_sort(found_, {}, [](const ZonePath& p) { return p.directions.size(); });
  }
  std::vector<ZonePath> found() && { return std::move(found_); }

 private:
  /// May a path of a stretched tree turn here, not having begun here? In wide zones only one that
  /// goes along the destination's row (column) and began there.
  bool may_turn(unsigned at, unsigned in) const {
    const Zone row = torus_.row_zone(at), column = torus_.column_zone(at);
    if (in >= 2) return !column.wide || (row.number == torus_.shape.rows.left && in_row_);
    return !row.wide || (column.number == torus_.shape.columns.left && in_column_);
  }

  /// A tree has one direction for all switches of a cell.
  bool agrees(unsigned at, unsigned direction) const {
    const unsigned cell = torus_.cell(at);
    return std::ranges::none_of(
        cells_, [&](const auto& held) { return held.first == cell && held.second != direction; });
  }

  void go(unsigned at, SlState state, unsigned turns) {
    if (at == torus_.destination()) {
      found_.push_back({directions_, {switches_.begin(), switches_.end() - 1}});
      return;
    }
    if (directions_.size() + torus_.distance(at) > most_) return;
    for (unsigned direction = 0; direction < 4; ++direction) {
      SlState next = state;
      unsigned more = 0;
      if (!directions_.empty()) {
        const unsigned in = directions_.back();
        if ((in ^ 1u) == direction) continue;
        more = in != direction ? 1 : 0;
        if (more > 0 && (turns == bounds_.turns || !may_turn(at, in))) continue;
        next = state.after(torus_.rules->turns[(torus_.region(at) * 4 + in) * 4 + direction]);
        if (next.any() == 0) continue;
      }
      const unsigned to = torus_.step(at, direction);
      if (on_[to] || !agrees(at, direction)) continue;
      on_[to] = true;
      switches_.push_back(to);
      directions_.push_back(direction);
      cells_.push_back({torus_.cell(at), direction});
      go(to, next, turns + more);
      cells_.pop_back();
      directions_.pop_back();
      switches_.pop_back();
      on_[to] = false;
    }
  }

  const SampleTorus& torus_;
  const PathBounds bounds_;
  const std::size_t most_;
  const bool in_row_, in_column_;  // of the destination: does the path begin there?
  Passed on_;
  std::vector<unsigned> directions_, switches_;
  std::vector<std::pair<unsigned, unsigned>> cells_;
  std::vector<ZonePath> found_;
};

}  // namespace

unsigned SampleTorus::step(unsigned at, unsigned direction) const {
  const unsigned a = rows.size, b = columns.size, y = at / b, x = at % b;
  switch (direction) {
    case 0:
      return (y + a - 1) % a * b + x;
    case 1:
      return (y + 1) % a * b + x;
    case 2:
      return y * b + (x + b - 1) % b;
    default:
      return y * b + (x + 1) % b;
  }
}

unsigned SampleTorus::distance(unsigned at) const {
  const auto ring = [](unsigned from, const Line& line) {
    const unsigned d = from > line.destination ? from - line.destination : line.destination - from;
    return std::min(d, line.size - d);
  };
  return ring(at / columns.size, rows) + ring(at % columns.size, columns);
}

unsigned SampleTorus::region(unsigned at) const {
  const std::array position{at / columns.size, at % columns.size};
  const std::array sizes{rows.size, columns.size};
  return rules->region_of(position, sizes);
}

std::vector<ZonePath> zone_paths(const SampleTorus& torus, unsigned source,
                                 const PathBounds& bounds) {
  return Search(torus, source, bounds).found();
}

std::vector<unsigned> totals(const SampleTorus&, const std::vector<ZonePath>& paths) {
  std::vector<Passed> passed(paths.size());
  std::array<std::vector<unsigned>, 4> group;
  for (unsigned p = 0; p < paths.size(); ++p) {
    for (const unsigned s : paths[p].switches) passed[p].set(s);
    group[paths[p].directions[0]].push_back(p);
  }
  const auto length = [&](unsigned p) { return static_cast<unsigned>(paths[p].directions.size()); };
  std::vector<unsigned> best(paths.size(), 0);
  // Paths of one source that leave by one arc are in order of length, so the first fit is the best
  // for the last group; the other two are gone through, with a bound.
  for (unsigned p = 0; p < paths.size(); ++p) {
    std::array<const std::vector<unsigned>*, 3> others{};
    for (unsigned g = 0, n = 0; g < 4; ++g)
      if (g != paths[p].directions[0]) others[n++] = &group[g];
    unsigned least = UINT_MAX;
    for (const unsigned a : *others[0]) {
      if (length(p) + length(a) >= least) break;
      if ((passed[p] & passed[a]).any()) continue;
      const Passed two = passed[p] | passed[a];
      for (const unsigned b : *others[1]) {
        if (length(p) + length(a) + length(b) >= least) break;
        if ((two & passed[b]).any()) continue;
        const Passed three = two | passed[b];
        for (const unsigned c : *others[2]) {
          const unsigned total = length(p) + length(a) + length(b) + length(c);
          if (total >= least) break;
          if ((three & passed[c]).none()) least = total;
        }
      }
    }
    if (least != UINT_MAX) best[p] = least;
  }
  return best;
}

}  // namespace selvedge::spftr
