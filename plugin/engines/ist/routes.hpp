// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The trees on a fabric that may lack cables and switches, and the SLs of the paths in them.
//
// On an undamaged torus nothing is stored. A tree is a translation of the tree rooted at place 0.
// The SLs that admit a switch's path follow from those of the next switch (Admission in
// layers.hpp). So one pass from the root outwards finds all of them.
//
// If cables or switches are missing, only trees that use them change, and of these only the paths
// that do. A switch that lost its path takes another neighbour that still has a path to the root:
// the nearest one such that some SL admits the new path, or else the nearest one. For paths that no
// SL admits, turns that an SL does not use get other VLs, or an SL is added. All other ports and
// SLs are unchanged. VLs of turns that some path uses change only if nothing else helps.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plugin/engines/ist/fabric.hpp"
#include "plugin/engines/ist/layers.hpp"

namespace selvedge::ist {

/// The paths of one tree to one root, indexed by place.
struct TreeRoutes {
  std::vector<Direction> next;  // kNoDirection: no path, or the root
  std::vector<SlSet> sls;       // SLs that admit the path; empty if there is no path
  std::vector<Sl> sl;           // the SL that the path uses
};

class Routes {
 public:
  /// `placed` and `trees` must outlive this object. `plan` is that of the undamaged torus.
  Routes(const PlacedTorus& placed, const Trees& trees, Plan plan);

  /// Finds paths that avoid missing cables and switches. `trees`: the trees that have LIDs,
  /// numbered as in Trees. Returns false if such paths need more VLs or SLs than allowed. Does
  /// nothing on an undamaged torus.
  bool make_detours(std::span<const unsigned> trees, unsigned max_vls, unsigned max_sls);

  /// The plan, with the changes of make_detours().
  const Plan& plan() const { return plan_; }
  /// The number of trees that make_detours() changed.
  std::size_t detours() const { return detours_.size(); }
  std::size_t paths_without_sl() const { return paths_without_sl_; }

  /// Sets the root of the trees that tree() returns.
  void set_root(Place root);
  /// The tree with this number. Valid until the next call of tree() or set_root().
  const TreeRoutes& tree(unsigned tree);

  /// For each SL, the turns of the paths in these trees, with their VLs. `fixed`: adding paths
  /// cannot raise these VLs.
  std::vector<Layer> layers(std::span<const unsigned> trees, unsigned vls, bool fixed);

 private:
  static constexpr std::uint32_t kUnchanged = UINT32_MAX;

  static Sl choose(SlSet set, unsigned number);
  bool crosses_damage(unsigned tree) const;
  void compute_sls(unsigned tree);
  void compute_detour_sls(const Admission& admission, const std::vector<Direction>& next,
                          std::vector<SlSet>& sls);
  SlSet onward(const Admission& admission, Place from, Direction by,
               const std::vector<Direction>& next, SlSet& whole) const;
  std::vector<Direction> detour(unsigned tree);
  void collect(const std::vector<Direction>& next, TurnPaths& paths);

  const PlacedTorus& placed_;
  const Torus& torus_;
  const Trees& trees_;
  Plan plan_;
  Admission undamaged_;                // SLs by the plan of the undamaged torus
  std::optional<Admission> extended_;  // SLs by the plan that make_detours() extended

  /// Missing cables, each as the place and the direction of a step over it.
  std::vector<std::pair<Place, Direction>> missing_steps_;
  std::vector<std::uint32_t> detour_of_;  // [root][tree]: index in detours_, or kUnchanged
  std::vector<std::vector<Direction>> detours_;
  std::size_t paths_without_sl_ = 0;

  Place root_ = 0;
  std::vector<Place> absolute_, relative_;
  TreeRoutes result_;
  std::vector<SlSet> added_;
  std::vector<SlSet> chain_;  // per place: SLs that admit its path without the first turn
  std::vector<unsigned> depth_;
  std::vector<Place> path_;
  std::vector<std::vector<Place>> buckets_;
};

}  // namespace selvedge::ist
