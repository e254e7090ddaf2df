// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// class Sl2Vl, compared with a plain map of rows over any sequence of writes. A row is the SL2VL
// table of one pair of ports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "plugin/tables/tables.hpp"
#include "support.hpp"

namespace selvedge {
namespace {

using test::add_switch;
using Place = std::tuple<SwitchId, PortNum, PortNum>;  // switch, input port, output port

/// Two switches, with 3 and 2 ports.
Fabric two_switches() {
  FabricBuilder b;
  add_switch(b, 0, 3);
  add_switch(b, 1, 2);
  return std::move(b).build("two");
}

/// A row made from a number; different numbers give different rows.
Sl2VlRow row_of(std::uint32_t number) {
  Sl2VlRow row{};
  for (unsigned sl = 0; sl < kSls; ++sl, number >>= 4U) row[sl] = static_cast<Vl>(number & 0xfU);
  return row;
}

RC_GTEST_PROP(Sl2Vl, EqualsAMapOfRows, ()) {
  const Fabric fabric = two_switches();
  Sl2Vl tables(fabric);
  std::map<Place, Sl2VlRow> rows;
  const auto each = [&](SwitchId s, auto&& act) {
    for (unsigned in = 0; in <= tables.ports(s); ++in)
      for (unsigned out = 0; out <= tables.ports(s); ++out)
        act(Place{s, static_cast<PortNum>(in), static_cast<PortNum>(out)});
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    each(s, [&](const Place& at) { rows[at] = {}; });
  std::size_t most = 1;  // distinct rows at one time, the default rows among them
  std::array<Sl2VlRow, 2> defaults{};
  const auto writes = *rc::gen::inRange(0, 60);
  for (int i = 0; i < writes; ++i) {
    const auto s = *rc::gen::inRange<SwitchId>(0, 2);
    const auto port = rc::gen::inRange<PortNum>(0, static_cast<PortNum>(tables.ports(s) + 1));
    const PortNum in = *port, out = *port;
    // A row made from few numbers, so that rows are often equal; or a reference to a stored row.
    const Sl2VlRow row = row_of(*rc::gen::inRange<std::uint32_t>(0, 9));
    const bool copies = *rc::gen::weightedElement<bool>({{1, true}, {4, false}});
    const Sl2VlRow& written = copies ? tables.row(s, out, in) : row;
    const Sl2VlRow value = written;
    if (*rc::gen::weightedElement<bool>({{1, true}, {6, false}})) {
      tables.set_all(s, written);
      defaults[s] = value;
      each(s, [&](const Place& at) { rows[at] = value; });
    } else {
      tables.set(s, in, out, written);
      rows[{s, in, out}] = value;
    }
    std::set<Sl2VlRow> distinct(defaults.begin(), defaults.end());
    for (const auto& [at, held] : rows) distinct.insert(held);
    most = std::max(most, distinct.size());
    // While one row replaces another, both are stored.
    RC_ASSERT(tables.rows().size() <= most + 1);
  }
  for (const auto& [at, held] : rows)
    RC_ASSERT(tables.row(std::get<0>(at), std::get<1>(at), std::get<2>(at)) == held);
}

TEST(Sl2Vl, HasRoomForWhatIsInUse) {
  const Fabric fabric = two_switches();
  Sl2Vl tables(fabric);
  // More rows than there is room for, one after the other.
  for (std::uint32_t n = 0; n < 2 * Sl2Vl::kMaxRows; ++n) {
    ASSERT_TRUE(tables.holds_or_fits(row_of(n)));
    tables.set(n % 2, 1, 2, row_of(n));
  }
  EXPECT_EQ(tables.row(0, 1, 2), row_of(2 * Sl2Vl::kMaxRows - 2));
  EXPECT_EQ(tables.row(1, 1, 2), row_of(2 * Sl2Vl::kMaxRows - 1));
  EXPECT_EQ(tables.row(0, 2, 1), Sl2VlRow{});
  EXPECT_LE(tables.rows().size(), 4U);
}

}  // namespace
}  // namespace selvedge
