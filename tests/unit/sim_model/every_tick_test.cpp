// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A cut at every single tick. The tick decides which packets are on a wire, being routed or
// crossing, and which credits are on their way. Random times seldom hit the tick that matters.
#include <gtest/gtest.h>

#include "scenario.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge::sim::test {
namespace {

constexpr unsigned kMessages = 7;

/// A random scenario with a few messages, close together, without actions.
Scenario brief(std::uint64_t seed, Features features = {}) {
  Scenario s = random_scenario(seed, features);
  s.actions.clear();
  if (s.plan.size() > kMessages) s.plan.resize(kMessages);
  for (Planned& one : s.plan) one.message.at %= 60;
  s.until = 1500;
  return s;
}

/// The busiest of the channels between switches, or of the hosts' channels.
Channel busiest(const Scenario& s, const Record& undisturbed, bool between_switches) {
  Channel found = kNoChannel;
  for (Channel c = 0; c < s.fabric.num_channels(); ++c) {
    if (s.fabric.peer(c) == kNoChannel || s.fabric.between_switches(c) != between_switches)
      continue;
    if (undisturbed.use[c].sum().bytes == 0) continue;
    if (found == kNoChannel || undisturbed.use[c].sum().bytes > undisturbed.use[found].sum().bytes)
      found = c;
  }
  return found;
}

/// With sanitizers every fifth tick is looked at.
Tick stride() { return selvedge::test::sampled() ? 5 : 1; }

/// Runs scenarios `first` to `first` + 3 with a cut at every tick. Returns the number of ticks
/// covered.
unsigned cut_at_every_tick(std::uint64_t first, Features features) {
  unsigned covered = 0;
  for (std::uint64_t seed = first; seed < first + 4; ++seed) {
    Scenario s = brief(seed, features);
    const Record undisturbed = play<Network>(s);
    if (undisturbed.deliveries.empty()) continue;
    const Tick end = std::min<Tick>(undisturbed.deliveries.back().delivered, 250);
    for (const bool between_switches : {true, false}) {
      const Channel cable = busiest(s, undisturbed, between_switches);
      if (cable == kNoChannel) continue;
      for (Tick cut = 0; cut <= end; cut += stride()) {
        // Down for no time, for a tick, or for a varying time.
        const Tick down = cut % 3 < 2 ? cut % 3 : cut * 7 % 160;
        s.actions = {{Action::Kind::kCut, cut, cable}, {Action::Kind::kRestore, cut + down, cable}};
        const std::string found = difference(s, play<Reference>(s), play<Network>(s));
        EXPECT_EQ(found, "") << s.describe();
        if (!found.empty()) return covered;
        covered += static_cast<unsigned>(stride());
      }
    }
  }
  return covered;
}

TEST(EveryTick, ACutAndARestoreAtAnyTick) { EXPECT_GT(cut_at_every_tick(9000, {}), 1000u); }

TEST(EveryTick, OnVl15Too) { EXPECT_GT(cut_at_every_tick(9000, {.management = true}), 500u); }

TEST(EveryTick, WithAQueueForEachOutputToo) {
  EXPECT_GT(cut_at_every_tick(9000, {.per_output = true}), 500u);
}

TEST(EveryTick, LifetimesMayEndAtAnyTick) {
  for (std::uint64_t seed = 9100; seed < 9102; ++seed) {
    Scenario s = brief(seed);
    for (Tick life = 1; life <= 150; life += stride()) {
      s.model.head_of_queue_life = seed % 2 == 0 ? life : kNever;
      s.model.switch_life = seed % 2 == 0 ? kNever : 2 * life;
      ASSERT_EQ(difference(s, play<Reference>(s), play<Network>(s)), "") << s.describe();
    }
  }
}

}  // namespace
}  // namespace selvedge::sim::test
