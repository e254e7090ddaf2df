// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The data structures of the reference simulator (reference.hpp). A packet may be at several nodes
// at once, its head ahead of its tail. It has a Transit at each of these nodes, which counts the
// bytes that have arrived, crossed and left there. A Link is a directed channel with everything at
// its two ends: output queues, the packet being sent, the wire, the input queues, and the credits
// on their way back.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/model/reference.hpp"
#include "sim/model/reference_arbiter.hpp"

namespace selvedge::sim {

/// Throws std::logic_error unless `holds`: the reference has a bug or was used wrongly.
void check_invariant(bool holds, const char* what);

namespace reference {

struct Packet {
  Delivery record;  // filled in while the packet travels
  unsigned blocks = 0;
  HostId ear_for = kNoHost;  // of an EAR: the host to which the flow goes
  bool management = false;   // travels on VL 15: a management message of the traffic, or an SMP
  unsigned of_class = 0;     // index in Model::classes, if there are any
  bool kept = false;         // the head-of-queue lifetime does not discard it
  bool turned = false;       // a switch has sent it back to its source (Traffic::inspect())
  bool token = false;
  std::optional<Smp> smp;
  Epoch epoch = 0;    // E_PCK
  bool done = false;  // counted as delivered or lost; if cut off, its first part travels on
};
using PacketPtr = std::shared_ptr<Packet>;

/// An output queue that a packet may be put into.
struct OutputChoice {
  PortNum out;
  unsigned lane;
};

/// A packet at one node.
struct Transit {
  PacketPtr packet;
  unsigned in_lane = 0;
  // Numbers of bytes: the input buffer holds arrived − crossed, the output buffer crossed − left.
  unsigned arrived = 0, crossed = 0, left = 0;
  Tick front_at = 0;        // when the packet's front (see Symbol) arrived
  Tick tail_in = 0;         // when the last byte arrives
  Tick routed_at = kNever;  // when routing ends, set when it begins
  bool routed = false;      // routing has ended
  // Only of a packet on VL 15: whether the input buffer had room for it. Both are false until its
  // front arrives.
  bool admitted = false, rejected = false;
  std::vector<OutputChoice> outputs;  // set by routing: the queues that it may take, ascending
  std::optional<OutputChoice> own;    // the LFT's port for its DLID, if it has one
  std::size_t first = 0;              // where random selection begins
  // A multicast packet's `outputs` are those to which it has not been copied yet.
  std::shared_ptr<Transit> source;  // of a copy: the packet whose bytes it takes
  bool by_fifo = false;             // of a copy: it goes through a central FIFO
  PortNum came_by = kNoPort;        // the switch's port by which it came
  PortNum out = kNoPort;     // selected output port: until the grant selected anew in each tick
  unsigned out_lane = 0;     // selected lane at that port
  Tick granted_at = kNever;  // when the crossbar was granted
  Tick crossed_at = kNever;  // when the last byte has crossed
  Tick ready_at = 0;         // from when it may be sent: then the link never runs dry within it
  Epoch routed_in = 0;       // E_RTD
  Tick head_at = kNever;     // when it came to the head of its output queue
  Tick held_since = kNever;  // since then it waits for a token

  unsigned bytes() const { return packet->record.bytes; }
  bool has_arrived() const { return arrived == bytes(); }
  bool has_crossed() const { return crossed == bytes(); }
};
using TransitPtr = std::shared_ptr<Transit>;

/// A unit on a wire: one byte of a packet, or the packet's front, which marks its beginning and
/// takes no time.
struct Symbol {
  Tick arrives;     // when the unit has arrived
  PacketPtr front;  // the packet whose front this is; null: a byte of the packet of the last front
  unsigned lane;    // only of a front: the packet's lane
};

struct Credit {
  Tick arrives;
  unsigned lane;
  unsigned blocks;
};

/// The packet that a link is sending.
struct Sending {
  TransitPtr transit;
  Tick start = 0;
  bool discarding = false;  // the link was cut during transmission
};

/// A pair of queues of a link, one at each end. A VL has one lane; with escape queues a data VL has
/// two, the adaptive one before the escape one. The last lane of a link is VL 15.
struct Lane {
  unsigned vl = 0;
  bool escape = false;
  unsigned input_blocks = 0, output_blocks = 0;  // the sizes of its buffers

