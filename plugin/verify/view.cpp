// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/view.hpp"

namespace selvedge::prover {

std::optional<SlMask> View::arriving(SwitchId s, PortNum in, Lid dlid) const {
  const Wiring& w = *wiring;
  SlMask mask = kAllSls;
  for (std::uint32_t steps = 0; steps < w.switches; ++steps) {
    const PortNum out = next(s, dlid);
    if (out > w.ports(s)) return std::nullopt;
    if (rules->drops) mask &= rows->passing(s, in, out);
    if (w.end[dlid] == Wiring::End{s, out}) return mask;
    const Channel c = w.first[s] + out;
    if (w.to[c] == w.nowhere()) return std::nullopt;
    in = w.arrival[c];
    s = w.to[c];
  }
  return std::nullopt;  // more steps than switches: the LFTs loop
}

bool View::works(HostId source, Lid dlid) const {
  const SwitchId s = wiring->host_at[source];
  const std::optional<SlMask> mask = arriving(s, wiring->host_port[source], dlid);
  const SlMask own = bit(sl(s, dlid)) | further_sls(s, dlid);
  return mask && (!rules->drops || (own & ~(*mask & rules->from_hosts)) == 0);
}

SwitchId View::requester(Scope scope, Lid dlid) const {
  const LidOwner owner = wiring->lid_owner[dlid];
  const bool base = dlid == 0 || wiring->lid_owner[dlid - 1u] != owner;
  if (owner.kind != LidOwner::Kind::kHost || (scope == Scope::kBase && !base))
    return wiring->nowhere();
  return wiring->end[dlid].at;
}

SlMask View::reply_sls(Scope scope, SwitchId requester, const Host& from) const {
  SlMask mask = 0;
  if (from.lid == kNoLid) return mask;
  const unsigned lids = scope == Scope::kBase ? 1 : from.lid_count();
  for (unsigned i = 0; i < lids; ++i) {
    const auto lid = static_cast<Lid>(from.lid + i);
    // Without a route to the LID a host sends no request, so it gets no reply.
    if (next(requester, lid) != kNoPort)
      mask |=
          rules->representative(sl(requester, lid)) | rules->classes(further_sls(requester, lid));
  }
  return mask;
}

}  // namespace selvedge::prover
