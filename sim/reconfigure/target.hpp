// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The tables that a change leads to, computed and proved: by an engine on what is left of the
// fabric, by a repair, or given.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/repair/repair.hpp"
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {

struct TargetRequest {
  TargetKind kind = TargetKind::kEngine;
  bool guard = false;
  bool one_vl = false;   // every table set must have one VL
  bool two_vls = false;  // as one_vl, and it is spread over two VLs
  /// For kEngine and kFile: the tables for this fabric, with the LIDs of the whole one.
  std::function<Tables(const Fabric& left)> compute;
  RepairRequest repair;  // for kInPlace and kReaddress
};

class Target {
 public:
  /// `fabric` must outlive this. `from` must be proved for it. Throws InputError if the tables
  /// cannot be repaired.
  Target(const Fabric& fabric, const Tables& from, TargetRequest request);
  Target(Target&&) noexcept;
  ~Target();

  /// What the switches hold before the first change: `from`, with its guard or on two VLs if asked;
  /// for kReaddress without paths to other LIDs than base LIDs.
  const Tables& initial() const { return initial_; }

  struct Change {
    Fabric left = {};
    Tables tables = {};
    std::vector<Readdressed> readdressed = {};
  };
  /// The tables for the fabric without these cables, all that are down now. Throws InputError if
  /// they are not proved: connected as far as the cables are, free of loops and of deadlock.
  /// `in_force`: what the switches hold, whose guard's turns are kept.
  Change after(const std::vector<Channel>& down, const Tables& in_force);

 private:
  struct Repairs;
  Tables compute(const Fabric& left, const Fault& lost, const Fault& back,
                 std::vector<Readdressed>& readdressed);

  const Fabric& fabric_;
  TargetRequest request_;
  Tables initial_;
  std::vector<Channel> down_;  // after the last change, ascending, the lower channel of each cable
  std::unique_ptr<Repairs> repairs_;
};

}  // namespace selvedge::sim
