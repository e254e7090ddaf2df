// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HCAs in the reference simulator: messages from the sources, deliveries, and the counting of
// losses.
#include <algorithm>
#include <utility>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Hca;
using reference::Packet;
using reference::Transit;

void Reference::State::generate() {
  if (traffic.drives_hosts()) return ask_hosts();
  if (!model.classes.empty()) {
    wake_classes();
    for (HostId host = 0; host < fabric.num_hosts(); ++host) segment_classes(host);
    return;
  }
  // Each woken host is polled once, in the order of ids, so that the order in which hosts were
  // woken has no effect.
  std::sort(woken.begin(), woken.end());
  woken.erase(std::unique(woken.begin(), woken.end()), woken.end());
  for (const HostId host : woken) {
    Message& message = hcas[host].message;
    if (message.at <= now) continue;  // the message is due, or a part of it is in the queue
    if (message.at != kNever) traffic.put_back(host);
    message = traffic.next(host);
  }
  woken.clear();
  for (HostId host = 0; host < fabric.num_hosts(); ++host) segment_messages(host);
}

void Reference::State::ask_hosts() {
  for (HostId host = 0; host < fabric.num_hosts(); ++host)
    if (hcas[host].message.at <= now) woken.push_back(host);
  std::sort(woken.begin(), woken.end());
  woken.erase(std::unique(woken.begin(), woken.end()), woken.end());
  const std::vector<HostId> asked = std::exchange(woken, {});
  for (const HostId host : asked) {
    Hca& hca = hcas[host];
    const reference::Link& link = links[fabric.injection(host)];
    if (hca.queued != 0 || link.sending || link.throttled_until > now) continue;
    const Message offered = traffic.offer(host, now);
    if (offered.to == kNoHost) {
      check_invariant(offered.at > now, "a host's wake-up is after now");
      hca.message.at = offered.at;
      continue;
    }
    check_invariant(offered.at <= now && offered.bytes <= model.mtu_bytes,
                    "a host offers a packet that is due");
    hca.message.at = kNever;
    add_packet(host, offered, offered.bytes, true);
    if (hca.queued == 0) hca.message.at = now + 1;  // it was lost
  }
}

Hca::Path Reference::State::choose_path(HostId from, const Message& message) {
  const HostId to = message.to;
  const auto record = hcas[from].paths.find(to);
  if (record != hcas[from].paths.end()) return record->second;
  const Lid dlid = choose_lid(from, to, model.paths, message.path);
  return {dlid, tables.sl(fabric.host(from).at, dlid)};
}

Lid Reference::State::choose_lid(HostId from, HostId to_host, PathChoice paths,
                                 std::uint8_t named) {
  Hca& hca = hcas[from];
  const Hca& to = hcas[to_host];
  unsigned path = 0;
  if (paths == PathChoice::kFirst && !model.path_offsets.empty())
    path = model.path_offsets[fabric.host(from).at * fabric.num_hosts() + to_host];
  if (named != kAnyPath)
    path = named;
  else if (paths == PathChoice::kRoundRobin)
    path = hca.sequence % to.lids;
  else if (paths == PathChoice::kRandom)
    path = hca.choice.below(to.lids);
  const SwitchId at = fabric.host(from).at;
  for (unsigned i = 0; i < to.lids; ++i) {
    const auto dlid = static_cast<Lid>(to.lid + (path + i) % to.lids);
    if (lft_entry(at, dlid) != kNoPort) return dlid;
  }
  return to.lid;
}

void Reference::State::segment_messages(HostId host) {
  Hca& hca = hcas[host];
  while (hca.message.at <= now && hca.queued < model.hca_queue_packets) {
    const Message message = hca.message;
    const unsigned payload = std::min(model.mtu_bytes, message.bytes - hca.segmented_bytes);
    hca.segmented_bytes += payload;
    const bool last = hca.segmented_bytes == message.bytes;
    add_packet(host, message, payload, last);
    if (!last) continue;
    hca.segmented_bytes = 0;
    hca.message = traffic.next(host);
  }
}

void Reference::State::add_packet(HostId host, const Message& message, unsigned payload,
                                  bool last) {
  const auto transit = make_packet(host, message, payload, last);
  if (!transit) return;
  links[fabric.injection(host)].lanes[transit->out_lane].output.push_back(transit);
  ++hcas[host].queued;
}

