// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the operator may order: to take something out of use before it is pulled (drain), to use it
// again (undrain), to go over to another engine's tables (reroute).
//
// The thread that thinks does all of it but the writing: it makes a step from the tables in force,
// with indexes of its own, and hands it over (settle()). Meanwhile the other thread sees to faults.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/opensm/fast_path.hpp"
#include "plugin/opensm/out_of_service.hpp"
#include "plugin/tables/metrics.hpp"

namespace selvedge {
namespace {

using nlohmann::ordered_json;

constexpr unsigned kNamed = 4;     // hosts of a list; the others are counted
constexpr unsigned kThoughts = 3;  // of one order, until the tables keep still

/// Hosts that `after` leaves without a cable though `before` gave them one.
std::string cut_off(const Fabric& before, const Fabric& after) {
  std::string text;
  unsigned count = 0;
  for (HostId h = 0; h < before.num_hosts(); ++h) {
    if (!before.attached(h) || after.attached(h)) continue;
    if (++count <= kNamed) text += (text.empty() ? "" : ", ") + host_label(before, h);
  }
  if (count > kNamed) text += fmt::format(" and {} more", count - kNamed);
  return text;
}

/// What is to be drained: what is in use still, and all of it by the names that are kept.
struct Wanted {
  Fault in_use;
  std::vector<std::string> names;
};

/// A cable that is down or held is not in the plan's fabric; it may be in that of the last plan
/// which missed nothing.
Wanted find_wanted(const Plan& plan, const std::vector<std::string>& words) {
  Wanted wanted;
  for (const std::string& word : words) {
    const Fabric* fabric = &plan.fabric;
    Fault fault;
    try {
      fault = parse_fault(*fabric, {word});
    } catch (const InputError&) {
      if (!plan.whole) throw;
      fabric = &plan.whole->fabric;
      fault = parse_fault(*fabric, {word});
    }
    const std::vector<std::string> names = OutOfService::names_of(*fabric, fault);
    wanted.names.insert(wanted.names.end(), names.begin(), names.end());
    if (fabric != &plan.fabric) continue;
    std::erase_if(fault.switches, [&](SwitchId s) { return fabric->node(s).failed; });
    auto& all = wanted.in_use;
    all.links.insert(all.links.end(), fault.links.begin(), fault.links.end());
    all.switches.insert(all.switches.end(), fault.switches.begin(), fault.switches.end());
  }
  return wanted;
}

/// What a step cost: the same of every order that writes.
template <class Step>
void add_figures(const Step& step, ordered_json& done) {
  done["entries"] = step.delta.lft.size();
  done["blocks"] = step.confirmed.blocks.size();
  done["readdressed"] = step.readdressed;
  done["confirmed"] = step.all_confirmed;
  done["compute_ms"] = step.after->steps.compute_ms;
  done["prove_ms"] = step.after->steps.prove_ms;
  done["send_ms"] = step.send_ms;
}

}  // namespace

std::string FastPath::obey(const Order& order) {
  switch (order.kind) {
    case Order::Kind::kDrain:
      return drain(order.words);
    case Order::Kind::kUndrain:
      return undrain(order.words);
    case Order::Kind::kReroute:
      return reroute(order.words.empty() ? "" : order.words.front());
    case Order::Kind::kShorten:
      return shorten();
  }
  return "";
}

/// Makes a thought of the tables in force and has it carried through; once more if a fault or a
/// sweep has changed them meanwhile.
template <class Think>
FastPath::Thought FastPath::settle(Think think) {
  for (unsigned tries = 0; tries < kThoughts; ++tries) {
    const std::shared_ptr<const Plan> plan = border_.plan_in_force();
    std::unique_ptr<Ready> ready = plan && !lacks_agent_ ? prepare(plan) : nullptr;
    if (!ready)
      throw EnvironmentError("there are no tables of ours to change, or no SMP agent",
                             "opensm's log", "see what the plugin says there");
    Thought thought = think(std::move(ready));
    if (thought.step.after)
      choose_order(thought.step);
    else
      thought.step.before = plan;
    hand_over(thought);
    if (thought.fate == Thought::Fate::kSent) return thought;
    if (thought.fate == Thought::Fate::kRefused) break;
    border_.log(false, "fast path: the tables have changed while an order was thought out");
  }
  throw EnvironmentError("a sweep came between, or must come first", "opensm", "order it again");
}

/// From one plan to another for the same fabric, not proved yet.
FastPath::Step FastPath::replace(const Ready& ready, Plan plan) {
  Step step;
  step.before = ready.plan;
  step.after = std::make_shared<Plan>(std::move(plan));
  if (step.before->guarded) add_guard(*step.after, &step.before->tables.sl2vl);
  step.delta = difference(step.before->tables, step.after->tables);
  return step;
}

/// Repairs keep what works, and so tables drift away from what the engine would make of the fabric
/// as it is. When that shows, they are replaced as a whole, in a proved order.
std::string FastPath::shorten() {
  double longer = 0;
  const Thought done = settle([&](std::unique_ptr<Ready> ready) {
    const Plan& before = *ready->plan;
    Thought thought;
    Plan fresh = border_.compute(before.engine, before.fabric);
    const double mean_now = measure(before.fabric, before.tables).path_length_mean;
    const double mean = measure(fresh.fabric, fresh.tables).path_length_mean;
    longer = mean > 0 ? (mean_now / mean - 1) * 100 : 0;
    if (longer <= border_.drift().percent) return thought;
    fresh.outcome = Outcome::kRepaired;
    fresh.whole = before.whole;  // what comes back brings its paths back
    Step step = replace(*ready, std::move(fresh));
    step.method = "computed anew";
    if (!prove(*ready, step)) return thought;
    thought.ready = prepare(step.after);
    thought.step = std::move(step);
    return thought;
  });
  if (!done.step.after) return "";
  border_.log(false,
              fmt::format("repaired paths had become {:.1f} % longer than fresh ones: {} LFT "
                          "entries changed, sent {}",
                          longer, done.step.delta.lft.size(), name_of(done.step.sent.method)));
  return "";
}

/// The component still works while traffic is moved off it. Sweeps leave it out from now on. What
/// is out already only has its name kept: it is not used again when it comes back.
std::string FastPath::drain(const std::vector<std::string>& words) {
  const std::string what = fmt::format("{}", fmt::join(words, ", "));
  const Thought done = settle([&](std::unique_ptr<Ready> ready) {
    const Plan& before = *ready->plan;
    const auto [fault, names] = find_wanted(before, words);
    Thought thought;
    thought.drained = names;
    if (fault.empty()) return thought;
    const Fabric left = without(before.fabric, fault);
    if (const std::string hosts = cut_off(before.fabric, left); !hosts.empty())
      throw InputError("hosts would be cut off", hosts,
                       "drain the cables between switches instead, or move the hosts first");
    Step step = take_out(*ready, fault);
    step.lossless = true;
    if (!prove(*ready, step))
      throw InputError("no proved tables go without it", what,
                       "nothing was changed; drain less, or put something back first");
    if (step.after->verdict.disconnected > before.verdict.disconnected)
      throw InputError("the fabric would fall apart", what, "put back first what else is missing");
    thought.step = std::move(step);
    thought.ready = std::move(ready);
    return thought;
  });
  const Step& step = done.step;
  if (!step.after) {
    border_.log(false, fmt::format("drained by order: {}: out of use already", what));
    return ordered_json{{"drained", words}, {"entries", 0}, {"confirmed", true}}.dump() + "\n";
  }
  border_.log(false, fmt::format("drained by order: {}: {} LFT entries changed ({}; sent {} in {} "
                                 "phases){}",
                                 what, step.delta.lft.size(), step.method,
                                 name_of(step.sent.method), step.sent.phases.size(),
                                 step.all_confirmed && step.lossy_lids == 0
                                     ? ", and no packet was lost by it"
                                     : ""));
  ordered_json answer{{"drained", words}};
  add_figures(step, answer);
  answer["sent"] = name_of(step.sent.method);
  answer["lossy_lids"] = step.lossy_lids;
  return answer.dump() + "\n";
}

/// What comes back is taken into use by a sweep, as a cable that was plugged in is.
std::string FastPath::undrain(const std::vector<std::string>& words) {
  const std::vector<std::string> drained = border_.drained();
  std::vector<std::string> names = words;
  if (names.empty()) names = drained;  // all
  const std::shared_ptr<const Plan> plan = border_.plan_in_force();
  const Fabric whole = !plan ? Fabric() : plan->whole ? plan->whole->fabric : plan->fabric;
  for (std::string& name : names) {
    if (std::ranges::find(drained, name) != drained.end()) continue;
    // By its name; a cable that this fabric no longer shows, by the end that is kept.
    std::vector<std::string> meant;
    try {
      meant = OutOfService::names_of(whole, parse_fault(whole, {name}));
    } catch (const InputError&) {
      const std::size_t colon = std::min(name.rfind(':'), name.size());
      if (const SwitchId s = whole.find_switch(std::string_view(name).substr(0, colon));
          s != kNoSwitch)
        meant = {OutOfService::switch_name(whole, s) + name.substr(colon)};
    }
    const auto found = std::ranges::find_if(meant, [&](const std::string& m) {
      return std::ranges::find(drained, m) != drained.end();
    });
    if (found == meant.end())
      throw InputError(
          "it is not drained", name,
          drained.empty() ? "nothing is" : fmt::format("drained: {}", fmt::join(drained, ", ")));
    name = *found;
  }
  border_.undrain(names);
  border_.ask_for_sweep();
  return ordered_json{{"undrained", names}}.dump() + "\n";
}

std::string FastPath::reroute(const std::string& engine) {
  const Thought done = settle([&](std::unique_ptr<Ready> ready) {
    Step step = replace(*ready, border_.compute(engine, ready->plan->fabric));
    step.method = "another engine";
    for (const SlChange& change : step.delta.sl) step.readdressed += change.before != change.after;
    if (!prove(*ready, step))
      throw InputError("its tables could not be proved", engine, "nothing was changed");
    Thought thought;
    thought.ready = prepare(step.after);
    thought.step = std::move(step);
    thought.engine = engine;
    return thought;
  });
  const Step& step = done.step;
  border_.log(false, fmt::format("rerouted by order: {} to {}: {} LFT entries changed; "
                                 "routing_engine in opensm.conf decides after a restart",
                                 step.before->engine, engine, step.delta.lft.size()));
  ordered_json answer{{"engine", engine}, {"was", step.before->engine}};
  add_figures(step, answer);
  answer["sl2vl_rows"] = step.confirmed.rows.size();
  return answer.dump() + "\n";
}

}  // namespace selvedge