  // --- Near end
  unsigned credits = 0;
  std::deque<TransitPtr> output;   // at a host: the injection queue
  unsigned output_occupied = 0;    // blocks
  TransitPtr crossing_in;          // the last of `output`, until its tail has crossed
  unsigned served_last = 0;        // the input queue served last: port · lanes + lane
  std::uint64_t grants = 0;        // packets granted since the start
  TransitPtr reserved_for;         // Replication::kSynchronousHeld
  bool token_sent = false;         // Managed::kWithTokens
  std::deque<TransitPtr> central;  // Replication::kCentral: copies that wait for this output queue
  unsigned central_occupied = 0;   // blocks
  // --- Far end
  unsigned input_occupied = 0;   // blocks; a packet's count from its start on the link
  std::deque<TransitPtr> input;  // packets that have been routed
  unsigned accepted_last = 0;  // InputQueues::kPerOutput: the output queue accepted last, likewise
  TransitPtr crossing_out;     // the packet last taken from `input`, until its tail has crossed
  bool token_there = false, separated = false;  // its token has come, and has passed
  TransitPtr aside;                // Replication::kCounter: a packet with copies to be made
  Tick aside_until = 0;            // when the last copy made from there has crossed
  std::vector<TransitPtr> copies;  // of packets from `input`, until their tails have crossed
};

struct Link {
  Link(const Model& model, Stream of);

  Channel channel = kNoChannel;
  LinkClass speed;
  bool to_host = false, from_host = false;
  bool exists = false;  // its cable has a far end
  bool up = false;
  bool open = true;  // for data
  std::optional<Sending> sending;
  std::deque<Symbol> wire;
  std::deque<Credit> credits_back;
  TransitPtr receiving;              // the packet whose front arrived last
  std::vector<TransitPtr> unrouted;  // packets at the far end before routing, in order of arrival
  std::vector<TransitPtr> dropped;   // discarded packets whose tails have not arrived
  std::vector<TransitPtr> ending;    // SMPs that end at the far end, whose tails have not arrived
  std::vector<Lane> lanes;
  Lane& management() { return lanes.back(); }
  // Per VL: its adaptive queue sent last, so its escape queue is next.
  std::vector<bool> escape_next;
  ReferenceArbiter arbiter;
  Tick head_life;            // head-of-queue lifetime in its output queues
  Tick throttled_until = 0;  // of a host: it starts nothing before
  bool waits = false;        // only credits are lacking (PortXmitWait)
  Stream selection;          // random selection for packets that arrive on this link

  Tick time_of(unsigned bytes) const { return bytes * speed.byte_time; }
};

/// A packet at an input that requests its output queue.
struct Request {
  unsigned place;  // of the input queue: port · lanes + lane
  Link* from;
  Lane* input;
  TransitPtr transit;
};

/// A multicast packet that is to be copied: an input queue's head, or what it has put aside.
struct Copying {
  unsigned place;  // of the input queue: port · lanes + lane
  Link* from;
  Lane* input;
  TransitPtr transit;
  bool aside;
};

struct Hca {
  explicit Hca(Stream of) : choice(of) {}

  /// The next one; some of its packets may be in the queue already. Of a driven host `at` is when
  /// it is asked next, and nothing else holds.
  Message message;
  unsigned segmented_bytes = 0;  // payload bytes of `message` that have become packets
  unsigned queued = 0;           // packets in the injection queue
  std::uint32_t sequence = 0;
  Stream choice;     // for random paths
  Lid lid = kNoLid;  // base LID
  unsigned lids = 1;
  Sl2VlRow sl2vl{};
  bool held = false;
  struct Path {
    Lid dlid;
    Sl sl;
  };
  std::map<HostId, Path> paths;  // path records, by destination
  /// With classes: a queue for each SL. `message` and `segmented_bytes` above are then not used.
  struct ClassQueue {
    Message message;
    unsigned segmented_bytes = 0;
    unsigned queued = 0;  // packets in `waiting`, and those moved from it to the port and not sent
    std::deque<TransitPtr> waiting;
  };
  std::vector<ClassQueue> queues;
  bool has(Lid dlid) const { return dlid >= lid && dlid < lid + lids; }
};

/// A switch of a self-routing tree.
struct Ears {
  explicit Ears(Stream of) : draw(of) {}

