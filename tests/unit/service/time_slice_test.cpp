// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of the time slices of a daemon's thread, with those that the kernel really gives.
#include "daemon/service/time_slice.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace selvedge::service {
namespace {

using protocol::kMillisecond;
using protocol::kSecond;

TEST(TimeSlice, IsLongWhileTheProcessorIsCrowded) {
  if (!set_time_slice(0)) GTEST_SKIP() << "threads of this program have no time slices";
  std::thread([] {
    // Kernels before 6.12 let nobody choose: then the slice stays as it is.
    set_time_slice(7 * kMillisecond);
    const protocol::TimeNs before = time_slice();
    const bool chooses = before == 7 * kMillisecond;

    TimeSlice slice;
    protocol::TimeNs now = 5 * kSecond;
    const auto turn = [&](protocol::TimeNs took, bool worked) {
      slice.on_turn(now += took, worked);
      EXPECT_EQ(time_slice(), slice.is_long() && chooses ? TimeSlice::kLongNs : before);
      return slice.is_long();
    };
    EXPECT_FALSE(turn(0, false));
    EXPECT_FALSE(turn(kMillisecond, true));
    EXPECT_FALSE(turn(kSecond, false));  // asleep
    EXPECT_FALSE(turn(TimeSlice::kCrowdedNs - 1, true));
    EXPECT_TRUE(turn(TimeSlice::kCrowdedNs, true));
    EXPECT_TRUE(turn(kMillisecond, true));
    EXPECT_TRUE(turn(TimeSlice::kQuietNs - 2 * kMillisecond, false));
    EXPECT_TRUE(turn(TimeSlice::kCrowdedNs, true));  // again, so it stays long
    EXPECT_TRUE(turn(TimeSlice::kQuietNs - 1, false));
    EXPECT_FALSE(turn(1, false));
    EXPECT_FALSE(turn(kMillisecond, true));
  }).join();
}

TEST(TimeSlice, ThreadsOfOtherPoliciesHaveNone) {
  std::thread([] {
    const sched_param none{};
    ASSERT_EQ(sched_setscheduler(0, SCHED_IDLE, &none), 0);
    EXPECT_FALSE(set_time_slice(TimeSlice::kLongNs));
    EXPECT_EQ(time_slice(), 0u);
  }).join();
}

}  // namespace
}  // namespace selvedge::service
