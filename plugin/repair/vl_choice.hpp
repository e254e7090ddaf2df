// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A way for one path over several VLs: which VL it has on each channel, where some SL2VL entries
// are taken and say so, and others are free. The choice adds as few dependencies as it can to those
// that are there, and none that closes a cycle.
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

  /// Could packets of this SL go from s by this port, and then as the entries lead? If so, chosen()
  /// and edges() say how: the dependencies are not counted yet, but the order has room for them.
  bool find(SwitchId s, PortNum port, Sl sl, Lid lid, Rules rules);

  struct Chosen {
    LayeredRoutes::Entry entry;
    Vl vl;
  };
  /// The free entries on the way, with the VLs that they have to have.
  const std::vector<Chosen>& chosen() const { return chosen_; }

 private:
  using VlSet = LayeredRoutes::VlSet;
  struct Hop {
    Channel channel;             // that it is about to hold
    LayeredRoutes::Entry entry;  // by which it gets there (of the first hop: any)
    VlSet may;                   // VLs that it may have there
  };
  bool lay_out(SwitchId s, PortNum port, Sl sl, Lid lid, bool may_choose);
  bool first_hop(SwitchId s, PortNum port, Sl sl, bool may_choose);
  VlSet choices(const LayeredRoutes::Entry& e, bool may_choose) const;
  bool cheapest(bool may_add);
  std::uint32_t cost(const DependencyOrder::Edge& e, bool may_add) const;

  LayeredRoutes& routes_;
  std::vector<Hop> hops_;
  VlSet fixed_ = 0;  // VLs of the first hop that are given: all of them at once
  std::vector<LayeredRoutes::Entry> first_free_;
  std::optional<LayeredRoutes::Entry> last_free_;  // into the host, if it drops now
  std::vector<std::vector<std::uint32_t>> cost_;   // per hop and VL
  std::vector<std::vector<Vl>> from_;              // the VL of the hop before
  std::vector<Vl> vls_;                            // per hop
  std::vector<DependencyOrder::Edge> edges_, refused_;
  std::vector<Chosen> chosen_;
};

}  // namespace selvedge
