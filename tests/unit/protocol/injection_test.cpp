// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of injection control, the states UI and LI of Martínez 2005 §3.3: by a table, and by a
// model in random runs.
#include "daemon/protocol/injection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace selvedge::protocol {
namespace {

using State = InjectionControl::State;

TEST(Injection, StateTable) {
  //  state  event                             then   may inject
  InjectionControl c;
  EXPECT_EQ(c.state(), State::kUi);  // UI     no limit
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_TRUE(c.may_inject(0, 1'000'000));
    c.on_injected();
  }
  c.on_acknowledged(10, 0);  // UI     ACKs give no credit for a later LI
  c.on_first_rejection();    // NACK   LI, nothing
  EXPECT_EQ(c.state(), State::kLi);
  EXPECT_FALSE(c.may_inject(100, 0));
  c.on_acknowledged(2, 0);  // LI     two acknowledged, so two packets
  EXPECT_TRUE(c.may_inject(0, 100));
  c.on_injected();
  EXPECT_TRUE(c.may_inject(0, 100));
  c.on_injected();
  EXPECT_FALSE(c.may_inject(100, 0));
  c.on_first_rejection();   // LI     another NACK: still LI, no credit
  c.on_acknowledged(1, 1);  // LI     one rejected packet remains
  EXPECT_EQ(c.state(), State::kLi);
  c.on_acknowledged(1, 1);  // UI     all that were rejected are acknowledged
  EXPECT_EQ(c.state(), State::kUi);
  EXPECT_TRUE(c.may_inject(0, 100));
  c.on_first_rejection();  // LI     again, without the remaining credit
  EXPECT_FALSE(c.may_inject(100, 0));
}

TEST(Injection, LwPermitsAsManyInFlightAsFit) {  // ADAP-LW
  InjectionControl c(InjectionMode::kLw);
  EXPECT_TRUE(c.may_inject(0, 50));
  c.on_first_rejection();
  EXPECT_TRUE(c.may_inject(3, 3));  // three fit the memory, one is expected next
  EXPECT_FALSE(c.may_inject(3, 4));
  EXPECT_TRUE(c.may_inject(0, 0));
  EXPECT_FALSE(c.may_inject(0, 1));
  c.on_acknowledged(1, 1);
  EXPECT_TRUE(c.may_inject(0, 50));
}

TEST(Injection, NoneNeverWaits) {
  InjectionControl c(InjectionMode::kNone);
  c.on_first_rejection();
  EXPECT_TRUE(c.may_inject(0, 1'000));
}

RC_GTEST_PROP(Injection, LiInjectsNoMoreThanIsAcknowledged, ()) {
  InjectionControl c;
  std::uint32_t rejected = 0, acknowledged = 0, injected = 0;
  for (const int event : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4))) {
    if (event == 0) {
      if (rejected++ == 0) acknowledged = injected = 0;
      c.on_first_rejection();
    } else if (event == 1 || (event == 2 && rejected == 0)) {
      c.on_acknowledged(3, 0);
      acknowledged += 3;
    } else if (event == 2) {
      c.on_acknowledged(1, 1);
      acknowledged += 1;
      --rejected;
    } else if (c.may_inject(0, 7)) {
      c.on_injected();
      ++injected;
    }
    RC_ASSERT((c.state() == State::kLi) == (rejected != 0));
    if (rejected == 0)
      RC_ASSERT(c.may_inject(0, 7));
    else
      RC_ASSERT(injected + c.may_inject(0, 7) <= acknowledged);
  }
}

}  // namespace
}  // namespace selvedge::protocol
