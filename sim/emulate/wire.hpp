// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/emulate: a server of the protocol that libumad2sim speaks (umad2sim of ibsim 0.10), so that
// unmodified opensm and infiniband-diags manage an emulated subnet. Read on in this order: this
// file (what is on the sockets), subnet.hpp (nodes and cables), mad_transport.hpp (how a MAD
// moves), core.hpp (clients; what the kernel's MAD layer does for them), console.hpp (commands),
// server.hpp (the sockets); for data packets data_plane.hpp and host_paths.hpp.
//
// The protocol: a client sends control messages, datagrams of 80 bytes, to NAME:ctl from its own
// socket NAME:ctl<pid>. The answer is the same 80 bytes with the result filled in. CONNECT returns
// a number n; from then on the client exchanges datagrams of 288 bytes with NAME:out<n>, each with
// one MAD. Integers of control messages are in the machine's byte order, those of MAD datagrams are
// big-endian.
#pragma once

#include <arpa/inet.h>
#include <endian.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/control/mad.hpp"

namespace selvedge::sim {

inline constexpr std::uint32_t kControlMagic = 0xdeadbeef;
inline constexpr std::size_t kControlDataBytes = 64;

enum class ControlType : std::uint32_t {
  kError = 0,  // only in answers
  kConnect = 1,
  kDisconnect = 2,
  kGetPort = 3,
  kGetVendor = 4,
  kGetGid = 5,
  kGetGuid = 6,
  kGetNodeInfo = 7,
  kGetPortInfo = 8,
  kSetIsSm = 9,
  kGetPKeys = 10,
};

struct ControlMessage {
  std::uint32_t magic = kControlMagic;
  std::uint32_t client = 0;
  ControlType type = ControlType::kError;
  std::uint32_t size = 0;  // bytes used of `data`; a server does not use it
  std::array<std::uint8_t, kControlDataBytes> data{};
};
static_assert(sizeof(ControlMessage) == 80);

/// The data of a CONNECT message and of its answer.
struct ClientInfo {
  std::uint32_t id = 0;  // the client's process id; in the answer, the client's number n
  std::uint32_t queue_pair = 0;
  std::uint32_t is_sm = 0;
  std::array<char, 32> node{};  // the host to attach to; "" = the first
};
static_assert(sizeof(ClientInfo) == 44);

/// The data of the answer to GET_VENDOR.
struct VendorInfo {
  std::uint32_t vendor = 0, part = 0, hardware_version = 0, padding = 0;
  std::uint64_t firmware_version = 0;
};
static_assert(sizeof(VendorInfo) == 24);

/// The data of the answer to GET_PORT.
struct PortSummary {
  std::uint16_t lid = 0;
  std::uint8_t state = 0;
};
static_assert(sizeof(PortSummary) == 4);

/// A MAD with its addresses, as a client sends and receives it. LIDs are 16 bits in network order,
/// followed by two bytes of zeros.
struct MadDatagram {
  std::uint32_t dlid = 0, slid = 0, destination_qp = 0, source_qp = 0;
  std::uint32_t status = 0;  // an errno
  std::uint32_t padding = 0;
  std::uint64_t length = 0;
  Mad mad;
};
static_assert(sizeof(MadDatagram) == 288);

/// The status of a request that was given up.
inline constexpr std::uint32_t kTimedOut = 110;  // ETIMEDOUT on Linux

inline std::uint32_t wire_lid(Lid lid) {
  std::uint8_t bytes[4] = {};
  put16(bytes, lid);
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
inline Lid host_lid(std::uint32_t wire) {
  std::uint8_t bytes[4];
  std::memcpy(bytes, &wire, sizeof bytes);
  return get16(bytes);
}
inline std::uint32_t wire32(std::uint32_t value) { return htonl(value); }
inline std::uint32_t host32(std::uint32_t wire) { return ntohl(wire); }
inline std::uint64_t wire64(std::uint64_t value) { return htobe64(value); }

/// The remedy in error messages about clients that speak another protocol.
inline constexpr std::string_view kUseOurProtocol = "use libumad2sim of ibsim 0.10";

/// The control message in a datagram; nothing if it is none of this protocol. Then `why` says what
/// is wrong, and what to do.
std::optional<ControlMessage> parse_control(std::span<const std::uint8_t> datagram,
                                            std::string& why);
/// The MAD datagram in these bytes; nothing if they are none.
std::optional<MadDatagram> parse_mad(std::span<const std::uint8_t> datagram);

/// Data of control messages as a struct, and back.
template <class T>
T read_data(const ControlMessage& m) {
  static_assert(sizeof(T) <= kControlDataBytes);
  T value;
  std::memcpy(&value, m.data.data(), sizeof value);
  return value;
}
template <class T>
void write_data(ControlMessage& m, const T& value) {
  static_assert(sizeof(T) <= kControlDataBytes);
  std::memcpy(m.data.data(), &value, sizeof value);
}

/// The name of the host to which a client wants to attach: ClientInfo::node up to the first NUL.
std::string_view node_of(const ClientInfo& info);
std::string_view node_of(ClientInfo&& info) = delete;  // it would not outlive the view

}  // namespace selvedge::sim
