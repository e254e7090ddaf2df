// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/read_reconfiguration.hpp"

#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

constexpr double kLongestUs = 1e9;

void refuse(Keys& keys, const char* key, const char* why, const char* remedy) {
  if (keys.has(key)) throw keys.section().error(key, why, remedy);
}

}  // namespace

void read_reconfiguration(Keys& keys, ReconfigurationSpec& spec) {
  const std::span<const std::string_view> names = scheme_names();
  keys.choose("scheme", spec.scheme, {names.begin(), names.end()});
  if (!spec.on()) {
    for (const char* key :
         {"to", "at_us", "manager", "detection", "sweep_us", "compute_us", "compute_ns_per_entry",
          "outstanding", "timeout_us", "retries", "smp_bytes", "smp_payload_bytes", "epoch_bits",
          "drain_us", "two_vls", "token_bytes"})
      refuse(keys, key, "is of a subnet manager, and scheme is \"off\"",
             "leave it out, or set scheme = \"guarded\"");
    return;
  }
  const Scheme& scheme = scheme_of(spec.scheme);
  keys.read("to", spec.to);
  if (keys.has("at_us")) {
    double at_us = 0;
    keys.read("at_us", at_us, {.most = kLongestUs, .unit = "us"});
    spec.at_us = at_us;
  } else {
    keys.record("at_us", "after a fault");
  }
  keys.read("manager", spec.manager);
  keys.choose("detection", spec.detection, {"trap", "sweep"});
  if (spec.detection == Detection::kTrap)
    refuse(keys, "sweep_us", "is of detection by sweeps, and detection is \"trap\"",
           "leave it out, or set detection = \"sweep\"");
  keys.read("sweep_us", spec.sweep_us, {.least = 0.001, .most = kLongestUs, .unit = "us"});
  keys.read("compute_us", spec.compute_us, {.most = kLongestUs, .unit = "us"});
  keys.read("compute_ns_per_entry", spec.compute_ns_per_entry, {.most = kLongestUs, .unit = "ns"});
  keys.read("outstanding", spec.outstanding, {.least = 1, .most = 1024});
  keys.read("timeout_us", spec.timeout_us, {.least = 0.001, .most = kLongestUs, .unit = "us"});
  keys.read("retries", spec.retries, {.most = 1000});
  keys.read("smp_bytes", spec.smp_bytes, {.least = 1, .most = kMaxPacketBytes});
  keys.read("smp_payload_bytes", spec.smp_payload_bytes, {.least = 1, .most = 64});
  if (!scheme.epochs)
    refuse(keys, "epoch_bits", "is of switches with epochs, and the scheme needs none",
           "leave it out, or set scheme = \"ebr\"");
  keys.read("epoch_bits", spec.epoch_bits, {.least = 1, .most = 7});
  if (!scheme.guard) refuse(keys, "drain_us", "is of the scheme \"guarded\"", "leave it out");
  keys.read("drain_us", spec.drain_us, {.most = kLongestUs, .unit = "us"});
  if (!scheme.tokens)
    refuse(keys, "token_bytes", "is of schemes with tokens, and the scheme needs none",
           "leave it out, or set scheme = \"sr-la\"");
  keys.read("token_bytes", spec.token_bytes, {.least = 1, .most = kMaxPacketBytes});
  if (scheme.layers)
    refuse(keys, "two_vls", "is for schemes that would use one VL, and \"ds\" uses two",
           "leave it out");
  keys.read("two_vls", spec.two_vls);
}

}  // namespace selvedge::sim
