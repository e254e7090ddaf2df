// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/network.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "sim/model/adaptive.hpp"
#include "sim/model/crossbar.hpp"
#include "sim/model/faults.hpp"
#include "sim/model/fetch.hpp"
#include "sim/model/links.hpp"
#include "sim/model/managed.hpp"
#include "sim/model/management.hpp"
#include "sim/model/network_state.hpp"
#include "sim/model/sources.hpp"
#include "sim/model/stuck.hpp"

namespace selvedge::sim {

namespace {
/// From this number of events in an instant on, prefetching pays.
constexpr std::size_t kWorthFetching = 4;

/// The longest delay with which an event is scheduled, lifetimes and sources aside.
Tick reach_of(const Model& m) {
  const Tick bytes = static_cast<Tick>(std::max(m.mtu_bytes + m.header_bytes, kBlockBytes));
  const Tick wire = bytes * std::max(m.between_switches.byte_time, m.to_hosts.byte_time);
  const Tick propagation = std::max(m.between_switches.propagation, m.to_hosts.propagation);
  return 2 * wire + propagation + m.routing + m.credit_delay;
}
}  // namespace

template <class Shape>
Network::State<Shape>::State(const Fabric& fabric_in, const Tables& tables_in,
                             const Model& model_in, Traffic& traffic_in, std::uint64_t seed,
                             Managed managed_in)
    : fabric(fabric_in),
      model(model_in),
      traffic(traffic_in),
      tables(tables_in),
      lft(fabric_in.num_switches(), tables_in.top_lid()),
      shape(model_in, traffic_in, managed_in),
      wires{model_in.to_hosts, model_in.between_switches},
      ring(reach_of(model_in)),
      arbitration(model_in) {
  const std::uint32_t channels = fabric.num_channels();
  if (channels > Event::kMostB >> shape.lane_bits)
    throw InputError(
        fmt::format("{} channels of {} VLs are too many to simulate", channels, shape.lanes),
        "fabric", "simulate a part of it, or fewer VLs");
  inputs.resize(std::size_t{channels} << shape.lane_bits);
  outputs.resize(inputs.size());
  links.resize(channels);
  crossbars_noted.ids.resize(inputs.size());
  if (shape.lifetimes) head_since.resize(inputs.size());
  links_noted.ids.resize(channels);
  lost_at.resize(channels);
  if (shape.arbitrated) arbiters.assign(channels, VlArbiter(arbitration));
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    switches.push_back({.first = fabric.channel(s, 0), .ports = fabric.node(s).ports});
  take_tables();

  std::size_t asks_elsewhere = 0;
  for (Channel c = 0; c < channels; ++c) {
    Link& link = links[c];
    const Channel peer = fabric.peer(c);
    const LinkClass& of = model.link(fabric, c);
    link.byte_time = static_cast<std::int32_t>(of.byte_time);
    link.propagation = static_cast<std::int32_t>(of.propagation);
    set_down(c, peer == kNoChannel);
    link.from_switch = fabric.from_switch(c);
    if (const bool of_port_0 = link.from_switch && fabric.port_of(c) == 0;
        shape.managed && of_port_0) {
      InputQueue& input = inputs[queue(c, shape.management_lane)];
      input.at = fabric.switch_of(c);
      input.place = static_cast<std::uint16_t>(shape.management_lane);
      input.between_switches = true;
    }
    link.to_switch = peer != kNoChannel && fabric.from_switch(peer);
    for (unsigned l = 0; l < shape.lanes && link.to_switch; ++l) {
      InputQueue& input = inputs[queue(c, l)];
      input.at = fabric.switch_of(peer);
      input.place = static_cast<std::uint16_t>(queue(fabric.port_of(peer), l));
      input.between_switches = link.from_switch;
    }
    if (!link.to_switch && peer != kNoChannel) link.host = fabric.host_of(peer);
    if (!link.from_switch) link.host = fabric.host_of(c);
    if (link.from_switch) {
      const SwitchId s = fabric.switch_of(c);
      const unsigned ports = fabric.node(s).ports + 1u;
      if (fabric.port_of(c) == 0) {
        for (unsigned place = 0; place < ports << shape.lane_bits; ++place) {
          const Channel from =
              fabric.peer(fabric.channel(s, static_cast<PortNum>(place >> shape.lane_bits)));
          arrivals.push_back(place == shape.management_lane && shape.managed ? port_0(s)
                             : from == kNoChannel                            ? kNone
                                                  : queue(from, place & (shape.lanes - 1)));
        }
      }
      link.arrivals = static_cast<std::uint32_t>(arrivals.size() - (ports << shape.lane_bits));
      const auto words = static_cast<std::uint16_t>(((ports << shape.lane_bits) + 63) / 64);
      for (unsigned l = 0; l < shape.lanes; ++l) outputs[queue(c, l)].words = words;
      if (words > 1) asks_elsewhere += std::size_t{words} << shape.lane_bits;
    }
    for (unsigned l = 0; l < shape.lanes; ++l) {
      outputs[queue(c, l)].free = static_cast<std::uint16_t>(output_blocks(l));
      outputs[queue(c, l)].credits = static_cast<std::uint16_t>(input_blocks(l));
    }
  }

  more_asks.resize(asks_elsewhere);
  std::uint64_t* more = more_asks.data();
  for (OutputQueue& output : outputs) {
    if (output.words == 1) continue;
    output.many_asks = more;
    more += output.words;
  }

  if (shape.adaptive) prepare_adaptive(seed);
  if (shape.parted) escape_next.resize(channels);

  const std::uint32_t hosts = fabric.num_hosts();
  injectors.resize(hosts);
  streams.reserve(hosts);
  addresses.reserve(hosts);
  for (const Host& host : fabric.hosts())
    addresses.push_back(
        {.at = host.at, .lid = host.lid, .lids = static_cast<std::uint16_t>(host.lid_count())});
  host_rows.assign(hosts, tables.host_sl2vl);
  for (HostId h = 0; h < hosts; ++h) {
    streams.emplace_back(seed, h);
    injectors[h].next = traffic.next(h);
    expect(h);
  }
  if (!order_is_sure()) watch_order();
}

/// Whether packets of a pair arrive in order as long as the tables do not change.
template <class Shape>
bool Network::State<Shape>::order_is_sure() const {
  const bool one_way = model.paths == PathChoice::kFirst ||
                       std::ranges::all_of(addresses, [](const Address& a) { return a.lids == 1; });
  return one_way && !shape.adaptive && !traffic.manages();
}

/// Watches packet order from now on. Packets delivered before came in order, so no history is
/// needed.
template <class Shape>
void Network::State<Shape>::watch_order() {
  if (order_watched) return;
  order_watched = true;
  std::vector<bool> there(packets.size(), true);
  for (PacketId id = free_packets; id != kNone; id = packets[id].next) there[id] = false;
  for (PacketId id = 0; id < packets.size(); ++id)
    if (there[id] && !packets[id].truncated && !packets[id].smp)
      order.add(packets[id].from, packets[id].to);
}

/// Copies the tables that every packet needs into flat arrays.
template <class Shape>
void Network::State<Shape>::take_tables() {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    lft.set(s, tables.lft(s));
    switches[s].mixed = !tables.sl2vl.uniform(s);
    switches[s].row = tables.sl2vl.default_row(s);
  }
}