  bool leaf = false;
  Stream draw;
  struct Flow {
    PortNum port = kNoPort;
    Tick drawn_at = kNever;  // when its port was drawn last; kNever: at the start
  };
  std::map<HostId, Flow> flows;  // of a leaf switch, by destination
  struct Latest {
    Tick at = kNever;
    PortNum in = kNoPort;
    HostId to = kNoHost;
  };
  std::map<PortNum, Latest> latest;                  // by output port: the packet that joined last
  std::map<std::pair<PortNum, HostId>, Tick> asked;  // when it sent an EAR last
};

/// Something after which a switch may react at the end of a tick; in the order of reactions.
struct Reaction {
  enum class Why : std::uint8_t { kJoined, kLeft, kEar };
  SwitchId at;
  Why why;
  PortNum in, out;
  HostId to;
  unsigned lane;
  friend bool operator<(const Reaction& a, const Reaction& b) {
    const auto port = [](const Reaction& r) { return r.why == Why::kLeft ? r.out : r.in; };
    return std::tuple(a.at, a.why, port(a)) < std::tuple(b.at, b.why, port(b));
  }
};

/// Packets from one host to another.
struct Flow {
  std::vector<std::uint32_t> missing;  // generated, and neither delivered nor forgotten; ascending
  std::vector<std::pair<Tick, std::uint32_t>> gone;  // lost, when; not yet forgotten
  std::vector<std::uint32_t> early;                  // delivered
  std::uint64_t injected = 0, delivered = 0, lost = 0;
  std::vector<std::weak_ptr<Packet>> packets;  // injected since the last check, or in flight then
  std::int64_t newest = -1;                    // the highest sequence number delivered
  /// How many packets of this flow precede this one from the first missing one on, not counting
  /// those that were lost before `now`. The packet is then no longer missing.
  unsigned places_ahead(std::uint32_t sequence, Tick now) {
    for (const auto& [at, lost_one] : gone)
      if (at < now) std::erase(missing, lost_one);
    std::erase_if(gone, [&](const auto& one) { return one.first < now; });
    const std::uint32_t first = missing.front();
    std::erase(missing, sequence);
    unsigned ahead = 0;
    for (const std::uint32_t one : missing) ahead += one < sequence ? 1 : 0;
    for (const std::uint32_t one : early) ahead += one > first && one < sequence ? 1 : 0;
    early.push_back(sequence);
    return ahead;
  }
};

}  // namespace reference

struct Reference::State {
  State(const Fabric& of, const Tables& with, const Model& as, Traffic& from, std::uint64_t seed,
        Managed by, Stepping at);

  // --- reference.cpp
  void run(Tick until);
  void tick();
  Tick next_due() const;
  void accumulate_wait(Tick until);

  // --- reference_links.cpp
  /// Moves bytes onto wires, off them and across crossbars, until none moves in this tick.
  void move_bytes();
  void receive(reference::Link& link);
  void send_bytes(reference::Link& link);
  void receive_credits(reference::Link& link);
  void admit_management(reference::Link& link);
  void route_due(reference::Link& link);
  void start_sending(reference::Link& link);
  void start(reference::Link& link, reference::Lane& lane);
  bool may_send(const reference::Link& link, const reference::Lane& lane) const;
  void free_input(reference::Link& link, unsigned lane, unsigned blocks);
  /// For each VL the lane of this link whose head may be sent; null if there is none.
  std::vector<reference::Lane*> sendable(reference::Link& link);

  // --- reference_switches.cpp
  void cross_bytes(reference::Link& from);
  void route(reference::Link& by, const reference::TransitPtr& transit);
  void forward(reference::Link& by, const reference::TransitPtr& transit);
  /// Shows the management messages that were routed in this tick to the traffic.
  void inspect_management();
  void find_outputs(const reference::Link& by, reference::Transit& transit);
  void serve_outputs(SwitchId at);

  /// The number of a VL's queue in Link::lanes.
  unsigned lane_of(Vl vl, bool escape) const {
    check_invariant(vl < model.vls, "the model has every VL that the tables use");
    const auto data_lanes = static_cast<unsigned>(links.front().lanes.size()) - 1;
    const unsigned queues = data_lanes / model.vls;
    return vl * queues + (escape ? 1 : 0);
  }

