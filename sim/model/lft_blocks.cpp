// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/lft_blocks.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>

namespace selvedge::sim {

LftBlocks::LftBlocks(std::uint32_t switches, Lid top_lid)
    : lids_(top_lid + std::size_t{1}), per_switch_((lids_ + kBlock - 1) / kBlock) {
  Block none;
  none.fill(kNoPort);
  block_.assign(switches * per_switch_, block_id(none));
}

std::uint32_t LftBlocks::block_id(const Block& block) {
  const auto [found, fresh] =
      numbers_.try_emplace(block, static_cast<std::uint32_t>(blocks_.size()));
  if (fresh) blocks_.push_back(block);
  return found->second;
}

void LftBlocks::set(SwitchId at, std::span<const PortNum> row) {
  row = row.first(std::min(row.size(), lids_));
  for (std::size_t first = 0; first < row.size(); first += kBlock) {
    std::uint32_t& here = block_[at * per_switch_ + first / kBlock];
    Block block = blocks_[here];
    std::ranges::copy(row.subspan(first, std::min(kBlock, row.size() - first)), block.begin());
    if (block != blocks_[here]) here = block_id(block);
  }
}

}  // namespace selvedge::sim
