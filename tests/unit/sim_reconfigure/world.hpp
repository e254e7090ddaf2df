// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A network under a manager, with traffic and cables that are cut: all that a test of a scheme
// needs, for the fast network and the reference alike.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/verify/verify.hpp"
#include "sim/hca/hca_traffic.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"
#include "sim/reconfigure/manager.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim::test {

struct Cut {
  Tick at;
  Channel cable;
  bool restored = false;
};

/// What happens in a world; a value.
struct Story {
  Fabric fabric;
  Tables from;
  TargetRequest target;
  Parameters parameters;
  ReconfigurationSpec spec;
  TrafficSpec traffic;
  HcaSpec hca;            // kOff: packets are delivered as they arrive
  std::vector<Cut> cuts;  // in the order of their times
  std::uint64_t seed = 1;
  unsigned vls = 1;
  std::function<bool(std::uint64_t)> lose = [](std::uint64_t) { return false; };
};

inline Tables updn(const Fabric& fabric, SwitchId root = 0) {
  EngineRequest request;
  request.root = root;
  request.tree = EngineRequest::Tree::kBfs;
  return without_multicast(find_engine("updn").compute(fabric, request).tables);
}

/// A story of this scheme, whose tables are those of up*/down* from other roots.
inline Story story(const std::string& fabric, SchemeName name, unsigned lmc = 0,
                   SwitchId new_root = 0) {
  Story s;
  s.fabric = assign_lids(make_fabric(fabric), lmc);
  s.from = updn(s.fabric);
  s.spec.scheme = name;
  const Scheme& scheme = scheme_of(name);
  s.target.kind = scheme.target;
  s.target.guard = scheme.guard;
  s.target.compute = [new_root](const Fabric& left) { return updn(left, new_root); };
  s.parameters.management_buffer_bytes = 320;
  s.target.one_vl = scheme.tokens;
  s.target.two_vls = scheme.layers;
  s.vls = name == SchemeName::kRftrReaddress ? 4 : scheme.layers ? 2 : 1;
  s.target.repair.max_vls = s.vls;
  if (scheme.needs_lifetime) s.parameters.head_of_queue_life_us = 20;
  s.traffic.load = 0;
  return s;
}

/// Nobody sends.
class Silence : public Traffic {
 public:
  Message next(HostId) override { return {}; }
};

template <class Simulator>
class World {
 public:
  explicit World(const Story& of)
      : story(of),
        target(story.fabric, story.from, story.target),
        model(resolve(story.parameters, target.initial(), story.vls)),
        above(model_above(story.hca, model)),
        traffic(story.traffic.load > 0
                    ? make_traffic(story.traffic, story.fabric, above, story.seed)
                    : std::make_unique<Silence>()),
        protocol(story.hca.on()
                     ? make_hca_traffic(story.hca, model, *traffic, story.fabric.num_hosts(),
                                        story.fabric.num_hosts())
                     : nullptr),
        network(story.fabric, target.initial(), model, protocol ? *protocol : *traffic, story.seed,
                managed_by(scheme_of(story.spec.scheme))),
        subnet(network),
        manager(story.spec, story.fabric, model, target, subnet) {
    manager.lose(story.lose);
    network.on_delivery([this](const Delivery& d) { deliveries.push_back(d); });
  }
  Tick at_us(double us) const { return model.time_base.at(us * 1000); }
  double us(Tick t) const { return model.time_base.ns(t) / 1000; }

  void run(Tick until) {
    for (; next_cut < story.cuts.size() && story.cuts[next_cut].at <= until; ++next_cut) {
      const Cut& cut = story.cuts[next_cut];
      run_under(network, manager, cut.at);
      if (cut.restored)
        network.restore(cut.cable);
      else
        network.cut(cut.cable);
      manager.set_cable(cut.cable, !cut.restored);
    }
    run_under(network, manager, until);
  }
  /// Runs until all changes are over, and some time more. A trap may have been lost, so nothing is
  /// over before some time has passed after the last cut.
  void settle() {
    const Tick least = (story.cuts.empty() ? 0 : story.cuts.back().at) + at_us(300);
    for (unsigned us = 0; us < 10'000; us += 50) {
      run(network.now() + at_us(50));
      if (network.now() > least && manager.idle() && !manager.changes().empty()) break;
    }
    run(network.now() + at_us(20));
  }
  std::uint64_t lost(Loss why) const { return network.totals().lost[static_cast<unsigned>(why)]; }

  const Story story;
  Target target;
  const Model model;
  const Model above;  // as the traffic above the protocol sees it
  std::unique_ptr<Traffic> traffic;
  std::unique_ptr<HcaTraffic> protocol;
  Simulator network;
  SubnetOf<Simulator> subnet;
  Manager manager;
  std::vector<Delivery> deliveries;
  std::size_t next_cut = 0;
};

}  // namespace selvedge::sim::test
