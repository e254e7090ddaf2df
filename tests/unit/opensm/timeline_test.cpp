// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/timeline.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <thread>

namespace selvedge {
namespace {

std::vector<unsigned> numbers(const Timeline& timeline) {
  std::vector<unsigned> all;
  for (const Event& e : timeline.events()) all.push_back(e.number);
  return all;
}

TEST(Timeline, KeepsTheLastEventsOldestFirst) {
  Timeline timeline(4);
  EXPECT_TRUE(timeline.events().empty());
  for (unsigned i = 0; i < 3; ++i) timeline.add(Event::Kind::kLftBlock, 7, i);
  EXPECT_EQ(numbers(timeline), (std::vector<unsigned>{0, 1, 2}));
  for (unsigned i = 3; i < 11; ++i) timeline.add(Event::Kind::kLftBlock, 7, i);
  EXPECT_EQ(numbers(timeline), (std::vector<unsigned>{7, 8, 9, 10}));
  EXPECT_EQ(timeline.total(), 11u);
  EXPECT_EQ(timeline.events()[0].guid, 7u);
}

TEST(Timeline, CanBeResizedAtAnyTime) {
  for (unsigned before = 0; before < 12; ++before)
    for (const std::size_t capacity : {1, 3, 5, 9}) {
      Timeline timeline(5);
      for (unsigned i = 0; i < before; ++i) timeline.add(Event::Kind::kTrap, 0, i);
      timeline.resize(capacity);
      for (unsigned i = before; i < before + 2; ++i) timeline.add(Event::Kind::kTrap, 0, i);
      const unsigned kept = std::min({before, 5u, static_cast<unsigned>(capacity)});
      const unsigned there = std::min<unsigned>(kept + 2, static_cast<unsigned>(capacity));
      std::vector<unsigned> expected;
      for (unsigned i = before + 2 - there; i < before + 2; ++i) expected.push_back(i);
      EXPECT_EQ(numbers(timeline), expected) << before << " events, then " << capacity;
      EXPECT_EQ(timeline.total(), before + 2);
    }
}

TEST(Timeline, TimesNeverGoBack) {
  Timeline timeline(64);
  for (unsigned i = 0; i < 64; ++i) timeline.add(Event::Kind::kTrap);
  const auto events = timeline.events();
  for (std::size_t i = 1; i < events.size(); ++i)
    EXPECT_LE(events[i - 1].monotonic_us, events[i].monotonic_us);
}

TEST(Timeline, EveryKindHasAName) {
  std::set<std::string_view> names;
  for (unsigned k = 0; k <= static_cast<unsigned>(Event::Kind::kStateChange); ++k)
    names.insert(name(static_cast<Event::Kind>(k)));
  EXPECT_EQ(names.size(), static_cast<unsigned>(Event::Kind::kStateChange) + 1);
  EXPECT_FALSE(names.contains("?"));
}

TEST(Timeline, ManyWritersAndAReader) {
  Timeline timeline(100);
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    while (!stop) EXPECT_LE(timeline.events().size(), 100u);
  });
  std::vector<std::thread> writers;
  for (unsigned w = 0; w < 4; ++w)
    writers.emplace_back([&] {
      for (unsigned i = 0; i < 2000; ++i) timeline.add(Event::Kind::kTrap);
    });
  timeline.resize(50);
  timeline.resize(100);
  for (std::thread& w : writers) w.join();
  stop = true;
  reader.join();
  EXPECT_EQ(timeline.total(), 8000u);
}

TEST(Events, SayWhatEachKindIsAbout) {
  Timeline timeline(16);
  timeline.add(Event::Kind::kTrap, 0, 128, 7);
  timeline.add(Event::Kind::kLftBlock, 0x2a, 3);
  timeline.add(Event::Kind::kLftTop, 0x2a, 90);
  timeline.add(Event::Kind::kSubnetUp);
  const nlohmann::json d = nlohmann::json::parse(events_document(timeline));
  EXPECT_EQ(d.at("total"), 4);
  const nlohmann::json& e = d.at("events");
  ASSERT_EQ(e.size(), 4u);
  EXPECT_EQ(e[0].at("event"), "trap");
  EXPECT_EQ(e[0].at("trap"), 128);
  EXPECT_EQ(e[0].at("lid"), 7);
  EXPECT_EQ(e[1].at("guid"), "0x000000000000002a");
  EXPECT_EQ(e[1].at("block"), 3);
  EXPECT_EQ(e[2].at("top"), 90);
  EXPECT_EQ(e[3].at("event"), "subnet_up");
  EXPECT_TRUE(nlohmann::json::parse(events_document(Timeline(1))).at("events").empty());
}

TEST(Events, TimesAreUtc) {
  EXPECT_TRUE(
      std::regex_match(utc_now(), std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ)")));
}

}  // namespace
}  // namespace selvedge
