// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/table_images.hpp"

#include <algorithm>
#include <utility>

namespace selvedge {

TableImages::TableImages(const Fabric& fabric, const SmpSettings& smp)
    : fabric_(fabric),
      smp_(smp),
      routes_(std::make_unique<const DirectedRoutes>(fabric, smp.port)) {}

void TableImages::gather(const SendPlan& plan) {
  for (const SendPhase& phase : plan.phases)
    for (const LftBlock& b : phase.blocks)
      if (routes_->reaches(b.at) && place_.emplace(std::pair(b.at, b.block), blocks_.size()).second)
        blocks_.push_back({b.at, b.block, {}});
}

SmpRequest TableImages::request(SmpMethod method, const BlockImage& image) const {
  SmpRequest r = to(method, SmpAttribute::kLft, image.at, image.block);
  r.data = image.entries;
  return r;
}

SmpRequest TableImages::request(SmpMethod method, const RowImage& image) const {
  SmpRequest r;
  if (image.host == kNoHost) {
    r = to(method, SmpAttribute::kSl2Vl, image.at,
           static_cast<std::uint32_t>(image.in) << 8U | image.out);
  } else {  // a host has a single SL2VL row, with attribute modifier 0
    r = to(method, SmpAttribute::kSl2Vl, kNoSwitch, 0);
    if (const auto path = routes_->over(fabric_.peer(fabric_.injection(image.host))))
      r.path = *path;
  }
  std::ranges::copy(image.row, r.data.begin());
  return r;
}

SmpRequest TableImages::request(SmpMethod method, const MftImage& image) const {
  constexpr unsigned kPositionShift = 28;
  SmpRequest r = to(method, SmpAttribute::kMft, image.at,
                    std::uint32_t{image.position} << kPositionShift | image.block);
  r.data = image.entries;
  return r;
}

std::vector<SmpRequest> TableImages::writes(const SendPhase& phase,
                                            std::vector<std::size_t>& blocks) {
  std::vector<SmpRequest> requests;
  const auto add_row = [&](const RowImage& image) {
    requests.push_back(request(SmpMethod::kSet, image));
    const auto [same, fresh] =
        row_place_.emplace(std::tuple(image.at, image.host, image.in, image.out), rows_.size());
    if (fresh)
      rows_.push_back(image);
    else
      rows_[same->second] = image;
  };
  for (const Sl2VlChange& c : phase.sl2vl)
    if (routes_->reaches(c.at))
      add_row({c.at, kNoHost, c.in, c.out, on_the_wire(smp_.levels.at_switch(c.after))});
  if (phase.host_sl2vl)
    for (HostId h = 0; h < fabric_.num_hosts(); ++h)
      if (fabric_.attached(h) && routes_->reaches(fabric_.host(h).at))
        add_row({kNoSwitch, h, 0, 0, on_the_wire(smp_.levels.at_host(*phase.host_sl2vl))});
  for (const LftBlock& b : phase.blocks) {
    const auto found = place_.find({b.at, b.block});
    if (found == place_.end() || !routes_->reaches(b.at)) continue;
    const std::size_t at = found->second;
    for (std::uint32_t i = b.first; i < b.first + b.count; ++i)
      blocks_[at].entries[phase.lft[i].dlid % kSmpDataBytes] = phase.lft[i].after;
    blocks.resize(requests.size(), SIZE_MAX);
    blocks.push_back(at);
    requests.push_back(request(SmpMethod::kSet, blocks_[at]));
  }
  return requests;
}

void TableImages::avoid(const Fault& fault) {
  auto damaged = std::make_unique<const Fabric>(without(routed(), fault));
  routes_ = std::make_unique<const DirectedRoutes>(*damaged, smp_.port);
  damaged_ = std::move(damaged);  // the routes of before are gone
}

bool TableImages::lead_again(SmpRequest& request, const std::vector<SwitchId>& entered) const {
  const SwitchId last = entered.back();
  std::optional<SmpPath> path;
  if (entered.size() == routes_->switches_on(request.path)) {
    path = routes_->to(last);
  } else if (const Channel c = fabric_.channel(last, request.path.ports[request.path.hops]);
             routed().peer(c) != kNoChannel) {
    path = routes_->over(c);  // to a host
  }
  if (path) request.path = *path;
  return path.has_value();
}

SmpRequest TableImages::to(SmpMethod method, SmpAttribute attribute, SwitchId at,
                           std::uint32_t modifier) const {
  SmpRequest r;
  r.method = method;
  r.attribute = attribute;
  r.modifier = modifier;
  r.m_key = smp_.m_key;
  if (at != kNoSwitch)
    if (const auto path = routes_->to(at)) r.path = *path;
  return r;
}

}  // namespace selvedge
