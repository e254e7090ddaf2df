// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever a file of permutations contains, each is a permutation of the hosts, or the file is
// refused with one line that names it.
#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "sim/clos/permutation.hpp"
#include "tests/fuzz/die.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sim::Wiring wiring;
  wiring.hosts = {3, 1, 2};
  try {
    for (std::vector<unsigned> to : sim::read_permutations(text, 6, "p.txt")) {
      if (sim::flows_of(wiring, to).size() != 6) die("not a flow for each host");
      std::ranges::sort(to);
      if (to != std::vector<unsigned>{0, 1, 2, 3, 4, 5}) die("no permutation");
    }
  } catch (const InputError& e) {
    must_be_one_line(e.what(), "p.txt");
  }
  return 0;
}
