// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>
#include <numeric>

#include "plugin/fabric/regularity.hpp"
#include "plugin/verify/survival_symmetry.hpp"

namespace selvedge::survival {
namespace {

/// One symmetry of a lattice: coordinate i moves to dimension to[i], is mirrored or not, and is
/// shifted by shift[i], modulo the size.
struct Move {
  std::vector<unsigned> to;
  std::vector<bool> mirrored;
  std::vector<unsigned> shift;
};

class Lattice {
 public:
  explicit Lattice(const Regularity& form) : form_(form) {
    std::size_t places = 1;
    for (const unsigned size : form.sizes) places *= size;
    at_.assign(places, kNoSwitch);
    const std::size_t switches = form.coordinates.size() / form.sizes.size();
    for (SwitchId s = 0; s < switches; ++s) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < form.sizes.size(); ++i)
        place = place * form.sizes[i] + coordinate(s, i);
      at_[place] = s;
    }
    map_.resize(switches);
  }

  /// Computes map(), the image of each switch under the move. Returns false if the image of a
  /// switch is a point of the lattice without a switch.
  bool lay(const Move& move) {
    std::vector<unsigned> x(form_.sizes.size());
    for (SwitchId s = 0; s < map_.size(); ++s) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        const unsigned size = form_.sizes[i], here = coordinate(s, i);
        x[move.to[i]] = ((move.mirrored[i] ? size - 1 - here : here) + move.shift[i]) % size;
      }
      std::size_t place = 0;
      for (std::size_t i = 0; i < x.size(); ++i) place = place * form_.sizes[i] + x[i];
      map_[s] = at_[place];
      if (map_[s] == kNoSwitch) return false;
    }
    return true;
  }
  const SwitchMap& map() const { return map_; }

 private:
  unsigned coordinate(SwitchId s, std::size_t i) const {
    return form_.coordinates[s * form_.sizes.size() + i];
  }

  const Regularity& form_;
  std::vector<SwitchId> at_;  // per point of the lattice: its switch
  SwitchMap map_;
};

/// Moves to the next vector of shifts, the last dimension counting fastest. Returns false after the
/// last vector.
bool advance(std::vector<unsigned>& shift, const std::vector<unsigned>& sizes) {
  for (std::size_t i = shift.size(); i-- > 0;) {
    if (++shift[i] < sizes[i]) return true;
    shift[i] = 0;
  }
  return false;
}

bool sizes_agree(const std::vector<unsigned>& to, const std::vector<unsigned>& sizes) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (sizes[i] != sizes[to[i]]) return false;
  return true;
}

}  // namespace

void each_lattice_map(const Fabric& fabric, const std::function<bool(const SwitchMap&)>& f) {
  const Regularity form = recognise(fabric);
  const bool torus = form.kind == Regularity::Kind::kTorus;
  if ((!torus && form.kind != Regularity::Kind::kMesh) || form.sizes.empty() ||
      form.coordinates.size() != fabric.num_switches() * form.sizes.size())
    return;
  Lattice lattice(form);
  const std::size_t dimensions = form.sizes.size();
  Move move{std::vector<unsigned>(dimensions), std::vector<bool>(dimensions, false),
            std::vector<unsigned>(dimensions, 0)};
  std::iota(move.to.begin(), move.to.end(), 0u);

  // Shifts by one are tried first: if all are symmetries, they already join most orbits.
  for (std::size_t i = 0; torus && i < dimensions; ++i) {
    move.shift[i] = 1;
    if (lattice.lay(move) && !f(lattice.map())) return;
    move.shift[i] = 0;
  }
  do {
    if (!sizes_agree(move.to, form.sizes)) continue;
    for (unsigned mirrors = 0; mirrors < (1u << dimensions); ++mirrors) {
      for (std::size_t i = 0; i < dimensions; ++i) move.mirrored[i] = ((mirrors >> i) & 1) != 0;
      do {
        if (lattice.lay(move) && !f(lattice.map())) return;
      } while (torus && advance(move.shift, form.sizes));
    }
  } while (std::ranges::next_permutation(move.to).found);
}

}  // namespace selvedge::survival
