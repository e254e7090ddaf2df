// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tools/spftr/zone_paths.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <climits>

namespace selvedge::spftr {
namespace {

using Passed = std::bitset<512>;

}  // namespace

ZonePaths::ZonePaths(const SampleTorus& torus) : torus_(torus), on_(torus.switches()) {
  for (unsigned s = 0; s < torus.switches(); ++s) region_.push_back(torus.region(s));
  ahead_.resize(std::size_t{torus.switches()} * 4 * torus.rules->sls * 2 * (kMostTurns + 1));
  look_ahead();
}

/// Whether for some source a path of a stretched tree that did not begin here may turn here. In
/// wide zones where switches alternate only in the destination's row (column), only a path along
/// that row (column) may turn.
bool ZonePaths::may_turn_for_some(unsigned at, unsigned in) const {
  const Zone row = torus_.row_zone(at), column = torus_.column_zone(at);
  const bool own = torus_.shape.turns == Alternation::kDestinationLines;
  if (in >= 2) return !column.wide || (own && row.number == torus_.shape.rows.left);
  return !row.wide || (own && column.number == torus_.shape.columns.left);
}

/// Whether a path from the present source may turn here. In wide zones it may one hop after the
/// source, or if it began in the destination's row (column).
bool ZonePaths::may_turn(unsigned at, unsigned in) const {
  if (torus_.shape.turns == Alternation::kEverywhere)
    return directions_.size() == 1 || may_turn_for_some(at, in);
  if (in >= 2) return !torus_.column_zone(at).wide || (in_row_ && may_turn_for_some(at, in));
  return !torus_.row_zone(at).wide || (in_column_ && may_turn_for_some(at, in));
}

void ZonePaths::look_ahead() {
  const unsigned sls = torus_.rules->sls, destination = torus_.destination();
  for (unsigned in = 0; in < 4; ++in)
    for (unsigned sl = 0; sl < sls; ++sl)
      for (unsigned vl = 0; vl < 2; ++vl)
        for (unsigned turns = 0; turns <= kMostTurns; ++turns)
          ahead(destination, in, sl, vl, turns) = 1;
  for (bool any = true; any;) {
    any = false;
    for (unsigned at = 0; at < torus_.switches(); ++at)
      for (unsigned way = 0; way < 16; ++way) {
        const unsigned in = way / 4, out = way % 4, turned = in != out ? 1 : 0;
        if (at == destination || (in ^ 1u) == out) continue;
        if (turned > 0 && !may_turn_for_some(at, in)) continue;
        const unsigned to = torus_.step(at, out);
        for (unsigned sl = 0; sl < sls; ++sl)
          for (unsigned vl = 0; vl < 2; ++vl) {
            const SlSet set = static_cast<SlSet>(1u << sl);
            const SlState after = SlState{vl == 0 ? set : SlSet{0}, vl == 1 ? set : SlSet{0}}.after(
                turn(at, in, out));
            if (after.any() == 0) continue;
            for (unsigned turns = turned; turns <= kMostTurns; ++turns) {
              const std::uint64_t hops = ahead(to, out, sl, after.vl1 != 0 ? 1 : 0, turns - turned)
                                         << 1;
              std::uint64_t& known = ahead(at, in, sl, vl, turns);
              any |= (hops & ~known) != 0;
              known |= hops;
            }
          }
      }
  }
}

bool ZonePaths::leads(unsigned at, unsigned in, const SlState& state, unsigned turns,
                      unsigned hops) const {
  const auto known = [&](unsigned sl, unsigned vl) {
    return ahead_[(((at * 4 + in) * torus_.rules->sls + sl) * 2 + vl) * (kMostTurns + 1) + turns] >>
               hops &
           1u;
  };
  for (unsigned sl = 0; sl < torus_.rules->sls; ++sl)
    if (((state.vl0 >> sl & 1u) != 0 && known(sl, 0) != 0) ||
        ((state.vl1 >> sl & 1u) != 0 && known(sl, 1) != 0))
      return true;
  return false;
}

/// Whether the path so far agrees with this direction: a tree has one direction for all switches of
/// a cell.
bool ZonePaths::agrees(unsigned at, unsigned direction) const {
  const unsigned cell = torus_.cell(at);
  return std::ranges::none_of(
      cells_, [&](const auto& held) { return held.first == cell && held.second != direction; });
}

/// Searches on from switch `at`, with `hops` hops left.
void ZonePaths::go(unsigned at, const SlState& state, unsigned turns, unsigned hops) {
  if (++steps_ > kMostSteps || found_.size() >= most_) return;
  if (at == torus_.destination()) {
    if (hops == 0) found_.push_back({directions_, {switches_.begin(), switches_.end() - 1}});
    return;
  }
  const unsigned in = directions_.back();
  for (unsigned direction = 0; direction < 4; ++direction) {
    const unsigned turned = in != direction ? 1 : 0;
    if ((in ^ 1u) == direction || (turned > 0 && (turns == 0 || !may_turn(at, in)))) continue;
    const SlState next = state.after(turn(at, in, direction));
    const unsigned to = torus_.step(at, direction);
    if (next.any() == 0 || on_[to] || !leads(to, direction, next, turns - turned, hops - 1) ||
        !agrees(at, direction))
      continue;
    on_[to] = true;
    switches_.push_back(to);
    directions_.push_back(direction);
    cells_.emplace_back(torus_.cell(at), direction);
    go(to, next, turns - turned, hops - 1);
    cells_.pop_back();
    directions_.pop_back();
    switches_.pop_back();
    on_[to] = false;
  }
}

std::vector<ZonePath> ZonePaths::from(unsigned source, const PathBounds& bounds) {
  in_row_ = torus_.row_zone(source).number == torus_.shape.rows.left;
  in_column_ = torus_.column_zone(source).number == torus_.shape.columns.left;
  found_.clear();
  const SlSet all = static_cast<SlSet>((1u << torus_.rules->sls) - 1);
  const unsigned longest = std::min(kMostHops, torus_.distance(source) + bounds.slack);
  on_[source] = true;
  for (unsigned direction = 0; direction < 4; ++direction) {
    const unsigned to = torus_.step(source, direction);
    most_ = bounds.number == UINT_MAX ? SIZE_MAX : found_.size() + bounds.number;
    on_[to] = true;
    directions_ = {direction};
    switches_ = {to};
    cells_ = {{torus_.cell(source), direction}};
    for (unsigned length = 1; length <= longest; ++length) {
      steps_ = 0;
      go(to, {all, 0}, bounds.turns, length - 1);
    }
    on_[to] = false;
  }
  on_[source] = false;
  return std::move(found_);
}

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

std::vector<unsigned> totals(const std::vector<ZonePath>& paths) {
  std::vector<Passed> passed(paths.size());
  std::array<std::vector<unsigned>, 4> group;
  for (unsigned p = 0; p < paths.size(); ++p) {
    for (const unsigned s : paths[p].switches) passed[p].set(s);
    group[paths[p].directions[0]].push_back(p);
  }
  const auto length = [&](unsigned p) { return static_cast<unsigned>(paths[p].directions.size()); };
  std::vector<unsigned> best(paths.size(), 0);
  // The paths of a source that leave by the same arc are in order of length. So in the last group
  // the first path that fits is the best; the other two groups are tried in full, with a bound.
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
