// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/agent.hpp"

#include <algorithm>

namespace selvedge::sim {
namespace {

// Offsets and values of PortInfo's fields (IBA 1.3 §14.2.5.6).
constexpr std::size_t kPhysicalStateAt = 33;  // the high nibble
constexpr std::size_t kLifetimeAt = 42;       // the low five bits
constexpr std::uint8_t kLifetimeBits = 0x1f;
constexpr std::uint8_t kLinkUp = 5, kPolling = 2;
constexpr std::uint8_t kDefaultLifetime = 0x12;  // about a second

Sl2VlRow unpack(const std::array<std::uint8_t, kSls / 2>& row) {
  Sl2VlRow vls{};
  for (std::size_t i = 0; i < row.size(); ++i) {
    vls[2 * i] = static_cast<Vl>(row[i] >> 4U);
    vls[2 * i + 1] = static_cast<Vl>(row[i] & 0xfU);
  }
  return vls;
}

void fill_states(PortState state, SmpData& data) {
  data[kPortStateAt] = static_cast<std::uint8_t>(state);
  data[kPhysicalStateAt] =
      static_cast<std::uint8_t>((state == PortState::kDown ? kPolling : kLinkUp) << 4U);
}

}  // namespace

SwitchAgent::SwitchAgent(PortNum ports, Lid top_lid)
    : ports_(ports), lft_((top_lid / kSmpDataBytes + 1) * kSmpDataBytes) {
  restart();
}

void SwitchAgent::restart() {
  std::ranges::fill(lft_, kNoPort);
  rows_.assign(row_of(ports_, ports_) + 1, Row{});
  lifetimes_.assign(ports_ + std::size_t{1}, kDefaultLifetime);
}

SmpStatus SwitchAgent::answer(const SmpRequest& request, PortState state, SmpData& data) {
  const bool set = request.method == SmpMethod::kSet;
  switch (request.attribute) {
    case SmpAttribute::kLft: {
      const std::size_t first = std::size_t{request.modifier} * kSmpDataBytes;
      if (first + kSmpDataBytes > lft_.size()) return SmpStatus::kInvalidValue;
      const auto block = lft_.begin() + static_cast<std::ptrdiff_t>(first);
      if (set) std::ranges::copy(request.data, block);
      std::copy_n(block, kSmpDataBytes, data.begin());
      return SmpStatus::kGood;
    }
    case SmpAttribute::kSl2Vl: {
      const unsigned in = request.modifier >> 8U & 0xffU, out = request.modifier & 0xffU;
      if (in > ports_ || out > ports_) return SmpStatus::kInvalidValue;
      Row& row = rows_[row_of(static_cast<PortNum>(in), static_cast<PortNum>(out))];
      if (set) std::copy_n(request.data.begin(), row.size(), row.begin());
      std::ranges::copy(row, data.begin());
      return SmpStatus::kGood;
    }
    case SmpAttribute::kPortInfo: {
      if (request.modifier > ports_) return SmpStatus::kInvalidValue;
      std::uint8_t& lifetime = lifetimes_[request.modifier];
      if (set) lifetime = request.data[kLifetimeAt] & kLifetimeBits;
      fill_states(state, data);
      data[kLifetimeAt] = lifetime;
      return SmpStatus::kGood;
    }
    case SmpAttribute::kSwitchInfo:
      break;
  }
  return SmpStatus::kUnsupportedAttribute;
}

Sl2VlRow SwitchAgent::sl2vl(PortNum in, PortNum out) const {
  return unpack(rows_[row_of(in, out)]);
}

SmpStatus HostAgent::answer(const SmpRequest& request, PortState state, SmpData& data) {
  switch (request.attribute) {
    case SmpAttribute::kSl2Vl:
      if (request.modifier != 0) return SmpStatus::kInvalidValue;
      if (request.method == SmpMethod::kSet)
        std::copy_n(request.data.begin(), row_.size(), row_.begin());
      std::ranges::copy(row_, data.begin());
      return SmpStatus::kGood;
    case SmpAttribute::kPortInfo:
      fill_states(state, data);
      return SmpStatus::kGood;
    case SmpAttribute::kLft:
    case SmpAttribute::kSwitchInfo:
      break;
  }
  return SmpStatus::kUnsupportedAttribute;
}

Sl2VlRow HostAgent::sl2vl() const { return unpack(row_); }

}  // namespace selvedge::sim
