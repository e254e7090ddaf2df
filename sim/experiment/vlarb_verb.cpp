// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/vlarb_verb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "plugin/fabric/ids.hpp"
#include "plugin/program/report.hpp"
#include "sim/experiment/bandwidth_policy.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kMostDestinations = 255;  // more cannot be expressed by weights
constexpr unsigned kBlock = 64;              // bytes of a weight of 1
constexpr unsigned kPacketBytes = 1050;      // of an MTU of 1 KiB, with 26 bytes of headers
constexpr unsigned kMostPacketBytes = 4200;

struct VlarbFlags {
  std::string policy;
  std::optional<unsigned> destinations;
  unsigned packet_bytes = kPacketBytes;
  bool json = false;
};

struct VlarbLines {
  std::string sl2vl, high, low;
  VlWeights weights;
  bool separate = false;
};

/// SLs 0 to 7 are for unicast; 8 to 15, on VL 1 unless all is shared, for multicast.
VlarbLines lines_of(BandwidthPolicy policy, unsigned destinations, unsigned packet_bytes) {
  VlarbLines lines;
  lines.separate = policy != BandwidthPolicy::kShared;
  std::vector<unsigned> vls(kSls, 0);
  if (lines.separate) std::fill(vls.begin() + kSls / 2, vls.end(), 1u);
  lines.sl2vl = fmt::format("{}", fmt::join(vls, ","));
  const double ratio = multicast_ratio(policy, destinations);
  const auto weights = weights_of(ratio, (packet_bytes + kBlock - 1) / kBlock);
  if (!weights)
    throw InputError(
        fmt::format("weights of at most {} cannot give multicast {:.3f} packets of {} bytes for "
                    "one of unicast",
                    kMostWeight, ratio, packet_bytes),
        "--destinations", "choose log, or fewer destinations");
  lines.weights = *weights;
  const std::string both =
      lines.separate ? fmt::format("0:{},1:{}", lines.weights.unicast, lines.weights.multicast)
                     : fmt::format("0:{}", kMostWeight);
  lines.high = lines.low = both;
  return lines;
}

int vlarb(const VlarbFlags& flags, Output& output) {
  selvedge::require(flags.policy, "--policy", "shared, same, linear or log");
  const auto* const found = std::ranges::find(kBandwidthPolicyNames, flags.policy);
  if (found == std::end(kBandwidthPolicyNames))
    throw InputError("no such policy", fmt::format("--policy '{}'", flags.policy),
                     fmt::format("choose one of {}", fmt::join(kBandwidthPolicyNames, ", ")));
  const auto policy = static_cast<BandwidthPolicy>(found - std::begin(kBandwidthPolicyNames));
  const bool by_destinations =
      policy == BandwidthPolicy::kLinear || policy == BandwidthPolicy::kLog;
  if (by_destinations && !flags.destinations)
    throw InputError("the policy depends on the number of destinations", "--destinations",
                     "say how many hosts receive a multicast packet");
  if (!by_destinations && flags.destinations)
    throw InputError(fmt::format("the policy {} does not depend on destinations", flags.policy),
                     "--destinations", "leave it out, or choose linear or log");
  const VlarbLines lines = lines_of(policy, flags.destinations.value_or(1), flags.packet_bytes);
  if (flags.json) {
    print_json(
        Json{{"policy", flags.policy},
             {"destinations", flags.destinations ? Json(*flags.destinations) : Json(nullptr)},
             {"qos_sl2vl", lines.sl2vl},
             {"qos_vlarb_high", lines.high},
             {"qos_vlarb_low", lines.low},
             {"qos_high_limit", 255}},
        output);
    return kDone;
  }
  output.print(
      "# {}\n",
      lines.separate
          ? fmt::format("SLs 0 to 7: unicast; 8 to 15: multicast, {:.3f} times as much",
                        static_cast<double>(lines.weights.multicast) / lines.weights.unicast)
          : std::string("unicast and multicast share all SLs and one VL"));
  output.print("qos TRUE\nqos_sl2vl {}\nqos_vlarb_high {}\nqos_vlarb_low {}\nqos_high_limit 255\n",
               lines.sl2vl, lines.high, lines.low);
  return kDone;
}

}  // namespace

Verb add_vlarb_verb(CLI::App& program) {
  auto flags = std::make_shared<VlarbFlags>();
  CLI::App* app = add_verb(program, "vlarb",
                           "Print lines of opensm.conf that divide bandwidth between unicast\nand "
                           "multicast");
  add_text(*app, "--policy", flags->policy, "POLICY",
           "shared: one VL for both; same: as much for each; linear:\nin proportion to the "
           "destinations; log: to 1 + their\nnatural logarithm");
  add_number(*app, "--destinations", 1, kMostDestinations, "N",
             fmt::format("Hosts that receive a multicast packet, 1 to {}; for\nlinear and log",
                         kMostDestinations),
             [flags = flags.get()](unsigned n) { flags->destinations = n; });
  add_number(
      *app, "--packet-bytes", kBlock, kMostPacketBytes, "N",
      fmt::format("Length of most packets with their headers, {} to {}\n(default {}); a turn "
                  "is a whole number of them",
                  kBlock, kMostPacketBytes, kPacketBytes),
      [flags = flags.get()](unsigned n) { flags->packet_bytes = n; });
  add_json(*app, flags->json);
  return {app, [flags](Output& output) { return vlarb(*flags, output); }};
}

}  // namespace selvedge::sim
