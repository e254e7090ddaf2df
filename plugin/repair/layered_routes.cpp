// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/layered_routes.hpp"

#include <algorithm>
#include <bit>

namespace selvedge {
namespace {

using Edge = DependencyOrder::Edge;

}  // namespace

LayeredRoutes::LayeredRoutes(const Fabric& whole, Tables tables, unsigned vls)
    : whole_(whole),
      tables_(without_multicast(std::move(tables))),
      original_(tables_),
      original_vls_(vls_of(tables_)),
      vls_(std::max(vls, original_vls_)),
      order_(whole, vls_),
      sources_(whole.num_switches()),
      moved_(tables_.top_lid() + std::size_t{1}, 0) {
  std::size_t entries = 0;
  for (SwitchId s = 0; s < whole.num_switches(); ++s) {
    const std::size_t side = whole.node(s).ports + std::size_t{1};
    first_entry_.push_back(entries);
    entries += side * side * kSls;
    for (const HostId h : whole.hosts_at(s)) sources_[s].push_back(whole.host(h).port);
    sources_[s].push_back(0);
  }
  uses_.assign(entries, 0);
  for (unsigned i = 1; i <= tables_.top_lid(); ++i)
    for (SwitchId s = 0; s < whole.num_switches(); ++s) {
      const auto lid = static_cast<Lid>(i);
      sls_ |= static_cast<SlSet>(1u << tables_.sl(s, lid));
      put(s, lid);
    }
}

void LayeredRoutes::add_spare_sl(unsigned sls) {
  for (unsigned sl = 0; sl < std::min<unsigned>(sls, kSls); ++sl) {
    if ((sls_ >> sl & 1u) != 0 || tables_.host_sl2vl[sl] == kDropVl) continue;
    sls_ |= static_cast<SlSet>(1u << sl);
    return;
  }
}

Channel LayeredRoutes::channel_at(SwitchId s, PortNum port) const {
  if (port == 0 || port > whole_.node(s).ports) return kNoChannel;
  const Channel c = whole_.channel(s, port);
  return whole_.between_switches(c) && whole_.target(c) != s ? c : kNoChannel;
}

/// Follows the path from s to the LID. Calls turn(entry, VL) for each SL2VL entry that the path
/// uses (at s: one for each source port), and hold(edge) for each dependency. An entry that drops
/// ends the path. At s the switch's own packets (port 0) may be dropped while those of its hosts
/// pass.
template <class Turn, class Hold>
void LayeredRoutes::walk(SwitchId s, Lid lid, Turn turn, Hold hold) const {
  const Sl sl = tables_.sl(s, lid);
  PortNum out = tables_.next(s, lid);
  if (out == kNoPort || out == 0) return;
  VlSet vls = 0;
  for (const PortNum in : sources_[s]) {
    const Entry first{s, in, out, sl};
    const Vl vl = this->vl(first);
    turn(first, vl);
    if (vl != kDropVl) vls |= static_cast<VlSet>(1u << vl);
  }
  Channel c = channel_at(s, out);
  for (std::uint32_t steps = 0; c != kNoChannel && vls != 0 && steps < whole_.num_switches();
       ++steps) {
    const SwitchId t = whole_.target(c);
    out = tables_.next(t, lid);
    if (out == kNoPort || out == 0) return;
    const Entry entry{t, whole_.port_of(whole_.peer(c)), out, sl};
    const Vl vl = this->vl(entry);
    turn(entry, vl);
    const Channel then = channel_at(t, out);
    if (then == kNoChannel || vl == kDropVl) return;
    for (; vls != 0; vls &= static_cast<VlSet>(vls - 1))
      hold(Edge{{c, static_cast<Vl>(std::countr_zero(vls))}, {then, vl}});
    vls = static_cast<VlSet>(1u << vl);
    c = then;
  }
}

void LayeredRoutes::count(SwitchId s, Lid lid, int times) {
  walk(
      s, lid, [&](const Entry& e, Vl) { pin(e, times); },
      [&](const Edge& e) {
        if (times > 0)
          order_.put(e);
        else
          order_.take(e);
      });
}

bool LayeredRoutes::add(SwitchId s, Lid lid) {
  if (!edges(s, lid, edges_) || !order_.add(edges_)) return false;
  walk(s, lid, [&](const Entry& e, Vl) { pin(e, 1); }, [](const Edge&) {});
  return true;
}

bool LayeredRoutes::edges(SwitchId s, Lid lid, std::vector<Edge>& edges) const {
  bool whole = true;
  edges.clear();
  walk(
      s, lid, [&](const Entry& e, Vl vl) { whole &= vl != kDropVl || (e.in == 0 && e.at == s); },
      [&](const Edge& e) { edges.push_back(e); });
  return whole;
}

void LayeredRoutes::set_next(SwitchId s, Lid lid, PortNum port) {
  const PortNum before = tables_.next(s, lid), first = original_.next(s, lid);
  next_before_.try_emplace({s, lid}, before);
  moved_[lid] += unsigned{port != first} - unsigned{before != first};
  tables_.set_next(s, lid, port);
}

void LayeredRoutes::set_sl(SwitchId s, Lid lid, Sl sl) {
  sl_before_.try_emplace({s, lid}, tables_.sl(s, lid));
  tables_.set_sl(s, lid, sl);
}

void LayeredRoutes::set_vl(const Entry& e, Vl vl) {
  Sl2VlRow row = tables_.sl2vl.row(e.at, e.in, e.out);
  if (row[e.sl] == vl) return;
  row_before_.try_emplace({e.at, e.in, e.out}, row);
  row[e.sl] = vl;
  tables_.sl2vl.set(e.at, e.in, e.out, row);
}

Delta LayeredRoutes::take_delta() {
  Delta delta;
  delta.host_sl2vl_before = delta.host_sl2vl_after = tables_.host_sl2vl;
  for (const auto& [key, before] : next_before_)
    if (const PortNum now = tables_.next(key.first, key.second); now != before)
      delta.lft.push_back({key.first, key.second, before, now});
  for (const auto& [key, before] : sl_before_)
    if (const Sl now = tables_.sl(key.first, key.second); now != before)
      delta.sl.push_back({key.first, key.second, before, now});
  for (const auto& [key, before] : row_before_) {
    const auto [s, in, out] = key;
    if (const Sl2VlRow& now = tables_.sl2vl.row(s, in, out); now != before)
      delta.sl2vl.push_back({s, in, out, before, now});
  }
  next_before_.clear();
  sl_before_.clear();
  row_before_.clear();
  return delta;
}

std::size_t LayeredRoutes::bytes() const {
  return order_.bytes() + uses_.size() * sizeof uses_[0] + moved_.size() * sizeof moved_[0] +
         tables_.bytes() + original_.bytes();
}

bool LayeredRoutes::consistent() const {
  const LayeredRoutes fresh(whole_, tables_, vls_);
  if (uses_ != fresh.uses_) return false;
  for (Channel c = 0; c < whole_.num_switch_channels(); ++c) {
    if (!whole_.between_switches(c)) continue;
    for (const Channel then : whole_.out(whole_.target(c)))
      for (unsigned vls = 0; vls < vls_ * vls_; ++vls) {
        const Edge e{{c, static_cast<Vl>(vls / vls_)}, {then, static_cast<Vl>(vls % vls_)}};
        if (order_.count(e) != fresh.order_.count(e)) return false;
      }
  }
  return true;
}

}  // namespace selvedge
