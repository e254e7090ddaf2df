// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Chooses the VL of one path on each of its channels. Where another path uses the same SL2VL entry,
// that entry fixes the VL; an entry that no path uses is free and can be set. The choice adds as
// few dependencies as possible, and none that closes a cycle.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <optional>
#include <vector>

#include "plugin/repair/layered_routes.hpp"

namespace selvedge {

class VlChoice {
 public:
  explicit VlChoice(LayeredRoutes& routes) : routes_(routes) {}

  struct Rules {
    bool may_add = false;  // whether dependencies may be added and free entries set
  };

  /// Whether packets for the LID on this SL can leave s by this port and then follow the LFT
  /// entries of the next switches. If so, chosen() returns the SL2VL entries to set. The path's
  /// dependencies are not added yet, but it is known that they close no cycle.
  bool find(SwitchId s, PortNum port, Sl sl, Lid lid, Rules rules);

  struct Chosen {
    LayeredRoutes::Entry entry;
    Vl vl;
  };
  /// The free entries on the path, with the VLs that they must be set to.
  const std::vector<Chosen>& chosen() const { return chosen_; }

 private:
  using VlSet = LayeredRoutes::VlSet;
  struct Hop {
    Channel channel;
    LayeredRoutes::Entry entry;  // of the turn into `channel` (first hop: of any source port)
    VlSet may;                   // the VLs that the path may have on `channel`
  };
  bool lay_out(SwitchId s, PortNum port, Sl sl, Lid lid, bool may_choose);
  bool first_hop(SwitchId s, PortNum port, Sl sl, bool may_choose);
  VlSet choices(const LayeredRoutes::Entry& e, bool may_choose) const;
  bool cheapest(bool may_add);
  std::uint32_t cost(const DependencyOrder::Edge& e, bool may_add) const;

  LayeredRoutes& routes_;
  std::vector<Hop> hops_;
  /// The VLs that entries in use fix on the first hop. Packets of different source ports may be on
  /// different VLs there, so the path has dependencies from each of these VLs.
  VlSet fixed_ = 0;
  std::vector<LayeredRoutes::Entry> first_free_;  // free entries of the first hop
  /// The entry of the last turn, into the host, if it is free and drops at present.
  std::optional<LayeredRoutes::Entry> last_free_;
  std::vector<std::vector<std::uint32_t>> cost_;  // [hop][VL]: least cost up to there
  std::vector<std::vector<Vl>> from_;  // [hop][VL]: the VL of the hop before that gives cost_
  std::vector<Vl> vls_;                // per hop: the VL chosen
  std::vector<DependencyOrder::Edge> edges_, refused_;
  std::vector<Chosen> chosen_;
};

}  // namespace selvedge