// All functions that an instant calls are small and called only from here. Flattened into one
// function they run 10 % faster.
template <class Shape>
[[gnu::flatten]] void Network::State<Shape>::run(Tick until) {
  for (Tick at = ring.next(); at < until; at = ring.next()) {
    const std::span<const Event> events = ring.advance(at);
    alone = events.size() == 1 && crossbars_noted.count == 0 && links_noted.count == 0 &&
            !shape.adaptive && !shape.lifetimes;
    totals.events += events.size();
    const bool many = events.size() >= kWorthFetching;
    if (many)
      happen_many(events);
    else
      happen_few(events);
    if (!heads_in.empty()) admit_heads();
    if (!woken.empty()) wake_sources();
    // serve() and feed() add only to lists that are still to be processed.
    for (std::size_t i = 0; i < crossbars_noted.count; ++i) serve(crossbars_noted.ids[i]);
    crossbars_noted.count = 0;
    for (std::size_t i = 0; i < switches_noted.count; ++i) choose_and_serve(switches_noted.ids[i]);
    switches_noted.count = 0;
    for (std::size_t i = 0; i < links_noted.count; ++i) feed(links_noted.ids[i]);
    links_noted.count = 0;
    if (shape.managed && !smp_arrivals.empty()) until = std::min(until, at + 1);
  }
  if (until != kNever) ring.wait_until(until);
}

