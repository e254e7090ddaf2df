// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// RFTR (Montañana 2008 ch. 5): after a fault every broken path is replaced by a new one. It is
// joined from paths that work, and has a fresh LID of the destination's range and possibly another
// SL. The method: readdress_state.hpp. The interface is that of in_place.hpp.
//
// A LID of the range is fresh if it has no entry on the way. Tables that route every LID of a range
// have none at first. There a pair whose path breaks uses another LID of the range that still
// works, without any write. base_lids_only() frees LIDs: one path for each pair, as in the thesis.
#pragma once

#include <memory>
#include <optional>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class ReaddressState;

/// The tables with paths to base LIDs and switch LIDs only. The other LIDs of a range have an entry
/// only at the destination's own switch, and are free for new paths.
Tables base_lids_only(const Fabric& fabric, Tables tables);

class ReaddressRepair {
 public:
  /// `tables` are proved for `fabric`. Throws InputError if the paths of `tables` close a cycle of
  /// dependencies, or use more VLs than the request allows.
  ReaddressRepair(const Fabric& fabric, const Tables& tables,
                  std::optional<ParentChannels> multicast, RepairRequest request = {});
  ReaddressRepair(ReaddressRepair&&) noexcept;
  ReaddressRepair& operator=(ReaddressRepair&&) noexcept;
  ~ReaddressRepair();

  /// Ids are those of the original fabric. What has failed already is ignored.
  Repair fail(const Fault& fault);
  /// Restored cables and switches serve pairs without a path; all other paths stay.
  Repair restore(const Fault& fault);

  /// The damaged fabric, with the ids of the original one.
  const Fabric& fabric() const;
  /// Without multicast groups (mft): these must use the tree of the last Repair.
  const Tables& tables() const;
  const ReaddressState& state() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
