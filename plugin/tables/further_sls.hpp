// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SLs that sources use besides Tables::sl(). The tables that an engine makes have one SL for each
// path. What a running subnet manager answers may be more: hosts of one switch may have SLs of
// their own (partitions, QoS policies), and an answer may change from query to query (OpenSM's
// dfsssp draws one of several). So they stand beside the tables, and a proof must hold for each.
#pragma once

#include <map>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

class FurtherSls {
 public:
  using Set = std::uint16_t;  // bit s: SL s

  FurtherSls() = default;
  /// None, for tables of this size.
  explicit FurtherSls(const Tables& tables)
      : stride_(tables.top_lid() + std::size_t{1}), switches_(tables.num_switches()) {}

  bool empty() const { return sets_.empty(); }
  /// The SLs that sources on switch s use for this DLID besides the path's own.
  Set at(SwitchId s, Lid dlid) const { return sets_.empty() ? Set{0} : sets_[s * stride_ + dlid]; }
  /// Adds an SL; without effect if it is the path's own.
  void add(const Tables& tables, SwitchId s, Lid dlid, Sl sl);
  /// Sets the SLs of a host, by DLID, and adds those that differ from its switch's.
  void set_host(const Tables& tables, SwitchId at, HostId host, std::vector<Sl> sls);

  /// Hosts that have SLs of their own, by DLID.
  const std::map<HostId, std::vector<Sl>>& of_hosts() const { return of_hosts_; }
  /// The number of (switch, DLID) with further SLs.
  std::uint64_t count() const;

  friend bool operator==(const FurtherSls& a, const FurtherSls& b) {
    return a.sets_ == b.sets_ && a.of_hosts_ == b.of_hosts_;
  }

 private:
  std::size_t stride_ = 1;
  std::uint32_t switches_ = 0;
  std::vector<Set> sets_;  // [switch][DLID]; empty: none
  std::map<HostId, std::vector<Sl>> of_hosts_;
};

}  // namespace selvedge
