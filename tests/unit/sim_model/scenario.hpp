// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A scenario is a small experiment as a value, drawn from a seed: a fabric, tables, a model with
// unequal values, messages that may be answered, and cuts, restored links and table changes. The
// tables are an engine's, or random ones that may be incomplete or deadlock. Any class with
// Network's interface can run a scenario and gives a Record.
#pragma once

#include <algorithm>
#include <climits>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/tables.hpp"
#include "sim/model/ear_move.hpp"
#include "sim/model/epoch_cases.hpp"
#include "sim/model/model.hpp"
#include "sim/model/smp.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim::test {

struct Planned {
  HostId from;
  Message message;
  Tick answer_after = 0;  // > 0: the receiver answers this long after the last packet
};

struct Action {
  enum class Kind : std::uint8_t {
    kCut,
    kRestore,
    kSetLft,
    kSetTables,
    kObserve,
    kClear,
    // --- By a subnet manager; what exactly is done follows from `subject` (manage(), below)
    kSmp,
    kBlock,
    kRow,
    kHostRow,
    kPath,
    kLids,
    kOpen,
    kHold,
    kPoll,
    kDiscard,
    kArbitration,
    kHeadLife,
    kSwitchLife,
    kEpoch,     // subject: switch + number of switches · epoch
    kLayering,  // subject: switch + number of switches · Layering
    kLayerBlock,
    // --- Tokens (separate(), below)
    kBeginTokens,
    kEndTokens,
    kHostToken,  // subject: host
  } kind;
  Tick at;
  std::uint32_t subject = 0;  // a channel, a switch, an index into Scenario::other_tables or smps
};

/// An SMP that is sent; its receiver may answer it.
struct PlannedSmp {
  SmpEnd from;
  Smp smp;
  bool answered = false;
};

struct Scenario {
  std::uint64_t seed = 0;
  Fabric fabric;
  Tables tables;
  std::vector<Tables> other_tables;
  Model model;
  std::vector<Planned> plan;
  std::vector<Action> actions;  // sorted by time
  std::vector<PlannedSmp> smps;
  Managed managed = Managed::kNo;
  unsigned token_bytes = 0;
  /// Tokens separate `tables` from other_tables[0]: nothing else changes what a switch does with a
  /// packet. Then not_separated() says what must hold.
  bool separates = false;
  bool driven = false;     // Traffic::drives_hosts()
  bool inspected = false;  // Traffic::inspects_management(); some packets are sent back
  bool wakes = false;      // classes: messages are answered on the queue of their class
  Tick until = 0;

  std::string describe() const;
};

struct Features {
  bool adaptive = false;    // adaptive forwarding, with and without escape queues
  bool management = false;  // some messages travel on VL 15
  bool managed = false;     // SMPs, and changes by a subnet manager
  bool epochs = false;      // of a managed network: epochs that rise while LFTs are written
  bool layers = false;      // of a managed network: two VLs that are changed apart
  bool tokens = false;      // of a managed network: tokens between two LFTs
  bool ear = false;         // self-routing trees, and other fabrics with Selection::kEar
  bool driven = false;      // hosts are asked packet by packet
  bool classes = false;     // classes of traffic, lifetimes that spare some packets
  bool per_output = false;  // InputQueues::kPerOutput
  bool multicast = false;   // packets that switches replicate, in each of the ways; no cuts
  bool inspected = false;   // switches show management messages; with classes, answers wake hosts
};
Scenario random_scenario(std::uint64_t seed, Features features = {});

/// The planned messages and their answers. A host's pending messages are sorted, so their order
/// does not depend on the order in which the deliveries of a tick are reported.
class Script : public Traffic {
 public:
  explicit Script(const Scenario& scenario)
      : plan_(scenario.plan),
        hosts_(scenario.fabric.num_hosts()),
        fabric_(scenario.fabric),
        driven_(scenario.driven),
        inspected_(scenario.inspected),
        wakes_(scenario.wakes),
        mtu_(scenario.model.mtu_bytes) {
    for (std::uint32_t i = 0; i < plan_.size(); ++i) {
      plan_[i].message.tag = i;
      hosts_[plan_[i].from].to_come.insert(key(plan_[i].message));
    }
    for (const ClassRule& rule : scenario.model.classes) queue_of_.push_back(rule.queue);
    if (queue_of_.empty()) return;
    for (const Planned& one : plan_) add_to_queue(one.from, one.message);
  }

