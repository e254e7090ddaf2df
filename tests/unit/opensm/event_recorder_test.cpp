// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/event_recorder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace selvedge {
namespace {

namespace fs = std::filesystem;
using Kind = RoutingEvent::Kind;

class EventRecorderTest : public testing::Test {
 protected:
  EventRecorderTest() {
    folder_ = (fs::temp_directory_path() / "selvedge-events-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~EventRecorderTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Makes a shell script and returns its path.
  std::string script(const std::string& text) const {
    const std::string file = path("hook");
    std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
    chmod(file.c_str(), 0755);
    return file;
  }
  static std::vector<std::string> lines_of(const std::string& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  static void wait(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(holds());
  }
  std::vector<std::string> reports() {
    const std::lock_guard lock(mutex_);
    return reports_;
  }

  std::string folder_;
  std::mutex mutex_;
  std::vector<std::string> reports_;
  EventRecorder recorder_{[this](bool, const std::string& line) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(line);
  }};
};

TEST_F(EventRecorderTest, EventsGoToTheLogInOrder) {
  recorder_.set(path("log"), "", 1);
  RoutingEvent quiet = event_of(Kind::kSweep, "nothing new");
  quiet.same = true;
  for (int i = 0; i < 20; ++i) recorder_.add(event_of(Kind::kHeld, std::to_string(i)));
  recorder_.add(quiet);
  recorder_.stop();
  const auto lines = lines_of(path("log"));
  ASSERT_EQ(lines.size(), 20u);
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(nlohmann::json::parse(lines[i]).at("what"), std::to_string(i));
  EXPECT_EQ(recorder_.counters().held, 20u);
  EXPECT_TRUE(reports().empty());
}

TEST_F(EventRecorderTest, ALogThatCannotBeWrittenIsOneLine) {
  mkfifo(path("pipe").c_str(), 0600);
  fs::create_symlink(path("victim"), path("link"));
  for (const std::string name : {"pipe", "link", "none/log", "."}) {
    recorder_.set(path(name), "", 1);
    const std::size_t before = reports().size();
    for (int i = 0; i < 3; ++i) recorder_.add(event_of(Kind::kHeld, name));
    const std::uint64_t wanted = recorder_.counters().held;
    wait([&] { return reports().size() > before && recorder_.counters().held >= wanted; });
  }
  recorder_.stop();
  EXPECT_EQ(recorder_.counters().held, 12u);  // they are counted all the same
  EXPECT_EQ(reports().size(), 4u);
  EXPECT_FALSE(fs::exists(path("victim")));
}

TEST_F(EventRecorderTest, TheHookGetsEachEventOnceAndInOrder) {
  recorder_.set("", script("cat >> '" + path("seen") + "'; echo noise; echo noise >&2"), 30);
  for (int i = 0; i < 10; ++i) recorder_.add(event_of(Kind::kHeld, std::to_string(i)));
  wait([&] { return lines_of(path("seen")).size() == 10; });
  const auto lines = lines_of(path("seen"));
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(nlohmann::json::parse(lines[i]).at("what"), std::to_string(i));
  wait([&] { return recorder_.hooks_run() == 10; });
  EXPECT_EQ(recorder_.hooks_failed(), 0u);
  EXPECT_TRUE(reports().empty());
}

TEST_F(EventRecorderTest, AFailingHookIsOneLineUntilItWorksAgain) {
  recorder_.set("", script("[ -e '" + path("mended") + "' ] || exit 3"), 30);
  for (int i = 0; i < 5; ++i) recorder_.add(event_of(Kind::kHeld, ""));
  wait([&] { return recorder_.hooks_failed() == 5; });
  ASSERT_EQ(reports().size(), 1u);
  EXPECT_NE(reports()[0].find("ended with status 3"), std::string::npos) << reports()[0];
  std::ofstream(path("mended")) << "";
  recorder_.add(event_of(Kind::kHeld, ""));
  wait([&] { return reports().size() == 2; });
  EXPECT_NE(reports()[1].find("works again"), std::string::npos);
  EXPECT_EQ(recorder_.hooks_failed(), 5u);
}

TEST_F(EventRecorderTest, AMissingOrEndedHookIsNamed) {
  recorder_.set("", path("none"), 30);
  recorder_.add(event_of(Kind::kHeld, ""));
  wait([&] { return reports().size() == 1; });
  EXPECT_NE(reports()[0].find("cannot be started"), std::string::npos);
  recorder_.set("", script("kill -9 $$"), 30);
  recorder_.add(event_of(Kind::kHeld, ""));
  wait([&] { return reports().size() == 2; });
  EXPECT_NE(reports()[1].find("signal 9"), std::string::npos);
}

/// A hook that hangs is ended with all that it has started; the next event's run follows.
TEST_F(EventRecorderTest, AHangingHookIsEnded) {
  recorder_.set("", script("cat > /dev/null; echo $$ >> '" + path("pids") + "'; sleep 1000 & wait"),
                1);
  recorder_.add(event_of(Kind::kHeld, ""));
  recorder_.add(event_of(Kind::kHeld, ""));
  wait([&] { return recorder_.hooks_failed() == 2; });
  const auto pids = lines_of(path("pids"));
  ASSERT_EQ(pids.size(), 2u);
  for (const std::string& pid : pids)
    wait([&] { return kill(-std::stoi(pid), 0) != 0 && errno == ESRCH; });
  ASSERT_EQ(reports().size(), 1u);
  EXPECT_NE(reports()[0].find("was ended after 1 s"), std::string::npos);
}

/// More events than a hook takes: they are counted, logged in the file, and dropped for the hook.
/// The one who adds them never waits.
TEST_F(EventRecorderTest, AFloodIsOneLineAndStopEndsTheHook) {
  recorder_.set(path("log"), script("exec sleep 1000"), 3600);
  const std::size_t flood = 3 * HookRunner::kMaxQueued;
  for (std::size_t i = 0; i < flood; ++i) {
    recorder_.add(event_of(Kind::kHeld, ""));
    if (i % 64 == 0) wait([&] { return recorder_.counters().held == i + 1; });
  }
  wait([&] { return recorder_.counters().held == flood; });
  recorder_.stop();
  EXPECT_EQ(lines_of(path("log")).size(), flood);
  EXPECT_GE(recorder_.dropped(), flood - HookRunner::kMaxQueued - 1);
  ASSERT_EQ(reports().size(), 1u);
  EXPECT_NE(reports()[0].find("dropped"), std::string::npos);
}

}  // namespace
}  // namespace selvedge
