// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The state of the fast network: flat arrays, with indices instead of pointers. Only files of
// sim/model include this header.
//
// Queue q = channel · lanes + lane names both the output queue at the channel's near end and the
// input queue at its far end: a credit for input queue q returns to output queue q. A lane is a VL,
// or one of the two queues of a VL with an escape queue. The number of lanes is rounded up to a
// power of two, so that a mask gives the lane. If the traffic sends management packets
// (Traffic::sends_management()) or the network is managed, the lane after the data lanes is VL
// 15's; else VL 15 has no lane. Port 0's channel has no far end: if the network is managed, the
// "input queue" of that channel holds the SMPs that the switch itself sends.
#pragma once

#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "sim/engine/large_array.hpp"
#include "sim/engine/prefetch_line.hpp"
#include "sim/engine/random.hpp"
#include "sim/engine/timing_wheel.hpp"
#include "sim/model/arrival_order.hpp"
#include "sim/model/lft_blocks.hpp"
#include "sim/model/network.hpp"
#include "sim/model/pair_order.hpp"
#include "sim/model/port_arbitration.hpp"

namespace selvedge::sim {

inline constexpr std::uint32_t kNone = UINT32_MAX;

using PacketId = std::uint32_t;
using QueueId = std::uint32_t;

/// A packet fills one cache line; members that are used together are adjacent.
struct alignas(64) Packet {
  Tick tail = 0;          // when its last byte has arrived in the buffer where its head is
  PacketId next = kNone;  // the packet behind it in its queue
  QueueId out = kNone;    // the output queue that it requests or is in
  std::uint16_t bytes = 0;
  std::uint16_t blocks = 0;
  Lid dlid = kNoLid;
  // Bit-fields: in C++ a store through a byte type may alias any object.
  std::uint16_t switches : 8 = 0;
  std::uint16_t sl : 4 = 0;
  std::uint16_t last : 1 = 0;       // the last one of its message
  std::uint16_t truncated : 1 = 0;  // a cut lost its last bytes: it is already counted as lost
  std::uint16_t smp : 1 = 0;        // an SMP: `tag` is its index in State::smps
  std::uint16_t ear : 1 = 0;        // an EAR about the flow to host `to`: it holds no blocks
  QueueId crossed_from = kNone;     // the input queue that it left last
  // --- For its source and destination
  HostId from = kNoHost, to = kNoHost;
  std::uint32_t sequence = 0, tag = 0;
  Tick generated = 0, injected = 0;
};
static_assert(sizeof(Packet) == 64);

struct Fifo {
  PacketId head = kNone, tail = kNone;
  bool empty() const { return head == kNone; }
};

// Crossings, transmissions and credits in flight end at a stored tick, without an event. An
// event is scheduled for such an end only if a queue waits for it.

/// Credits on their way back to an output queue (the sender), or arrived and not yet added to the
/// sender's count. The sender adds them when it runs short, so they need no events.
struct CreditsInFlight {
  Tick at[2] = {kNever, kNever};  // ascending; kNever: none
  std::uint16_t blocks[2] = {};
  std::uint16_t arrived = 0;  // blocks
  std::uint16_t awaited = 0;  // 1: the sender waits, so later credits come as kCredit events

