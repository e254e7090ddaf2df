// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/tables: everything that a subnet manager writes into a subnet, as plain values: linear
// forwarding tables, SL2VL tables, the SL of each path, multicast forwarding tables. It also has
// the difference between two table sets (delta.hpp), their forms in files (files.hpp), their paths
// (paths.hpp) and their figures (metrics.hpp). Nothing here depends on how tables are computed.
//
// A packet from a host on switch a to DLID d has SL = sl(a, d). On the host's own channel it has VL
// host_sl2vl[SL]. If it arrives at switch s by port `in` (0: it is from the switch itself), it
// leaves by port out = next(s, d), on VL sl2vl.row(s, in, out)[SL]. A VL of 15 there means that it
// is dropped (IBA 1.3 §7.6.6).
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

using Sl2VlRow = std::array<Vl, kSls>;            // index: an SL; value: its VL
using PortSet = std::bitset<256>;                 // bit p: port p
inline constexpr unsigned kLftBlockEntries = 64;  // entries in one SMP (IBA 1.3 §14.2.5.10)

/// The SL2VL tables of all switches. A row is the mapping SL → VL for one pair of ports. Most
/// switches have one row for all their pairs; the others have an index of (ports + 1)² entries into
/// the distinct rows.
class Sl2Vl {
 public:
  Sl2Vl() = default;
  explicit Sl2Vl(const Fabric& fabric);  // maps every SL to VL 0

  const Sl2VlRow& row(SwitchId s, PortNum in, PortNum out) const {
    const std::uint32_t at = first_[s];
    return rows_[at == kUniform ? default_[s] : index_[at + in * (ports_[s] + 1u) + out]];
  }
  const Sl2VlRow& default_row(SwitchId s) const { return rows_[default_[s]]; }
  /// Whether all pairs of ports of this switch have the default row.
  bool uniform(SwitchId s) const { return first_[s] == kUniform; }
  PortNum ports(SwitchId s) const { return ports_[s]; }

  static constexpr std::size_t kMaxRows = 65'536;  // distinct rows in use, of all switches together
  /// Whether set() can store this row: it is stored already, or fewer than kMaxRows rows are in
  /// use.
  bool holds_or_fits(const Sl2VlRow& row) const;
  /// Sets the row of one pair of ports. Both set() and set_all() throw std::length_error if
  /// kMaxRows other rows are in use.
  void set(SwitchId s, PortNum in, PortNum out, const Sl2VlRow& row);
  /// Replaces every row of the switch.
  void set_all(SwitchId s, const Sl2VlRow& row);
  /// Changes all rows in the same way: change(Sl2VlRow&), whose result depends on the row alone.
  /// Rows that become equal by it stay apart in rows().
  template <class Change>
  void change_rows(const Change& change) {
    for (Sl2VlRow& row : rows_) change(row);
  }
  /// The distinct rows; some may no longer be in use. Rows out of use are overwritten by new ones,
  /// so there are never more than were in use at one time.
  std::span<const Sl2VlRow> rows() const { return rows_; }

  /// Whether both are equal as functions of (switch, in, out, SL).
  friend bool operator==(const Sl2Vl& a, const Sl2Vl& b);

 private:
  static constexpr std::uint32_t kUniform = UINT32_MAX;
  std::size_t find(const Sl2VlRow& row) const;
  std::uint16_t add_user(const Sl2VlRow& row);
  void release(std::uint16_t id);

  std::vector<Sl2VlRow> rows_;
  std::vector<std::uint32_t> users_;    // per row: how often it is in default_ and index_
  std::size_t unused_ = 0;              // number of rows without users
  std::vector<PortNum> ports_;          // per switch: the number of its ports
  std::vector<std::uint16_t> default_;  // per switch: index in rows_
  std::vector<std::uint32_t> first_;    // per switch: its first entry in index_, or kUniform
  std::vector<std::uint16_t> index_;    // [in][out] for each switch: indices in rows_
};

/// The tree of a multicast group: for each switch the ports that are in it.
using MulticastTree = std::vector<PortSet>;  // index: switch id
using MulticastTables = std::map<Lid, MulticastTree>;

/// The LFT entries of all switches for one DLID, indexed by switch. It is a view of tables, which
/// must outlive it and keep their size.
class LftColumn {
 public:
  LftColumn(const PortNum* first, std::size_t stride) : first_(first), stride_(stride) {}
  PortNum operator[](SwitchId s) const { return first_[s * stride_]; }

 private:
  const PortNum* first_;
  std::size_t stride_;
};

class Tables {
 public:
  Tables() = default;
  /// Tables without routes, with SL 0 for every path and VL 0 for every SL.
  explicit Tables(const Fabric& fabric);

  std::uint32_t num_switches() const { return num_switches_; }
  /// The highest LID with an entry; LIDs 0 … top_lid() have one.
  Lid top_lid() const { return static_cast<Lid>(stride_ - 1); }

  /// The LFT entry; kNoPort: no route.
  PortNum next(SwitchId s, Lid dlid) const { return lft_[s * stride_ + dlid]; }
  void set_next(SwitchId s, Lid dlid, PortNum port) { lft_[s * stride_ + dlid] = port; }
  std::span<const PortNum> lft(SwitchId s) const { return {lft_.data() + s * stride_, stride_}; }
  LftColumn column(Lid dlid) const { return {lft_.data() + dlid, stride_}; }
  std::span<PortNum> lft(SwitchId s) { return {lft_.data() + s * stride_, stride_}; }

  /// The SL that sources on switch s use for this DLID.
  Sl sl(SwitchId s, Lid dlid) const {
    return path_sl_.empty() ? Sl{0} : path_sl_[s * stride_ + dlid];
  }
  void set_sl(SwitchId s, Lid dlid, Sl sl);
  /// The SLs that sources on this switch use, by DLID; writable. After the call one_sl() is false.
  std::span<Sl> sls(SwitchId s);
  /// Whether all paths use SL 0 because no table of SLs is stored.
  bool one_sl() const { return path_sl_.empty(); }

  Sl2Vl sl2vl;
  Sl2VlRow host_sl2vl{};  // per SL: the VL on the channel of every host
  MulticastTables mft;

  /// Whether the LID is spare: kept for new paths after a fault (plugin/repair/readdress.hpp). A
  /// switch without an entry for a spare LID of a host lacks nothing, if another LID of the host
  /// has one.
  bool is_spare(Lid lid) const { return lid < spare_.size() && spare_[lid]; }
  bool has_spare_lids() const { return !spare_.empty(); }
  void set_spare(Lid lid);
  /// Which LIDs are spare, by LID; empty: none. (Tables of RepairMode::kReaddress without a spare
  /// LID have no true element.)
  const std::vector<bool>& spare_lids() const { return spare_; }
  void set_spare_lids(std::vector<bool> spare) { spare_ = std::move(spare); }

  /// The approximate size in bytes, for reports.
  std::size_t bytes() const;

  friend bool operator==(const Tables& a, const Tables& b);

 private:
  std::uint32_t num_switches_ = 0;
  std::size_t stride_ = 1;
  std::vector<PortNum> lft_;  // [switch][LID]: the output port
  std::vector<Sl> path_sl_;   // [source switch][DLID]: the path's SL; or empty
  std::vector<bool> spare_;   // [LID]: whether it is spare; or empty
};

inline Tables without_multicast(Tables tables) {
  tables.mft.clear();
  return tables;
}

}  // namespace selvedge