/// Not inlined into run(): its code would compete there with happen_many() for the instruction
/// cache.
template <class Shape>
[[gnu::flatten]] void Network::State<Shape>::happen_few(std::span<const Event> events) {
  for (const Event& event : events) happen<false>(event);
}

/// A software pipeline: a few events are processed while the memory of the next few is prefetched,
/// one indirection at a time.
template <class Shape>
void Network::State<Shape>::happen_many(std::span<const Event> events) {
  const std::size_t few = fetch_few, n = by_kind(events);
  const Event* const all = sorted.data();
  ring.look_ahead();
  for (std::size_t i = 0; i < n + 3 * few; i += few) {
    ring.fetch_ahead();
    if (i < n)
      for (std::size_t k = i; k < i + few; ++k) fetch_named(all[k]);
    if (i >= few && i < n + few)
      for (std::size_t k = i - few; k < i; ++k) behind[k] = fetch_behind(all[k]);
    if (i >= 2 * few && i < n + 2 * few)
      for (std::size_t k = i - 2 * few; k < i - few; ++k) fetch_beyond(all[k], behind[k]);
    if (i >= 3 * few)
      for (std::size_t k = i - 3 * few; k < i - 2 * few; ++k) happen<true>(all[k]);
  }
}

template <class Shape>
template <bool kAmongMany>
void Network::State<Shape>::happen(const Event& event) {
  switch (event.what()) {
    case EventKind::kRouted:
      return routed<kAmongMany>(event.a(), event.b());
    case EventKind::kManagement:
      heads_in.emplace_back(event.a(), event.b());
      return;
    case EventKind::kManagementRouted:
      return management_routed(event.a(), event.b());
    case EventKind::kDelivered:
      return deliver(event.a(), event.b());
    case EventKind::kCrossed:
      // Its head was discarded, and perhaps another one has come meanwhile.
      if (shape.managed && (inputs[event.a()].waiting.empty() || asks(event.a()))) return;
      return ask(event.a());
    case EventKind::kPort0:
      return smp_at_port_0(event.a(), event.b());
    case EventKind::kServe:
      if (outputs[event.a()].asking != 0) note_crossbar(event.a());
      return;
    case EventKind::kCredit:
      return credit(event.a(), event.b());
    case EventKind::kReleased:
      return release(event.a(), event.b());
    case EventKind::kChoose:
      return note_switch(event.a());
    case EventKind::kDeadEnd:
      return dead_end(event.a(), ring.now());
    case EventKind::kSource:
      if (injectors[event.a()].expected == ring.now()) injectors[event.a()].expected = kNever;
      return refill(event.a());
    case EventKind::kWake:
      if (shape.lifetimes) check_deadlines(event.a());
      return note_link(event.a());
    case EventKind::kNothing:
      return;
  }
}

/// The port to which a switch forwards this DLID; 0: none.
template <class Shape>
PortNum Network::State<Shape>::next_port(SwitchId at, Lid dlid) const {
  const PortNum out = lft.next(at, dlid);
  return out <= switches[at].ports ? out : PortNum{0};
}

