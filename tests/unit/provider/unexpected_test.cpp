// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Credits for messages without a receive: several senders and one receiver, with everything on the
// way that may be.
#include "daemon/provider/unexpected.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <optional>
#include <vector>

namespace selvedge::provider {
namespace {

struct Line {
  explicit Line(Budget& budget) : promise(std::make_shared<Promise>(budget)) {}
  Credit credit;
  std::shared_ptr<Promise> promise;
  std::deque<std::uint64_t> on_the_way, grants;  // lengths of eager messages; what is granted
  bool open = true;
};

struct Stored {
  Held held;
  std::uint64_t bytes = 0;
};

RC_GTEST_PROP(Unexpected, memory_has_a_bound_and_credit_comes_back, ()) {
  const auto total = *rc::gen::element(std::uint64_t{32'768}, std::uint64_t{100'000},
                                       std::uint64_t{1'048'576}, std::uint64_t{67'108'864});
  Budget budget(total);
  std::vector<std::unique_ptr<Line>> lines;
  std::vector<Stored> stored;
  std::uint64_t stored_bytes = 0;
  std::size_t sent = 0;
  bool ended = false;
  const auto flush = [&](Line& line) {
    if (const auto granted = line.promise->grant()) line.grants.push_back(*granted);
  };
  const auto consume = [&](std::size_t i) {
    stored_bytes -= stored[i].bytes;
    std::swap(stored[i], stored.back());
    stored.pop_back();
  };
  const auto steps = *rc::gen::inRange(0, 400);
  for (int step = 0; step < steps; ++step) {
    const auto what = *rc::gen::inRange(0, 20);
    if (lines.empty() || (what == 0 && lines.size() < 6 && budget.has_room())) {
      if (!budget.has_room()) continue;
      lines.push_back(std::make_unique<Line>(budget));
      continue;
    }
    Line& line = *lines[*rc::gen::inRange<std::size_t>(0, lines.size())];
    if (!line.open) {
      // A connection in place of one that has ended.
      if (what > 1 || !budget.has_room()) continue;
      line.credit = Credit();
      line.promise = std::make_shared<Promise>(budget);
      line.open = true;
    } else if (what == 1) {
      line.promise->end();
      line.open = false;
      ended = true;
      line.on_the_way.clear();
      line.grants.clear();
    } else if (what < 10) {
      const auto length = *rc::gen::element(0u, 8u, 4'096u, 65'536u, 262'144u, 262'145u);
      if (line.credit.take(length)) {
        line.on_the_way.push_back(length);
        ++sent;
      } else {
        line.promise->offered();  // in truth later, when the offer has arrived
      }
    } else if (what < 14 && !line.on_the_way.empty()) {
      const std::uint64_t length = line.on_the_way.front();
      line.on_the_way.pop_front();
      RC_ASSERT(line.promise->arrive(length));
      Held held(line.promise, length);
      if (*rc::gen::arbitrary<bool>()) {
        stored.push_back({std::move(held), charge(length)});
        stored_bytes += charge(length);
      }
    } else if (what < 16 && !stored.empty()) {
      consume(*rc::gen::inRange<std::size_t>(0, stored.size()));
    } else if (what < 18) {
      flush(line);
    } else if (!line.grants.empty()) {
      RC_ASSERT(line.credit.raise(line.grants.front()));
      line.grants.pop_front();
    }
    RC_ASSERT(stored_bytes <= budget.promised());
    RC_ASSERT(budget.promised() <= (ended ? 2 * total : total) + lines.size() * kFirstCredit);
  }
  RC_CLASSIFY(sent > 20, "many were sent");
  // Once all of it is received, a peer may send as much as at the beginning.
  for (auto& line : lines) {
    for (; line->open && !line->on_the_way.empty(); line->on_the_way.pop_front()) {
      RC_ASSERT(line->promise->arrive(line->on_the_way.front()));
      Held(line->promise, line->on_the_way.front());
    }
  }
  while (!stored.empty()) consume(stored.size() - 1);
  for (auto& line : lines) {
    if (!line->open) continue;
    flush(*line);
    for (const std::uint64_t granted : line->grants) RC_ASSERT(line->credit.raise(granted));
    RC_ASSERT(line->credit.take(kFirstCredit / 2 - kArrivalBytes));
    line->promise->end();
  }
  RC_ASSERT(budget.promised() == std::uint64_t{0});
  RC_ASSERT(budget.has_room());
}

TEST(Unexpected, a_sender_without_credit_is_told_when_there_is_some) {
  Budget budget(64 << 20);
  auto promise = std::make_shared<Promise>(budget);
  Credit credit;
  std::vector<Held> stored;
  for (; credit.take(4'096); stored.emplace_back(promise, 4'096))
    ASSERT_TRUE(promise->arrive(4'096));
  EXPECT_EQ(stored.size(), kFirstCredit / charge(4'096));
  EXPECT_FALSE(promise->grant());  // nothing has changed: it stays silent
  promise->offered();
  const auto granted = promise->grant();
  ASSERT_TRUE(granted);
  EXPECT_EQ(*granted, kCreditMax);
  EXPECT_TRUE(credit.raise(*granted));
  EXPECT_TRUE(credit.take(4'096));
  EXPECT_FALSE(credit.raise(*granted - 1));
  EXPECT_FALSE(credit.raise(*granted + kCreditMax + 1));
}

TEST(Unexpected, what_exceeds_the_grant_is_noticed) {
  Budget budget(64 << 20);
  Promise promise(budget);
  EXPECT_FALSE(promise.arrive(kFirstCredit));
  EXPECT_TRUE(promise.arrive(kFirstCredit - kArrivalBytes));
  EXPECT_FALSE(promise.arrive(0));
}

TEST(Unexpected, messages_of_ended_connections_count) {
  Budget budget(kFirstCredit);
  std::vector<Held> stored;
  const auto promise = std::make_shared<Promise>(budget);
  ASSERT_TRUE(promise->arrive(kFirstCredit - kArrivalBytes));
  stored.emplace_back(promise, kFirstCredit - kArrivalBytes);
  EXPECT_TRUE(budget.has_room());
  promise->end();
  EXPECT_FALSE(budget.has_room());
  stored.clear();
  EXPECT_TRUE(budget.has_room());
  EXPECT_EQ(budget.promised(), 0u);
}

}  // namespace
}  // namespace selvedge::provider
