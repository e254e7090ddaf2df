// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/cnp_counters.hpp"

#include <fstream>
#include <optional>

namespace selvedge::transport {
namespace {

constexpr const char* kNames[] = {"np_ecn_marked_roce_packets", "np_cnp_sent",  // mlx5
                                  "rx_ecn_marked_pkts", "tx_cnp_pkts"};         // bnxt_re

std::optional<std::uint64_t> read(const std::string& file) {
  std::uint64_t value = 0;
  std::ifstream in(file);
  if (!(in >> value)) return std::nullopt;
  return value;
}

}  // namespace

CnpCounters::CnpCounters(const std::string& directory) {
  for (const char* name : kNames) {
    std::string file = directory + "/" + name;
    if (const auto value = read(file)) counters_.push_back({std::move(file), *value});
  }
}

bool CnpCounters::risen() {
  bool any = false;
  for (Counter& c : counters_) {
    const auto value = read(c.file);
    if (!value) continue;
    any |= *value > c.value;
    c.value = *value;
  }
  return any;
}

}  // namespace selvedge::transport
