// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/hoq_window.hpp"

#include <utility>

#include "plugin/control/directed_routes.hpp"

namespace selvedge {
namespace {

// Byte offsets in PortInfo (IBA 1.3 §14.2.5.6). If a Set has 0 in a port state, the switch does not
// change that state.
constexpr std::size_t kPhysicalStateAt = 33;  // PortPhysicalState: the high nibble
constexpr std::size_t kLifeAt = 42;           // HOQLife: the low five bits
constexpr std::uint8_t kLifeBits = 0x1f;

unsigned life_of(const std::array<std::uint8_t, kSmpDataBytes>& info) {
  return info[kLifeAt] & kLifeBits;
}

}  // namespace

unsigned HoqWindow::set(std::vector<SmpRequest> requests) {
  unsigned done = 0;
  for (SmpRequest& r : requests) {
    r.method = SmpMethod::kSet;
    r.data[kPortStateAt] &= 0xf0U;
    r.data[kPhysicalStateAt] &= 0x0fU;
  }
  const std::vector<SmpAnswer> answers = smps_.run(requests, settings_.limits);
  for (std::size_t i = 0; i < requests.size(); ++i)
    done += answers[i].status == 0 && life_of(answers[i].data) == life_of(requests[i].data);
  return done;
}

unsigned HoqWindow::lower() {
  const DirectedRoutes routes(fabric_, settings_.port);
  std::vector<SmpRequest> ask;
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    const auto path = routes.to(s);
    if (!path) continue;
    for (const Channel c : fabric_.out(s)) {
      SmpRequest r;
      r.attribute = SmpAttribute::kPortInfo;
      r.modifier = fabric_.port_of(c);
      r.m_key = settings_.m_key;
      r.path = *path;
      ask.push_back(r);
    }
  }
  const std::vector<SmpAnswer> found = smps_.run(ask, settings_.limits);
  std::vector<SmpRequest> now;
  for (std::size_t i = 0; i < ask.size(); ++i) {
    if (found[i].status != 0 || life_of(found[i].data) <= life_) continue;
    ask[i].data = found[i].data;
    lowered_.push_back(ask[i]);
    now.push_back(ask[i]);
    now.back().data[kLifeAt] =
        static_cast<std::uint8_t>((found[i].data[kLifeAt] & ~kLifeBits) | life_);
  }
  return set(std::move(now));
}

unsigned HoqWindow::restore() { return set(std::exchange(lowered_, {})); }

}  // namespace selvedge
