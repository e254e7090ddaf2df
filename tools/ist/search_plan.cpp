// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// search_plan SIZES VLS SLS sat SECONDS [RANKS] | greedy PATIENCE
//
// Searches a plan of ist for one torus (plugin/engines/ist/layers.hpp) and prints it as
// plugin/engines/ist/plans.txt has it. make_plans.py calls it for every size that is stored.
//   sat     with exactly so many VLs and SLs, for so many seconds; with RANKS (at most 63) the
//           turns allowed on each VL are searched as well, without they are those by rows
//   greedy  by the engine's own search, with at most so many VLs and SLs
// Exit status 0: found; 1: there is none; 4: none was found.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <string>

#include "plugin/engines/ist/search.hpp"
#include "tools/ist/plan_sat.hpp"
#include "tools/ist/plan_text.hpp"

using namespace selvedge::ist;

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr, "usage: search_plan SIZES VLS SLS sat SECONDS [RANKS] | greedy PATIENCE\n");
    return 2;
  }
  std::vector<unsigned> sizes;
  for (const char* p = argv[1]; *p != 0;) {
    char* end = nullptr;
    sizes.push_back(static_cast<unsigned>(std::strtoul(p, &end, 10)));
    if (end == p || sizes.back() < 3) return 2;
    p = *end == 'x' ? end + 1 : end;
  }
  const Torus torus(sizes);
  const Trees trees(torus);
  const auto vls = static_cast<unsigned>(std::atoi(argv[2]));
  const auto sls = static_cast<unsigned>(std::atoi(argv[3]));
  SatAnswer answer;
  if (std::string(argv[4]) == "sat") {
    answer = ask_sat(torus, trees,
                     {.vls = vls,
                      .sls = sls,
                      .ranks = argc > 6 ? static_cast<unsigned>(std::atoi(argv[6])) : 0,
                      .seconds = std::atof(argv[5])});
  } else {
    answer.plan =
        search_plan(torus, trees, vls, sls, static_cast<unsigned>(std::atoi(argv[5]))).plan;
  }
  if (!answer.plan) {
    fmt::print(stderr, "{}: {}\n", argv[1], answer.proved_none ? "there is none" : "none found");
    return answer.proved_none ? 1 : 4;
  }
  fmt::print("plan {} {} {} : {}\n", fmt::join(sizes, "x"), answer.plan->vls, answer.plan->sls,
             fmt::join(argv + 1, argv + argc, " "));
  if (!answer.rank.empty()) fmt::print("{}", ranks_text(torus, answer.rank));
  fmt::print("{}", values_text(torus, trees, *answer.plan));
  return 0;
}
