// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/planned_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plugin/fabric/fault.hpp"
#include "sim/engine/random.hpp"

namespace selvedge::sim {
namespace {

constexpr std::uint64_t kCutStream = 0x637574;

std::vector<Channel> cables_of(const Fabric& fabric, const Fault& fault) {
  std::vector<Channel> links = fault.links;
  for (const SwitchId s : fault.switches)
    for (unsigned port = 1; port <= fabric.node(s).ports; ++port) {
      const Channel c = fabric.channel(s, static_cast<PortNum>(port));
      if (fabric.peer(c) != kNoChannel) links.push_back(c);
    }
  for (Channel& c : links) c = std::min(c, fabric.peer(c));
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

class Plan {
 public:
  Plan(const Fabric& fabric, const TimeBase& time_base) : fabric_(fabric), time_base_(time_base) {}

  void add(const std::string& what, std::vector<Channel> links, double at_us,
           std::optional<double> restore_at_us) {
    if (restore_at_us) steps_.push_back({tick(*restore_at_us), true, what, links, 0});
    steps_.push_back({tick(at_us), false, what, std::move(links), 0});
  }
  std::vector<FaultStep> sorted() && {
    std::ranges::stable_sort(steps_, {},
                             [](const FaultStep& s) { return std::pair(s.at, s.restore); });
    count_cuts();
    return std::move(steps_);
  }
  const Fabric& fabric() const { return fabric_; }

 private:
  /// Removes from each step the cables whose state the step does not change. A cable is up when no
  /// fault cuts it.
  void count_cuts() {
    std::map<Channel, unsigned> cuts;  // by cable: number of faults that cut it now
    for (FaultStep& step : steps_) {
      const std::size_t all = step.links.size();
      std::erase_if(step.links, [&](Channel link) {
        unsigned& holding = cuts[std::min(link, fabric_.peer(link))];
        return step.restore ? --holding > 0 : holding++ > 0;
      });
      if (step.restore) step.still_down = all - step.links.size();
    }
  }
  Tick tick(double us) const { return time_base_.at(us * kNsPerUs); }

  const Fabric& fabric_;
  TimeBase time_base_;
  std::vector<FaultStep> steps_;
};

}  // namespace

std::vector<FaultStep> plan_faults(const FaultChoice& choice, const Fabric& fabric,
                                   const TimeBase& time_base) {
  Plan plan(fabric, time_base);
  for (const PlannedFault& fault : choice.cut)
    plan.add(fault.what, cables_of(fabric, parse_fault(fabric, {fault.what})), fault.at_us,
             fault.restore_at_us);
  std::vector<Channel> links(fabric.links().begin(), fabric.links().end());
  if (choice.random > links.size())
    throw InputError(fmt::format("[faults] random is {}", choice.random),
                     fmt::format("a fabric with {} cables between switches", links.size()),
                     "choose fewer");
  Stream random(choice.seed, kCutStream);
  for (unsigned i = 0; i < choice.random; ++i) {
    std::swap(links[i], links[i + random.below(static_cast<std::uint32_t>(links.size() - i))]);
    const double later_us = i * choice.apart_us;
    std::optional<double> restore_at_us = choice.restore_at_us;
    if (restore_at_us) *restore_at_us += later_us;
    plan.add(fabric.port_name(links[i]), {links[i]}, choice.at_us + later_us, restore_at_us);
  }
  return std::move(plan).sorted();
}

std::string describe_step(const FaultStep& step) {
  if (!step.restore) return "cut " + step.what;
  if (step.still_down == 0) return "restored " + step.what;
  if (step.links.empty()) return fmt::format("restored {}: another fault keeps it down", step.what);
  return fmt::format("restored {}, except {} cables that other faults keep down", step.what,
                     step.still_down);
}

}  // namespace selvedge::sim
