// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// shift: host i sends to host i + shift (mod n).
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {

std::unique_ptr<Pattern> shift(const Ends& ends, const TrafficSpec& spec, std::uint64_t) {
  std::vector<End> to(ends.count());
  for (End e = 0; e < ends.count(); ++e)
    to[e] = static_cast<End>((std::uint64_t{e} + spec.shift) % ends.count());
  return std::make_unique<FixedPattern>(std::move(to));
}

}  // namespace selvedge::sim
