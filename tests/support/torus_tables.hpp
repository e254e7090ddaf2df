// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables for 2D tori by rule, for tests of what works on tables from anywhere. Every root's tables
// are those of switch (0,0) moved, so each translation of the torus maps them onto themselves. All
// SLs are 0 and so are all VLs: they are not free of deadlock.
#pragma once

#include <functional>

#include "plugin/fabric/generators.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::test {

/// A torus `rows` × `columns` with one host a switch and 2^lmc LIDs each.
inline Fabric torus_2d(unsigned rows, unsigned columns, unsigned lmc) {
  return assign_lids(torus({rows, columns}, 1), lmc);
}

/// The port by which the switch at (y, x), counted from the destination, sends packets for the
/// destination's LID of this offset: 1 and 2 are −1 and +1 in y, 3 and 4 in x.
using TorusRule = std::function<PortNum(unsigned offset, unsigned y, unsigned x)>;

inline Tables tables_by_rule(const Fabric& fabric, unsigned rows, unsigned columns,
                             const TorusRule& rule) {
  Tables tables(fabric);
  for (const Host& host : fabric.hosts()) {
    const unsigned y0 = host.at / columns, x0 = host.at % columns;
    for (unsigned i = 0; i < host.lid_count(); ++i)
      for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
        const unsigned y = (s / columns + rows - y0) % rows,
                       x = (s % columns + columns - x0) % columns;
        tables.set_next(s, static_cast<Lid>(host.lid + i),
                        s == host.at ? host.port : rule(i, y, x));
      }
  }
  return tables;
}

inline constexpr PortNum kUp = 1, kDown = 2, kLeft = 3, kRight = 4;

/// Minimal paths, y before x at even offsets and x before y at odd ones; half-way round the ring
/// the way is −1 at offsets below 2 and +1 above.
inline Tables dimension_order(const Fabric& fabric, unsigned rows, unsigned columns) {
  return tables_by_rule(fabric, rows, columns, [=](unsigned i, unsigned y, unsigned x) {
    const bool back = i % 4 < 2;
    const auto toward = [back](unsigned at, unsigned size, PortNum minus, PortNum plus) {
      return 2 * at < size || (2 * at == size && back) ? minus : plus;
    };
    const bool y_first = i % 2 == 0 ? y != 0 : x == 0;
    return y_first ? toward(y, rows, kUp, kDown) : toward(x, columns, kLeft, kRight);
  });
}

/// Four spanning trees a destination, whose paths from any switch share no switch but the ends.
inline Tables four_trees(const Fabric& fabric, unsigned rows, unsigned columns) {
  return tables_by_rule(fabric, rows, columns, [=](unsigned i, unsigned y, unsigned x) -> PortNum {
    const bool y_low = y <= rows / 2, x_low = x <= columns / 2;  // where they are not 0
    switch (i % 4) {
      case 0:
        return y == 0 ? kDown : x == 0 || !y_low ? kUp : x_low ? kLeft : kRight;
      case 1:
        return x == 0 && y != 0 ? kLeft : y == 0 || x_low ? kRight : y_low ? kUp : kDown;
      case 2:
        return y == 0 ? kUp : x == 0 || y_low ? kDown : x_low ? kLeft : kRight;
      default:
        return x == 0 && y != 0 ? kRight : y == 0 || !x_low ? kLeft : y_low ? kUp : kDown;
    }
  });
}

}  // namespace selvedge::test
