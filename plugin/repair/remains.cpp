// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/remains.hpp"

#include <algorithm>
#include <array>

namespace selvedge {

void Remains::look(const Fabric& left) {
  left_ = &left;
  failed_.clear();
  was_failed_.resize(left.num_switches(), false);
  for (SwitchId s = 0; s < left.num_switches(); ++s) {
    if (left.node(s).failed && !was_failed_[s]) failed_.push_back(s);
    was_failed_[s] = left.node(s).failed;
  }
  alive_.assign(left.num_switch_channels(), false);
  for (SwitchId s = 0; s < left.num_switches(); ++s)
    for (const Channel c : left.out(s)) alive_[c] = true;
  constexpr std::uint32_t kNone = UINT32_MAX;
  piece_.assign(left.num_switches(), kNone);
  members_.clear();
  for (SwitchId start = 0; start < left.num_switches(); ++start) {
    if (piece_[start] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(members_.size());
    std::vector<SwitchId> list{start};
    piece_[start] = number;
    for (std::size_t i = 0; i < list.size(); ++i)
      for (const Channel c : left.out(list[i])) {
        const SwitchId to = left.target(c);
        if (piece_[to] != kNone) continue;
        piece_[to] = number;
        list.push_back(to);
      }
    members_.push_back(std::move(list));
  }
}

void Remains::lose(const Fabric& left, std::span<const Channel> went) {
  left_ = &left;
  failed_.clear();
  for (const Channel c : went)
    if (left.from_switch(c)) alive_[c] = false;
  for (SwitchId s = 0; s < left.num_switches(); ++s)
    if (left.node(s).failed != was_failed_[s]) return look(left);
  if (!still_joined(went)) look(left);
}

/// Whether the switches of these channels are still physically connected with each other.
bool Remains::still_joined(std::span<const Channel> went) {
  seen_.resize(piece_.size(), 0);
  const std::uint32_t end = ++stamp_, visited = ++stamp_;
  std::size_t ends = 0;
  SwitchId first = kNoSwitch;
  for (const Channel c : went) {
    if (!left_->from_switch(c)) continue;
    const SwitchId s = left_->switch_of(c);
    if (first == kNoSwitch) first = s;
    if (piece_[s] != piece_[first]) return false;  // conservative: the caller recomputes the pieces
    ends += seen_[s] != end;
    seen_[s] = end;
  }
  if (ends < 2) return true;
  list_.assign(1, first);
  seen_[first] = visited;
  for (std::size_t i = 0; i < list_.size(); ++i)
    for (const Channel c : left_->out(list_[i])) {
      const SwitchId to = left_->target(c);
      if (seen_[to] == visited) continue;
      ends -= seen_[to] == end;
      if (ends == 1) return true;
      seen_[to] = visited;
      list_.push_back(to);
    }
  return false;
}

PortNum Remains::last_port(Lid lid) const {
  const LidOwner owner = left_->owner(lid);
  if (owner.kind == LidOwner::Kind::kSwitch)
    return left_->node(owner.id).failed ? kNoPort : PortNum{0};
  if (owner.kind == LidOwner::Kind::kHost && left_->attached(owner.id))
    return left_->host(owner.id).port;
  return kNoPort;
}

bool Remains::served(Lid lid, SwitchId from) const {
  const SwitchId destination_switch = left_->destination_switch(lid);
  return destination_switch != kNoSwitch && piece_[destination_switch] == piece_[from] &&
         last_port(lid) != kNoPort;
}

std::vector<Break> Remains::broken(std::span<const Channel> went, const Tables& tables) const {
  std::vector<Channel> channels;
  for (const Channel c : went)
    if (left_->from_switch(c)) channels.push_back(c);
  for (const SwitchId s : failed_) channels.push_back(left_->channel(s, 0));
  std::ranges::sort(channels);
  std::vector<Break> found;
  std::array<bool, 256> gone;
  for (auto first = channels.begin(), last = first; first != channels.end(); first = last) {
    const SwitchId s = left_->switch_of(*first);
    gone.fill(false);
    for (; last != channels.end() && left_->switch_of(*last) == s; ++last)
      gone[left_->port_of(*last)] = true;
    if (std::ranges::find(failed_, s) != failed_.end()) gone.fill(true);
    gone[kNoPort] = false;
    const std::span<const PortNum> lft = tables.lft(s);
    const auto others = static_cast<std::ptrdiff_t>(found.size());
    for (std::size_t lid = 1; lid < lft.size(); ++lid)
      if (gone[lft[lid]]) found.push_back({static_cast<Lid>(lid), s});
    std::inplace_merge(found.begin(), found.begin() + others, found.end());
  }
  return found;
}

std::vector<Break> Remains::missing(const Tables& tables) const {
  std::vector<Break> found;
  for (SwitchId s = 0; s < left_->num_switches(); ++s) {
    if (left_->node(s).failed) continue;
    const std::span<const PortNum> lft = tables.lft(s);
    for (std::size_t i = 1; i < lft.size(); ++i) {
      const auto lid = static_cast<Lid>(i);
      if (lft[i] == kNoPort && served(lid, s)) found.push_back({lid, s});
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace selvedge
