// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The difference between two table sets of one fabric, as a value. A repair returns a delta, the
// verifier proves its result, and the transition sends it to the switches.
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct LftChange {
  SwitchId at;
  Lid dlid;
  PortNum before, after;
  friend bool operator==(const LftChange&, const LftChange&) = default;
};
struct SlChange {
  SwitchId source;
  Lid dlid;
  Sl before, after;
  friend bool operator==(const SlChange&, const SlChange&) = default;
};
struct Sl2VlChange {
  SwitchId at;
  PortNum in, out;
  Sl2VlRow before, after;
  friend bool operator==(const Sl2VlChange&, const Sl2VlChange&) = default;
};
struct MftChange {
  Lid mlid;
  SwitchId at;
  PortSet before, after;
  friend bool operator==(const MftChange&, const MftChange&) = default;
};

struct Delta {
  std::vector<LftChange> lft;  // sorted by switch, then by DLID
  std::vector<SlChange> sl;
  std::vector<Sl2VlChange> sl2vl;
  std::vector<MftChange> mft;
  Sl2VlRow host_sl2vl_before{}, host_sl2vl_after{};

  bool empty() const {
    return lft.empty() && sl.empty() && sl2vl.empty() && mft.empty() &&
           host_sl2vl_before == host_sl2vl_after;
  }
  friend bool operator==(const Delta&, const Delta&) = default;
};

/// The delta from one table set to another. Both must have the same switches, ports and top LID. A
/// multicast group without ports counts as absent.
Delta difference(const Tables& from, const Tables& to);
void apply(Tables& tables, const Delta& delta);
/// The delta that undoes this delta.
Delta inverse(Delta delta);

}  // namespace selvedge
