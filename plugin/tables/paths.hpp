// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths that tables define, and which paths of a pair are disjoint. (The verifier includes none
// of this: it has its own walk and its own check of disjointness.)
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
    kNoRoute,    // the LFT has no port, one that does not exist, or one that ends at a wrong node
    kLoop,       // the packet has visited the last of `switches` before
    kDeadCable,  // the LFT names a port without a cable
    kDropped     // the SL2VL table says VL 15, at the host or at the last of `switches`
  };
  End end = End::kNoRoute;
  std::vector<SwitchId> switches;  // from the source switch to the last one reached
  std::vector<Channel> channels;   // between those switches
  std::vector<Vl> vls;             // per channel, for a packet that enters at `in`
  Sl sl = 0;

  bool arrives() const { return end == End::kArrives; }
  std::size_t hops() const { return channels.size(); }
};

/// Walks from `source` (entering by port `in`: a host's port there; 0 = the switch itself). A
/// switch's own LID is reached when its LFT says port 0.
Path walk(const Fabric& fabric, const Tables& tables, SwitchId source, PortNum in, Lid dlid);

/// Finds disjoint paths of one pair after another, and reuses its memory. Keeps references to the
/// fabric and the tables, which must not change.
class DisjointPaths {
 public:
  DisjointPaths(const Fabric& fabric, const Tables& tables);

  /// Offsets into the destination's LID range: a largest set whose paths from this switch share no
  /// link, and no switch but the two end switches. (A direct cable is such a path.) Of the largest
  /// sets, the one of the smallest total length, then the one of the lowest offsets. Sorted by
  /// length, then by offset. An offset counts only if the packets of every host on the source
  /// switch arrive. On the destination's own switch: the first offset that arrives, normally {0}.
  /// Valid until the next call.
  std::span<const unsigned> find(SwitchId source, HostId destination);

  /// After find(): the channels between switches on the path to this offset, one of those returned.
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
  std::vector<Channel> arena_;         // the paths of one pair, concatenated
  std::vector<std::uint32_t> first_;   // per offset, into arena_
  std::vector<std::uint32_t> length_;  // per offset
  std::vector<unsigned> candidates_;   // offsets that arrive, one for each distinct path
  std::vector<unsigned> chosen_;
  std::vector<std::uint32_t> visited_;  // per switch, the number of the walk
  std::uint32_t walk_ = 0;
  std::vector<std::array<std::uint64_t, 2>> users_;  // per switch: which candidates pass; all zero
                                                     // between calls
};

/// One pair's disjoint LIDs, see DisjointPaths.
std::vector<unsigned> disjoint_lids(const Fabric& fabric, const Tables& tables, SwitchId source,
                                    HostId destination);

}  // namespace selvedge
