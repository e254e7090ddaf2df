// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests the limits of sources against a list of all connections.
#include "daemon/protocol/sources.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace selvedge::protocol {
namespace {

RC_GTEST_PROP(Sources, AdmitWhatAListOfConnectionsAdmits, ()) {
  struct Open {
    std::size_t source;
    bool half_open;
  };
  struct Admitted {
    std::size_t source;
    TimeNs second;
  };
  const SourceLimits limits{.connections = *rc::gen::inRange(1u, 9u),
                            .half_open = *rc::gen::inRange(1u, 5u),
                            .new_per_second = *rc::gen::inRange(1u, 7u)};
  Sources sources;
  std::vector<Open> open;
  std::vector<Admitted> admitted;
  TimeNs now = kSecond;
  for (int step = 0; step < 200; ++step) {
    const auto number = *rc::gen::inRange<std::size_t>(0, 3);
    Sources::Source source{};
    source[5] = static_cast<std::byte>(number);
    const auto of_source = [number](const auto& o) { return o.source == number; };
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        now += *rc::gen::inRange<TimeNs>(0, kSecond);
        break;
      case 1: {
        const auto half =
            std::ranges::count_if(open, [&](const Open& o) { return of_source(o) && o.half_open; });
        const auto recent = std::ranges::count_if(
            admitted, [&](const Admitted& a) { return of_source(a) && a.second == now / kSecond; });
        const bool fits = std::ranges::count_if(open, of_source) < limits.connections &&
                          half < limits.half_open && recent < limits.new_per_second;
        RC_ASSERT(sources.admit(now, source, limits) == fits);
        if (!fits) break;
        open.push_back({number, true});
        admitted.push_back({number, now / kSecond});
        break;
      }
      case 2: {
        const auto it =
            std::ranges::find_if(open, [&](const Open& o) { return of_source(o) && o.half_open; });
        if (it == open.end()) break;
        sources.confirm(source);
        it->half_open = false;
        break;
      }
      default: {
        const auto it = std::ranges::find_if(open, of_source);
        if (it == open.end()) break;
        sources.close(source, it->half_open);
        open.erase(it);
      }
    }
    RC_ASSERT(sources.size() <= 3u);
  }
}

TEST(Sources, AreForgottenAfterASecondWithoutConnections) {
  Sources sources;
  for (unsigned i = 0; i < 1'000; ++i) {
    Sources::Source source{};
    source[0] = static_cast<std::byte>(i);
    source[1] = static_cast<std::byte>(i >> 8);
    ASSERT_TRUE(sources.admit(kSecond, source, {}));
    sources.close(source, true);
  }
  EXPECT_EQ(sources.size(), 1'000u);
  ASSERT_TRUE(sources.admit(2 * kSecond, {}, {}));
  EXPECT_EQ(sources.size(), 1u);
}

}  // namespace
}  // namespace selvedge::protocol
