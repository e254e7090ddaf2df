// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/packets_in_flight.hpp"

#include <algorithm>
#include <bit>

namespace selvedge::transition {

PacketsInFlight::PacketsInFlight(const Fabric& fabric)
    : fabric_(fabric),
      on_(fabric.num_switch_channels(), 0),
      waiting_(fabric.num_switch_channels(), 0),
      arriving_sls_{std::vector<SlMask>(fabric.num_switches()),
                    std::vector<SlMask>(fabric.num_switches())},
      state_(fabric.num_switches(), 0),
      tried_(fabric.num_switches(), 0) {}

void PacketsInFlight::start(Lid dlid, const Tables& from, const Tables& to) {
  drain();
  dlid_ = dlid;
  destination_switch_ = fabric_.destination_switch(dlid);
  const LidOwner owner = fabric_.owner(dlid);
  delivery_port_ = owner.kind == LidOwner::Kind::kHost && fabric_.attached(owner.id)
                       ? fabric_.host(owner.id).port
                   : owner.kind == LidOwner::Kind::kSwitch ? PortNum{0}
                                                           : kNoPort;
  sources_.clear();
  if (delivery_port_ == kNoPort) return;
  const Tables* const both[] = {&from, &to};
  for (unsigned i = 0; i < 2; ++i) compute_arriving_sls(*both[i], arriving_sls_[i]);
  const auto add = [&](SwitchId s, PortNum in, SlMask sls) {
    for (unsigned i = 0; i < 2; ++i)
      if (sls &= arriving_sls_[i][s]; sls != 0) sls &= passing(s, in, *both[i]);
    if (sls != 0) sources_.push_back({s, in, sls});
  };
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    add(s, 0, prover::kAllSls);
    for (const HostId h : fabric_.hosts_at(s)) {
      SlMask sent = 0;  // SLs that the host's own SL2VL table does not drop
      for (unsigned sl = 0; sl < kSls; ++sl)
        if (from.host_sl2vl[sl] < kDropVl && to.host_sl2vl[sl] < kDropVl)
          sent |= prover::bit(static_cast<Sl>(sl));
      if (sent != 0) add(s, fabric_.host(h).port, sent);
    }
  }
}

void PacketsInFlight::drain() {
  for (const Channel c : touched_) on_[c] = 0;
  touched_.clear();
}

/// The SLs of packets that may pass switch s after arriving by port `in`: the SL2VL row to the port
/// of the DLID's entry does not drop them. The switch must have an entry.
SlMask PacketsInFlight::passing(SwitchId s, PortNum in, const Tables& tables) const {
  const Sl2VlRow& row = tables.sl2vl.row(s, in, tables.next(s, dlid_));
  SlMask sls = 0;
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (row[sl] < kDropVl) sls |= prover::bit(static_cast<Sl>(sl));
  return sls;
}

/// Sets `arriving_sls` per switch: the SLs on which packets that leave the switch by its entry
/// arrive at the destination.
void PacketsInFlight::compute_arriving_sls(const Tables& tables,
                                           std::vector<SlMask>& arriving_sls) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::ranges::fill(state_, kNew);
  for (SwitchId first = 0; first < fabric_.num_switches(); ++first) {
    path_.clear();
    SwitchId s = first;
    for (; state_[s] == kNew; s = fabric_.target(fabric_.channel(s, tables.next(s, dlid_)))) {
      state_[s] = kOpen;
      path_.push_back(s);
      const PortNum out = tables.next(s, dlid_);
      const bool delivered = s == destination_switch_ && out == delivery_port_;
      if (delivered || out > fabric_.node(s).ports ||
          !fabric_.between_switches(fabric_.channel(s, out))) {
        arriving_sls[s] = delivered ? prover::kAllSls : SlMask{0};
        state_[s] = kDone;
        path_.pop_back();
        break;
      }
    }
    if (state_[s] == kOpen) arriving_sls[s] = 0;  // the entries loop
    for (; !path_.empty(); path_.pop_back()) {
      const SwitchId before = path_.back();
      const Channel c = fabric_.channel(before, tables.next(before, dlid_));
      arriving_sls[before] = arriving_sls[s];
      if (arriving_sls[s] != 0)
        arriving_sls[before] &= passing(s, fabric_.port_of(fabric_.peer(c)), tables);
      state_[before] = kDone;
      s = before;
    }
  }
}

