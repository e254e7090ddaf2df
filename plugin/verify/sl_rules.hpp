// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Classes of SLs. Two SLs behave alike if every SL2VL row of every switch maps both to the same VL,
// and hosts' own SL2VL table drops both or neither. SLs that behave alike form a class, and the
// lowest SL stands for its class. (An SL2VL row is the mapping SL → VL for one pair of ports.) If
// every SL is mapped to VL 0, there is one class: a proof for any SL costs no more than for one SL.
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

/// For each distinct row of an Sl2Vl, the SLs that the row does not drop.
class RowMasks {
 public:
  explicit RowMasks(const Sl2Vl& sl2vl);

  /// SLs on which packets pass from port `in` to port `out` of switch s.
  SlMask passing(SwitchId s, PortNum in, PortNum out) const {
    return masks_[&sl2vl_->row(s, in, out) - sl2vl_->rows().data()];
  }

 private:
  const Sl2Vl* sl2vl_;
  std::vector<SlMask> masks_;  // per row of sl2vl_->rows(): SLs not dropped
};

struct SlRules {
  /// `used`: the SLs that the tables give to paths.
  SlRules(const Sl2Vl& sl2vl, const Sl2VlRow& host_sl2vl, std::uint32_t switches, SlMask used);
  SlRules() = default;

  SlMask representative(Sl sl) const { return bit(lowest[sl]); }
  /// The lowest SLs of the classes of these SLs.
  SlMask classes(SlMask sls) const {
    SlMask mask = 0;
    for (; sls != 0; sls &= static_cast<SlMask>(sls - 1))
      mask |= representative(static_cast<Sl>(std::countr_zero(sls)));
    return mask;
  }
  /// Whether a proof made with these rules can be revised for tables whose own rules are `fresh`.
  /// It can if each class here lies within one class of `fresh`, and if whatever the proof relied
  /// on (the SLs of paths, one class, no drops, the numbers of VLs) still holds.
  bool still_valid(const SlRules& fresh) const;

  std::array<Sl, kSls> lowest{};  // SL → the lowest SL of its class
  SlMask every_class = 1;         // the lowest SLs of all classes
  SlMask used = 1;                // SLs that the tables give to paths
  SlMask from_hosts = kAllSls;    // SLs that the host's own SL2VL table does not drop
  bool one_class = true;          // all 16 SLs are in one class
  bool one_used_class = true;     // the SLs that paths have are in one class
  bool drops = false;             // whether a path's packet may be dropped by a VL of 15
  bool uniform = true;            // whether every switch has one SL2VL row for all its port pairs
  unsigned vls_used = 1;          // 1 + the highest VL of SL 0 and of SLs that paths have
  unsigned vls_any = 1;           // 1 + the highest VL of any SL
  /// Whether each switch has one VL for all paths. Then the proof need not compute sets of SLs.
  bool simple() const { return uniform && one_used_class && !drops; }
};

}  // namespace selvedge::prover
