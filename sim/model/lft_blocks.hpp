// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The LFTs of all switches in blocks of 64 LIDs, with equal blocks stored once. In trees most
// blocks are equal, so the tables that every packet needs stay in the caches. Where few are equal,
// the indirection costs a second access.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <span>

#include "plugin/tables/tables.hpp"
#include "sim/engine/large_array.hpp"
#include "sim/engine/prefetch_line.hpp"

namespace selvedge::sim {

class LftBlocks {
 public:
  /// Initially no switch has a port for any LID.
  LftBlocks(std::uint32_t switches, Lid top_lid);

  /// Sets the first row.size() entries of a switch; those beyond the last LID are ignored.
  void set(SwitchId at, std::span<const PortNum> row);

  /// kNoPort beyond the last LID.
  PortNum next(SwitchId at, Lid dlid) const {
    if (dlid >= lids_) return kNoPort;
    return blocks_[block_[place(at, dlid)]][dlid % kBlock];
  }
  /// Prefetches what next() reads first.
  void prefetch(SwitchId at, Lid dlid) const { prefetch_line(block_.data() + place(at, dlid)); }

 private:
  static constexpr std::size_t kBlock = 64;
  using Block = std::array<PortNum, kBlock>;
  std::size_t place(SwitchId at, Lid dlid) const { return at * per_switch_ + dlid / kBlock; }
  std::uint32_t block_id(const Block& block);

  std::size_t lids_, per_switch_;
  LargeArray<std::uint32_t> block_;  // [switch][dlid / 64], into blocks_
  LargeArray<Block> blocks_;
  boost::unordered_flat_map<Block, std::uint32_t> numbers_;
};

}  // namespace selvedge::sim
