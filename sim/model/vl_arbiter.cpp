// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/vl_arbiter.hpp"

#include <boost/container_hash/hash.hpp>

namespace selvedge::sim {

namespace {
constexpr unsigned kNoLimit = 255;
constexpr std::int64_t kBlocksPerLimit = 4096 / kBlockBytes;

std::uint16_t listed_vls(const std::vector<ArbitrationEntry>& table) {
  unsigned vls = 0;
  for (const ArbitrationEntry& entry : table)
    if (entry.weight > 0) vls |= 1u << entry.vl;
  return static_cast<std::uint16_t>(vls);
}
}  // namespace

ArbitrationTables::ArbitrationTables(std::span<const ArbitrationEntry> high_in,
                                     std::span<const ArbitrationEntry> low_in, unsigned limit,
                                     unsigned vls)
    : high(high_in.begin(), high_in.end()),
      low(low_in.begin(), low_in.end()),
      limit_blocks(limit == kNoLimit ? -1 : limit * kBlocksPerLimit),
      high_vls(listed_vls(high)),
      low_vls(listed_vls(low)) {
  round_robin = high.empty() && low.size() == vls;
  for (unsigned vl = 0; round_robin && vl < vls; ++vl)
    round_robin = low[vl] == ArbitrationEntry{static_cast<std::uint8_t>(vl), 1};
}

std::size_t hash_value(const ArbitrationTables& tables) {
  std::size_t hash = 0;
  boost::hash_combine(hash, tables.limit_blocks);
  for (const auto* table : {&tables.high, &tables.low}) {
    boost::hash_combine(hash, table->size());
    for (const ArbitrationEntry& entry : *table) {
      boost::hash_combine(hash, entry.vl);
      boost::hash_combine(hash, entry.weight);
    }
  }
  return hash;
}

VlArbiter::VlArbiter(const ArbitrationTables& tables) {
  if (!tables.high.empty()) high_.weight_left = tables.high.front().weight;
  if (!tables.low.empty()) low_.weight_left = tables.low.front().weight;
}

bool VlArbiter::advance(Cursor& cursor, const std::vector<ArbitrationEntry>& table,
                        std::uint16_t may_send) {
  const auto may = [&](std::size_t i) { return (may_send >> table[i].vl & 1) != 0; };
  if (cursor.weight_left > 0 && may(cursor.entry)) return true;
  for (std::size_t step = 1; step <= table.size(); ++step) {
    const std::size_t i = (cursor.entry + step) % table.size();
    if (table[i].weight == 0 || !may(i)) continue;
    cursor = {static_cast<std::uint16_t>(i), table[i].weight};
    return true;
  }
  return false;
}

unsigned VlArbiter::choose_by_weight(std::uint16_t may_send, const ArbitrationTables& tables) {
  const bool high = (tables.high_vls & may_send) != 0, low = (tables.low_vls & may_send) != 0;
  const bool spent = tables.limit_blocks >= 0 && high_sent_ > tables.limit_blocks;
  high_chosen_ = high && !(spent && low);
  if (high_chosen_ && advance(high_, tables.high, may_send)) return tables.high[high_.entry].vl;
  if (low && advance(low_, tables.low, may_send)) return tables.low[low_.entry].vl;
  return kSls;
}

void VlArbiter::sent(unsigned blocks) {
  if (high_chosen_) {
    high_.weight_left -= static_cast<std::int32_t>(blocks);
    high_sent_ += blocks;
  } else {
    low_.weight_left -= static_cast<std::int32_t>(blocks);
    high_sent_ = 0;
  }
}

}  // namespace selvedge::sim
