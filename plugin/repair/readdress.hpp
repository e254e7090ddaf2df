// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// RFTR, the repair of Montañana 2008 ch. 5: after a fault every broken path is replaced by a new
// one. The new path is joined from parts of working paths. It uses another LID of the destination's
// LMC range, and may use another SL. readdress_state.hpp describes the method. The interface is
// that of in_place.hpp.
//
// A LID of the range can serve a new path if all LFT entries for it on the path agree with the
// path. If the tables route every LID of a range, no LID is without entries at first. A pair whose
// path breaks then uses another LID of the range that still works, and no table is written.
// base_lids_only() frees LIDs by leaving one path for each pair, as in the thesis.
#pragma once

#include <memory>
#include <optional>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class ReaddressState;

/// The tables without paths to other LIDs than base LIDs and switch LIDs. Each other LID of a host
/// is spare (Tables::is_spare()): it has an entry only at the host's switch, so that
/// ReaddressRepair can use it for new paths.
Tables base_lids_only(const Fabric& fabric, Tables tables);

class ReaddressRepair {
 public:
  /// `tables` must be proved for `fabric`. Throws InputError if the paths of `tables` close a cycle
  /// of dependencies, or use more VLs than the request allows.
  ReaddressRepair(const Fabric& fabric, const Tables& tables,
                  std::optional<ParentChannels> multicast, RepairRequest request = {});
  ReaddressRepair(ReaddressRepair&&) noexcept;
  ReaddressRepair& operator=(ReaddressRepair&&) noexcept;
  ~ReaddressRepair();

  /// The fault's ids are those of the original fabric. Cables and switches that have failed before
  /// are ignored.
  Repair fail(const Fault& fault);
  /// Restored cables and switches serve pairs without a path; all other paths stay.
  Repair restore(const Fault& fault);

  /// The damaged fabric, with the ids of the original one.
  const Fabric& fabric() const;
  /// The present tables, without the trees of multicast groups (`mft`). The caller routes the
  /// groups along Repair::multicast of the last repair.
  const Tables& tables() const;
  const ReaddressState& state() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
