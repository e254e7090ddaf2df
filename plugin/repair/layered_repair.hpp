// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair of tables on several VLs or SLs (spftr, ist, tftr and others). A switch whose
// path to a LID broke takes a next hop whose path works or is already repaired; every other entry
// stays. Five methods are tried in order:
//
//   1  the path keeps its SL and uses only dependencies that exist
//   2  the path keeps its SL and adds dependencies that close no cycle. SL2VL entries that no path
//      uses are set for it (vl_choice.hpp)
//   3  if unbroken paths may move, the paths from all switches to the LID are built again, so that
//      each keeps its SL
//   4  the path takes another SL, which is listed in Repair::readdressed
//   5  the pair uses another LID of the host, which is listed in Repair::readdressed
//
// Where both directions of each pair of switches have one SL, a path that takes another by 4 takes
// all paths between its two switches with it (pair_sls.hpp).
//
// Before 5, a base LID that some switch with hosts does not reach takes the paths of another LID of
// its host, from all switches. This also moves unbroken paths, but nothing else lets that switch
// reach the host by its base LID.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <optional>
#include <vector>

#include "plugin/repair/damaged_fabric.hpp"
#include "plugin/repair/layered_routes.hpp"
#include "plugin/repair/multicast_tree_repair.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/repair/vl_choice.hpp"

namespace selvedge {

class LayeredRepair {
 public:
  /// `whole`: the undamaged fabric, to which a reference is kept. `tree`: the multicast tree.
  LayeredRepair(const Fabric& whole, const Tables& tables, std::optional<ParentChannels> tree,
                const RepairRequest& request);
  /// Whether the dependencies of the original paths and of the multicast tree have no cycle; else
  /// fail() and restore() must not be called.
  bool acyclic() const { return acyclic_; }

  /// `lost`: the channels lost since the last call, both of each cable. `written`: as in
  /// InPlaceRepair::fail_the_rest().
  Repair fail(const Fabric& damaged, std::span<const Channel> lost,
              std::span<const LftChange> written = {});
  Repair restore(const Fabric& damaged);

  const LayeredRoutes& routes() const { return routes_; }
  const std::optional<ParentChannels>& tree() const { return tree_.parents(); }

 private:
  struct Candidate {
    std::uint8_t stage;  // kSameSl … kOtherSlNewEdges (layered_repair.cpp)
    bool moves;  // SearchOptions::keep_ports, and the port changes: compared before `length`
    std::uint32_t length;  // of the path, in links
    bool moved;            // the port changes: decides between paths of equal length
    unsigned turn;         // rotates the ports by LID and salt, to spread the load
    SwitchId at;
    PortNum port;
    Sl sl;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };
  struct BrokenLid {
    Lid lid;
    std::vector<SwitchId> orphans;
  };
  /// How next hops are chosen.
  struct SearchOptions {
    bool own_sl;      // only the path's present SL may be used
    bool keep_ports;  // an unchanged port is preferred to a shorter path
    unsigned salt;    // varies which of several equally good ports is chosen
  };

  Repair repair_all(const std::vector<BrokenEntry>& broken_entries, bool restored,
                    bool count_affected);
  void follow(std::span<const LftChange> written);
  void add_senders(Lid lid, std::vector<SwitchId>& senders);
  std::vector<BrokenLid> remove_broken_paths(const std::vector<BrokenEntry>& broken_entries);
  void repair_lid(const BrokenLid& broken, bool restored, Repair& repair);
  bool hosts_wait(const BrokenLid& broken) const;
  void grow(const BrokenLid& broken, const SearchOptions& options, Repair& repair);
  void grow_best(const BrokenLid& broken, bool keep_ports, Repair& repair);
  void undo(const BrokenLid& broken, const std::vector<PortNum>& before);
  bool rebuild_tree(const BrokenLid& broken, Repair& repair);
  void commit(const Candidate& best, Lid lid, Repair& repair);
  void give_up(const BrokenLid& broken, Repair& repair);
  bool take_paths_of_other_lid(Lid base, Repair& repair);
  void return_to_original(Lid lid);
  void repair_tree();
  void release_old_tree();
  void pin(const std::optional<ParentChannels>& tree, int times);
  bool is_base(Lid lid) const;
  std::uint32_t length(SwitchId s, Lid lid) const;

  LayeredRoutes routes_;
  MulticastTreeRepair tree_;
  /// The tree that the last repair has replaced, if its dependencies are kept.
  std::optional<ParentChannels> old_tree_;
  DamagedFabric damaged_;
  VlChoice choice_;
  bool acyclic_;
  bool move_unbroken_;
  bool pairs_share_sls_;               // pairs_share_sls() of the original tables
  std::vector<std::uint8_t> waiting_;  // per switch: whether it is an orphan without a next hop yet
  std::vector<std::uint32_t> length_;  // per switch: links to the LID's owner
  std::vector<std::uint32_t> known_;   // per switch: length_ is valid if this equals stamp_now_
  /// Per switch: equals stamp_now_ if its path to the present LID is broken
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
  std::vector<VlChoice::Chosen> written_;  // the VLs that entries had before commit() set them
};

}  // namespace selvedge