  Message next(HostId from) override {
    Source& source = hosts_[from];
    if (source.to_come.empty()) return {};
    const auto [at, tag, to, bytes, management] = *source.to_come.begin();
    source.to_come.erase(source.to_come.begin());
    source.given = {at, to, bytes, tag, management};
    if (tag < plan_.size()) source.given.mlid = plan_[tag].message.mlid;
    // A message may not be earlier than an answer that was given before it.
    source.given.at = std::max(at, source.last);
    source.last = source.given.at;
    return source.given;
  }
  Message next_of(HostId from, unsigned queue) override {
    ClassSource& source = queues_[{from, queue}];
    if (source.to_come.empty()) return {};
    source.given = source.to_come.back();
    source.to_come.pop_back();
    // As in next().
    source.given.at = std::max(source.given.at, source.last);
    source.last = source.given.at;
    return source.given;
  }
  void put_back_of(HostId from, unsigned queue) override {
    ClassSource& source = queues_[{from, queue}];
    add_to_queue(from, source.given);
    source.last = 0;
  }
  void put_back(HostId from) override {
    Source& source = hosts_[from];
    source.to_come.insert(key(source.given));
    source.last = 0;
  }
  bool drives_hosts() const override { return driven_; }
  /// What is answered depends on when the host was asked before, and on what has been delivered to
  /// it: so a question too many, or one that comes too early, changes all that follows.
  Message offer(HostId from, Tick now) override {
    Source& source = hosts_[from];
    asks.emplace_back(now, from);
    StableRandom draw(((now * 131 + from) * 131 + source.asked++) * 131 + source.arrived);
    const auto later = [&](unsigned percent, std::uint64_t within) {
      return Message{.at = draw.chance(percent) ? now + 1 + static_cast<Tick>(draw.below(within))
                                                : kNever};
    };
    if (source.to_come.empty()) return later(20, 200);
    auto chosen = source.to_come.begin();
    if (std::get<0>(*chosen) > now) return {.at = std::get<0>(*chosen)};
    if (draw.chance(20)) return later(50, 50);
    const auto second = std::next(chosen);
    if (second != source.to_come.end() && std::get<0>(*second) <= now && draw.chance(50))
      chosen = second;
    const auto [at, tag, to, bytes, management] = *chosen;
    source.to_come.erase(chosen);
    const auto path = draw.chance(30) ? kAnyPath : static_cast<std::uint8_t>(draw.below(8));
    return {at, to, std::min(bytes, mtu_), tag, management, path};
  }
  bool sends_management() const override {
    return std::ranges::any_of(plan_, [](const Planned& one) { return one.message.management; });
  }
  bool sends_multicast() const override {
    return std::ranges::any_of(plan_,
                               [](const Planned& one) { return one.message.mlid != kNoLid; });
  }
  bool inspects_management() const override { return inspected_; }
  /// A third of the packets is sent back once. What is done depends on all that was shown before at
  /// this switch, and so on its order.
  Lid inspect(SwitchId at, PortNum out, const Delivery& d) override {
    inspections.emplace_back(d.delivered, at, out, d.from, d.sequence);
    StableRandom draw((std::uint64_t{at} * 131 + out) * 131 + seen_[at]++);
    const Host& source = fabric_.host(d.from);
    const auto lid = static_cast<Lid>(source.lid + draw.below(source.lid_count()));
    const bool was = d.dlid >= source.lid && d.dlid < source.lid + source.lid_count();
    return !was && draw.chance(33) ? lid : kNoLid;
  }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
    ++hosts_[d.to].arrived;
    if (driven_ && d.sequence % 3 == 0) woken.push_back(d.to);
    if (!d.last || d.tag >= plan_.size() || plan_[d.tag].answer_after == 0) return;
    answer(d.to, d.from, d, plan_[d.tag].answer_after, woken);
  }
  void lost(const Delivery& d, std::vector<HostId>& woken) override {
    losses.push_back(d);
    // An answer was lost at its source: the host that waits for it sends a message at once.
    const auto planned = static_cast<std::uint32_t>(plan_.size());
    if (d.tag >= planned && d.tag < 2 * planned && d.switches == 0 && d.injected == d.delivered) {
      hosts_[d.to].to_come.insert({d.delivered + 1, d.tag + planned, d.from, d.bytes, false});
      woken.push_back(d.to);
    }
    // A lost message is sent once more by its source.
    if (d.tag >= plan_.size() || plan_[d.tag].answer_after == 0) return;
    answer(d.from, d.to, d, 10 * plan_[d.tag].answer_after, woken);
  }

  std::vector<Delivery> losses;
  std::vector<std::pair<Tick, HostId>> asks;  // by offer(), in order
  /// By inspect(), in order: when, the switch, its port, the packet's source and sequence.
  std::vector<std::tuple<Tick, SwitchId, PortNum, HostId, std::uint32_t>> inspections;

 private:
  using Key = std::tuple<Tick, std::uint32_t, HostId, std::uint32_t, bool>;
  struct Source {
    std::multiset<Key> to_come;
    Message given;
    Tick last = 0;
    std::uint64_t asked = 0, arrived = 0;
  };
  static Key key(const Message& m) { return {m.at, m.tag, m.to, m.bytes, m.management}; }
  void answer(HostId from, HostId to, const Delivery& d, Tick after, std::vector<HostId>& woken) {
    // Answers are not answered: their tags are not in the plan.
    const auto tag = static_cast<std::uint32_t>(plan_.size()) + d.tag;
    if (wakes_) {
      Message message = plan_[d.tag].message;
      message.at = d.delivered + after;
      message.to = to;
      message.tag = tag;
      message.path = static_cast<std::uint8_t>(d.sequence % 9 == 8 ? kAnyPath : d.sequence % 9);
      add_to_queue(from, message);
    }
    hosts_[from].to_come.insert({d.delivered + after, tag, to, d.bytes, false});
    woken.push_back(from);
  }

  struct ClassSource {
    std::vector<Message> to_come;  // latest first
    Message given;
    Tick last = 0;
  };
  void add_to_queue(HostId from, const Message& message) {
    std::vector<Message>& all = queues_[{from, queue_of_[message.of_class]}].to_come;
    const auto when = [](const Message& m) { return std::tuple(m.at, m.tag, m.path, m.to); };
    all.insert(std::ranges::lower_bound(all, when(message), std::greater<>(), when), message);
  }

  std::vector<Planned> plan_;
  std::vector<Source> hosts_;
  const Fabric& fabric_;
  bool driven_, inspected_, wakes_;
  unsigned mtu_;
  std::vector<unsigned> queue_of_;  // of each class
  std::map<std::pair<HostId, unsigned>, ClassSource> queues_;
  std::map<SwitchId, std::uint64_t> seen_;  // by inspect()
};

