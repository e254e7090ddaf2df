// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests what a reload of the configuration changes, for random pairs of configuration files.
#include "daemon/service/reload.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace selvedge::service {
namespace {

std::string any_file() {
  const auto number = [](int least, int most) {  // few different values, so that many files agree
    return *rc::gen::element(least, least + 1, most);
  };
  const bool is_static = *rc::gen::arbitrary<bool>();
  const std::string mode = is_static ? *rc::gen::element<std::string>("li", "lw", "none", "credits")
                                     : *rc::gen::element<std::string>("li", "none", "credits");
  std::string text = fmt::format(
      "[daemon]\nsocket = \"/tmp/{}\"\npoll = \"{}\"\nspin_us = {}\nclients_max = {}\n"
      "client_connections_max = {}\nring_bytes = {}\nmode = \"0{}\"\nusers = [\"{}\"]\n",
      number(1, 3), *rc::gen::element<std::string>("sleep", "busy"), number(0, 9), number(1, 9),
      number(1, 9), *rc::gen::element(2 << 20, 4 << 20), *rc::gen::element(600, 660, 666),
      number(1, 9));
  const int mtu = number(512, 9'000);
  text += fmt::format("[udp]\nlisten = \"127.0.0.1:{}\"\npaths = {}\nmtu = {}\n",
                      number(47'001, 47'999), number(1, 16), mtu);
  text += fmt::format("[memory]\npolicy = \"{}\"\ntotal_bytes = {}\nper_connection_bytes = {}\n",
                      is_static ? "static" : "dynamic", number(1 << 20, 1 << 22),
                      *rc::gen::element(0, mtu < 1'000 ? 1'024 : 4'096, 1 << 16));
  text +=
      fmt::format("[injection]\nmode = \"{}\"\n[paths]\nburst_packets = {}\n", mode, number(1, 64));
  return text + fmt::format("[impair]\nloss = 0.{}\nseed = {}\n", number(1, 5), number(1, 9));
}

RC_GTEST_PROP(Reload, AppliesAllButTheKeysThatNeedARestart, ()) {
  const DaemonConfig running = parse_daemon_config(any_file(), "running");
  const DaemonConfig wanted = parse_daemon_config(any_file(), "wanted");
  const Reload r = reload(running, wanted);
  RC_ASSERT(r.config.socket == running.socket);
  RC_ASSERT(r.config.udp.listen == running.udp.listen);
  RC_ASSERT(r.config.udp.paths == running.udp.paths);
  RC_ASSERT(r.config.endpoint.sender.paths.paths == running.udp.paths);
  RC_ASSERT(r.config.endpoint.payload_bytes == running.endpoint.payload_bytes);
  RC_ASSERT(r.config.endpoint.policy == running.endpoint.policy);
  RC_ASSERT(r.config.endpoint.memory_bytes == running.endpoint.memory_bytes);
  RC_ASSERT(r.config.busy == wanted.busy);
  RC_ASSERT(r.config.spin_us == wanted.spin_us);
  RC_ASSERT(r.config.mode == running.mode);
  RC_ASSERT(r.config.users == wanted.users);
  RC_ASSERT(r.config.clients_max == wanted.clients_max);
  RC_ASSERT(r.config.client_connections_max == wanted.client_connections_max);
  RC_ASSERT(r.config.ring_bytes == wanted.ring_bytes);
  // Whatever the two files contain, a connection can store the longest packet, or none.
  const std::size_t stored = wanted.endpoint.memory_bytes_per_connection;
  RC_ASSERT(r.config.endpoint.memory_bytes_per_connection ==
            (stored == 0 || stored >= stored_packet_bytes(running)
                 ? stored
                 : running.endpoint.memory_bytes_per_connection));
  RC_ASSERT(r.config.endpoint.sender.burst_packets == wanted.endpoint.sender.burst_packets);
  RC_ASSERT(r.config.impair.loss == wanted.impair.loss);
  RC_ASSERT(r.config.impair.seed == wanted.impair.seed);
  // Whatever the two files contain, mode lw is never combined with dynamic memory.
  RC_ASSERT(r.config.endpoint.sender.injection != protocol::InjectionMode::kLw ||
            r.config.endpoint.policy == protocol::MemoryPolicy::kStatic);
}

RC_GTEST_PROP(Reload, TheSameFileAgainChangesNothing, ()) {
  const DaemonConfig running = parse_daemon_config(any_file(), "running");
  const DaemonConfig wanted = parse_daemon_config(any_file(), "wanted");
  const Reload once = reload(running, wanted);
  const Reload twice = reload(once.config, wanted);
  RC_ASSERT(twice.changed.empty());
  RC_ASSERT(twice.needs_restart == once.needs_restart);
  const Reload same = reload(wanted, wanted);
  RC_ASSERT(same.changed.empty() && same.needs_restart.empty());
}

TEST(Reload, ReportsEachChange) {
  const DaemonConfig running;
  const DaemonConfig wanted = parse_daemon_config(
      "[udp]\npaths = 3\n[paths]\nburst_packets = 4\nchoice = \"two-choices\"\n"
      "overtaking = \"loss\"\ncongestion = \"off\"\nempty_rtt_us = 2000\n[injection]\nmode = "
      "\"li\"\n[impair]\nloss = "
      "0.5\n",
      "wanted");
  const Reload r = reload(running, wanted);
  EXPECT_EQ(r.changed,
            (std::vector<std::string>{
                "[injection] mode: credits to li, for new connections",
                "[paths] choice: round-robin to two-choices, for new connections",
                "[paths] overtaking: measured to loss, for new connections",
                "[paths] congestion: delay to off, for new connections",
                "[paths] empty_rtt_us: 300 to 2000, for new connections",
                "[paths] burst_packets: 15 to 4, for new connections", "[impair] loss: 0 to 0.5"}));
  EXPECT_EQ(r.needs_restart, (std::vector<std::string>{"[udp] paths: 8 to 3"}));
}

TEST(Reload, TheShippedFileHasTheDefaults) {
  const Reload r = reload({}, load_daemon_config(SELVEDGE_SOURCE_DIR "/conf/selvedged.toml"));
  EXPECT_EQ(r.changed, std::vector<std::string>{});
  EXPECT_EQ(r.needs_restart, std::vector<std::string>{});
}

}  // namespace
}  // namespace selvedge::service
