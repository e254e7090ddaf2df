// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tokens of Simple Reconfiguration (docs/simulator.md, "Tokens"; Montañana 2008 §7.4): each input
// queue forwards what came before its token by the LFT, and what came after it by the next LFT. An
// output sends its token when no old packet can come to it any more; new packets wait for that.
//
// Tokens pass between two ticks. Whether one may changes only when it comes to the head of its
// queue, when its switch begins, or when a link goes down.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_tokens() {
  if (features.adaptive) throw std::logic_error("tokens need one port a packet");
  separated.resize(inputs.size());
  token_there.resize(inputs.size());
  token_sent.resize(outputs.size());
  held_since.assign(inputs.size(), kNever);
  turns_to.resize(fabric.num_switches());
  upper_lft.emplace(fabric.num_switches(), tables.top_lid());
}

template <class Features>
void Network::State<Features>::begin_tokens(SwitchId at, std::span<const Turn> turns,
                                            unsigned bytes) {
  if (!features.tokens || !turns_to[at].empty())
    throw std::logic_error(
        "only a network with tokens has them, and a switch one change at a time");
  token_bytes = bytes;
  turns_to[at].resize(switches[at].ports + 1U);
  for (const Turn& turn : turns) turns_to[at][turn.out].push_back(turn.in);
  look_for_tokens(at, wheel.now());
}

template <class Features>
void Network::State<Features>::send_tokens(HostId host, unsigned bytes) {
  if (!features.tokens) throw std::logic_error("only a network with tokens has them");
  token_bytes = bytes;
  const Channel c = fabric.injection(host);
  for (unsigned l = 0; l < model.vls; ++l) {
    const QueueId out = queue(c, l);
    const PacketId id = new_token();
    Fifo& waiting = outputs[out].waiting;
    if (waiting.empty()) {
      enqueue_output(out, id);
    } else {
      packets[id].next = waiting.head;
      packets[id].out = out;
      waiting.head = id;
    }
  }
  wheel.schedule(wheel.now(), {EventKind::kWake, c});
}

template <class Features>
bool Network::State<Features>::tokens_done(SwitchId at) const {
  if (!features.tokens || turns_to[at].empty()) return false;
  bool done = true;
  for_each_input(at, [&](QueueId in) { done = done && separated[in]; });
  for (unsigned port = 1; port <= switches[at].ports; ++port)
    if (const Channel c = switches[at].first + port; fabric.peer(c) != kNoChannel)
      for (unsigned l = 0; l < model.vls; ++l) done = done && token_sent[queue(c, l)];
  return done;
}

template <class Features>
void Network::State<Features>::end_tokens(SwitchId at) {
  if (!tokens_done(at)) throw std::logic_error("tokens end when all have passed");
  turns_to[at].clear();
  for_each_input(at, [&](QueueId in) { separated[in] = token_there[in] = 0; });
  for (QueueId out = queue(switches[at].first, 0);
       out < queue(switches[at].first + switches[at].ports + 1, 0); ++out)
    token_sent[out] = 0;
}

template <class Features>
PacketId Network::State<Features>::new_token() {
  const PacketId id = take_packet();
  packets[id] = {.tail = wheel.now(),
                 .bytes = static_cast<std::uint16_t>(token_bytes),
                 .blocks = 0,
                 .signal = 1};
  return id;
}

/// Tokens of this switch may pass before tick `when`.
template <class Features>
void Network::State<Features>::look_for_tokens(SwitchId at, Tick when) {
  token_switches.push_back(at);
  wheel.schedule(when, {EventKind::kPadding, 0});
}

/// A token joins its input queue, unless the switch has put one there itself.
template <class Features>
void Network::State<Features>::token_routed(PacketId id, QueueId in) {
  if (token_there[in]) return free_packet(id);
  token_there[in] = true;
  enqueue_input(in, id);
}

template <class Features>
void Network::State<Features>::pass_tokens() {
  std::vector<SwitchId> all = std::exchange(token_switches, {});
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  for (const SwitchId at : all)
    if (!turns_to[at].empty()) pass_tokens_at(at);
}

