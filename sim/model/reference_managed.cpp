// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reference simulator under a subnet manager (docs/simulator.md, "Management by a subnet
// manager"): SMPs, and what may be changed between two ticks.
#include <algorithm>
#include <utility>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Packet;
using reference::Transit;
using reference::TransitPtr;

void Reference::State::send(const SmpEnd& from, const Smp& smp) {
  check_invariant(managed != Managed::kNo, "only a managed network carries SMPs");
  check_invariant(!smp.directed || (smp.hops >= 1 && smp.hops <= kMaxSmpHops),
                  "a directed route has links");
  dirty = true;
  ++totals.smps_sent;
  const auto transit = std::make_shared<Transit>();
  transit->packet = std::make_shared<Packet>();
  transit->packet->management = true;
  transit->packet->smp = smp;
  transit->packet->record.bytes = smp.bytes;
  transit->packet->record.dlid = smp.dlid;
  transit->packet->blocks = blocks_of(smp.bytes);
  transit->arrived = smp.bytes;
  transit->in_lane = transit->out_lane = static_cast<unsigned>(links.front().lanes.size()) - 1;
  if (from.kind == SmpEnd::Kind::kHost) {
    transit->crossed = smp.bytes;
    links[fabric.injection(from.id)].management().output.push_back(transit);
    return;
  }
  Link& port_0 = links[fabric.channel(from.id, 0)];
  const PortNum out = smp.directed ? smp.out[1] : lft_entry(from.id, smp.dlid);
  if (out == 0 || out > fabric.node(from.id).ports)
    return lose_smp(*transit->packet, Loss::kNoRoute, port_0.channel);
  transit->outputs.push_back({out, transit->in_lane});
  transit->tail_in = now;
  port_0.management().input.push_back(transit);
  port_0.management().input_occupied += transit->packet->blocks;
}

bool Reference::State::route_smp(Link& by, const TransitPtr& transit) {
  const SwitchId at = fabric.target(by.channel);
  Smp& smp = *transit->packet->smp;
  PortNum out = lft_entry(at, smp.dlid);
  if (smp.directed) {
    smp.in[++smp.passed] = fabric.port_of(fabric.peer(by.channel));
    out = smp.passed < smp.hops ? smp.out[smp.passed + 1U] : PortNum{0};
  }
  const bool ends = out == 0 && (!smp.directed || smp.passed == smp.hops);
  if (!ends && out != 0 && out <= fabric.node(at).ports) {
    transit->outputs.push_back({out, transit->in_lane});
    return true;
  }
  if (!ends) lose_smp(*transit->packet, Loss::kNoRoute, by.channel);
  if (!transit->has_arrived())
    (ends ? by.ending : by.dropped).push_back(transit);
  else if (ends)
    end_at_switch(by, *transit);
  else
    free_input(by, transit->in_lane, transit->packet->blocks);
  return false;
}

void Reference::State::end_at_switch(Link& by, Transit& transit) {
  free_input(by, transit.in_lane, transit.packet->blocks);
  if (std::exchange(transit.packet->done, true)) return;  // truncated: it was counted as lost
  ++totals.smps_received;
  arrivals.push_back({.at = now,
                      .end = {SmpEnd::Kind::kSwitch, fabric.target(by.channel)},
                      .port = fabric.port_of(fabric.peer(by.channel)),
                      .smp = *transit.packet->smp});
}

void Reference::State::end_at_host(const Link& by, Packet& packet, HostId host) {
  Smp& smp = *packet.smp;
  if (smp.directed) smp.in[++smp.passed] = fabric.host(host).ca_port;
  if (smp.directed ? smp.passed != smp.hops : !hcas[host].has(smp.dlid))
    return lose_smp(packet, Loss::kWrongHost, by.channel);
  packet.done = true;
  ++totals.smps_received;
  arrivals.push_back({.at = now, .end = {SmpEnd::Kind::kHost, host}, .smp = smp});
}

