// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair: after a fault DLIDs and SLs stay, so that applications need no new path records.
// Only next hops and SL2VL entries of unused turns change.
//
// Faults accumulate; restore() takes what is repaired. fail() and restore() return the changes
// (repair.hpp) and update tables(), fabric() and the indexes.
//
// Paths to an unreachable LID keep their entries up to the fault, where one entry becomes kNoPort.
// Removing all of them would write to every switch without any use. The tables of a failed switch
// are emptied; the sender of the delta skips that switch.
//
// Restored cables first serve the paths that are missing. A LID's other paths return to the
// original ones if all channels of these are back, and one of two conditions holds. Either the
// present paths, summed over all switches, are more than 5 % longer. Or the tables are up*/down*
// and the present paths are as long on more loaded channels, or the fabric is complete again. All
// other paths stay.
#pragma once

#include <memory>
#include <optional>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class InPlaceRepair {
 public:
  /// `tables` are proved for `fabric`. Throws InputError if the paths of `tables` and `multicast`
  /// close a cycle of dependencies, or loop.
  InPlaceRepair(const Fabric& fabric, const Tables& tables,
                const std::optional<ParentChannels>& multicast, const RepairRequest& request = {});
  InPlaceRepair(InPlaceRepair&&) noexcept;
  InPlaceRepair& operator=(InPlaceRepair&&) noexcept;
  ~InPlaceRepair();

  /// Ids are those of the original fabric. What has failed already is ignored.
  Repair fail(const Fault& fault);
  /// The cables and switches of the fault are restored. A cable stays down if a switch at its end
  /// has failed, or if it failed by itself and is not listed.
  Repair restore(const Fault& fault);

  /// The damaged fabric, with the ids of the original one.
  const Fabric& fabric() const;
  /// Without multicast groups (mft): these must use the tree of the last Repair.
  const Tables& tables() const;
  /// The multicast tree in force.
  const std::optional<ParentChannels>& multicast() const;
  struct Bytes {
    std::size_t reachability;  // the content of the thesis' DRT and IRT (live_routes.hpp)
    std::size_t further;       // counts, loads, orders and the original tables
  };
  Bytes bytes() const;
  /// Per channel, whether it leads up, in an orientation in which no turn in use goes down, then
  /// up. nullptr if the tables follow no orientation (several VLs or SLs), or not at present.
  const std::vector<bool>* up() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
