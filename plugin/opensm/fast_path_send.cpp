// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The last steps of the fast path: in which order (plugin/transition decides and proves that), the
// writing with a wait between phases, and the reading back.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>
#include <tuple>

#include "plugin/opensm/directed_routes.hpp"
#include "plugin/opensm/fast_path.hpp"
#include "plugin/opensm/hoq_window.hpp"
#include "plugin/transition/losses.hpp"

namespace selvedge {

std::array<std::uint8_t, kSls / 2> on_the_wire(const Sl2VlRow& row) {
  std::array<std::uint8_t, kSls / 2> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(row[2 * i] << 4 | row[2 * i + 1]);
  return bytes;
}

/// What the switches shall hold in the end, built up phase by phase, and the requests for it.
class Images {
 public:
  Images(const Fabric& fabric, const SmpBorder& smp)
      : fabric_(fabric), smp_(smp), routes_(fabric, smp.port) {}

  const Fabric& fabric() const { return fabric_; }
  const SmpLimits& limits() const { return smp_.limits; }
  std::chrono::milliseconds drain() const { return smp_.drain; }
  std::vector<BlockImage>& blocks() { return blocks_; }
  const std::vector<BlockImage>& blocks() const { return blocks_; }
  const std::vector<RowImage>& rows() const { return rows_; }

  /// Every block of the plan at switches to which there is a route (what is behind a gap nobody can
  /// write, and without a route a packet would stay at our own node), to be filled in with what the
  /// switches hold.
  void gather(const SendPlan& plan) {
    for (const SendPhase& phase : plan.phases)
      for (const LftBlock& b : phase.blocks)
        if (routes_.reaches(b.at) &&
            place_.emplace(std::pair(b.at, b.block), blocks_.size()).second)
          blocks_.push_back({b.at, b.block, {}});
  }

  SmpRequest request(SmpMethod method, const BlockImage& image) const {
    SmpRequest r = to(method, SmpAttribute::kLft, image.at, image.block);
    r.data = image.entries;
    return r;
  }
  SmpRequest request(SmpMethod method, const RowImage& image) const {
    SmpRequest r;
    if (image.host == kNoHost) {
      r = to(method, SmpAttribute::kSl2Vl, image.at,
             static_cast<std::uint32_t>(image.in) << 8U | image.out);
    } else {  // a host has one row; its modifier is zero
      r = to(method, SmpAttribute::kSl2Vl, kNoSwitch, 0);
      if (const auto path = routes_.over(fabric_.peer(fabric_.injection(image.host))))
        r.path = *path;
    }
    std::ranges::copy(image.row, r.data.begin());
    return r;
  }

  /// The writes of one phase.
  std::vector<SmpRequest> writes(const SendPhase& phase, std::vector<std::size_t>& blocks) {
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
      if (routes_.reaches(c.at)) add_row({c.at, kNoHost, c.in, c.out, on_the_wire(c.after)});
    if (phase.host_sl2vl)
      for (HostId h = 0; h < fabric_.num_hosts(); ++h)
        if (fabric_.attached(h) && routes_.reaches(fabric_.host(h).at))
          add_row({kNoSwitch, h, 0, 0, on_the_wire(*phase.host_sl2vl)});
    for (const LftBlock& b : phase.blocks) {
      const auto found = place_.find({b.at, b.block});
      if (found == place_.end()) continue;
      const std::size_t at = found->second;
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i)
        blocks_[at].entries[phase.lft[i].dlid % kSmpDataBytes] = phase.lft[i].after;
      blocks.resize(requests.size(), SIZE_MAX);
      blocks.push_back(at);
      requests.push_back(request(SmpMethod::kSet, blocks_[at]));
    }
    return requests;
  }

 private:
  SmpRequest to(SmpMethod method, SmpAttribute attribute, SwitchId at,
                std::uint32_t modifier) const {
    SmpRequest r;
    r.method = method;
    r.attribute = attribute;
    r.modifier = modifier;
    r.m_key = smp_.m_key;
    if (at != kNoSwitch)
      if (const auto path = routes_.to(at)) r.path = *path;
    return r;
  }

  const Fabric& fabric_;
  const SmpBorder smp_;
  const DirectedRoutes routes_;
  std::map<std::pair<SwitchId, std::uint32_t>, std::size_t> place_;  // into blocks_
  std::vector<BlockImage> blocks_;
  std::map<std::tuple<SwitchId, HostId, PortNum, PortNum>, std::size_t> row_place_;  // into rows_
  std::vector<RowImage> rows_;
};

