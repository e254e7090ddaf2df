// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// tornado: a message goes almost half way around each ring of a torus, all in one direction: from
// coordinate x to x + ⌈k/2⌉ − 1 (mod k) in every dimension of size k (Dally & Towles 2004 §3.2).
// The i-th host of a switch sends to the i-th host of the switch there (modulo its number of
// hosts).
#include "base/error.hpp"
#include "plugin/fabric/regularity.hpp"
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {

std::unique_ptr<Pattern> tornado(const Terminals& terminals, const TrafficSpec&, std::uint64_t) {
  const Fabric& fabric = terminals.fabric();
  const Regularity shape = recognise(fabric);
  if (shape.kind != Regularity::Kind::kTorus && shape.kind != Regularity::Kind::kMesh)
    throw InputError(
        "the pattern tornado is not defined here", "a fabric that is " + shape.describe(),
        "use it on a torus or a mesh; 'shift' goes half way around any fabric's hosts");
  const std::size_t dimensions = shape.sizes.size();
  const auto place = [&](SwitchId s, bool moved) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < dimensions; ++i) {
      const unsigned k = shape.sizes[i], x = shape.coordinates[s * dimensions + i];
      at = at * k + (moved ? (x + (k + 1) / 2 - 1) % k : x);
    }
    return at;
  };
  std::size_t places = 1;
  for (const unsigned k : shape.sizes) places *= k;
  std::vector<SwitchId> who(places, kNoSwitch);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) who[place(s, false)] = s;

  std::vector<Terminal> to(terminals.count());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const std::vector<Terminal> here = terminals.at(s);
    if (here.empty()) continue;
    const SwitchId far = who[place(s, true)];
    const std::vector<Terminal> there =
        far == kNoSwitch ? std::vector<Terminal>() : terminals.at(far);
    for (std::size_t i = 0; i < here.size(); ++i)
      to[here[i]] = there.empty() ? here[i] : there[i % there.size()];
  }
  return std::make_unique<FixedPattern>(std::move(to));
}

}  // namespace selvedge::sim
