// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/model/lft_blocks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace selvedge::sim {
namespace {

/// Compares with plain rows after any sequence of writes. There are few values, so blocks are often
/// equal.
RC_GTEST_PROP(LftBlocks, EqualRows, ()) {
  const auto switches = *rc::gen::inRange<SwitchId>(1, 6);
  const auto top = *rc::gen::inRange<Lid>(0, 300);
  LftBlocks blocks(switches, top);
  std::vector<std::vector<PortNum>> rows(switches, std::vector<PortNum>(top + 1u, kNoPort));
  const auto writes = *rc::gen::inRange(0, 12);
  for (int i = 0; i < writes; ++i) {
    const auto at = *rc::gen::inRange<SwitchId>(0, switches);
    const auto length = *rc::gen::inRange<std::size_t>(0, 350);
    const std::vector<PortNum> row(length, *rc::gen::element<PortNum>(0, 1, 2, kNoPort));
    blocks.set(at, row);
    std::copy_n(row.begin(), std::min(length, rows[at].size()), rows[at].begin());
  }
  for (SwitchId s = 0; s < switches; ++s) {
    for (unsigned lid = 0; lid <= top; ++lid)
      RC_ASSERT(blocks.next(s, static_cast<Lid>(lid)) == rows[s][lid]);
    RC_ASSERT(blocks.next(s, static_cast<Lid>(top + 1)) == kNoPort);
  }
}

}  // namespace
}  // namespace selvedge::sim
