// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/mft_blocks.hpp"

#include <map>
#include <utility>

namespace selvedge::sim {
namespace {

constexpr unsigned kBlockMlids = 32, kBlockPorts = 16;

/// Where the mask of an MLID has the bit of a port: the high byte comes first.
std::pair<std::size_t, std::uint8_t> bit_of(unsigned mlid, unsigned port) {
  const unsigned bit = port % kBlockPorts;
  return {2 * std::size_t{mlid % kBlockMlids} + (bit < 8 ? 1 : 0),
          static_cast<std::uint8_t>(1U << bit % 8)};
}

}  // namespace

std::vector<MftImage> mft_blocks(const MulticastTables& groups, SwitchId at) {
  std::map<std::pair<std::uint32_t, std::uint8_t>, MftImage> blocks;
  for (const auto& [mlid, tree] : groups) {
    if (at >= tree.size()) continue;
    const unsigned number = mlid - kMinMulticastLid;
    for (unsigned port = 0; port < tree[at].size(); ++port) {
      if (!tree[at].test(port)) continue;
      const std::pair place{number / kBlockMlids, static_cast<std::uint8_t>(port / kBlockPorts)};
      MftImage& block = blocks[place];
      block.at = at;
      std::tie(block.block, block.position) = place;
      const auto [byte, bit] = bit_of(number, port);
      block.entries[byte] |= bit;
    }
  }
  std::vector<MftImage> list;
  for (const auto& [place, block] : blocks) list.push_back(block);
  return list;
}

bool take_ports(MftImage& block, const PortSet& ports) {
  bool had = false;
  for (unsigned i = 0; i < kBlockPorts; ++i) {
    const unsigned port = block.position * kBlockPorts + i;
    if (port >= ports.size() || !ports.test(port)) continue;
    for (unsigned mlid = 0; mlid < kBlockMlids; ++mlid) {
      const auto [byte, bit] = bit_of(mlid, port);
      had |= (block.entries[byte] & bit) != 0;
      block.entries[byte] &= static_cast<std::uint8_t>(~bit);
    }
  }
  return had;
}

}  // namespace selvedge::sim