template <class Shape>
template <bool kAmongMany>
void Network::State<Shape>::routed(PacketId id, QueueId q) {
  Packet& packet = packets[id];
  const InputQueue& input = inputs[q];
  const RouteCache& here = switches[input.at];
  ++packet.switches;
  ++totals.packet_hops;
  if (!shape.adaptive || !find_alternatives(id, q)) {
    const PortNum out = next_port(input.at, packet.dlid);
    if (out == 0) return discard_on_arrival(id, Loss::kNoRoute);
    const Vl vl = here.mixed ? tables.sl2vl.row(input.at, port_of(input), out)[packet.sl]
                             : here.row[packet.sl];
    if (vl >= model.vls) return discard_on_arrival(id, Loss::kVl15);
    packet.out = queue(here.first + out, vl);
  }
  if (shape.lifetimes) routed_at[id] = ring.now();
  if (kAmongMany || !alone || !pass(id, q)) join(q, id);
}

/// A packet that has been routed joins its input queue.
template <class Shape>
void Network::State<Shape>::join(QueueId q, PacketId id) {
  InputQueue& input = inputs[q];
  const bool first = input.waiting.empty();
  append(input.waiting, id);
  if (!first) return;
  if (input.busy_until <= ring.now())
    ask(q);
  else
    ring.schedule(input.busy_until, {EventKind::kCrossed, q});
}

template <class Shape>
void Network::State<Shape>::deliver(PacketId id, HostId h) {
  const Packet& packet = packets[id];
  if (shape.managed && packet.smp) return smp_at_host(id, h);
  if (packet.truncated) return free_packet(id);
  if (!addresses[h].answers_to(packet.dlid))
    return discard(id, Loss::kWrongHost, fabric.peer(fabric.injection(h)));

  ++totals.delivered;
  ++window.packets;
  window.messages += packet.last;
  window.bytes += packet.bytes;
  window.payload_bytes += packet.bytes - model.header_bytes;
  window.switches += packet.switches;
  window.latency.add(ring.now() - packet.generated);
  window.network_latency.add(ring.now() - packet.injected);
  if (order_watched) window.out_of_order += order.deliver(packet.from, h, packet.sequence);
  if (hear || traffic.listens()) {
    const Delivery delivery = record(id);
    if (hear) hear(delivery);
    if (traffic.listens()) traffic.delivered(delivery, woken);
  }
  free_packet(id);
}

template <class Shape>
Delivery Network::State<Shape>::record(PacketId id) const {
  const Packet& packet = packets[id];
  return {.from = packet.from,
          .to = packet.to,
          .dlid = packet.dlid,
          .sl = static_cast<Sl>(packet.sl),
          .switches = static_cast<std::uint8_t>(packet.switches),
          .last = packet.last != 0,
          .bytes = packet.bytes,
          .tag = packet.tag,
          .sequence = packet.sequence,
          .generated = packet.generated,
          .injected = packet.injected,
          .delivered = ring.now()};
}

template <class Shape>
void Network::State<Shape>::credit(QueueId q, unsigned blocks) {
  inputs[q].credits.awaited = 0;  // set again if they are not enough
  outputs[q].credits = static_cast<std::uint16_t>(outputs[q].credits + blocks);
  note_link(channel(q));
  if (shape.credits_matter && links[channel(q)].from_switch)
    note_switch(fabric.switch_of(channel(q)));
}

/// Frees the blocks of a discarded packet in an input buffer, and sends their credits.
template <class Shape>
void Network::State<Shape>::release(QueueId q, unsigned blocks) {
  InputQueue& input = inputs[q];
  input.occupied = static_cast<std::uint16_t>(input.occupied - blocks);
  if (input.down) return;
  const Tick way = model.credit_delay + wire(input).propagation;
  if (way == 0) return credit(q, blocks);
  ring.schedule(ring.now() + way, {EventKind::kCredit, q, blocks});
}

