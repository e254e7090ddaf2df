// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// opensm as a child process; here it is a script that does what the test says.
#include "sim/emulate/opensm_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

/// With TMPDIR as the test has set it; the folder of the test itself is another.
struct AnOpenSm : ::testing::Test {
  void SetUp() override {
    fs::create_directory(tmp);
    ::setenv("TMPDIR", tmp.c_str(), 1);
  }
  void TearDown() override {
    if (before.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", before.c_str(), 1);
  }
  OpenSmPrograms programs(const std::string& script) {
    folder.write("opensm", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder.path() / "opensm", fs::perms::owner_all);
    OpenSmPrograms found;
    found.opensm = folder.path() / "opensm";
    found.umad2sim = "";  // what is preloaded
    found.smp_agent = "/agent";
    found.selvedge_route = folder.path() / "opensm";
    return found;
  }
  static OpenSmSettings settings(const std::string& engine) {
    OpenSmSettings wanted;
    wanted.engine = engine;
    wanted.socket = "a-socket";
    return wanted;
  }
  static bool ends(const OpenSmProcess& process) {
    for (int i = 0; i < 2'000 && process.running(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return !process.running();
  }
  const std::string before = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  const TemporaryFolder folder{"unit-"};
  const fs::path tmp = folder.path() / "tmp";
};

TEST_F(AnOpenSm, IsStartedWithItsConfigurationAndEnvironment) {
  OpenSmSettings wanted = settings("selvedge-updn");
  wanted.lmc = 3;
  wanted.lines = {"max_wire_smps 16"};
  wanted.torus_config = "torus 4 4 1\n";
  wanted.plugin_settings = "drain_ms = 7\n";
  ::setenv("SIM_HOST", "another", 1);  // of another emulator
  {
    const OpenSmProcess process(
        programs("cat opensm.conf plugin.toml torus-2QoS.conf; echo $1 $2 $3; env"), wanted);
    ASSERT_TRUE(ends(process));
    const std::string said = [&] {
      return folder.read(fs::relative(*fs::directory_iterator(tmp), folder.path()) / "opensm.out");
    }();
    for (const char* part :
         {"routing_engine selvedge-updn,no_fallback\n", "\nlmc 3\n", "max_wire_smps 16\n",
          "event_plugin_name selvedge_opensm\n", "agent = \"/agent\"\ndrain_ms = 7\n",
          "torus 4 4 1\n", "-F opensm.conf -f\n", "IBSIM_SOCKNAME=a-socket\n"})
      EXPECT_NE(said.find(part), std::string::npos) << part << said;
    EXPECT_LT(said.find("max_wire_smps 4\n"), said.find("max_wire_smps 16\n"));  // this prevails
    EXPECT_EQ(said.find("SIM_HOST"), std::string::npos);
    EXPECT_TRUE(process.ending().starts_with("exit status 0: ")) << process.ending();
  }
  ::unsetenv("SIM_HOST");
  EXPECT_EQ(entries(tmp), 0U);
}

TEST_F(AnOpenSm, ThatEndsSaysHowAndWhy) {
  const auto ending = [&](const std::string& script) {
    const OpenSmProcess process(programs(script), settings("minhop"));
    EXPECT_TRUE(ends(process));
    EXPECT_FALSE(process.running());  // also when asked again
    return process.ending();
  };
  EXPECT_EQ(ending("exit 3"), "exit status 3: it wrote nothing");
  EXPECT_EQ(ending("echo so much >&2; echo the card is on fire >&2; exit 1"),
            "exit status 1: the card is on fire");
  EXPECT_EQ(
      ending("echo 'Nov 25 0x01 -> f: ERR 1234: first' >\"$4\"; echo last >>\"$4\"; kill -9 $$"),
      "signal 9 (Killed): f: ERR 1234: first");
  OpenSmPrograms none = programs("");
  none.opensm = "/nothing/here";
  const OpenSmProcess process(none, settings("minhop"));
  EXPECT_TRUE(ends(process));
  EXPECT_EQ(process.ending(), "exit status 127: it wrote nothing");
}

TEST_F(AnOpenSm, IsEndedWithWhatItHasStarted) {
  {
    const OpenSmProcess process(
        programs("sh -c 'echo $$ >" + folder.path().string() + "/child; exec sleep 1000' & wait"),
        settings("minhop"));
    for (int i = 0; i < 2'000 && folder.read("child").empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(process.running());
    EXPECT_EQ(process.ending(), ": it wrote nothing");
  }
  const pid_t child = std::stoi(folder.read("child"));
  const auto gone = [child] {  // or a zombie that nobody has waited for
    const std::string state = "/proc/" + std::to_string(child) + "/stat";
    std::ifstream file(state);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.empty() || text.find(") Z ") != std::string::npos;
  };
  for (int i = 0; i < 2'000 && !gone(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(gone());
  EXPECT_EQ(entries(tmp), 0U);
}

TEST_F(AnOpenSm, TablesOfAnotherEngineAreFoundInItsLog) {
  const OpenSmProcess process(
      programs("printf 'Nov 25 [1] 0x01 -> selvedge: interim: 4 switches by updn\n"
               "Nov 25 [1] 0x02 -> a: SUBNET UP\n"
               "Nov 25 [1] 0x01 -> selvedge: fell back: 3 switches by updn\n' >\"$4\""),
      settings("selvedge-ist"));
  ASSERT_TRUE(ends(process));
  EXPECT_EQ(process.replaced_at_start(), "interim: 4 switches by updn");
  EXPECT_EQ(process.replaced_later(), "fell back: 3 switches by updn");
  EXPECT_EQ(process.refusal(), "");
}

TEST_F(AnOpenSm, RefusalsAreFoundInItsLog) {
  const OpenSmProcess process(
      programs("printf 'Nov 25 [1] 0x01 -> a: ERR 1: other\\n"
               "Nov 25 [1] 0x01 -> selvedge: unknown key \"x\" in [repair]: '$PWD'/plugin.toml:7: "
               "known: y: Selvedge'\"'\"'s engines decline until this is corrected; and so on\\n"
               "Nov 25 [1] 0x02 -> b: No routing engine able to successfully configure tables\\n' "
               ">\"$4\""),
      settings("selvedge-updn"));
  ASSERT_TRUE(ends(process));
  EXPECT_EQ(process.refusal(), "b: No routing engine able to successfully configure tables");
  EXPECT_EQ(process.settings_error(), "unknown key \"x\" in [repair]: plugin.toml:7: known: y");
}

TEST_F(AnOpenSm, ADrainIsAnsweredOrRefused) {
  OpenSmPrograms found = programs("sleep 1000");
  folder.write("route",
               "#!/bin/sh\ntest \"$2\" != bad || { echo 'error: not this one'; exit 1; }\n"
               "echo drained: \"$@\"\n");
  fs::permissions(folder.path() / "route", fs::perms::owner_all);
  found.selvedge_route = folder.path() / "route";
  OpenSmProcess process(found, settings("selvedge-updn"));
  EXPECT_TRUE(process.drained());  // none was asked for
  const auto wait = [&] {
    for (int i = 0; i < 2'000 && !process.drained(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  process.drain({"S-1:2", "S-2"});
  wait();
  EXPECT_TRUE(process.drain_answer().starts_with("drained: drain S-1:2 S-2 --socket /"))
      << process.drain_answer();

  OpenSmProcess other(found, settings("selvedge-updn"));
  other.drain({"bad"});
  try {
    for (int i = 0; i < 2'000 && !other.drained(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.where(), "not this one");
  }
}

TEST_F(AnOpenSm, NeedsAFolderInTmpdir) {
  const OpenSmPrograms found = programs("exit 0");
  ::setenv("TMPDIR", "/nothing/here", 1);
  EXPECT_THROW(OpenSmProcess(found, settings("minhop")), EnvironmentError);
  ::setenv("TMPDIR", "", 1);
  // In memory where there is room.
  const fs::path usual = TemporaryFolder("unit-").path().parent_path();
  EXPECT_TRUE(usual == "/dev/shm" || usual == "/tmp") << usual;
  // A relative one becomes absolute: opensm runs in the folder itself.
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  ::setenv("TMPDIR", "tmp", 1);
  EXPECT_EQ(TemporaryFolder("unit-").path().parent_path(), tmp);
  {
    const OpenSmProcess process(programs("test -d \"${OSM_CACHE_DIR}\" && test -f opensm.conf"),
                                settings("minhop"));
    EXPECT_TRUE(ends(process));
    EXPECT_TRUE(process.ending().starts_with("exit status 0")) << process.ending();
  }
  fs::current_path(here);
  EXPECT_EQ(entries(tmp), 0U);
}

TEST_F(AnOpenSm, LeavesNothingBehindOnAFullDisk) {
  const OpenSmPrograms found = programs("exit 0");
  // A limit on the size of files stands in for the full disk: writes fail in the same place.
  rlimit usual{};
  ::getrlimit(RLIMIT_FSIZE, &usual);
  const rlimit none{0, usual.rlim_max};
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &none);
  std::string said;
  try {
    const OpenSmProcess process(found, settings("minhop"));
  } catch (const EnvironmentError& e) {
    said = e.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &usual);
  ::signal(SIGXFSZ, handler);
  EXPECT_NE(said.find("opensm.conf"), std::string::npos) << said;
  EXPECT_EQ(entries(tmp), 0U);
}

TEST(Torus2Qos, HasASeedOfOneSwitchForATorusOnly) {
  const std::string text = torus_2qos_config(torus({4, 5}));
  EXPECT_TRUE(text.starts_with("torus 4 5 1\nxp_link 0x")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_EQ(torus_2qos_config(torus({4})), "");
  EXPECT_EQ(torus_2qos_config(mesh({4, 4})), "");
}

}  // namespace
}  // namespace selvedge::sim
