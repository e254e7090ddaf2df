// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests which budgets of rearrange memory a configuration may have.
#include "daemon/service/config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"

namespace selvedge::service {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_daemon_config(text, "f.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Memory, ABudgetOfLessThanAPacketIsRefused) {
  EXPECT_EQ(
      refusal("[memory]\ntotal_bytes = 4095\n"),
      "[memory] total_bytes is 4095, less than a packet of 4096 bytes: f.toml:2: write 4096 or "
      "more, or 0 to store no early packets");
  EXPECT_EQ(refusal("[memory]\nper_connection_bytes = 1\n"),
            "[memory] per_connection_bytes is 1, less than a packet of 4096 bytes: f.toml:2: write "
            "4096 or more, or 0 to store no early packets");
  EXPECT_EQ(refusal("[daemon]\nworkers = 3\n[memory]\ntotal_bytes = 12287\n"),
            "[memory] total_bytes is 12287, less than a packet of 4096 bytes for each worker: "
            "f.toml:4: write 12288 or more, or 0 to store no early packets");
  EXPECT_EQ(refusal("[memory]\ntotal_bytes = 4096\nper_connection_bytes = 4096\n"), "");
  EXPECT_EQ(refusal("[memory]\ntotal_bytes = 0\nper_connection_bytes = 0\n"), "");
  // Over verbs the port's MTU, not that of [udp], limits packets.
  EXPECT_NE(refusal("[daemon]\nbackend = \"verbs\"\n[udp]\nmtu = 512\n[memory]\ntotal_bytes = "
                    "1024\n"),
            "");
}

/// The depot and the grants count in slots, so a packet takes whole ones.
RC_GTEST_PROP(Memory, ABudgetThatIsAcceptedHoldsAPacketOfThisMtu, ()) {
  const auto mtu = *rc::gen::inRange(512, 9'000);
  const auto budget = *rc::gen::inRange(1, 6'000);
  const char* key = *rc::gen::element("total_bytes", "per_connection_bytes");
  const unsigned payload =
      parse_daemon_config(fmt::format("[udp]\nmtu = {}\n", mtu), "f.toml").endpoint.payload_bytes;
  const bool holds = budget / protocol::kSlotBytes >= protocol::slots_of(payload);
  RC_ASSERT(
      refusal(fmt::format("[udp]\nmtu = {}\n[memory]\n{} = {}\n", mtu, key, budget)).empty() ==
      holds);
}

}  // namespace
}  // namespace selvedge::service
