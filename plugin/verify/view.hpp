// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric and its tables, either as they are or as they were before a change. For the state
// before, an entry that changed is read from `lft_before` or `sl_before`, not from `tables`.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>

#include "plugin/tables/further_sls.hpp"
#include "plugin/verify/scope.hpp"
#include "plugin/verify/sl_rules.hpp"
#include "plugin/verify/wiring.hpp"

namespace selvedge::prover {

/// (switch, DLID), as entry_key(), → the LFT entry or SL before the change.
using OldEntries = boost::unordered_flat_map<std::uint64_t, std::uint8_t>;

constexpr std::uint64_t entry_key(SwitchId s, Lid dlid) { return (std::uint64_t{s} << 16) | dlid; }

struct View {
  const Wiring* wiring;
  const Tables* tables;
  const Sl2Vl* sl2vl;
  const RowMasks* rows;
  const SlRules* rules;
  const OldEntries* lft_before = nullptr;
  const OldEntries* sl_before = nullptr;
  const FurtherSls* further = nullptr;

  PortNum next(SwitchId s, Lid dlid) const {
    if (lft_before != nullptr)
      if (const auto it = lft_before->find(entry_key(s, dlid)); it != lft_before->end())
        return it->second;
    return tables->next(s, dlid);
  }
  Sl sl(SwitchId s, Lid dlid) const {
    if (sl_before != nullptr)
      if (const auto it = sl_before->find(entry_key(s, dlid)); it != sl_before->end())
        return it->second;
    return tables->sl(s, dlid);
  }
  /// SLs of the path besides sl().
  SlMask further_sls(SwitchId s, Lid dlid) const {
    return further == nullptr ? SlMask{0} : further->at(s, dlid);
  }
  /// The channel by which s forwards to another switch; kNoChannel if s does not forward to one.
  Channel forward(SwitchId s, Lid dlid) const {
    const Channel c = wiring->first[s] + next(s, dlid);
    return c < wiring->first[s + 1] && wiring->to[c] != wiring->nowhere() ? c : kNoChannel;
  }
  /// Whether hosts at s need not reach the DLID: it is spare, and s has no entry for it.
  bool excused(SwitchId s, Lid dlid) const {
    return tables->is_spare(dlid) && next(s, dlid) == kNoPort;
  }
  bool delivers(SwitchId s, Lid dlid) const {
    return wiring->end[dlid] == Wiring::End{s, next(s, dlid)};
  }
  /// The SLs on which a packet that enters switch s at port `in` reaches the owner of the DLID;
  /// nullopt if the LFTs do not lead to that owner.
  std::optional<SlMask> arriving(SwitchId s, PortNum in, Lid dlid) const;
  /// Whether packets of this host reach the DLID on each SL of its path. The host must be
  /// attached.
  bool works(HostId source, Lid dlid) const;
  /// The switch whose hosts' requests are replied to with this DLID; nowhere() if no replies of
  /// this scope have it: its owner is no attached host or, for Scope::kBase, it is no base LID.
  SwitchId requester(Scope scope, Lid dlid) const;
  /// The classes (sl_rules.hpp) of the SLs that replies from host `from` to hosts on switch
  /// `requester` have.
  SlMask reply_sls(Scope scope, SwitchId requester, const Host& from) const;
};

}  // namespace selvedge::prover
