// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of ReaddressState that searches a path where no prefix and suffix can be joined. This
// happens if a restored switch has no paths of its own, or if no switch at which parts of paths
// meet gives a legal path. Not part of the thesis.
#include <algorithm>
#include <functional>
#include <queue>

#include "plugin/repair/readdress_state.hpp"

namespace selvedge {
namespace {

/// A turn whose dependency is not in the graph costs as much as so many hops, in the first try.
constexpr std::uint32_t kForeignTurn = 1000;

}  // namespace

/// For each LID of the destination, searches a path that keeps the LFT entries already set, and
/// prefers turns whose channel dependencies exist. The first path that closes no cycle is taken.
/// try_path() may install it under another LID of the destination than the search used.
bool ReaddressState::search(SwitchId source, std::uint32_t end, Lid before, Sl sl,
                            Changes& changes) {
  const ReaddressLayout::End& to = layout_->ends[end];
  for (unsigned limit = 0; limit < request_.max_vls; ++limit)
    for (const bool fresh : {false, true})
      for (const std::uint32_t foreign : {kForeignTurn, 1u})
        for (unsigned k = 0; k < to.lids; ++k)
          if (const auto lid = static_cast<Lid>(to.base + k);
              !(*frozen_)[lid] && find_way(source, end, lid, foreign) &&
              try_path(source, end, before, sl, limit, fresh, changes))
            return true;
  return false;
}

/// Dijkstra's algorithm over channels, with the result in path_; false if there is no path. A hop
/// costs 1; a turn whose dependency on VL 0 is not in the graph costs `foreign` more.
bool ReaddressState::find_way(SwitchId source, std::uint32_t end, Lid lid, std::uint32_t foreign) {
  const SwitchId destination_switch = layout_->ends[end].destination_switch;
  using Entry = std::pair<std::uint32_t, Channel>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<std::uint32_t> cost(fabric_->num_switch_channels(), UINT32_MAX);
  std::vector<Channel> before(fabric_->num_switch_channels(), kNoChannel);
  const auto relax = [&](SwitchId at, Channel in, std::uint32_t so_far) {
    const PortNum port = s_.tables.next(at, lid);
    for (const Channel out : fabric_->out(at)) {
      if (!alive(out) || (port != kNoPort && port != fabric_->port_of(out))) continue;
      const bool turns = in != kNoChannel;
      if (turns && out == fabric_->peer(in)) continue;
      const std::uint32_t now =
          so_far + 1 + (turns && !order_.has({{in, 0}, {out, 0}}) ? foreign : 0);
      if (now >= cost[out]) continue;
      cost[out] = now;
      before[out] = in;
      queue.emplace(now, out);
    }
  };
  relax(source, kNoChannel, 0);
  while (!queue.empty()) {
    const auto [so_far, c] = queue.top();
    queue.pop();
    if (so_far != cost[c]) continue;
    if (fabric_->target(c) == destination_switch) {
      path_.clear();
      for (Channel at = c; at != kNoChannel; at = before[at]) path_.push_back(at);
      std::ranges::reverse(path_);
      return simple(source, end);
    }
    relax(fabric_->target(c), c, so_far);
  }
  return false;
}

}  // namespace selvedge
