// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fake of selvedge-smp-agent and of the subnet behind it, for tests of the plugin. A test writes
// the subnet's cables, and how the fake misbehaves, into the file that SELVEDGE_TEST_SUBNET names.
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "plugin/control/smp.hpp"
#include "plugin/opensm/agent_socket.hpp"

int main() {
  using namespace selvedge;
  constexpr std::size_t kPortStateAt = 32;
  constexpr std::uint8_t kDown = 1, kActive = 4;
  const char* const file = std::getenv("SELVEDGE_TEST_SUBNET");
  if (file == nullptr) return 2;
  const auto subnet = nlohmann::json::parse(std::ifstream(file));
  // "switch:port" → the switch at the other end, or -1 for a host
  const auto cables = subnet.value("cables", nlohmann::json::object());
  const auto key = [](int at, unsigned port) {
    return std::to_string(at) + ":" + std::to_string(port);
  };
  const auto answer = [](const SmpAnswer& a) {
    return send(kSmpAgentSocket, &a, sizeof a, MSG_NOSIGNAL) == sizeof a;
  };
  SmpAnswer ready;
  ready.status = subnet.value("protocol", kSmpAgentProtocol);
  answer(ready);
  for (std::uint64_t count = 1;; ++count) {
    SmpRequest request;
    if (recv(kSmpAgentSocket, &request, sizeof request, 0) != sizeof request) return 0;
    if (count == 1 && subnet.contains("notes")) std::ofstream(subnet.at("notes")) << "asked";
    if (count > subnet.value("dies_after", UINT64_MAX)) return 0;
    if (subnet.value("mute", false) || count % subnet.value("loses", UINT64_MAX) == 0) continue;
    int at = subnet.at("start");  // the node after the first hop, which leaves the manager's port
    for (unsigned hop = 2; hop <= request.path.hops && at >= 0; ++hop)
      at = cables.value(key(at, request.path.ports[hop]), -1);
    SmpAnswer a;
    a.tag = request.tag;
    a.status = at < 0 ? kSmpNoAnswer : 0;
    std::memcpy(a.data.data(), &request.modifier, sizeof request.modifier);
    if (request.attribute == SmpAttribute::kPortInfo)
      a.data[kPortStateAt] = cables.contains(key(at, request.modifier)) ? kActive : kDown;
    if (!answer(a)) return 0;
  }
}
