// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Chooses the VL of one path on each of its channels. SL2VL entries in use fix the VL there; free
// entries can be set. The choice adds as few dependencies as possible, and none that closes a
// cycle.
//
// Of this room only.
#pragma once

#include <optional>
#include <vector>

#include "plugin/repair/layered_routes.hpp"

namespace selvedge {

class VlChoice {
 public:
  explicit VlChoice(LayeredRoutes& routes) : routes_(routes) {}

  struct Rules {
    bool may_add = false;  // dependencies, and other VLs for entries that are free
  };

  /// Whether packets of this SL can leave s by this port and then follow the entries. If so,
  /// chosen() returns the VLs to set. The dependencies are not counted yet, but the order has room
  /// for them.
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
    Channel channel;             // the next channel
    LayeredRoutes::Entry entry;  // of the turn into it (first hop: of any source port)
    VlSet may;                   // VLs that the path may have there
  };
  bool lay_out(SwitchId s, PortNum port, Sl sl, Lid lid, bool may_choose);
  bool first_hop(SwitchId s, PortNum port, Sl sl, bool may_choose);
  VlSet choices(const LayeredRoutes::Entry& e, bool may_choose) const;
  bool cheapest(bool may_add);
  std::uint32_t cost(const DependencyOrder::Edge& e, bool may_add) const;

  LayeredRoutes& routes_;
  std::vector<Hop> hops_;
  VlSet fixed_ = 0;  // fixed VLs of the first hop, held all at once
  std::vector<LayeredRoutes::Entry> first_free_;
  std::optional<LayeredRoutes::Entry> last_free_;  // into the host, if it drops at present
  std::vector<std::vector<std::uint32_t>> cost_;   // per hop and VL
  std::vector<std::vector<Vl>> from_;              // the VL of the hop before
  std::vector<Vl> vls_;                            // per hop
  std::vector<DependencyOrder::Edge> edges_, refused_;
  std::vector<Chosen> chosen_;
};

}  // namespace selvedge
