// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/tables.hpp"

#include <array>
#include <string_view>

namespace selvedge {
namespace {

// The tables number the ports of a 2D switch clockwise: 0 up, 1 right, 2 down, 3 left. Rows of
// switches are dimension 0 and count downwards; columns are dimension 1. Each line of a table is
// for an incoming and an outgoing port. Its entries, one for each region, are the VLs for SL 0, 1,
// 2, …
struct Row {
  unsigned in, out;
  std::array<std::string_view, 10> vl;  // per region: the VLs by SL
};

constexpr std::array<Row, 12> kTable42 = {{
    {0, 1, {"0100", "1111", "0100", "1111"}},
    {0, 2, {"0100", "0100", "1111", "1111"}},
    {0, 3, {"1111", "1111", "1111", "1111"}},
    {1, 0, {"1101", "1111", "1101", "1111"}},
    {1, 2, {"0101", "0101", "1101", "0101"}},
    {1, 3, {"1101", "1111", "1101", "1111"}},
    {2, 0, {"1101", "1101", "1111", "1111"}},
    {2, 1, {"0101", "1101", "0101", "0101"}},
    {2, 3, {"1101", "1101", "1111", "1111"}},
    {3, 0, {"1111", "1111", "1111", "1111"}},
    {3, 1, {"0100", "1111", "0100", "1111"}},
    {3, 2, {"0100", "0100", "1111", "1111"}},
}};

constexpr std::array<Row, 12> kTable43 = {{
    {0, 1, {"000", "000", "111", "001", "001", "001", "111", "001", "000", "111"}},
    {0, 2, {"011", "010", "010", "001", "001", "001", "000", "111", "111", "111"}},
    {0, 3, {"111", "111", "111", "111", "111", "111", "111", "111", "111", "111"}},
    {1, 0, {"111", "111", "111", "011", "101", "111", "111", "101", "101", "111"}},
    {1, 2, {"001", "011", "001", "011", "011", "001", "010", "111", "011", "000"}},
    {1, 3, {"001", "011", "111", "010", "011", "011", "111", "111", "111", "111"}},
    {2, 0, {"011", "110", "111", "001", "101", "111", "111", "111", "111", "111"}},
    {2, 1, {"001", "101", "101", "001", "101", "011", "111", "000", "000", "111"}},
    {2, 3, {"011", "101", "111", "011", "001", "011", "011", "111", "111", "111"}},
    {3, 0, {"111", "111", "111", "111", "111", "111", "111", "111", "111", "111"}},
    {3, 1, {"100", "000", "111", "101", "001", "001", "111", "001", "001", "111"}},
    {3, 2, {"001", "001", "000", "001", "001", "001", "001", "111", "111", "111"}},
}};

/// The kind of the arc by which a packet leaves through a port, numbered as in the thesis' Tables
/// 4.2 and 4.3.
constexpr std::array<std::uint8_t, 4> kLeaving = {minus_in(0), plus_in(1), plus_in(0), minus_in(1)};
/// The kind of the arc by which a packet enters through a port of these tables.
constexpr std::array<std::uint8_t, 4> kEntering = {plus_in(0), minus_in(1), minus_in(0),
                                                   plus_in(1)};

/// Whether a turn is forbidden: both its ports lead to switches that come earlier in the order of
/// rows. Up and left always do, right does in the last column (wraparound), and down in the last
/// row. The thesis makes one exception: right and down at the very last switch.
bool is_forbidden(unsigned in, unsigned out, bool last_row, bool last_column) {
  const auto before = [&](unsigned port) {
    return port == 0 || port == 3 || (port == 1 && last_column) || (port == 2 && last_row);
  };
  if (last_row && last_column && ((in == 1 && out == 2) || (in == 2 && out == 1))) return false;
  return before(in) && before(out);
}

SlSet sls_on_vl1(std::string_view vl) {
  SlSet set = 0;
  for (std::size_t sl = 0; sl < vl.size(); ++sl)
    if (vl[sl] == '1') set = static_cast<SlSet>(set | 1u << sl);
  return set;
}

/// A region: bit i is set if the switch is the last in dimension i.
unsigned last_in(std::span<const unsigned> position, std::span<const unsigned> sizes) {
  unsigned region = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (position[i] + 1 == sizes[i]) region |= 1u << i;
  return region;
}

/// The region of A-SPFTR (Fig. 4.29): the first row has regions 0, 1, 2; the rows between 3, 4, 5,
/// 6; the last row 7, 8, 9. That figure is missing in our copy. The text says that rows are added
/// along 3 to 6, and columns along 1, 5, 8. So neither the text nor the forbidden turns tell how
/// many rows regions 0 to 2 have, and how many columns 0, 3, 4 and 7. With one each, the table
/// admits four disjoint paths for all pairs of 5×5 to 7×7 (tools/spftr/exact_pairs). With two rows
/// for 0 or 2, or two columns for 3, it does not on 5×5.
unsigned aspftr_region(std::span<const unsigned> position, std::span<const unsigned> sizes) {
  const unsigned row = position[0], column = position[1];
  const bool last_column = column + 1 == sizes[1];
  if (row == 0) return last_column ? 2 : column == 0 ? 0 : 1;
  if (row + 1 == sizes[0]) return last_column ? 9 : column == 0 ? 7 : 8;
  return last_column ? 6 : column == 0 ? 3 : column == 1 ? 4 : 5;
}

}  // namespace

LatticeRules spftr_rules(unsigned dimensions) {
  LatticeRules rules{4, dimensions, 1u << dimensions, {}, &last_in};
  const unsigned kinds = 2 * dimensions;
  rules.turns.assign(std::size_t{rules.regions} * kinds * kinds, {});
  for (unsigned region = 0; region < rules.regions; ++region)
    for (unsigned rows = 0; rows < dimensions; ++rows)
      for (unsigned columns = rows + 1; columns < dimensions; ++columns) {
        const bool last_row = region >> rows & 1u, last_column = region >> columns & 1u;
        const unsigned plane_region = (last_column ? 1u : 0u) + (last_row ? 2u : 0u);
        const auto in_space = [&](std::uint8_t kind) {
          return (kind < 2 ? rows : columns) * 2 + kind % 2;
        };
        for (const Row& row : kTable42)
          rules.turns[(region * kinds + in_space(kEntering[row.in])) * kinds +
                      in_space(kLeaving[row.out])] = {
              sls_on_vl1(row.vl[plane_region]),
              is_forbidden(row.in, row.out, last_row, last_column)};
      }
  return rules;
}

LatticeRules aspftr_rules() {
  LatticeRules rules{3, 2, 10, {}, &aspftr_region};
  rules.turns.assign(std::size_t{rules.regions} * 16, {});
  for (unsigned region = 0; region < rules.regions; ++region) {
    const bool last_row = region >= 7, last_column = region == 2 || region == 6 || region == 9;
    for (const Row& row : kTable43)
      rules.turns[(region * 4u + kEntering[row.in]) * 4u + kLeaving[row.out]] = {
          sls_on_vl1(row.vl[region]), is_forbidden(row.in, row.out, last_row, last_column)};
  }
  return rules;
}

}  // namespace selvedge