  bool full() const { return at[1] != kNever; }
  void add(Tick when, unsigned count) {
    const bool second_slot = at[0] != kNever;
    at[second_slot] = when;
    blocks[second_slot] = static_cast<std::uint16_t>(count);
  }
  /// Moves the credits whose tick has come to `arrived`. It has no branches, since the processor
  /// could not predict them.
  void arrive(Tick now) {
    const bool first = at[0] <= now, second = at[1] <= now;
    arrived =
        static_cast<std::uint16_t>(arrived + (first ? blocks[0] : 0) + (second ? blocks[1] : 0));
    const Tick next = first ? at[1] : at[0];
    at[0] = second ? kNever : next;
    blocks[0] = first ? blocks[1] : blocks[0];
    at[1] = first ? kNever : at[1];
  }
  void clear() { at[0] = at[1] = kNever; }
};

/// An input queue, with the properties of its link and its switch that every packet needs.
struct alignas(64) InputQueue {
  Fifo waiting;
  PacketId crossing = kNone;  // the packet that crosses, or crossed last
  std::uint16_t crossing_blocks = 0;
  std::uint16_t occupied = 0;  // blocks, from the start on the wire until the tail has crossed
  Tick busy_until = 0;         // when the tail has crossed
  Tick crossing_arrived = 0;   // when the tail of `crossing` arrived or will arrive here
  CreditsInFlight credits;     // for blocks of this queue
  SwitchId at = kNoSwitch;
  std::uint16_t place = 0;  // among the input queues of the switch: port · lanes + lane
  std::uint16_t between_switches : 1 = 0;  // its link is between switches (else from a host)
  std::uint16_t down : 1 = 0;              // its link is down
};

struct alignas(64) OutputQueue {
  Fifo waiting;
  std::uint16_t served = 0;         // InputQueue::place of the queue served last, + 1
  std::uint16_t request_count = 0;  // input queues whose heads request this output queue
  std::uint16_t free = 0;           // free blocks; those of the packet being sent are not free
  std::uint16_t credits = 0;        // blocks; those in CreditsInFlight are not counted
  Tick receiving_until = 0;         // until then a packet crosses into this queue
  Tick serve_at = 0;                // tick of the kServe event that was scheduled last
  VlUse sent;
  QueueId only_requester = kNone;  // the only queue that requests, if known
  std::uint16_t words = 1;         // length of requests()
  bool pending = false;            // in pending_outputs
  /// A bit for each input queue of the switch (bit `place`): whether its head requests this output
  /// queue.
  std::uint64_t* requests() { return words == 1 ? &own_requests : request_words; }
  const std::uint64_t* requests() const { return words == 1 ? &own_requests : request_words; }
  union {
    std::uint64_t own_requests = 0;
    std::uint64_t* request_words;
  };
};

/// A directed channel.
struct alignas(64) Link {
  Tick free_at = 0;  // when the packet being sent has left
  std::int32_t byte_time = 1, propagation = 0;
  std::uint32_t occupied = 0;  // a bit for each lane: its output queue holds a packet
  bool down = false;
  bool closed = false;       // for data
  bool to_switch = false;    // else to a host
  bool from_switch = false;  // else from a host
  bool pending = false;      // in pending_links
  std::uint16_t leaving_lane = 0;
  std::uint16_t leaving_blocks = 0;  // of the packet being sent, until they are freed
  std::uint32_t arrivals = 0;        // where State::arrivals begins for the near end's switch
  HostId host = kNoHost;             // the host at either end, if there is one
  Tick wait_since = kNever;          // since this tick only credits are lacking; kNever: not so
  Tick waited = 0;                   // PortXmitWait up to wait_since
};

/// The data of a switch that every packet needs, small enough for the caches.
struct RouteCache {
  Channel first = kNoChannel;  // its channel 0
  PortNum ports = 0;
  bool mixed = false;  // the SL2VL tables of its port pairs differ
  Sl2VlRow row{};      // the SL2VL table of all its port pairs, if they do not differ
};

static_assert(sizeof(InputQueue) == 64 && sizeof(OutputQueue) == 64 && sizeof(Link) == 64);

/// The output queues among which a packet may choose (adaptive forwarding).
struct Alternatives {
  std::uint16_t count = 0;
  std::uint16_t start = 0;  // where random selection begins
  QueueId own = kNone;      // to the LFT's port for its DLID; if none, the lowest alternative
  bool escapes = false;     // the packet may use an escape queue, which is own + 1
};

/// The data of a host that every packet needs, small enough for the caches.
struct Address {
  SwitchId at = kNoSwitch;
  Lid lid = kNoLid;
  std::uint16_t lids = 1;
  bool owns(Lid dlid) const { return dlid >= lid && dlid < lid + lids; }
};

/// The DLID and the SL of packets from one host to another, as a subnet manager set them.
struct PathRecord {
  Lid dlid = kNoLid;  // kNoLid: there is no record
  Sl sl = 0;
};

/// An HCA's injection side.
struct alignas(64) Injector {
  Message next;
  std::uint32_t sent_bytes = 0;  // payload bytes of `next` that are in packets already
  std::uint32_t queued = 0;      // packets in the HCA's queue, over all lanes
  bool held = false;
  std::uint32_t sequence = 0;
  Tick source_event_at = kNever;  // tick of the earliest pending kSource event
};

/// The kind of an event, with the meaning of its two operands a and b (class Event).
enum class EventKind : std::uint8_t {
  kRouted,            // packet a has been routed; it joins input queue b
  kManagement,        // the head of packet a (VL 15) has arrived for input queue b
  kManagementRouted,  // packet a (VL 15) has been routed; it joins input queue b
  kDelivered,         // packet a has arrived whole at host b
  kCrossed,           // a tail has crossed from input queue a, where further packets wait
  kServe,             // output queue a may have room for a packet that requests it
  kWake,              // channel a may have something to send
  kCredit,            // credits for b blocks have arrived at output queue a
  kReleased,          // a discarded packet frees b blocks of input queue a
  kSource,            // host a has a message
  kDeadPortCrossed,   // a packet has crossed into output queue a, whose link is down
  kSelect,            // the heads at switch a select (adaptive forwarding)
  kPort0,             // SMP or EAR a, which ends at this switch, has arrived whole by queue b
  kPoll,              // the source at host a may have a message due before Injector::next
  kPadding,           // padding, for prefetching
};

inline constexpr unsigned kEventKinds = static_cast<unsigned>(EventKind::kPadding) + 1;

/// An event, with its kind and two operands in eight bytes: a large network has very many of them.
class Event {
 public:
  static constexpr std::uint32_t kMaxB = (1u << 28) - 1;
  Event() : Event(EventKind::kPadding, 0) {}
  /// `b`: an id or a number of blocks.
  Event(EventKind what, std::uint32_t a, std::uint32_t b = 0)
      : word_(static_cast<std::uint64_t>(what) << 60 | std::uint64_t{b} << 32 | a) {}
  EventKind what() const { return static_cast<EventKind>(kind()); }
  unsigned kind() const { return static_cast<unsigned>(word_ >> 60); }
  std::uint32_t a() const { return static_cast<std::uint32_t>(word_); }
  std::uint32_t b() const { return static_cast<std::uint32_t>(word_ >> 32) & kMaxB; }

