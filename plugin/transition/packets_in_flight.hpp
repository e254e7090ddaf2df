// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computes on which channels packets for one DLID can be while each LFT entry and SL2VL row has its
// old or its new value, and whether a packet can be lost (losses.hpp). The VL of a packet is not
// tracked: all that matters is whether a row maps its SL to VL 15, which drops it.
//
// Private to this folder: only its own files include this header.
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

  /// Selects a DLID and removes all packets. Sources are port 0 and the host ports of each switch.
  /// A source sends only on SLs on which its packets arrive under both tables, `from` and `to`.
  void start(Lid dlid, const Tables& from, const Tables& to);
  /// Removes all packets in flight.
  void drain();

  struct Lost {
    SwitchId at;
    PortNum in;
    Sl sl;
  };
  /// Lets packets enter at the sources, on SLs in `entries.source_sls` of their switch. These, and
  /// the packets of earlier calls, then advance by either port of each entry and any of the SL2VL
  /// tables. Returns a packet that is lost, or nullopt if none is.
  std::optional<Lost> propagate(const MixedTablesFlow::MixedEntries& entries, RowTables sl2vl);
  /// A switch to which a packet in flight can return, by a mixture of old and new entries; nullopt
  /// if there is none. propagate() with the same entries must have found no loss before.
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
  PortNum delivery_port_ = kNoPort;  // the port of destination_switch_ to the DLID's owner
  std::vector<Source> sources_;
  std::vector<SlMask> on_;  // per channel: SLs of packets that may be on it
  std::vector<Channel> touched_, open_;
  std::vector<std::uint8_t> waiting_;                // per channel: whether it is in open_
  std::array<std::vector<SlMask>, 2> arriving_sls_;  // [from, to][switch], used by start()
  std::vector<std::uint8_t> state_, tried_;  // per switch, of the searches in start(), find_loop()
  std::vector<SwitchId> path_;
};

}  // namespace selvedge::transition
