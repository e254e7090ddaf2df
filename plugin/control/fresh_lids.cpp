// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/fresh_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/connected.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/repair/fresh_paths.hpp"
#include "plugin/repair/separate_base.hpp"
#include "plugin/tables/spare_lids.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kPairsNamed = 4;  // most pairs that describe_fresh() names

/// Per switch: whether LFT entries lead from there to the host, over cables that work.
std::vector<bool> arrivals(const Fabric& fabric, const Tables& tables, const Host& host, Lid lid) {
  enum State : std::uint8_t { kUnknown, kSeen, kArrives };
  std::vector<std::uint8_t> state(fabric.num_switches(), kUnknown);
  state[host.at] = tables.next(host.at, lid) == host.port ? kArrives : kSeen;
  std::vector<SwitchId> trail;
  for (SwitchId start = 0; start < fabric.num_switches(); ++start) {
    trail.clear();
    SwitchId s = start;
    while (state[s] == kUnknown) {
      state[s] = kSeen;
      trail.push_back(s);
      const PortNum port = tables.next(s, lid);
      if (port == 0 || port > fabric.node(s).ports ||
          !fabric.between_switches(fabric.channel(s, port)))
        break;
      s = fabric.target(fabric.channel(s, port));
    }
    if (state[s] == kArrives)
      for (const SwitchId t : trail) state[t] = kArrives;
  }
  std::vector<bool> arrives;
  for (const std::uint8_t s : state) arrives.push_back(s == kArrives);
  return arrives;
}

/// Calls f(host id, LID) for each spare LID of a host with a cable.
template <class F>
void each_spare(const Fabric& fabric, const Tables& tables, F f) {
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    for (unsigned i = 0; fabric.attached(h) && i < fabric.host(h).lid_count(); ++i)
      if (const auto lid = static_cast<Lid>(fabric.host(h).lid + i); tables.is_spare(lid))
        f(h, lid);
}

/// A path of a fresh LID, with the ids of the new fabric.
struct FreshPath {
  SwitchId source;
  Lid lid;
  Sl sl;
  std::vector<Channel> channels;  // as far as they exist in the new fabric
  bool whole = false;             // whether all of them do
};

/// The fresh paths of `tables`, which have the ids of `fabric`, from switches with hosts. A path
/// that ends another one comes before it, so that each keeps its own SL.
std::vector<FreshPath> fresh_paths(const Fabric& fabric, const Tables& tables) {
  std::vector<FreshPath> paths;
  each_spare(fabric, tables, [&](HostId h, Lid lid) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (s == fabric.host(h).at || fabric.hosts_at(s).empty() || tables.next(s, lid) == kNoPort)
        continue;
      FreshPath path{s, lid, tables.sl(s, lid), {}};
      SwitchId at = s;
      while (at != fabric.host(h).at && path.channels.size() < fabric.num_switches()) {
        const PortNum port = tables.next(at, lid);
        if (port == 0 || port > fabric.node(at).ports) break;
        const Channel c = fabric.channel(at, port);
        if (!fabric.between_switches(c)) break;
        path.channels.push_back(c);
        at = fabric.target(c);
      }
      path.whole = at == fabric.host(h).at;
      paths.push_back(std::move(path));
    }
  });
  std::ranges::stable_sort(paths, {}, [](const FreshPath& p) { return p.channels.size(); });
  return paths;
}

/// A draft of the plan with these tables, which have no guard.
Plan with_tables(const Plan& plan, Tables tables) {
  Plan after = plan;
  after.guarded = false;
  after.base_guard.reset();
  after.dark.reset();
  after.tables = std::move(tables);
  after.unguarded_sl2vl = after.tables.sl2vl;
  after.tables.mft = broadcast_group(after.fabric, after.multicast);
  return after;
}

}  // namespace

