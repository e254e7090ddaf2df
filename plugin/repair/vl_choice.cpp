// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/vl_choice.hpp"

#include <algorithm>
#include <bit>

namespace selvedge {
namespace {

using Edge = DependencyOrder::Edge;
using Entry = LayeredRoutes::Entry;

constexpr std::uint32_t kImpossible = UINT32_MAX;
constexpr unsigned kTries = 6;  // how many further choices are tried if the first closes a cycle

}  // namespace

/// The VLs that the SL2VL entry may map to, as a bit mask: all if it may be chosen and is free,
/// else the present one; 0 if it drops.
VlChoice::VlSet VlChoice::choices(const Entry& e, bool may_choose) const {
  if (may_choose && routes_.free(e)) return routes_.vls_for(e.sl);
  const Vl vl = routes_.vl(e);
  return static_cast<VlSet>(vl == kDropVl ? 0u : 1u << vl);
}

/// Begins hops_ with the hop out of s. Packets from different source ports of s may be on different
/// VLs there; fixed_ then has all of them.
bool VlChoice::first_hop(SwitchId s, PortNum port, Sl sl, bool may_choose) {
  first_free_.clear();
  fixed_ = 0;
  const std::span<const PortNum> sources = routes_.sources(s);
  for (const PortNum in : sources) {
    const Entry e{s, in, port, sl};
    if (may_choose && routes_.free(e)) {
      first_free_.push_back(e);
      continue;
    }
    const Vl vl = routes_.vl(e);
    if (vl != kDropVl)
      fixed_ |= static_cast<VlSet>(1u << vl);
    else if (in != 0 || sources.size() == 1)
      // VL 15 drops packets. No path of packets that come from a host or another switch may be
      // dropped. Packets of the switch itself (port 0) may, unless there is no other source.
      return false;
  }
  const VlSet any = fixed_ != 0 ? fixed_ : routes_.vls_for(sl);
  hops_.push_back({routes_.channel_at(s, port), {s, sources.front(), port, sl}, any});
  return true;
}

bool VlChoice::lay_out(SwitchId s, PortNum port, Sl sl, Lid lid, bool may_choose) {
  hops_.clear();
  last_free_.reset();
  if (routes_.tables().host_sl2vl[sl] == kDropVl) return false;
  if (!first_hop(s, port, sl, may_choose)) return false;
  for (Channel c = hops_.front().channel;;) {
    const Fabric& fabric = routes_.whole();
    const SwitchId t = fabric.target(c);
    const PortNum out = routes_.next(t, lid);
    if (out == 0) return true;
    const Entry e{t, fabric.port_of(fabric.peer(c)), out, sl};
    c = routes_.channel_at(t, out);
    if (c == kNoChannel) {  // the last turn, into the host: any VL that does not drop will do
      if (routes_.vl(e) != kDropVl) return true;
      if (!may_choose || !routes_.free(e)) return false;
      last_free_ = e;
      return true;
    }
    const VlSet may = choices(e, may_choose);
    if (may == 0 || hops_.size() > fabric.num_switches()) return false;
    hops_.push_back({c, e, may});
  }
}

/// The cost of adding this dependency; 0 if it exists, kImpossible if it must not be added. A
/// dependency that leads to a lower rank costs more, because it may close a cycle.
std::uint32_t VlChoice::cost(const Edge& e, bool may_add) const {
  if (std::ranges::find(refused_, e) != refused_.end()) return kImpossible;
  if (routes_.dependencies().has(e)) return 0;
  if (!may_add) return kImpossible;
  // VLs that the original tables did not use cost twice as much, so that few of them are taken.
  const std::uint32_t extra = e.to.vl >= routes_.original_vls() ? 4 : 2;
  return routes_.dependencies().agrees(e) ? extra : 2 * extra;
}

/// Chooses the VLs with the least total cost: a shortest path in a graph whose nodes are the pairs
/// (hop, VL).
bool VlChoice::cheapest(bool may_add) {
  const unsigned vls = routes_.vls();
  cost_.resize(std::max(cost_.size(), hops_.size()));
  from_.resize(cost_.size());
  for (std::size_t i = 0; i < hops_.size(); ++i) {
    cost_[i].assign(vls, kImpossible);
    from_[i].assign(vls, 0);
    for (unsigned vl = 0; vl < vls; ++vl) {
      if ((hops_[i].may >> vl & 1u) == 0) continue;
      if (i == 0) {
        cost_[0][vl] = vl >= routes_.original_vls() ? 1 : 0;
        continue;
      }
      const auto edge = [&](unsigned held) {
        return Edge{{hops_[i - 1].channel, static_cast<Vl>(held)},
                    {hops_[i].channel, static_cast<Vl>(vl)}};
      };
      if (i == 1 && fixed_ != 0) {  // packets arrive on all VLs of fixed_: their costs add up
        std::uint32_t sum = 0;
        for (unsigned held = 0; held < vls && sum != kImpossible; ++held) {
          if ((fixed_ >> held & 1u) == 0) continue;
          const std::uint32_t one = cost(edge(held), may_add);
          sum = one == kImpossible ? kImpossible : sum + one;
        }
        cost_[1][vl] = sum;
        from_[1][vl] = static_cast<Vl>(std::countr_zero(fixed_));
        continue;
      }
      for (unsigned held = 0; held < vls; ++held) {
        if (cost_[i - 1][held] == kImpossible) continue;
        const std::uint32_t one = cost(edge(held), may_add);
        if (one == kImpossible || cost_[i - 1][held] + one >= cost_[i][vl]) continue;
        cost_[i][vl] = cost_[i - 1][held] + one;
        from_[i][vl] = static_cast<Vl>(held);
      }
    }
  }
  const auto& last = cost_[hops_.size() - 1];
  const auto best = std::ranges::min_element(last);
  if (*best == kImpossible) return false;
  vls_.assign(hops_.size(), 0);
  auto vl = static_cast<Vl>(best - last.begin());
  for (std::size_t i = hops_.size(); i-- > 0;) {
    vls_[i] = vl;
    vl = from_[i][vl];
  }
  edges_.clear();
  for (std::size_t i = 1; i < hops_.size(); ++i) {
    const VlSet held = i == 1 && fixed_ != 0 ? fixed_ : static_cast<VlSet>(1u << vls_[i - 1]);
    for (unsigned v = 0; v < vls; ++v)
      if (held >> v & 1u)
        edges_.push_back({{hops_[i - 1].channel, static_cast<Vl>(v)}, {hops_[i].channel, vls_[i]}});
  }
  return true;
}

bool VlChoice::find(SwitchId s, PortNum port, Sl sl, Lid lid, Rules rules) {
  if (!lay_out(s, port, sl, lid, rules.may_add)) return false;
  refused_.clear();
  for (unsigned tries = 0; cheapest(rules.may_add); ++tries) {
    std::size_t which = 0;
    if (routes_.dependencies().add(edges_, &which)) {
      // The caller adds the dependencies again, by LayeredRoutes::put().
      for (const Edge& e : edges_) routes_.dependencies().take(e);
      chosen_.clear();
      for (const Entry& e : first_free_) chosen_.push_back({e, vls_[0]});
      for (std::size_t i = 1; i < hops_.size(); ++i)
        if (rules.may_add && routes_.free(hops_[i].entry))
          chosen_.push_back({hops_[i].entry, vls_[i]});
      if (last_free_) chosen_.push_back({*last_free_, Vl{0}});
      return true;
    }
    if (tries == kTries) return false;
    refused_.push_back(edges_[which]);
  }
  return false;
}

}  // namespace selvedge
