// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// shift: host i sends to host i + shift (mod n).
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {

std::unique_ptr<Pattern> shift(const Terminals& terminals, const TrafficSpec& spec, std::uint64_t) {
  std::vector<Terminal> to(terminals.count());
  for (Terminal e = 0; e < terminals.count(); ++e)
    to[e] = static_cast<Terminal>((std::uint64_t{e} + spec.shift) % terminals.count());
  return std::make_unique<FixedPattern>(std::move(to));
}

}  // namespace selvedge::sim
