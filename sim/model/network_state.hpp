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

#include "base/prefetch_line.hpp"
#include "sim/engine/large_array.hpp"
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
  std::uint16_t signal : 1 = 0;     // an EAR about the flow to host `to`, or a token: no blocks
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
  bool has_due = false;  // with classes: a message is due, and its queue has no room
  std::uint32_t sequence = 0;
  Tick source_event_at = kNever;  // tick of the earliest pending kSource event
};

/// A queue of an HCA, for the classes of one SL.
struct alignas(64) ClassQueue {
  Message next;
  std::uint32_t sent_bytes = 0;  // payload bytes of `next` that are in packets already
  std::uint32_t queued = 0;      // packets in this queue, or moved from it into the port's VLs
  Fifo waiting;
};

/// What a packet's class has decided about it.
struct PacketMark {
  std::uint8_t of_class = 0;
  bool kept = false;  // the head-of-queue lifetime does not discard it
};

/// The epochs of a packet (plugin/transition/epochs.hpp).
struct PacketEpochs {
  Epoch packet = 0;  // E_PCK
  Epoch routed = 0;  // E_RTD
};

/// Where a multicast packet goes on from the switch that routed it.
struct CopySet {
  std::vector<QueueId> outs;  // the output queues of the copies that have not crossed
  Tick routed = 0;
};

/// What an input queue keeps aside with Replication::kCounter.
struct SidePacket {
  PacketId id = kNone;  // it still has copies to be made
  Tick busy_until = 0;  // when the last copy will have crossed
};

/// The FIFO of an output queue with Replication::kCentral.
struct CentralFifo {
  Fifo waiting;
  std::uint16_t used = 0;     // blocks, those of the packet that leaves included
  std::uint16_t leaving = 0;  // blocks of the packet that crosses to the output queue
  Tick leaving_until = 0;     // when it has crossed
};

/// The kind of an event, with the meaning of its two operands a and b (class Event).
enum class EventKind : std::uint8_t {
  kRouted,            // packet a has been routed; it joins input queue b
  kManagement,        // the head of packet a (VL 15) has arrived for input queue b
  kManagementRouted,  // packet a (VL 15) has been routed; it joins input queue b
  kDelivered,         // host b has received packet a, and processed it
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
        arbitrated(model.vls > 1),
        driven(traffic.drives_hosts()),
        classes(!model.classes.empty()),
        inspected(traffic.inspects_management()) {
    const unsigned of_data = model.vls * (has_escape ? 2u : 1u);
    const bool has_vl_15 = by != Managed::kNo || traffic.sends_management();
    if (has_vl_15) {
      management_lane = of_data;
      management_bit = 1u << management_lane;
    }
    lane_bits = static_cast<unsigned>(std::bit_width(of_data - (has_vl_15 ? 0u : 1u)));
    lanes = 1u << lane_bits;
  }
  bool is_plain() const { return lanes == 1 && !adaptive && !lifetimes && !driven && !classes; }

  bool adaptive;
  bool ear;                 // a self-routing tree
  bool selects_by_credits;  // Selection::kMostCredits
  bool has_escape;          // each VL has an adaptive and an escape queue
  bool lifetimes;
  bool arbitrated;                                       // arbitration tables choose the VL
  bool driven;                                           // Traffic::drives_hosts()
  bool classes;                                          // Model::classes
  bool inspected;                                        // Traffic::inspects_management()
  unsigned management_lane = kNone, management_bit = 0;  // VL 15, if it is used
  unsigned lane_bits, lanes;
  static constexpr bool managed = false;         // by a subnet manager
  static constexpr bool epochs = false;          // Managed::kWithEpochs
  static constexpr bool layers = false;          // Managed::kWithLayers
  static constexpr bool tokens = false;          // Managed::kWithTokens
  static constexpr bool looks_at_heads = false;  // either of these
  static constexpr bool per_output = false;      // InputQueues::kPerOutput
  static constexpr bool multicast = false;       // Model::replication
};

