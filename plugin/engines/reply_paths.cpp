// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/reply_paths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/engines/filled_vls.hpp"
#include "plugin/engines/symmetric_layers.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/tables/metrics.hpp"

namespace selvedge {
namespace {

enum class Lids : std::uint8_t { kBase, kAll };

/// Whether the paths of each pair of LIDs have the same SL in both directions.
bool alike_both_ways(const Fabric& fabric, const Tables& tables, Lids lids) {
  if (tables.one_sl()) return true;
  const auto alike = [&](const Host& a, const Host& b) {
    const Sl sl = tables.sl(a.at, b.lid);
    for (unsigned i = 0; i < (lids == Lids::kAll ? b.lid_count() : 1u); ++i)
      if (tables.sl(a.at, static_cast<Lid>(b.lid + i)) != sl) return false;
    return tables.sl(b.at, a.lid) == sl;
  };
  std::vector<const Host*> ends;  // hosts without a cable exchange nothing
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.host(h).lid != kNoLid && fabric.attached(h)) ends.push_back(&fabric.host(h));
  for (const Host* a : ends)
    for (const Host* b : ends)
      if (a->at != b->at && !alike(*a, *b)) return false;
  return true;
}

bool same_column(const Tables& tables, Lid a, Lid b) {
  for (SwitchId s = 0; s < tables.num_switches(); ++s)
    if (tables.next(s, a) != tables.next(s, b)) return false;
  return true;
}

/// Moves the path of a host's base LID to a LID whose path is the same as that of another LID.
/// Returns false, with nothing moved, if there is none.
bool keep_base_path(const Host& host, Tables& tables) {
  const unsigned lids = host.lid_count();
  const auto lid = [&](unsigned offset) { return static_cast<Lid>(host.lid + offset); };
  unsigned spare = 0;
  for (unsigned i = 1; i < lids; ++i) {
    if (same_column(tables, lid(0), lid(i))) return true;
    for (unsigned j = 1; j < i && spare == 0; ++j)
      if (same_column(tables, lid(j), lid(i))) spare = i;
  }
  if (spare == 0) return false;
  for (SwitchId s = 0; s < tables.num_switches(); ++s) {
    tables.set_next(s, lid(spare), tables.next(s, lid(0)));
    tables.set_sl(s, lid(spare), tables.sl(s, lid(0)));
  }
  return true;
}

/// Gives the base LIDs the paths of `base`, all on `sl`. Throws InputError if pairs lose disjoint
/// paths.
void take_base_paths(const Fabric& fabric, const Tables& base, Sl sl, Tables& tables) {
  const Tables before = tables;
  bool kept = true;
  unsigned lids = 1;
  for (const Host& host : fabric.hosts()) {
    if (host.lid == kNoLid) continue;
    lids = std::max(lids, host.lid_count());
    kept &= keep_base_path(host, tables);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      tables.set_next(s, host.lid, base.next(s, host.lid));
      tables.set_sl(s, host.lid, sl);
    }
  }
  // A path that was not kept may have been one that no pair needs.
  if (kept || measure(fabric, before).disjoint == measure(fabric, tables).disjoint) return;
  throw InputError(
      fmt::format(
          "responses between base LIDs need a path of their own, and all paths of a host's {} "
          "LIDs are needed",
          lids),
      "replies base", "give a higher LMC, or ask for own-sl");
}

void set_everywhere(const Fabric& fabric, Sl sl, Vl vl, Tables& tables) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (tables.sl2vl.uniform(s)) {
      Sl2VlRow row = tables.sl2vl.default_row(s);
      row[sl] = vl;
      tables.sl2vl.set_all(s, row);
      continue;
    }
    const unsigned ports = tables.sl2vl.ports(s);
    for (unsigned in = 0; in <= ports; ++in)
      for (unsigned out = 0; out <= ports; ++out) {
        const auto i = static_cast<PortNum>(in), o = static_cast<PortNum>(out);
        Sl2VlRow row = tables.sl2vl.row(s, i, o);
        row[sl] = vl;
        tables.sl2vl.set(s, i, o, row);
      }
  }
}