/// What is sent in which order; the guard in force may leave nothing to be searched for.
void FastPath::choose_order(Step& step) {
  const Plan &before = *step.before, &after = *step.after;
  Delta delta = step.delta;
  delta.mft.clear();  // groups are OpenSM's: its sweep writes their trees
  OrderRequest request;
  request.near = step.near;
  // The guard in force permits all of it: nothing is left to be proved.
  if (before.guarded && delta.sl2vl.empty() && !step.lossless)
    request.method = SendPlan::Method::kGuarded;
  request.lossless = step.lossless;
  const SmpBorder smp = border_.smp();
  request.may_drain = smp.drain.count() > 0;
  // What is being drained carries packets until then, and is not written.
  if (step.lossless) leave_out_failed(delta, after.fabric);
  const bool drains = step.lossless && !step.fault.empty();
  const Fabric& meanwhile = drains ? before.fabric : after.fabric;
  step.ordered = true;
  step.sent = send_plan(meanwhile, before.tables, delta, request);
  if (!step.lossless) return;
  const Losses lost = losses(meanwhile, before.tables, step.sent);
  step.lossy_lids = lost.lids.size();
  if (lost.witness) step.lost = lost.witness->text;
}

/// Once it is begun: not all that is thought out is sent.
void FastPath::say_order(const Step& step) {
  const SendPlan& sent = step.sent;
  if (step.lossy_lids > 0)
    border_.log(false, fmt::format("no order is proved that loses nothing, so it is sent '{}'; "
                                   "packets for {} LIDs may be lost, as for {}",
                                   name_of(sent.method), step.lossy_lids, step.lost));
  if (sent.method == SendPlan::Method::kWindow)
    border_.log(true, fmt::format("until the last block is written, packets may lock up for the "
                                  "switches' head-of-queue lifetime: {}",
                                  sent.why));
}

/// True if every switch holds what it should.
bool FastPath::send_and_confirm(Step& step) {
  const Plan &before = *step.before, &after = *step.after;
  const SmpBorder smp = border_.smp();
  Images images(after.fabric, smp);
  images.gather(step.sent);
  if (!border_.fill_in(before, images.blocks())) return false;  // others' entries would be spoilt
  step.begun = true;
  say_order(step);
  HoqWindow window(agent_, smp, after.fabric, smp.window_hoq_life);
  const bool lower = step.sent.method == SendPlan::Method::kWindow && smp.window_hoq_life > 0;
  const unsigned lowered = lower ? window.lower() : 0;
  const bool sent = send(step.sent, images);
  if (lower)
    border_.log(false,
                fmt::format("head-of-queue lifetime lowered to {:.3f} ms at {} ports for that "
                            "time, put back at {}",
                            0.004096 * (1U << smp.window_hoq_life), lowered, window.restore()));
  return read_back(images, step.confirmed) && sent;
}

bool FastPath::send(const SendPlan& plan, Images& images) {
  for (const SendPhase& phase : plan.phases) {
    if (phase.drain_first) std::this_thread::sleep_for(images.drain());
    std::vector<std::size_t> blocks;
    const std::vector<SmpRequest> requests = images.writes(phase, blocks);
    bool all = true;
    const auto answers =
        agent_.run(requests, images.limits(), [&](std::size_t i, const SmpAnswer& answer) {
          if (answer.status == 0 && i < blocks.size() && blocks[i] != SIZE_MAX)
            border_.report(Event::Kind::kRepairBlock,
                           images.fabric().node(images.blocks()[blocks[i]].at).guid,
                           images.blocks()[blocks[i]].block);
          return false;
        });
    for (const SmpAnswer& answer : answers) all &= answer.status == 0;
    if (!phase.sl.empty()) border_.tell_sls(phase.sl);
    if (!all) return false;  // no phase begins before the one before it is in force
  }
  return true;
}

bool FastPath::read_back(const Images& images, Confirmed& confirmed) {
  std::vector<SmpRequest> requests;
  for (const RowImage& row : images.rows())
    requests.push_back(images.request(SmpMethod::kGet, row));
  for (const BlockImage& block : images.blocks())
    requests.push_back(images.request(SmpMethod::kGet, block));
  const std::vector<SmpAnswer> held = agent_.run(requests, images.limits());
  bool all = true;
  const auto good = [&](const SmpAnswer& answer) {
    all &= answer.status == 0;
    return answer.status == 0;
  };
  for (std::size_t i = 0; i < images.rows().size(); ++i) {
    if (!good(held[i])) continue;
    RowImage row = images.rows()[i];
    std::copy_n(held[i].data.begin(), row.row.size(), row.row.begin());
    all &= row.row == images.rows()[i].row;
    confirmed.rows.push_back(row);
  }
  for (std::size_t i = 0; i < images.blocks().size(); ++i) {
    const SmpAnswer& answer = held[images.rows().size() + i];
    const BlockImage& wanted = images.blocks()[i];
    if (!good(answer)) {
      confirmed.unknown.push_back(wanted);
      continue;
    }
    all &= answer.data == wanted.entries;
    confirmed.blocks.push_back({wanted.at, wanted.block, answer.data});
  }
  return all;
}

}  // namespace selvedge