/// The features of a network under a subnet manager. They are a type of their own, so that the code
/// of other networks does not test for a manager.
struct ManagedFeatures : AnyFeatures {
  ManagedFeatures(const Model& model, const Traffic& traffic, Managed by)
      : AnyFeatures(model, traffic, by) {
    arbitrated = true;  // the manager may write tables that do not list the only VL
    lifetimes = true;   // the manager may set lifetimes
    epochs = by == Managed::kWithEpochs;
    layers = by == Managed::kWithLayers;
    looks_at_heads = epochs || layers;
    tokens = by == Managed::kWithTokens;
  }
  static constexpr bool managed = true, classes = false, inspected = false;
  bool epochs, layers, looks_at_heads, tokens;
};

/// The features of a network whose inputs have a queue for each output queue: also a type of their
/// own.
struct PerOutputFeatures : AnyFeatures {
  using AnyFeatures::AnyFeatures;
  static constexpr bool adaptive = false, selects_by_credits = false, has_escape = false;
  static constexpr bool per_output = true;
};

/// The features of a network whose switches replicate packets: also a type of their own.
struct MulticastFeatures : AnyFeatures {
  using AnyFeatures::AnyFeatures;
  static constexpr bool adaptive = false, ear = false, selects_by_credits = false,
                        has_escape = false, driven = false;
  static constexpr bool multicast = true;
};

/// The features of a network with classes whose packets have one port at each switch: also a type
/// of their own.
struct ClassFeatures : AnyFeatures {
  using AnyFeatures::AnyFeatures;
  static constexpr bool adaptive = false, ear = false, selects_by_credits = false,
                        has_escape = false, driven = false, classes = true;
};

/// The features of a network whose packets have one port at each switch, and whose hosts are
/// driven: also a type of their own.
struct DrivenFeatures : AnyFeatures {
  using AnyFeatures::AnyFeatures;
  static constexpr bool adaptive = false, ear = false, selects_by_credits = false,
                        has_escape = false, classes = false, inspected = false, driven = true;
};

/// A network with one VL and none of these features. The compiler removes the code for features,
/// which makes such a network 10 % faster.
struct NoFeatures {
  NoFeatures(const Model&, const Traffic&, Managed) {}
  static constexpr bool adaptive = false, ear = false, selects_by_credits = false,
                        has_escape = false, lifetimes = false, arbitrated = false, driven = false,
                        classes = false, inspected = false, managed = false, epochs = false,
                        layers = false, looks_at_heads = false, tokens = false, per_output = false,
                        multicast = false;
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
  std::vector<Address> addresses;        // per host
  std::vector<Stream> streams;           // per host, for random paths
  std::vector<ClassQueue> class_queues;  // [host][queue]; only with classes
  std::vector<PacketMark> marks;         // per packet; only with classes
  std::vector<Sl2VlRow> host_rows;       // per host: its SL2VL table; only if managed
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
  std::vector<PacketId> lost_at_source;        // in this tick
  std::vector<Tick> head_lives, switch_lives;  // per channel, per switch, if managed
  // Per output queue: since when its head is the head; lifetimes only.
  std::vector<Tick> head_since;
  /// Per channel, with lifetimes: no head of its output queues can be discarded before this tick,
  /// for which a kWake event is scheduled; kNever: no head has a lifetime. If the tick is over, the
  /// link was busy, and a kWake event will come when it is free.
  std::vector<Tick> expiry_at;
  std::vector<Tick> routed_at;   // per packet: when its current switch routed it; lifetimes only
  bool single_event = false;     // this tick has a single event, so no packets compete
  bool apart = false;            // in this tick no two output queues of one link take a packet
  std::uint64_t seen_links = 0;  // for `apart`: a bit for each link with such a queue, modulo 64
  /// The least number of events in a tick for which prefetching makes the tick faster.
  std::size_t prefetch_from = 0;

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
  template <class Queue, class Next>
  void make_packets(HostId h, Queue& from, unsigned most, const Next& next);
  [[gnu::noinline]] void ask_when_free(HostId h);
  [[gnu::noinline]] void ask(HostId h);
  void schedule_source(HostId h);
  void enqueue_packet(HostId h, const Message& message, unsigned payload, bool last);
  PathRecord choose_path(HostId h, HostId to, std::uint8_t named);
  /// named: Message::path.
  Lid choose_lid(HostId h, HostId to_id, PathChoice paths, std::uint8_t named = kAnyPath);
  [[gnu::noinline]] void lose_at_source(PacketId id);
  [[gnu::noinline]] void discard_at_sources();
  [[gnu::noinline]] void wake_sources();

