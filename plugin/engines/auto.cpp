// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `auto`: the engine that chooses another engine by the kind of fabric:
//
//   a fat tree               dmodk
//   a torus, LMC 4 or more   spftr: all disjoint paths with two VLs
//   a torus, LMC 3           ist, whose paths are disjoint and load the links evenly, else spftr
//   a torus, LMC 1 or 2      spftr
//   a torus, LMC 0           balanced: a pair has one path, so evenness is all that counts
//   anything else            balanced, which takes more bandwidth from the cables than updn does
//   over 1,000 switches      updn instead of balanced, which would take many seconds
//
// If the request names a kind of spanning tree or its root, updn is chosen also on fat trees: only
// updn uses that option. On a torus balanced follows if the engines above refuse, and is chosen at
// once if there is only one VL or one SL.
//
// The first remark of the tables names the chosen engine and the reason.
#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

constexpr std::uint32_t kMostBalanced = 1000;  // switches

/// The engines to try, in order, each with the reason for choosing it.
std::vector<std::pair<std::string_view, std::string>> choices(const Fabric& fabric,
                                                              const EngineRequest& request) {
  unsigned lmc = 0;
  for (const Host& host : fabric.hosts()) lmc = std::max<unsigned>(lmc, host.lmc);
  std::string why;
  const bool spanning_tree = request.tree != EngineRequest::Tree::kBest || request.root;
  if (!spanning_tree && find_fat_tree(fabric, request.hints, why))
    return {{"dmodk", "the fabric is a fat tree"}};
  const Regularity form = recognise(fabric);
  const std::string is = form.regular() ? form.describe() : "irregular";
  std::vector<std::pair<std::string_view, std::string>> list;
  if (form.kind == Regularity::Kind::kTorus && request.max_vls > 1 && request.max_sls > 1) {
    if (lmc == 3) list.emplace_back("ist", fmt::format("the fabric is a {}", is));
    if (lmc > 0) list.emplace_back("spftr", fmt::format("the fabric is a {}", is));
  }
  if (spanning_tree)
    list.emplace_back("updn", request.root ? "the root of a spanning tree is given"
                                           : "a spanning tree is requested");
  else
    list.emplace_back(fabric.num_switches() > kMostBalanced ? "updn" : "balanced",
                      fmt::format("the fabric is {}{}, and no fat tree ({})",
                                  form.regular() ? "a " : "", is, why));
  return list;
}

Routing compute_auto(const Fabric& fabric, const EngineRequest& request) {
  const auto list = choices(fabric, request);
  std::string refused;
  for (const auto& [name, reason] : list) {
    try {
      Routing routing = find_engine(name).compute(fabric, request);
      routing.chosen = name;
      routing.reason = reason + refused;
      routing.remarks.insert(routing.remarks.begin(),
                             fmt::format("{} was chosen: {}", name, routing.reason));
      return routing;
    } catch (const InputError& error) {
      if (name == list.back().first) throw;
      refused += fmt::format("; {} refuses: {}", name, error.what());
    }
  }
  return {};  // not reached: the last engine returns or throws
}

}  // namespace

extern const Engine kAuto = {
    .name = "auto",
    .facts =
        {
            .topologies = "any",
            .theorem = "that of the engine that it chooses: dmodk on fat trees, ist or spftr on "
                       "tori with two VLs and SLs or more and several LIDs a host, balanced "
                       "elsewhere, updn instead of it beyond 1,000 switches; its remarks say which",
            .tolerated_faults = "as the chosen engine",
            .vls = "1 on fat trees and where updn is chosen, else as the chosen engine",
            .sls = "likewise",
            .lmc = "any",
            .memory = "as the chosen engine",
            .time = "as the chosen engine",
            .after_a_fault =
                "as the chosen engine; a fabric that is no fat tree or torus any more is routed by "
                "another one, and any route may change",
            .deadlock_free = true,
        },
    .compute = &compute_auto,
};

}  // namespace selvedge
