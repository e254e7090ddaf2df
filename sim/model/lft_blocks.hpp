// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The LFTs of all switches in blocks of 64 LIDs, with equal blocks stored once. In fat trees most
// blocks are equal, so the tables that every packet needs stay in the processor's caches. Where few
// blocks are equal, the indirection costs a second memory access.
#pragma once

#include <array>
#include <span>

#include "base/prefetch_line.hpp"
#include "plugin/tables/tables.hpp"
#include "sim/engine/large_array.hpp"
#include "sim/model/shared_values.hpp"

namespace selvedge::sim {

class LftBlocks {
 public:
  /// Initially no switch has a port for any LID.
  LftBlocks(std::uint32_t switches, Lid top_lid);

  /// Sets the first row.size() LFT entries of a switch; entries beyond the last LID are ignored.
  void set(SwitchId at, std::span<const PortNum> row);
  /// Sets at most 64 LFT entries, from LID 64 · `block` on; entries beyond the last LID are
  /// ignored.
  void set_block(SwitchId at, unsigned block, std::span<const PortNum> entries);

  /// The port of this LFT entry; kNoPort beyond the last LID.
  PortNum next(SwitchId at, Lid dlid) const {
    if (dlid >= lids_) return kNoPort;
    return blocks_[block_[place(at, dlid)]][dlid % kLftBlockEntries];
  }
  /// Prefetches what next() reads first.
  void prefetch(SwitchId at, Lid dlid) const { prefetch_line(block_.data() + place(at, dlid)); }
  /// Distinct blocks in use.
  std::size_t distinct() const { return blocks_.distinct(); }
  /// Stored blocks, in use or free.
  std::size_t stored() const { return blocks_.stored(); }

 private:
  using Block = std::array<PortNum, kLftBlockEntries>;
  std::size_t place(SwitchId at, Lid dlid) const {
    return at * per_switch_ + dlid / kLftBlockEntries;
  }

  std::size_t lids_, per_switch_;
  LargeArray<std::uint32_t> block_;  // [switch][dlid / 64]: the block's number in blocks_
  SharedValues<Block, LargeArray<Block>> blocks_;
};

}  // namespace selvedge::sim
