// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reference simulator's invariants: of buffers, checked after every tick; of flows, checked
// periodically.
#include <stdexcept>
#include <string>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Transit;
using reference::TransitPtr;

void check_invariant(bool holds, const char* what) {
  if (!holds)
    throw std::logic_error(std::string("the reference simulator violates an invariant: ") + what);
}

namespace {

/// The blocks of a link's input buffer that packets occupy or will occupy on arrival.
unsigned found_in_input(const Link& link, unsigned lane) {
  unsigned blocks = 0;
  for (const reference::Symbol& symbol : link.wire)
    if (symbol.front && symbol.lane == lane && !symbol.front->management)
      blocks += symbol.front->blocks;
  for (const auto* transits : {&link.unrouted, &link.dropped, &link.ending})
    for (const TransitPtr& transit : *transits)
      if (transit->in_lane == lane) blocks += transit->packet->blocks;
  for (const TransitPtr& transit : link.lanes[lane].input) blocks += transit->packet->blocks;
  if (link.lanes[lane].crossing_out) blocks += link.lanes[lane].crossing_out->packet->blocks;
  return blocks;
}

unsigned found_in_output(const Link& link, unsigned lane) {
  unsigned blocks = 0;
  for (const TransitPtr& transit : link.lanes[lane].output) blocks += transit->packet->blocks;
  if (link.sending && link.sending->transit->out_lane == lane)
    blocks += link.sending->transit->packet->blocks;
  return blocks;
}

}  // namespace

void Reference::State::check_buffers() const {
  for (const Link& link : links) {
    for (unsigned i = 0; i < link.lanes.size(); ++i) {
      const Lane& lane = link.lanes[i];
      if (!link.from_host) {
        check_invariant(lane.output_occupied <= lane.output_blocks,
                        "an output buffer does not overflow");
        check_invariant(lane.output_occupied == found_in_output(link, i),
                        "output blocks belong to packets");
        for (const TransitPtr& transit : lane.output)
          check_invariant(transit->crossed <= transit->arrived &&
                              (transit->has_crossed() || transit == lane.crossing_in),
                          "bytes cross after their arrival, one packet at a time");
      }
      check_invariant(lane.central_occupied <= model.central_blocks,
                      "a central FIFO does not overflow");
      if (link.to_host || !link.exists) continue;
      check_invariant(lane.input_occupied <= lane.input_blocks,
                      "an input buffer does not overflow");
      check_invariant(lane.input_occupied == found_in_input(link, i),
                      "input blocks belong to packets");
      unsigned back = 0;
      for (const reference::Credit& credit : link.credits_back)
        if (credit.lane == i) back += credit.blocks;
      check_invariant(!link.up || lane.vl == kManagementVl ||
                          lane.credits + lane.input_occupied + back == lane.input_blocks,
                      "a block is free at the sender, taken, or on its way back");
    }
  }
}

void Reference::State::check_flows() {
  std::uint64_t injected = 0, delivered = 0, lost = 0;
  for (auto& [hosts, flow] : flows) {
    std::erase_if(flow.packets, [](const std::weak_ptr<reference::Packet>& packet) {
      const reference::PacketPtr there = packet.lock();
      return !there || there->done;
    });
    check_invariant(flow.injected == flow.delivered + flow.lost + flow.packets.size(),
                    "a packet is delivered, lost or in flight");
    injected += flow.injected;
    delivered += flow.delivered;
    lost += flow.lost;
  }
  check_invariant(injected == totals.injected + totals.copies && delivered == totals.delivered &&
                      lost == totals.all_lost(),
                  "the totals are those of the flows");
}

}  // namespace selvedge::sim
