// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/network.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/error.hpp"
#include "sim/model/adaptive.hpp"
#include "sim/model/class_queues.hpp"
#include "sim/model/crossbar.hpp"
#include "sim/model/ears.hpp"
#include "sim/model/epochs.hpp"
#include "sim/model/faults.hpp"
#include "sim/model/find_deadlock.hpp"
#include "sim/model/layers.hpp"
#include "sim/model/links.hpp"
#include "sim/model/managed.hpp"
#include "sim/model/management.hpp"
#include "sim/model/multicast.hpp"
#include "sim/model/network_state.hpp"
#include "sim/model/per_output.hpp"
#include "sim/model/prefetch.hpp"
#include "sim/model/sources.hpp"
#include "sim/model/tokens.hpp"

namespace selvedge::sim {

namespace {
/// The number of events in a tick from which on prefetching makes the tick faster; and if the
/// queues and links of the network have so few bytes that they stay in the cache.
constexpr std::size_t kPrefetchEventsMin = 4, kPrefetchEventsMinSmall = 8;
constexpr std::size_t kCachedBytes = std::size_t{256} << 10;

/// The longest time ahead for which an event is scheduled, except events of lifetimes and sources.
Tick horizon_of(const Model& m) {
  const Tick bytes = static_cast<Tick>(std::max(m.mtu_bytes + m.header_bytes, kBlockBytes));
  const Tick wire = bytes * std::max(m.between_switches.byte_time, m.to_hosts.byte_time);
  const Tick propagation = std::max(m.between_switches.propagation, m.to_hosts.propagation);
  return std::max(2 * wire + propagation + std::max(m.routing + m.credit_delay, m.processing),
                  m.throttled_time(static_cast<unsigned>(bytes)));
}
}  // namespace

template <class Features>
Network::State<Features>::State(const Fabric& fabric_in, const Tables& tables_in,
                                const Model& model_in, Traffic& traffic_in, std::uint64_t seed,
                                Managed managed_in)
    : fabric(fabric_in),
      model(model_in),
      traffic(traffic_in),
      tables(tables_in),
      lft(fabric_in.num_switches(), tables_in.top_lid()),
      features(model_in, traffic_in, managed_in),
      wires{model_in.to_hosts, model_in.between_switches},
      wheel(horizon_of(model_in)),
      arbitration(model_in) {
  const std::uint32_t channels = fabric.num_channels();
  if (channels > Event::kMaxB >> features.lane_bits)
    throw InputError(
        fmt::format("{} channels of {} VLs are too many to simulate", channels, features.lanes),
        "fabric", "simulate a part of it, or fewer VLs");
  inputs.resize(std::size_t{channels} << features.lane_bits);
  outputs.resize(inputs.size());
  links.resize(channels);
  const std::size_t bytes =
      inputs.size() * (sizeof(InputQueue) + sizeof(OutputQueue)) + channels * sizeof(Link);
  prefetch_from = bytes > kCachedBytes ? kPrefetchEventsMin : kPrefetchEventsMinSmall;
  pending_outputs.ids.resize(inputs.size());
  if (features.lifetimes) {
    head_since.resize(inputs.size());
    expiry_at.assign(channels, kNever);
  }
  pending_links.ids.resize(channels);
  lost_at.resize(channels);
  if (features.arbitrated) arbiters.assign(channels, VlArbiter(arbitration));
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    switches.push_back({.first = fabric.channel(s, 0), .ports = fabric.node(s).ports});
  load_tables();

  std::size_t storage_words = 0;
  for (Channel c = 0; c < channels; ++c) {
    Link& link = links[c];
    const Channel peer = fabric.peer(c);
    const LinkClass& of = model.link(fabric, c);
    link.byte_time = static_cast<std::int32_t>(of.byte_time);
    link.propagation = static_cast<std::int32_t>(of.propagation);
    set_down(c, peer == kNoChannel);
    link.from_switch = fabric.from_switch(c);
    if (const bool of_port_0 = link.from_switch && fabric.port_of(c) == 0;
        features.managed && of_port_0) {
      InputQueue& input = inputs[queue(c, features.management_lane)];
      input.at = fabric.switch_of(c);
      input.place = static_cast<std::uint16_t>(features.management_lane);
      input.between_switches = true;
    }
    link.to_switch = peer != kNoChannel && fabric.from_switch(peer);
    for (unsigned l = 0; l < features.lanes && link.to_switch; ++l) {
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
        for (unsigned place = 0; place < ports << features.lane_bits; ++place) {
          const Channel from =
              fabric.peer(fabric.channel(s, static_cast<PortNum>(place >> features.lane_bits)));
          arrivals.push_back(place == features.management_lane && features.managed ? port_0(s)
                             : from == kNoChannel                                  ? kNone
                                                  : queue(from, place & (features.lanes - 1)));
        }
      }
      link.arrivals = static_cast<std::uint32_t>(arrivals.size() - (ports << features.lane_bits));
      const auto words = static_cast<std::uint16_t>(((ports << features.lane_bits) + 63) / 64);
      for (unsigned l = 0; l < features.lanes; ++l) outputs[queue(c, l)].words = words;
      if (words > 1) storage_words += std::size_t{words} << features.lane_bits;
    }
    for (unsigned l = 0; l < features.lanes; ++l) {
      outputs[queue(c, l)].free = static_cast<std::uint16_t>(output_blocks(l));
      outputs[queue(c, l)].credits = static_cast<std::uint16_t>(input_blocks(l));
    }
  }

