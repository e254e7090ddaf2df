// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/class_spec.hpp"

#include <algorithm>

namespace selvedge::sim {

std::vector<Sl> class_sls(std::span<const ClassSpec> classes) {
  std::vector<Sl> sls;
  for (const ClassSpec& one : classes)
    if (!one.vl15 && std::ranges::find(sls, one.sl) == sls.end())
      sls.push_back(static_cast<Sl>(one.sl));
  return sls;
}

bool has_probes(std::span<const ClassSpec> classes) {
  return std::ranges::any_of(
      classes, [](const ClassSpec& one) { return one.paths == ClassSpec::Paths::kProbe; });
}

void set_classes(Model& model, std::span<const ClassSpec> classes) {
  const std::vector<Sl> sls = class_sls(classes);
  const bool probes = has_probes(classes);
  const bool has_vl_15 = probes || std::ranges::any_of(classes, &ClassSpec::vl15);
  model.classes.clear();
  for (const ClassSpec& one : classes) {
    const auto level = static_cast<unsigned>(std::ranges::find(sls, one.sl) - sls.begin());
    model.classes.push_back(
        {.sl = one.vl15 ? Sl{0} : static_cast<Sl>(one.sl),
         .queue = one.vl15 ? 0 : level + (has_vl_15 ? 1 : 0),
         .paths = one.paths == ClassSpec::Paths::kRandom ? PathChoice::kRandom : PathChoice::kFirst,
         .selects = one.paths == ClassSpec::Paths::kAtSwitches});
  }
  if (probes) model.classes.push_back({.queue = 0});
  model.hca_queues = static_cast<unsigned>(sls.size()) + (has_vl_15 ? 1 : 0);
}

}  // namespace selvedge::sim
