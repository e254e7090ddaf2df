// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/further_sls.hpp"

#include <algorithm>
#include <utility>

namespace selvedge {

void FurtherSls::add(const Tables& tables, SwitchId s, Lid dlid, Sl sl) {
  if (tables.sl(s, dlid) == sl) return;
  if (sets_.empty()) sets_.assign(switches_ * stride_, 0);
  sets_[s * stride_ + dlid] |= static_cast<Set>(1u << sl);
}

void FurtherSls::set_host(const Tables& tables, SwitchId at, HostId host, std::vector<Sl> sls) {
  for (std::size_t lid = 0; lid < std::min(sls.size(), stride_); ++lid)
    add(tables, at, static_cast<Lid>(lid), sls[lid]);
  of_hosts_[host] = std::move(sls);
}

std::uint64_t FurtherSls::count() const {
  return sets_.size() - static_cast<std::uint64_t>(std::ranges::count(sets_, Set{0}));
}

}  // namespace selvedge
