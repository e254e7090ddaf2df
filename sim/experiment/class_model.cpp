// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/class_model.hpp"

#include <algorithm>

#include "sim/experiment/source_trees.hpp"
#include "sim/model/levels.hpp"
#include "sim/traffic/probes.hpp"

namespace selvedge::sim {
namespace {

void check_served(const Parameters& p, unsigned vls) {
  if (p.arbitration_high.empty() && p.arbitration_low.empty()) return;
  for (unsigned vl = 0; vl < vls; ++vl) {
    const auto serves = [vl](const ArbitrationEntry& e) { return e.vl == vl && e.weight > 0; };
    if (std::ranges::any_of(p.arbitration_high, serves) ||
        std::ranges::any_of(p.arbitration_low, serves))
      continue;
    throw InputError(fmt::format("VL {}, which the classes use, has no weight", vl),
                     "[model] arbitration_low",
                     "add an entry with a weight for it, or leave both tables out");
  }
}

/// [routing] max_vls fixes the numbers of the levels' VLs, however many the tables use of them.
Levels levels_of(const Point& point, const Tables& tables) {
  return with_levels(tables, class_sls(point.traffic.classes), point.routing.max_vls.value_or(1));
}

void check_management(const Point& point) {
  for (const ClassSpec& one : point.traffic.classes) {
    const unsigned bytes =
        std::min(one.size_bytes, point.model.mtu_bytes) + point.model.header_bytes;
    if (one.vl15 && bytes > point.model.management_buffer_bytes / kBlockBytes * kBlockBytes)
      throw InputError(
          fmt::format("a packet of the class '{}' has {} bytes, and VL 15's buffers {}", one.name,
                      bytes, point.model.management_buffer_bytes),
          "[model] management_buffer_bytes",
          fmt::format("give at least {}", blocks_of(bytes) * kBlockBytes));
  }
  const unsigned probe = kProbeBytes + point.model.header_bytes;
  if (!has_probes(point.traffic.classes)) return;
  if (point.model.mtu_bytes < kProbeBytes)
    throw InputError(fmt::format("a probe is one packet of {} bytes", kProbeBytes),
                     "[model] mtu_bytes", fmt::format("give at least {}", kProbeBytes));
  if (probe > point.model.management_buffer_bytes / kBlockBytes * kBlockBytes)
    throw InputError(fmt::format("a probe has {} bytes, and VL 15's buffers {}", probe,
                                 point.model.management_buffer_bytes),
                     "[model] management_buffer_bytes",
                     fmt::format("give at least {}", blocks_of(probe) * kBlockBytes));
}

}  // namespace

Model resolve_with_classes(const Point& point, const Tables& tables, unsigned least_vls) {
  if (point.traffic.classes.empty()) return resolve(point.model, tables, least_vls);
  const unsigned vls = levels_of(point, tables).vls;
  check_served(point.model, vls);
  check_management(point);
  Model model = resolve(point.model, tables, vls);
  set_classes(model, point.traffic.classes);
  return model;
}

Tables tables_with_classes(const Point& point, const Fabric& fabric, const Tables& tables) {
  if (point.traffic.classes.empty()) return tables;
  Tables made = levels_of(point, tables).tables;
  if (point.model.replication != Replication::kNone)
    made.mft = source_trees(fabric, groups_of(point.traffic, Terminals(fabric), point.seed));
  return made;
}

}  // namespace selvedge::sim
