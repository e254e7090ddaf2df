// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tokens in the reference simulator (docs/simulator.md, "Tokens"): before each tick every switch
// that has begun looks at all its inputs, then at all its outputs.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Transit;
using reference::TransitPtr;

TransitPtr Reference::State::new_token() const {
  const auto transit = std::make_shared<Transit>();
  transit->packet = std::make_shared<reference::Packet>();
  transit->packet->token = true;
  transit->packet->record.bytes = token_bytes;
  transit->arrived = transit->crossed = token_bytes;
  transit->ready_at = transit->routed_at = now;
  return transit;
}

PortNum Reference::State::separated_entry(SwitchId at, const Lane& input, Lid dlid) const {
  if (!input.separated) return lft_entry(at, dlid);
  return dlid < upper_lfts[at].size() ? upper_lfts[at][dlid] : kNoPort;
}

void Reference::State::join(Link& by, const TransitPtr& transit) {
  Lane& lane = by.lanes[transit->in_lane];
  // A switch may have put a token there itself, since the link was down.
  if (transit->packet->token && std::exchange(lane.token_there, true)) return;
  lane.input.push_back(transit);
}

bool Reference::State::may_pass(const Link& by, const Lane& lane) const {
  if (!separating.contains(fabric.target(by.channel)) || lane.separated) return false;
  if (!takes_data(by) && !lane.token_there) return true;
  return !lane.input.empty() && lane.input.front()->packet->token && !lane.crossing_out;
}

bool Reference::State::is_awaited(SwitchId at, PortNum port, unsigned lane) const {
  const std::vector<Turn>& turns = separating.at(at);
  return std::ranges::any_of(turns, [&](const Turn& turn) {
    const Channel by = fabric.peer(fabric.channel(at, turn.in));
    return turn.out == port && by != kNoChannel && !links[by].lanes[lane].separated;
  });
}

bool Reference::State::tokens_may_pass() const {
  if (separating.empty()) return false;
  return std::ranges::any_of(links, [&](const Link& by) {
    return by.exists && !by.to_host && std::ranges::any_of(by.lanes, [&](const Lane& lane) {
             return lane.vl != kManagementVl && may_pass(by, lane);
           });
  });
}

void Reference::State::pass_tokens() {
  for (const auto& [at, turns] : separating) {
    for (unsigned p = 1; p <= fabric.node(at).ports; ++p) {
      const Channel by = fabric.peer(fabric.channel(at, static_cast<PortNum>(p)));
      if (by == kNoChannel) continue;
      for (unsigned l = 0; l < model.vls; ++l) {
        Lane& lane = links[by].lanes[l];
        if (!may_pass(links[by], lane)) continue;
        if (!takes_data(links[by]) && !lane.token_there) {
          lane.token_there = true;
          lane.input.push_back(new_token());
        }
        if (may_pass(links[by], lane)) take_token(links[by], l);
      }
    }
    for (unsigned p = 1; p <= fabric.node(at).ports; ++p) {
      Link& to = links[fabric.channel(at, static_cast<PortNum>(p))];
      for (unsigned l = 0; l < model.vls; ++l) {
        Lane& lane = to.lanes[l];
        if (lane.token_sent || is_awaited(at, static_cast<PortNum>(p), l)) continue;
        lane.token_sent = true;
        if (!to.exists || to.to_host || !takes_data(to)) continue;
        const TransitPtr token = new_token();
        token->out = static_cast<PortNum>(p);
        token->out_lane = l;
        lane.output.push_back(token);
      }
    }
  }
}

void Reference::State::take_token(Link& by, unsigned lane) {
  Lane& input = by.lanes[lane];
  input.input.pop_front();
  input.separated = true;
  for (const TransitPtr& transit : std::exchange(input.input, {})) {
    if (!transit->packet->token) find_outputs(by, *transit);
    if (transit->packet->token || !transit->outputs.empty()) {
      input.input.push_back(transit);
      continue;
    }
    const SwitchId at = fabric.target(by.channel);
    const PortNum out = separated_entry(at, input, transit->packet->record.dlid);
    const bool no_route = out == kNoPort || out == 0 || out > fabric.node(at).ports;
    count_lost(*transit->packet, no_route ? Loss::kNoRoute : Loss::kVl15, by.channel);
    if (transit->has_arrived())
      free_input(by, lane, transit->packet->blocks);
    else
      by.dropped.push_back(transit);
  }
}

bool Reference::State::waits_for_token(SwitchId at, const Lane& input, Transit& head) {
  if (managed != Managed::kWithTokens || head.packet->management) return false;
  if (head.packet->token) return true;
  const reference::OutputChoice& to = head.outputs.front();
  const bool waits =
      input.separated && !links[fabric.channel(at, to.out)].lanes[to.lane].token_sent;
  if (waits)
    head.held_since = std::min(head.held_since, now);
  else if (head.held_since != kNever)
    totals.token_wait += static_cast<std::uint64_t>(now - std::exchange(head.held_since, kNever));
  return waits;
}

void Reference::begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes) {
  check_invariant(state_->managed == Managed::kWithTokens && !state_->separating.contains(at),
                  "only a network with tokens has them, and a switch one change at a time");
  state_->separating[at].assign(turns.begin(), turns.end());
  state_->token_bytes = bytes;
  state_->dirty = true;
}

void Reference::send_tokens(HostId host, unsigned bytes) {
  check_invariant(state_->managed == Managed::kWithTokens, "only a network with tokens has them");
  state_->token_bytes = bytes;
  state_->dirty = true;
  Link& link = state_->links[state_->fabric.injection(host)];
  for (unsigned l = 0; l < state_->model.vls; ++l) {
    const TransitPtr token = state_->new_token();
    token->out_lane = l;
    link.lanes[l].output.push_front(token);
  }
}

bool Reference::tokens_done(SwitchId at) const {
  const State& of = *state_;
  if (!of.separating.contains(at)) return false;
  for (unsigned p = 1; p <= of.fabric.node(at).ports; ++p) {
    const Channel out = of.fabric.channel(at, static_cast<PortNum>(p));
    if (!of.links[out].exists) continue;
    for (unsigned l = 0; l < of.model.vls; ++l)
      if (!of.links[out].lanes[l].token_sent || !of.links[of.fabric.peer(out)].lanes[l].separated)
        return false;
  }
  return true;
}

void Reference::end_tokens(SwitchId at) {
  check_invariant(tokens_done(at), "tokens end when all have passed");
  state_->separating.erase(at);
  for (unsigned p = 1; p <= state_->fabric.node(at).ports; ++p) {
    const Channel out = state_->fabric.channel(at, static_cast<PortNum>(p));
    for (Lane& lane : state_->links[out].lanes) lane.token_sent = false;
    if (!state_->links[out].exists) continue;
    for (Lane& lane : state_->links[state_->fabric.peer(out)].lanes)
      lane.token_there = lane.separated = false;
  }
}

}  // namespace selvedge::sim