  request_storage.resize(storage_words);
  std::uint64_t* more = request_storage.data();
  for (OutputQueue& output : outputs) {
    if (output.words == 1) continue;
    output.request_words = more;
    more += output.words;
  }

  if (features.adaptive) prepare_adaptive(seed);
  if (features.per_output) prepare_per_output();
  if (features.ear && features.managed)
    throw std::logic_error("no subnet manager is in a self-routing tree");
  if (features.epochs) prepare_epochs();
  if (features.layers) prepare_layers();
  if (features.tokens) prepare_tokens();
  if (features.driven && features.classes)
    throw std::logic_error("hosts that are asked for packets have no classes");
  if (features.has_escape) escape_next.resize(channels);

  const std::uint32_t hosts = fabric.num_hosts();
  injectors.resize(hosts);
  streams.reserve(hosts);
  addresses.reserve(hosts);
  for (const Host& host : fabric.hosts())
    addresses.push_back(
        {.at = host.at, .lid = host.lid, .lids = static_cast<std::uint16_t>(host.lid_count())});
  if (features.managed) {
    host_rows.assign(hosts, tables.host_sl2vl);
    path_records.resize(hosts);
    port_arbitration.assign(channels, arbitration);
    head_lives.assign(channels, model.head_of_queue_life);
    switch_lives.assign(fabric.num_switches(), model.switch_life);
  }
  if (features.ear) prepare_ears(seed);
  if (features.classes) prepare_classes();
  if (features.multicast) prepare_multicast();
  for (HostId h = 0; h < hosts; ++h) {
    streams.emplace_back(seed, h);
    injectors[h].next = features.driven    ? Message{.at = 0}
                        : features.classes ? first_of_classes(h)
                                           : traffic.next(h);
    schedule_source(h);
  }
  if (!order_guaranteed()) track_order();
}

/// Whether packets of a pair of hosts arrive in order as long as the tables do not change.
template <class Features>
bool Network::State<Features>::order_guaranteed() const {
  const bool one_way = (model.paths == PathChoice::kFirst && !features.driven) ||
                       std::ranges::all_of(addresses, [](const Address& a) { return a.lids == 1; });
  return one_way && !features.adaptive && !features.ear && !features.classes &&
         !traffic.sends_management();
}

/// Watches the order of packets from now on. Until now they could only arrive in order
/// (order_guaranteed()), so nothing needs to be known of earlier deliveries.
template <class Features>
void Network::State<Features>::track_order() {
  if (order_watched) return;
  order_watched = true;
  std::vector<bool> there(packets.size(), true);
  for (PacketId id = free_packets; id != kNone; id = packets[id].next) there[id] = false;
  for (PacketId id = 0; id < packets.size(); ++id)
    if (there[id] && !packets[id].truncated && !packets[id].smp && !packets[id].signal)
      order.add(packets[id].from, packets[id].to);
}

