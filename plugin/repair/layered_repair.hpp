// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// In-place repair of tables on several VLs or SLs (spftr, ist, tftr and others). A switch whose
// path to a LID broke takes a next hop whose path works or is already repaired; every other entry
// stays. These ways are tried in order:
//
//   1  the SL stays, over existing dependencies
//   2  the SL stays, over new dependencies that close no cycle, on VLs that free SL2VL entries
//      (used by no path) are set to (vl_choice.hpp)
//   3  if unbroken paths may move, the whole tree of the LID is built again so that all keep
//      their SL
//   4  the path takes another SL; listed in Repair::readdressed
//   5  the pair uses another LID of the host; listed in Repair::readdressed
//
// Before 5, a base LID that some switch with hosts lacks takes the paths of another LID of its
// host, from all switches. That moves paths too, but no other way reaches the host by its base LID.
//
// Of this room only.
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
  /// Keeps a reference to `whole`.
  LayeredRepair(const Fabric& whole, const Tables& tables, std::optional<ParentChannels> tree,
                const RepairRequest& request);
  /// Whether the original paths close no cycle; else nothing can be repaired.
  bool acyclic() const { return acyclic_; }

  /// `lost`: the channels lost since the last call, both of each cable.
  Repair fail(const Fabric& damaged, std::span<const Channel> lost);
  Repair restore(const Fabric& damaged);

  const LayeredRoutes& routes() const { return routes_; }
  const std::optional<ParentChannels>& tree() const { return tree_.parents(); }

 private:
  struct Candidate {
    std::uint8_t stage;
    bool moves;  // changes the port, if that counts more than the length
    std::uint32_t length;
    bool moved;  // changes the port, if the length counts more
    unsigned turn;
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
    bool own_sl;      // only
    bool keep_ports;  // preferred to short paths
    unsigned salt;    // varies the choice among equals
  };

  Repair repair_all(const std::vector<BrokenEntry>& broken_entries, bool restored,
                    bool count_affected);
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
  void pin_tree(int times);
  bool is_base(Lid lid) const;
  std::uint32_t length(SwitchId s, Lid lid) const;

  LayeredRoutes routes_;
  MulticastTreeRepair tree_;
  DamagedFabric damaged_;
  VlChoice choice_;
  bool acyclic_;
  bool move_unbroken_;
  std::vector<std::uint8_t> waiting_;  // per switch
  std::vector<std::uint32_t> length_;  // per switch: links to the owner, where known_
  std::vector<std::uint32_t> known_;   // per switch: stamp of length_
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
  std::vector<VlChoice::Chosen> written_;  // SL2VL entries before commit() set them
};

}  // namespace selvedge