 private:
  std::uint64_t word_;
};
static_assert(sizeof(Event) == 8 && kEventKinds <= 16);

/// A list to which the callers add each id at most once. `ids` is sized for all ids, so add() never
/// allocates.
template <class Id>
struct PendingList {
  std::vector<Id> ids;
  std::size_t count = 0;
  void add(Id id) { ids[count++] = id; }
};

/// The features that the model and the traffic need, decided at run time.
struct AnyFeatures {
  AnyFeatures(const Model& model, const Traffic& traffic, Managed by)
      : adaptive(selects_per_packet(model.selection)),
        ear(model.selection == Selection::kEar),
        selects_by_credits(model.selection == Selection::kMostCredits),
        has_escape(adaptive && model.escape_queues),
        lifetimes(model.head_of_queue_life != kNever || model.switch_life != kNever),
        arbitrated(model.vls > 1) {
    const unsigned of_data = model.vls * (has_escape ? 2u : 1u);
    const bool has_vl_15 = by == Managed::kYes || traffic.sends_management();
    if (has_vl_15) {
      management_lane = of_data;
      management_bit = 1u << management_lane;
    }
    lane_bits = static_cast<unsigned>(std::bit_width(of_data - (has_vl_15 ? 0u : 1u)));
    lanes = 1u << lane_bits;
  }
  bool is_plain() const { return lanes == 1 && !adaptive && !lifetimes; }

