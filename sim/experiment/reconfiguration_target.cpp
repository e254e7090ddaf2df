// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/reconfiguration_target.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "plugin/program/subject.hpp"

namespace selvedge::sim {
namespace {

TargetKind kind_of(const ReconfigurationSpec& spec) {
  if (spec.to.empty()) return scheme_of(spec.scheme).target;
  if (spec.to == "engine") return TargetKind::kEngine;
  if (spec.to == "in-place") return TargetKind::kInPlace;
  if (spec.to == "readdress") return TargetKind::kReaddress;
  return TargetKind::kFile;
}

}  // namespace

Target make_target(const Point& point, const RoutedFabric& routed) {
  const ReconfigurationSpec& spec = point.reconfiguration;
  TargetRequest request;
  request.kind = kind_of(spec);
  request.guard = scheme_of(spec.scheme).guard;
  request.one_vl = scheme_of(spec.scheme).tokens;
  request.two_vls = scheme_of(spec.scheme).layers || spec.two_vls;
  if (request.two_vls && point.routing.max_vls.value_or(2) < 2)
    throw InputError(
        fmt::format("{} needs two VLs",
                    spec.two_vls ? "two_vls = true"
                                 : fmt::format("scheme \"{}\"", scheme_of(spec.scheme).name)),
        "[routing] max_vls", "leave it out, or choose another scheme");
  request.repair.max_vls = point.routing.max_vls.value_or(request.repair.max_vls);
  request.repair.max_sls = point.routing.max_sls.value_or(request.repair.max_sls);
  if (request.kind == TargetKind::kReaddress) request.repair.mode = RepairMode::kReaddress;
  if (request.kind == TargetKind::kReaddress && point.model.paths != PathChoice::kFirst)
    throw InputError("hosts that are told LIDs choose none", "[model] paths", "leave it out");
  if (request.kind == TargetKind::kFile) {
    FabricOptions options;
    options.spec = point.fabric.spec;
    Progress progress;
    const Tables tables = read_subject(options, spec.to, progress).tables;
    request.compute = [tables](const Fabric&) { return tables; };
  } else if (request.kind == TargetKind::kEngine) {
    if (point.routing.engine.empty())
      throw InputError("tables of a file have no engine that could make new ones",
                       "[reconfiguration] to", "give a file of tables, or \"in-place\"");
    request.compute = [options = engine_options(point.routing)](const Fabric& left) {
      Progress progress;
      return compute_on(left, options, progress).tables;
    };
  }
  return Target(routed.fabric, routed.tables, std::move(request));
}

unsigned try_target(const Point& point, const RoutedFabric& routed,
                    const std::vector<FaultStep>& faults) {
  std::set<Channel> down;
  for (const FaultStep& step : faults)
    if (!step.restore) down.insert(step.links.begin(), step.links.end());
  const HostId host = manager_host(point.reconfiguration, routed.fabric);
  const Fabric left = without(routed.fabric, {.links = {down.begin(), down.end()}, .switches = {}});
  if (!left.attached(host) || left.out(left.host(host).at).empty())
    throw InputError(
        fmt::format("the faults cut off {}, the manager's host", routed.fabric.host(host).name),
        "[reconfiguration] manager", "choose another host, or other faults");
  Target target = make_target(point, routed);
  unsigned vls = vls_of(target.initial());
  if (!down.empty() || point.reconfiguration.at_us)
    vls = std::max(vls, vls_of(target.after({down.begin(), down.end()}, target.initial()).tables));
  return vls;
}

}  // namespace selvedge::sim
