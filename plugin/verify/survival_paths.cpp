// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_paths.hpp"

#include <algorithm>
#include <bit>

namespace selvedge::survival {
namespace {

bool any_drop(const Tables& tables) {
  const auto drops = [](const Sl2VlRow& row) {
    return std::ranges::find(row, kDropVl) != row.end();
  };
  return drops(tables.host_sl2vl) || std::ranges::any_of(tables.sl2vl.rows(), drops);
}

}  // namespace

PathWalker::PathWalker(const Fabric& fabric, const Tables& tables, const FurtherSls* further)
    : tables_(tables), further_(further), wiring_(fabric), drops_(any_drop(tables)) {
  first_source_.push_back(0);
  for (SwitchId s = 0; s < wiring_.switches; ++s) {
    for (const prover::Wiring::Attached& a : wiring_.attached(s)) {
      sources_.push_back({s, a.port, drops_ ? a.host : kNoHost});
      if (!drops_) break;
    }
    first_source_.push_back(static_cast<std::uint32_t>(sources_.size()));
  }
}

bool PathWalker::counts_pair(const Source& source, HostId destination) const {
  const SwitchId destination_switch = wiring_.host_at[destination];
  if (destination_switch == wiring_.nowhere()) return false;
  if (wiring_.component[destination_switch] != wiring_.component[source.at]) return false;
  if (source.host != kNoHost) return source.host != destination;
  return source.at != destination_switch || wiring_.attached(destination_switch).size() > 1;
}

bool PathWalker::walk(const Source& source, Lid dlid, std::vector<Channel>& channels) const {
  channels.clear();
  if (dlid >= wiring_.end.size() || dlid > tables_.top_lid()) return false;
  const prover::Wiring& w = wiring_;
  unsigned sls = 0;  // whose packets must pass; none if no row drops any
  if (drops_) sls = 1u << tables_.sl(source.at, dlid);
  if (drops_ && further_ != nullptr) sls |= further_->at(source.at, dlid);
  const auto drops = [&](const Sl2VlRow& row) {
    for (unsigned rest = sls; rest != 0; rest &= rest - 1)
      if (row[static_cast<unsigned>(std::countr_zero(rest))] == kDropVl) return true;
    return false;
  };
  if (drops(tables_.host_sl2vl)) return false;
  SwitchId s = source.at;
  PortNum in = source.in;
  for (std::uint32_t steps = 0; steps < w.switches; ++steps) {
    const PortNum out = tables_.next(s, dlid);
    if (out > w.ports(s)) return false;
    if (drops_ && drops(tables_.sl2vl.row(s, in, out))) return false;
    if (w.end[dlid] == prover::Wiring::End{s, out}) return true;
    const Channel c = w.first[s] + out;
    if (w.to[c] == w.nowhere()) return false;
    channels.push_back(c);
    in = w.arrival[c];
    s = w.to[c];
  }
  return false;  // more steps than switches: the path loops
}

}  // namespace selvedge::survival
