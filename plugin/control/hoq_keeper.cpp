// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/hoq_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/control/directed_routes.hpp"
#include "plugin/control/hoq_window.hpp"

namespace selvedge {

bool HoqKeeper::step(std::uint64_t round) {
  if (round != round_) {
    round_ = round;
    plan_ = environment_.tables.plan_in_force();
    ports_.clear();
    next_ = 0;
    report_ = {};
    if (plan_) report_.life = environment_.settings.smp().hoq_life;
    if (report_.life > 0)
      for (SwitchId s = 0; s < plan_->fabric.num_switches(); ++s)
        for (const Channel c : plan_->fabric.out(s)) ports_.push_back(c);
    report_.ports = ports_.size();
  }
  const std::size_t count = std::min(kPortsAtATime, ports_.size() - next_);
  if (count > 0) check(next_, count);
  next_ += count;
  if (next_ < ports_.size()) return true;
  finish();
  return false;
}

void HoqKeeper::check(std::size_t first, std::size_t count) {
  const Fabric& fabric = plan_->fabric;
  const SmpSettings smp = environment_.settings.smp();
  const DirectedRoutes routes(fabric, smp.port);
  const auto fail = [&](Channel port) {
    if (report_.failed++ == 0) report_.first_failed = fabric.port_name(port);
  };
  std::vector<SmpRequest> requests;
  std::vector<Channel> asked;
  for (const Channel port : std::span(ports_).subspan(first, count)) {
    const auto path = routes.to(fabric.switch_of(port));
    if (path && smps_.running()) {
      requests.push_back(port_info_request(smp, *path, fabric.port_of(port)));
      asked.push_back(port);
    } else {
      fail(port);
    }
  }
  const std::vector<SmpAnswer> found = smps_.run(requests, smp.limits);
  std::vector<SmpRequest> changes;
  std::vector<Channel> changed;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (found[i].status != 0) {
      fail(asked[i]);
    } else if (hoq_life_of(found[i].data) != report_.life) {
      requests[i].data = found[i].data;
      changes.push_back(with_hoq_life(requests[i], report_.life));
      changed.push_back(asked[i]);
    }
  }
  const std::vector<SmpAnswer> answers = smps_.run(changes, smp.limits);
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (answers[i].status != 0 || hoq_life_of(answers[i].data) != report_.life) fail(changed[i]);
}

void HoqKeeper::finish() {
  plan_.reset();
  environment_.tables.hoq_life_set(report_);
  if (report_ == told_) return;
  if (report_.failed > 0)
    environment_.journal.log(
        true, fmt::format("[engine] hoq_life {}: {} of {} ports between switches do not have the "
                          "head-of-queue lifetime, the first: {}: the next sweep tries again",
                          report_.life, report_.failed, report_.ports, report_.first_failed));
  else if (report_.life > 0)
    environment_.journal.log(
        false,
        fmt::format("[engine] hoq_life {}: the head-of-queue lifetime is {:.3f} us at the {} "
                    "ports between switches, read back",
                    report_.life, hoq_us(report_.life), report_.ports));
  else
    environment_.journal.log(
        false, "[engine] hoq_life 0: the head-of-queue lifetimes are the subnet manager's");
  told_ = report_;
}

}  // namespace selvedge