/// Copies the tables that every packet needs into flat arrays.
template <class Features>
void Network::State<Features>::load_tables() {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    lft.set(s, tables.lft(s));
    switches[s].mixed = !tables.sl2vl.uniform(s);
    switches[s].row = tables.sl2vl.default_row(s);
  }
  if (features.multicast) load_trees();
}

// All functions that a tick calls are small and called only from here. Inlined into this function
// (gnu::flatten) they run 10 % faster.
template <class Features>
[[gnu::flatten]] void Network::State<Features>::run(Tick until) {
  for (Tick at = wheel.next(); at < until; at = wheel.next()) {
    if (features.looks_at_heads && !doomed.empty()) {
      wheel.set_now(at);
      act_on_doomed();
    }
    if (features.tokens && !token_switches.empty()) {
      wheel.set_now(at);
      pass_tokens();
    }
    const std::span<const Event> events = wheel.advance(at);
    single_event = events.size() == 1 && pending_outputs.count == 0 && pending_links.count == 0 &&
                   !features.adaptive && !features.per_output;
    apart = single_event;
    totals.events += events.size();
    const bool many = events.size() >= prefetch_from;
    if (many)
      handle_many(events);
    else
      handle_few(events);
    if (!arrived_heads.empty()) admit_heads();
    if (features.inspected && !inspections.empty()) inspect_management();
    if (!woken.empty()) wake_sources();
    if (features.lanes != 1 && !features.adaptive && !features.per_output) find_whether_apart();
    for (std::size_t i = 0; features.multicast && i < pending_switches.count; ++i)
      replicate(pending_switches.ids[i]);
    if (features.multicast) pending_switches.count = 0;
    // In these loops serve() and serve_link() add entries only to lists whose loop comes later.
    for (std::size_t i = 0; i < pending_outputs.count; ++i) serve(pending_outputs.ids[i]);
    pending_outputs.count = 0;
    for (std::size_t i = 0; !features.multicast && i < pending_switches.count; ++i) {
      const SwitchId s = pending_switches.ids[i];
      features.per_output ? match(s) : select_and_serve(s);
    }
    pending_switches.count = 0;
    for (std::size_t i = 0; i < pending_links.count; ++i) serve_link(pending_links.ids[i]);
    pending_links.count = 0;
    if (!lost_at_source.empty()) discard_at_sources();
    if (features.ear && !reactions.empty()) react();
    if (features.looks_at_heads && !lacking.empty()) look_at_heads();
    if (features.managed && !smp_arrivals.empty()) until = std::min(until, at + 1);
  }
  if (until != kNever) wheel.set_now(until);
}

/// Handles a few events, without prefetching. Not inlined into run(), where its code would compete
/// with that of handle_many() for the instruction cache.
template <class Features>
[[gnu::flatten]] void Network::State<Features>::handle_few(std::span<const Event> events) {
  for (const Event& event : events) handle<false>(event);
}

/// Handles many events as a software pipeline: a few events are processed while the memory of the
/// next few is prefetched, one indirection at a time (prefetch.hpp).
template <class Features>
void Network::State<Features>::handle_many(std::span<const Event> events) {
  const std::size_t few = prefetch_batch, n = sort_by_kind(events);
  const Event* const all = sorted.data();
  wheel.prefetch_first();
  for (std::size_t i = 0; i < n + 3 * few; i += few) {
    wheel.prefetch_next();
    if (i < n)
      for (std::size_t k = i; k < i + few; ++k) prefetch_named(all[k]);
    if (i >= few && i < n + few)
      for (std::size_t k = i - few; k < i; ++k) second_level[k] = prefetch_second(all[k]);
    if (i >= 2 * few && i < n + 2 * few)
      for (std::size_t k = i - 2 * few; k < i - few; ++k) prefetch_third(all[k], second_level[k]);
    if (i >= 3 * few)
      for (std::size_t k = i - 3 * few; k < i - 2 * few; ++k) handle<true>(all[k]);
  }
}

