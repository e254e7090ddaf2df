// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/updn/up_down_phases.hpp"

#include <algorithm>

namespace selvedge {
namespace {

using Length = std::uint16_t;
constexpr Length kFar = UINT16_MAX;

Length next(Length length) { return static_cast<Length>(length == kFar ? kFar : length + 1); }

/// `length` plus `more`; kFar stays kFar.
Length plus(Length length, Length more) {
  return static_cast<Length>(length >= kFar - more ? kFar : length + more);
}

}  // namespace

UpDownPhases::UpDownPhases(const SwitchGraph& graph, const Orientation& orientation, Tie tie)
    : graph_(graph),
      orientation_(orientation),
      tie_(tie),
      down_(graph.num_switches()),
      length_(graph.num_switches()),
      goes_down_(graph.num_switches()),
      key_(kTile * graph.num_switches()) {}

void UpDownPhases::compute(std::span<const SwitchId> destinations) {
  if (graph_.weight.empty()) {
    descend<false>(destinations);
    ascend<false>();
  } else {
    descend<true>(destinations);
    ascend<true>();
  }
  transpose(destinations.size());
}

/// Computes down(x), the length of the shortest path from x that only goes down, from the lowest
/// switch to the uppermost.
template <bool kWeighted>
void UpDownPhases::descend(std::span<const SwitchId> destinations) {
  for (auto it = orientation_.order.rbegin(); it != orientation_.order.rend(); ++it) {
    const SwitchId x = *it;
    Row least;
    least.fill(kFar);
    for (Arc a = graph_.first_down[x]; a < graph_.first[x + 1]; ++a) {
      const Row& below = down_[graph_.target[a]];
      if constexpr (kWeighted) {
        const Length more = graph_.weight[a];
        for (std::size_t k = 0; k < kTile; ++k) least[k] = std::min(least[k], plus(below[k], more));
      } else {
        for (std::size_t k = 0; k < kTile; ++k) least[k] = std::min(least[k], below[k]);
      }
    }
    if constexpr (!kWeighted)
      for (std::size_t k = 0; k < kTile; ++k) least[k] = next(least[k]);
    for (std::size_t k = 0; k < destinations.size(); ++k)
      if (destinations[k] == x) least[k] = 0;
    down_[x] = least;
  }
}

/// Computes phases and lengths, from the uppermost switch to the lowest.
template <bool kWeighted>
void UpDownPhases::ascend() {
  const unsigned up_wins = tie_ == Tie::kUp ? 1 : 0;
  for (const SwitchId x : orientation_.order) {
    const Row down = down_[x];
    Row up, bound;
    up.fill(kFar);
    bound.fill(0);
    for (Arc a = graph_.first[x]; a < graph_.first_down[x]; ++a) {
      const SwitchId w = graph_.target[a];
      const Row& length = length_[w];
      const Row& goes_down = goes_down_[w];
      const Length out = kWeighted ? graph_.weight[a] : 1;
      const Length back = kWeighted ? graph_.weight_back[a] : 1;
      for (std::size_t k = 0; k < kTile; ++k) {
        up[k] = std::min(up[k], kWeighted ? plus(length[k], out) : length[k]);
        // Switch w binds x if w goes down and may do so through x, that is, if its length down(w)
        // is down(x) and that of the arc from w to x.
        const Length through = static_cast<Length>(
            length[k] == (kWeighted ? plus(down[k], back) : next(down[k])) ? kFar : 0);
        bound[k] = static_cast<Length>(bound[k] | (goes_down[k] & through));
      }
    }
    Row& length = length_[x];
    Row& goes_down = goes_down_[x];
    for (std::size_t k = 0; k < kTile; ++k) {
      const Length climb = kWeighted ? up[k] : next(up[k]);
      const Length free_choice = static_cast<Length>(down[k] + up_wins <= climb ? kFar : 0);
      // If down(x) is ∞ as well, x has no path, even if it is bound.
      const Length finite = static_cast<Length>(down[k] != kFar ? kFar : 0);
      goes_down[k] = static_cast<Length>((bound[k] | free_choice) & finite);
      length[k] = goes_down[k] ? down[k] : climb;
    }
  }
}

void UpDownPhases::transpose(std::size_t used) {
  const std::size_t n = graph_.num_switches();
  for (SwitchId x = 0; x < n; ++x)
    for (std::size_t k = 0; k < used; ++k)
      key_[k * n + x] =
          length_[x][k] == kFar ? kNone : 2u * length_[x][k] + (goes_down_[x][k] & 1u);
}

UpDownHops::UpDownHops(const SwitchGraph& graph)
    : graph_(graph), by_length_(graph.num_switches()) {}

const NextHops& UpDownHops::collect(std::span<const std::uint32_t> keys) {
  sort_by_length(keys);
  hops_.clear();
  for (std::size_t i = 0; i < reached_; ++i) {
    const SwitchId x = by_length_[i];
    const std::uint32_t key = keys[x];
    if (key & 1u) {
      for (Arc a = graph_.first_down[x]; a < graph_.first[x + 1]; ++a)
        if (UpDownPhases::may_use(key, true, keys[graph_.target[a]], graph_.length(a)))
          hops_.arcs.push_back(a);
    } else {
      for (Arc a = graph_.first[x]; a < graph_.first_down[x]; ++a)
        if (UpDownPhases::may_use(key, false, keys[graph_.target[a]], graph_.length(a)))
          hops_.arcs.push_back(a);
    }
    hops_.close(x);
  }
  return hops_;
}

void UpDownHops::sort_by_length(std::span<const std::uint32_t> keys) {
  places_.clear();
  reached_ = 0;
  for (const std::uint32_t key : keys) {
    if (key == UpDownPhases::kNone) continue;
    if (key / 2 + 1 >= places_.size()) places_.resize(key / 2 + 2, 0);
    ++places_[key / 2 + 1];
    ++reached_;
  }
  for (std::size_t l = 1; l < places_.size(); ++l) places_[l] += places_[l - 1];
  for (SwitchId x = 0; x < keys.size(); ++x)
    if (keys[x] != UpDownPhases::kNone) by_length_[places_[keys[x] / 2]++] = x;
}

}  // namespace selvedge
