// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plugin/transition/drain_interval.hpp"
#include "plugin/transition/packets_in_flight.hpp"

namespace selvedge {
namespace {

class LossFinder {
 public:
  LossFinder(const Fabric& fabric, const Tables& from, const SendPlan& plan)
      : fabric_(fabric), plan_(plan), packets_(fabric), from_(from), to_(from) {
    for (const SendPhase& phase : plan.phases) {
      before_.push_back(to_);
      transition::apply_phase(to_, phase);
    }
  }

  Losses find() {
    std::set<Lid> dlids;
    bool rows = false;
    for (const SendPhase& phase : plan_.phases) {
      rows |= !phase.sl2vl.empty();
      for (const LftChange& c : phase.lft) dlids.insert(c.dlid);
      for (const SlChange& c : phase.sl) dlids.insert(c.dlid);
    }
    Losses found;
    const auto examine = [&](Lid dlid) {
      auto witness = find_loss(dlid);
      if (!witness) return;
      if (found.none()) found.witness = std::move(witness);
      found.lids.push_back(dlid);
    };
    if (rows)  // paths to any DLID may use an SL2VL row that changes
      for (unsigned lid = 1; lid <= from_.top_lid(); ++lid) examine(static_cast<Lid>(lid));
    else
      std::ranges::for_each(dlids, examine);
    return found;
  }

 private:
  std::optional<Witness> find_loss(Lid dlid);

  const Fabric& fabric_;
  const SendPlan& plan_;
  transition::PacketsInFlight packets_;
  const Tables& from_;
  Tables to_;
  std::vector<Tables> before_;  // the tables before each phase
};

std::optional<Witness> LossFinder::find_loss(Lid dlid) {
  packets_.start(dlid, from_, to_);
  transition::MixedTablesFlow::MixedEntries entries;
  entries.source_sls.resize(fabric_.num_switches());
  for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
    const SendPhase& phase = plan_.phases[p];
    const Tables& before = before_[p];
    const Tables& after = p + 1 < before_.size() ? before_[p + 1] : to_;
    if (phase.drain_first) packets_.drain();
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      entries.source_sls[s] = static_cast<transition::SlMask>(prover::bit(before.sl(s, dlid)) |
                                                              prover::bit(after.sl(s, dlid)));
    transition::load(entries, before, dlid);
    for (const LftChange& c : phase.lft)
      if (c.dlid == dlid) entries.new_port[c.at] = c.after;
    const Sl2Vl* const both[] = {&before.sl2vl, &after.sl2vl};
    const auto rows = std::span(both).first(phase.sl2vl.empty() ? 1 : 2);
    Witness w;
    w.kind = Witness::Kind::kDropped;
    w.property = "loses_nothing";
    w.dlid = dlid;
    if (const auto drop = packets_.propagate(entries, rows)) {
      w.text = fmt::format(
          "LID {} during phase {}: a packet with SL {} that arrives at {}:{} has no route onward",
          dlid, p + 1, drop->sl, fabric_.node(drop->at).name, drop->in);
      return w;
    }
    if (const auto loop_switch = packets_.find_loop(entries)) {
      w.kind = Witness::Kind::kLoop;
      w.text = fmt::format("LID {} during phase {}: a packet may loop back to {}", dlid, p + 1,
                           fabric_.node(*loop_switch).name);
      return w;
    }
  }
  return std::nullopt;
}

}  // namespace

Losses losses(const Fabric& fabric, const Tables& from, const SendPlan& plan) {
  return LossFinder(fabric, from, plan).find();
}

}  // namespace selvedge
