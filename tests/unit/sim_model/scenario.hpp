// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A scenario is a small experiment as a value, drawn from a seed: a fabric, tables, a model with
// unequal values, messages that may be answered, and cuts, restored links and table changes. The
// tables are an engine's, or random ones that may be incomplete or deadlock. Any class with
// Network's interface can run a scenario and gives a Record.
#pragma once

#include <algorithm>
#include <climits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/tables.hpp"
#include "sim/model/ear_move.hpp"
#include "sim/model/model.hpp"
#include "sim/model/smp.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim::test {

struct Planned {
  HostId from;
  Message message;
  Tick answer_after = 0;  // > 0: the receiver answers this long after the last packet
  friend bool operator==(const Planned&, const Planned&) = default;
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
  Tick until = 0;

  std::string describe() const;
};

struct Features {
  bool adaptive = false;    // adaptive forwarding, with and without escape queues
  bool management = false;  // some messages travel on VL 15
  bool managed = false;     // SMPs, and changes by a subnet manager
  bool ear = false;         // self-routing trees, and other fabrics with Selection::kEar
};
Scenario random_scenario(std::uint64_t seed, Features features = {});

/// The planned messages and their answers. A host's pending messages are sorted, so their order
/// does not depend on the order in which the deliveries of a tick are reported.
class Script : public Traffic {
 public:
  explicit Script(const Scenario& scenario)
      : plan_(scenario.plan), hosts_(scenario.fabric.num_hosts()) {
    for (std::uint32_t i = 0; i < plan_.size(); ++i) {
      plan_[i].message.tag = i;
      hosts_[plan_[i].from].to_come.insert(key(plan_[i].message));
    }
  }

  Message next(HostId from) override {
    Source& source = hosts_[from];
    if (source.to_come.empty()) return {};
    const auto [at, tag, to, bytes, management] = *source.to_come.begin();
    source.to_come.erase(source.to_come.begin());
    source.given = {at, to, bytes, tag, management};
    // A message may not be earlier than an answer that was given before it.
    source.given.at = std::max(at, source.last);
    source.last = source.given.at;
    return source.given;
  }
  void put_back(HostId from) override {
    Source& source = hosts_[from];
    source.to_come.insert(key(source.given));
    source.last = 0;
  }
  bool sends_management() const override {
    return std::ranges::any_of(plan_, [](const Planned& one) { return one.message.management; });
  }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
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

 private:
  using Key = std::tuple<Tick, std::uint32_t, HostId, std::uint32_t, bool>;
  struct Source {
    std::multiset<Key> to_come;
    Message given;
    Tick last = 0;
  };
  static Key key(const Message& m) { return {m.at, m.tag, m.to, m.bytes, m.management}; }
  void answer(HostId from, HostId to, const Delivery& d, Tick after, std::vector<HostId>& woken) {
    // Answers are not answered: their tags are not in the plan.
    const auto tag = static_cast<std::uint32_t>(plan_.size()) + d.tag;
    hosts_[from].to_come.insert({d.delivered + after, tag, to, d.bytes, false});
    woken.push_back(from);
  }

  std::vector<Planned> plan_;
  std::vector<Source> hosts_;
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
  std::vector<Observation> looks;  // at the planned ticks, and at the end
  Totals totals;                   // at the end
  std::vector<ChannelUse> use;
  Window window;
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
    case Action::Kind::kBlock: {
      const std::span<const PortNum> lft = other.lft(at);
      const unsigned block = more % static_cast<unsigned>(lft.size() / kLftBlockEntries + 1);
      const std::size_t first = std::size_t{block} * kLftBlockEntries;
      if (first < lft.size())
        simulator.write_lft_block(
            at, block,
            lft.subspan(first, std::min<std::size_t>(kLftBlockEntries, lft.size() - first)));
      return;
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
      default:
        manage(scenario, action, simulator);
    }
  }
  run_managed(scenario, simulator, scenario.until, record);
  record.lost_smps = simulator.take_lost_smps();
  std::ranges::sort(record.lost_smps);
  record.losses = script.losses;
  // The order of the records of one tick has no meaning.
  const auto order = [](const Delivery& a, const Delivery& b) {
    return std::tie(a.delivered, a.from, a.sequence) < std::tie(b.delivered, b.from, b.sequence);
  };
  std::sort(record.deliveries.begin(), record.deliveries.end(), order);
  std::sort(record.losses.begin(), record.losses.end(), order);
  record.looks.push_back(look_at(scenario, simulator));
  record.totals = record.looks.back().totals;
  record.use = simulator.use();
  record.window = simulator.window();
  return record;
}

/// Describes the first difference of two records; empty if there is none.
std::string difference(const Scenario& scenario, const Record& a, const Record& b);

}  // namespace selvedge::sim::test
