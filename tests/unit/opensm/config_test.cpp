// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/config.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace selvedge {
namespace {

PluginConfig parse(std::string_view text) { return parse_plugin_config(text, "p.toml"); }

/// The message of the InputError that `text` causes; "" if it causes none.
std::string complaint(std::string_view text) {
  try {
    parse(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "selvedge-config-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& text) const {
    const std::string path = path_ + "/plugin.toml";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Config, EveryKeyIsRead) {
  const PluginConfig c = parse(R"(
[engine]
root = "0x0002c902004ab3f8"
tree = "dfs"
max_vls = 4
max_sls = 1
fallback = "opensm"
[adopt]
enabled = false
[status]
socket = "/tmp/x.sock"
file = ""
events = 16
[metrics]
listen = "[::1]:9183"
[events]
log = "/var/log/e.jsonl"
run = "/bin/true"
run_s = 3
[errors]
action = "dry-run"
symbol_per_min = 1.5
integrity_per_min = 0
discards_per_min = 7
drains_per_hour = 9
)");
  EXPECT_EQ(c.root, "0x0002c902004ab3f8");
  EXPECT_EQ(c.tree, EngineRequest::Tree::kDfs);
  EXPECT_EQ(c.max_vls, 4u);
  EXPECT_EQ(c.max_sls, 1u);
  EXPECT_EQ(c.fallback, "opensm");
  EXPECT_FALSE(c.adopt);
  EXPECT_EQ(c.socket, "/tmp/x.sock");
  EXPECT_EQ(c.file, "");
  EXPECT_EQ(c.events, 16u);
  EXPECT_EQ(c.metrics_listen, "[::1]:9183");
  EXPECT_EQ(c.event_log, "/var/log/e.jsonl");
  EXPECT_EQ(c.event_run, "/bin/true");
  EXPECT_EQ(c.event_run_s, 3u);
  EXPECT_EQ(c.errors, (ErrorSettings{ErrorSettings::Action::kDryRun, 1.5, 0, 7, 9}));
}

TEST(Config, AddressesAndPathsOfMetricsAndEvents) {
  EXPECT_NE(complaint("[metrics]\nlisten = \"0.0.0.0:9183\"").find("loopback"), std::string::npos);
  EXPECT_NE(complaint("[metrics]\nlisten = \"9183\"").find("p.toml"), std::string::npos);
  EXPECT_NE(complaint("[events]\nrun = \"hook\"").find("absolute"), std::string::npos);
  EXPECT_NE(complaint("[events]\nlog = \"log\"").find("absolute"), std::string::npos);
  EXPECT_NE(complaint("[events]\nrun_s = 0"), "");
}

TEST(Config, ContradictionsOfErrorsAreRefused) {
  EXPECT_NE(complaint("[errors]\naction = \"drain\"\nsymbol_per_min = 0\nintegrity_per_min = 0")
                .find("all limits are 0"),
            std::string::npos);
  EXPECT_NE(complaint("[errors]\naction = \"drain\"\n[repair]\nfast_path = false")
                .find("fast_path is false"),
            std::string::npos);
  EXPECT_EQ(complaint("[errors]\naction = \"dry-run\"\n[repair]\nfast_path = false"), "");
  EXPECT_NE(complaint("[errors]\naction = \"on\""), "");
  EXPECT_NE(complaint("[errors]\nsymbol_per_min = -1"), "");
}

TEST(Config, TheFileThatShipsHoldsTheDefaults) {
  EXPECT_EQ(read_plugin_config(SELVEDGE_SOURCE_DIR "/conf/plugin.toml"), PluginConfig{});
}

TEST(Config, AbsentKeysKeepTheirDefaults) {
  EXPECT_EQ(parse(""), PluginConfig{});
  EXPECT_EQ(parse("\n# nothing\n[engine]\n[status]\n"), PluginConfig{});
  PluginConfig one;
  one.max_vls = 2;
  EXPECT_EQ(parse("[engine]\nmax_vls = 2"), one);
}

TEST(Config, HeadOfQueueLifetimesNeedTheFastPath) {
  EXPECT_EQ(parse("[engine]\nhoq_life = 7").hoq_life, 7u);
  EXPECT_NE(complaint("[engine]\nhoq_life = 7\n[repair]\nfast_path = false")
                .find("hoq_life needs the fast path"),
            std::string::npos);
  EXPECT_EQ(complaint("[engine]\nhoq_life = 0\n[repair]\nfast_path = false"), "");
  EXPECT_NE(complaint("[engine]\nhoq_life = 20").find("from 0 to 19"), std::string::npos);
}

TEST(Config, ReaddressingNeedsTheFastPath) {
  EXPECT_EQ(parse("[repair]").mode, PluginConfig::RepairWay::kInPlace);
  const PluginConfig c = parse("[repair]\nmode = \"readdress\"\nkeep_fresh_s = 5");
  EXPECT_EQ(c.mode, PluginConfig::RepairWay::kReaddress);
  EXPECT_EQ(c.keep_fresh_s, 5u);
  EXPECT_NE(complaint("[repair]\nmode = \"readdress\"\nfast_path = false")
                .find("mode needs the fast path"),
            std::string::npos);
  EXPECT_NE(complaint("[repair]\nkeep_fresh_s = 5").find("is for mode = \"readdress\""),
            std::string::npos);
  EXPECT_NE(complaint("[repair]\nmode = \"other\"").find("in-place, readdress"), std::string::npos);
}

TEST(Config, EveryGradeOfRepliesMayBeAskedFor) {
  using Replies = PluginConfig::Replies;
  EXPECT_EQ(parse("[engine]\nreplies = \"best\"").replies, Replies::kBest);
  EXPECT_EQ(parse("[engine]\nreplies = \"own-sl\"").replies, Replies::kOwnSl);
  EXPECT_EQ(parse("[engine]\nreplies = \"base\"").replies, Replies::kBase);
  EXPECT_EQ(parse("[engine]\nreplies = \"same-sl\"").replies, Replies::kSameSl);
  EXPECT_NE(complaint("[engine]\nreplies = \"all\"\n").find("best, own-sl, base"),
            std::string::npos);
}

TEST(Config, HowLongASweepWaitsForItsEngine) {
  using std::chrono::milliseconds;
  EXPECT_EQ(parse("").deadline_ms, std::nullopt);
  EXPECT_EQ(parse("[engine]\ndeadline_ms = 0").deadline_ms, 0u);
  // What is written holds always.
  using enum RoutedBy;
  for (const RoutedBy routed : {kOurTables, kFoundTables, kNothing}) {
    EXPECT_EQ(wait_for_engine(0, routed, milliseconds(900)), milliseconds(0));
    EXPECT_EQ(wait_for_engine(60'000, routed, milliseconds(900)), milliseconds(60'000));
  }
  EXPECT_EQ(wait_for_engine({}, kOurTables, milliseconds(900)), milliseconds(500));
  // What was found can be kept only with the engine's SLs.
  EXPECT_EQ(wait_for_engine({}, kFoundTables, milliseconds(900)), milliseconds(30'000));
  // A bring-up that has taken 900 ms takes at most a tenth more; never more than half a second.
  EXPECT_EQ(wait_for_engine({}, kNothing, milliseconds(900)), milliseconds(90));
  EXPECT_EQ(wait_for_engine({}, kNothing, milliseconds(60'000)), milliseconds(500));
}

TEST(Config, EveryEngineMayBeTheFallback) {
  for (const Engine* e : engines())
    EXPECT_EQ(parse("[engine]\nfallback = \"" + std::string(e->name) + "\"").fallback, e->name);
}

TEST(Config, LineEndsByteOrderMarkAndEmptyFilesAreAccepted) {
  EXPECT_EQ(parse("\xEF\xBB\xBF[engine]\r\nmax_vls = 3\r\n").max_vls, 3u);
  const Folder folder;
  EXPECT_EQ(read_plugin_config(folder.file("")), PluginConfig{});
  EXPECT_EQ(read_plugin_config(folder.file("\r\n")), PluginConfig{});
}

TEST(Config, PapersTablesAreNeverLive) {
  EXPECT_NE(complaint("[engine]\npaper = true\n").find("unknown key 'paper' in [engine]: p.toml:2"),
            std::string::npos);
}

TEST(Config, AnUnknownKeyNamesTheNearest) {
  EXPECT_EQ(
      complaint("[engine]\n\nmax_vl = 4\n"),
      "unknown key 'max_vl' in [engine]: p.toml:3: did you mean 'max_vls'? known: root, tree, "
      "max_vls, max_sls, fill_vls, replies, deadline_ms, hoq_life, fallback");
  EXPECT_EQ(complaint("[adopt]\nenable = true\n"),
            "unknown key 'enable' in [adopt]: p.toml:2: did you mean 'enabled'? known: enabled");
  EXPECT_EQ(complaint("[statsu]\n"),
            "unknown key 'statsu' in the file: p.toml:1: did you mean 'status'? known: engine, "
            "adopt, repair, status, metrics, events, errors");
}

TEST(Config, WrongTypesAndValuesOutOfRange) {
  struct Case {
    const char *text, *key, *allowed;
  };
  for (const auto& [text, key, allowed] : {
           Case{"[engine]\nmax_vls = 0", "[engine] max_vls", "from 1 to 15"},
           Case{"[engine]\nmax_vls = 16", "[engine] max_vls", "from 1 to 15"},
           Case{"[engine]\nmax_vls = -1", "[engine] max_vls", "from 1 to 15"},
           Case{"[engine]\nmax_vls = 4294967297", "[engine] max_vls", "from 1 to 15"},
           Case{"[engine]\nmax_vls = 4.0", "[engine] max_vls", "a whole number"},
           Case{"[engine]\nmax_sls = 17", "[engine] max_sls", "from 1 to 16"},
           Case{"[engine]\nmax_sls = \"4\"", "[engine] max_sls", "a whole number"},
           Case{"[engine]\ntree = \"dfx\"", "[engine] tree", "one of best, bfs, dfs"},
           Case{"[engine]\ntree = 1", "[engine] tree", "one of best, bfs, dfs"},
           Case{"[engine]\nroot = 1", "[engine] root", "a string in quotes"},
           Case{"[engine]\nfallback = \"minhop\"", "[engine] fallback", "one of opensm, "},
           Case{"[adopt]\nenabled = 1", "[adopt] enabled", "true or false"},
           Case{"[status]\nsocket = true", "[status] socket", "a string in quotes"},
           Case{"[status]\nfile = []", "[status] file", "a string in quotes"},
           Case{"[status]\nevents = 15", "[status] events", "from 16 to 1048576"},
           Case{"[status]\nevents = 1048577", "[status] events", "from 16 to 1048576"},
       }) {
    const std::string said = complaint(text);
    EXPECT_TRUE(said.starts_with(std::string(key) + " has a value that is not allowed: p.toml:2: "))
        << text << ": " << said;
    EXPECT_NE(said.find(allowed), std::string::npos) << text << ": " << said;
  }
  EXPECT_EQ(complaint("engine = 3"),
            "'engine' is not a section: p.toml:1: write [engine] and its keys below");
}

TEST(Config, BrokenTomlIsOneLineWithItsPlace) {
  for (const char* text : {"[engine", "[engine]\nroot = \"", "[engine]\nroot = 1\nroot = 2", "=",
                           "[engine]\nmax_vls = 99999999999999999999", "\xff\xfe", "[a]\n[a]\n"}) {
    const std::string said = complaint(text);
    EXPECT_NE(said, "") << text;
    EXPECT_NE(said.find("p.toml:"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
  EXPECT_NE(complaint("[engine]\nx = ").find("p.toml:2"), std::string::npos);
}

TEST(Config, ASocketPathHasItsLimit) {
  EXPECT_EQ(complaint("[status]\nsocket = \"" + std::string(107, 'x') + "\""), "");
  EXPECT_NE(complaint("[status]\nsocket = \"" + std::string(108, 'x') + "\""), "");
}

TEST(Config, UnreadableFiles) {
  const Folder folder;
  EXPECT_THROW(read_plugin_config(folder.path() + "/none.toml"), InputError);
  EXPECT_THROW(read_plugin_config(folder.path()), InputError);
  const std::string path = folder.file("[engine]\n");
  if (geteuid() == 0) return;  // root reads everything
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_THROW(read_plugin_config(path), InputError);
}

TEST(Config, AMissingFileDiffersFromAnUnreadableOne) {
  const Folder folder;
  EXPECT_TRUE(config_is_missing(folder.path() + "/none.toml"));
  EXPECT_TRUE(config_is_missing(folder.path() + "/none/plugin.toml"));
  EXPECT_TRUE(config_is_missing(folder.file("[engine]\n") + "/below-a-file"));
  EXPECT_TRUE(config_is_missing(""));
  std::filesystem::create_symlink("nowhere", folder.path() + "/dangling");
  EXPECT_TRUE(config_is_missing(folder.path() + "/dangling"));
  EXPECT_FALSE(config_is_missing(folder.path()));
  EXPECT_FALSE(config_is_missing(folder.file("[engine]\n")));
  std::filesystem::create_symlink("loop", folder.path() + "/loop");
  EXPECT_FALSE(config_is_missing(folder.path() + "/loop"));
}

TEST(Config, DevicesAndPipesAreNotOpened) {
  EXPECT_THROW(read_plugin_config("/dev/zero"), InputError);
}

TEST(Config, ThePathAmongOtherPluginsOptions) {
  EXPECT_EQ(config_path(nullptr), std::nullopt);
  EXPECT_EQ(config_path(""), std::nullopt);
  EXPECT_EQ(config_path("other:/etc/x verbose=1"), std::nullopt);
  EXPECT_EQ(config_path("selvedge:/etc/selvedge/plugin.toml"), "/etc/selvedge/plugin.toml");
  EXPECT_EQ(config_path("  other:/etc/x\tselvedge:/a/b.toml more "), "/a/b.toml");
  EXPECT_EQ(config_path("notselvedge:/a selvedge:/b"), "/b");
  EXPECT_EQ(config_path("selvedge:"), "");  // and to read it is an error: better than to ignore it
  EXPECT_THROW(read_plugin_config(""), InputError);
}

}  // namespace
}  // namespace selvedge
