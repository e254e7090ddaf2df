// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/wire.hpp"

#include <fmt/format.h>

namespace selvedge::sim {

std::optional<ControlMessage> parse_control(std::span<const std::uint8_t> datagram,
                                            std::string& why) {
  if (datagram.size() != sizeof(ControlMessage)) {
    why = fmt::format("its control message has {} bytes instead of {}: {}", datagram.size(),
                      sizeof(ControlMessage), kUseOurProtocol);
    return std::nullopt;
  }
  ControlMessage m;
  std::memcpy(&m, datagram.data(), sizeof m);
  if (m.magic != kControlMagic) {
    why = fmt::format("its control message begins with 0x{:08x} instead of 0x{:08x}: {}", m.magic,
                      kControlMagic, kUseOurProtocol);
    return std::nullopt;
  }
  return m;
}

std::optional<MadDatagram> parse_mad(std::span<const std::uint8_t> datagram) {
  if (datagram.size() != sizeof(MadDatagram)) return std::nullopt;
  MadDatagram d;
  std::memcpy(&d, datagram.data(), sizeof d);
  return d;
}

std::string_view node_of(const ClientInfo& info) {
  const std::string_view all(info.node.data(), info.node.size());
  return all.substr(0, all.find('\0'));
}

}  // namespace selvedge::sim
