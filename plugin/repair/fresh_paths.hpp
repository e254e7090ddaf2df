// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Paths under spare LIDs (plugin/tables/spare_lids.hpp) beside those of complete tables, as RFTR
// makes them (Montañana 2008 §5.2.2, §5.4): joined from parts of existing paths, with a VL
// transition where a turn would close a cycle. No existing entry, SL or SL2VL entry in use changes.
// So in-place repair can keep the old LIDs working, while path records hand out the fresh ones.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "plugin/repair/repair.hpp"

namespace selvedge {

class FreshPaths {
 public:
  /// `tables` must be proved for `fabric`, with their multicast tree. Of `request`, max_vls,
  /// max_sls and base_lane matter. Throws InputError if the paths of `tables` close a cycle of
  /// dependencies, or use more VLs than the request allows.
  FreshPaths(const Fabric& fabric, const Tables& tables,
             const std::optional<ParentChannels>& multicast, const RepairRequest& request,
             bool responses);
  FreshPaths(FreshPaths&&) noexcept;
  FreshPaths& operator=(FreshPaths&&) noexcept;
  ~FreshPaths();

  /// Makes a path from switch `source` to the owner of LID `before`, under a spare LID of the owner
  /// that has no path from there. nullopt if no path, or no LID, fits.
  std::optional<Readdressed> add(SwitchId source, Lid before);

  /// Makes a path to the spare LID on this SL: over `channels` (between switches, in order) if they
  /// still lead there and close no cycle, else over others. False if neither is possible.
  bool keep(SwitchId source, Lid lid, Sl sl, std::span<const Channel> channels);

  /// The present tables, without multicast tables.
  const Tables& tables() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace selvedge