std::shared_ptr<const SpareRule> spare_rule(const Plan* in_force) {
  auto rule = std::make_shared<SpareRule>();
  if (in_force == nullptr || !in_force->tables.has_spare_lids()) return rule;
  const Fabric& fabric = in_force->fabric;
  const Tables& tables = in_force->tables;
  rule->engine = in_force->engine;
  rule->known.assign(tables.top_lid() + std::size_t{1}, false);
  rule->spare = rule->fresh = rule->known;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    for (unsigned i = 0; fabric.host(h).lid != kNoLid && i < fabric.host(h).lid_count(); ++i) {
      const auto lid = static_cast<Lid>(fabric.host(h).lid + i);
      rule->known[lid] = true;
      rule->spare[lid] = tables.is_spare(lid);
      for (SwitchId s = 0; rule->spare[lid] && s < fabric.num_switches(); ++s)
        if (s != fabric.host(h).at && tables.next(s, lid) != kNoPort) rule->fresh[lid] = true;
    }
  return rule;
}

std::size_t leave_spare(const Engine& engine, Plan& draft, const SpareRule& rule) {
  const Fabric& fabric = draft.fabric;
  std::vector<bool> surplus(draft.tables.top_lid() + std::size_t{1}, false);
  for (const Lid lid : surplus_lids(fabric, draft.tables, engine.lmc == nullptr))
    surplus[lid] = true;
  std::vector<Lid> spare;
  for (const Host& host : fabric.hosts())
    for (unsigned i = 1; host.lid != kNoLid && i < host.lid_count(); ++i) {
      const auto lid = static_cast<Lid>(host.lid + i);
      bool is_spare = surplus[lid];
      if (lid < rule.known.size() && rule.known[lid])
        is_spare = draft.engine == rule.engine
                       ? rule.spare[lid]
                       : rule.fresh[lid] || (surplus[lid] && rule.spare[lid]);
      if (is_spare) spare.push_back(lid);
    }
  make_spare(fabric, draft.tables, spare);
  return spare.size();
}

bool has_fresh_lids(const Plan& plan) { return has_fresh_path(plan.fabric, plan.tables); }

std::vector<FreshPair> pairs_hit(const Plan& plan) {
  std::vector<FreshPair> pairs;
  if (!plan.undamaged_baseline || !plan.tables.has_spare_lids()) return pairs;
  const Fabric& fabric = plan.fabric;
  const Tables& tables = plan.tables;
  const Tables then =
      with_ids_of(plan.undamaged_baseline->fabric, plan.undamaged_baseline->tables, fabric);
  const std::vector<SwitchId> part = connected_parts(fabric);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (!fabric.attached(h) || host.lid == kNoLid ||
        host.lid + host.lid_count() > then.top_lid() + 1u)
      continue;
    std::vector<FreshPair> of_source(fabric.num_switches());
    for (unsigned i = 0; i < host.lid_count(); ++i) {
      const auto lid = static_cast<Lid>(host.lid + i);
      const bool spare = tables.is_spare(lid);
      const std::vector<bool> works = arrivals(fabric, spare ? tables : then, host, lid);
      for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
        FreshPair& pair = of_source[s];
        if (spare && works[s] && pair.after == kNoLid) {
          pair.after = lid;
          pair.sl = tables.sl(s, lid);
        } else if (!spare && !works[s] && pair.before == kNoLid) {
          pair.before = lid;
        }
      }
    }
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (of_source[s].before == kNoLid || s == host.at || fabric.hosts_at(s).empty() ||
          part[s] != part[host.at])
        continue;
      pairs.push_back(of_source[s]);
      pairs.back().source = s;
      pairs.back().host = h;
    }
  }
  std::ranges::sort(pairs, {}, [](const FreshPair& p) { return std::pair(p.source, p.host); });
  return pairs;
}

RepairRequest fresh_request(const Plan& plan, unsigned max_vls) {
  RepairRequest request;
  request.mode = RepairMode::kReaddress;
  request.max_vls = plan.guarded ? 1 : std::min(max_vls, std::max(plan.max_vls, 1u));
  // On one SL every response is a path (ReplyGrade::kSameSl); a second SL would end that.
  request.max_sls = plan.verdict.sls_used <= 1 ? 1 : plan.max_sls;
  if (const auto part = separate_base(plan.fabric, unguarded_tables(plan)))
    request.base_lane = part->lane;
  return request;
}