template <class Features>
template <bool kOneOfMany>
void Network::State<Features>::handle(const Event& event) {
  switch (event.what()) {
    case EventKind::kRouted:
      return routed<kOneOfMany>(event.a(), event.b());
    case EventKind::kManagement:
      arrived_heads.emplace_back(event.a(), event.b());
      return;
    case EventKind::kManagementRouted:
      return management_routed(event.a(), event.b());
    case EventKind::kDelivered:
      return deliver(event.a(), event.b());
    case EventKind::kCrossed:
      // discard_head() may have emptied the queue since, or the new head may request already.
      if (features.managed && (inputs[event.a()].waiting.empty() || is_requesting(event.a())))
        return;
      return request(event.a());
    case EventKind::kPort0:
      if (features.ear) return receive_ear(event.a(), event.b());
      return smp_at_port_0(event.a(), event.b());
    case EventKind::kPoll:
      return woken.push_back(event.a());
    case EventKind::kServe:
      if (is_claimed(event.a())) mark_switch(fabric.switch_of(channel(event.a())));
      if (outputs[event.a()].request_count != 0) mark_output(event.a());
      return;
    case EventKind::kCredit:
      return credit(event.a(), event.b());
    case EventKind::kReleased:
      return release(event.a(), event.b());
    case EventKind::kSelect:
      return mark_switch(event.a());
    case EventKind::kDeadPortCrossed:
      return discard_dead_port(event.a(), wheel.now());
    case EventKind::kSource:
      if (injectors[event.a()].source_event_at == wheel.now())
        injectors[event.a()].source_event_at = kNever;
      if (features.driven) {
        // Asked at the end of the step, unless the question has been put off meanwhile.
        if (injectors[event.a()].next.at > wheel.now()) return schedule_source(event.a());
        return woken.push_back(event.a());
      }
      return fill_queue(event.a());
    case EventKind::kWake:
      if (features.lifetimes) check_lifetimes(event.a());
      return mark_link(event.a());
    case EventKind::kPadding:
      return;
  }
}

/// The port to which a switch forwards this DLID; 0: none.
template <class Features>
PortNum Network::State<Features>::next_port(SwitchId at, Lid dlid) const {
  const PortNum out = lft.next(at, dlid);
  return out <= switches[at].ports ? out : PortNum{0};
}

template <class Features>
template <bool kOneOfMany>
void Network::State<Features>::routed(PacketId id, QueueId q) {
  Packet& packet = packets[id];
  const InputQueue& input = inputs[q];
  const RouteCache& here = switches[input.at];
  if (features.tokens && packet.signal) return token_routed(id, q);
  if (!features.adaptive || packet.switches < UINT8_MAX) ++packet.switches;
  ++totals.packet_hops;
  if (features.multicast && is_multicast(packet.dlid)) {
    if (!find_copies(id, q)) return;
  } else if (features.tokens && token_there[q] && !separated[q]) {
    packet.out = kNone;  // found when the token has passed
    routed_at[id] = wheel.now();
    return append(inputs[q].waiting, id);
  } else if (!features.adaptive || !find_alternatives(id, q)) {
    const PortNum out = features.layers   ? layer_port(input.at, lane(q), packet.dlid)
                        : features.tokens ? separated_port(q, packet.dlid)
                        : features.ear    ? port_of_flow(input.at, packet)
                                          : next_port(input.at, packet.dlid);
    if (out == 0) return discard_on_arrival(id, Loss::kNoRoute);
    const Vl vl = features.layers ? layer_vl(q)
                  : here.mixed    ? tables.sl2vl.row(input.at, port_of(input), out)[packet.sl]
                                  : here.row[packet.sl];
    if (vl >= model.vls) return discard_on_arrival(id, Loss::kVl15);
    packet.out = queue(here.first + out, vl);
    if (features.ear) note_joined(packet, q);
  }
  if (features.lifetimes) routed_at[id] = wheel.now();
  if (features.epochs) {
    packet_epochs[id].routed = switch_epochs[input.at];
    if (!input.between_switches) packet_epochs[id].packet = switch_epochs[input.at];
  }
  const bool may_cross = !kOneOfMany && single_event &&
                         !(features.multicast && is_multicast(packet.dlid)) &&
                         !(features.tokens && waits_for_token(q, packet.out));
  if (!may_cross || !cross_at_once(id, q)) enqueue_input(q, id);
}