/// The state that can be read at any tick.
struct Observation {
  Tick at = 0;
  Totals totals;
  std::uint64_t waiting_at_sources = 0;
  std::vector<unsigned> occupied;  // per channel and VL
};

struct Record {
  std::vector<Delivery> deliveries, losses;
  std::vector<SmpArrival> smps;
  std::vector<LostSmp> lost_smps;  // sorted
  std::vector<FlowMove> moves;
  std::vector<std::pair<Tick, HostId>> asks;
  std::vector<std::tuple<Tick, SwitchId, PortNum, HostId, std::uint32_t>> inspections;
  std::vector<Observation> looks;  // at the planned ticks, and at the end
  Totals totals;                   // at the end
  EpochCases epoch_cases;
  std::vector<ChannelUse> use;
  Window window;
  std::map<HostId, Tick> host_tokens;                  // the first of each host
  std::set<SwitchId> separating;                       // switches that have begun and not ended
  std::vector<std::pair<Tick, SwitchId>> separations;  // that ended
};

template <class Simulator>
Observation look_at(const Scenario& scenario, const Simulator& simulator) {
  Observation look{simulator.now(), simulator.totals(), simulator.waiting_at_sources(), {}};
  look.totals.events = 0;
  for (Channel c = 0; c < scenario.fabric.num_channels(); ++c) {
    unsigned sum = 0;
    for (Vl vl = 0; vl < kVls; ++vl) {
      look.occupied.push_back(simulator.occupied(c, vl));
      sum += look.occupied.back();
    }
    // So that the records differ.
    if (sum != simulator.occupied(c)) look.occupied.back() = UINT_MAX;
  }
  return look;
}