void Reference::State::lose_smp(Packet& packet, Loss why, Channel where) {
  if (std::exchange(packet.done, true)) return;  // truncated: it was counted as lost
  lost_smps.push_back({packet.smp->tag, why});
  ++totals.smps_lost[static_cast<unsigned>(why)];
  ++use[where].lost[static_cast<unsigned>(why)];
}

void Reference::send(const SmpEnd& from, const Smp& smp) { state_->send(from, smp); }

std::vector<SmpArrival> Reference::take_arrivals() { return std::exchange(state_->arrivals, {}); }

std::vector<LostSmp> Reference::take_lost_smps() { return std::exchange(state_->lost_smps, {}); }

void Reference::write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries) {
  const std::span<PortNum> lft = state_->tables.lft(at);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const std::size_t lid = std::size_t{block} * kLftBlockEntries + i; lid < lft.size())
      lft[lid] = entries[i];
}

void Reference::write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row) {
  state_->tables.sl2vl.set(at, in, out, row);
}

void Reference::write_host_sl2vl(HostId host, const Sl2VlRow& row) {
  state_->hcas[host].sl2vl = row;
}

void Reference::write_path(HostId from, HostId to, Lid dlid, Sl sl) {
  std::map<HostId, reference::Hca::Path>& paths = state_->hcas[from].paths;
  if (dlid == kNoLid)
    paths.erase(to);
  else
    paths[to] = {dlid, sl};
}

void Reference::write_arbitration(Channel c, std::span<const ArbitrationEntry> high,
                                  std::span<const ArbitrationEntry> low, unsigned high_limit) {
  state_->dirty = true;  // the new tables may serve a VL that waited
  state_->links[c].arbiter = ReferenceArbiter(high, low, high_limit);
}

void Reference::write_head_life(Channel c, Tick life) {
  state_->dirty = true;
  state_->links[c].head_life = life;
}

void Reference::write_switch_life(SwitchId at, Tick life) {
  state_->dirty = true;
  state_->switch_lives[at] = life;
}

void Reference::write_lids(HostId host, Lid base, unsigned count) {
  state_->hcas[host].lid = base;
  state_->hcas[host].lids = count;
}

void Reference::open(Channel c, bool for_data) {
  Link& link = state_->links[c];
  if (link.open == for_data) return;
  state_->accumulate_wait(state_->now);
  state_->dirty = true;
  link.open = for_data;
  link.waits = false;
  if (!for_data && link.up && !link.from_host) state_->empty_dead_port(link);
}

void Reference::poll_sources() {
  state_->dirty = true;
  for (HostId h = 0; h < state_->hcas.size(); ++h) state_->woken.push_back(h);
}

void Reference::hold(HostId host, bool held) {
  if (state_->hcas[host].held == held) return;
  state_->accumulate_wait(state_->now);
  state_->dirty = true;
  state_->hcas[host].held = held;
  state_->links[state_->fabric.injection(host)].waits = false;
}

bool Reference::discard_head(Channel c, Vl vl) {
  Link& link = state_->links[c];
  const unsigned number = state_->lane_of(vl, false);
  Lane& lane = link.lanes[number];
  if (lane.input.empty() || lane.input.front()->packet->token) return false;
  state_->dirty = true;
  const TransitPtr transit = lane.input.front();
  lane.input.pop_front();
  state_->count_lost(*transit->packet, Loss::kRecovery, c);
  if (transit->has_arrived())
    state_->free_input(link, number, transit->packet->blocks);
  else
    link.dropped.push_back(transit);
  return true;
}

unsigned Reference::occupied(Channel c, Vl vl) const {
  unsigned blocks = 0;
  for (const Lane& lane : state_->links[c].lanes)
    if (lane.vl == vl) blocks += lane.input_occupied;
  return blocks;
}

}  // namespace selvedge::sim
