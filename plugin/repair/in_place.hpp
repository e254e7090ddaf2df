// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair: after a fault the same DLIDs and the same SLs, so that no application has to ask
// for a path again; only next hops, and SL2VL entries of turns that nothing used, change.
//
// Faults accumulate; what comes back is given to restore(). Both hand back what has changed
// (repair.hpp) and leave tables(), fabric() and the indexes ready for the next one.
//
// What can no longer be reached keeps its entries up to the gap, where one entry becomes kNoPort:
// taking them all out would touch every switch of the fabric for nobody's benefit. The tables of a
// failed switch are emptied (whoever sends the delta leaves that switch out).
//
// What comes back is used for what was missing. Of the rest, a LID's paths return to those that it
// had at the beginning if all their channels are there again and today's lengths, added up over all
// switches, are more than 5 % above those; with up*/down* tables also if they are as long on
// channels that carry more, or if nothing is missing any more. The others stay as they are.
#pragma once

#include <memory>
#include <optional>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class InPlaceRepair {
 public:
  /// `tables` in the terms of `fabric`, proved. Throws InputError if the paths of `tables` and
  /// `multicast` close a cycle of dependencies, or loop.
  InPlaceRepair(const Fabric& fabric, const Tables& tables,
                const std::optional<ParentChannels>& multicast, const RepairRequest& request = {});
  InPlaceRepair(InPlaceRepair&&) noexcept;
  InPlaceRepair& operator=(InPlaceRepair&&) noexcept;
  ~InPlaceRepair();

  /// Ids are those of the fabric at the beginning. What is out already is no fault twice.
  Repair fail(const Fault& fault);
  /// The cables and switches of the fault are back (a cable of a switch that is still out is not,
  /// nor is a switch's cable that failed by itself).
  Repair restore(const Fault& fault);

  /// What is left, with the ids of the whole.
  const Fabric& fabric() const;
  /// Without multicast groups (mft): the tree of the last Repair says what they may use.
  const Tables& tables() const;
  /// The multicast tree in force.
  const std::optional<ParentChannels>& multicast() const;
  struct Bytes {
    std::size_t reachability;  // what the thesis' DRT and IRT tell (live_routes.hpp)
    std::size_t further;       // counts, loads, orders and the tables of the beginning
  };
  Bytes bytes() const;
  /// Per channel: does it go up, in an orientation that no turn in use defies (down, then up)?
  /// Nothing if the tables follow none (several VLs or SLs), or not at the moment.
  const std::vector<bool>* up() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
