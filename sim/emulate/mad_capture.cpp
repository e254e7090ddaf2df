// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/mad_capture.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>

namespace selvedge::sim {
namespace {

// --- pcapng blocks, in the machine's byte order (draft-ietf-opsawg-pcapng)

constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a, kByteOrder = 0x1a2b3c4d;
constexpr std::uint32_t kInterfaceDescription = 1, kEnhancedPacket = 6;
/// Records of the Extensible Record Format, each with its type. Wireshark does not take
/// LINKTYPE_INFINIBAND (247).
constexpr std::uint16_t kLinkTypeErf = 197;
constexpr std::size_t kErfHeader = 16;
constexpr std::uint8_t kErfInfiniband = 21, kErfVaryingLength = 4;
constexpr std::uint16_t kInterfaceName = 2, kTimeResolution = 9, kPacketFlags = 2;  // options
constexpr char kNanoseconds = 9;

template <class T>
void put(std::string& block, T value) {
  block.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void pad(std::string& block) { block.resize((block.size() + 3) / 4 * 4); }
void put_option(std::string& block, std::uint16_t code, std::string_view value) {
  put(block, code);
  put(block, static_cast<std::uint16_t>(value.size()));
  block += value;
  pad(block);
}
void write_block(std::ostream& file, std::uint32_t type, std::string_view body) {
  const auto length = static_cast<std::uint32_t>(body.size() + 12);
  std::string block;
  put(block, type);
  put(block, length);
  block += body;
  put(block, length);
  file.write(block.data(), static_cast<std::streamsize>(block.size()));
}

/// The header of an ERF record: the time in 2^-32 s, little-endian; all else big-endian.
std::string erf_header(Nanoseconds now, std::size_t packet) {
  constexpr std::uint64_t kPerSecond = 1'000'000'000;
  const auto ns = static_cast<std::uint64_t>(now.count());
  std::array<std::uint8_t, kErfHeader> h{};
  const std::uint64_t time =
      htole64((ns / kPerSecond) << 32U | ((ns % kPerSecond) << 32U) / kPerSecond);
  std::memcpy(h.data(), &time, sizeof time);
  h[8] = kErfInfiniband;
  h[9] = kErfVaryingLength;
  put16(&h[10], static_cast<std::uint16_t>(kErfHeader + packet));
  put16(&h[14], static_cast<std::uint16_t>(packet));
  return {reinterpret_cast<const char*>(h.data()), h.size()};
}

// --- The packet

constexpr std::size_t kHeaders = 8 + 12 + 8;  // LRH, BTH, DETH
constexpr std::uint8_t kNextIsBth = 2, kUdSendOnly = 0x64;
constexpr std::uint16_t kDefaultPKey = 0xffff;
constexpr std::uint32_t kWellKnownQKey = 0x80010000;
using Crc32 = boost::crc_32_type;  // of Ethernet (IBA 1.3 §7.8.1)
using Crc16 = boost::crc_optimal<16, 0x100B, 0xffff, 0xffff, true, true>;  // IBA 1.3 §7.8.2

}  // namespace

std::string packet_on_link(const MadPacket& packet) {
  std::array<std::uint8_t, kHeaders> h{};
  const bool management = packet.mad.subnet_management();
  h[0] = management ? 0xf0 : 0;  // the VL
  h[1] = kNextIsBth;
  put16(&h[2], packet.dlid);
  put16(&h[4], (kHeaders + kMadBytes + 4) / 4);
  put16(&h[6], packet.slid);
  h[8] = kUdSendOnly;
  put16(&h[10], kDefaultPKey);
  put32(&h[12], packet.destination_qp & 0xffffff);
  put32(&h[20], packet.destination_qp == 0 ? 0 : kWellKnownQKey);
  put32(&h[24], packet.source_qp & 0xffffff);
  std::string bytes(reinterpret_cast<const char*>(h.data()), h.size());
  bytes.append(reinterpret_cast<const char*>(packet.mad.bytes.data()), kMadBytes);
  // In the ICRC, fields that switches may change count as ones: the VL, and a reserved byte of the
  // BTH (IBA 1.3 §7.8.1).
  std::string invariant = bytes;
  invariant[0] = static_cast<char>(static_cast<std::uint8_t>(invariant[0]) | 0xf0U);
  invariant[12] = static_cast<char>(0xff);
  Crc32 icrc;
  icrc.process_bytes(invariant.data(), invariant.size());
  put(bytes, htole32(icrc.checksum()));
  Crc16 vcrc;
  vcrc.process_bytes(bytes.data(), bytes.size());
  put(bytes, htole16(static_cast<std::uint16_t>(vcrc.checksum())));
  return bytes;
}

MadCapture::MadCapture(std::ostream& file, const EmulatedSubnet& subnet)
    : file_(file), subnet_(subnet) {
  std::string body;
  put(body, kByteOrder);
  put(body, std::uint16_t{1});  // version 1.0
  put(body, std::uint16_t{0});
  put(body, std::int64_t{-1});  // the section's length is not known
  write_block(file_, kSectionHeader, body);
}

std::uint32_t MadCapture::interface_of(PortAt at) {
  const auto [it, fresh] =
      interfaces_.try_emplace(subnet_.index(at), static_cast<std::uint32_t>(interfaces_.size()));
  if (fresh) {
    std::string body;
    put(body, kLinkTypeErf);
    put(body, std::uint16_t{0});
    put(body, std::uint32_t{0});  // snapshot length: no limit, packets are whole
    put_option(body, kInterfaceName, fmt::format("{}:{}", subnet_.name(at.node), at.port));
    put_option(body, kTimeResolution, {&kNanoseconds, 1});
    put_option(body, 0, {});
    write_block(file_, kInterfaceDescription, body);
  }
  return it->second;
}

void MadCapture::record(Nanoseconds now, PortAt at, Direction direction, const MadPacket& packet) {
  const std::uint32_t number = interface_of(at);
  const std::string on_link = packet_on_link(packet);
  const std::string bytes = erf_header(now, on_link.size()) + on_link;
  const auto time = static_cast<std::uint64_t>(now.count());
  std::string body;
  put(body, number);
  put(body, static_cast<std::uint32_t>(time >> 32U));
  put(body, static_cast<std::uint32_t>(time));
  put(body, static_cast<std::uint32_t>(bytes.size()));  // length captured, then length on the link
  put(body, static_cast<std::uint32_t>(bytes.size()));
  body += bytes;
  pad(body);
  std::string flags;
  put(flags, static_cast<std::uint32_t>(direction));
  put_option(body, kPacketFlags, flags);
  put_option(body, 0, {});
  write_block(file_, kEnhancedPacket, body);
}

}  // namespace selvedge::sim
