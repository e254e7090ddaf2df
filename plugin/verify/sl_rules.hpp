// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Classes of SLs. SLs whose columns are equal in every SL2VL row of every switch behave alike, so
// the lowest of them stands for its class. A table set that maps every SL to VL 0 has a single
// class: proving it for any SL costs no more than for one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge::prover {

using SlMask = std::uint16_t;  // a set of SLs
using VlMask = std::uint16_t;  // a set of VLs

inline constexpr SlMask kAllSls = 0xFFFF;

constexpr SlMask bit(unsigned i) { return static_cast<SlMask>(1u << i); }

/// For each distinct row of an Sl2Vl, the SLs that it does not drop.
class RowMasks {
 public:
  explicit RowMasks(const Sl2Vl& sl2vl);

  /// SLs that pass from port `in` to port `out` of switch s.
  SlMask passing(SwitchId s, PortNum in, PortNum out) const {
    return masks_[&sl2vl_->row(s, in, out) - sl2vl_->rows().data()];
  }

 private:
  const Sl2Vl* sl2vl_;
  std::vector<SlMask> masks_;  // per row of sl2vl_->rows()
};

struct SlRules {
  /// `used`: the SLs that paths have.
  SlRules(const Sl2Vl& sl2vl, const Sl2VlRow& host_sl2vl, std::uint32_t switches, SlMask used);
  SlRules() = default;

  SlMask representative(Sl sl) const { return bit(lowest[sl]); }
  /// Whether a proof made with these rules can be revised for tables whose own rules are `fresh`.
  /// These rules may be finer or more general than `fresh`, but not less.
  bool still_valid(const SlRules& fresh) const;

  std::array<Sl, kSls> lowest{};  // SL → the lowest SL of its class
  SlMask every_class = 1;         // the lowest SLs of all classes
  SlMask used = 1;                // SLs that paths have
  SlMask from_hosts = kAllSls;    // SLs that the host's own SL2VL table does not drop
  bool one_class = true;          // of all 16 SLs
  bool one_used_class = true;     // of those that paths have
  bool drops = false;             // whether a path's packet may meet VL 15
  bool uniform = true;            // whether every switch has one row for all its ports
  unsigned vls_used = 1;          // 1 + the highest VL for SLs that paths have, and SL 0
  unsigned vls_any = 1;           // 1 + the highest VL for any SL
  /// Each switch has one VL for all paths, so the proof need not carry sets of SLs.
  bool simple() const { return uniform && one_used_class && !drops; }
};

}  // namespace selvedge::prover
