// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/reattach_subtree.hpp"

#include <algorithm>

namespace selvedge {
namespace {

constexpr std::uint8_t kHopsMax = 253;  // longer paths count as this many hops
constexpr std::uint8_t kNoHops = 255;   // an orphan to which no next hop has been offered

std::uint8_t one_hop_more(std::uint8_t hops) {
  return std::min<std::uint8_t>(kHopsMax - 1, hops) + 1;
}

}  // namespace

ReattachSubtree::ReattachSubtree(LiveRoutes& routes, const std::vector<bool>& alive)
    : routes_(routes),
      alive_(alive),
      direction_(routes.whole().num_switch_channels(), LinkDirection::kFailed),
      states_(routes.whole().num_switches()),
      buckets_(kHopsMax + 1u),
      first_bucket_(kHopsMax + 1u),
      last_bucket_(0) {}

void ReattachSubtree::set_directions(const std::vector<bool>& up) {
  for (Channel c = 0; c < direction_.size(); ++c)
    direction_[c] = !alive_[c] ? LinkDirection::kFailed
                    : up[c]    ? LinkDirection::kUp
                               : LinkDirection::kDown;
}

void ReattachSubtree::start_lid(Lid lid) {
  ++round_;
  lid_ = lid;
  destination_switch_ = routes_.destination_switch(lid);
  if (routes_.next(destination_switch_, lid) != kNoPort)
    states_[destination_switch_] = {round_, 0, PathKind::kDown, 0, kNoPort};
}

/// What is known of a switch's path to the LID. Follows the path if necessary.
ReattachSubtree::SwitchState ReattachSubtree::classify(SwitchId s) {
  if (states_[s].round == round_ && states_[s].kind != PathKind::kUnknown) return states_[s];
  classify_path(s);
  return states_[s];
}

/// Follows the entries from s to a switch whose path kind is known, and derives the kinds of all
/// switches on the way. If the path leads to an orphan (a switch without a path yet), they stay
/// unknown.
void ReattachSubtree::classify_path(SwitchId s) {
  path_.clear();
  while (state(s).kind == PathKind::kUnknown) {
    const Channel c = routes_.out_of(s, lid_);
    if (c == kNoChannel || direction_[c] == LinkDirection::kFailed) {
      state(s).kind = PathKind::kForbidden;  // the path ends before the owner
      break;
    }
    path_.push_back(s);
    s = routes_.target(c);
  }
  if (states_[s].kind == PathKind::kOrphan) return;
  for (std::size_t i = path_.size(); i-- > 0;) {
    const SwitchId t = path_[i];
    const bool goes_up = direction_[routes_.out_of(t, lid_)] == LinkDirection::kUp;
    const SwitchState& next = states_[s];
    PathKind kind = PathKind::kForbidden;
    if (!goes_up && next.kind == PathKind::kDown)
      kind = PathKind::kDown;
    else if (goes_up && (next.kind == PathKind::kDown || next.kind == PathKind::kUp))
      kind = PathKind::kUp;
    states_[t] = {round_, 0, kind, one_hop_more(next.hops), kNoPort};
    s = t;
  }
}

void ReattachSubtree::mark_orphans(std::span<const SwitchId> switches) {
  for (const SwitchId s : switches) states_[s] = {round_, 0, PathKind::kOrphan, kNoHops, kNoPort};
}

/// Offers an orphan (a switch without a path) a next hop. The orphan keeps the shortest; among
/// equals the least loaded cable, then the lowest port.
inline void ReattachSubtree::offer(SwitchId to, std::uint8_t hops, Channel over, PortNum port) {
  SwitchState& here = states_[to];
  if (hops > here.hops) return;
  const std::uint32_t load = routes_.load(over);
  if (hops < here.hops) {
    buckets_[hops].push_back(to);
    first_bucket_ = std::min<unsigned>(first_bucket_, hops);
    last_bucket_ = std::max<unsigned>(last_bucket_, hops);
  } else if (load > here.load || (load == here.load && port > here.port)) {
    return;
  }
  here.hops = hops;
  here.load = load;
  here.port = port;
}

/// Fixes the next hop of each orphan to which one was offered, those nearest to the LID's owner
/// first. settled(link, hops) may offer the switch just fixed to its neighbours, which are then
/// fixed too. As in Dijkstra's algorithm, no better offer can follow. Returns how many orphans were
/// fixed.
template <class F>
std::size_t ReattachSubtree::settle_all(PathKind kind, F settled) {
  std::size_t count = 0;
  for (; first_bucket_ <= last_bucket_; ++first_bucket_) {
    std::vector<SwitchId>& bucket = buckets_[first_bucket_];
    for (std::size_t i = 0; i < bucket.size(); ++i) {
      const SwitchId at = bucket[i];
      SwitchState& here = states_[at];
      if (here.kind != PathKind::kOrphan) continue;
      here.kind = kind;
      ++count;
      const std::uint8_t hops = one_hop_more(here.hops);
      for (const AdjacentLink& link :
           routes_.links(at)) {  // link.in is the neighbour's channel to `at`
        const SwitchState& there = states_[link.to];
        if (there.round == round_ && there.kind == PathKind::kOrphan) settled(link, hops);
      }
    }
    bucket.clear();
  }
  first_bucket_ = kHopsMax + 1u;
  last_bucket_ = 0;
  return count;
}

/// Finds next hops for the orphans (switches that lost their path): first for those that can reach
/// the owner by down links only, then for those that must go up. Returns how many found none.
std::size_t ReattachSubtree::attach(std::span<const SwitchId> orphans) {
  const auto is_orphan = [&](SwitchId s) {
    return states_[s].round == round_ && states_[s].kind == PathKind::kOrphan;
  };
  for (const SwitchId s : orphans)
    for (const AdjacentLink& link : routes_.links(s)) {
      if (direction_[link.out] != LinkDirection::kDown || is_orphan(link.to)) continue;
      const SwitchState there = classify(link.to);
      if (there.kind == PathKind::kDown) offer(s, one_hop_more(there.hops), link.out, link.port);
    }
  // link.in is the neighbour's channel to the settled switch.
  std::size_t left = orphans.size();
  left -= settle_all(PathKind::kDown, [&](const AdjacentLink& link, std::uint8_t hops) {
    if (direction_[link.in] == LinkDirection::kDown) offer(link.to, hops, link.in, link.back);
  });
  // A neighbour's unbroken path may lead through an orphan. The neighbour can be a next hop only
  // once that orphan has a path, so this repeats until no further orphan gets one.
  for (std::size_t settled = 1; left > 0 && settled > 0; left -= settled) {
    for (const SwitchId s : orphans) {
      if (!is_orphan(s)) continue;
      for (const AdjacentLink& link : routes_.links(s)) {
        if (direction_[link.out] != LinkDirection::kUp || is_orphan(link.to)) continue;
        const SwitchState there = classify(link.to);
        if (there.kind == PathKind::kDown || there.kind == PathKind::kUp)
          offer(s, one_hop_more(there.hops), link.out, link.port);
      }
    }
    settled = settle_all(PathKind::kUp, [&](const AdjacentLink& link, std::uint8_t hops) {
      if (direction_[link.in] == LinkDirection::kUp) offer(link.to, hops, link.in, link.back);
    });
  }
  return left;
}

std::size_t ReattachSubtree::write(std::span<const SwitchId> orphans) {
  ports_.clear();
  std::size_t missing = 0;
  for (const SwitchId s : orphans) {
    const SwitchState& found = states_[s];
    const bool settled = found.kind != PathKind::kOrphan;
    ports_.push_back(settled ? found.port : kNoPort);
    missing += !settled && !routes_.whole().hosts_at(s).empty() &&
               routes_.whole().owner(lid_).kind == LidOwner::Kind::kHost;
  }
  routes_.change(lid_, orphans, ports_);
  return missing;
}

bool ReattachSubtree::reattach_locally(Lid lid, std::span<const SwitchId> orphans,
                                       bool directions_hold) {
  start_lid(lid);
  if (directions_hold && orphans.size() == 1) return reattach_one(orphans[0]);
  mark_orphans(orphans);
  if (attach(orphans) > 0) return false;
  write(orphans);
  return true;
}

/// The number of links from s to the LID's owner. All entries on the path must exist.
std::uint8_t ReattachSubtree::count_hops(SwitchId s) const {
  const std::span<const PortNum> row = routes_.row(lid_);
  std::uint8_t hops = 0;
  for (; s != destination_switch_; s = routes_.target(routes_.channel_at(s, row[s])))
    hops = one_hop_more(hops);
  return hops;
}

/// attach() for a single orphan, if all other paths obey the directions. A neighbour whose path
/// begins with a down link then has down links only. Hops are counted only where there is a choice.
bool ReattachSubtree::reattach_one(SwitchId s) {
  const std::span<const PortNum> row = routes_.row(lid_);
  const AdjacentLink* found = nullptr;
  bool found_down = false, counted = false;
  std::uint8_t hops = 0;
  for (const AdjacentLink& link : routes_.links(s)) {
    const LinkDirection direction = direction_[link.out];
    if (direction == LinkDirection::kFailed || (found_down && direction == LinkDirection::kUp))
      continue;
    if (link.to != destination_switch_) {
      const Channel then = routes_.channel_at(link.to, row[link.to]);
      if (then == kNoChannel || then == link.in || direction_[then] == LinkDirection::kFailed ||
          (direction == LinkDirection::kDown && direction_[then] == LinkDirection::kUp))
        continue;
    } else if (row[destination_switch_] == kNoPort) {
      continue;
    }
    const bool down = direction == LinkDirection::kDown;
    if (found == nullptr || down != found_down) {
      found = &link;
      found_down = down;
      counted = false;
      continue;
    }
    if (!counted) hops = count_hops(found->to);
    counted = true;
    const std::uint8_t other = count_hops(link.to);
    if (other > hops || (other == hops && routes_.load(found->out) <= routes_.load(link.out)))
      continue;
    found = &link;
    hops = other;
  }
  if (found == nullptr) return false;
  routes_.change(lid_, {&s, 1}, {&found->port, 1});
  return true;
}

void ReattachSubtree::list_blocking(std::span<const SwitchId> orphans,
                                    std::vector<SwitchId>& blocking) const {
  const std::span<const PortNum> row = routes_.row(lid_);
  const auto kept = [&](SwitchId s) {  // no orphan, and not known to have a path
    return s != destination_switch_ &&
           (states_[s].round != round_ || states_[s].kind == PathKind::kUnknown);
  };
  for (const SwitchId mark_orphans : orphans) {
    if (states_[mark_orphans].kind != PathKind::kOrphan) continue;
    for (const AdjacentLink& link : routes_.links(mark_orphans)) {
      if (direction_[link.out] != LinkDirection::kUp) continue;
      for (SwitchId s = link.to; kept(s);) {
        blocking.push_back(s);
        const Channel c = routes_.channel_at(s, row[s]);
        if (c == kNoChannel) break;
        s = routes_.target(c);
      }
    }
  }
}

std::size_t ReattachSubtree::reattach(Lid lid, std::span<const SwitchId> orphans) {
  start_lid(lid);
  mark_orphans(orphans);
  attach(orphans);
  return write(orphans);
}

std::size_t ReattachSubtree::reattach_all(Lid lid, std::span<const SwitchId> orphans,
                                          std::span<const SwitchId> component) {
  start_lid(lid);
  mark_orphans(orphans);
  reattached_.clear();
  for (const SwitchId s : component)
    if (s != destination_switch_ && classify(s).kind != PathKind::kDown) reattached_.push_back(s);
  mark_orphans(reattached_);
  attach(reattached_);
  for (const SwitchId s : reattached_) {
    if (states_[s].kind != PathKind::kUp) continue;
    const Channel old = routes_.out_of(s, lid);
    if (old == kNoChannel || direction_[old] != LinkDirection::kUp) continue;
    const PathKind there = classify(routes_.target(old)).kind;
    if (there == PathKind::kDown || there == PathKind::kUp) states_[s].port = routes_.next(s, lid);
  }
  return write(reattached_);
}

}  // namespace selvedge