/// A packet that has been routed joins its input queue.
template <class Features>
void Network::State<Features>::enqueue_input(QueueId q, PacketId id) {
  if (features.per_output) return enqueue_for_output(q, id);
  InputQueue& input = inputs[q];
  const bool first = input.waiting.empty();
  append(input.waiting, id);
  if (!first) return;
  if (input.busy_until <= wheel.now())
    request(q);
  else
    request_after(q, input.busy_until);
}

template <class Features>
void Network::State<Features>::deliver(PacketId id, HostId h) {
  const Packet& packet = packets[id];
  if (features.managed && packet.smp) return smp_at_host(id, h);
  if (packet.truncated) return free_packet(id);
  const bool of_group = features.multicast && is_multicast(packet.dlid);
  if (of_group) packets[id].to = h;
  if ((!of_group && !addresses[h].owns(packet.dlid)) || (features.managed && packet.to != h))
    return discard(id, Loss::kWrongHost, fabric.peer(fabric.injection(h)));

  ++totals.delivered;
  ++window.packets;
  window.messages += packet.last;
  window.bytes += packet.bytes;
  window.payload_bytes += packet.bytes - model.header_bytes;
  window.switches += packet.switches;
  window.latency.add(wheel.now() - packet.generated);
  window.network_latency.add(wheel.now() - packet.injected);
  // What a switch has sent back is no longer one of the packets that arrive in order.
  if (features.inspected && order_watched && !of_group && packet.to != h)
    order.count_lost(packet.from, packet.to);
  else if (order_watched && !of_group)
    window.out_of_order += order.deliver(packet.from, packet.to, packet.sequence);
  const unsigned ahead =
      features.ear ? arrival_order.deliver(packet.from, packet.to, packet.sequence, wheel.now())
                   : 0;
  if (listener || traffic.wants_deliveries()) {
    Delivery delivery = record(id);
    delivery.ahead = ahead;
    if (listener) listener(delivery);
    if (traffic.wants_deliveries()) traffic.delivered(delivery, woken);
  }
  free_packet(id);
}

template <class Features>
Delivery Network::State<Features>::record(PacketId id) const {
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
          .delivered = wheel.now()};
}

template <class Features>
void Network::State<Features>::credit(QueueId q, unsigned blocks) {
  inputs[q].credits.awaited = 0;  // credits_for() sets it again if these credits are not enough
  outputs[q].credits = static_cast<std::uint16_t>(outputs[q].credits + blocks);
  mark_link(channel(q));
  if (features.selects_by_credits && links[channel(q)].from_switch)
    mark_switch(fabric.switch_of(channel(q)));
}

/// Frees the blocks of a discarded packet in an input buffer, and sends their credits.
template <class Features>
void Network::State<Features>::release(QueueId q, unsigned blocks) {
  InputQueue& input = inputs[q];
  input.occupied = static_cast<std::uint16_t>(input.occupied - blocks);
  if (input.down) return;
  const Tick delay = model.credit_delay + wire(input).propagation;
  if (delay == 0) return credit(q, blocks);
  wheel.schedule(wheel.now() + delay, {EventKind::kCredit, q, blocks});
}

/// Sends credits for blocks that become free at `freed` > now. For each queue, calls come in
/// ascending order of `freed`.
template <class Features>
void Network::State<Features>::send_credits(QueueId q, unsigned blocks, Tick freed) {
  InputQueue& input = inputs[q];
  if (input.down) return;
  const Tick at = freed + model.credit_delay + wire(input).propagation;
  CreditsInFlight& credits = input.credits;
  if (credits.awaited == 0 && !features.selects_by_credits) {
    credits.arrive(wheel.now());
    if (!credits.full()) return credits.add(at, blocks);
  }
  wheel.schedule(at, {EventKind::kCredit, q, blocks});
}