/// Sends credits for blocks that become free at `freed` > now. For each queue, calls come in
/// ascending order of `freed`.
template <class Shape>
void Network::State<Shape>::send_credits(QueueId q, unsigned blocks, Tick freed) {
  InputQueue& input = inputs[q];
  if (input.down) return;
  const Tick at = freed + model.credit_delay + wire(input).propagation;
  CreditsOnTheWay& way = input.credits;
  if (way.awaited == 0 && !shape.credits_matter) {
    way.arrive(ring.now());
    if (!way.full()) return way.add(at, blocks);
  }
  ring.schedule(at, {EventKind::kCredit, q, blocks});
}

/// Adds the credits that have arrived by now.
template <class Shape>
void Network::State<Shape>::take_in(QueueId q) {
  CreditsOnTheWay& way = inputs[q].credits;
  way.arrive(ring.now());
  outputs[q].credits = static_cast<std::uint16_t>(outputs[q].credits + way.come);
  way.come = 0;
}

/// Whether there are credits for this many blocks. If not, the credits on their way become events,
/// since the sender waits for them now.
template <class Shape>
bool Network::State<Shape>::credits_for(QueueId q, unsigned blocks) {
  const OutputQueue& output = outputs[q];
  if (output.credits >= blocks) return true;
  CreditsOnTheWay& way = inputs[q].credits;
  take_in(q);
  way.awaited = output.credits < blocks;
  if (way.awaited == 0) return true;
  for (unsigned i = 0; i < 2 && way.at[i] != kNever; ++i)
    ring.schedule(way.at[i], {EventKind::kCredit, q, way.blocks[i]});
  way.forget();
  return false;
}

template <class Shape>
std::vector<ChannelUse> Network::State<Shape>::use() {
  std::vector<ChannelUse> all(links.size());
  for (Channel c = 0; c < all.size(); ++c) {
    count_wait(c);
    all[c].xmit_wait = links[c].waited;
    all[c].lost = lost_at[c];
    // A VL with an escape queue has two lanes; the last lanes may be unused.
    for (unsigned l = 0; l < shape.lanes; ++l)
      if (const VlUse& lane = outputs[queue(c, l)].sent; lane.packets > 0)
        all[c].by_vl[vl_of(l)] += lane;
  }
  return all;
}

template <class Shape>
void Network::State<Shape>::clear_window() {
  for (Channel c = 0; c < links.size(); ++c) count_wait(c);  // so that no wait spans two windows
  window = Window{};
  window.since = ring.now();
  for (OutputQueue& output : outputs) output.sent = {};
  for (Link& link : links) link.waited = 0;
  for (auto& lost : lost_at) lost = {};
}

Network::Network(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
                 std::uint64_t seed, Managed managed)
    : either_(std::make_unique<Either>()) {
  const auto make = [&]<class Shape>(std::type_identity<Shape>) {
    either_->state = std::make_unique<State<Shape>>(fabric, tables, model, traffic, seed, managed);
  };
  if (AnyShape(model, traffic, managed).is_plain())
    make(std::type_identity<PlainShape>());
  else
    make(std::type_identity<AnyShape>());
}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;

void Network::run(Tick until) {
  with_state(*this, [&](auto& state) { state.run(until); });
}

Tick Network::now() const {
  return with_state(*this, [](const auto& state) { return state.ring.now(); });
}

bool Network::idle() const {
  return with_state(*this, [](const auto& state) { return state.ring.empty(); });
}

void Network::cut(Channel link) {
  with_state(*this, [&](auto& state) {
    state.cut(link);
    if (const Channel back = state.fabric.peer(link); back != kNoChannel) state.cut(back);
  });
}

void Network::mend(Channel link) {
  with_state(*this, [&](auto& state) {
    state.mend(link);
    if (const Channel back = state.fabric.peer(link); back != kNoChannel) state.mend(back);
  });
}

