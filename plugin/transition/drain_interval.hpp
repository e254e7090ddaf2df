// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A drain interval, the phases from one drain to the next, and the dependencies of all packets in
// flight during it (safety.hpp).
//
// Of this room only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plugin/transition/mixed_tables_flow.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/cycle.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::transition {

void apply_phase(Tables& tables, const SendPhase& phase);
/// Loads the LFT entries of all switches for a DLID as old and new ports. Does not change
/// `source_sls`.
void load(MixedTablesFlow::MixedEntries& entries, const Tables& tables, Lid dlid);

class DrainInterval {
 public:
  /// `first`: the tables before the plan; `before`: those in force when the interval begins. Keeps
  /// references to all arguments but `options`.
  DrainInterval(const Fabric& fabric, const Tables& first, const Tables& before,
                std::span<const SendPhase> phases, const SafetyOptions& options);

  /// The distinct SL2VL tables before, between and after the phases.
  RowTables rows() const { return distinct_; }
  /// The hosts' row: VL 15 only for SLs that hosts drop in all phases.
  const Sl2VlRow& hosts() const { return hosts_; }

  /// A cycle of the dependencies of all phases, if there is one.
  std::optional<Witness> cycle() const;
  bool acyclic() const;
  /// Of the DLIDs whose entries change: `excluded`, and those whose old and new entries, mixed,
  /// would close a cycle. (DLIDs are tried in order; each that fits is kept mixed.) nullopt if
  /// there is a cycle even with all old LFT entries.
  std::optional<std::vector<Lid>> unmixable_dlids(const std::vector<Lid>& excluded) const;

 private:
  struct TimedChange {  // an entry or a path SL that changes
    Lid dlid;
    std::uint32_t phase;
    SwitchId at;
    std::uint8_t after;
  };
  /// `rewritten`: include the changes of its entries.
  template <class F>
  void propagate(Lid dlid, bool rewritten, MixedTablesFlow& packets,
                 MixedTablesFlow::MixedEntries& entries, F f) const;
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
  std::vector<const Sl2Vl*> distinct_;  // and the table before the first
  std::vector<std::size_t> at_;         // per phase, and one past: into distinct_
  Sl2VlRow hosts_{};
  std::vector<TimedChange> entries_, sls_;  // by DLID, then phase
  std::optional<SlClasses> classes_;
};

}  // namespace selvedge::transition
