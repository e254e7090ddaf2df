// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths that tables define, and which paths of a pair are disjoint. (plugin/verify includes
// none of this: it has a walk of its own, and another check of disjointness.)
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/drops.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The path of a packet from a source switch to a DLID.
struct Path {
  enum class End {
    kArrives,
    kNoRoute,    // the LFT entry is no route, or leads to no port or a wrong node
    kLoop,       // the last of `switches` was visited before
    kDeadCable,  // the LFT entry is a port without a cable
    kDropped     // an SL2VL entry is VL 15, at the host or at the last of `switches`
  };
  End end = End::kNoRoute;
  std::vector<SwitchId> switches;  // the source switch … the last one reached
  std::vector<Channel> channels;   // the channels between `switches`
  std::vector<Vl> vls;             // per channel, for a packet that enters at `in`
  Sl sl = 0;

  bool arrives() const { return end == End::kArrives; }
  std::size_t hops() const { return channels.size(); }
};

/// Walks the path of a packet that enters switch `source` by port `in`: that of a host, or 0 for
/// the switch itself. A switch's own LID is reached if its LFT entry is port 0.
Path walk(const Fabric& fabric, const Tables& tables, SwitchId source, PortNum in, Lid dlid);

/// Finds the disjoint paths of one pair after another, in the same memory. Keeps references to the
/// fabric and the tables, which must not change.
class DisjointPaths {
 public:
  DisjointPaths(const Fabric& fabric, const Tables& tables);

  /// Returns offsets into the destination's LID range: a largest set whose paths from this switch
  /// share no link, and no switch but the two end switches. (A direct cable passes no other
  /// switch.) Of the largest sets it is the one of the smallest total length, then the one of the
  /// lowest offsets. It is sorted by length, then by offset. An offset counts only if packets of
  /// every host on the source switch arrive. For the destination's own switch it is the first
  /// offset that arrives, normally {0}. Valid until the next call.
  std::span<const unsigned> find(SwitchId source, HostId destination);

  /// Valid after find(): the channels between switches on the path to this offset, which find()
  /// must have returned.
  std::span<const Channel> channels(unsigned offset) const {
    return {arena_.data() + first_[offset], length_[offset]};
  }

 private:
  bool trace(SwitchId source, HostId destination, Lid dlid);
  bool dropped_at_source(SwitchId source, PortNum out, Sl sl) const;
  void select();

  const Fabric& fabric_;
  const Tables& tables_;
  DroppedSls drops_;
  std::vector<Channel> arena_;         // the paths of one pair, one after another
  std::vector<std::uint32_t> first_;   // per offset: where its path begins in arena_
  std::vector<std::uint32_t> length_;  // per offset: hops of its path
  std::vector<unsigned> candidates_;   // for each distinct path that arrives: one of its offsets
  std::vector<unsigned> chosen_;
  std::vector<std::uint32_t> visited_;  // per switch: the number of its last walk
  std::uint32_t walk_ = 0;
  /// Per switch: candidates that pass it; 0 between calls
  std::vector<std::array<std::uint64_t, 2>> users_;
};

/// The disjoint LIDs of one pair, as in DisjointPaths::find().
std::vector<unsigned> disjoint_lids(const Fabric& fabric, const Tables& tables, SwitchId source,
                                    HostId destination);

}  // namespace selvedge
