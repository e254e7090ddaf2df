// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HCAs: messages from the sources, deliveries, and the counting of losses.
#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Hca;
using reference::Packet;
using reference::Stay;

void Reference::State::generate() {
  // Each once, in the order of their ids, so the order in which they were woken has no effect.
  std::sort(woken.begin(), woken.end());
  woken.erase(std::unique(woken.begin(), woken.end()), woken.end());
  for (const HostId host : woken) {
    Message& message = hcas[host].message;
    if (message.at <= now) continue;  // it is due, or a part of it is in the queue
    if (message.at != kNever) traffic.give_back(host);
    message = traffic.next(host);
  }
  woken.clear();
  for (HostId host = 0; host < fabric.num_hosts(); ++host) enter_packets(host);
}

Lid Reference::State::choose_path(HostId from, HostId to_host) {
  Hca& hca = hcas[from];
  const Hca& to = hcas[to_host];
  unsigned path = 0;
  if (!model.path_offsets.empty())
    path = model.path_offsets[fabric.host(from).at * fabric.num_hosts() + to_host];
  if (model.paths == PathChoice::kRoundRobin) path = hca.sequence % to.lids;
  if (model.paths == PathChoice::kRandom) path = hca.choice.below(to.lids);
  const SwitchId at = fabric.host(from).at;
  for (unsigned i = 0; i < to.lids; ++i) {
    const auto dlid = static_cast<Lid>(to.lid + (path + i) % to.lids);
    if (tables.next(at, dlid) != kNoPort) return dlid;
  }
  return to.lid;
}

void Reference::State::enter_packets(HostId host) {
  Hca& hca = hcas[host];
  while (hca.message.at <= now && hca.queued < model.hca_queue_packets) {
    const Message message = hca.message;
    const unsigned payload = std::min(model.mtu_bytes, message.bytes - hca.entered);
    hca.entered += payload;

    const auto stay = std::make_shared<Stay>();
    stay->packet = std::make_shared<Packet>();
    Delivery& told = stay->packet->told;
    told.from = host;
    told.to = message.to;
    told.dlid = choose_path(host, message.to);
    told.sl = message.management ? Sl{0} : tables.sl(fabric.host(host).at, told.dlid);
    told.last = hca.entered == message.bytes;
    told.bytes = static_cast<std::uint16_t>(payload + model.header_bytes);
    told.tag = message.tag;
    told.sequence = hca.sequence;
    told.generated = message.at;
    stay->packet->blocks = blocks_of(told.bytes);
    stay->packet->management = message.management;
    stay->arrived = stay->crossed = told.bytes;
    stay->out_lane = message.management ? static_cast<unsigned>(links.front().lanes.size()) - 1
                                        : lane_of(hca.sl2vl[told.sl], false);
    links[fabric.injection(host)].lanes[stay->out_lane].output.push_back(stay);
    ++hca.sequence;
    ++hca.queued;
    ++totals.generated;
    if (!told.last) continue;
    hca.entered = 0;
    hca.message = traffic.next(host);
  }
}

void Reference::State::deliver(const reference::Link& by, Packet& packet) {
  if (packet.done) return;  // a truncated packet
  const HostId host = fabric.host_of(fabric.peer(by.channel));
  if (packet.smp) return end_at_host(by, packet, host);
  if (!hcas[host].has(packet.told.dlid)) {
    lose(packet, Loss::kWrongHost, by.channel);
    return;
  }
  packet.done = true;
  packet.told.delivered = now;
  const Delivery& told = packet.told;
  reference::Flow& flow = flows[{told.from, told.to}];
  ++flow.delivered;
  ++totals.delivered;
  ++window.packets;
  if (told.last) ++window.messages;
  window.bytes += told.bytes;
  window.payload_bytes += told.bytes - model.header_bytes;
  window.switches += told.switches;
  if (told.sequence < flow.newest) ++window.out_of_order;
  flow.newest = std::max<std::int64_t>(flow.newest, told.sequence);
  window.latency.add(now - told.generated);
  window.network_latency.add(now - told.injected);
  if (hear) hear(told);
  if (traffic.listens()) traffic.delivered(told, woken);
}

void Reference::State::lose(Packet& packet, Loss why, Channel where) {
  if (packet.done) return;
  if (packet.smp) return lose_smp(packet, why, where);
  packet.done = true;
  packet.told.delivered = now;
  ++totals.lost[static_cast<unsigned>(why)];
  ++use[where].lost[static_cast<unsigned>(why)];
  ++flows[{packet.told.from, packet.told.to}].lost;
  if (traffic.listens()) traffic.lost(packet.told, woken);
}

}  // namespace selvedge::sim
