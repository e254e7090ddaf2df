// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plan_text.hpp"

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// SLs that take the whole path.
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
  unsigned value = 0, length = 0;
  const auto close = [&] {
    if (length > 0) text += kDigits[8 * value + length - 1];
    length = 0;
  };
  for (unsigned sl = 0; sl < plan.sls; ++sl)
    for (Direction in = 0; in < directions; ++in)
      for (Direction out = 0; out < directions; ++out) {
        if (in == out) continue;
        for (Place p = 0; p < torus.places(); ++p) {
          const Turn turn = make_turn(torus, p, in, out);
          if (used[turn] >> sl & 1 && plan.vl[sl * turns + turn] != value) {
            close();
            value = plan.vl[sl * turns + turn];
          }
          if (++length == 8) close();
        }
      }
  close();
  return text;
}

std::string ranks_text(const Torus& torus, const std::vector<std::vector<unsigned>>& rank) {
  std::string text;
  for (const std::vector<unsigned>& of_vl : rank)
    for (Direction d = 0; d < torus.directions(); ++d)
      for (Place p = 0; p < torus.places(); ++p) text += kDigits[of_vl[p * torus.directions() + d]];
  return text;
}

}  // namespace selvedge::ist
