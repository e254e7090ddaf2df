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

}  // namespace

unsigned hoq_life_of(const std::array<std::uint8_t, kSmpDataBytes>& port_info) {
  return port_info[kLifeAt] & kLifeBits;
}

SmpRequest port_info_request(const SmpSettings& settings, const SmpPath& path, PortNum port) {
  SmpRequest r;
  r.attribute = SmpAttribute::kPortInfo;
  r.modifier = port;
  r.m_key = settings.m_key;
  r.path = path;
  return r;
}

SmpRequest with_hoq_life(SmpRequest read, unsigned life) {
  read.method = SmpMethod::kSet;
  read.data[kPortStateAt] &= 0xf0U;
  read.data[kPhysicalStateAt] &= 0x0fU;
  read.data[kLifeAt] = static_cast<std::uint8_t>((read.data[kLifeAt] & ~kLifeBits) | life);
  return read;
}

unsigned HoqWindow::set(const std::vector<SmpRequest>& requests) {
  unsigned done = 0;
  const std::vector<SmpAnswer> answers = smps_.run(requests, settings_.limits);
  for (std::size_t i = 0; i < requests.size(); ++i)
    done += answers[i].status == 0 && hoq_life_of(answers[i].data) == hoq_life_of(requests[i].data);
  return done;
}

unsigned HoqWindow::lower() {
  const DirectedRoutes routes(fabric_, settings_.port);
  std::vector<SmpRequest> ask;
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    const auto path = routes.to(s);
    if (!path) continue;
    for (const Channel c : fabric_.out(s))
      ask.push_back(port_info_request(settings_, *path, fabric_.port_of(c)));
  }
  const std::vector<SmpAnswer> found = smps_.run(ask, settings_.limits);
  std::vector<SmpRequest> now;
  for (std::size_t i = 0; i < ask.size(); ++i) {
    if (found[i].status != 0 || hoq_life_of(found[i].data) <= life_) continue;
    ask[i].data = found[i].data;
    lowered_.push_back(with_hoq_life(ask[i], hoq_life_of(found[i].data)));
    now.push_back(with_hoq_life(ask[i], life_));
  }
  return set(now);
}

unsigned HoqWindow::restore() { return set(std::exchange(lowered_, {})); }

}  // namespace selvedge
