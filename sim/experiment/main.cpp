// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <string>
#include <vector>

#include "base/program.hpp"
#include "sim/experiment/program.hpp"

int main(int argc, char** argv) {
  return selvedge::run_program([&](selvedge::Output& output) {
    return selvedge::sim::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
                              output);
  });
}
