// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/network.hpp"

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

namespace {
/// Beyond so many hosts the order of each pair's packets is not watched (4 bytes a pair).
constexpr std::uint32_t kMaxHostsWatched = 16'384;

/// The longest time from a cause to its event in a network without lifetimes and sources.
Tick reach_of(const Model& m) {
  const Tick bytes = static_cast<Tick>(std::max(m.mtu_bytes + m.header_bytes, kBlockBytes));
  const Tick wire = bytes * std::max(m.between_switches.byte_time, m.to_hosts.byte_time);
  const Tick propagation = std::max(m.between_switches.propagation, m.to_hosts.propagation);
  return 2 * wire + propagation + m.routing + m.credit_delay;
}
}  // namespace

Network::State::State(const Fabric& fabric_in, const Tables& tables_in, const Model& model_in,
                      Traffic& traffic_in, std::uint64_t seed)
    : fabric(fabric_in),
      model(model_in),
      traffic(traffic_in),
      tables(tables_in),
      stride(static_cast<std::size_t>(tables_in.top_lid()) + 1),
      lane_bits(static_cast<unsigned>(std::bit_width(model_in.vls - 1))),
      lanes(1u << lane_bits),
      ring(reach_of(model_in)),
      arbitration(model_in),
      lifetimes(model_in.head_of_queue_life != kNever || model_in.switch_life != kNever) {
  const std::uint32_t channels = fabric.num_channels();
  inputs.resize(std::size_t{channels} << lane_bits);
  outputs.resize(inputs.size());
  links.resize(channels);
  use.resize(channels);
  if (model.vls > 1) arbiters.assign(channels, VlArbiter(arbitration));
  lft.resize(std::size_t{fabric.num_switches()} * stride);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    std::ranges::copy(tables.lft(s), lft.begin() + static_cast<std::ptrdiff_t>(s * stride));

  for (Channel c = 0; c < channels; ++c) {
    Link& link = links[c];
    const Channel peer = fabric.peer(c);
    const LinkClass& of = model.link(fabric, c);
    link.byte_time = of.byte_time;
    link.propagation = of.propagation;
    link.down = peer == kNoChannel;
    link.from_switch = fabric.from_switch(c);
    link.to_switch = peer != kNoChannel && fabric.from_switch(peer);
    if (link.to_switch) link.place = static_cast<std::uint16_t>(fabric.port_of(peer) << lane_bits);
    if (link.from_switch) {
      const unsigned ports = fabric.node(fabric.switch_of(c)).ports + 1u;
      link.words = static_cast<std::uint16_t>(((ports << lane_bits) + 63) / 64);
      link.requests = static_cast<std::uint32_t>(requests.size());
      requests.resize(requests.size() + (std::size_t{link.words} << lane_bits));
    }
    for (unsigned l = 0; l < lanes; ++l) {
      outputs[queue(c, l)].free = static_cast<std::uint16_t>(model.output_blocks);
      outputs[queue(c, l)].credits = static_cast<std::uint16_t>(model.input_blocks);
    }
  }

  const std::uint32_t hosts = fabric.num_hosts();
  injectors.resize(hosts);
  streams.reserve(hosts);
  for (HostId h = 0; h < hosts; ++h) {
    streams.emplace_back(seed, h);
    injectors[h].next = traffic.next(h);
    expect(h);
  }
  if (hosts <= kMaxHostsWatched) latest.resize(std::size_t{hosts} * hosts);
}

void Network::State::run(Tick until) {
  for (Tick at = ring.next(); at < until; at = ring.next()) {
    ring.advance(at, [this](const Event& event) { happen(event); });
    if (!woken.empty()) wake_sources();
    // serve() and feed() may note what comes before them in line, never what comes after.
    for (const QueueId q : crossbars_noted) serve(q);
    crossbars_noted.clear();
    for (const Channel c : links_noted) feed(c);
    links_noted.clear();
  }
  if (until != kNever) ring.wait_until(until);
}

void Network::State::happen(const Event& event) {
  ++totals.events;
  switch (event.what) {
    case Happening::kRouted:
      return routed(event.a, event.b);
    case Happening::kDelivered:
      return deliver(event.a, event.b);
    case Happening::kCrossed:
      return crossed(event.a, event.b);
    case Happening::kLeft:
      return left(event);
    case Happening::kCredit:
      return credit(event.a, event.blocks);
    case Happening::kReleased:
      return give_back(event.a, event.blocks);
    case Happening::kSource:
      injectors[event.a].expected = false;
      return refill(event.a);
    case Happening::kWake:
      if (lifetimes) check_deadlines(event.a);
      return note_link(event.a);
  }
}

