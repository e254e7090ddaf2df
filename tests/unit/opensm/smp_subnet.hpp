// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A simulated SMP agent with a subnet (tests/support/smp_subnet.cpp), for tests of its users.
#pragma once

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "plugin/fabric/fabric.hpp"
#include "plugin/opensm/smp_agent.hpp"

namespace selvedge::test {

/// Describes the subnet for the simulated agent in a file, which exists as long as this object.
class SmpSubnet {
 public:
  explicit SmpSubnet(nlohmann::json subnet)
      : file_(std::filesystem::temp_directory_path() /
              fmt::format("selvedge-smp-subnet-{}.json", getpid())) {
    if (!subnet.contains("start")) subnet["start"] = 0;
    std::ofstream(file_) << subnet;
    setenv("SELVEDGE_TEST_SUBNET", file_.c_str(), 1);
  }
  /// A subnet with the cables that `fabric` has now, as seen from a host.
  SmpSubnet(const Fabric& fabric, HostId from) : SmpSubnet(told(fabric, from)) {}
  SmpSubnet(const SmpSubnet&) = delete;
  SmpSubnet& operator=(const SmpSubnet&) = delete;
  ~SmpSubnet() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

  static std::string program() { return std::string(SELVEDGE_BIN_DIR) + "/smp_subnet"; }

 private:
  static nlohmann::json told(const Fabric& fabric, HostId from) {
    nlohmann::json cables = nlohmann::json::object();
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (unsigned p = 1; p <= fabric.node(s).ports; ++p) {
        const Channel c = fabric.channel(s, static_cast<PortNum>(p));
        if (fabric.peer(c) == kNoChannel) continue;
        cables[fmt::format("{}:{}", s, p)] =
            fabric.between_switches(c) ? static_cast<int>(fabric.target(c)) : -1;
      }
    return {{"start", fabric.host(from).at}, {"cables", cables}};
  }

  std::filesystem::path file_;
};

}  // namespace selvedge::test