/// Adds the credits that have arrived by now to the sender's count.
template <class Features>
void Network::State<Features>::collect_credits(QueueId q) {
  CreditsInFlight& credits = inputs[q].credits;
  credits.arrive(wheel.now());
  outputs[q].credits = static_cast<std::uint16_t>(outputs[q].credits + credits.arrived);
  credits.arrived = 0;
}

/// Whether the sender (output queue q) has credits for this many blocks. If not, events are
/// scheduled for the credits in flight, since the sender waits for them now.
template <class Features>
bool Network::State<Features>::credits_for(QueueId q, unsigned blocks) {
  const OutputQueue& output = outputs[q];
  if (output.credits >= blocks) return true;
  CreditsInFlight& credits = inputs[q].credits;
  collect_credits(q);
  credits.awaited = output.credits < blocks;
  if (credits.awaited == 0) return true;
  for (unsigned i = 0; i < 2 && credits.at[i] != kNever; ++i)
    wheel.schedule(credits.at[i], {EventKind::kCredit, q, credits.blocks[i]});
  credits.clear();
  return false;
}

template <class Features>
ChannelUse Network::State<Features>::use(Channel c) {
  accumulate_wait(c);
  ChannelUse use{.xmit_wait = links[c].waited, .lost = lost_at[c]};
  // A VL with an escape queue has two lanes. The last lanes may be unused, since their number is
  // rounded up to a power of two.
  for (unsigned l = 0; l < features.lanes; ++l)
    if (const VlUse& lane = outputs[queue(c, l)].sent; lane.packets > 0)
      use.by_vl[vl_of(l)] += lane;
  return use;
}

template <class Features>
void Network::State<Features>::clear_window() {
  for (Channel c = 0; c < links.size(); ++c)
    accumulate_wait(c);  // so that no wait spans two windows
  window = Window{};
  window.since = wheel.now();
  for (OutputQueue& output : outputs) output.sent = {};
  for (Link& link : links) link.waited = 0;
  for (auto& lost : lost_at) lost = {};
}

Network::Network(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
                 std::uint64_t seed, Managed managed)
    : variant_(std::make_unique<Variant>()) {
  const auto make = [&]<class Features>(std::type_identity<Features>) {
    variant_->state =
        std::make_unique<State<Features>>(fabric, tables, model, traffic, seed, managed);
  };
  if (traffic.sends_multicast() && model.replication == Replication::kNone)
    throw std::logic_error("traffic sends multicast packets, and no switch replicates them");
  if (traffic.inspects_management() &&
      (managed != Managed::kNo || model.selection == Selection::kEar))
    throw std::logic_error("under a manager and with EARs no management messages are inspected");
  if (!model.classes.empty() && (managed != Managed::kNo || model.selection == Selection::kEar ||
                                 model.input_queues == InputQueues::kPerOutput))
    throw std::logic_error(
        "classes of traffic are simulated without a manager, EARs and queues per output");
  if (model.replication != Replication::kNone) {
    if (managed != Managed::kNo || model.selection != Selection::kDeterministic ||
        model.input_queues == InputQueues::kPerOutput || traffic.drives_hosts())
      throw std::logic_error(
          "switches replicate packets without a manager, selection, queues per output and hosts "
          "that are asked for packets");
    make(std::type_identity<MulticastFeatures>());
  } else if (model.input_queues == InputQueues::kPerOutput) {
    if (managed != Managed::kNo || selects_per_packet(model.selection))
      throw std::logic_error("queues per output need one port a packet, and no subnet manager");
    make(std::type_identity<PerOutputFeatures>());
  } else if (managed != Managed::kNo)
    make(std::type_identity<ManagedFeatures>());
  else if (AnyFeatures(model, traffic, managed).is_plain())
    model.selection == Selection::kEar ? make(std::type_identity<EarFeatures>())
                                       : make(std::type_identity<NoFeatures>());
  else if (!model.classes.empty() && !selects_per_packet(model.selection) &&
           !traffic.drives_hosts())
    make(std::type_identity<ClassFeatures>());
  else if (traffic.drives_hosts() && model.selection == Selection::kDeterministic &&
           model.classes.empty() && !traffic.inspects_management())
    make(std::type_identity<DrivenFeatures>());
  else
    make(std::type_identity<AnyFeatures>());
}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;

