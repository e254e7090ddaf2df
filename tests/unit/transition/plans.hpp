// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Changes for the tests of transitions: the tables before and after one fault, with or without a
// guard.
#pragma once

#include <string_view>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/transition/order.hpp"

namespace selvedge::test {

struct Change {
  Fabric fabric;  // without the failed links and switches
  Tables from, to;
  bool guarded = false;
  OrderRequest request;

  Delta delta() const { return difference(from, to); }
  SendPlan plan() const { return send_plan(fabric, from, delta(), request); }
  SendPlan plan(SendPlan::Method method) const {
    OrderRequest taken = request;
    taken.method = method;
    return send_plan(fabric, from, delta(), taken);
  }
};

/// Tables of an engine, and the changes that repairs or rerouting make after one fault.
class Before {
 public:
  Before(Fabric fabric, std::string_view engine)
      : fabric_(std::move(fabric)),
        routing_(find_engine(engine).compute(fabric_, breadth_first())) {
    guard_ = selvedge::guard(fabric_, routing_.tables, {.multicast = tree(routing_.multicast)});
  }

  const Fabric& fabric() const { return fabric_; }
  bool guarded() const { return guard_.exists; }
  /// The change by an in-place repair. `guard`: with a guard, if one exists.
  Change repaired(const Fault& fault, bool guard) const {
    InPlaceRepair repair(fabric_, routing_.tables, routing_.multicast);
    const Repair made = repair.fail(fault);
    return change(fault, repair.tables(), made.multicast, guard);
  }
  /// The change to tables that an engine computes anew.
  Change rerouted(const Fault& fault, std::string_view engine, bool guard) const {
    const Routing anew = find_engine(engine).compute(without(fabric_, fault), {});
    return change(fault, anew.tables, anew.multicast, guard);
  }

 private:
  static EngineRequest breadth_first() {
    EngineRequest request;
    request.tree = EngineRequest::Tree::kBfs;
    return request;
  }

  static const ParentChannels* tree(const std::optional<ParentChannels>& multicast) {
    return multicast ? &*multicast : nullptr;
  }
  Change change(const Fault& fault, const Tables& to, const std::optional<ParentChannels>& trunk,
                bool with_guard) const {
    Change c{without(fabric_, fault), routing_.tables, to, false, {}};
    c.request.near = switches_at_fault(fabric_, fault);
    if (!with_guard || !guard_.exists) return c;
    const Guard after =
        selvedge::guard(fabric_, to, {.previous = &guard_.sl2vl, .multicast = tree(trunk)});
    if (!after.exists) return c;
    c.guarded = true;
    c.from.sl2vl = guard_.sl2vl;
    c.to.sl2vl = after.sl2vl;
    return c;
  }

  Fabric fabric_;
  Routing routing_;
  Guard guard_;
};

}  // namespace selvedge::test
