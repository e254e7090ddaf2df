// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/tables: everything that a subnet manager writes into a subnet, as plain values: linear
// forwarding tables, SL2VL tables, the SL of each path, multicast forwarding tables; the difference
// between two table sets (delta.hpp); their forms in files (files.hpp); their paths and figures
// (paths.hpp, metrics.hpp). This room does not depend on how tables are computed.
//
// A packet from a host on switch a to DLID d has SL = sl(a, d). On the host's own channel it
// travels on VL host_sl2vl[SL]. At switch s, arriving by port `in` (0: from the switch itself), it
// leaves by port out = next(s, d) on VL sl2vl.row(s, in, out)[SL]. A VL of 15 there means that it
// is dropped (IBA 1.3 §7.6.6).
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <span>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

using Sl2VlRow = std::array<Vl, kSls>;            // VL per SL
using PortSet = std::bitset<256>;                 // port numbers
inline constexpr unsigned kLftBlockEntries = 64;  // of one SMP (IBA 1.3 §14.2.5.10)

/// The SL2VL tables of all switches. Most switches have one row for all their port pairs; the
/// others have an index of (ports + 1)² entries into the distinct rows.
class Sl2Vl {
 public:
  Sl2Vl() = default;
  explicit Sl2Vl(const Fabric& fabric);  // every SL on VL 0

  const Sl2VlRow& row(SwitchId s, PortNum in, PortNum out) const {
    const std::uint32_t at = first_[s];
    return rows_[at == kUniform ? default_[s] : index_[at + in * (ports_[s] + 1u) + out]];
  }
  const Sl2VlRow& default_row(SwitchId s) const { return rows_[default_[s]]; }
  /// Is the default row the only one at this switch?
  bool uniform(SwitchId s) const { return first_[s] == kUniform; }
  PortNum ports(SwitchId s) const { return ports_[s]; }

  static constexpr std::size_t kMaxRows = 65'536;  // distinct ones in use, of all switches together
  /// Can the row be set, or is there no room for another one?
  bool holds_or_fits(const Sl2VlRow& row) const;
  /// Throws std::length_error if there are kMaxRows others, as does set_all().
  void set(SwitchId s, PortNum in, PortNum out, const Sl2VlRow& row);
  /// Replaces every row of the switch.
  void set_all(SwitchId s, const Sl2VlRow& row);
  /// The distinct rows; some may no longer be in use. What is no longer in use makes room for
  /// others, so there are never more than were in use at one time.
  std::span<const Sl2VlRow> rows() const { return rows_; }

  /// Equal as functions of (switch, in, out, SL).
  friend bool operator==(const Sl2Vl& a, const Sl2Vl& b);

 private:
  static constexpr std::uint32_t kUniform = UINT32_MAX;
  std::size_t find(const Sl2VlRow& row) const;
  std::uint16_t add_user(const Sl2VlRow& row);
  void release(std::uint16_t id);

  std::vector<Sl2VlRow> rows_;
  std::vector<std::uint32_t> users_;    // per row: in default_ and index_
  std::size_t unused_ = 0;              // rows without users
  std::vector<PortNum> ports_;          // per switch
  std::vector<std::uint16_t> default_;  // per switch, into rows_
  std::vector<std::uint32_t> first_;    // per switch, into index_, or kUniform
  std::vector<std::uint16_t> index_;    // into rows_
};

/// Multicast: the ports of each switch that are in a group's tree.
using MulticastTree = std::vector<PortSet>;  // per switch id
using MulticastTables = std::map<Lid, MulticastTree>;

/// The LFT entries for one DLID, by switch. A view of tables, which must outlive it and keep their
/// size.
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
  /// No routes, SL 0 for every path, VL 0 for every SL.
  explicit Tables(const Fabric& fabric);

  std::uint32_t num_switches() const { return num_switches_; }
  /// LIDs 0 … top_lid() have an entry.
  Lid top_lid() const { return static_cast<Lid>(stride_ - 1); }

  /// The LFT entry; kNoPort = no route.
  PortNum next(SwitchId s, Lid dlid) const { return lft_[s * stride_ + dlid]; }
  void set_next(SwitchId s, Lid dlid, PortNum port) { lft_[s * stride_ + dlid] = port; }
  std::span<const PortNum> lft(SwitchId s) const { return {lft_.data() + s * stride_, stride_}; }
  LftColumn column(Lid dlid) const { return {lft_.data() + dlid, stride_}; }
  std::span<PortNum> lft(SwitchId s) { return {lft_.data() + s * stride_, stride_}; }

  /// The SL that a source on switch s uses for this DLID.
  Sl sl(SwitchId s, Lid dlid) const {
    return path_sl_.empty() ? Sl{0} : path_sl_[s * stride_ + dlid];
  }
  void set_sl(SwitchId s, Lid dlid, Sl sl);
  /// The SLs of all DLIDs for a source on this switch, writable. From then on one_sl() is false.
  std::span<Sl> sls(SwitchId s);
  /// True if all paths use SL 0 and no table of SLs is stored.
  bool one_sl() const { return path_sl_.empty(); }

  Sl2Vl sl2vl;
  Sl2VlRow host_sl2vl{};  // VL per SL at the port of every host
  MulticastTables mft;

  /// Approximate size in bytes, for reports.
  std::size_t bytes() const;

  friend bool operator==(const Tables& a, const Tables& b);

 private:
  std::uint32_t num_switches_ = 0;
  std::size_t stride_ = 1;
  std::vector<PortNum> lft_;  // [switch][LID]
  std::vector<Sl> path_sl_;   // [source switch][DLID], or empty
};

inline Tables without_multicast(Tables tables) {
  tables.mft.clear();
  return tables;
}

}  // namespace selvedge