  bool adaptive;
  bool ear;                 // a self-routing tree
  bool selects_by_credits;  // Selection::kMostCredits
  bool has_escape;          // each VL has an adaptive and an escape queue
  bool lifetimes;
  bool arbitrated;                                       // arbitration tables choose the VL
  unsigned management_lane = kNone, management_bit = 0;  // VL 15, if it is used
  unsigned lane_bits, lanes;
  static constexpr bool managed = false;  // by a subnet manager
};

/// The features of a network under a subnet manager. They are a type of their own, so that the code
/// of other networks does not test for a manager.
struct ManagedFeatures : AnyFeatures {
  ManagedFeatures(const Model& model, const Traffic& traffic, Managed by)
      : AnyFeatures(model, traffic, by) {
    arbitrated = true;  // the manager may write tables that do not list the only VL
    lifetimes = true;   // the manager may set lifetimes
  }
  static constexpr bool managed = true;
};

/// A network with one VL and none of these features. The compiler removes the code for features,
/// which makes such a network 10 % faster.
struct NoFeatures {
  NoFeatures(const Model&, const Traffic&, Managed) {}
  static constexpr bool adaptive = false, ear = false, selects_by_credits = false,
                        has_escape = false, lifetimes = false, arbitrated = false, managed = false;
  static constexpr unsigned management_lane = kNone, management_bit = 0, lane_bits = 0, lanes = 1;
};

/// The same in a self-routing tree.
struct EarFeatures : NoFeatures {
  using NoFeatures::NoFeatures;
  static constexpr bool ear = true;
};

/// The flow from a leaf switch to a host.
struct FlowState {
  Tick drawn_at = kNever;  // when its port was drawn last; kNever: at the start
  PortNum port = 0;        // 0: the LFT forwards it
};

/// What is queued for a port of a switch, from its routing until it starts on the link.
struct PortLoad {
  std::uint32_t bytes = 0;
  HostId latest = kNoHost;  // destination of the packet that joined last
  Tick latest_at = kNever;
  PortNum latest_by = 0;  // the port that it came by: of one tick the highest
  bool watched = false;   // an up port of a leaf switch, or a port of a middle switch
};

/// Something after which a switch may react at the end of a tick.
struct Reaction {
  enum class Why : std::uint8_t { kJoined, kLeft, kEar };
  SwitchId at = kNoSwitch;
  HostId to = kNoHost;  // where the flow goes
  Channel out = kNoChannel;
  Why why = Why::kJoined;
  PortNum by = 0;  // the port that the packet came by
  std::uint8_t lane = 0;
};

template <class Features>
struct Network::State {
  State(const Fabric& fabric_in, const Tables& tables_in, const Model& model_in,
        Traffic& traffic_in, std::uint64_t seed, Managed managed_in);

  // --- The simulated fabric and its parameters
  const Fabric& fabric;
  const Model& model;
  Traffic& traffic;
  Tables tables;  // SL2VL, path SLs; the LFTs are `lft`
  LftBlocks lft;
  const Features features;
  const std::array<LinkClass, 2> wires;  // to hosts, between switches

