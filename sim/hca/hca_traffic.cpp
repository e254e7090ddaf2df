// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/hca/hca_traffic.hpp"

#include "base/error.hpp"
#include "sim/hca/protocol_traffic.hpp"
#include "sim/hca/thesis_traffic.hpp"

namespace selvedge::sim {

const std::vector<HostId>& HcaTraffic::hand_over(Traffic& above, HostId from, HostId to,
                                                 const Piece& piece, std::uint32_t number,
                                                 unsigned wire, Tick now,
                                                 std::vector<HostId>& woken) {
  ++window_.packets;
  window_.messages += piece.last ? 1 : 0;
  window_.payload_bytes += piece.bytes;
  window_.wire_bytes += wire;
  window_.latency.add(now - piece.at);
  woken_above_.clear();
  if (above.wants_deliveries())
    above.delivered({.from = from,
                     .to = to,
                     .last = piece.last,
                     .bytes = static_cast<std::uint16_t>(wire),
                     .tag = piece.tag,
                     .sequence = number,
                     .generated = piece.at,
                     .injected = piece.at,
                     .delivered = now},
                    woken_above_);
  woken.insert(woken.end(), woken_above_.begin(), woken_above_.end());
  return woken_above_;
}

std::unique_ptr<HcaTraffic> make_hca_traffic(const HcaSpec& spec, const Model& model,
                                             Traffic& above, std::uint32_t hosts,
                                             std::uint32_t attached) {
  check(spec, model, attached);
  if (above.sends_management())
    throw InputError("the traffic has management messages, which the protocol does not carry",
                     "[hca] protocol", "set it to \"off\", or leave VL 15 out of the trace");
  if (spec.protocol == HcaProtocol::kThesis)
    return std::make_unique<ThesisTraffic>(spec, model, above, hosts);
  return std::make_unique<ProtocolTraffic>(spec, model, above, hosts, attached);
}

}  // namespace selvedge::sim
