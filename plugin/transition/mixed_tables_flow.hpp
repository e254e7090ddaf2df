// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes on which channels and VLs packets for one DLID can be while each LFT entry and SL2VL row
// has its old or its new value, and which turns these packets make (safety.hpp).
//
// Private to this folder: only its own files include this header.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/dependencies.hpp"
#include "plugin/verify/sl_rules.hpp"

namespace selvedge::transition {

using prover::SlMask;
using prover::VlMask;
using RowTables = std::span<const Sl2Vl* const>;

/// Classes of SLs. Two SLs are in one class if every row of several given SL2VL tables maps them to
/// equal VLs. The lowest SL stands for its class.
struct SlClasses {
  SlClasses(RowTables sl2vl, const Sl2VlRow& hosts, std::uint32_t switches);

  SlMask representative(Sl sl) const { return prover::bit(lowest[sl]); }

  std::array<Sl, kSls> lowest{};  // per SL: the lowest SL of its class
  SlMask every = 0;               // all classes, as bits of their lowest SLs
  SlMask from_hosts = 0;          // the classes that hosts do not drop
  unsigned vls = 1;               // 1 + the highest VL in the tables
};

class MixedTablesFlow {
 public:
  /// Keeps references to both arguments.
  MixedTablesFlow(const Fabric& fabric, const SlClasses& classes);

  /// Removes all packets.
  void clear();

  /// The LFT entries of all switches for one DLID during a phase. Per switch: the port before and
  /// the port after the phase (equal if the entry does not change), and the SL classes of packets
  /// that enter there.
  struct MixedEntries {
    std::vector<PortNum> old_port, new_port;
    std::vector<SlMask> source_sls;
  };
  /// Lets packets enter at all switches. These, and the packets of earlier calls, then advance by
  /// either port of each entry and any of the SL2VL tables. Calls f(prover::Turn) for each turn
  /// that they make, possibly more than once.
  template <class F>
  void propagate(const MixedEntries& entries, RowTables sl2vl, F f) {
    for (const Channel c : touched_) mark(c);
    enter_sources(entries, sl2vl);
    while (!open_.empty()) {
      const Channel c = open_.back();
      open_.pop_back();
      waiting_[c] = false;
      const SwitchId at = fabric_.target(c);
      advance(c, at, entries.old_port[at], sl2vl, f);
      if (entries.new_port[at] != entries.old_port[at])
        advance(c, at, entries.new_port[at], sl2vl, f);
    }
  }

 private:
  /// The channel to another switch at a port; kNoChannel if there is none.
  Channel next_channel(SwitchId at, PortNum port) const {
    if (port > fabric_.node(at).ports) return kNoChannel;
    const Channel c = fabric_.channel(at, port);
    return fabric_.between_switches(c) ? c : kNoChannel;
  }
  void mark(Channel c) {
    if (waiting_[c]) return;
    waiting_[c] = true;
    open_.push_back(c);
  }
  void put(Channel c, unsigned sl, Vl vl) {
    VlMask& vls = vls_[c * std::size_t{kSls} + sl];
    if ((vls >> vl) & 1) return;
    vls |= prover::bit(vl);
    if (!seen_[c]) {
      seen_[c] = true;
      touched_.push_back(c);
    }
    mark(c);
  }
  void enter_sources(const MixedEntries& entries, RowTables sl2vl);
  void put_all(SlMask sls, const Sl2VlRow& row, Channel out);
  template <class F>
  void advance(Channel c, SwitchId at, PortNum port, RowTables sl2vl, F f) {
    const Channel out = next_channel(at, port);
    if (out == kNoChannel) return;
    const PortNum in = fabric_.port_of(fabric_.peer(c));
    for (SlMask rest = classes_.every; rest != 0; rest &= static_cast<SlMask>(rest - 1)) {
      const auto sl = static_cast<unsigned>(std::countr_zero(rest));
      const VlMask on = vls_[c * std::size_t{kSls} + sl];
      if (on == 0) continue;
      for (const Sl2Vl* rows : sl2vl) {
        const Vl to = rows->row(at, in, port)[sl];
        if (to >= kDropVl) continue;
        for (VlMask vls = on; vls != 0; vls &= static_cast<VlMask>(vls - 1))
          f(prover::Turn{at, in, port, static_cast<Vl>(std::countr_zero(vls)), to});
        put(out, sl, to);
      }
    }
  }

  const Fabric& fabric_;
  const SlClasses& classes_;
  std::vector<VlMask> vls_;  // [channel][SL class]: the VLs on which packets can be
  std::vector<bool> seen_, waiting_;
  std::vector<Channel> touched_, open_;
};

}  // namespace selvedge::transition