  // --- The state of the simulation
  TimingWheel<Event> wheel;
  LargeArray<Packet> packets;
  PacketId free_packets = kNone;
  LargeArray<InputQueue> inputs;
  LargeArray<OutputQueue> outputs;
  LargeArray<Link> links;
  LargeArray<std::uint64_t> request_storage;  // requests() at switches with > 64 input queues
  std::vector<QueueId> arrivals;              // [switch][place]: the input queue at that place
  std::vector<RouteCache> switches;           // per switch
  ArbitrationTables arbitration;              // the model's, for all ports
  PortArbitration port_arbitration;           // if managed, replaces it: tables of each port
  std::vector<VlArbiter> arbiters;            // per channel; empty with one VL
  LargeArray<Injector> injectors;
  std::vector<Address> addresses;   // per host
  std::vector<Stream> streams;      // per host, for random paths
  std::vector<Sl2VlRow> host_rows;  // per host: its SL2VL table; only if managed
  /// [source][destination], only if managed. A source's vector is empty until its first record is
  /// written.
  std::vector<std::vector<PathRecord>> path_records;
  std::vector<Smp> smps;  // SMPs under way, and the slots listed in free_smps
  std::vector<std::uint32_t> free_smps;
  std::vector<SmpArrival> smp_arrivals;
  std::vector<LostSmp> lost_smps;
  PendingList<QueueId> pending_outputs;
  PendingList<Channel> pending_links;
  std::vector<HostId> woken;
  std::vector<Tick> head_lives, switch_lives;  // per channel, per switch, if managed
  // Per output queue: since when its head is the head; lifetimes only.
  std::vector<Tick> head_since;
  std::vector<Tick> expiry_at;  // per output queue: tick of the kWake event scheduled last for it
  std::vector<Tick> routed_at;  // per packet: when its current switch routed it; lifetimes only
  bool single_event = false;    // this tick has a single event, so no packets compete

  // --- Statistics
  Totals totals;
  Window window;
  std::vector<std::array<std::uint64_t, kLosses>> lost_at;  // per channel
  /// Filled only if order_watched. It is not, as long as packets of a pair of hosts cannot overtake
  /// each other: they take the same queues from end to end, and queues are FIFO.
  PairOrder order;
  bool order_watched = false;
  bool order_guaranteed() const;
  void track_order();
  std::function<void(const Delivery&)> listener;
  std::function<void(const Delivery&, Loss)> loss_listener;

  // --- Instants (network.cpp)
  void load_tables();
  PortNum next_port(SwitchId at, Lid dlid) const;
  void run(Tick until);
  /// kOneOfMany: the tick has other events, so cross_at_once() is not tried.
  template <bool kOneOfMany>
  void handle(const Event& event);
  template <bool kOneOfMany>
  void routed(PacketId id, QueueId q);
  [[gnu::noinline]] void handle_few(std::span<const Event> events);
  void handle_many(std::span<const Event> events);
  void enqueue_input(QueueId in, PacketId id);
  void deliver(PacketId id, HostId h);
  void credit(QueueId q, unsigned blocks);
  void collect_credits(QueueId q);
  bool credits_for(QueueId q, unsigned blocks);
  void release(QueueId q, unsigned blocks);
  void send_credits(QueueId q, unsigned blocks, Tick freed);
  Delivery record(PacketId id) const;
  ChannelUse use(Channel c);
  void clear_window();

  // --- Prefetching (prefetch.hpp)
  std::vector<Event> sorted;
  std::size_t sort_by_kind(std::span<const Event> events);
  std::vector<std::uint32_t> second_level;  // per event of a tick: what prefetch_second() returned
  // How many events are prefetched at a time. Not a constant: the compiler would unroll the loop
  // over handle(), which is large.
  std::size_t prefetch_batch = 8;
  void prefetch_named(const Event& event);
  std::uint32_t prefetch_second(const Event& event);
  void prefetch_third(const Event& event, std::uint32_t found);
  void prefetch_port(QueueId q);
  void prefetch_packet(PacketId id);
  QueueId injection(HostId h) const { return queue(fabric.injection(h), 0); }
  void prefetch_for_serve(QueueId out) {
    prefetch_line(&links[channel(out)]);
    prefetch_line(&inputs[out]);
  }

  // --- The sources (sources.hpp)
  void fill_queue(HostId h);
  void schedule_source(HostId h);
  void enqueue_packet(HostId h, const Message& message, unsigned payload, bool last);
  PathRecord choose_path(HostId h, HostId to);
  Lid choose_lid(HostId h, HostId to_id);
  [[gnu::noinline]] void lose_at_source(PacketId id);
  [[gnu::noinline]] void wake_sources();

