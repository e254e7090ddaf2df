// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/sa_paths.hpp"

#include <fmt/format.h>
#include <infiniband/umad.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"

namespace selvedge::transport {
namespace {

constexpr int kTimeoutMs = 500, kRetries = 3;
constexpr int kSaClass = 0x03, kSaVersion = 2;
constexpr std::uint8_t kGet = 0x01, kGetResponse = 0x81;
constexpr std::uint16_t kPathRecord = 0x0035;
constexpr std::uint16_t kNoRecords = 0x0300;  // ERR_NO_RECORDS, IBTA 1.4 table 185
constexpr std::uint32_t kQp1Key = 0x80010000;
constexpr int kQp1 = 1;

// Offsets and lengths, in bytes, in a MAD of the SA with a PathRecord.
constexpr std::size_t kMadBytes = 256, kMask = 48, kData = 56, kRecordBytes = 64;
constexpr std::size_t kDlidAt = kData + 40, kSlidAt = kData + 42, kNumbPathAt = kData + 49,
                      kSlAt = kData + 53, kMtuAt = kData + 54, kRateAt = kData + 55;
constexpr std::uint64_t kMaskDlid = 1u << 4, kMaskSlid = 1u << 5, kMaskNumbPath = 1u << 12;

using Mad = std::array<std::uint8_t, kMadBytes>;

template <class T>
void put(Mad& mad, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    mad[at + i] = static_cast<std::uint8_t>(std::uint64_t{value} >> 8 * (sizeof value - 1 - i));
}

std::uint32_t get(const Mad& mad, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | mad[at + i];
  return value;
}

}  // namespace

SaPaths::SaPaths(const std::string& device, unsigned port) : device_(device), port_(port) {
  const auto unavailable = [&](const char* what) {
    return EnvironmentError(fmt::format("{}: {}", what, std::strerror(errno)),
                            device_.empty() ? "libibumad" : device_,
                            "let selvedged read and write /dev/infiniband/umad*, and load ib_umad");
  };
  if (umad_init() != 0) throw unavailable("cannot query the subnet administration");
  fd_ = umad_open_port(device_.empty() ? nullptr : device_.c_str(), static_cast<int>(port_));
  if (fd_ < 0) throw unavailable("cannot open the port for management datagrams");
  agent_ = umad_register(fd_, kSaClass, kSaVersion, 0, nullptr);
  if (agent_ < 0) {
    const auto error = unavailable("cannot register with the port");
    umad_close_port(fd_);
    throw error;
  }
  refresh();
}

SaPaths::~SaPaths() {
  umad_unregister(fd_, agent_);
  umad_close_port(fd_);
}

void SaPaths::refresh() {
  records_.clear();
  umad_port_t port{};
  lid_ = sm_lid_ = 0;
  if (umad_get_port(device_.empty() ? nullptr : device_.c_str(), static_cast<int>(port_), &port) !=
      0)
    return;
  lid_ = static_cast<std::uint16_t>(port.base_lid);
  sm_lid_ = static_cast<std::uint16_t>(port.sm_lid);
  sm_sl_ = static_cast<std::uint8_t>(port.sm_sl);
  umad_release_port(&port);
}

SaPaths::Answer SaPaths::find(std::uint16_t dlid, PathRecord& record) {
  if (const auto known = records_.find(dlid); known != records_.end()) {
    ++counters_.cache_hits;
    record = known->second;
    return Answer::kPath;
  }
  const Answer answer = query(dlid, record);
  if (answer == Answer::kPath) records_[dlid] = record;
  return answer;
}

SaPaths::Answer SaPaths::query(std::uint16_t dlid, PathRecord& record) {
  if (lid_ == 0 || sm_lid_ == 0) refresh();  // a subnet manager may have started meanwhile
  if (lid_ == 0 || sm_lid_ == 0) return Answer::kNoAnswer;
  ++counters_.queries;
  Mad mad{};
  mad[0] = 1;  // base version
  mad[1] = kSaClass;
  mad[2] = kSaVersion;
  mad[3] = kGet;
  put(mad, 8, std::uint64_t{++transaction_});
  put(mad, 16, kPathRecord);
  put(mad, kMask, kMaskDlid | kMaskSlid | kMaskNumbPath);
  put(mad, kDlidAt, dlid);
  put(mad, kSlidAt, lid_);
  mad[kNumbPathAt] = 1;
  std::vector<std::uint8_t> packet(umad_size() + mad.size());
  umad_set_addr(packet.data(), sm_lid_, kQp1, sm_sl_, static_cast<int>(kQp1Key));
  std::memcpy(umad_get_mad(packet.data()), mad.data(), mad.size());
  if (umad_send(fd_, agent_, packet.data(), static_cast<int>(mad.size()), kTimeoutMs, kRetries) !=
      0)
    return Answer::kNoAnswer;
  // A late response to an earlier query that timed out may arrive first.
  for (int late = 0; late < 8; ++late) {
    int length = static_cast<int>(mad.size());
    // A shorter MAD is accepted, because some umad implementations omit the zeros at the end.
    if (umad_recv(fd_, packet.data(), &length, kTimeoutMs * (kRetries + 2)) < 0 ||
        length < static_cast<int>(kData + kRecordBytes))
      return Answer::kNoAnswer;
    std::memcpy(mad.data(), umad_get_mad(packet.data()), mad.size());
    // Only the lower half of the transaction id is compared, because the kernel uses the upper
    // half.
    if (get(mad, 12, 4) != transaction_) continue;
    if (umad_status(packet.data()) != 0 || mad[3] != kGetResponse) return Answer::kNoAnswer;
    if (const std::uint32_t status = get(mad, 4, 2); status != 0)
      return status == kNoRecords ? Answer::kNoPath : Answer::kNoAnswer;
    record = {.slid = static_cast<std::uint16_t>(get(mad, kSlidAt, 2)),
              .dlid = static_cast<std::uint16_t>(get(mad, kDlidAt, 2)),
              .sl = static_cast<std::uint8_t>(mad[kSlAt] & 0xf),
              .rate = static_cast<std::uint8_t>(mad[kRateAt] & 0x3f),
              .mtu_bytes = 128u << (mad[kMtuAt] & 0x3f)};
    return record.slid == lid_ && record.dlid == dlid ? Answer::kPath : Answer::kNoAnswer;
  }
  return Answer::kNoAnswer;
}

}  // namespace selvedge::transport
