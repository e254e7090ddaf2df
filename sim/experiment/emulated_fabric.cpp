// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/emulated_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "sim/experiment/presets.hpp"
#include "sim/experiment/traffic_command.hpp"

namespace selvedge::sim {
namespace {

constexpr double kMostSpeed = 1e6;
/// Number of data VLs of a port: the VLCap that the nodes' management agents report.
constexpr unsigned kDataVls = 8;
/// Buffer of VL 15 at each port: 16 MADs with their headers. The papers' models hold one MAD, which
/// OpenSM's four outstanding SMPs overflow.
constexpr unsigned kManagementBufferBytes = 16 * 320;

const Preset& preset_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw InputError(fmt::format("no such preset: '{}'", name), "--preset",
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

Model model_of(const Fabric& fabric, const EmulatedTraffic& wanted) {
  Parameters parameters = preset_named(wanted.preset).parameters;
  parameters.management_buffer_bytes =
      std::max(parameters.management_buffer_bytes, kManagementBufferBytes);
  return resolve(parameters, Tables(fabric), kDataVls);
}

std::size_t attached_hosts(const Fabric& fabric) {
  std::size_t count = 0;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    count += fabric.peer(fabric.injection(h)) != kNoChannel;
  return count;
}

TrafficSpec spec_of(const EmulatedTraffic& wanted, const Fabric& fabric) {
  TrafficSpec spec = wanted.traffic;
  if (spec.payload_bytes == 0) spec.payload_bytes = preset_named(wanted.preset).payload_bytes;
  if (!spec.trace.empty() && spec.pattern != "trace")
    throw InputError("another pattern takes no file", fmt::format("--trace {}", spec.trace),
                     "add --pattern trace, or leave it out");
  if (wanted.disks && spec.pattern != "io")
    throw InputError("another pattern has no disks", fmt::format("--disks {}", *wanted.disks),
                     "add --pattern io, or leave it out");
  if (spec.pattern == "trace" && spec.trace.empty())
    throw InputError("the messages are in a file", "--pattern trace", "add --trace FILE");
  if ((spec.pattern == "trace" || spec.pattern == "io") && !wanted.load.empty())
    throw InputError(fmt::format("{} has its own load", spec.pattern),
                     fmt::format("--load {}", wanted.load), "leave it out");
  if (wanted.disks) spec.disks = *wanted.disks;
  if (spec.pattern == "io" && spec.disks >= attached_hosts(fabric))
    throw InputError(fmt::format("{} disks are too many: the fabric has {} hosts", spec.disks,
                                 attached_hosts(fabric)),
                     "--pattern io", "give fewer by --disks N, or take a larger fabric");
  if (!wanted.load.empty()) spec.load = parse_positive(wanted.load, "--load", kMostLoad);
  return spec;
}

}  // namespace

double EmulatedTraffic::speed() const {
  return manager_speed.empty() ? 1 : parse_positive(manager_speed, "--manager-speed", kMostSpeed);
}

EmulatedFabric::EmulatedFabric(const Fabric& fabric, bool has_lids, const EmulatedTraffic& wanted,
                               std::uint64_t seed)
    : spec(spec_of(wanted, fabric)),
      model(model_of(fabric, wanted)),
      inner_(make_traffic(spec, fabric, model, seed)),
      subnet(fabric, has_lids),
      traffic(*inner_),
      plane(subnet, fabric, model, traffic, seed) {}

}  // namespace selvedge::sim
