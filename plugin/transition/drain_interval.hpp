// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A drain interval consists of the phases of a send plan (order.hpp) from one drain to the next.
// Packets of all its phases may be in flight together. This header computes their dependencies, for
// the proof in safety.hpp.
//
// Private to this folder: only its own files include this header.
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
/// Sets both the old and the new port of each switch in `entries` to its LFT entry for the DLID.
/// Does not change `source_sls`.
void load(MixedTablesFlow::MixedEntries& entries, const Tables& tables, Lid dlid);

class DrainInterval {
 public:
  /// `first`: the tables before the plan; `before`: the tables when the interval begins; `phases`:
  /// the phases of the interval. Keeps references to all arguments but `options`.
  DrainInterval(const Fabric& fabric, const Tables& first, const Tables& before,
                std::span<const SendPhase> phases, const SafetyOptions& options);

  /// The distinct SL2VL tables before, between and after the phases.
  RowTables rows() const { return distinct_; }
  /// The SL2VL row of host ports, with VL 15 only for SLs that hosts drop in all phases.
  const Sl2VlRow& hosts() const { return hosts_; }

  /// A cycle in the dependencies of all phases together, if there is one.
  std::optional<Witness> cycle() const;
  bool acyclic() const;
  /// The DLIDs whose old and new LFT entries must not be used at the same time, ascending:
  /// `excluded`, and those whose mixture of entries would close a cycle. (The DLIDs that change are
  /// tried in ascending order. A DLID that closes no cycle is accepted, and its dependencies count
  /// when later DLIDs are tried.) nullopt if there is a cycle even with all old LFT entries.
  std::optional<std::vector<Lid>> unmixable_dlids(const std::vector<Lid>& excluded) const;

 private:
  struct TimedChange {  // a change of an LFT entry or of a path's SL, and the phase that makes it
    Lid dlid;
    std::uint32_t phase;
    SwitchId at;
    std::uint8_t after;
  };
  /// Calls f(prover::Turn) for the turns of all packets for the DLID during the interval.
  /// `rewritten`: whether the changes of the DLID's entries are included.
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
  std::vector<Sl2Vl> later_;            // the SL2VL tables after each phase that changes them
  std::vector<const Sl2Vl*> distinct_;  // the SL2VL tables before the interval, then later_
  std::vector<std::size_t> at_;         // index into distinct_ of the tables before each phase
  Sl2VlRow hosts_{};
  std::vector<TimedChange> entries_, sls_;  // sorted by DLID, then phase
  std::optional<SlClasses> classes_;
};

}  // namespace selvedge::transition