  // --- Crossbars (crossbar.hpp)
  void request(QueueId in);
  void serve(QueueId out);
  QueueId arbitrate(QueueId out) const;
  bool serve_next(QueueId out);
  void grant(QueueId in, QueueId out);
  Tick crossing_end(const Packet& packet, const InputQueue& from) const;
  Tick cross(PacketId id, QueueId in, QueueId out);
  bool cross_at_once(PacketId id, QueueId in);
  void serve_later(QueueId out, Tick at);

  // --- VL 15 (management.hpp)
  std::vector<std::pair<PacketId, QueueId>> arrived_heads;  // VL 15 packets, heads come this tick
  [[gnu::noinline]] void send_management(QueueId q, PacketId id);
  [[gnu::noinline]] void admit_heads();
  void admit(PacketId id, QueueId q);
  [[gnu::noinline]] void management_routed(PacketId id, QueueId q);

  // --- SMPs, and changes by a subnet manager (managed.hpp)
  void send(const SmpEnd& from, const Smp& smp);
  void smp_routed(PacketId id, QueueId in);
  void smp_at_port_0(PacketId id, QueueId in);
  void smp_at_host(PacketId id, HostId h);
  void end_smp(PacketId id, const SmpEnd& end, PortNum port);
  void write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row);
  void write_path(HostId from, HostId to, const PathRecord& path);
  void write_arbitration(Channel c, const ArbitrationTables& tables_in);
  void write_head_life(Channel c, Tick life);
  void write_switch_life(SwitchId at, Tick life);
  void open(Channel c, bool for_data);
  void hold(HostId host, bool held);
  bool discard_head(QueueId in);
  bool is_requesting(QueueId in) const;
  const ArbitrationTables& arbitration_at(Channel c) const {
    return features.managed ? port_arbitration.at(c) : arbitration;
  }
  QueueId port_0(SwitchId s) const { return queue(fabric.channel(s, 0), features.management_lane); }
  /// A bit for each lane of this link that serve_link() may not choose now: VL 15, which it serves
  /// first, or all lanes if the link is closed or its host held.
  unsigned barred(const Link& link) const {
    if (!features.managed) return features.management_bit;
    const bool held = !link.from_switch && injectors[link.host].held;
    return link.closed || held ? ~0u : features.management_bit;
  }
  /// Whether this output queue's link is down, or is closed for data and the queue is not VL 15's.
  bool is_dead(QueueId out) const {
    const Link& link = links[channel(out)];
    return link.down || (features.managed && link.closed && lane(out) != features.management_lane);
  }

  // --- Adaptive forwarding (adaptive.hpp)
  std::size_t alternatives_stride = 0;
  std::vector<QueueId> alternatives;          // [packet][alternative], ascending
  std::vector<Alternatives> alternatives_of;  // per packet
  std::vector<std::uint32_t> heads_first;     // per switch: the index of its first word in `heads`
  std::vector<std::uint64_t> heads;           // a bit for each input queue whose head may request
  std::vector<std::uint8_t> switch_pending;
  PendingList<SwitchId> pending_switches;
  std::vector<QueueId> requested;
  std::vector<std::uint32_t> frequency;    // grants so far, per channel and VL
  std::vector<std::uint16_t> escape_next;  // per channel: VLs whose escape queue has precedence
  std::vector<Stream> choices;             // per input channel: random numbers for the selection
  void prepare_adaptive(std::uint64_t seed);
  Alternatives& clear_alternatives(PacketId id);
  [[gnu::noinline]] bool find_alternatives(PacketId id, QueueId in);
  void set_only_alternative(PacketId id);
  bool has_room(QueueId out, unsigned blocks);
  QueueId select(PacketId id);
  void mark_switch(SwitchId s);
  void schedule_selection(SwitchId s, Tick at);
  [[gnu::noinline]] void select_and_serve(SwitchId s);
  unsigned adaptive_lane(Vl vl) const { return features.has_escape ? 2u * vl : vl; }
  unsigned vl_of(unsigned lane_in) const {
    if (lane_in == features.management_lane) return kManagementVl;
    return features.has_escape ? lane_in / 2 : lane_in;
  }
  std::size_t frequency_of(QueueId q) const {
    return std::size_t{channel(q)} * kVls + vl_of(lane(q));
  }
  /// The sizes of lane l's buffers, in blocks.
  unsigned input_blocks(unsigned l) const { return part(model.input_blocks, l); }
  unsigned output_blocks(unsigned l) const { return part(model.output_blocks, l); }
  unsigned part(unsigned blocks, unsigned l) const {
    if (l == features.management_lane) return model.management_blocks;
    if (!features.has_escape) return blocks;
    const unsigned escape = blocks_of(model.mtu_bytes + model.header_bytes);
    return l % 2 == 1 ? escape : blocks - escape;
  }