  // --- Classes (class_queues.hpp)
  void prepare_classes();
  Message first_of_classes(HostId h);
  [[gnu::noinline]] void fill_class_queues(HostId h);
  void refill_after_start(HostId h);
  [[gnu::noinline]] void wake_classes(HostId h);
  void fill_port(HostId h);
  void queue_by_class(PacketId id, const Message& message, QueueId out);
  void leave_class_queue(QueueId q, PacketId id);
  unsigned queue_of_class(const Message& message) const;
  PathRecord choose_class_path(HostId h, const Message& message);
  bool is_kept(PacketId id) const { return features.classes && marks[id].kept; }

  // --- Multicast (multicast.hpp); all arrays are empty without
  /// The ports of a tree: those of switch s are ports[first[s]] to ports[first[s + 1] - 1].
  struct TreePorts {
    std::vector<std::uint32_t> first;  // empty: there is no tree
    std::vector<PortNum> ports;
  };
  std::vector<TreePorts> trees;    // by MLID, from kMinMulticastLid on
  std::vector<CopySet> copy_sets;  // per packet
  /// Per output queue: the input queue whose multicast packet, or FIFO of its own, precedes unicast
  /// packets there; kNone: none.
  std::vector<QueueId> claimed_by;
  std::vector<SidePacket> sides;             // per input queue
  std::vector<CentralFifo> central;          // per output queue
  std::vector<std::vector<QueueId>> claims;  // per switch: the queues that are claimed
  std::vector<std::uint16_t> copied_last;    // per switch: place copied last, + 1
  struct MulticastRequest {
    QueueId in;
    PacketId id;
    unsigned place;
    bool aside;  // from the packet aside, not from the input queue's head
  };
  std::vector<MulticastRequest> multicast_requests;  // of the switch at hand
  std::vector<std::vector<QueueId>> granted_outs;    // by index in multicast_requests
  std::vector<QueueId> copied_outs;                  // of the packet at hand
  static bool is_multicast(Lid dlid) { return dlid >= kMinMulticastLid; }
  bool is_claimed(QueueId out) const { return features.multicast && claimed_by[out] != kNone; }
  /// Whether a packet waits at an input for this output queue.
  bool is_wanted(QueueId out) const { return outputs[out].request_count != 0 || is_claimed(out); }
  void prepare_multicast();
  void load_trees();
  bool find_copies(PacketId id, QueueId in);
  void request_copies(QueueId in);
  [[gnu::noinline]] void replicate(SwitchId s);
  void find_multicast_requests(SwitchId s, bool in_turn);
  void note_takers();
  void claim(SwitchId s, QueueId out, QueueId in);
  void clear_claims(SwitchId s);
  bool takes(QueueId out, unsigned blocks);
  void replicate_at_once(SwitchId s);
  void replicate_held(SwitchId s);
  void reserve(SwitchId s);
  void replicate_one_by_one(SwitchId s);
  void replicate_centrally(SwitchId s);
  unsigned room_in_central(QueueId out);
  Tick leave_input(QueueId in);
  void copy_all(const MulticastRequest& request);
  void copy_to(const MulticastRequest& request, std::span<const QueueId> to, Tick end);
  PacketId copy_for(PacketId id, QueueId out);
  void cross_copy(PacketId id, QueueId out, Tick end);
  PathRecord multicast_path(const Message& message) const;

  // --- Crossbars (crossbar.hpp)
  void request(QueueId in);
  void request_after(QueueId in, Tick end);
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
  void forward_management(PacketId id, QueueId q);
  [[gnu::noinline]] void inspect_management();
  std::vector<std::pair<QueueId, PacketId>> inspections;  // packets routed in this tick

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

