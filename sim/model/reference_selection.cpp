// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Selection in the reference simulator (docs/simulator.md, "Adaptive forwarding"): which of its
// possible output queues the head of an input queue requests.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::OutputChoice;
using reference::Transit;

namespace {

/// The first of `candidates` at or after outputs[from], cyclically; null if there are none.
const OutputChoice* first_from(const std::vector<OutputChoice>& outputs, std::size_t from,
                               const std::vector<const OutputChoice*>& candidates) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputChoice* output = &outputs[(from + i) % outputs.size()];
    if (std::find(candidates.begin(), candidates.end(), output) != candidates.end()) return output;
  }
  return nullptr;
}

}  // namespace

void Reference::State::select_output(SwitchId at, Transit& transit) {
  const auto take = [&transit](PortNum out, unsigned lane) {
    transit.out = out;
    transit.out_lane = lane;
  };
  const auto link_of = [&](const OutputChoice& output) -> const Link& {
    return links[fabric.channel(at, output.out)];
  };
  const auto has_room = [&](const Lane& lane) {
    return lane.output_blocks - lane.output_occupied >= transit.packet->blocks;
  };
  if (!selects_per_packet(model.selection) || transit.packet->management)
    return take(transit.outputs.front().out, transit.outputs.front().lane);

  std::vector<const OutputChoice*> candidates;
  for (const OutputChoice& output : transit.outputs)
    if (takes_data(link_of(output)) && has_room(link_of(output).lanes[output.lane]))
      candidates.push_back(&output);
  if (const OutputChoice* chosen = select(at, transit, candidates))
    return take(chosen->out, chosen->lane);

  const bool has_escape = link_of(transit.outputs.front()).lanes.size() > model.vls + 1;
  const bool waits_for_escape = model.own_port == OwnPort::kEscape;
  if (has_escape && transit.own) {
    const OutputChoice& own = *transit.own;
    const unsigned escape = own.lane + 1;
    if (takes_data(link_of(own)) && (waits_for_escape || has_room(link_of(own).lanes[escape])))
      return take(own.out, escape);
  }
  // No queue has room. The packet requests its own port nevertheless, and keeps its turn there:
  // otherwise smaller packets could take all space that becomes free, and this packet would starve.
  const auto up = [&](const OutputChoice& output) { return takes_data(link_of(output)); };
  OutputChoice requested = transit.own.value_or(transit.outputs.front());
  if (!up(requested)) {
    const auto other = std::find_if(transit.outputs.begin(), transit.outputs.end(), up);
    if (other != transit.outputs.end()) requested = *other;
  }
  return take(requested.out, requested.lane);
}

const OutputChoice* Reference::State::select(
    SwitchId at, const Transit& transit, const std::vector<const OutputChoice*>& candidates) const {
  if (candidates.empty()) return nullptr;
  const auto link_of = [&](const OutputChoice* output) -> const Link& {
    return links[fabric.channel(at, output->out)];
  };
  const auto credits = [&](const OutputChoice* output) {
    return link_of(output).to_host ? UINT32_MAX : link_of(output).lanes[output->lane].credits;
  };
  const auto grants = [&](const OutputChoice* output) {
    const Link& link = link_of(output);
    std::uint64_t sum = 0;
    for (const Lane& lane : link.lanes)
      if (lane.vl == link.lanes[output->lane].vl) sum += lane.grants;
    return sum;
  };
  switch (model.selection) {
    case Selection::kMostCredits:  // the first of equals
      return *std::max_element(candidates.begin(), candidates.end(),
                               [&](auto* a, auto* b) { return credits(a) < credits(b); });
    case Selection::kLeastFrequentlyUsed:
      return *std::min_element(candidates.begin(), candidates.end(),
                               [&](auto* a, auto* b) { return grants(a) < grants(b); });
    case Selection::kSadp: {  // the first at or after its own port
      const auto from = std::ranges::find_if(transit.outputs, [&](const OutputChoice& output) {
        return !transit.own || output.out >= transit.own->out;
      });
      const auto index = from == transit.outputs.end() ? 0 : from - transit.outputs.begin();
      return first_from(transit.outputs, static_cast<std::size_t>(index), candidates);
    }
    case Selection::kRandom:
      return first_from(transit.outputs, transit.first, candidates);
    default:
      return candidates.front();
  }
}

}  // namespace selvedge::sim
