// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/reattach_subtree.hpp"

#include <algorithm>

namespace selvedge {
namespace {

constexpr std::uint8_t kHopsMax = 253;  // longer paths count as this
constexpr std::uint8_t kNoHops = 255;   // no offer so far

std::uint8_t further(std::uint8_t hops) { return std::min<std::uint8_t>(kHopsMax - 1, hops) + 1; }

}  // namespace

ReattachSubtree::ReattachSubtree(LiveRoutes& routes, const std::vector<bool>& alive)
    : routes_(routes),
      alive_(alive),
      lead_(routes.whole().num_switch_channels(), Lead::kNowhere),
      spots_(routes.whole().num_switches()),
      due_(kHopsMax + 1u),
      first_due_(kHopsMax + 1u),
      last_due_(0) {}

void ReattachSubtree::under(const std::vector<bool>& up) {
  for (Channel c = 0; c < lead_.size(); ++c)
    lead_[c] = !alive_[c] ? Lead::kNowhere : up[c] ? Lead::kUp : Lead::kDown;
}

void ReattachSubtree::begin(Lid lid) {
  ++round_;
  lid_ = lid;
  destination_switch_ = routes_.destination_switch(lid);
  if (routes_.next(destination_switch_, lid) != kNoPort)
    spots_[destination_switch_] = {round_, 0, Place::kDown, 0, kNoPort};
}

/// The place of a switch: an orphan, or derived from its kept path.
ReattachSubtree::Spot ReattachSubtree::look(SwitchId s) {
  if (spots_[s].round == round_ && spots_[s].place != Place::kUnknown) return spots_[s];
  follow(s);
  return spots_[s];
}

/// Follows the entries to a switch whose place is known. A path that leads to an orphan stays
/// unknown, because the orphan may find a place later.
void ReattachSubtree::follow(SwitchId s) {
  trail_.clear();
  while (spot(s).place == Place::kUnknown) {
    const Channel c = routes_.out_of(s, lid_);
    if (c == kNoChannel || lead_[c] == Lead::kNowhere) {
      spot(s).place = Place::kForbidden;  // leads nowhere
      break;
    }
    trail_.push_back(s);
    s = routes_.target(c);
  }
  if (spots_[s].place == Place::kOrphan) return;
  for (std::size_t i = trail_.size(); i-- > 0;) {
    const SwitchId t = trail_[i];
    const bool goes_up = lead_[routes_.out_of(t, lid_)] == Lead::kUp;
    const Spot& next = spots_[s];
    Place place = Place::kForbidden;
    if (!goes_up && next.place == Place::kDown)
      place = Place::kDown;
    else if (goes_up && (next.place == Place::kDown || next.place == Place::kUp))
      place = Place::kUp;
    spots_[t] = {round_, 0, place, further(next.hops), kNoPort};
    s = t;
  }
}

void ReattachSubtree::orphan(std::span<const SwitchId> switches) {
  for (const SwitchId s : switches) spots_[s] = {round_, 0, Place::kOrphan, kNoHops, kNoPort};
}

/// Offers an orphan a next hop. Keeps the shortest; among equals the least loaded cable, then the
/// lowest port.
inline void ReattachSubtree::offer(SwitchId to, std::uint8_t hops, Channel over, PortNum port) {
  Spot& here = spots_[to];
  if (hops > here.hops) return;
  const std::uint32_t load = routes_.load(over);
  if (hops < here.hops) {
    due_[hops].push_back(to);
    first_due_ = std::min<unsigned>(first_due_, hops);
    last_due_ = std::max<unsigned>(last_due_, hops);
  } else if (load > here.load || (load == here.load && port > here.port)) {
    return;
  }
  here.hops = hops;
  here.load = load;
  here.port = port;
}

/// Places the orphans that have offers, nearest first, and those that receive offers from them. As
/// in Dijkstra, all nearer switches are placed before, so no better offer can follow. Returns how
/// many were placed.
template <class F>
std::size_t ReattachSubtree::place_all(Place place, F placed) {
  std::size_t count = 0;
  for (; first_due_ <= last_due_; ++first_due_) {
    std::vector<SwitchId>& due = due_[first_due_];
    for (std::size_t i = 0; i < due.size(); ++i) {
      const SwitchId at = due[i];
      Spot& here = spots_[at];
      if (here.place != Place::kOrphan) continue;
      here.place = place;
      ++count;
      const std::uint8_t hops = further(here.hops);
      for (const Way& way : routes_.ways(at)) {  // way.in: the neighbour's channel to here
        const Spot& there = spots_[way.to];
        if (there.round == round_ && there.place == Place::kOrphan) placed(way, hops);
      }
    }
    due.clear();
  }
  first_due_ = kHopsMax + 1u;
  last_due_ = 0;
  return count;
}

/// Finds places for the orphans. Returns how many found none.
std::size_t ReattachSubtree::attach(std::span<const SwitchId> orphans) {
  const auto is_orphan = [&](SwitchId s) {
    return spots_[s].round == round_ && spots_[s].place == Place::kOrphan;
  };
  for (const SwitchId s : orphans)
    for (const Way& way : routes_.ways(s)) {
      if (lead_[way.out] != Lead::kDown || is_orphan(way.to)) continue;
      const Spot there = look(way.to);
      if (there.place == Place::kDown) offer(s, further(there.hops), way.out, way.port);
    }
  // way.in is the neighbour's channel to the placed switch.
  std::size_t left = orphans.size();
  left -= place_all(Place::kDown, [&](const Way& way, std::uint8_t hops) {
    if (lead_[way.in] == Lead::kDown) offer(way.to, hops, way.in, way.back);
  });
  // A kept path may lead over an orphan. It can be used as soon as that orphan has a place.
  for (std::size_t placed = 1; left > 0 && placed > 0; left -= placed) {
    for (const SwitchId s : orphans) {
      if (!is_orphan(s)) continue;
      for (const Way& way : routes_.ways(s)) {
        if (lead_[way.out] != Lead::kUp || is_orphan(way.to)) continue;
        const Spot there = look(way.to);
        if (there.place == Place::kDown || there.place == Place::kUp)
          offer(s, further(there.hops), way.out, way.port);
      }
    }
    placed = place_all(Place::kUp, [&](const Way& way, std::uint8_t hops) {
      if (lead_[way.in] == Lead::kUp) offer(way.to, hops, way.in, way.back);
    });
  }
  return left;
}

std::size_t ReattachSubtree::write(std::span<const SwitchId> orphans) {
  ports_.clear();
  std::size_t missing = 0;
  for (const SwitchId s : orphans) {
    const Spot& found = spots_[s];
    const bool placed = found.place != Place::kOrphan;
    ports_.push_back(placed ? found.port : kNoPort);
    missing += !placed && !routes_.whole().hosts_at(s).empty() &&
               routes_.whole().owner(lid_).kind == LidOwner::Kind::kHost;
  }
  routes_.change(lid_, orphans, ports_);
  return missing;
}

bool ReattachSubtree::reattach_near(Lid lid, std::span<const SwitchId> orphans, bool obeyed) {
  begin(lid);
  if (obeyed && orphans.size() == 1) return reattach_one(orphans[0]);
  orphan(orphans);
  if (attach(orphans) > 0) return false;
  write(orphans);
  return true;
}

/// Links from here to the owner; all entries on the way must exist.
std::uint8_t ReattachSubtree::count_hops(SwitchId s) const {
  const std::span<const PortNum> row = routes_.row(lid_);
  std::uint8_t hops = 0;
  for (; s != destination_switch_; s = routes_.target(routes_.channel_at(s, row[s])))
    hops = further(hops);
  return hops;
}

/// attach() for a single orphan that no kept path leads back to. The first channel of a neighbour's
/// path shows whether it is D, and hops are counted only where there is a choice.
bool ReattachSubtree::reattach_one(SwitchId s) {
  const std::span<const PortNum> row = routes_.row(lid_);
  const Way* found = nullptr;
  bool found_down = false, counted = false;
  std::uint8_t hops = 0;
  for (const Way& way : routes_.ways(s)) {
    const Lead lead = lead_[way.out];
    if (lead == Lead::kNowhere || (found_down && lead == Lead::kUp)) continue;
    if (way.to != destination_switch_) {
      const Channel then = routes_.channel_at(way.to, row[way.to]);
      if (then == kNoChannel || then == way.in || lead_[then] == Lead::kNowhere ||
          (lead == Lead::kDown && lead_[then] == Lead::kUp))
        continue;
    } else if (row[destination_switch_] == kNoPort) {
      continue;
    }
    const bool down = lead == Lead::kDown;
    if (found == nullptr || down != found_down) {
      found = &way;
      found_down = down;
      counted = false;
      continue;
    }
    if (!counted) hops = count_hops(found->to);
    counted = true;
    const std::uint8_t other = count_hops(way.to);
    if (other > hops || (other == hops && routes_.load(found->out) <= routes_.load(way.out)))
      continue;
    found = &way;
    hops = other;
  }
  if (found == nullptr) return false;
  routes_.change(lid_, {&s, 1}, {&found->port, 1});
  return true;
}

void ReattachSubtree::list_blocking(std::span<const SwitchId> orphans,
                                    std::vector<SwitchId>& blocking) const {
  const std::span<const PortNum> row = routes_.row(lid_);
  const auto kept = [&](SwitchId s) {  // and may lead further
    return s != destination_switch_ &&
           (spots_[s].round != round_ || spots_[s].place == Place::kUnknown);
  };
  for (const SwitchId orphan : orphans) {
    if (spots_[orphan].place != Place::kOrphan) continue;
    for (const Way& way : routes_.ways(orphan)) {
      if (lead_[way.out] != Lead::kUp) continue;
      for (SwitchId s = way.to; kept(s);) {
        blocking.push_back(s);
        const Channel c = routes_.channel_at(s, row[s]);
        if (c == kNoChannel) break;
        s = routes_.target(c);
      }
    }
  }
}

std::size_t ReattachSubtree::reattach(Lid lid, std::span<const SwitchId> orphans) {
  begin(lid);
  orphan(orphans);
  attach(orphans);
  return write(orphans);
}

std::size_t ReattachSubtree::reattach_all(Lid lid, std::span<const SwitchId> orphans,
                                          std::span<const SwitchId> piece) {
  begin(lid);
  orphan(orphans);
  anew_.clear();
  for (const SwitchId s : piece)
    if (s != destination_switch_ && look(s).place != Place::kDown) anew_.push_back(s);
  orphan(anew_);
  attach(anew_);
  for (const SwitchId s : anew_) {
    if (spots_[s].place != Place::kUp) continue;
    const Channel old = routes_.out_of(s, lid);
    if (old == kNoChannel || lead_[old] != Lead::kUp) continue;
    const Place there = look(routes_.target(old)).place;
    if (there == Place::kDown || there == Place::kUp) spots_[s].port = routes_.next(s, lid);
  }
  return write(anew_);
}

}  // namespace selvedge
