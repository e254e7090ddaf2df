// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// RFTR (Montañana 2008 ch. 5): after a fault every broken path is replaced by a new one, joined
// from paths that work, with a fresh LID of the destination's range and, it may be, another SL.
// How: readdress_state.hpp. The interface is that of in_place.hpp.
//
// Fresh LIDs are those of the range that have no entry on the way. Tables in which every LID of a
// range is routed have none at the beginning; there a pair whose path breaks first takes another
// LID of the range that still works, which costs nothing. base_lids_only() makes room: one path for
// each pair, as the thesis has it.
#pragma once

#include <memory>
#include <optional>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class ReaddressState;

/// The tables with the paths to base LIDs and switch LIDs alone; the other LIDs of a range are
/// known to the destination's own switch and free for new paths.
Tables base_lids_only(const Fabric& fabric, Tables tables);

class ReaddressRepair {
 public:
  /// `tables` in the terms of `fabric`, proved. Throws InputError if the paths of `tables` close a
  /// cycle of dependencies, or use more VLs than the request allows.
  ReaddressRepair(const Fabric& fabric, const Tables& tables,
                  std::optional<ParentChannels> multicast, RepairRequest request = {});
  ReaddressRepair(ReaddressRepair&&) noexcept;
  ReaddressRepair& operator=(ReaddressRepair&&) noexcept;
  ~ReaddressRepair();

  /// Ids are those of the fabric at the beginning. What is out already is no fault twice.
  Repair fail(const Fault& fault);
  /// What is back serves pairs that had no path; others stay as they are.
  Repair restore(const Fault& fault);

  /// What is left, with the ids of the whole.
  const Fabric& fabric() const;
  /// Without multicast groups (mft): the tree of the last Repair says what they may use.
  const Tables& tables() const;
  const ReaddressState& state() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
