// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds whether a table of turns (SPFTR's or A-SPFTR's) admits four disjoint paths for every pair
// of a 2D torus. The answer is by SAT, so without any bound on lengths and turns, unlike the
// searches of the engines:
//
//   exact_pairs spftr|aspftr ROWS COLUMNS                all pairs
//   exact_pairs spftr|aspftr ROWS COLUMNS Y X TO-Y TO-X  one pair; prints its paths and their SLs
//
// All pairs take seconds up to 6×6, a minute at 7×7. Exit code 1: some pair has no four disjoint
// paths; 2: wrong usage.
#include <fmt/format.h>

#include <cadical.hpp>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "tools/spftr/zone_paths.hpp"

using namespace selvedge;
using namespace selvedge::spftr;

namespace {

/// The SAT problem of a pair. Variables for each direction of a cable: whether it is used, and by
/// packets of which SL on which VL. Every switch but the ends is entered at most once, and left if
/// it is entered; the source is left by all four cables. Cycles besides the four paths do no harm.
class Pairs {
 public:
  explicit Pairs(const SampleTorus& torus) : torus_(torus), states_(2 * torus.rules->sls) {
    for (unsigned s = 0; s < torus.switches(); ++s) {
      for (unsigned k = 0; k < 4; ++k) {
        leave(s, k);
        enter(s, k);
      }
    }
  }

  bool admitted(unsigned source, unsigned destination) {
    for (unsigned s = 0; s < torus_.switches(); ++s) {
      solver_.assume(s == source ? begins(s) : -begins(s));
      solver_.assume(s == destination ? ends(s) : -ends(s));
    }
    return solver_.solve() == 10;
  }

  /// After admitted(): the path that leaves in this direction.
  std::string path(unsigned source, unsigned destination, unsigned direction) {
    std::string text;
    unsigned sl = 0;
    for (unsigned at = source; at != destination;) {
      text += "UDLR"[direction];
      for (unsigned q = 0; q < states_; ++q)
        if (solver_.val(state(at, direction, q)) > 0) sl = q / 2;
      at = torus_.step(at, direction);
      for (unsigned k = 0; k < 4 && at != destination; ++k)
        if (k != (direction ^ 1u) && solver_.val(used(at, k)) > 0) {
          direction = k;
          break;
        }
    }
    return fmt::format("{} {}", text, sl);
  }

 private:
  int used(unsigned s, unsigned k) const { return static_cast<int>(1 + s * 4 + k); }
  int begins(unsigned s) const { return static_cast<int>(1 + 4 * torus_.switches() + s); }
  int ends(unsigned s) const { return static_cast<int>(1 + 5 * torus_.switches() + s); }
  int state(unsigned s, unsigned k, unsigned q) const {  // q: 2·SL + VL
    return static_cast<int>(1 + 6 * torus_.switches() + (s * 4 + k) * states_ + q);
  }
  void clause(std::initializer_list<int> literals) {
    for (const int l : literals) solver_.add(l);
    solver_.add(0);
  }

  void leave(unsigned s, unsigned k) {
    solver_.add(-used(s, k));
    for (unsigned q = 0; q < states_; ++q) solver_.add(state(s, k, q));
    solver_.add(0);
    for (unsigned q = 0; q < states_; ++q)
      for (unsigned p = 0; p < q; ++p) clause({-state(s, k, q), -state(s, k, p)});
    clause({-begins(s), used(s, k)});
    for (unsigned q = 1; q < states_; q += 2) clause({-begins(s), -state(s, k, q)});
    clause({-ends(s), -used(s, k)});
  }

  void enter(unsigned s, unsigned in) {
    const unsigned from = torus_.step(s, in ^ 1u);
    clause({-begins(s), -used(from, in)});
    for (unsigned other = 0; other < in; ++other)
      clause({-used(from, in), -used(torus_.step(s, other ^ 1u), other), ends(s)});
    clause({-used(from, in), -used(s, in ^ 1u)});
    solver_.add(-used(from, in));
    solver_.add(ends(s));
    for (unsigned out = 0; out < 4; ++out)
      if (out != (in ^ 1u)) solver_.add(used(s, out));
    solver_.add(0);
    for (unsigned out = 0; out < 4; ++out) {
      if (out == (in ^ 1u)) continue;
      const Turn& turn = torus_.rules->turns[(torus_.region(s) * 4 + in) * 4 + out];
      for (unsigned q = 0; q < states_; ++q) {
        const SlSet sl = static_cast<SlSet>(1u << q / 2);
        const SlState before = q % 2 == 0 ? SlState{sl, 0} : SlState{0, sl};
        const SlState after = before.after(turn);
        if (after.any() == 0)
          clause({-used(from, in), -used(s, out), -state(from, in, q)});
        else
          clause({-used(from, in), -used(s, out), -state(from, in, q),
                  state(s, out, q / 2 * 2 + (after.vl1 != 0 ? 1 : 0))});
      }
    }
  }

  const SampleTorus torus_;
  const unsigned states_;
  CaDiCaL::Solver solver_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool known =
      argc > 1 && (std::strcmp(argv[1], "spftr") == 0 || std::strcmp(argv[1], "aspftr") == 0);
  unsigned number[6] = {};
  for (int i = 2; i < argc && i < 8; ++i)
    number[i - 2] = static_cast<unsigned>(std::strtoul(argv[i], nullptr, 10));
  const auto [rows, columns, y, x, to_y, to_x] = number;
  const bool one = argc == 8, fits = y < rows && to_y < rows && x < columns && to_x < columns;
  if (!known || (argc != 4 && !one) || rows < 3 || columns < 3 || !fits ||
      (one && y == to_y && x == to_x)) {
    fmt::print(stderr, "usage: exact_pairs spftr|aspftr ROWS COLUMNS [Y X TO-Y TO-X], from 3x3\n");
    return 2;
  }
  const LatticeRules rules = std::strcmp(argv[1], "spftr") == 0 ? spftr_rules(2) : aspftr_rules();
  const SampleTorus torus{{rows, 0}, {columns, 0}, {}, &rules};
  Pairs pairs(torus);
  unsigned lacking = 0, asked = 0;
  for (unsigned d = 0; d < torus.switches(); ++d)
    for (unsigned s = 0; s < torus.switches(); ++s) {
      if (s == d || (one && (s != y * columns + x || d != to_y * columns + to_x))) continue;
      ++asked;
      const bool admitted = pairs.admitted(s, d);
      if (one && admitted)
        for (unsigned k = 0; k < 4; ++k) fmt::print("{}\n", pairs.path(s, d, k));
      if (admitted) continue;
      ++lacking;
      fmt::print("no four disjoint paths from {},{} to {},{}\n", s / columns, s % columns,
                 d / columns, d % columns);
    }
  fmt::print("{}x{}: {} of {} pairs lack four disjoint paths\n", rows, columns, lacking, asked);
  return lacking > 0 ? 1 : 0;
}
