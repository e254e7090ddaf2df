// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Epochs and layers in the reference simulator (docs/simulator.md, "Epochs", "Layers"): every
// output queue is looked at in every tick.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Request;
using reference::Transit;

void Reference::State::look_at_heads() {
  if (!heads_matter) return;
  const bool layers = managed == Managed::kWithLayers;
  for (SwitchId at = 0; at < fabric.num_switches(); ++at) {
    if (layers && layering[at] != Layering::kEscaping) continue;
    const std::vector<Request> all = requests_at(at);
    for (unsigned port = 1; port <= fabric.node(at).ports; ++port) {
      const Link& to = links[fabric.channel(at, static_cast<PortNum>(port))];
      if (!to.exists || to.to_host || !takes_data(to)) continue;
      for (unsigned lane = 0; lane < (layers ? 1U : model.vls); ++lane) {
        // With layers the other VL may keep the link busy for ever.
        if (to.sending && (!layers || to.sending->transit->out_lane == lane)) continue;
        const Lane& output = to.lanes[lane];
        if (output.crossing_in || output.output.empty()) continue;
        const Transit& head = *output.output.front();
        if (head.ready_at > now || output.credits >= head.packet->blocks) continue;
        std::vector<const Request*> requests;
        for (const Request& one : all)
          if (one.transit->out == port && one.transit->out_lane == lane) requests.push_back(&one);
        if (requests.empty()) continue;
        if (next_in_turn(all, output, static_cast<PortNum>(port), lane) != nullptr) continue;
        for (const Request* one : requests) {
          const auto in_lane = static_cast<unsigned>(one->input - one->from->lanes.data());
          if (layers) {
            if (in_lane == 0) doomed.push_back({one->from->channel, in_lane, one->transit});
            continue;
          }
          const Epoch packet = one->transit->packet->epoch, routed = one->transit->routed_in;
          epoch_cases.add(packet, routed, switch_epochs[at]);
          if (epoch_action(packet, routed, switch_epochs[at]) == EpochAction::kDiscard)
            doomed.push_back({one->from->channel, in_lane, one->transit});
        }
      }
    }
  }
  dirty = dirty || !doomed.empty();
}

void Reference::State::act_on_doomed() {
  for (const Doomed& one : std::exchange(doomed, {})) {
    Link& link = links[one.channel];
    Lane& lane = link.lanes[one.lane];
    if (lane.input.empty() || lane.input.front() != one.head) continue;
    if (managed == Managed::kWithLayers) {
      escape(*one.head, switch_behind(one.channel));
      continue;
    }
    lane.input.pop_front();
    count_lost(*one.head->packet, Loss::kRecovery, one.channel);
    if (one.head->has_arrived())
      free_input(link, one.lane, one.head->packet->blocks);
    else
      link.dropped.push_back(one.head);
  }
}

PortNum Reference::State::layer_entry(SwitchId at, unsigned vl, Lid dlid) const {
  if (vl == 0) return lft_entry(at, dlid);
  return dlid < upper_lfts[at].size() ? upper_lfts[at][dlid] : kNoPort;
}

void Reference::State::escape(Transit& head, SwitchId at) {
  if (layering[at] != Layering::kEscaping) return;  // the manager has changed that since
  const PortNum out = layer_entry(at, 1, head.packet->record.dlid);
  if (out == kNoPort || out == 0 || out > fabric.node(at).ports) return;
  head.outputs = {{out, 1}};
}

void Reference::set_layering(SwitchId at, Layering how) {
  check_invariant(state_->managed == Managed::kWithLayers, "only a network with layers has them");
  state_->layering[at] = how;
  if (how != Layering::kEscaping) return;
  state_->heads_matter = true;
  state_->dirty = true;
}

void Reference::write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries) {
  std::vector<PortNum>& lft = state_->upper_lfts.at(at);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const std::size_t lid = std::size_t{block} * kLftBlockEntries + i; lid < lft.size())
      lft[lid] = entries[i];
}

bool Reference::is_clear(Channel c, Vl vl) const {
  const Lane& lane = state_->links[c].lanes[vl];
  return lane.output.empty() && !lane.crossing_in && lane.input_occupied == 0;
}

void Reference::set_epoch(SwitchId at, Epoch epoch) {
  check_invariant(state_->managed == Managed::kWithEpochs, "only a network with epochs has them");
  check_invariant(epoch >= state_->switch_epochs[at], "a switch never returns to an epoch");
  state_->switch_epochs[at] = epoch;
  state_->heads_matter = state_->heads_matter || epoch > 0;
  state_->dirty = true;
}

const EpochCases& Reference::epoch_cases() const { return state_->epoch_cases; }

}  // namespace selvedge::sim
