// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/group_turns.hpp"

#include <algorithm>

namespace selvedge::transition {

std::vector<prover::Turn> GroupTurns::next_phase(const MulticastTables& groups, RowTables rows) {
  std::vector<prover::Turn> turns;
  for (const auto& [mlid, tree] : groups) {
    InFlight& packets = packets_[mlid];
    packets.ports.resize(wiring_.switches);
    packets.vls.resize(wiring_.first[wiring_.switches]);
    send(tree, rows, packets);
    turn(tree, rows, packets, turns);
  }
  return turns;
}

/// Lets packets leave by all ports of the tree. They come from hosts and from the switch itself, as
/// far as these are in the group, and from each neighbour that sends or has sent to the switch.
void GroupTurns::send(const MulticastTree& tree, RowTables rows, InFlight& packets) const {
  const auto switches = std::min<std::size_t>(wiring_.switches, tree.size());
  for (SwitchId s = 0; s < switches; ++s) packets.ports[s] |= tree[s];
  const auto enters = [&](SwitchId s, unsigned port) {
    if (!to_switch(s, port))
      return packets.ports[s][port] &&
             (port == 0 || wiring_.has_host(s, static_cast<PortNum>(port)));
    const Channel in = wiring_.incoming(wiring_.first[s] + port);
    return packets.ports[wiring_.owner[in]].test(wiring_.port(in));
  };
  for (SwitchId s = 0; s < switches; ++s) {
    if (tree[s].none()) continue;
    for (unsigned in = 0; in <= wiring_.ports(s); ++in) {
      if (!enters(s, in)) continue;
      for (unsigned out = 1; out <= wiring_.ports(s); ++out) {
        if (out == in || !tree[s][out] || !to_switch(s, out)) continue;
        for (const Sl2Vl* table : rows) {
          const Vl vl = table->row(s, static_cast<PortNum>(in), static_cast<PortNum>(out))[0];
          if (vl != kDropVl) packets.vls[wiring_.first[s] + out] |= prover::bit(vl);
        }
      }
    }
  }
}

void GroupTurns::turn(const MulticastTree& tree, RowTables rows, const InFlight& packets,
                      std::vector<prover::Turn>& turns) const {
  for (Channel c = 0; c < packets.vls.size(); ++c) {
    if (packets.vls[c] == 0) continue;
    const SwitchId at = wiring_.to[c];
    const PortNum in = wiring_.arrival[c];
    if (at >= tree.size()) continue;
    for (unsigned p = 1; p <= wiring_.ports(at); ++p) {
      if (p == in || !tree[at][p] || !to_switch(at, p)) continue;
      const auto out = static_cast<PortNum>(p);
      for (const Sl2Vl* table : rows) {
        const Vl to = table->row(at, in, out)[0];
        if (to == kDropVl) continue;
        for (Vl from = 0; from < kDropVl; ++from)
          if ((packets.vls[c] & prover::bit(from)) != 0) turns.push_back({at, in, out, from, to});
      }
    }
  }
}

}  // namespace selvedge::transition
