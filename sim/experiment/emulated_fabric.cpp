// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/emulated_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "sim/experiment/presets.hpp"

namespace selvedge::sim {
namespace {

/// Data VLs of a port: VLCap of the agents.
constexpr unsigned kDataVls = 8;
/// Room for 16 MADs with their headers on VL 15 of each port. The papers' models have one, which
/// OpenSM's four outstanding SMPs overflow.
constexpr unsigned kManagementBufferBytes = 16 * 320;

double parse_share(const std::string& text, const std::string& option, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0 && value <= most))
    throw InputError(fmt::format("'{}' is out of range", text), option,
                     fmt::format("write a number above 0, at most {}", most));
  return value;
}

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

std::unique_ptr<Traffic> traffic_of(const Fabric& fabric, const Model& model,
                                    const EmulatedTraffic& wanted, std::uint64_t seed) {
  TrafficSpec spec = wanted.traffic;
  if (spec.payload_bytes == 0) spec.payload_bytes = preset_named(wanted.preset).payload_bytes;
  if (!wanted.load.empty()) spec.load = parse_share(wanted.load, "--load", 10);
  return make_traffic(spec, fabric, model, seed);
}

}  // namespace

double EmulatedTraffic::speed() const {
  return manager_speed.empty() ? 1 : parse_share(manager_speed, "--manager-speed", 1e6);
}

EmulatedFabric::EmulatedFabric(const Fabric& fabric, bool has_lids, const EmulatedTraffic& wanted,
                               std::uint64_t seed)
    : model_(model_of(fabric, wanted)),
      inner_(traffic_of(fabric, model_, wanted, seed)),
      subnet(fabric, has_lids),
      traffic(*inner_),
      plane(subnet, fabric, model_, traffic, seed) {}

}  // namespace selvedge::sim