/// Advances packets that arrive at a switch by port `in` with the SLs `sls`: over its old and its
/// new entry and all rows. Returns a packet that is lost, if any.
std::optional<PacketsInFlight::Lost> PacketsInFlight::advance(
    SwitchId at, PortNum in, SlMask sls, const MixedTablesFlow::MixedEntries& entries,
    RowTables sl2vl) {
  for (const PortNum out : {entries.old_port[at], entries.new_port[at]}) {
    const auto lost = [&] { return Lost{at, in, static_cast<Sl>(std::countr_zero(sls))}; };
    if (out > fabric_.node(at).ports) return lost();
    for (const Sl2Vl* rows : sl2vl) {
      const Sl2VlRow& row = rows->row(at, in, out);
      for (SlMask rest = sls; rest != 0; rest &= static_cast<SlMask>(rest - 1))
        if (row[static_cast<unsigned>(std::countr_zero(rest))] >= kDropVl) {
          sls = rest;
          return lost();
        }
    }
    if (at == destination_switch_ && out == delivery_port_) continue;
    const Channel c = fabric_.channel(at, out);
    if (!fabric_.between_switches(c)) return lost();
    if ((sls & ~on_[c]) == 0) continue;
    if (on_[c] == 0) touched_.push_back(c);
    on_[c] |= sls;
    if (waiting_[c] == 0) open_.push_back(c);
    waiting_[c] = 1;
  }
  return std::nullopt;
}

std::optional<PacketsInFlight::Lost> PacketsInFlight::propagate(
    const MixedTablesFlow::MixedEntries& entries, RowTables sl2vl) {
  std::optional<Lost> lost;
  open_ = touched_;
  for (const Channel c : open_) waiting_[c] = 1;
  for (const Source& s : sources_)
    if (const auto sls = static_cast<SlMask>(s.sls & entries.source_sls[s.at]); sls != 0 && !lost)
      lost = advance(s.at, s.in, sls, entries, sl2vl);
  while (!open_.empty()) {
    const Channel c = open_.back();
    open_.pop_back();
    waiting_[c] = 0;
    if (!lost)
      lost = advance(fabric_.target(c), fabric_.port_of(fabric_.peer(c)), on_[c], entries, sl2vl);
  }
  return lost;
}

std::optional<SwitchId> PacketsInFlight::find_loop(const MixedTablesFlow::MixedEntries& entries) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::ranges::fill(state_, kNew);
  std::ranges::fill(tried_, 0);
  const auto from = [&](SwitchId start) -> std::optional<SwitchId> {
    if (state_[start] != kNew) return std::nullopt;
    path_.assign(1, start);
    state_[start] = kOpen;
    while (!path_.empty()) {
      const SwitchId at = path_.back();
      if (tried_[at] == 2) {
        state_[at] = kDone;
        path_.pop_back();
        continue;
      }
      const PortNum out = tried_[at]++ == 0 ? entries.old_port[at] : entries.new_port[at];
      const Channel c = fabric_.channel(at, out);
      if (!fabric_.between_switches(c)) continue;  // c leads to the destination
      const SwitchId next = fabric_.target(c);
      if (state_[next] == kOpen) return next;
      if (state_[next] == kDone) continue;
      state_[next] = kOpen;
      path_.push_back(next);
    }
    return std::nullopt;
  };
  for (const Channel c : touched_)
    if (const auto round = from(fabric_.target(c))) return round;
  return std::nullopt;
}

}  // namespace selvedge::transition
