// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/epochs.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace selvedge;

constexpr auto kNo = EpochAction::kKeep;
constexpr auto kYes = EpochAction::kDiscard;
constexpr auto kTransient = EpochAction::kTransient;
constexpr auto kImpossible = EpochAction::kImpossible;

// Tables 6.1 and 6.2 of Montañana 2008 as printed, in the order of their cases: the epochs of the
// packet (E_PCK), of its routing (E_RTD) and of the scheduler (E_SCHD) count up, the last fastest.

TEST(Epochs, AllEightCasesOfTable61) {
  constexpr std::array expected{kNo,        kYes, kImpossible, kYes,  // 1 to 4
                                kTransient, kYes, kImpossible, kNo};  // 5 to 8
  for (unsigned i = 0; i < expected.size(); ++i)
    EXPECT_EQ(epoch_action(i / 4, i / 2 % 2, i % 2), expected[i]) << "case " << i + 1;
}

TEST(Epochs, AllTwentySevenCasesOfTable62) {
  constexpr std::array expected{kNo,         kYes,        kYes,  // 1: packet 0, routed 0
                                kImpossible, kYes,        kYes,  // 4: packet 0, routed 1
                                kImpossible, kImpossible, kYes,  // 7: packet 0, routed 2
                                kTransient,  kYes,        kYes,  // 10: packet 1, routed 0
                                kImpossible, kNo,         kYes,  // 13: packet 1, routed 1
                                kImpossible, kImpossible, kYes,  // 16: packet 1, routed 2
                                kTransient,  kTransient,  kYes,  // 19: packet 2, routed 0
                                kImpossible, kTransient,  kYes,  // 22: packet 2, routed 1
                                kImpossible, kImpossible, kNo};  // 25: packet 2, routed 2
  for (unsigned i = 0; i < expected.size(); ++i)
    EXPECT_EQ(epoch_action(i / 9, i / 3 % 3, i % 3), expected[i]) << "case " << i + 1;
}

}  // namespace
