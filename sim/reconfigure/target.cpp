// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/target.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/readdress.hpp"
#include "plugin/tables/spare_lids.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::sim {

struct Target::Repairs {
  std::optional<InPlaceRepair> in_place;
  std::optional<ReaddressRepair> readdress;
};

namespace {

void check_proved(const Fabric& left, const Tables& tables) {
  VerifyOptions options;
  options.any_lid = true;
  const Verdict verdict = verify(left, tables, options).verdict();
  if (verdict.connected && verdict.loop_free && verdict.deadlock_free) return;
  throw InputError(
      "the new tables are not proved",
      verdict.witnesses.empty() ? "[reconfiguration] to" : verdict.witnesses.front().text,
      "choose another engine, repair or file of tables");
}

/// The tables as the request wants them: with one VL, or with one VL that has been spread over two.
/// SL 1 has VL 1 then, and half of the paths use it.
Tables on_vls(const TargetRequest& request, Tables tables) {
  if (!request.one_vl && !request.two_vls) return tables;
  if (sim::vls_of(tables) > 1)
    throw InputError("the scheme needs tables with one VL", "[reconfiguration] scheme",
                     "choose an engine that needs one VL, as updn, or another scheme");
  if (!request.two_vls) return tables;
  Sl2VlRow row{};
  for (unsigned sl = 0; sl < kSls; ++sl) row[sl] = static_cast<Vl>(sl % 2);
  tables.host_sl2vl = row;
  for (SwitchId s = 0; s < tables.num_switches(); ++s) {
    tables.sl2vl.set_all(s, row);
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
      tables.set_sl(s, static_cast<Lid>(lid), static_cast<Sl>((s + lid) % 2));
  }
  return tables;
}

}  // namespace

Target::Target(const Fabric& fabric, const Tables& from, TargetRequest request)
    : fabric_(fabric),
      request_(std::move(request)),
      initial_(without_multicast(from)),
      repairs_(std::make_unique<Repairs>()) {
  if (request_.kind == TargetKind::kReaddress) {
    if (std::ranges::none_of(fabric.hosts(), [](const Host& host) { return host.lmc > 0; }))
      throw InputError("a readdressing repair needs more LIDs than one a host", "[routing] lmc",
                       "give lmc = 3, or choose another scheme");
    initial_ = base_lids_only(fabric, std::move(initial_));
    repairs_->readdress.emplace(fabric, initial_, std::nullopt, request_.repair);
  }
  if (request_.kind == TargetKind::kInPlace)
    repairs_->in_place.emplace(fabric, initial_, std::nullopt, request_.repair);
  initial_ = on_vls(request_, std::move(initial_));
  if (request_.guard) {
    GuardOptions options;
    if (repairs_->in_place) options.up = repairs_->in_place->up();
    initial_ = guarded(fabric, initial_, options);
  }
}

Target::Target(Target&&) noexcept = default;
Target::~Target() = default;

Tables Target::compute(const Fabric& left, const Fault& lost, const Fault& back,
                       std::vector<Readdressed>& readdressed) {
  const auto repaired = [&](auto& way) {
    for (const bool restores : {true, false}) {
      const Fault& of = restores ? back : lost;
      if (of.empty()) continue;
      const Repair repair = restores ? way.restore(of) : way.fail(of);
      readdressed.insert(readdressed.end(), repair.readdressed.begin(), repair.readdressed.end());
    }
    return way.tables();
  };
  if (repairs_->in_place) return repaired(*repairs_->in_place);
  if (repairs_->readdress) {
    Tables tables = repaired(*repairs_->readdress);
    mark_missing_as_spare(left, tables);
    return tables;
  }
  return without_multicast(request_.compute(left));
}

Target::Change Target::after(const std::vector<Channel>& down, const Tables& in_force) {
  std::vector<Channel> now;
  for (const Channel c : down) now.push_back(std::min(c, fabric_.peer(c)));
  std::ranges::sort(now);
  now.erase(std::unique(now.begin(), now.end()), now.end());
  Fault lost, back;
  std::ranges::set_difference(now, down_, std::back_inserter(lost.links));
  std::ranges::set_difference(down_, now, std::back_inserter(back.links));
  down_ = now;

  Change change{.left = without(fabric_, {.links = now, .switches = {}})};
  change.tables = compute(change.left, lost, back, change.readdressed);
  if (change.tables.num_switches() != in_force.num_switches() ||
      change.tables.top_lid() != in_force.top_lid())
    throw InputError("the new tables are for other switches or LIDs than those in force",
                     "[reconfiguration] to", "give tables for the same fabric and LMC");
  change.tables = on_vls(request_, std::move(change.tables));
  check_proved(change.left, change.tables);
  if (request_.guard) {
    GuardOptions options{.previous = &in_force.sl2vl};
    if (repairs_->in_place) options.up = repairs_->in_place->up();
    change.tables = guarded(fabric_, change.tables, options);
    check_proved(change.left, change.tables);
  }
  return change;
}

}  // namespace selvedge::sim