void Network::set_lft(SwitchId at, std::span<const PortNum> row) {
  with_state(*this, [&](auto& state) {
    state.watch_order();
    state.lft.set(at, row);
  });
}

void Network::set_tables(const Tables& tables) {
  with_state(*this, [&](auto& state) {
    state.watch_order();
    state.tables = tables;
    state.host_rows.assign(state.host_rows.size(), tables.host_sl2vl);
    state.take_tables();
  });
}

void Network::send(const SmpEnd& from, const Smp& smp) {
  with_state(*this, [&](auto& state) { state.send(from, smp); });
}

std::vector<SmpArrival> Network::take_arrivals() {
  return with_state(*this, [](auto& state) { return std::exchange(state.smp_arrivals, {}); });
}

std::vector<std::uint32_t> Network::take_lost_smps() {
  return with_state(*this, [](auto& state) { return std::exchange(state.lost_smps, {}); });
}

void Network::write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries) {
  with_state(*this, [&](auto& state) {
    state.watch_order();
    state.lft.set_block(at, block, entries);
  });
}

void Network::write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row) {
  with_state(*this, [&](auto& state) { state.write_sl2vl(at, in, out, row); });
}

void Network::write_host_sl2vl(HostId host, const Sl2VlRow& row) {
  with_state(*this, [&](auto& state) {
    state.watch_order();
    state.host_rows[host] = row;
  });
}

void Network::write_path_sl(SwitchId source, Lid dlid, Sl sl) {
  with_state(*this, [&](auto& state) {
    state.watch_order();
    state.tables.set_sl(source, dlid, sl);
  });
}

void Network::write_lids(HostId host, Lid base, unsigned count) {
  with_state(*this, [&](auto& state) {
    state.watch_order();
    state.addresses[host].lid = base;
    state.addresses[host].lids = static_cast<std::uint16_t>(count);
  });
}

void Network::open(Channel c, bool for_data) {
  with_state(*this, [&](auto& state) { state.open(c, for_data); });
}

void Network::hold(HostId host, bool held) {
  with_state(*this, [&](auto& state) { state.hold(host, held); });
}

bool Network::discard_head(Channel c, Vl vl) {
  return with_state(*this, [&](auto& state) {
    return state.discard_head(state.queue(c, state.adaptive_lane(vl)));
  });
}

const Totals& Network::totals() const {
  return with_state(*this, [](const auto& state) -> const Totals& { return state.totals; });
}

const Window& Network::window() const {
  return with_state(*this, [](const auto& state) -> const Window& { return state.window; });
}

std::vector<ChannelUse> Network::use() const {
  return with_state(*this, [](auto& state) { return state.use(); });
}

void Network::clear_window() {
  with_state(*this, [](auto& state) { state.clear_window(); });
}

unsigned Network::occupied(Channel c) const {
  return with_state(*this, [&](const auto& state) {
    unsigned blocks = 0;
    for (unsigned l = 0; l < state.shape.lanes; ++l)
      blocks += state.occupied(state.inputs[state.queue(c, l)]);
    return blocks;
  });
}

unsigned Network::occupied(Channel c, Vl vl) const {
  return with_state(*this, [&](const auto& state) {
    unsigned blocks = 0;
    for (unsigned l = 0; l < state.shape.lanes; ++l)
      if (state.vl_of(l) == vl) blocks += state.occupied(state.inputs[state.queue(c, l)]);
    return blocks;
  });
}

std::uint64_t Network::waiting_at_sources() const {
  return with_state(*this, [](const auto& state) {
    std::uint64_t packets = 0;
    for (const Injector& injector : state.injectors) packets += injector.queued;
    return packets;
  });
}

void Network::on_delivery(std::function<void(const Delivery&)> hear) {
  with_state(*this, [&](auto& state) { state.hear = std::move(hear); });
}

std::vector<Waiting> Network::deadlock() const {
  return with_state(*this, [](const auto& state) { return find_deadlock(state); });
}

}  // namespace selvedge::sim
