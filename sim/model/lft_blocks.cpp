// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/lft_blocks.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>

namespace selvedge::sim {

LftBlocks::LftBlocks(std::uint32_t switches, Lid top_lid)
    : lids_(top_lid + std::size_t{1}),
      per_switch_((lids_ + kLftBlockEntries - 1) / kLftBlockEntries) {
  Block none;
  none.fill(kNoPort);
  if (switches == 0) return;
  const std::size_t slots = switches * per_switch_;
  block_.assign(slots, blocks_.add_users(none, static_cast<std::uint32_t>(slots)));
}

void LftBlocks::set(SwitchId at, std::span<const PortNum> row) {
  for (std::size_t first = 0; first < row.size(); first += kLftBlockEntries)
    set_block(at, static_cast<unsigned>(first / kLftBlockEntries),
              row.subspan(first, std::min<std::size_t>(kLftBlockEntries, row.size() - first)));
}

void LftBlocks::set_block(SwitchId at, unsigned number, std::span<const PortNum> entries) {
  const std::size_t first = std::size_t{number} * kLftBlockEntries;
  if (first >= lids_) return;
  std::uint32_t& here = block_[at * per_switch_ + number];
  Block block = blocks_[here];
  const std::size_t count =
      std::min({entries.size(), lids_ - first, std::size_t{kLftBlockEntries}});
  std::ranges::copy(entries.first(count), block.begin());
  if (block == blocks_[here]) return;
  const std::uint32_t before = here;
  here = blocks_.add_users(block);
  blocks_.release(before);
}

}  // namespace selvedge::sim