/// Makes a change as a subnet manager; all details are drawn from the action's subject.
template <class Simulator>
void manage(const Scenario& scenario, const Action& action, Simulator& simulator) {
  const Fabric& fabric = scenario.fabric;
  const std::uint32_t n = action.subject, more = n / 64;
  const auto at = static_cast<SwitchId>(n % fabric.num_switches());
  const auto host = static_cast<HostId>(n % fabric.num_hosts());
  const Tables& other = scenario.other_tables[more % scenario.other_tables.size()];
  const auto port = [&](std::uint32_t of) {
    return static_cast<PortNum>(1 + of % std::max<unsigned>(1, fabric.node(at).ports));
  };
  switch (action.kind) {
    case Action::Kind::kSmp:
      if (n < scenario.smps.size()) simulator.send(scenario.smps[n].from, scenario.smps[n].smp);
      return;
    case Action::Kind::kBlock:
    case Action::Kind::kLayerBlock: {
      const std::span<const PortNum> lft = other.lft(at);
      const unsigned block = more % static_cast<unsigned>(lft.size() / kLftBlockEntries + 1);
      const std::size_t first = std::size_t{block} * kLftBlockEntries;
      if (first >= lft.size()) return;
      const auto entries =
          lft.subspan(first, std::min<std::size_t>(kLftBlockEntries, lft.size() - first));
      if (action.kind == Action::Kind::kLayerBlock)
        return simulator.write_layer_block(at, block, entries);
      return simulator.write_lft_block(at, block, entries);
    }
    case Action::Kind::kRow:
      if (fabric.node(at).ports == 0) return;
      return simulator.write_sl2vl(at, port(more), port(more / 16),
                                   other.sl2vl.row(at, port(more), port(more / 16)));
    case Action::Kind::kHostRow: {  // sometimes an SL is mapped to VL 15
      Sl2VlRow row = other.host_sl2vl;
      if (more % 4 == 0) row[more / 4 % 6] = kDropVl;
      return simulator.write_host_sl2vl(host, row);
    }
    case Action::Kind::kPath: {  // no record, or one with a LID of the destination or any LID
      const auto to = static_cast<HostId>(more % fabric.num_hosts());
      const std::uint32_t drawn = more / fabric.num_hosts();
      const Host& there = fabric.host(to);
      Lid dlid = static_cast<Lid>(there.lid + drawn % there.lid_count());
      if (drawn % 5 == 0) dlid = kNoLid;
      if (drawn % 5 == 1) dlid = static_cast<Lid>(1 + drawn % (fabric.top_lid() + 1U));
      return simulator.write_path(host, to, dlid, static_cast<Sl>(more % 6));
    }
    case Action::Kind::kArbitration: {
      StableRandom draw(n);
      const auto entries = [&](bool all) {
        std::vector<ArbitrationEntry> table(draw.below(6));
        for (ArbitrationEntry& entry : table)
          entry = {static_cast<std::uint8_t>(draw.below(scenario.model.vls + 1)),
                   static_cast<std::uint8_t>(draw.below(8))};
        for (unsigned vl = 0; all && vl < scenario.model.vls; ++vl)
          table.push_back({static_cast<std::uint8_t>(vl), 1});
        return table;
      };
      const auto low = entries(draw.chance(70)), high = entries(false);
      return simulator.write_arbitration(
          n % fabric.num_channels(), high, low,
          draw.chance(20) ? 255U : static_cast<unsigned>(draw.below(2)));
    }
    case Action::Kind::kHeadLife:
    case Action::Kind::kSwitchLife: {
      const Tick life = n % 5 == 0 ? kNever : Tick{1 + n % (n % 2 == 0 ? 1500 : 100)};
      if (action.kind == Action::Kind::kSwitchLife) return simulator.write_switch_life(at, life);
      for (unsigned p = 1; p <= fabric.node(at).ports; ++p)
        if (more >> p % 8 & 1U)
          simulator.write_head_life(fabric.channel(at, static_cast<PortNum>(p)), life);
      return;
    }
    case Action::Kind::kLids: {  // one LID less, all of its LIDs again, or another host's LIDs
      const Host& own = fabric.host(host);
      const Host& next = fabric.host((host + 1) % fabric.num_hosts());
      if (more % 4 == 0) return simulator.write_lids(host, own.lid, 1);
      if (more % 4 < 3) return simulator.write_lids(host, own.lid, own.lid_count());
      simulator.write_lids(host, next.lid, next.lid_count());
      return simulator.write_lids((host + 1) % fabric.num_hosts(), own.lid, own.lid_count());
    }
    case Action::Kind::kPoll:
      return simulator.poll_sources();
    case Action::Kind::kOpen:
      return simulator.open(n % fabric.num_channels(), more % 2 == 0);
    case Action::Kind::kEpoch:
      return simulator.set_epoch(at, static_cast<Epoch>(n / fabric.num_switches()));
    case Action::Kind::kLayering:
      return simulator.set_layering(at, static_cast<Layering>(n / fabric.num_switches()));
    case Action::Kind::kHold:
      return simulator.hold(host, more % 2 == 0);
    case Action::Kind::kDiscard:  // the first non-empty queue from the subject on
      for (Channel c = 0; c < fabric.num_channels(); ++c)
        if (simulator.discard_head((n + c) % fabric.num_channels(),
                                   static_cast<Vl>(more % scenario.model.vls)))
          return;
      return;
    default:
      return;
  }
}

