// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/pair_sls.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace selvedge {
namespace {

using Path = std::pair<SwitchId, Lid>;

/// One pair in so many may be apart.
constexpr std::size_t kRareBelow = 20;

/// All paths between hosts at s and hosts at t, in both directions. LIDs that have no path at
/// present are among them: they may get one again.
std::vector<Path> paths_between(const Fabric& fabric, SwitchId s, SwitchId t) {
  std::vector<Path> paths;
  for (const auto& [from, to] : {std::pair(s, t), std::pair(t, s)})
    for (const HostId h : fabric.hosts_at(to))
      for (unsigned i = 0; i < fabric.host(h).lid_count(); ++i)
        paths.emplace_back(from, static_cast<Lid>(fabric.host(h).lid + i));
  return paths;
}

bool have_one_sl(const Tables& tables, std::span<const Path> paths) {
  return std::ranges::all_of(paths, [&](const Path& p) {
    return tables.sl(p.first, p.second) == tables.sl(paths[0].first, paths[0].second);
  });
}

/// Whether packets from s reach the host with this LID.
bool arrives(const LayeredRoutes& routes, SwitchId s, Lid lid) {
  const Fabric& fabric = routes.whole();
  const SwitchId destination_switch = fabric.destination_switch(lid);
  for (SwitchId steps = 0; s != destination_switch; ++steps) {
    const Channel c = routes.out_of(s, lid);
    if (c == kNoChannel || steps > fabric.num_switches()) return false;
    s = fabric.target(c);
  }
  return routes.next(s, lid) != kNoPort;
}

/// Counts the path on its present SL, and sets the free SL2VL entries that it needs; `written` gets
/// their VLs of before. Returns false, with nothing counted, if it would close a cycle.
bool count_path(LayeredRoutes& routes, VlChoice& choice, const Path& path,
                std::vector<VlChoice::Chosen>& written) {
  const auto [s, lid] = path;
  if (!arrives(routes, s, lid)) return routes.add(s, lid);
  if (!choice.find(s, routes.next(s, lid), routes.tables().sl(s, lid), lid, {true})) return false;
  for (const VlChoice::Chosen& c : choice.chosen()) {
    written.push_back({c.entry, routes.vl(c.entry)});
    routes.set_vl(c.entry, c.vl);
  }
  routes.put(s, lid);
  return true;
}

/// Gives these paths, which are counted, one SL. Returns false, with nothing changed, if some path
/// does not fit it.
bool give_sl(LayeredRoutes& routes, VlChoice& choice, std::span<const Path> paths, Sl sl) {
  std::vector<Sl> before;
  for (const auto& [s, lid] : paths) {
    before.push_back(routes.tables().sl(s, lid));
    routes.take(s, lid);
    routes.set_sl(s, lid, sl);
  }
  std::vector<VlChoice::Chosen> written;
  std::size_t counted = 0;
  while (counted < paths.size() && count_path(routes, choice, paths[counted], written)) ++counted;
  if (counted == paths.size()) return true;
  for (std::size_t i = 0; i < counted; ++i) routes.take(paths[i].first, paths[i].second);
  for (std::size_t i = written.size(); i-- > 0;) routes.set_vl(written[i].entry, written[i].vl);
  // The search has reordered the channels, so that the order must be found again for what put()
  // counts, where add() may not be used: a path that an SL2VL entry ends.
  for (std::size_t i = 0; i < paths.size(); ++i)
    routes.set_sl(paths[i].first, paths[i].second, before[i]);
  bool put = false;
  for (const auto& [s, lid] : paths)
    if (!routes.add(s, lid)) {
      routes.put(s, lid);
      put = true;
    }
  if (put) routes.dependencies().order();
  return false;
}

}  // namespace

bool pairs_share_sls(const LayeredRoutes& routes) {
  const Fabric& fabric = routes.whole();
  if (std::popcount(routes.sls()) < 2) return false;
  std::size_t pairs = 0, apart = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.hosts_at(s).empty()) continue;
    for (SwitchId t = 0; t < s; ++t) {
      if (fabric.hosts_at(t).empty()) continue;
      ++pairs;
      apart += !have_one_sl(routes.tables(), paths_between(fabric, s, t));
    }
  }
  return apart * kRareBelow < pairs;
}

void share_sls(LayeredRoutes& routes, VlChoice& choice, Repair& repair) {
  const Fabric& fabric = routes.whole();
  const Tables& tables = routes.tables();
  std::map<std::pair<SwitchId, SwitchId>, Sl> changed;  // pair of switches: the SL to try first
  std::map<Path, Sl> before;
  for (const Readdressed& r : repair.readdressed) {
    if (r.before != r.after) continue;
    before.try_emplace({r.source, r.before}, r.sl_before);
    const SwitchId t = fabric.destination_switch(r.before);
    if (t != r.source && fabric.owner(r.before).kind == LidOwner::Kind::kHost)
      changed.try_emplace(std::minmax(r.source, t), tables.sl(r.source, r.before));
  }
  for (const auto& [pair, first] : changed) {
    const std::vector<Path> paths = paths_between(fabric, pair.first, pair.second);
    if (have_one_sl(tables, paths)) continue;
    for (const Path& path : paths) before.try_emplace(path, tables.sl(path.first, path.second));
    for (unsigned k = 0; k < kSls; ++k) {
      const auto sl = static_cast<Sl>((first + k) % kSls);
      if (routes.may_have(sl) && give_sl(routes, choice, paths, sl)) break;
    }
  }
  std::erase_if(repair.readdressed, [](const Readdressed& r) { return r.before == r.after; });
  for (Readdressed& r : repair.readdressed) r.sl_after = tables.sl(r.source, r.after);
  for (const auto& [path, sl] : before)
    if (const Sl now = tables.sl(path.first, path.second); now != sl)
      repair.readdressed.push_back({path.first, path.second, path.second, sl, now});
}

}  // namespace selvedge
