// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/emulated_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

namespace selvedge::sim {
namespace {

constexpr const char* kSpeed = "--manager-speed";
constexpr const char* kPreset = "--preset";
constexpr const char* kPattern = "--pattern";
constexpr const char* kTrace = "--trace";
constexpr const char* kDisks = "--disks";
constexpr const char* kLoad = "--load";
constexpr const char* kPayload = "--payload-bytes";

}  // namespace

void add_traffic_options(CLI::App& app, EmulatedTraffic& wanted) {
  add_text(app, kSpeed, wanted.manager_speed, "X",
           "Time of the fabric for each second of the managers' CPU\ntime (default: 1)");
  add_text(app, kPreset, wanted.preset, "NAME",
           "Links and switches, as [model] preset of an experiment\n(default: thesis)");
  add_text(app, kPattern, wanted.traffic.pattern, "NAME", "Of the traffic (default: uniform)");
  add_text(app, kTrace, wanted.traffic.trace, "FILE", "With --pattern trace: its messages");
  add_number(app, kDisks, 1, UINT16_MAX, "N",
             "With --pattern io: how many hosts are disks\n(default: 23)",
             [&wanted](unsigned n) { wanted.disks = n; });
  add_text(app, kLoad, wanted.load, "SHARE", "Of a host link's data rate (default: 0.1)");
  add_number(app, kPayload, 1, 1 << 20, "N", "Of a message (default: the preset's)",
             [&wanted](unsigned n) { wanted.traffic.payload_bytes = n; });
}

std::string given_traffic_options(const CLI::App& app) {
  std::vector<const char*> given;
  for (const char* option : {kSpeed, kPreset, kPattern, kTrace, kDisks, kLoad, kPayload})
    if (app.count(option) > 0) given.push_back(option);
  return fmt::format("{}", fmt::join(given, ", "));
}

}  // namespace selvedge::sim