  // --- reference_selection.cpp
  /// Selects the output queue that the head of an input queue requests in this tick.
  void select_output(SwitchId at, reference::Transit& transit);
  const reference::OutputChoice* select(
      SwitchId at, const reference::Transit& transit,
      const std::vector<const reference::OutputChoice*>& candidates) const;
  /// The requests of a switch in this tick, in the order of places.
  std::vector<reference::Request> requests_at(SwitchId at);
  /// The request that this output queue serves next; null if there is none, or if it cannot take
  /// it.
  const reference::Request* next_in_turn(const std::vector<reference::Request>& all,
                                         const reference::Lane& output, PortNum port,
                                         unsigned lane) const;
  void grant(const reference::Request& request, reference::Link& to, reference::Lane& output);
  /// The tick at which this many bytes of the packet have crossed, if they have arrived by then.
  Tick crossing_time(const reference::Link& from, const reference::Transit& transit,
                     unsigned bytes) const;
  void expire_lifetimes(reference::Link& link);
  /// When a lifetime discards the head of an output queue, and which lifetime does.
  std::pair<Tick, Loss> deadline_of(const reference::Link& link,
                                    const reference::Transit& head) const;
  void start_head_lifetime(reference::Lane& lane);

  // --- reference_hosts.cpp
  void generate();
  void ask_hosts();
  void segment_messages(HostId host);
  void add_packet(HostId host, const Message& message, unsigned payload, bool last);
  reference::TransitPtr make_packet(HostId host, const Message& message, unsigned payload,
                                    bool last);
  /// The path on which the next packet is sent.
  reference::Hca::Path choose_path(HostId from, const Message& message);
  /// named: Message::path.
  Lid choose_lid(HostId from, HostId to, PathChoice paths, std::uint8_t named = kAnyPath);
  void lose_at_source(const reference::PacketPtr& packet);
  void count_lost_at_sources();
  void deliver(const reference::Link& by, reference::Packet& packet);
  void deliver_processed();
  void count_lost(reference::Packet& packet, Loss why, Channel where);

  // --- reference_classes.cpp
  void prepare_classes();
  void wake_classes();
  void segment_classes(HostId host);
  void fill_port(HostId host);
  void leave_class_queue(HostId host, const reference::Packet& packet);
  bool may_select(const reference::Packet& packet) const;

  // --- reference_multicast.cpp
  static bool is_multicast(const reference::Packet& packet);
  /// Finds the output queues of a packet's copies; if there are none, the reason.
  void find_copies(const reference::Link& by, reference::Transit& transit, Loss& if_none) const;
  /// The multicast packets that are to be copied at a switch, in the order of places.
  std::vector<reference::Copying> copying_at(SwitchId at);
  reference::Lane& output_of(SwitchId at, const reference::OutputChoice& choice);
  bool takes(const reference::Lane& output, unsigned blocks) const;
  /// Makes the copies that can be made at a switch in this tick.
  void replicate(SwitchId at);
  void copy_in_order(SwitchId at);
  void copy_what_is_reserved(SwitchId at);
  void copy_one_by_one(SwitchId at);
  void copy_by_fifos(SwitchId at);
  void leave_input(const reference::Copying& request);
  void copy_everywhere(SwitchId at, const reference::Copying& request);
  reference::TransitPtr copy_to(SwitchId at, const reference::Copying& request,
                                const reference::OutputChoice& where);
  reference::TransitPtr make_copy(const reference::Copying& request,
                                  const reference::OutputChoice& where);
  void start_copy(reference::Link& to, reference::Lane& output, const reference::TransitPtr& copy,
                  const reference::Link& rate);
  const reference::Link& rate_of(const reference::Link& from, const reference::Transit& copy) const;
  void cross_copies(reference::Link& from);
  /// Whether a multicast packet waits for this output queue, so that it serves no other.
  bool is_claimed(SwitchId at, PortNum port, unsigned lane);

  // --- reference_faults.cpp
  void cut(reference::Link& link);
  void lose_packets_on_wire(reference::Link& link);
  void empty_dead_port(reference::Link& link);

  // --- reference_ear.cpp
  void prepare_ears(std::uint64_t seed);
  /// The ports of a leaf switch that lead straight to the destination's, ascending.
  std::vector<PortNum> open_ports(SwitchId leaf, HostId to) const;
  PortNum port_of_flow(SwitchId at, const Delivery& record) const;
  unsigned bytes_queued(SwitchId at, PortNum port) const;
  void react();
  void move_flow(SwitchId leaf, HostId to, PortNum off, bool requested);
  void send_ear(const reference::Reaction& about);
  void receive_ear(const reference::Link& by, const reference::Transit& transit);
  void note_joined(const reference::Link& by, const reference::Transit& transit);
  void note_left(const reference::Link& by, const reference::Transit& transit);
  /// Whether a leaf switch may move flows off this port, or a middle switch sends EARs because of
  /// it.
  bool is_watched(SwitchId at, PortNum out) const;

