// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/rehang.hpp"

#include <algorithm>

namespace selvedge {
namespace {

std::uint8_t further(std::uint8_t hops) {
  return std::min<std::uint8_t>(LiveRoutes::kHopsMax - 1, hops) + 1;
}

}  // namespace

Rehang::Rehang(LiveRoutes& routes, const std::vector<bool>& alive)
    : routes_(routes),
      alive_(alive),
      lead_(routes.whole().num_switch_channels(), Lead::kNowhere),
      spots_(routes.whole().num_switches()) {}

void Rehang::under(const std::vector<bool>& up, bool obeyed) {
  for (Channel c = 0; c < lead_.size(); ++c)
    lead_[c] = !alive_[c] ? Lead::kNowhere : up[c] ? Lead::kUp : Lead::kDown;
  obeyed_ = obeyed;
}

void Rehang::begin(Lid lid) {
  ++round_;
  lid_ = lid;
  home_ = routes_.whole().home(lid);
  if (routes_.next(home_, lid) != kNoPort) spots_[home_] = {round_, Place::kDown, 0, kNoPort};
}

/// A switch whose entry is kept.
const Rehang::Spot& Rehang::look(SwitchId s) {
  Spot& here = spot(s);
  if (here.place != Place::kUnknown) return here;
  if (!obeyed_) {
    follow(s);
    return spots_[s];
  }
  const Channel c = routes_.out_of(s, lid_);
  here.hops = routes_.hops(s, lid_);
  here.place = c == kNoChannel || lead_[c] == Lead::kNowhere || here.hops == LiveRoutes::kNoHops
                   ? Place::kForbidden
               : lead_[c] == Lead::kUp ? Place::kUp
                                       : Place::kDown;
  return here;
}

/// Follows the entries as far as needed.
void Rehang::follow(SwitchId s) {
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
  for (std::size_t i = trail_.size(); i-- > 0;) {
    const SwitchId t = trail_[i];
    const bool goes_up = lead_[routes_.out_of(t, lid_)] == Lead::kUp;
    const Spot& next = spots_[s];
    Place place = Place::kForbidden;
    if (!goes_up && next.place == Place::kDown)
      place = Place::kDown;
    else if (goes_up && (next.place == Place::kDown || next.place == Place::kUp))
      place = Place::kUp;
    spots_[t] = {round_, place, further(next.hops), kNoPort};
    s = t;
  }
}

Rehang::Offer Rehang::offer(std::uint8_t hops, Channel over, SwitchId at, PortNum port) const {
  // A fabric has fewer switches, and a channel fewer LIDs, than there are unicast LIDs: 16 bits.
  return Offer{hops} << 40 | Offer{routes_.load(over)} << 24 | Offer{at} << 8 | port;
}

/// Takes the least offer to an orphan, and those to others that come of it, until there is none.
template <class F>
void Rehang::take_least(std::vector<Offer>& offers, Place place, F placed) {
  std::ranges::make_heap(offers, std::greater<>{});
  while (!offers.empty()) {
    std::ranges::pop_heap(offers, std::greater<>{});
    const Offer best = offers.back();
    offers.pop_back();
    const auto at = static_cast<SwitchId>(best >> 8 & 0xffff);
    Spot& here = spots_[at];
    if (here.place != Place::kOrphan) continue;
    here = {round_, place, static_cast<std::uint8_t>(best >> 40), static_cast<PortNum>(best)};
    for (const Way& way : routes_.ways(at)) {  // the neighbours' channels to here
      const Spot& there = spots_[way.to];
      if (there.round == round_ && there.place == Place::kOrphan) placed(way, further(here.hops));
    }
  }
}

void Rehang::attach(std::span<const SwitchId> orphans) {
  down_.clear();
  up_.clear();
  for (const SwitchId s : orphans)
    for (const Way& way : routes_.ways(s)) {
      const Lead lead = lead_[way.out];
      if (lead == Lead::kNowhere) continue;
      const Spot& there = look(way.to);
      const bool down = lead == Lead::kDown;
      if (there.place != Place::kDown && (down || there.place != Place::kUp)) continue;
      (down ? down_ : up_).push_back(offer(further(there.hops), way.out, s, way.port));
    }
  // A neighbour's channel to here is the opposite of ours to it.
  take_least(down_, Place::kDown, [&](const Way& way, std::uint8_t hops) {
    if (lead_[way.in] == Lead::kNowhere) return;
    const bool down = lead_[way.in] == Lead::kDown;
    const Offer next = offer(hops, way.in, way.to, way.back);
    (down ? down_ : up_).push_back(next);
    if (down) std::ranges::push_heap(down_, std::greater<>{});
  });
  take_least(up_, Place::kUp, [&](const Way& way, std::uint8_t hops) {
    if (lead_[way.in] != Lead::kUp) return;
    up_.push_back(offer(hops, way.in, way.to, way.back));
    std::ranges::push_heap(up_, std::greater<>{});
  });
}

std::size_t Rehang::write(std::span<const SwitchId> orphans, bool hops_known) {
  ports_.clear();
  hops_.clear();
  std::size_t missing = 0;
  for (const SwitchId s : orphans) {
    const Spot& found = spots_[s];
    const bool placed = found.place != Place::kOrphan;
    ports_.push_back(placed ? found.port : kNoPort);
    hops_.push_back(placed ? found.hops : LiveRoutes::kNoHops);
    missing += !placed && !routes_.whole().hosts_at(s).empty() &&
               routes_.whole().owner(lid_).kind == LidOwner::Kind::kHost;
  }
  if (!hops_known) hops_.clear();
  routes_.change(lid_, orphans, ports_, hops_);
  return missing;
}

std::size_t Rehang::hang(Lid lid, std::span<const SwitchId> orphans) {
  begin(lid);
  for (const SwitchId s : orphans) spots_[s] = {round_, Place::kOrphan, 0, kNoPort};
  attach(orphans);
  return write(orphans, true);
}

std::size_t Rehang::hang_all(Lid lid, std::span<const SwitchId> orphans,
                             std::span<const SwitchId> piece) {
  begin(lid);
  for (const SwitchId s : orphans) spots_[s] = {round_, Place::kOrphan, 0, kNoPort};
  anew_.clear();
  for (const SwitchId s : piece)
    if (s != home_ && look(s).place != Place::kDown) anew_.push_back(s);
  for (const SwitchId s : anew_) spots_[s] = {round_, Place::kOrphan, 0, kNoPort};
  attach(anew_);
  for (const SwitchId s : anew_) {
    if (spots_[s].place != Place::kUp) continue;
    const Channel old = routes_.out_of(s, lid);
    if (old == kNoChannel || lead_[old] != Lead::kUp) continue;
    const Place there = spot(routes_.target(old)).place;
    if (there == Place::kDown || there == Place::kUp) spots_[s].port = routes_.next(s, lid);
  }
  return write(anew_, false);
}

}  // namespace selvedge