template <class Features>
void Network::State<Features>::pass_tokens_at(SwitchId at) {
  const Tick now = wheel.now();
  for_each_input(at, [&](QueueId in) {
    InputQueue& input = inputs[in];
    if (separated[in]) return;
    if (!token_there[in] && is_dead(in)) {
      token_there[in] = true;
      if (input.waiting.empty() && input.busy_until >= now)
        wheel.schedule(input.busy_until, {EventKind::kCrossed, in});
      append(input.waiting, new_token());
    }
    if (!input.waiting.empty() && packets[input.waiting.head].signal && input.busy_until < now)
      take_token(in);
  });
  send_tokens_at(at);
  for_each_input(at, [&](QueueId in) {
    const InputQueue& input = inputs[in];
    if (!separated[in] || input.waiting.empty() || input.busy_until >= now) return;
    if (!packets[input.waiting.head].signal && !is_requesting(in)) request(in);
  });
}

/// The token at the head of an input queue has passed: what waits behind it is new.
template <class Features>
void Network::State<Features>::take_token(QueueId in) {
  free_packet(take_head(inputs[in].waiting));
  separated[in] = true;
  Fifo behind = std::exchange(inputs[in].waiting, {});
  while (!behind.empty()) {
    const PacketId id = take_head(behind);
    if (packets[id].signal || find_port(id, in)) append(inputs[in].waiting, id);
  }
}

/// Finds the output queue of a packet in an input queue that its token has left. If it has none, it
/// is lost.
template <class Features>
bool Network::State<Features>::find_port(PacketId id, QueueId in) {
  Packet& packet = packets[id];
  const InputQueue& input = inputs[in];
  const PortNum out = separated_port(in, packet.dlid);
  const Vl vl = out == 0 ? Vl{0} : tables.sl2vl.row(input.at, port_of(input), out)[packet.sl];
  if (out != 0 && vl < model.vls) {
    packet.out = queue(switches[input.at].first + out, vl);
    return true;
  }
  if (packet.tail < wheel.now())
    release(in, packet.blocks);
  else
    wheel.schedule(packet.tail, {EventKind::kReleased, in, packet.blocks});
  discard(id, out == 0 ? Loss::kNoRoute : Loss::kVl15, channel(in));
  return false;
}

/// Whether the head of an input queue may not request this output queue yet. Counts how long.
template <class Features>
bool Network::State<Features>::hold_for_token(QueueId in, QueueId out) {
  Tick& since = held_since[in];
  if (waits_for_token(in, out)) {
    since = std::min(since, wheel.now());
    return true;
  }
  if (since != kNever) totals.token_wait += static_cast<std::uint64_t>(wheel.now() - since);
  since = kNever;
  return false;
}

/// Sends the tokens of the outputs to which no old packet can come any more.
template <class Features>
void Network::State<Features>::send_tokens_at(SwitchId at) {
  for (unsigned port = 1; port <= switches[at].ports; ++port) {
    const Channel c = switches[at].first + port;
    for (unsigned l = 0; l < model.vls; ++l) {
      const QueueId out = queue(c, l);
      const bool ready = std::ranges::all_of(turns_to[at][port], [&](PortNum in) {
        const Channel by = fabric.peer(switches[at].first + in);
        return by == kNoChannel || separated[queue(by, l)];
      });
      if (token_sent[out] || !ready) continue;
      token_sent[out] = true;
      if (fabric.peer(c) == kNoChannel) continue;  // a table may lead there nevertheless
      if (links[c].to_switch && !is_dead(out)) enqueue_output(out, new_token());
    }
  }
}

/// The port to which a packet in this input queue is forwarded; 0: none.
template <class Features>
PortNum Network::State<Features>::separated_port(QueueId in, Lid dlid) const {
  const SwitchId at = inputs[in].at;
  const PortNum out = (separated[in] ? *upper_lft : lft).next(at, dlid);
  return out <= switches[at].ports ? out : PortNum{0};
}

}  // namespace selvedge::sim
