// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The order in which a transition writes to the switches of a drawn fabric (drawing.hpp), as text
// with a line for each LFT block:
//
//   downstream                    the method
//   1 install                     a phase: its writes may arrive in any order
//     A: B by C, D by C           at A, the entries for the hosts of B and D now lead to C
//   2 install, after a drain
//     B: D taken out              255
//   3 permit
//     B: from A to C on VL 0      an SL2VL row; "dropped" is VL 15
//   4 add group ports
//     B: the group sends to A, C  the ports to switches after the write
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "plugin/transition/order.hpp"
#include "tests/support/drawing.hpp"

namespace selvedge::test {

/// The text of a plan. Entries for switches' own LIDs are left out, as in Drawing::table().
inline std::string order(const Drawing& drawing, const SendPlan& plan) {
  const auto vl = [](const Sl2VlRow& row) -> std::string {
    if (std::ranges::any_of(row, [&](Vl v) { return v != row[0]; })) return "on several VLs";
    return row[0] == kDropVl ? "dropped" : fmt::format("on VL {}", unsigned{row[0]});
  };
  std::string text = std::string(name_of(plan.method)) + "\n";
  unsigned number = 0;
  for (const SendPhase& phase : plan.phases) {
    text += fmt::format("{} {}{}\n", ++number, name_of(phase.kind),
                        phase.drain_first ? ", after a drain" : "");
    for (const Sl2VlChange& c : phase.sl2vl)
      text += fmt::format("  {}: from {} to {} {}\n", drawing.fabric().node(c.at).name,
                          drawing.beyond(c.at, c.in), drawing.beyond(c.at, c.out), vl(c.after));
    for (const MftChange& c : phase.mft) {
      std::string to;
      for (const Channel out : drawing.fabric().out(c.at))
        if (c.after.test(drawing.fabric().port_of(out)))
          to += (to.empty() ? "" : ", ") + drawing.beyond(c.at, drawing.fabric().port_of(out));
      text += fmt::format("  {}: the group sends to {}\n", drawing.fabric().node(c.at).name,
                          to.empty() ? "no switch" : to);
    }
    for (const LftBlock& b : phase.blocks) {
      std::string entries;
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i) {
        const LftChange& c = phase.lft[i];
        const LidOwner owner = drawing.fabric().owner(c.dlid);
        if (owner.kind != LidOwner::Kind::kHost) continue;
        entries += entries.empty() ? " " : ", ";
        entries += drawing.fabric().node(drawing.fabric().host(owner.id).at).name;
        entries += c.after == kNoPort ? " taken out" : " by " + drawing.beyond(c.at, c.after);
      }
      if (!entries.empty())
        text += fmt::format("  {}:{}\n", drawing.fabric().node(b.at).name, entries);
    }
  }
  return text;
}

}  // namespace selvedge::test
