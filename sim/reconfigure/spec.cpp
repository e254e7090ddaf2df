// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/spec.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "sim/reconfigure/routes.hpp"
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

constexpr const char* kSection = "[reconfiguration] ";

/// The least time of a round of a sweep, in which `outstanding` questions are under way together.
Tick round(const ReconfigurationSpec& spec, const Fabric& fabric, const Model& model) {
  const DirectedRoutes routes(fabric, manager_host(spec, fabric));
  Tick sum = 0, longest = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const unsigned links = routes.links({SmpEnd::Kind::kSwitch, s});
    if (links == 0) continue;
    const Tick one = round_trip(model, links, spec.smp_bytes) + 1;
    sum += one;
    longest = std::max(longest, one);
  }
  return std::max(longest, sum / spec.outstanding);
}

}  // namespace

HostId manager_host(const ReconfigurationSpec& spec, const Fabric& fabric) {
  const std::string where = std::string(kSection) + "manager";
  if (!spec.manager.empty()) {
    const HostId host = fabric.find_host(spec.manager);
    if (host == kNoHost)
      throw InputError(fmt::format("no host is named '{}'", spec.manager), where,
                       "name a host of the fabric, as \"H-0-0\"");
    if (!fabric.attached(host))
      throw InputError(fmt::format("the manager's host {} has no cable", spec.manager), where,
                       "choose another host");
    return host;
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.attached(h)) return h;
  throw InputError("no host could be the manager's", where, "choose a fabric with hosts");
}

void check(const ReconfigurationSpec& spec, const Fabric& fabric, const Model& model) {
  if (!spec.on()) return;
  manager_host(spec, fabric);
  if (blocks_of(spec.smp_bytes) > model.management_blocks)
    throw InputError(
        fmt::format("an SMP of {} bytes does not fit into VL 15's buffers", spec.smp_bytes),
        std::string(kSection) + "smp_bytes",
        fmt::format("set [model] management_buffer_bytes = {}",
                    blocks_of(spec.smp_bytes) * kBlockBytes));
  if (selects_per_packet(model.selection) || model.selection == Selection::kEar)
    throw InputError("the manager's switches forward by their LFTs alone", "[model] selection",
                     "leave it out, or set [reconfiguration] scheme = \"off\"");
  if (model.input_queues == InputQueues::kPerOutput)
    throw InputError("the manager's switches have one queue at each input", "[model] input_queues",
                     "leave it out, or set [reconfiguration] scheme = \"off\"");
  const Scheme& scheme = scheme_of(spec.scheme);
  if (scheme.needs_lifetime && model.head_of_queue_life == kNever)
    throw InputError(fmt::format("scheme \"{}\" needs a lifetime, and there is none", scheme.name),
                     "[model] head_of_queue_life_us", "give one, as 100");
  if (scheme.layers && model.vls != 2)
    throw InputError(fmt::format("scheme \"{}\" empties one of two VLs, and the model has {}",
                                 scheme.name, model.vls),
                     std::string(kSection) + "scheme",
                     "choose tables with one VL, of which it makes two, or another scheme");
  if (spec.detection != Detection::kSweep) return;
  const Tick least = round(spec, fabric, model);
  if (model.time_base.at(spec.sweep_us * 1000) < least)
    throw InputError(
        fmt::format("a sweep of {} us is shorter than a round of its questions", spec.sweep_us),
        std::string(kSection) + "sweep_us",
        fmt::format("give at least {:.1f}, or more outstanding requests",
                    model.time_base.ns(least) / 1000));
}

}  // namespace selvedge::sim
