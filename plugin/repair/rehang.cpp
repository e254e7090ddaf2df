// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/rehang.hpp"

#include <algorithm>

namespace selvedge {

void Rehang::begin(Lid lid) {
  for (const SwitchId s : touched_) place_[s] = Place::kUnknown;
  touched_.clear();
  lid_ = lid;
  const SwitchId home = routes_.whole().home(lid);
  if (routes_.next(home, lid) != kNoPort) set(home, Place::kDown, 0);
}

void Rehang::set(SwitchId s, Place place, std::uint32_t length) {
  if (place_[s] == Place::kUnknown) touched_.push_back(s);
  place_[s] = place;
  length_[s] = length;
}

/// Of a switch whose entry is kept: follows the entries as far as needed.
Rehang::Place Rehang::classify(SwitchId s) {
  trail_.clear();
  while (place_[s] == Place::kUnknown) {
    const Channel c = routes_.out_of(s, lid_);
    if (c == kNoChannel || !alive_[c]) {
      set(s, Place::kForbidden, 0);  // leads nowhere
      break;
    }
    trail_.push_back(s);
    s = routes_.target(c);
  }
  for (std::size_t i = trail_.size(); i-- > 0;) {
    const SwitchId t = trail_[i];
    const bool goes_up = (*up_)[routes_.out_of(t, lid_)];
    Place place = Place::kForbidden;
    if (!goes_up && place_[s] == Place::kDown)
      place = Place::kDown;
    else if (goes_up && (place_[s] == Place::kDown || place_[s] == Place::kUp))
      place = Place::kUp;
    set(t, place, length_[s] + 1);
    s = t;
  }
  return place_[s];
}

/// Shortest first; among equals over the cable that fewest LIDs use.
void Rehang::attach(std::span<const SwitchId> orphans, bool going_up) {
  offers_.clear();
  const auto offer = [&](SwitchId s, const Way& way, SwitchId to) {
    offers_.push_back({length_[to] + 1, routes_.load(way.out), s, way.port});
    std::ranges::push_heap(offers_, std::greater<>{});
  };
  for (const SwitchId s : orphans) {
    if (place_[s] != Place::kOrphan) continue;
    for (const Way& way : routes_.ways(s)) {
      if (!alive_[way.out] || (*up_)[way.out] != going_up || place_[way.to] == Place::kOrphan)
        continue;
      const Place there = classify(way.to);
      if (there == Place::kDown || (going_up && there == Place::kUp)) offer(s, way, way.to);
    }
  }
  while (!offers_.empty()) {
    std::ranges::pop_heap(offers_, std::greater<>{});
    const Offer best = offers_.back();
    offers_.pop_back();
    if (place_[best.at] != Place::kOrphan) continue;
    set(best.at, going_up ? Place::kUp : Place::kDown, best.length);
    found_[best.at] = best.port;
    for (const Way& way : routes_.ways(best.at))  // the neighbours' channels to here
      if (alive_[way.in] && (*up_)[way.in] == going_up && place_[way.to] == Place::kOrphan) {
        offers_.push_back({best.length + 1, routes_.load(way.in), way.to, way.back});
        std::ranges::push_heap(offers_, std::greater<>{});
      }
  }
}

std::size_t Rehang::write(std::span<const SwitchId> orphans) {
  ports_.clear();
  std::size_t missing = 0;
  const bool to_host = routes_.whole().owner(lid_).kind == LidOwner::Kind::kHost;
  for (const SwitchId s : orphans) {
    const bool placed = place_[s] != Place::kOrphan;
    ports_.push_back(placed ? found_[s] : kNoPort);
    missing += !placed && to_host && !routes_.whole().hosts_at(s).empty();
  }
  routes_.change(lid_, orphans, ports_);
  return missing;
}

std::size_t Rehang::hang(Lid lid, std::span<const SwitchId> orphans, const std::vector<bool>& up) {
  begin(lid);
  up_ = &up;
  for (const SwitchId s : orphans) set(s, Place::kOrphan, 0);
  attach(orphans, false);
  attach(orphans, true);
  return write(orphans);
}

std::size_t Rehang::hang_all(Lid lid, std::span<const SwitchId> orphans,
                             std::span<const SwitchId> piece, const std::vector<bool>& up) {
  begin(lid);
  up_ = &up;
  const SwitchId home = routes_.whole().home(lid);
  for (const SwitchId s : orphans) set(s, Place::kOrphan, 0);
  anew_.clear();
  for (const SwitchId s : piece)
    if (s != home && (place_[s] == Place::kOrphan || classify(s) != Place::kDown))
      anew_.push_back(s);
  for (const SwitchId s : anew_) set(s, Place::kOrphan, 0);
  attach(anew_, false);
  attach(anew_, true);
  for (const SwitchId s : anew_) {
    if (place_[s] != Place::kUp) continue;
    const Channel old = routes_.out_of(s, lid);
    if (old == kNoChannel || !alive_[old] || !up[old]) continue;
    const Place there = place_[routes_.target(old)];
    if (there == Place::kDown || there == Place::kUp) found_[s] = routes_.next(s, lid);
  }
  return write(anew_);
}

}  // namespace selvedge
