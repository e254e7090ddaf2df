// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/peer_rates.hpp"

#include <bit>
#include <utility>

namespace selvedge::protocol {
namespace {

/// Where packets queue, each path gets so many turns while all windows are sent once.
constexpr double kTurnsOfWindows = 2;

double part_of(std::size_t room_bytes, unsigned paths) {
  return room_bytes == 0 ? kWindowBytesMax : static_cast<double>(room_bytes) / paths;
}

}  // namespace

PeerRates::PeerRates(unsigned paths, unsigned packet_bytes, TimeNs empty_rtt_ns,
                     PeerWorkers::Entry workers, std::size_t room_bytes)
    : rates_(std::max(1u, paths), {PathRate(packet_bytes, 1.0 / std::max(1u, paths), empty_rtt_ns,
                                            part_of(room_bytes, std::max(1u, paths)))}),
      entry_(std::move(workers)),
      packet_(packet_bytes) {
  add_up();
}

void PeerRates::share_with(unsigned workers) {
  workers_ = workers;
  for (Path& p : rates_) p.rate.set_share(1.0 / (static_cast<double>(rates_.size()) * workers));
}

void PeerRates::add_up() {
  if (const unsigned workers = entry_.workers(); workers != workers_) share_with(workers);
  windows_ = 0;
  bool queues = false;
  for (const Path& p : rates_) {
    windows_ += p.rate.window();
    queues |= p.rate.queues();
  }
  const double turn = windows_ / (kTurnsOfWindows * packet_ * static_cast<double>(rates_.size()));
  burst_packets_ = queues
                       ? static_cast<std::uint32_t>(std::clamp(turn, 1.0, 1.0 * kBurstPacketsMax))
                       : kBurstPacketsMax;
}

std::uint32_t PeerRates::with_room(std::uint64_t bytes) const {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < rates_.size(); ++i)
    bits |= std::uint32_t{rates_[i].rate.has_room(bytes)} << i;
  return bits;
}

std::uint8_t PeerRates::choose(std::uint32_t among) {
  auto best = static_cast<unsigned>(std::countr_zero(among));
  for (unsigned i = best; i < rates_.size(); ++i)
    if ((among >> i & 1) != 0 && rates_[i].turns < rates_[best].turns) best = i;
  Path& p = rates_[best];
  // Who was without room for a while is owed one turn.
  turn_ = std::max(turn_, p.turns);
  p.turns = std::max(p.turns, turn_ - 1) + std::max(1.0, packet_ / p.rate.window());
  return static_cast<std::uint8_t>(best);
}

void PeerRates::on_sent(TimeNs now, unsigned path, std::uint64_t bytes) {
  Path& p = rates_[path];
  in_flight_ += bytes;
  p.rate.on_sent(bytes);
  if (windows_ < packet_) {
    const double parts = static_cast<double>(bytes) / windows_;
    next_ns_ = now + std::min(kPauseNsMax,
                              static_cast<TimeNs>(static_cast<double>(p.rate.rtt_ns()) * parts));
  }
}

void PeerRates::on_lost(TimeNs now, unsigned path, TimeNs sent_ns, std::uint64_t bytes) {
  in_flight_ -= bytes;
  if (!rates_[path].rate.on_lost(now, sent_ns, bytes)) return;
  for (Path& p : rates_)
    if (&p != &rates_[path]) p.rate.on_lost_elsewhere(now);
  add_up();
}

void PeerRates::on_delays(TimeNs now, TimeNs arrived, const Report& report) {
  for (unsigned i = 0; i < report.delay_count; ++i) {
    const PathDelay& d = report.delays[i];
    if (d.path >= rates_.size()) continue;
    PathRate& rate = rates_[d.path].rate;
    rate.on_delay(now, since(d.echo, arrived != 0 ? arrived : now), arrived != 0);
    if (d.marked) rate.on_marked(now);
  }
  if (report.delay_count != 0) add_up();
}

}  // namespace selvedge::protocol
