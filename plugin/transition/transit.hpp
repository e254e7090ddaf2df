// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Where the packets for one DLID can be while entries and rows are between two values, and whether
// one of them is lost (losses.hpp says what counts). VLs don't matter here but for 15. Of this room
// only.
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
  /// `fabric` must stay.
  explicit Transit(const Fabric& fabric);

  /// From here on packets for this DLID. Sources are, at each switch, its own port and those of its
  /// hosts; of each those SLs count of which packets arrive by the entries and rows both of `from`
  /// and of `to`.
  void begin(Lid dlid, const Tables& from, const Tables& to);
  /// All that was under way has drained.
  void drain();

  struct Lost {
    SwitchId at;
    PortNum in;
    Sl sl;
  };
  /// Packets enter and move on, those of before too, each by either entry and by any of the rows,
  /// and with any SL of `entries.own` at its source. One that finds no way on, if any.
  std::optional<Lost> flow(const Mixture::Entries& entries, RowTables sl2vl);
  /// A switch at which a packet that is on its way can come round, by a mixture of the entries.
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