  // --- Self-routing trees (ears.hpp)
  std::vector<std::uint32_t> first_flow;  // per switch: in flow_states; kNone: a middle switch
  std::vector<FlowState> flow_states;     // [leaf switch][host]
  std::vector<PortLoad> port_loads;       // per channel
  /// [channel back][host]: when a middle switch sent an EAR last. A channel's vector is empty until
  /// its first one.
  std::vector<std::vector<Tick>> asked_at;
  std::vector<Stream> draws;  // per switch
  std::vector<Reaction> reactions;
  std::vector<PortNum> open_ports;
  ArrivalOrder arrival_order;
  std::function<void(const FlowMove&)> move_listener;
  void prepare_ears(std::uint64_t seed);
  bool leads_up(Channel c) const;
  bool is_open(SwitchId leaf, PortNum port, HostId to) const;
  void find_open_ports(SwitchId leaf, HostId to, bool up);
  PortNum port_of_flow(SwitchId at, const Packet& packet);
  [[gnu::noinline]] PortNum port_beside(SwitchId leaf, HostId to, PortNum mine);
  void note_joined(const Packet& packet, QueueId in);
  void note_left(const Packet& packet, Channel out);
  [[gnu::noinline]] void react();
  void move_flow(SwitchId leaf, HostId to, PortNum off);
  void change_port(SwitchId leaf, HostId to, PortNum port);
  [[gnu::noinline]] void send_ear(const Reaction& about);
  [[gnu::noinline]] void receive_ear(PacketId id, QueueId q);
  /// Whether this packet counts as queued for the port of an output queue.
  bool is_queued_for_port(const Packet& packet, QueueId out) const {
    return !packet.ear && lane(out) != features.management_lane;
  }

  // --- Links (links.hpp)
  bool ready(const Link& link, QueueId q);
  Tick until_routed(const Link& link, const Packet& packet) const;
  void serve_link(Channel c);
  void set_waiting(Channel c, bool waits);
  void accumulate_wait(Channel c);
  void start_transmission(QueueId q);
  bool send_at_once(QueueId out, PacketId id);
  void transmit(QueueId q, PacketId id);
  void send_to_switch(QueueId q, PacketId id);
  void enqueue_output(QueueId out, PacketId id);
  [[gnu::noinline]] void check_lifetimes(Channel c);
  Tick deadline_of(QueueId out, PacketId head) const;
  [[gnu::noinline]] void start_head_lifetime(QueueId out);
  void schedule_expiry(QueueId out);
  Tick head_life(Channel c) const {
    return features.managed ? head_lives[c] : model.head_of_queue_life;
  }
  Tick switch_life(Channel c) const {
    return features.managed ? switch_lives[fabric.switch_of(c)] : model.switch_life;
  }

