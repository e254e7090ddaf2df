// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The turns that packets of multicast groups make during a drain interval (safety.hpp), while ports
// of groups and SL2VL rows change. A packet that left a switch by an earlier port or row may still
// be on its way, and turn by a later one. Proved is SL 0, which groups use.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <map>
#include <vector>

#include "plugin/transition/mixed_tables_flow.hpp"
#include "plugin/verify/dependencies.hpp"

namespace selvedge::transition {

class GroupTurns {
 public:
  /// Keeps a reference to the wiring.
  explicit GroupTurns(const prover::Wiring& wiring) : wiring_(wiring) {}

  /// The turns in a phase, some of them possibly more than once: of packets that enter now, and of
  /// those that earlier phases have let in. `groups`: the ports of groups that may be in force
  /// during the phase; `rows`: likewise the SL2VL tables.
  std::vector<prover::Turn> next_phase(const MulticastTables& groups, RowTables rows);

 private:
  struct InFlight {
    MulticastTree ports;      // all ports that the group has had
    std::vector<VlMask> vls;  // per switch channel: the VLs on which packets may be
  };
  void send(const MulticastTree& tree, RowTables rows, InFlight& packets) const;
  void turn(const MulticastTree& tree, RowTables rows, const InFlight& packets,
            std::vector<prover::Turn>& turns) const;
  /// Whether the port of switch s leads to a switch.
  bool to_switch(SwitchId s, unsigned port) const {
    return port <= wiring_.ports(s) && wiring_.to[wiring_.first[s] + port] != wiring_.nowhere();
  }

  const prover::Wiring& wiring_;
  std::map<Lid, InFlight> packets_;
};

}  // namespace selvedge::transition
