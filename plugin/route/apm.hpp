// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Primary and alternate path of a reliable connection between two hosts, for automatic path
// migration (IBTA 1.4 §17.2.8). A connection uses a LID of either end: its requests go to one, its
// responses return to the other. So a route of a connection is two paths, there and back, and it
// breaks with either of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/route/pair.hpp"
#include "plugin/tables/reply_grade.hpp"

namespace selvedge::route {

/// Both directions of a connection.
struct ConnectionRoute {
  unsigned there = 0, back = 0;  // offsets into the LIDs of the destination and of the source
  Path forth, home;              // the path to the destination, and that to the source
  Sl sl = 0;              // of both directions, because responses have the SL of the requests
  bool reversed = false;  // whether `home` passes the cables of `forth` in reverse
};

struct ApmChoice {
  std::optional<ConnectionRoute> primary, alternate;
  bool switches_disjoint = false;  // no switch is common but those of the hosts
  std::string reason;              // one line: why there is no alternate; else empty
};

/// Chooses a primary and an alternate without a common cable between switches, in any direction.
/// Each has one SL in both directions, on which responses are proved: the tables' grade says so, or
/// the path back has that SL itself. Best are two without a common switch; then those of the fewest
/// links; then those whose responses return by the reversed path; then the lowest offsets. `grade`:
/// that of the tables, which must be free of deadlocks. Without an alternate, the primary is the
/// shortest route, if there is any.
ApmChoice choose_apm(const Fabric& fabric, const Tables& tables, const Node& source,
                     const Node& destination, ReplyGrade grade);

/// The slowest cable of both paths, the hosts' included, as the code of ibv_rate; 0 (no limit) if
/// the rate of a cable is unknown or has no code.
unsigned rate_code(const Fabric& fabric, const Node& source, const Node& destination,
                   const ConnectionRoute& route);

}  // namespace selvedge::route