  // --- Epochs (epochs.hpp); all are empty without
  std::vector<Epoch> switch_epochs;         // per switch: E_SCHD
  std::vector<PacketEpochs> packet_epochs;  // per packet
  bool heads_matter = false;                // a switch has an epoch above 0, or lets heads escape
  EpochCases epoch_cases;
  std::vector<QueueId> lacking;          // output queues to be looked at after step 3
  std::vector<std::uint8_t> is_lacking;  // per output queue: whether it is in `lacking`
  /// The heads that are discarded, or escape to VL 1, before the next tick, and their input queues.
  std::vector<std::pair<QueueId, PacketId>> doomed;
  void prepare_epochs();
  void set_epoch(SwitchId at, Epoch epoch);
  void look_at_later(QueueId out) {
    if (!heads_matter || is_lacking[out]) return;
    is_lacking[out] = true;
    lacking.push_back(out);
  }
  bool lacks_credits(QueueId out);
  [[gnu::noinline]] void look_at_heads();
  [[gnu::noinline]] void act_on_doomed();

  // --- Layers (layers.hpp)
  std::optional<LftBlocks> upper_lft;  // of VL 1, `lft` is of VL 0; with tokens the next one
  std::vector<Layering> layering;      // per switch
  void prepare_layers();
  void set_layering(SwitchId at, Layering how);
  void write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries);
  PortNum layer_port(SwitchId at, unsigned vl, Lid dlid) const;
  Vl layer_vl(QueueId in) const {
    return layering[inputs[in].at] == Layering::kDraining ? Vl{0} : static_cast<Vl>(lane(in));
  }
  void escape(QueueId in);
  bool is_clear(Channel c, Vl vl) const;

  // --- Tokens (tokens.hpp); all are empty without
  std::vector<std::uint8_t> separated;    // per input queue: its token has passed
  std::vector<std::uint8_t> token_there;  // per input queue: its token has come
  std::vector<std::uint8_t> token_sent;   // per output queue
  std::vector<Tick> held_since;           // per input queue: its head waits for a token; or kNever
  /// Per switch that has begun: for each output port the input ports of which a turn leads there.
  std::vector<std::vector<std::vector<PortNum>>> turns_to;
  std::vector<SwitchId> token_switches;  // tokens may pass there before the next tick
  unsigned token_bytes = 0;
  void prepare_tokens();
  void begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes);
  void send_tokens(HostId host, unsigned bytes);
  bool tokens_done(SwitchId at) const;
  void end_tokens(SwitchId at);
  PacketId new_token();
  void look_for_tokens(SwitchId at, Tick when);
  [[gnu::noinline]] void pass_tokens();
  void pass_tokens_at(SwitchId at);
  void take_token(QueueId in);
  void send_tokens_at(SwitchId at);
  void token_routed(PacketId id, QueueId in);
  bool find_port(PacketId id, QueueId in);
  PortNum separated_port(QueueId in, Lid dlid) const;
  bool hold_for_token(QueueId in, QueueId out);
  bool waits_for_token(QueueId in, QueueId out) const { return separated[in] && !token_sent[out]; }
  /// Calls `see` with each data input queue of a switch.
  template <class See>
  void for_each_input(SwitchId at, See&& see) const {
    for (unsigned port = 1; port <= switches[at].ports; ++port)
      if (const Channel by = fabric.peer(switches[at].first + port); by != kNoChannel)
        for (unsigned l = 0; l < model.vls; ++l) see(queue(by, l));
  }

  // --- Adaptive forwarding (adaptive.hpp)
  std::size_t alternatives_stride = 0;
  std::vector<QueueId> alternatives;          // [packet][alternative], ascending
  std::vector<Alternatives> alternatives_of;  // per packet
  std::vector<std::uint32_t>
      places_first;                  // per switch: its first word in `heads` or `wanted_outputs`
  std::vector<std::uint64_t> heads;  // a bit for each input queue whose head may request
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
  bool own_port_escapes() const {
    return features.has_escape && model.own_port == OwnPort::kEscape;
  }
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
  void move_flow(SwitchId leaf, HostId to, PortNum off, bool asked);
  void change_port(SwitchId leaf, HostId to, PortNum port);
  [[gnu::noinline]] void send_ear(const Reaction& about);
  [[gnu::noinline]] void receive_ear(PacketId id, QueueId q);
  /// Whether this packet counts as queued for the port of an output queue.
  bool is_queued_for_port(const Packet& packet, QueueId out) const {
    return !packet.signal && lane(out) != features.management_lane;
  }

  // --- A queue for each output queue (per_output.hpp); InputQueue::waiting is empty then
  std::vector<std::size_t>
      waiting_first;  // per switch: the index of its first one in waiting_by_output
  std::vector<Fifo> waiting_by_output;        // [switch][input place][output place]
  std::vector<std::uint64_t> wanted_outputs;  // a bit for each output queue that is requested
  std::vector<std::uint16_t> accepted;  // per input queue: place of the output accepted last, + 1
  struct Offer {
    QueueId in, out;
    unsigned turn;  // how far `out` is from the next place in turn
  };
  std::vector<Offer> offers;
  void prepare_per_output();
  /// The number of places at a switch: ports · lanes.
  unsigned places(SwitchId s) const { return (switches[s].ports + 1u) << features.lane_bits; }
  unsigned place_at_output(QueueId out, SwitchId s) const {
    return out - queue(switches[s].first, 0);
  }
  Fifo& waiting_for(const InputQueue& input, QueueId out);
  void enqueue_for_output(QueueId in, PacketId id);
  QueueId next_free_requester(QueueId out) const;
  [[gnu::noinline]] void match(SwitchId s);
  void find_offers(SwitchId s);
  void accept(const Offer& offer);
  /// Calls `see` with each queue of an input queue that is not empty.
  template <class See>
  void for_each_waiting(const InputQueue& input, See&& see) const {
    if (!features.per_output) {
      if (!input.waiting.empty()) see(input.waiting);
      return;
    }
    if (input.at == kNoSwitch) return;
    const unsigned of = places(input.at);
    const Fifo* const first =
        waiting_by_output.data() + waiting_first[input.at] + std::size_t{input.place} * of;
    for (unsigned place = 0; place < of; ++place)
      if (!first[place].empty()) see(first[place]);
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
  Tick head_deadline(QueueId out, PacketId head) const;
  Tick expiry_of(QueueId out) const;
  void start_head_lifetime(QueueId out);
  [[gnu::noinline]] void schedule_expiry(QueueId out);
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
  void discard_ears_behind(QueueId out, Tick by);
  void drop_head(QueueId out, Loss why);
  void set_down(Channel c, bool down);
  void cut(Channel c);
  void restore(Channel c);

  [[gnu::noinline, gnu::cold]] PacketId new_packet() {
    packets.emplace_back();
    if (features.lifetimes) routed_at.emplace_back();
    if (features.classes) marks.emplace_back();
    if (features.multicast) copy_sets.emplace_back();
    if (features.epochs) packet_epochs.emplace_back();
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
  /// Another output queue may take a packet in this tick.
  void note_taker(QueueId out) {
    const std::uint64_t link = bit(channel(out));
    apart = apart && (seen_links & link) == 0;
    seen_links |= link;
  }
  void find_whether_apart() {
    apart = true;
    seen_links = 0;
    for (std::size_t i = 0; i < pending_outputs.count; ++i) note_taker(pending_outputs.ids[i]);
  }
  /// Marks an output queue, which an input queue requests, for this tick's crossbar step (step 2).
  void mark_output(QueueId q) {
    if (features.per_output) return mark_switch(fabric.switch_of(channel(q)));
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

/// The state of a network, compiled for one of eight sets of features.
struct Network::Variant {
  std::variant<std::unique_ptr<State<NoFeatures>>, std::unique_ptr<State<EarFeatures>>,
               std::unique_ptr<State<AnyFeatures>>, std::unique_ptr<State<ClassFeatures>>,
               std::unique_ptr<State<DrivenFeatures>>, std::unique_ptr<State<ManagedFeatures>>,
               std::unique_ptr<State<PerOutputFeatures>>, std::unique_ptr<State<MulticastFeatures>>>
      state;
};

/// Calls `what` with the state, for whichever set of features it is compiled.
template <class Self, class Do>
decltype(auto) Network::visit_state(Self& self, Do&& what) {
  return std::visit([&](auto& state) -> decltype(auto) { return what(*state); },
                    self.variant_->state);
}

}  // namespace selvedge::sim
