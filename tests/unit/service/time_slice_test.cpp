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
  std::thread([] {
    const protocol::TimeNs usual = time_slice();
    // Kernels before 6.12 let nobody choose: then the slice stays as it is.
    const bool chooses = set_time_slice(TimeSlice::kLongNs) && time_slice() == TimeSlice::kLongNs;
    ASSERT_TRUE(set_time_slice(0));
    EXPECT_EQ(time_slice(), usual);
    const protocol::TimeNs lengthened = chooses ? TimeSlice::kLongNs : usual;

    TimeSlice slice;
    protocol::TimeNs now = 5 * kSecond;
    const auto turn = [&](protocol::TimeNs after, bool slept) {
      slice.on_turn(now += after, slept);
      EXPECT_EQ(time_slice(), slice.is_long() ? lengthened : usual);
      return slice.is_long();
    };
    EXPECT_FALSE(turn(0, true));
    EXPECT_FALSE(turn(kMillisecond, false));
    EXPECT_FALSE(turn(kSecond, true));  // a sleep is no wait for the processor
    EXPECT_FALSE(turn(TimeSlice::kCrowdedNs - 1, false));
    EXPECT_TRUE(turn(TimeSlice::kCrowdedNs, false));
    EXPECT_TRUE(turn(kMillisecond, false));
    EXPECT_TRUE(turn(TimeSlice::kQuietNs, true));
    EXPECT_TRUE(turn(TimeSlice::kCrowdedNs, false));  // a second wait, so it stays long
    EXPECT_TRUE(turn(TimeSlice::kQuietNs - 1, true));
    EXPECT_FALSE(turn(1, false));
    EXPECT_FALSE(turn(kMillisecond, false));
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