/// The turns of a switch's old routing that it is told: those of all paths from hosts; all, if the
/// present LFTs may change meanwhile. Then tokens may wait for each other for ever.
std::vector<Turn> turns_told(const Scenario& scenario, SwitchId at);

/// A switch begins or ends, or a host sends its token, if it may. A switch that has ended forwards
/// by the next LFT from then on.
template <class Simulator>
void separate(const Scenario& scenario, const Action& action, Simulator& simulator,
              Record& record) {
  const unsigned switches = scenario.fabric.num_switches();
  const auto at = static_cast<SwitchId>(action.subject % switches);
  const auto write = [&](auto&& block) {
    const std::span<const PortNum> lft = scenario.other_tables[0].lft(at);
    for (std::size_t first = 0; first < lft.size(); first += kLftBlockEntries)
      block(static_cast<unsigned>(first / kLftBlockEntries),
            lft.subspan(first, std::min<std::size_t>(kLftBlockEntries, lft.size() - first)));
  };
  if (action.kind == Action::Kind::kHostToken) {
    record.host_tokens.emplace(action.subject, simulator.now());
    return simulator.send_tokens(action.subject, scenario.token_bytes);
  }
  if (action.kind == Action::Kind::kBeginTokens) {
    if (!record.separating.insert(at).second) return;
    write([&](unsigned block, auto entries) { simulator.write_layer_block(at, block, entries); });
    return simulator.begin_tokens(at, turns_told(scenario, at), scenario.token_bytes);
  }
  if (!simulator.tokens_done(at)) return;
  write([&](unsigned block, auto entries) { simulator.write_lft_block(at, block, entries); });
  simulator.end_tokens(at);
  record.separating.erase(at);
  record.separations.emplace_back(simulator.now(), at);
}