Routing with_base(const Engine& engine, const Fabric& fabric, const EngineRequest& request) {
  Routing routing = engine.compute(fabric, request);
  Tables& tables = routing.tables;
  if (alike_both_ways(fabric, tables, Lids::kBase)) return routing;
  if (routing.base_paths) {
    take_base_paths(fabric, *routing.base_paths, 0, tables);
    routing.remarks.emplace_back("base LIDs have up*/down* paths on SL 0, in both directions");
    return routing;
  }
  UsedLanes used = used_lanes(fabric, tables);
  const auto fits = [&] {
    return used.vls + 1 <= request.max_vls && used.sls + 1 <= request.max_sls;
  };
  if (!fits() && request.max_vls > 1 && request.max_sls > 1) {
    // Some engines can do with less than they take.
    EngineRequest less = request;
    --less.max_vls;
    --less.max_sls;
    try {
      routing = engine.compute(fabric, less);
      if (alike_both_ways(fabric, tables, Lids::kBase)) return routing;
      used = used_lanes(fabric, tables);
    } catch (const InputError&) {  // it cannot: the arithmetic below says what it took
    }
  }
  if (!fits())
    throw InputError(
        fmt::format(
            "responses between base LIDs need a VL and an SL of their own: {} + 1 VLs of {} "
            "and {} + 1 SLs of {}",
            used.vls, request.max_vls, used.sls, request.max_sls),
        fmt::format("replies base, engine {}", engine.name), "ask for own-sl, or take updn");
  const Routing up_down = find_engine("updn").compute(fabric, request);
  const auto sl = static_cast<Sl>(used.sls);
  const auto vl = static_cast<Vl>(used.vls);
  take_base_paths(fabric, up_down.tables, sl, tables);
  set_everywhere(fabric, sl, vl, tables);
  routing.remarks.push_back(
      fmt::format("base LIDs have up*/down* paths on SL {} and VL {}, in both directions", sl, vl));
  return routing;
}

/// What layers of both directions would take, for a message.
std::string shortage(const SymmetricLayers& layers, const EngineRequest& request) {
  if (layers.too_large) return "both directions of every pair on one SL: too many paths to search";
  if (layers.sls == 0)
    return fmt::format(
        "both directions of every pair on one SL: some pair alone does not fit {} VLs",
        request.max_vls);
  return fmt::format(
      "both directions of every pair on one SL take {} SLs with {} VLs, as far as was found, and "
      "there are {}",
      layers.sls, layers.vls, request.max_sls);
}

Routing with_same_sl(const Engine& engine, const Fabric& fabric, const EngineRequest& request) {
  Routing routing = engine.compute(fabric, request);
  // Engines that may deadlock stay as they are: the proof says so.
  if (!engine.facts.deadlock_free || used_lanes(fabric, routing.tables).sls == 1 ||
      alike_both_ways(fabric, routing.tables, Lids::kAll))
    return routing;
  const SymmetricLayers layers =
      layer_both_directions(fabric, request.max_vls, request.max_sls, routing.tables);
  if (layers.found) {
    routing.multicast = layers.multicast;
    routing.remarks.push_back(fmt::format(
        "both directions of every pair are on one SL: {} SLs, {} VLs", layers.sls, layers.vls));
    return routing;
  }
  EngineRequest one = request;
  one.max_sls = 1;
  try {
    routing = engine.compute(fabric, one);
  } catch (const InputError& e) {
    throw InputError(shortage(layers, request),
                     fmt::format("replies same-sl, engine {}", engine.name),
                     fmt::format("ask for base, or take updn (on one SL: {})", e.problem()));
  }
  routing.remarks.push_back(
      fmt::format("one SL, with fewer disjoint paths: {}", shortage(layers, request)));
  return routing;
}

Routing of_grade(const Engine& engine, const Fabric& fabric, const EngineRequest& request) {
  switch (request.replies) {
    case ReplyGrade::kBase:
      if (!request.replies_if_possible) return with_base(engine, fabric, request);
      try {
        return with_base(engine, fabric, request);
      } catch (const InputError& e) {
        EngineRequest less = request;
        less.replies = ReplyGrade::kOwnSl;
        Routing routing = engine.compute(fabric, less);
        routing.remarks.push_back(fmt::format("responses on the request's SL: {}", e.what()));
        return routing;
      }
    case ReplyGrade::kSameSl:
      return with_same_sl(engine, fabric, request);
    case ReplyGrade::kOwnSl:
      break;
  }
  return engine.compute(fabric, request);
}

}  // namespace

Routing compute_with_replies(const Engine& engine, const Fabric& fabric,
                             const EngineRequest& request) {
  if (!request.balance.avoided.empty()) {
    EngineRequest rest = request;
    rest.balance.avoided = {};
    return compute_with_replies(engine, without(fabric, request.balance.avoided), rest);
  }
  Routing routing = of_grade(engine, fabric, request);
  if (!request.fill_vls) return routing;
  if (const unsigned copies = fill_vls(fabric, request.max_vls, request.max_sls, routing.tables);
      copies > 1)
    routing.remarks.push_back(
        fmt::format("the paths are dealt to {} copies of the VLs they need", copies));
  else
    routing.remarks.emplace_back("the VLs are not filled: paths on a copy of them would not fit");
  return routing;
}

}  // namespace selvedge