void Network::run(Tick until) {
  visit_state(*this, [&](auto& state) { state.run(until); });
}

Tick Network::now() const {
  return visit_state(*this, [](const auto& state) { return state.wheel.now(); });
}

bool Network::idle() const {
  return visit_state(*this, [](const auto& state) { return state.wheel.empty(); });
}

void Network::cut(Channel link) {
  visit_state(*this, [&](auto& state) {
    state.cut(link);
    if (const Channel back = state.fabric.peer(link); back != kNoChannel) state.cut(back);
  });
}

void Network::restore(Channel link) {
  visit_state(*this, [&](auto& state) {
    state.restore(link);
    if (const Channel back = state.fabric.peer(link); back != kNoChannel) state.restore(back);
  });
}

void Network::set_lft(SwitchId at, std::span<const PortNum> row) {
  visit_state(*this, [&](auto& state) {
    state.track_order();
    state.lft.set(at, row);
  });
}

void Network::set_tables(const Tables& tables) {
  visit_state(*this, [&](auto& state) {
    state.track_order();
    state.tables = tables;
    std::ranges::fill(state.host_rows, tables.host_sl2vl);
    state.load_tables();
  });
}

void Network::send(const SmpEnd& from, const Smp& smp) {
  visit_state(*this, [&](auto& state) { state.send(from, smp); });
}

std::vector<SmpArrival> Network::take_arrivals() {
  return visit_state(*this, [](auto& state) { return std::exchange(state.smp_arrivals, {}); });
}

std::vector<LostSmp> Network::take_lost_smps() {
  return visit_state(*this, [](auto& state) { return std::exchange(state.lost_smps, {}); });
}

void Network::write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries) {
  visit_state(*this, [&](auto& state) {
    state.track_order();
    state.lft.set_block(at, block, entries);
  });
}

void Network::write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row) {
  visit_state(*this, [&](auto& state) { state.write_sl2vl(at, in, out, row); });
}

void Network::write_host_sl2vl(HostId host, const Sl2VlRow& row) {
  visit_state(*this, [&](auto& state) {
    state.track_order();
    state.host_rows.at(host) = row;  // at() throws if no manager: host_rows is empty then
  });
}

void Network::write_path(HostId from, HostId to, Lid dlid, Sl sl) {
  visit_state(*this, [&](auto& state) { state.write_path(from, to, {dlid, sl}); });
}

void Network::write_arbitration(Channel c, std::span<const ArbitrationEntry> high,
                                std::span<const ArbitrationEntry> low, unsigned high_limit) {
  visit_state(*this, [&](auto& state) {
    state.write_arbitration(c, ArbitrationTables(high, low, high_limit, state.model.vls));
  });
}

void Network::write_head_life(Channel c, Tick life) {
  visit_state(*this, [&](auto& state) { state.write_head_life(c, life); });
}

void Network::write_switch_life(SwitchId at, Tick life) {
  visit_state(*this, [&](auto& state) { state.write_switch_life(at, life); });
}

void Network::write_lids(HostId host, Lid base, unsigned count) {
  visit_state(*this, [&](auto& state) {
    state.track_order();
    state.addresses[host].lid = base;
    state.addresses[host].lids = static_cast<std::uint16_t>(count);
  });
}

void Network::open(Channel c, bool for_data) {
  visit_state(*this, [&](auto& state) { state.open(c, for_data); });
}

void Network::poll_sources() {
  visit_state(*this, [](auto& state) {
    for (HostId h = 0; h < state.injectors.size(); ++h) state.woken.push_back(h);
    state.wheel.schedule(state.wheel.now(), {EventKind::kPadding, 0});
  });
}

void Network::hold(HostId host, bool held) {
  visit_state(*this, [&](auto& state) { state.hold(host, held); });
}

bool Network::discard_head(Channel c, Vl vl) {
  return visit_state(*this, [&](auto& state) {
    if (vl >= state.model.vls) throw std::logic_error("the model has no such VL");
    return state.discard_head(state.queue(c, state.adaptive_lane(vl)));
  });
}

