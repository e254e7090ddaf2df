// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Cuts and restored links in the reference simulator (docs/simulator.md, "What fails"). The
// functions are called between two ticks: what is due at now() has not happened yet.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Symbol;
using reference::TransitPtr;

void Reference::cut(Channel c) {
  Link& there = state_->links[c];
  check_invariant(there.exists, "a link that is cut has two ends");
  check_invariant(state_->model.replication == Replication::kNone,
                  "no link is cut where switches replicate packets");
  if (!there.up) return;
  state_->accumulate_wait(state_->now);
  state_->dirty = true;
  state_->cut(there);
  state_->cut(state_->links[state_->fabric.peer(c)]);
}

void Reference::State::cut(Link& link) {
  link.up = link.waits = false;
  link.credits_back.clear();
  lose_packets_on_wire(link);
  if (!link.from_host) empty_dead_port(link);
}

void Reference::State::lose_packets_on_wire(Link& link) {
  const auto vanish = [&](const reference::PacketPtr& packet, unsigned lane, bool holds) {
    if (!link.to_host && holds) link.lanes[lane].input_occupied -= packet->blocks;
    count_lost(*packet, Loss::kCut, link.channel);
  };

  // A packet whose head has been routed goes on truncated. Its bytes keep arriving here as if it
  // were whole, since it takes buffers and time as before.
  const TransitPtr half =
      link.receiving && !link.receiving->has_arrived() ? link.receiving : nullptr;
  const bool truncated = half && half->routed;
  if (truncated)
    count_lost(*half->packet, Loss::kCut, link.channel);
  else if (half) {
    vanish(half->packet, half->in_lane, !half->packet->management || half->admitted);
    std::erase(link.unrouted, half);
    link.receiving = nullptr;
  }
  const auto is_front = [](const Symbol& symbol) { return symbol.front != nullptr; };
  const auto first =
      truncated ? std::find_if(link.wire.begin(), link.wire.end(), is_front) : link.wire.begin();
  for (auto symbol = first; symbol != link.wire.end(); ++symbol)
    if (symbol->front) vanish(symbol->front, symbol->lane, !symbol->front->management);
  // A packet in a routing loop may be sent on this link again before its tail has left it.
  const bool sends_truncated = truncated && first == link.wire.end();
  link.wire.erase(first, link.wire.end());
  if (link.sending && !sends_truncated) link.sending->discarding = true;
}

void Reference::State::empty_dead_port(Link& link) {
  for (Lane& lane : link.lanes) {
    if (link.up && lane.vl == kManagementVl) continue;  // the link is closed for data only
    std::deque<TransitPtr> kept;
    for (const TransitPtr& transit : lane.output) {
      if (transit->has_crossed()) {
        lane.output_occupied -= transit->packet->blocks;
        count_lost(*transit->packet, Loss::kDeadPort, link.channel);
      } else {
        kept.push_back(transit);
      }
    }
    lane.output = std::move(kept);
    start_head_lifetime(lane);
  }
}

void Reference::restore(Channel c) {
  check_invariant(state_->links[c].exists, "a link that is restored has two ends");
  if (state_->links[c].up) return;
  state_->dirty = true;
  for (const Channel direction : {c, state_->fabric.peer(c)}) {
    Link& link = state_->links[direction];
    link.up = true;
    for (Lane& lane : link.lanes) lane.credits = lane.input_blocks - lane.input_occupied;
  }
}

}  // namespace selvedge::sim
