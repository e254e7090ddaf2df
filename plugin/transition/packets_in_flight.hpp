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
#include "plugin/transition/mixed_tables_flow.hpp"

namespace selvedge::transition {

class PacketsInFlight {
 public:
  /// Keeps a reference to `fabric`.
  explicit PacketsInFlight(const Fabric& fabric);

  /// Starts with a DLID. Sources are port 0 and the host ports of each switch. Of each source those
  /// SLs count on which packets arrive with `from` and with `to`.
  void start(Lid dlid, const Tables& from, const Tables& to);
  /// Removes all packets in flight.
  void drain();

  struct Lost {
    SwitchId at;
    PortNum in;
    Sl sl;
  };
  /// Lets packets enter (with any SL of `entries.source_sls` at their source) and advance, together
  /// with those of earlier calls, by either entry and any of the rows. Returns one that is lost, if
  /// any.
  std::optional<Lost> propagate(const MixedTablesFlow::MixedEntries& entries, RowTables sl2vl);
  /// After propagate() with the same entries has lost none: a switch to which a packet in flight
  /// can return, by a mixture of the entries.
  std::optional<SwitchId> find_loop(const MixedTablesFlow::MixedEntries& entries);

 private:
  struct Source {
    SwitchId at;
    PortNum in;
    SlMask sls;
  };
  SlMask passing(SwitchId s, PortNum in, const Tables& tables) const;
  void compute_arriving_sls(const Tables& tables, std::vector<SlMask>& arriving_sls);
  std::optional<Lost> advance(SwitchId at, PortNum in, SlMask sls,
                              const MixedTablesFlow::MixedEntries& entries, RowTables sl2vl);

  const Fabric& fabric_;
  Lid dlid_ = kNoLid;
  SwitchId destination_switch_ = kNoSwitch;
  PortNum delivery_port_ = kNoPort;  // the port out of it
  std::vector<Source> sources_;
  std::vector<SlMask> on_;  // per channel: SLs of packets that may be there
  std::vector<Channel> touched_, open_;
  std::vector<std::uint8_t> waiting_;                // per channel
  std::array<std::vector<SlMask>, 2> arriving_sls_;  // per switch, for start()
  std::vector<std::uint8_t> state_, tried_;          // per switch, for start() and find_loop()
  std::vector<SwitchId> path_;
};

}  // namespace selvedge::transition
