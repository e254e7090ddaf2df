// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the sources that may have lost or gained a path by a change, and checks their paths.
// Whether a packet arrives changes only if the first changed switch on its path treats it
// differently. So changed switches are compared first: from which of them do packets arrive on
// other SLs than before? Upstream of each of these, the paths of all sources are walked again, with
// the old and the new tables.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <utility>
#include <vector>

#include "plugin/verify/change.hpp"
#include "plugin/verify/revise_flow.hpp"

namespace selvedge::prover {

class ReachRevision {
 public:
  ReachRevision(Proof::State& state, const Fabric& fabric, const Change& change);

  /// Notes the sources that must be checked again. Returns whether the LFTs now loop from a changed
  /// switch.
  bool note(Lid dlid, std::span<const ChangedEntry> changed_entries);
  /// Checks the noted sources and updates the counts.
  void finish();

 private:
  /// For each switch in `known`, the SLs on which packets that leave it arrive.
  struct Memo {
    explicit Memo(std::uint32_t switches) : known(switches), mask(switches, 0) {}
    SwitchSet known;
    std::vector<SlMask> mask;
  };
  using Pair = std::pair<std::uint32_t, SwitchId>;  // destination, switch of the sources

  SlMask outcome(const View& view, Memo& memo, SwitchId s, Lid dlid);
  bool differs(SwitchId s, Lid dlid);
  bool none_failed(Lid dlid) const;
  void note_upstream(SwitchId s, Lid dlid);
  void note_source(SwitchId s, Lid dlid);
  void note_moved();
  bool fails(const View& view, HostId source, SwitchId at, std::uint32_t destination) const;
  bool drops_reply(const View& view, Scope scope, HostId replier, SwitchId at, Lid dlid) const;
  bool attached_at(const View& view, HostId host, SwitchId at) const {
    return view.wiring->host_at[host] == at;
  }
  template <class F>
  void each_host(SwitchId s, F f) const;
  std::uint32_t switch_destination(SwitchId s) const { return fabric_.num_hosts() + s; }

  Proof::State& state_;
  const Fabric& fabric_;
  const Change& change_;
  Memo before_, after_;
  SwitchSet changed_;   // switches changed by LFT, cable or SL2VL, for the current DLID
  SwitchSet upstream_;  // switches noted for the current DLID
  std::vector<SwitchId> trail_, stack_;
  bool loop_ = false;
  std::vector<Pair> sources_;  // the destination is a host id, or num_hosts() + a switch id
  std::vector<Pair> replies_;  // the destination is a LID here
};

}  // namespace selvedge::prover