/// Makes a packet, which is in no queue yet; null if it was lost at its source.
reference::TransitPtr Reference::State::make_packet(HostId host, const Message& message,
                                                    unsigned payload, bool last) {
  Hca& hca = hcas[host];
  auto transit = std::make_shared<Transit>();
  transit->packet = std::make_shared<Packet>();
  Delivery& record = transit->packet->record;
  record.from = host;
  record.to = message.to;
  Hca::Path path{};
  if (message.mlid != kNoLid) {
    path.dlid = message.mlid;
    path.sl = model.classes.empty() ? Sl{0} : model.classes[message.of_class].sl;
    transit->packet->of_class = message.of_class;
  } else if (model.classes.empty()) {
    path = choose_path(host, message);
  } else {
    const ClassRule& rule = model.classes[message.of_class];
    path.dlid = choose_lid(host, message.to, rule.paths, message.path);
    path.sl = static_cast<Sl>((rule.sl + tables.sl(fabric.host(host).at, path.dlid)) % kSls);
    transit->packet->of_class = message.of_class;
  }
  record.dlid = path.dlid;
  record.sl = message.management ? Sl{0} : path.sl;
  record.last = last;
  record.bytes = static_cast<std::uint16_t>(payload + model.header_bytes);
  record.tag = message.tag;
  record.sequence = hca.sequence;
  record.generated = message.at;
  transit->packet->blocks = blocks_of(record.bytes);
  transit->packet->management = message.management;
  transit->arrived = transit->crossed = record.bytes;
  ++hca.sequence;
  ++totals.generated;
  flows[{host, message.to}].missing.push_back(record.sequence);
  const Vl vl = hca.sl2vl[record.sl];
  if (!message.management && vl >= model.vls) {
    lose_at_source(transit->packet);
    return nullptr;
  }
  transit->out_lane = message.management ? static_cast<unsigned>(links.front().lanes.size()) - 1
                                         : lane_of(vl, false);
  return transit;
}

void Reference::State::lose_at_source(const reference::PacketPtr& packet) {
  packet->record.injected = now;
  ++totals.injected;
  ++flows[{packet->record.from, packet->record.to}].injected;
  lost_at_source.push_back(packet);
}

/// At the end of a tick: no source learns of a loss before another one is asked.
void Reference::State::count_lost_at_sources() {
  for (const reference::PacketPtr& packet : std::exchange(lost_at_source, {}))
    count_lost(*packet, Loss::kVl15, fabric.injection(packet->record.from));
}

void Reference::State::deliver(const reference::Link& by, Packet& packet) {
  if (packet.done) return;  // a truncated packet
  const HostId host = fabric.host_of(fabric.peer(by.channel));
  if (packet.smp) return end_at_host(by, packet, host);
  const bool multicast = is_multicast(packet);
  if (!multicast &&
      (!hcas[host].has(packet.record.dlid) || (packet.record.to != host && !packet.turned))) {
    count_lost(packet, Loss::kWrongHost, by.channel);
    return;
  }
  packet.done = true;
  packet.record.delivered = now;
  const Delivery& record = packet.record;
  reference::Flow& flow = flows[{record.from, record.to}];
  if (model.selection == Selection::kEar)
    packet.record.ahead = flow.places_ahead(record.sequence, now);
  ++flow.delivered;
  ++totals.delivered;
  ++window.packets;
  if (record.last) ++window.messages;
  window.bytes += record.bytes;
  window.payload_bytes += record.bytes - model.header_bytes;
  window.switches += record.switches;
  if (!multicast && !packet.turned && record.sequence < flow.newest) ++window.out_of_order;
  if (!packet.turned) flow.newest = std::max<std::int64_t>(flow.newest, record.sequence);
  window.latency.add(now - record.generated);
  window.network_latency.add(now - record.injected);
  if (multicast) packet.record.to = host;
  if (listener) listener(record);
  if (traffic.wants_deliveries()) traffic.delivered(record, woken);
}

void Reference::State::deliver_processed() {
  while (!processed.empty() && processed.front().at <= now) {
    const Processed one = processed.front();
    processed.pop_front();
    deliver(*one.by, *one.packet);
  }
}

void Reference::State::count_lost(Packet& packet, Loss why, Channel where) {
  if (packet.done) return;
  if (packet.smp) return lose_smp(packet, why, where);
  if (packet.token) {
    packet.done = true;
    return;
  }
  if (packet.ear_for != kNoHost) {
    packet.done = true;
    ++totals.ears_lost;
    ++use[where].lost[static_cast<unsigned>(why)];
    return;
  }
  packet.done = true;
  packet.record.delivered = now;
  ++totals.lost[static_cast<unsigned>(why)];
  ++use[where].lost[static_cast<unsigned>(why)];
  reference::Flow& flow = flows[{packet.record.from, packet.record.to}];
  ++flow.lost;
  flow.gone.emplace_back(now, packet.record.sequence);
  if (traffic.wants_deliveries()) traffic.lost(packet.record, woken);
}

}  // namespace selvedge::sim
