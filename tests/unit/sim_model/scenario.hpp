// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A small experiment as a value, drawn from a seed: a fabric, tables, a model with unequal values,
// messages that may be answered, and cuts, restores and table changes. The tables are an engine's,
// or random ones that may be incomplete or deadlock. Any class with Network's interface can run it
// and gives a Record.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/model/model.hpp"
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
  enum class Kind : std::uint8_t { kCut, kRestore, kSetLft, kSetTables, kObserve, kClear } kind;
  Tick at;
  std::uint32_t subject = 0;  // a channel, a switch, an index into Scenario::other_tables
};

struct Scenario {
  std::uint64_t seed = 0;
  Fabric fabric;
  Tables tables;
  std::vector<Tables> other_tables;
  Model model;
  std::vector<Planned> plan;
  std::vector<Action> actions;  // sorted by time
  Tick until = 0;

  std::string describe() const;
};

struct Features {
  bool adaptive = false;    // forwarding, with and without escape queues
  bool management = false;  // some messages travel on VL 15
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
    // A message that an answer overtook becomes later.
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
    // The source sends it once more.
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
  std::vector<unsigned> occupied;  // per channel
};

struct Record {
  std::vector<Delivery> deliveries, losses;
  std::vector<Observation> looks;  // as planned, and at the end
  Totals totals;                   // at the end
  std::vector<ChannelUse> use;
  Window window;
};

template <class Simulator>
Observation look_at(const Scenario& scenario, const Simulator& simulator) {
  Observation look{simulator.now(), simulator.totals(), simulator.waiting_at_sources(), {}};
  look.totals.events = 0;
  for (Channel c = 0; c < scenario.fabric.num_channels(); ++c)
    look.occupied.push_back(simulator.occupied(c));
  return look;
}

template <class Simulator, class... More>
Record play(const Scenario& scenario, More... more) {
  Record record;
  Script script(scenario);
  Simulator simulator(scenario.fabric, scenario.tables, scenario.model, script, scenario.seed,
                      more...);
  simulator.on_delivery([&](const Delivery& d) { record.deliveries.push_back(d); });
  for (const Action& action : scenario.actions) {
    simulator.run(action.at);
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
    }
  }
  simulator.run(scenario.until);
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
