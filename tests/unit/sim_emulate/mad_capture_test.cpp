// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Captures of MADs (pcapng), checked with an independent reader.
#include "sim/emulate/mad_capture.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

struct Record {
  std::string interface;
  Nanoseconds time{};
  std::uint32_t direction = 0;
  std::string packet;
};

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) std::memcpy(&value, &bytes[offset], sizeof value);
  return value;
}

/// The options of a pcapng block from this offset on, by their codes.
std::map<unsigned, std::string> options(const std::string& block, std::size_t offset) {
  std::map<unsigned, std::string> found;
  while (offset + 8 <= block.size()) {
    const auto code = at<std::uint16_t>(block, offset), size = at<std::uint16_t>(block, offset + 2);
    if (code == 0) break;
    found[code] = block.substr(offset + 4, size);
    offset += 4 + (size + 3U) / 4 * 4;
  }
  return found;
}

std::vector<Record> read(const std::string& file) {
  std::vector<Record> records;
  std::vector<std::string> interfaces;
  for (std::size_t offset = 0; offset < file.size();) {
    const auto type = at<std::uint32_t>(file, offset), length = at<std::uint32_t>(file, offset + 4);
    if (length < 12 || length % 4 != 0 || offset + length > file.size()) {
      ADD_FAILURE() << "a block of " << length << " bytes at " << offset;
      break;
    }
    const std::string block = file.substr(offset, length);
    EXPECT_EQ(at<std::uint32_t>(block, length - 4), length);
    if (offset == 0) {
      EXPECT_EQ(type, 0x0a0d0d0aU);
      EXPECT_EQ(at<std::uint32_t>(block, 8), 0x1a2b3c4dU);
    }
    if (type == 1) {
      EXPECT_EQ(at<std::uint16_t>(block, 8), 197);  // ERF
      const auto o = options(block, 16);
      EXPECT_EQ(o.at(9), "\x09");
      interfaces.push_back(o.at(2));
    }
    if (type == 6) {
      const auto size = at<std::uint32_t>(block, 20);
      EXPECT_EQ(size, at<std::uint32_t>(block, 24));
      const std::uint64_t time =
          std::uint64_t{at<std::uint32_t>(block, 12)} << 32U | at<std::uint32_t>(block, 16);
      records.push_back({interfaces.at(at<std::uint32_t>(block, 8)),
                         Nanoseconds(static_cast<std::int64_t>(time)),
                         at<std::uint32_t>(options(block, 28 + (size + 3) / 4 * 4).at(2), 0),
                         block.substr(28 + 16, size - 16)});
      // The ERF header: the time in units of 2^-32 s, the type, and the record's length.
      const double seconds = static_cast<double>(at<std::uint64_t>(block, 28)) / 4294967296.0;
      EXPECT_NEAR(seconds, static_cast<double>(time) * 1e-9, 1e-9);
      EXPECT_EQ(block[36], 21);
      EXPECT_EQ(get16(reinterpret_cast<const std::uint8_t*>(&block[38])), size);
    }
    offset += length;
  }
  return records;
}

struct Captured : ::testing::Test {
  FakeSubnet f;
  std::ostringstream file;
  MadCapture capture{file, f.subnet};
};

TEST_F(Captured, AMadLeavesAndArrivesAndSoDoesItsAnswer) {
  f.core.capture_to(capture);
  const ClientId c = f.connect(1);
  const Nanoseconds late = std::chrono::seconds(5) + Nanoseconds(7);  // more than 32 bits
  f.core.set_now(late);
  ASSERT_EQ(
      f.ask(c, make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 9, {1, 4})).size(), 1U);
  const std::vector<Record> records = read(file.str());
  ASSERT_EQ(records.size(), 4U);
  const char* const interfaces[] = {"H-0-0:1", "S-0-1:3", "S-0-1:0", "H-0-0:1"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(records[i].interface, interfaces[i]);
    EXPECT_EQ(records[i].time, late);
    EXPECT_EQ(records[i].direction, i % 2 == 0 ? 2U : 1U) << i;
    ASSERT_EQ(records[i].packet.size(), 8U + 12 + 8 + 256 + 4 + 2);
    const auto* p = reinterpret_cast<const std::uint8_t*>(records[i].packet.data());
    EXPECT_EQ(p[0], 0xf0);                    // VL 15
    EXPECT_EQ(get16(p + 2), kPermissiveLid);  // DLID
    EXPECT_EQ(get16(p + 4), 72);              // LRH to ICRC, in words
    EXPECT_EQ(p[8], 0x64);                    // UD, send only
    EXPECT_EQ(p[28 + 3], i < 2 ? mad_method::kGet : mad_method::kGetResp);
    EXPECT_EQ(get16(p + 28 + 16), smp_attribute::kNodeInfo);
  }
}

TEST_F(Captured, ALostMadStandsThereOnce) {
  f.core.capture_to(capture);
  const ClientId c = f.connect(1);
  f.ask(c, make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 9, {1, 9}));
  EXPECT_EQ(read(file.str()).size(), 1U);
}

TEST_F(Captured, CrcsCoverThePacket) {
  // The CRC over a packet with its own CRC leaves a residue that depends on the polynomial only.
  // Any wrong bit changes the residue.
  MadPacket packet;
  packet.mad = make_smp(mad_method::kGet, smp_attribute::kPortInfo, 1, 2);
  const auto vcrc_residue = [](const std::string& bytes) {
    unsigned crc = 0xffff;
    for (const char c : bytes) {
      crc ^= static_cast<std::uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xd008U : 0U);
    }
    return crc;
  };
  const std::string one = packet_on_link(packet);
  packet.dlid = 77;
  packet.destination_qp = 1;
  const std::string other = packet_on_link(packet);
  EXPECT_EQ(vcrc_residue(one), vcrc_residue(other));
  std::string wrong = other;
  wrong[100] ^= 4;
  EXPECT_NE(vcrc_residue(one), vcrc_residue(wrong));
  const auto icrc = [](const std::string& p) { return at<std::uint32_t>(p, 284); };
  EXPECT_NE(icrc(one), icrc(other));
  EXPECT_EQ(get32(reinterpret_cast<const std::uint8_t*>(&other[20])), 0x80010000U);
}

}  // namespace
}  // namespace selvedge::sim
