// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes where packets for one DLID can be while entries and rows have their old or new value,
// and whether one of them is lost (losses.hpp). Of the VLs only 15 matters here.
//
// Of this room only.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/transition/mixture.hpp"

namespace selvedge::transition {

class Transit {
 public:
  /// Keeps a reference to `fabric`.
  explicit Transit(const Fabric& fabric);

  /// Starts with a DLID. Sources are port 0 and the host ports of each switch. Of each source those
  /// SLs count on which packets arrive with `from` and with `to`.
  void begin(Lid dlid, const Tables& from, const Tables& to);
  /// Removes all packets in flight.
  void drain();

  struct Lost {
    SwitchId at;
    PortNum in;
    Sl sl;
  };
  /// Lets packets enter (with any SL of `entries.own` at their source) and advance, together with
  /// those of earlier calls, by either entry and any of the rows. Returns one that is lost, if any.
  std::optional<Lost> flow(const Mixture::Entries& entries, RowTables sl2vl);
  /// After flow() with the same entries has lost none: a switch to which a packet in flight can
  /// return, by a mixture of the entries.
  std::optional<SwitchId> circle(const Mixture::Entries& entries);

 private:
  struct Source {
    SwitchId at;
    PortNum in;
    SlMask sls;
  };
  SlMask passing(SwitchId s, PortNum in, const Tables& tables) const;
  void follow(const Tables& tables, std::vector<SlMask>& onward);
  std::optional<Lost> move(SwitchId at, PortNum in, SlMask sls, const Mixture::Entries& entries,
                           RowTables sl2vl);

  const Fabric& fabric_;
  Lid dlid_ = kNoLid;
  SwitchId home_ = kNoSwitch;
  PortNum last_ = kNoPort;  // the port out of it
  std::vector<Source> sources_;
  std::vector<SlMask> on_;  // per channel: SLs of packets that may be there
  std::vector<Channel> touched_, open_;
  std::vector<std::uint8_t> waiting_;          // per channel
  std::array<std::vector<SlMask>, 2> onward_;  // per switch, for begin()
  std::vector<std::uint8_t> state_, tried_;    // per switch, for begin() and circle()
  std::vector<SwitchId> path_;
};

}  // namespace selvedge::transition
