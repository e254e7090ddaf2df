// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tools/ist/plan_text.hpp"

#include <fmt/format.h>

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {
namespace {

std::string port(Direction d) { return fmt::format("{}{}", d / 2, d % 2 == 0 ? '-' : '+'); }

/// The SLs that admit the whole path.
SlSet admitted(const Admission& admission, unsigned directions, std::span<const Turn> path) {
  SlSet sls = admission.begin(path[0]);
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    sls &= admission.pass(path[i], static_cast<Direction>(path[i + 1] % directions));
  return sls;
}

}  // namespace

std::string values_text(const Torus& torus, const Trees& trees, const Plan& plan) {
  const std::size_t turns = turn_count(torus);
  const Direction directions = torus.directions();
  const Admission admission(torus, plan);
  std::vector<SlSet> used(turns, 0);
  const TurnPaths paths = all_paths(torus, trees);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    const SlSet sls = admitted(admission, directions, paths[i]);
    for (const Turn turn : paths[i]) used[turn] |= sls;
  }
  for (const Turn turn : tree_paths(torus, multicast_tree(torus)).turns) used[turn] |= 1;

  std::string text;
  Vl value = 0;
  for (unsigned sl = 0; sl < plan.sls; ++sl)
    for (Direction in = 0; in < directions; ++in)
      for (Direction out = 0; out < directions; ++out) {
        if (in == out) continue;
        text += fmt::format("{} {} {} ", sl, port(in), port(out));
        unsigned length = 0;
        const auto close = [&] {
          if (length > 1) text += fmt::format("{}", length);
          if (length > 0) text += static_cast<char>('a' + value);
          length = 0;
        };
        for (Place p = 0; p < torus.places(); ++p, ++length) {
          const Turn turn = make_turn(torus, p, in, out);
          if (used[turn] >> sl & 1 && plan.vl[sl * turns + turn] != value) {
            close();
            value = plan.vl[sl * turns + turn];
          }
        }
        close();
        text += '\n';
      }
  return text;
}

std::string ranks_text(const Torus& torus, const std::vector<std::vector<unsigned>>& rank) {
  std::string text;
  for (std::size_t vl = 0; vl < rank.size(); ++vl)
    for (Direction d = 0; d < torus.directions(); ++d) {
      text += fmt::format("rank {} {}", vl, port(d));
      for (Place p = 0; p < torus.places(); ++p)
        text += fmt::format(" {}", rank[vl][p * torus.directions() + d]);
      text += '\n';
    }
  return text;
}

}  // namespace selvedge::ist