  // --- reference_managed.cpp
  void send(const SmpEnd& from, const Smp& smp);
  /// Finds the output port of an SMP that a switch has routed. False if the SMP ends or is lost at
  /// this switch.
  bool route_smp(reference::Link& by, const reference::TransitPtr& transit);
  void end_at_switch(reference::Link& by, reference::Transit& transit);
  void end_at_host(const reference::Link& by, reference::Packet& packet, HostId host);
  void lose_smp(reference::Packet& packet, Loss why, Channel where);
  bool takes_data(const reference::Link& link) const { return link.up && link.open; }
  bool sends_data(const reference::Link& link) const {
    return link.open && !(link.from_host && hcas[fabric.host_of(link.channel)].held);
  }
  PortNum lft_entry(SwitchId at, Lid dlid) const {
    return dlid <= tables.top_lid() ? tables.next(at, dlid) : kNoPort;
  }
  /// The switch at the far end of a channel; for port 0's channel, the switch itself.
  SwitchId switch_behind(Channel c) const {
    return fabric.peer(c) == kNoChannel ? fabric.switch_of(c) : fabric.target(c);
  }

  // --- reference_epochs.cpp
  void look_at_heads();
  void act_on_doomed();
  /// With layers: the entry of the LFT of this VL.
  PortNum layer_entry(SwitchId at, unsigned vl, Lid dlid) const;
  void escape(reference::Transit& head, SwitchId at);

  // --- reference_tokens.cpp
  reference::TransitPtr new_token() const;
  /// Whether the token of this input queue may pass before the next tick.
  bool may_pass(const reference::Link& by, const reference::Lane& lane) const;
  /// Whether an old packet may still come to this output of a switch that has begun.
  bool is_awaited(SwitchId at, PortNum port, unsigned lane) const;
  bool tokens_may_pass() const;
  void pass_tokens();
  void take_token(reference::Link& by, unsigned lane);
  bool waits_for_token(SwitchId at, const reference::Lane& input, reference::Transit& head);
  void join(reference::Link& by, const reference::TransitPtr& transit);
  /// The entry of the LFT by which this input queue forwards.
  PortNum separated_entry(SwitchId at, const reference::Lane& input, Lid dlid) const;

  // --- reference_checks.cpp
  void check_buffers() const;
  void check_flows();

  const Fabric& fabric;
  Tables tables;
  const Model& model;
  Traffic& traffic;
  const Managed managed;
  Stepping stepping;

  Tick now = 0;
  Tick done = -1;               // the last tick simulated
  bool dirty = true;            // the next tick must be simulated, although nothing is due in it
  Tick wait_counted_until = 0;  // ChannelUse::xmit_wait includes all waits before this tick

  std::vector<reference::Link> links;  // per channel
  std::vector<Tick> switch_lives;      // per switch
  std::vector<Epoch> switch_epochs;    // per switch
  bool heads_matter = false;           // a switch has an epoch above 0, or lets heads escape
  EpochCases epoch_cases;
  struct Doomed {
    Channel channel;
    unsigned lane;
    reference::TransitPtr head;
  };
  struct Processed {
    Tick at;
    reference::PacketPtr packet;
    const reference::Link* by;
  };
  std::deque<Processed> processed;  // packets that HCAs process until `at`, ascending
  std::vector<Doomed> doomed;  // heads that are discarded, or escape to VL 1, before the next tick
  std::vector<Layering> layering;  // per switch
  /// Per switch: with layers the LFT of VL 1, with tokens the next one.
  std::vector<std::vector<PortNum>> upper_lfts;
  std::map<SwitchId, std::vector<Turn>> separating;  // the switches that have begun
  unsigned token_bytes = 0;
  std::vector<unsigned> copied_last;  // per switch: place of the packet copied last
  std::vector<reference::Hca> hcas;   // per host
  std::vector<HostId> woken;
  std::vector<reference::PacketPtr> lost_at_source;  // in this tick
  /// Management messages that were routed in this tick, with the channels by which they came.
  std::vector<std::pair<Channel, reference::TransitPtr>> shown;
  std::vector<SmpArrival> arrivals;
  std::vector<LostSmp> lost_smps;
  std::map<std::pair<HostId, HostId>, reference::Flow> flows;
  std::vector<reference::Ears> ears;  // per switch
  std::vector<reference::Reaction> reactions;
  std::function<void(const FlowMove&)> move_listener;
  Totals totals;
  Window window;
  std::vector<ChannelUse> use;
  std::function<void(const Delivery&)> listener;
};

}  // namespace selvedge::sim
