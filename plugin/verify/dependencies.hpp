// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The dependency graph (Dally & Seitz 1987). Its nodes are the VLs of the channels between
// switches. Its edges are the turns that packets make from one such node to the next. Each edge
// counts the destination trees (the paths to one DLID) that make the turn. So one tree can be
// removed while the turns that other trees make remain.
//
// Channels from and to hosts are left out, and port 0 of a switch too. No cycle is missed: no
// packet turns into a channel that leaves a host, and a packet on a channel to a host waits for no
// other channel.
//
// A DLID or a multicast group counts a turn at most once. A subnet has fewer than 65,535 of both
// together. So 16 bits hold every count, also while a tree that is replaced counts twice.
#pragma once

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "plugin/verify/wiring.hpp"

namespace selvedge::prover {

/// A turn at switch `at`: from VL `from` of the cable at port `in` to VL `to` of the cable at port
/// `out`.
struct Turn {
  SwitchId at;
  PortNum in, out;
  Vl from, to;
  friend bool operator==(const Turn&, const Turn&) = default;
  friend auto operator<=>(const Turn&, const Turn&) = default;
};

class Dependencies {
 public:
  Dependencies() = default;
  /// Stores the counts in a flat array if that takes at most `bytes_max` bytes, else in a hash
  /// table.
  Dependencies(const Wiring& wiring, unsigned vls, std::size_t bytes_max = 64u << 20);

  unsigned vls() const { return vls_; }
  /// The number of distinct turns.
  std::uint64_t size() const { return size_; }

  using Cell = std::uint64_t;
  /// A turn's number (its cell) is entry(at, in, from) + exit(out, to).
  Cell entry(SwitchId at, PortNum in, Vl from) const {
    return first_[at] + (Cell{in} * vls_ + from) * (ports_[at] + 1u) * vls_;
  }
  Cell exit(PortNum out, Vl to) const { return Cell{out} * vls_ + to; }
  Cell cell(const Turn& t) const { return entry(t.at, t.in, t.from) + exit(t.out, t.to); }
  Turn turn(Cell cell) const;

  /// Counts one more tree that makes the turn. Returns whether no tree made it before.
  bool add(Cell cell) {
    std::uint16_t& count = counts_.empty() ? sparse_[cell] : counts_[cell];
    if (count++ != 0) return false;
    ++size_;
    return true;
  }
  /// Counts one tree less that makes the turn. Returns whether no tree makes it any more. At least
  /// one must have made it.
  bool remove(Cell cell);
  bool has(Cell cell) const {
    return counts_.empty() ? sparse_.contains(cell) : counts_[cell] != 0;
  }
  /// How many trees make the turn.
  std::uint16_t count(Cell cell) const {
    if (!counts_.empty()) return counts_[cell];
    const auto it = sparse_.find(cell);
    return it == sparse_.end() ? std::uint16_t{0} : it->second;
  }
  /// Removes the turn and returns its count, which put_back() takes to restore it.
  std::uint16_t set_aside(Cell cell);
  void put_back(Cell cell, std::uint16_t count);

  template <class F>
  void for_each(F f) const {
    for (Cell cell = 0; cell < counts_.size(); ++cell)
      if (counts_[cell] != 0) f(turn(cell));
    for (const auto& [cell, count] : sparse_) f(turn(cell));
  }

 private:
  unsigned vls_ = 1;
  std::uint64_t size_ = 0;
  std::vector<Cell> first_;            // cells of switch s: first_[s] … first_[s + 1] − 1
  std::vector<std::uint16_t> ports_;   // per switch: the number of its ports
  std::vector<std::uint16_t> counts_;  // per cell, if the array is small enough…
  /// …else a hash table of the counts above 0.
  boost::unordered_flat_map<Cell, std::uint16_t> sparse_;
};

}  // namespace selvedge::prover
