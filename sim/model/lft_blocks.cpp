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
  block_.assign(switches * per_switch_, add_user(none));
  users_[block_.front()] = static_cast<std::uint32_t>(block_.size());
}

std::uint32_t LftBlocks::add_user(const Block& block) {
  const auto [found, fresh] = numbers_.try_emplace(block, 0);
  if (!fresh) {
    ++users_[found->second];
    return found->second;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    blocks_.emplace_back();
    users_.push_back(0);
  }
  found->second = free_.back();
  free_.pop_back();
  blocks_[found->second] = block;
  users_[found->second] = 1;
  return found->second;
}

void LftBlocks::release(std::uint32_t number) {
  if (--users_[number] > 0) return;
  numbers_.erase(blocks_[number]);
  free_.push_back(number);
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
  here = add_user(block);
  release(before);
}

}  // namespace selvedge::sim