  // --- Loss (faults.hpp)
  void count_loss(PacketId id, Loss why, Channel where);
  void clear_crossings(PacketId id);
  void forget_crossing(PacketId id, QueueId from);
  [[gnu::noinline]] void discard(PacketId id, Loss why, Channel where);
  void truncate(PacketId id, Channel where);
  [[gnu::noinline]] void discard_on_arrival(PacketId id, Loss why);
  [[gnu::noinline]] void discard_dead_port(QueueId out, Tick by);
  void drop_head(QueueId out, Loss why);
  void set_down(Channel c, bool down);
  void cut(Channel c);
  void restore(Channel c);

  [[gnu::noinline, gnu::cold]] PacketId new_packet() {
    packets.emplace_back();
    if (features.lifetimes) routed_at.emplace_back();
    return static_cast<PacketId>(packets.size() - 1);
  }
  PacketId take_packet() {
    if (free_packets == kNone) return new_packet();
    const PacketId id = free_packets;
    free_packets = packets[id].next;
    return id;
  }
  void free_packet(PacketId id) {
    packets[id].next = free_packets;
    free_packets = id;
  }
  /// Marks an output queue, which an input queue requests, for this tick's crossbar step (step 2).
  void mark_output(QueueId q) {
    OutputQueue& output = outputs[q];
    if (output.pending) return;
    output.pending = true;
    pending_outputs.add(q);
    prefetch_for_serve(q);
  }
  /// Marks a link for the step of this tick in which links send (step 3), unless it is busy or has
  /// nothing to do.
  void mark_link(Channel c) {
    Link& link = links[c];
    if (link.pending || link.free_at > wheel.now()) return;
    if (link.occupied == 0 && link.wait_since == kNever) return;
    link.pending = true;
    pending_links.add(c);
  }
  /// Frees the output blocks of the packet that this link sent last, once it has left.
  void free_sent_blocks(Link& link, Channel c) {
    if (link.leaving_blocks == 0 || link.free_at > wheel.now()) return;
    OutputQueue& output = outputs[queue(c, link.leaving_lane)];
    output.free = static_cast<std::uint16_t>(output.free + link.leaving_blocks);
    link.leaving_blocks = 0;
  }
  /// Occupied blocks of an input queue. `input.occupied` may still count a packet that has crossed
  /// before now, since a crossing ends without an event. For use between ticks.
  unsigned occupied(const InputQueue& input) const {
    return input.occupied - (input.busy_until < wheel.now() ? input.crossing_blocks : 0u);
  }
  PortNum port_of(const InputQueue& input) const {
    return static_cast<PortNum>(channel(input.place));
  }
  const LinkClass& wire(const InputQueue& input) const { return wires[input.between_switches]; }
  QueueId queue(Channel c, unsigned lane) const { return (c << features.lane_bits) | lane; }
  Channel channel(QueueId q) const { return q >> features.lane_bits; }
  unsigned lane(QueueId q) const { return q & (features.lanes - 1); }
  static std::uint64_t bit(unsigned place) { return std::uint64_t{1} << (place % 64); }
  void append(Fifo& fifo, PacketId id) {
    packets[id].next = kNone;
    if (fifo.empty())
      fifo.head = id;
    else
      packets[fifo.tail].next = id;
    fifo.tail = id;
  }
  PacketId take_head(Fifo& fifo) {
    const PacketId id = fifo.head;
    fifo.head = packets[id].next;
    return id;
  }
};

/// The state of a network, compiled for one of four sets of features.
struct Network::Variant {
  std::variant<std::unique_ptr<State<NoFeatures>>, std::unique_ptr<State<EarFeatures>>,
               std::unique_ptr<State<AnyFeatures>>, std::unique_ptr<State<ManagedFeatures>>>
      state;
};

/// Calls `what` with the state, for whichever set of features it is compiled.
template <class Self, class Do>
decltype(auto) Network::visit_state(Self& self, Do&& what) {
  return std::visit([&](auto& state) -> decltype(auto) { return what(*state); },
                    self.variant_->state);
}

}  // namespace selvedge::sim
