// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair: after a fault DLIDs and SLs stay, so that applications need no new path records.
// Only next hops and SL2VL entries of unused turns change.
//
// Faults accumulate until restore() is called with cables and switches that work again. fail() and
// restore() return the changes of the tables (repair.hpp). They also update tables() and fabric().
//
// Paths to an unreachable LID keep their entries up to the fault, where one entry becomes kNoPort.
// Removing all these entries would write to every switch without any use. The tables of a failed
// switch are emptied; the sender of the delta skips that switch.
//
// Restored cables first serve pairs without a path. Then the paths to a LID return to those of the
// original tables, if all channels of the original paths work again and one condition is met:
//
//   - the present paths, summed over all switches, are more than 5 % longer than the original ones
//   - the tables are up*/down*, and the original paths are no longer and their channels less loaded
//   - the tables are up*/down*, and all cables of the original fabric work again
//
// All other paths stay.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class InPlaceRepair {
 public:
  /// `tables` must be proved for `fabric`. Throws InputError if the dependencies of their paths and
  /// of the tree `multicast` have a cycle.
  InPlaceRepair(const Fabric& fabric, const Tables& tables,
                const std::optional<ParentChannels>& multicast, const RepairRequest& request = {});
  InPlaceRepair(InPlaceRepair&&) noexcept;
  InPlaceRepair& operator=(InPlaceRepair&&) noexcept;
  ~InPlaceRepair();

  /// The fault's ids are those of the original fabric. Cables and switches that have failed before
  /// are ignored.
  Repair fail(const Fault& fault);
  /// As fail(), for tables on several VLs of which a part has been repaired already. `written`:
  /// entries of separate base LIDs (separate_base.hpp) that avoid the fault and are in the
  /// switches. They are kept, and are part of the returned delta.
  Repair fail_the_rest(const Fault& fault, std::span<const LftChange> written);
  /// Restores the cables and switches in `fault`. A cable stays down if a switch at one of its ends
  /// is down, or if the cable itself was named in fail() and is not named in `fault`.
  Repair restore(const Fault& fault);

  /// The damaged fabric, with the ids of the original one.
  const Fabric& fabric() const;
  /// The present tables, without the trees of multicast groups (`mft`). The caller routes the
  /// groups along multicast().
  const Tables& tables() const;
  /// The present multicast tree; nullopt if there is none.
  const std::optional<ParentChannels>& multicast() const;
  struct Bytes {
    /// The LFTs. They replace the direct and indirect reachability tables of Montañana 2008 §5.2
    /// (live_routes.hpp).
    std::size_t reachability;
    std::size_t further;  // counts, loads, dependency graph and the original tables
  };
  Bytes bytes() const;
  /// Per channel: whether it leads up, under directions in which no path turns from a down channel
  /// into an up channel. nullptr if the tables use several VLs or SLs, or if some path violates the
  /// directions at present.
  const std::vector<bool>* up() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
