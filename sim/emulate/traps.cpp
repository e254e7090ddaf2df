// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/traps.hpp"

#include <algorithm>

namespace selvedge::sim {
namespace {

constexpr unsigned kTries = 30;
/// Bounds of the time between two sendings of a trap, whatever SubnetTimeOut says.
constexpr std::chrono::milliseconds kAgainMin{100}, kAgainMax{10'000};
constexpr std::uint8_t kGeneric = 0x80, kUrgent = 1, kInformational = 4;
constexpr std::uint8_t kAdapterProducer = 1, kSwitchProducer = 2;

/// The lower half of a transaction id, which identifies a trap. libumad2sim and the emulator
/// overwrite the upper half.
std::uint32_t own_part(std::uint64_t transaction) {
  return static_cast<std::uint32_t>(transaction);
}

}  // namespace

void Traps::raise(PortAt at, TrapNumber number, Nanoseconds now) {
  std::erase_if(notices_, [&](const Notice& n) { return n.at == at && n.number == number; });
  notices_.push_back({at, number, next_transaction_++, now, kTries, false});
}

void Traps::repress(NodeId node, std::uint64_t transaction) {
  const std::uint32_t low = own_part(transaction);
  std::erase_if(notices_,
                [&](const Notice& n) { return n.at.node == node && n.transaction == low; });
}

std::optional<Nanoseconds> Traps::deadline() const {
  const auto first = std::ranges::min_element(notices_, {}, &Notice::due);
  return first == notices_.end() ? std::nullopt : std::optional(first->due);
}

bool Traps::sendable(const Notice& notice) const {
  const PortAttributes& port = subnet_.agent(notice.at.node).end_port(notice.at.port);
  return subnet_.running(notice.at.node) && port.lid() != 0 && port.sm_lid() != 0;
}

bool Traps::would_arrive(const Notice& notice) const {
  if (!sendable(notice)) return false;
  const Lid manager = subnet_.agent(notice.at.node).end_port(notice.at.port).sm_lid();
  PortAt at = notice.at;
  for (NodeId hops = 0; hops <= subnet_.num_switches() + 1; ++hops) {
    const Sma& agent = subnet_.agent(at.node);
    if (agent.end_port(at.port).owns(manager)) return true;
    // An adapter sends its own traps, and forwards none.
    if (!agent.is_switch() && hops > 0) return false;
    const PortAt out{at.node, agent.is_switch() ? agent.forward(manager) : at.port};
    if (out.port == 0 || !subnet_.exists(out) || !subnet_.cabled(out) || !subnet_.up(out))
      return false;
    at = subnet_.peer(out);
  }
  return false;  // a loop
}

void Traps::delivered(std::uint64_t transaction) {
  for (Notice& notice : notices_)
    notice.delivered = notice.delivered || notice.transaction == own_part(transaction);
}

bool Traps::any_would_arrive() const {
  return std::ranges::any_of(notices_,
                             [this](const Notice& n) { return !n.delivered && would_arrive(n); });
}

MadPacket Traps::packet_of(const Notice& notice) const {
  const Sma& agent = subnet_.agent(notice.at.node);
  const PortAttributes& port = agent.end_port(notice.at.port);
  MadPacket packet;
  packet.slid = port.lid();
  packet.dlid = port.sm_lid();
  std::uint8_t* m = packet.mad.bytes.data();
  m[0] = m[2] = 1;
  m[1] = mad_class::kSubnetLid;
  m[3] = mad_method::kTrap;
  put64(m + 8, notice.transaction);
  put16(m + 16, smp_attribute::kNotice);
  std::uint8_t* data = packet.mad.data();
  const bool state = notice.number == TrapNumber::kPortStateChange;
  data[0] = kGeneric | (state ? kUrgent : kInformational);
  data[3] = agent.is_switch() ? kSwitchProducer : kAdapterProducer;
  put16(data + 4, static_cast<std::uint16_t>(notice.number));
  put16(data + 6, port.lid());
  if (state) {
    put16(data + 10, port.lid());
  } else {
    put16(data + 12, port.lid());
    put32(data + 16, port.capabilities());
  }
  return packet;
}

std::optional<Traps::Due> Traps::next_due(Nanoseconds now) {
  for (std::size_t i = 0; i < notices_.size();) {
    Notice& notice = notices_[i];
    if (notice.due > now) {
      ++i;
      continue;
    }
    const PortAttributes& port = subnet_.agent(notice.at.node).end_port(notice.at.port);
    const bool sent = sendable(notice);
    const Due due{notice.at, packet_of(notice)};
    const Nanoseconds again{std::int64_t{4096} << port.subnet_timeout()};  // IBA 1.3 §14.2.5.6
    notice.due = now + std::clamp<Nanoseconds>(again, kAgainMin, kAgainMax);
    if (!sent || --notice.tries_left == 0)
      notices_.erase(notices_.begin() + static_cast<std::ptrdiff_t>(i));
    if (sent) return due;
  }
  return std::nullopt;
}

}  // namespace selvedge::sim
