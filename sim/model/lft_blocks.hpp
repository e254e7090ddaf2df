// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The LFTs of all switches in blocks of 64 LIDs, as the switches have them, equal blocks once: in
// trees most are, so that what every packet is looked up in stays in the caches. Where few are
// equal it costs a second look.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <span>

#include "plugin/tables/tables.hpp"
#include "sim/engine/fetch_line.hpp"
#include "sim/engine/large_array.hpp"

namespace selvedge::sim {

class LftBlocks {
 public:
  /// No switch has a port for any LID yet.
  LftBlocks(std::uint32_t switches, Lid top_lid);

  /// The first row.size() entries of a switch, or all of them, if these are fewer.
  void set(SwitchId at, std::span<const PortNum> row);

  /// kNoPort beyond the LIDs that there are.
  PortNum next(SwitchId at, Lid dlid) const {
    if (dlid >= lids_) return kNoPort;
    return blocks_[block_[place(at, dlid)]][dlid % kBlock];
  }
  /// Brings to the caches what next() reads first.
  void fetch(SwitchId at, Lid dlid) const { fetch_line(block_.data() + place(at, dlid)); }

 private:
  static constexpr std::size_t kBlock = 64;
  using Block = std::array<PortNum, kBlock>;
  std::size_t place(SwitchId at, Lid dlid) const { return at * per_switch_ + dlid / kBlock; }
  std::uint32_t number(const Block& block);

  std::size_t lids_, per_switch_;
  LargeArray<std::uint32_t> block_;  // [switch][dlid / 64], into blocks_
  LargeArray<Block> blocks_;
  boost::unordered_flat_map<Block, std::uint32_t> numbers_;
};

}  // namespace selvedge::sim
