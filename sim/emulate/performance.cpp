// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/performance.hpp"

#include <algorithm>
#include <cstring>

namespace selvedge::sim {
namespace {

constexpr std::uint16_t kClassPortInfo = 0x0001, kPortCounters = 0x0012, kExtended = 0x001d;
constexpr std::uint16_t kFirstDetail = 0x0015, kLastDetail = 0x001c;
constexpr unsigned kAllPorts = 255;
// CapabilityMask of ClassPortInfo.
constexpr std::uint16_t kAllPortSelect = 0x100, kExtendedWidth = 0x200, kTransmitWait = 0x1000;
constexpr std::uint8_t kResponseTime = 0x12;

using Place = PerformanceAgent::Place;

constexpr Place kShort[] = {
    {&PortCounters::link_downed, 7, 1, 2},        {&PortCounters::receive_errors, 8, 2, 3},
    {&PortCounters::relay_errors, 12, 2, 5},      {&PortCounters::transmit_discards, 14, 2, 6},
    {&PortCounters::transmit_data, 24, 4, 12},    {&PortCounters::receive_data, 28, 4, 13},
    {&PortCounters::transmit_packets, 32, 4, 14}, {&PortCounters::receive_packets, 36, 4, 15},
    {&PortCounters::transmit_wait, 40, 4, 16},
};
/// The counters of unicast packets repeat those of all packets, since all packets here are unicast.
constexpr Place kLong[] = {
    {&PortCounters::transmit_data, 8, 8, 0},     {&PortCounters::receive_data, 16, 8, 1},
    {&PortCounters::transmit_packets, 24, 8, 2}, {&PortCounters::receive_packets, 32, 8, 3},
    {&PortCounters::transmit_packets, 40, 8, 4}, {&PortCounters::receive_packets, 48, 8, 5},
};

void put(std::uint8_t* p, unsigned bytes, std::uint64_t value) {
  // A counter that would overflow stays at its highest value (IBA 1.3 §16.1.3.5).
  if (bytes < 8) value = std::min(value, (std::uint64_t{1} << (8 * bytes)) - 1);
  for (unsigned i = bytes; i-- > 0; value >>= 8U) p[i] = static_cast<std::uint8_t>(value);
}

}  // namespace

std::vector<PortAt> PerformanceAgent::selected(PortAt at, unsigned port_select) const {
  const Sma& agent = subnet_.agent(at.node);
  std::vector<PortAt> ports;
  if (!agent.is_switch()) {
    if (port_select == at.port) ports.push_back(at);
    return ports;
  }
  if (port_select <= agent.num_ports())
    ports.push_back({at.node, static_cast<PortNum>(port_select)});
  else if (port_select == kAllPorts)
    for (unsigned p = 0; p <= agent.num_ports(); ++p)
      ports.push_back({at.node, static_cast<PortNum>(p)});
  return ports;
}

/// Writes the sums over these ports, and resets the counters whose select bit is in `reset`.
void PerformanceAgent::write_counters(std::uint8_t* data, std::span<const Place> places,
                                      std::span<const PortAt> ports,
                                      std::vector<PortCounters>& bases, unsigned reset) {
  std::vector<std::uint64_t> sums(places.size());
  for (const PortAt p : ports) {
    const PortCounters now = source_.counters(p);
    PortCounters& base = bases[subnet_.index(p)];
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto field = places[i].field;
      if ((reset >> places[i].select & 1U) != 0) base.*field = now.*field;
      sums[i] +=
          // now < base is possible: a cut takes back the packet that was on the wire.
          now.*field - std::min(now.*field, base.*field);
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    put(data + places[i].at, places[i].bytes, sums[i]);
}

SmpStatus PerformanceAgent::port_counters(PortAt at, Mad& mad, bool set) {
  std::uint8_t* data = mad.data();
  const std::vector<PortAt> ports = selected(at, data[1]);
  if (ports.empty()) return SmpStatus::kInvalidValue;
  const unsigned select = get16(data + 2) | (data[18] & 1U) << 16U;
  std::memset(data + 4, 0, 14);
  std::memset(data + 19, 0, 25);
  write_counters(data, kShort, ports, short_base_, set ? select : 0);
  return SmpStatus::kGood;
}

SmpStatus PerformanceAgent::extended_counters(PortAt at, Mad& mad, bool set) {
  std::uint8_t* data = mad.data();
  const std::vector<PortAt> ports = selected(at, data[1]);
  if (ports.empty()) return SmpStatus::kInvalidValue;
  const unsigned select = get16(data + 2);
  std::memset(data + 8, 0, 64);
  write_counters(data, kLong, ports, long_base_, set ? select : 0);
  return SmpStatus::kGood;
}

SmpStatus PerformanceAgent::execute(PortAt at, Mad& mad) {
  const bool set = mad.method() == mad_method::kSet;
  if (!set && mad.method() != mad_method::kGet) return SmpStatus::kUnsupportedMethod;
  switch (mad.attribute()) {
    case kClassPortInfo: {
      if (set) return SmpStatus::kUnsupportedAttribute;
      std::memset(mad.data(), 0, kMadBytes - kAttributeAt);
      mad.data()[0] = mad.data()[1] = 1;
      put16(mad.data() + 2,
            static_cast<std::uint16_t>(kExtendedWidth | kTransmitWait |
                                       (subnet_.agent(at.node).is_switch() ? kAllPortSelect : 0U)));
      mad.data()[7] = kResponseTime;
      return SmpStatus::kGood;
    }
    case kPortCounters:
      return port_counters(at, mad, set);
    case kExtended:
      return extended_counters(at, mad, set);
    default:
      break;
  }
  if (mad.attribute() < kFirstDetail || mad.attribute() > kLastDetail)
    return SmpStatus::kUnsupportedAttribute;
  if (selected(at, mad.data()[1]).empty()) return SmpStatus::kInvalidValue;
  std::memset(mad.data() + 4, 0, kMadBytes - kAttributeAt - 4);
  return SmpStatus::kGood;
}

}  // namespace selvedge::sim
