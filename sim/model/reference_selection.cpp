// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// "Adaptive forwarding": for which of its ways the head of an input queue asks.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Stay;
using reference::Way;

namespace {

/// The first candidate at or after way number `from`, cyclically.
const Way* first_from(const std::vector<Way>& ways, std::size_t from,
                      const std::vector<const Way*>& candidates) {
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Way* way = &ways[(from + i) % ways.size()];
    if (std::find(candidates.begin(), candidates.end(), way) != candidates.end()) return way;
  }
  return nullptr;
}

}  // namespace

void Reference::State::choose_way(SwitchId at, Stay& stay) {
  const auto take = [&stay](PortNum out, unsigned lane) {
    stay.out = out;
    stay.out_lane = lane;
  };
  const auto link_of = [&](const Way& way) -> const Link& {
    return links[fabric.channel(at, way.out)];
  };
  const auto has_room = [&](const Lane& lane) {
    return lane.output_blocks - lane.output_taken >= stay.packet->blocks;
  };
  if (model.selection == Selection::kDeterministic || stay.packet->management)
    return take(stay.ways.front().out, stay.ways.front().lane);

  std::vector<const Way*> candidates;
  for (const Way& way : stay.ways)
    if (takes_data(link_of(way)) && has_room(link_of(way).lanes[way.lane]))
      candidates.push_back(&way);
  if (const Way* chosen = select(at, stay, candidates)) return take(chosen->out, chosen->lane);

  const bool parted = link_of(stay.ways.front()).lanes.size() > model.vls + 1;
  if (parted && stay.own != Stay::kNone) {
    const Way& own = stay.ways[stay.own];
    const unsigned escape = own.lane + 1;
    if (takes_data(link_of(own)) && has_room(link_of(own).lanes[escape]))
      return take(own.out, escape);
  }
  // No queue has room. It asks nevertheless and keeps its turn: otherwise smaller packets could
  // take all space that becomes free, and it would starve.
  const auto up = [&](const Way& way) { return takes_data(link_of(way)); };
  auto asked = stay.ways.begin();
  if (stay.own != Stay::kNone) asked += static_cast<std::ptrdiff_t>(stay.own);
  if (!up(*asked)) {
    const auto other = std::find_if(stay.ways.begin(), stay.ways.end(), up);
    if (other != stay.ways.end()) asked = other;
  }
  return take(asked->out, asked->lane);
}

const Way* Reference::State::select(SwitchId at, const Stay& stay,
                                    const std::vector<const Way*>& candidates) const {
  if (candidates.empty()) return nullptr;
  const auto link_of = [&](const Way* way) -> const Link& {
    return links[fabric.channel(at, way->out)];
  };
  const auto credits = [&](const Way* way) {
    return link_of(way).to_host ? UINT32_MAX : link_of(way).lanes[way->lane].credits;
  };
  const auto grants = [&](const Way* way) {
    const Link& link = link_of(way);
    std::uint64_t sum = 0;
    for (const Lane& lane : link.lanes)
      if (lane.vl == link.lanes[way->lane].vl) sum += lane.grants;
    return sum;
  };
  switch (model.selection) {
    case Selection::kMostCredits:  // the first of equals
      return *std::max_element(candidates.begin(), candidates.end(),
                               [&](auto* a, auto* b) { return credits(a) < credits(b); });
    case Selection::kLeastFrequentlyUsed:
      return *std::min_element(candidates.begin(), candidates.end(),
                               [&](auto* a, auto* b) { return grants(a) < grants(b); });
    case Selection::kSadp:
      return first_from(stay.ways, stay.own == Stay::kNone ? 0 : stay.own, candidates);
    case Selection::kRandom:
      return first_from(stay.ways, stay.first, candidates);
    default:
      return candidates.front();
  }
}

}  // namespace selvedge::sim
