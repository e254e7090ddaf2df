// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The trees as they are on a fabric that may lack cables and switches, and the SLs of their paths.
//
// On a whole torus nothing is stored: a tree is a translation of the one rooted at place 0, and the
// SLs that take a path follow from those of the next switch on it (Admission), so that all of them
// are found in one pass from the root outwards.
//
// With a hole in the torus, only trees that lead through it change, and of these only the paths
// that do. A switch that lost its path takes another neighbour, of those whose path still leads
// home: the nearest one for which an SL there is takes the new path, and if none does the nearest.
// For paths that no SL takes, turns that an SL has no use for get other VLs, or an SL is added.
// Everything else stays as it was: ports, SLs, and (unless nothing else helps) the VLs of every
// turn that some path takes.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plugin/engines/ist/fabric.hpp"
#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// Paths of one tree to one root, by places.
struct TreeRoutes {
  std::vector<Direction> next;  // kNoDirection: no way, or the root
  std::vector<SlSet> sls;       // that take the path; none where there is no way
  std::vector<Sl> sl;           // the one of them that is used
};

class Routes {
 public:
  /// The first two must outlive it. `plan` is that of the whole torus.
  Routes(const PlacedTorus& placed, const Trees& trees, Plan plan);

  /// Finds ways round the holes for the trees named (numbers as in Trees): those that have LIDs.
  /// False if they need more VLs or SLs. Nothing to do on a whole torus.
  bool mend(std::span<const unsigned> trees, unsigned max_vls, unsigned max_sls);

  /// As mend() left it.
  const Plan& plan() const { return plan_; }
  /// Trees that mend() changed, of all it was asked for.
  std::size_t mended() const { return mended_.size(); }
  std::size_t paths_without_sl() const { return paths_without_sl_; }

  /// The root of the trees that tree() returns next.
  void at_root(Place root);
  /// Valid until the next call of either.
  const TreeRoutes& tree(unsigned tree);

  /// Per SL the turns that these trees use. `fixed`: they keep their VLs.
  std::vector<Layer> layers(std::span<const unsigned> trees, unsigned vls, bool fixed);

 private:
  static constexpr std::uint32_t kAsItWas = UINT32_MAX;

  static Sl choose(SlSet set, unsigned number);
  bool hit(unsigned tree) const;
  void follow(unsigned tree);
  void follow_mended(const Admission& admission, const std::vector<Direction>& next,
                     std::vector<SlSet>& sls);
  SlSet onward(const Admission& admission, Place from, Direction by,
               const std::vector<Direction>& next, SlSet& whole) const;
  std::vector<Direction> detour(unsigned tree);
  void collect(const std::vector<Direction>& next, TurnPaths& paths);

  const PlacedTorus& placed_;
  const Torus& torus_;
  const Trees& trees_;
  Plan plan_;
  Admission usual_;                 // of the whole torus: what it takes, it takes
  std::optional<Admission> after_;  // of the plan with what mend() added

  std::vector<std::pair<Place, Direction>> holes_;  // steps that can't be made
  std::vector<std::uint32_t> mended_at_;            // [root][tree], into mended_
  std::vector<std::vector<Direction>> mended_;
  std::size_t paths_without_sl_ = 0;

  Place root_ = 0;
  std::vector<Place> absolute_, relative_;
  TreeRoutes result_;
  std::vector<SlSet> added_;
  std::vector<SlSet> chain_;  // per place: SLs that take all but the first turn of its path
  std::vector<unsigned> depth_;
  std::vector<Place> way_;
  std::vector<std::vector<Place>> buckets_;
};

}  // namespace selvedge::ist
