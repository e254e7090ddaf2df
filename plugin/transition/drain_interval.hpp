// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The phases from one drain to the next, and the dependencies of all packets that are under way
// during them (safety.hpp).
//
// Of this room only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/transition/mixture.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/cycle.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::transition {

void apply_phase(Tables& tables, const SendPhase& phase);
/// The entries of all switches for a DLID, one each. `own` is not touched.
void load(Mixture::Entries& entries, const Tables& tables, Lid dlid);

class DrainInterval {
 public:
  /// `first`: the tables before the plan; `before`: those in force when the interval begins. Refers
  /// to all of them, and to the phases.
  DrainInterval(const Fabric& fabric, const Tables& first, const Tables& before,
                std::span<const SendPhase> phases, const SafetyOptions& options);

  /// The SL2VL tables between the phases, each once.
  RowTables rows() const { return distinct_; }
  /// VL 15 only for SLs that hosts drop throughout.
  const Sl2VlRow& hosts() const { return hosts_; }

  /// A cycle of all the dependencies, if there is one.
  std::optional<Witness> cycle() const;
  bool acyclic() const;
  /// Of the DLIDs whose entries change: `surely`, and those that can't be mixed too without a cycle
  /// (the first that fit are mixed). Nothing if there is a cycle with all of them as they were.
  std::optional<std::vector<Lid>> not_to_mix(const std::vector<Lid>& surely) const;

 private:
  struct Mark {  // an entry or a path SL that changes
    Lid dlid;
    std::uint32_t phase;
    SwitchId at;
    std::uint8_t after;
  };
  /// `rewritten`: do its entries change?
  template <class F>
  void flow(Lid dlid, bool rewritten, Mixture& mixture, Mixture::Entries& entries, F f) const;
  void collect(bool rewritten, const prover::Wiring& wiring,
               prover::Dependencies& dependencies) const;
  template <class F>
  void each_group_turn(const prover::Wiring& wiring, F f) const;
  RowTables rows_of(std::size_t phase) const {
    const std::size_t changes = at_[phase + 1] == at_[phase] ? 1 : 2;
    return {distinct_.data() + at_[phase], changes};
  }

  const Fabric& fabric_;
  const Tables &first_, &before_;
  const std::span<const SendPhase> phases_;
  const SafetyOptions options_;
  std::vector<Sl2Vl> later_;            // after each phase that changes rows
  std::vector<const Sl2Vl*> distinct_;  // and those before the first
  std::vector<std::size_t> at_;         // per phase, and one past: into distinct_
  Sl2VlRow hosts_{};
  std::vector<Mark> entries_, sls_;  // by DLID, then phase
  std::optional<SlClasses> classes_;
};

}  // namespace selvedge::transition
