// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables for 2D tori that follow a rule, for tests of code that takes tables from any source. The
// entries for a destination are those for switch (0,0), translated; so each translation of the
// torus maps the tables onto themselves. All SLs and VLs are 0, so the tables are not free of
// deadlock.
#pragma once

#include <functional>

#include "plugin/fabric/generators.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::test {

/// A torus `rows` × `columns` with one host a switch and 2^lmc LIDs for each host.
inline Fabric torus_2d(unsigned rows, unsigned columns, unsigned lmc) {
  return assign_lids(torus({rows, columns}, 1), lmc);
}

/// The port by which the switch at (y, x), counted from the destination, sends packets for the
/// destination's LID with this offset. Ports 1 and 2 lead to −1 and +1 in y, ports 3 and 4 in x.
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

/// Minimal paths: y before x for LIDs of even offset, x before y for those of odd offset. Where
/// both directions round a ring are equally long, offsets 0 and 1 go to −1, offsets 2 and 3 to +1.
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

/// Four spanning trees for each destination; the four paths from any switch share no switch but
/// their ends.
inline Tables four_trees(const Fabric& fabric, unsigned rows, unsigned columns) {
  return tables_by_rule(fabric, rows, columns, [=](unsigned i, unsigned y, unsigned x) -> PortNum {
    // Used only where y and x are not 0.
    const bool y_low = y <= rows / 2, x_low = x <= columns / 2;
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