/// Runs until this tick, and answers SMPs when they arrive.
template <class Simulator>
void run_managed(const Scenario& scenario, Simulator& simulator, Tick until, Record& record) {
  while (simulator.now() < until) {
    simulator.run(until);
    std::vector<SmpArrival> ended = simulator.take_arrivals();
    // The order of arrivals of one tick has no meaning, so they are sorted.
    const auto order = [](const SmpArrival& a) {
      return std::tuple(a.end.kind, a.end.id, a.smp.tag, a.smp.directed, a.smp.dlid);
    };
    std::ranges::stable_sort(ended, {}, order);
    for (const SmpArrival& one : ended) {
      const std::uint32_t tag = one.smp.tag;
      if (tag >= scenario.smps.size() || !scenario.smps[tag].answered) continue;
      Smp answer = one.smp.directed ? route_back(one.smp) : one.smp;
      answer.tag = tag + static_cast<std::uint32_t>(scenario.smps.size());
      if (!answer.directed)
        answer.dlid = scenario.fabric.host(tag % scenario.fabric.num_hosts()).lid;
      simulator.send(one.end, answer);
      if (one.end.kind == SmpEnd::Kind::kSwitch)
        manage(scenario, {Action::Kind::kBlock, simulator.now(), one.end.id + 64 * tag}, simulator);
    }
    record.smps.insert(record.smps.end(), ended.begin(), ended.end());
  }
}

template <class Simulator, class... More>
Record play(const Scenario& scenario, More... more) {
  Record record;
  Script script(scenario);
  Simulator simulator(scenario.fabric, scenario.tables, scenario.model, script, scenario.seed,
                      scenario.managed, more...);
  simulator.on_delivery([&](const Delivery& d) { record.deliveries.push_back(d); });
  simulator.on_move([&](const FlowMove& move) { record.moves.push_back(move); });
  for (const Action& action : scenario.actions) {
    run_managed(scenario, simulator, action.at, record);
    switch (action.kind) {
      case Action::Kind::kCut:
        simulator.cut(action.subject);
        break;
      case Action::Kind::kRestore:
        simulator.restore(action.subject);
        break;
      case Action::Kind::kSetLft:
        simulator.set_lft(action.subject % scenario.fabric.num_switches(),
                          scenario.other_tables[action.subject % scenario.other_tables.size()].lft(
                              action.subject % scenario.fabric.num_switches()));
        break;
      case Action::Kind::kSetTables:
        simulator.set_tables(scenario.other_tables[action.subject % scenario.other_tables.size()]);
        break;
      case Action::Kind::kObserve:
        record.looks.push_back(look_at(scenario, simulator));
        break;
      case Action::Kind::kClear:
        simulator.clear_window();
        break;
      case Action::Kind::kBeginTokens:
      case Action::Kind::kEndTokens:
      case Action::Kind::kHostToken:
        separate(scenario, action, simulator, record);
        break;
      default:
        manage(scenario, action, simulator);
    }
  }
  run_managed(scenario, simulator, scenario.until, record);
  record.lost_smps = simulator.take_lost_smps();
  std::ranges::sort(record.lost_smps);
  record.losses = script.losses;
  record.asks = script.asks;
  record.inspections = script.inspections;
  // The order of the records of one tick has no meaning.
  const auto order = [](const Delivery& a, const Delivery& b) {
    return std::tie(a.delivered, a.from, a.sequence, a.to, a.switches) <
           std::tie(b.delivered, b.from, b.sequence, b.to, b.switches);
  };
  std::sort(record.deliveries.begin(), record.deliveries.end(), order);
  std::sort(record.losses.begin(), record.losses.end(), order);
  record.looks.push_back(look_at(scenario, simulator));
  record.totals = record.looks.back().totals;
  record.use = simulator.use();
  record.epoch_cases = simulator.epoch_cases();
  record.window = simulator.window();
  return record;
}

/// Describes the first difference of two records; empty if there is none.
std::string difference(const Scenario& scenario, const Record& a, const Record& b);

/// Counts what a scenario that separates has shown.
struct Separated {
  std::uint64_t old_paths = 0, new_paths = 0;  // of packets whose paths differ
  std::uint64_t exact = 0;                     // scenarios whose use of each link was compared
};

/// What contradicts that a packet which left its host before the host's token went by the old
/// tables all its way, and every later one by the new tables; and that packets of one host for one
/// LID come in their order. Empty if nothing does.
std::string not_separated(const Scenario& scenario, const Record& record, Separated& count);

}  // namespace selvedge::sim::test
