// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/lft_independent_deadlock_check.hpp"

#include <fmt/format.h>

#include <utility>

#include "plugin/transition/mixed_tables_flow.hpp"
#include "plugin/verify/cycle.hpp"

namespace selvedge {
namespace {

using prover::bit;
using prover::SlMask;
using prover::VlMask;
using transition::RowTables;
using transition::SlClasses;

class SlVlPropagation {
 public:
  SlVlPropagation(const Fabric& fabric, RowTables sl2vl, const SlClasses& classes)
      : fabric_(fabric),
        sl2vl_(sl2vl),
        classes_(classes),
        vls_(std::size_t{fabric.num_switch_channels()} * kSls, 0) {}

  void run() {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      for (const Channel out : fabric_.out(s)) {
        enter(s, 0, out, classes_.every);
        for (const HostId h : fabric_.hosts_at(s))
          enter(s, fabric_.host(h).port, out, classes_.from_hosts);
      }
    }
    while (!open_.empty()) {
      const Channel c = open_.back();
      open_.pop_back();
      SlMask on = 0;
      for (unsigned sl = 0; sl < kSls; ++sl)
        if (vls_[c * std::size_t{kSls} + sl] != 0) on |= bit(sl);
      const SwitchId at = fabric_.target(c);
      for (const Channel out : fabric_.out(at))
        enter(at, fabric_.port_of(fabric_.peer(c)), out, on);
    }
  }

  template <class F>
  void each_turn(F f) const {
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (const Channel back : fabric_.out(s))
        for (const Channel out : fabric_.out(s)) each_turn(fabric_.peer(back), s, out, f);
  }

 private:
  /// Adds the SLs of packets that arrive by port `in` to channel `out`, on their VLs. The channel
  /// is visited again only if an SL is new there, because a packet's next VL does not depend on its
  /// present one.
  void enter(SwitchId s, PortNum in, Channel out, SlMask sls) {
    bool fresh = false;
    for (unsigned sl = 0; sl < kSls; ++sl) {
      if (!(sls & bit(sl))) continue;
      VlMask& on = vls_[out * std::size_t{kSls} + sl];
      const VlMask before = on;
      for (const Sl2Vl* rows : sl2vl_) {
        const Vl vl = rows->row(s, in, fabric_.port_of(out))[sl];
        if (vl < kDropVl) on |= bit(vl);
      }
      fresh |= before == 0 && on != 0;
    }
    if (fresh) open_.push_back(out);
  }
  template <class F>
  void each_turn(Channel c, SwitchId s, Channel out, F f) const {
    const PortNum in = fabric_.port_of(fabric_.peer(c)), to = fabric_.port_of(out);
    for (unsigned sl = 0; sl < kSls; ++sl) {
      const VlMask on = vls_[c * std::size_t{kSls} + sl];
      if (on == 0) continue;
      for (const Sl2Vl* rows : sl2vl_) {
        const Vl vl = rows->row(s, in, to)[sl];
        if (vl >= kDropVl) continue;
        for (unsigned from = 0; from < kMaxDataVls; ++from)
          if (on & bit(from)) f(prover::Turn{s, in, to, static_cast<Vl>(from), vl});
      }
    }
  }

  const Fabric& fabric_;
  const RowTables sl2vl_;
  const SlClasses& classes_;
  std::vector<VlMask> vls_;  // [channel][SL class]: the VLs on which packets can be
  std::vector<Channel> open_;
};

}  // namespace

std::optional<Witness> cycle_of(const Fabric& fabric, const std::string& property,
                                const prover::Wiring& wiring,
                                const prover::Dependencies& dependencies) {
  if (prover::TopologicalOrder().build(wiring, dependencies)) return std::nullopt;
  Witness w;
  w.kind = Witness::Kind::kCycle;
  w.property = property;
  const auto cycles = prover::short_cycles(wiring, dependencies, 1);
  for (const prover::VirtualChannel& vc : cycles.front()) {
    w.channels.push_back(vc.channel);
    w.vls.push_back(vc.vl);
    w.text += fmt::format("{} VL{} -> ", fabric.port_name(vc.channel), vc.vl);
  }
  w.text += fmt::format("{} VL{}", fabric.port_name(w.channels.front()), w.vls.front());
  return w;
}

std::optional<Witness> lft_independent_cycle(const Fabric& fabric,
                                             std::span<const Sl2Vl* const> sl2vl,
                                             const Sl2VlRow& host_sl2vl) {
  const SlClasses classes(sl2vl, host_sl2vl, fabric.num_switches());
  SlVlPropagation propagation(fabric, sl2vl, classes);
  propagation.run();
  const prover::Wiring wiring(fabric);
  prover::Dependencies dependencies(wiring, classes.vls);
  propagation.each_turn([&](const prover::Turn& t) {
    const auto cell = dependencies.cell(t);
    if (!dependencies.has(cell)) dependencies.add(cell);
  });
  return cycle_of(fabric, "deadlock_free_any_lfts", wiring, dependencies);
}

}  // namespace selvedge
