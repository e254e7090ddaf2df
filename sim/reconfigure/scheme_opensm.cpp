// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// opensm: what OpenSM 3.3.23 does after it has discovered the whole subnet anew. It writes the LFT
// blocks that differ, block by block; in each block the switches in the order of its table by GUID,
// which compares the bytes as they are in network order on a little-endian machine. Then it writes
// SL2VL rows. There is no barrier between (osm_ucast_mgr.c, osm_qos.c).
#include <algorithm>
#include <map>

#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

std::uint64_t swapped(Guid guid) { return __builtin_bswap64(guid); }

std::vector<Stage> stages_of_opensm(const TableChange& change) {
  std::vector<Stage> all(1);
  std::map<std::pair<unsigned, std::uint64_t>, std::vector<Write>> blocks;
  std::map<std::uint64_t, std::vector<Write>> rows;
  for (SwitchId s = 0; s < change.left.num_switches(); ++s) {
    const std::uint64_t guid = swapped(change.left.node(s).guid);
    std::vector<Write> writes;
    add_difference(change, s, writes);
    for (Write& write : writes) {
      if (write.row)
        rows[guid].push_back(std::move(write));
      else
        blocks[{write.lft.front().dlid / kLftBlockEntries, guid}].push_back(std::move(write));
    }
  }
  for (auto& [of, writes] : blocks) std::ranges::move(writes, std::back_inserter(all[0].writes));
  for (auto& [of, writes] : rows) std::ranges::move(writes, std::back_inserter(all[0].writes));
  add_hosts(change, all);
  return all;
}

}  // namespace

const Scheme kOpensmScheme{.name = "opensm",
                           .target = TargetKind::kEngine,
                           .rediscovers = true,
                           .stages = stages_of_opensm};

}  // namespace selvedge::sim