std::optional<Plan> give_fresh_lids(const Plan& plan, unsigned max_vls) {
  FreshPaths paths(plan.fabric, unguarded_tables(plan), plan.multicast,
                   fresh_request(plan, max_vls), plan.grade() >= ReplyGrade::kBase);
  std::size_t given = 0, left = 0;
  for (const FreshPair& pair : pairs_hit(plan)) {
    // The path of a pair before may have given this one a fresh LID too.
    const Host& host = plan.fabric.host(pair.host);
    bool has = pair.after != kNoLid;
    for (unsigned i = 0; i < host.lid_count() && !has; ++i)
      if (const auto lid = static_cast<Lid>(host.lid + i); plan.tables.is_spare(lid))
        has = paths.tables().next(pair.source, lid) != kNoPort;
    if (has || paths.add(pair.source, pair.before))
      given += pair.after == kNoLid ? 1 : 0;
    else
      ++left;
  }
  if (given == 0) return std::nullopt;
  Plan after = with_tables(plan, paths.tables());
  after.outcome = Outcome::kRepaired;
  after.remarks.push_back(fmt::format(
      "{} pairs of switch and host have a fresh LID and should ask for path records again{}", given,
      left == 0
          ? std::string()
          : fmt::format("; for {} no spare LID has a path: they stay repaired in place", left)));
  return after;
}

Plan return_fresh_lids(const Plan& plan) { return with_tables(plan, tables_without_fresh(plan)); }

Tables tables_without_fresh(const Plan& plan) {
  Tables tables = unguarded_tables(plan);
  remove_fresh_paths(plan.fabric, tables);
  return tables;
}

KeptFresh keep_fresh_lids(const Plan& from, const Fabric& fabric, Tables tables,
                          const std::optional<SpanningTree>& multicast,
                          const RepairRequest& request) {
  KeptFresh result;
  result.tables = std::move(tables);
  const Tables then = with_ids_of(from.fabric, from.tables, fabric);
  std::vector<FreshPath> paths = fresh_paths(fabric, then);
  const std::vector<SwitchId> part = connected_parts(fabric);
  std::erase_if(paths, [&](const FreshPath& p) {
    return !result.tables.is_spare(p.lid) ||
           part[p.source] != part[fabric.destination_switch(p.lid)];
  });
  if (paths.empty()) return result;
  try {
    FreshPaths made(fabric, result.tables, multicast, request, from.grade() >= ReplyGrade::kBase);
    // Unbroken paths come first, so that no other one leads over their switches on another SL.
    for (const bool whole : {true, false})
      for (const FreshPath& p : paths)
        if (p.whole == whole)
          ++(made.keep(p.source, p.lid, p.sl, p.channels) ? result.kept : result.ended);
    MulticastTables groups = std::move(result.tables.mft);
    result.tables = made.tables();
    result.tables.mft = std::move(groups);
  } catch (const InputError&) {  // the tables have more VLs than allowed, or a cycle
    result.kept = 0;
    result.ended = paths.size();
  }
  return result;
}

Plan carry_fresh_lids(const Plan& from, Plan to, unsigned max_vls) {
  if (!has_fresh_lids(from) || !to.tables.has_spare_lids()) return to;
  KeptFresh fresh = keep_fresh_lids(from, to.fabric, tables_without_fresh(to), to.multicast,
                                    fresh_request(to, max_vls));
  return with_tables(to, std::move(fresh.tables));
}

std::string describe_fresh(const Fabric& fabric, const std::vector<FreshPair>& pairs) {
  std::string text;
  std::size_t with = 0;
  for (const FreshPair& p : pairs) {
    if (p.after == kNoLid || with++ >= kPairsNamed) continue;
    text += fmt::format("{} {} to {}: LID {} on SL {} for LID {}", with == 1 ? ":" : ",",
                        switch_label(fabric, p.source), host_label(fabric, p.host), p.after, p.sl,
                        p.before);
  }
  if (with == 0) return "";
  if (with > kPairsNamed) text += ", …";
  return fmt::format("{} {} ask for path records again{}", with,
                     with == 1 ? "pair should" : "pairs should", text);
}

}  // namespace selvedge