void Network::set_epoch(SwitchId at, Epoch epoch) {
  visit_state(*this, [&](auto& state) { state.set_epoch(at, epoch); });
}

void Network::set_layering(SwitchId at, Layering how) {
  visit_state(*this, [&](auto& state) { state.set_layering(at, how); });
}

void Network::write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries) {
  visit_state(*this, [&](auto& state) { state.write_layer_block(at, block, entries); });
}

void Network::begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes) {
  visit_state(*this, [&](auto& state) { state.begin_tokens(at, turns, bytes); });
}

void Network::send_tokens(HostId host, unsigned bytes) {
  visit_state(*this, [&](auto& state) { state.send_tokens(host, bytes); });
}

bool Network::tokens_done(SwitchId at) const {
  return visit_state(*this, [&](const auto& state) { return state.tokens_done(at); });
}

void Network::end_tokens(SwitchId at) {
  visit_state(*this, [&](auto& state) { state.end_tokens(at); });
}

bool Network::is_clear(Channel c, Vl vl) const {
  return visit_state(*this, [&](const auto& state) { return state.is_clear(c, vl); });
}

const EpochCases& Network::epoch_cases() const {
  return visit_state(*this,
                     [](const auto& state) -> const EpochCases& { return state.epoch_cases; });
}

const Totals& Network::totals() const {
  return visit_state(*this, [](const auto& state) -> const Totals& { return state.totals; });
}

const Window& Network::window() const {
  return visit_state(*this, [](const auto& state) -> const Window& { return state.window; });
}

std::vector<ChannelUse> Network::use() const {
  return visit_state(*this, [](auto& state) {
    std::vector<ChannelUse> all;
    for (Channel c = 0; c < state.links.size(); ++c) all.push_back(state.use(c));
    return all;
  });
}

ChannelUse Network::use(Channel c) const {
  return visit_state(*this, [&](auto& state) { return state.use(c); });
}

void Network::clear_window() {
  visit_state(*this, [](auto& state) { state.clear_window(); });
}

unsigned Network::occupied(Channel c) const {
  return visit_state(*this, [&](const auto& state) {
    unsigned blocks = 0;
    for (unsigned l = 0; l < state.features.lanes; ++l)
      blocks += state.occupied(state.inputs[state.queue(c, l)]);
    return blocks;
  });
}

unsigned Network::occupied(Channel c, Vl vl) const {
  return visit_state(*this, [&](const auto& state) {
    unsigned blocks = 0;
    for (unsigned l = 0; l < state.features.lanes; ++l)
      if (state.vl_of(l) == vl) blocks += state.occupied(state.inputs[state.queue(c, l)]);
    return blocks;
  });
}

std::uint64_t Network::waiting_at_sources() const {
  return visit_state(*this, [](const auto& state) {
    std::uint64_t packets = 0;
    for (const Injector& injector : state.injectors) packets += injector.queued;
    return packets;
  });
}

bool Network::has_traffic() const {
  return visit_state(*this, [](const auto& state) {
    if (state.totals.in_flight() > 0) return true;
    for (HostId h = 0; h < state.injectors.size(); ++h) {
      const auto& link = state.links[state.fabric.injection(h)];
      const Injector& injector = state.injectors[h];
      const bool carries = !link.down && !(state.features.managed && link.closed);
      if (carries && (injector.queued > 0 || injector.next.at != kNever)) return true;
    }
    return false;
  });
}

void Network::on_delivery(std::function<void(const Delivery&)> listener) {
  visit_state(*this, [&](auto& state) { state.listener = std::move(listener); });
}

void Network::on_move(std::function<void(const FlowMove&)> listener) {
  visit_state(*this, [&](auto& state) { state.move_listener = std::move(listener); });
}

void Network::on_loss(std::function<void(const Delivery&, Loss)> listener) {
  visit_state(*this, [&](auto& state) { state.loss_listener = std::move(listener); });
}

std::vector<BlockedQueue> Network::deadlock(bool despite_lifetimes) const {
  return visit_state(*this,
                     [&](const auto& state) { return find_deadlock(state, despite_lifetimes); });
}

}  // namespace selvedge::sim
