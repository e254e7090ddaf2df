// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/sa_paths.hpp"

#include <fmt/format.h>
#include <infiniband/umad.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/mad.hpp"

namespace selvedge::transport {
namespace {

constexpr int kTimeoutMs = 500, kRetries = 3;

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
  agent_ = umad_register(fd_, mad::kSaClass, mad::kSaVersion, 0, nullptr);
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
  mad::Mad mad = mad::path_query(lid_, dlid, ++transaction_);
  std::vector<std::uint8_t> packet(umad_size() + mad.size());
  umad_set_addr(packet.data(), sm_lid_, mad::kQp1, sm_sl_, static_cast<int>(mad::kQp1Key));
  std::memcpy(umad_get_mad(packet.data()), mad.data(), mad.size());
  if (umad_send(fd_, agent_, packet.data(), static_cast<int>(mad.size()), kTimeoutMs, kRetries) !=
      0)
    return Answer::kNoAnswer;
  // A late response to an earlier query that timed out may arrive first.
  for (int late = 0; late < 8; ++late) {
    int length = static_cast<int>(mad.size());
    // A shorter MAD is accepted, because some umad implementations omit the zeros at the end.
    if (umad_recv(fd_, packet.data(), &length, kTimeoutMs * (kRetries + 2)) < 0 ||
        length < static_cast<int>(mad::kRecordAt + mad::kRecordBytes))
      return Answer::kNoAnswer;
    std::memcpy(mad.data(), umad_get_mad(packet.data()), mad.size());
    if (mad::get(mad, mad::kTagAt, 4) != transaction_) continue;
    if (umad_status(packet.data()) != 0 || mad[3] != mad::kGetResponse) return Answer::kNoAnswer;
    if (const std::uint32_t status = mad::get(mad, mad::kStatusAt, 2); status != 0)
      return status == mad::kNoRecords ? Answer::kNoPath : Answer::kNoAnswer;
    record = {.slid = static_cast<std::uint16_t>(mad::get(mad, mad::kSlidAt, 2)),
              .dlid = static_cast<std::uint16_t>(mad::get(mad, mad::kDlidAt, 2)),
              .sl = static_cast<std::uint8_t>(mad[mad::kSlAt] & 0xf),
              .rate = static_cast<std::uint8_t>(mad[mad::kRateAt] & 0x3f),
              .mtu_bytes = 128u << (mad[mad::kMtuAt] & 0x3f)};
    return record.slid == lid_ && record.dlid == dlid ? Answer::kPath : Answer::kNoAnswer;
  }
  return Answer::kNoAnswer;
}

}  // namespace selvedge::transport
