// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair of tables on several VLs or SLs (spftr, ist, tftr, and whatever else is proved).
// A switch whose path to a LID broke takes another next hop, to a neighbour whose path works or has
// been mended already; every other entry stays. The SL stays if any of the next hops goes with it:
// over dependencies that are there, else over new ones that close no cycle, on VLs for which SL2VL
// entries that no path goes by are set (vl_choice.hpp). Failing that the LID's tree is made anew,
// if paths that did not break may move, so that all keep their SL; failing that the path takes
// another SL, and failing that the pair is told to use another LID of the host; both are listed. A
// base LID that some switch with hosts lacks takes the paths of another LID of its host, from
// everywhere: that moves paths too, but nothing else would reach the host by its base LID.
//
// Of this room only.
#pragma once

#include <optional>
#include <vector>

#include "plugin/repair/kept_tree.hpp"
#include "plugin/repair/layered_routes.hpp"
#include "plugin/repair/remains.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/repair/vl_choice.hpp"

namespace selvedge {

class LayeredRepair {
 public:
  /// `whole` must stay.
  LayeredRepair(const Fabric& whole, const Tables& tables, std::optional<ParentChannels> tree,
                const RepairRequest& request);
  /// Do the paths at the beginning close no cycle? Else nothing can be repaired.
  bool sound() const { return sound_; }

  /// `went`: the channels that are gone since the last time, both of each cable.
  Repair fail(const Fabric& left, std::span<const Channel> went);
  Repair restore(const Fabric& left);

  const LayeredRoutes& routes() const { return routes_; }
  const std::optional<ParentChannels>& tree() const { return tree_.parents(); }

 private:
  struct Candidate {
    std::uint8_t stage;
    bool moves;  // to another port than it had, where that counts more than the length
    std::uint32_t length;
    bool moved;  // where it does not
    unsigned turn;
    SwitchId at;
    PortNum port;
    Sl sl;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };
  struct Hit {
    Lid lid;
    std::vector<SwitchId> orphans;
  };
  /// How next hops are chosen.
  struct Manner {
    bool own_sl;      // only
    bool keep_ports;  // rather than short paths
    unsigned salt;    // another choice among equals
  };

  Repair mend_all(const std::vector<Break>& breaks, bool came_back, bool count_affected);
  std::vector<Hit> take_out(const std::vector<Break>& breaks);
  void mend(const Hit& hit, bool came_back, Repair& repair);
  bool waits(const Hit& hit) const;
  void grow(const Hit& hit, const Manner& manner, Repair& repair);
  void grow_best(const Hit& hit, bool keep_ports, Repair& repair);
  void undo(const Hit& hit, const std::vector<PortNum>& before);
  bool anew(const Hit& hit, Repair& repair);
  void settle(const Candidate& best, Lid lid, Repair& repair);
  void give_up(const Hit& hit, Repair& repair);
  bool take_over(Lid base, Repair& repair);
  void return_to_base(Lid lid);
  void mend_tree();
  void pin_tree(int times);
  bool is_base(Lid lid) const;
  std::uint32_t length(SwitchId s, Lid lid) const;

  LayeredRoutes routes_;
  KeptTree tree_;
  Remains remains_;
  VlChoice choice_;
  bool sound_;
  bool move_unbroken_;
  std::vector<std::uint8_t> waiting_;  // per switch
  std::vector<std::uint32_t> length_;  // per switch: links to the owner, if known
  std::vector<std::uint32_t> known_;   // per switch: stamp of length_
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
  std::vector<VlChoice::Chosen> written_;  // what entries were before settle() set them
};

}  // namespace selvedge