void Network::State::routed(PacketId id, Channel c) {
  Packet& packet = packets[id];
  const QueueId q = packet.out;  // by which it came
  const Channel peer = fabric.peer(c);
  const SwitchId s = fabric.switch_of(peer);
  const PortNum in = fabric.port_of(peer);
  ++packet.switches;
  ++totals.packet_hops;
  const PortNum out = packet.dlid < stride ? lft[s * stride + packet.dlid] : kNoPort;
  if (out == 0 || out > fabric.node(s).ports) return discard_on_arrival(id, Loss::kNoRoute);
  const Vl vl = tables.sl2vl.row(s, in, out)[packet.sl];
  if (vl >= model.vls) return discard_on_arrival(id, Loss::kVl15);
  packet.out = queue(fabric.channel(s, out), vl);
  if (lifetimes) origins[id].routed = ring.now();

  InputQueue& input = inputs[q];
  const bool first = input.waiting.empty();
  append(input.waiting, id);
  if (first && input.crossing == kNone) ask(q);
}

void Network::State::deliver(PacketId id, Channel c) {
  const HostId h = fabric.host_of(fabric.peer(c));
  const Packet& packet = packets[id];
  const Origin& origin = origins[id];
  const Host& host = fabric.host(h);
  if (packet.stump) return discard(id, Loss::kCut);
  if (packet.dlid < host.lid || packet.dlid >= host.lid + host.lid_count())
    return discard(id, Loss::kWrongHost);

  ++totals.delivered;
  ++window.packets;
  window.messages += packet.last;
  window.bytes += packet.bytes;
  window.payload_bytes += packet.bytes - model.header_bytes;
  window.switches += packet.switches;
  window.latency.add(ring.now() - origin.generated);
  window.network_latency.add(ring.now() - origin.injected);
  if (!latest.empty()) {
    std::uint32_t& last = latest[std::size_t{h} * fabric.num_hosts() + origin.from];
    if (origin.sequence < last)
      ++window.out_of_order;
    else
      last = origin.sequence + 1;
  }
  if (hear || traffic.listens()) {
    const Delivery delivery = record(id);
    if (hear) hear(delivery);
    if (traffic.listens()) traffic.delivered(delivery, woken);
  }
  free_packet(id);
}

Delivery Network::State::record(PacketId id) const {
  const Packet& packet = packets[id];
  const Origin& origin = origins[id];
  return {.from = origin.from,
          .to = origin.to,
          .dlid = packet.dlid,
          .sl = packet.sl,
          .switches = packet.switches,
          .last = packet.last,
          .bytes = packet.bytes,
          .tag = origin.tag,
          .sequence = origin.sequence,
          .generated = origin.generated,
          .injected = origin.injected,
          .delivered = ring.now()};
}

void Network::State::left(const Event& event) {
  const Channel c = event.a;
  Link& link = links[c];
  if (link.from_switch) {
    const QueueId q = queue(c, event.lane);
    outputs[q].free = static_cast<std::uint16_t>(outputs[q].free + event.blocks);
    note_crossbar(q);
    if (lifetimes) check_deadlines(c);
  } else {
    refill(fabric.host_of(c));
  }
  if (link.occupied != 0) note_link(c);
}

void Network::State::credit(QueueId q, unsigned blocks) {
  outputs[q].credits = static_cast<std::uint16_t>(outputs[q].credits + blocks);
  const Channel c = channel(q);
  if (links[c].occupied != 0) note_link(c);
}

/// Blocks of an input buffer are free: the credits for them go back.
void Network::State::give_back(QueueId q, unsigned blocks) {
  inputs[q].occupied = static_cast<std::uint16_t>(inputs[q].occupied - blocks);
  const Link& link = links[channel(q)];
  if (link.down) return;
  const Tick way = model.credit_delay + link.propagation;
  if (way == 0) return credit(q, blocks);
  ring.schedule(ring.now() + way,
                {.a = q, .what = Happening::kCredit, .blocks = static_cast<std::uint16_t>(blocks)});
}

Network::Network(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
                 std::uint64_t seed)
    : state_(std::make_unique<State>(fabric, tables, model, traffic, seed)) {}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;

void Network::run(Tick until) { state_->run(until); }
Tick Network::now() const { return state_->ring.now(); }
bool Network::idle() const { return state_->ring.empty(); }

void Network::set_lft(SwitchId at, std::span<const PortNum> row) {
  std::ranges::copy(row.first(std::min(row.size(), state_->stride)),
                    state_->lft.begin() + static_cast<std::ptrdiff_t>(at * state_->stride));
}

void Network::set_tables(const Tables& tables) {
  state_->tables = tables;
  for (SwitchId s = 0; s < tables.num_switches(); ++s) set_lft(s, tables.lft(s));
}

const Totals& Network::totals() const { return state_->totals; }
const Window& Network::window() const { return state_->window; }
std::span<const ChannelUse> Network::use() const { return state_->use; }

void Network::clear_window() {
  state_->window = Window{};
  state_->window.since = now();
  std::ranges::fill(state_->use, ChannelUse{});
}

unsigned Network::occupied(Channel c) const {
  unsigned blocks = 0;
  for (unsigned l = 0; l < state_->lanes; ++l)
    blocks += state_->inputs[state_->queue(c, l)].occupied;
  return blocks;
}

std::uint64_t Network::waiting_at_sources() const {
  std::uint64_t packets = 0;
  for (const Injector& injector : state_->injectors) packets += injector.queued;
  return packets;
}

void Network::on_delivery(std::function<void(const Delivery&)> hear) {
  state_->hear = std::move(hear);
}

}  // namespace selvedge::sim
