// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths from every source to a host, walked one by one as packets go. Where no SL2VL entry
// drops anything, all hosts of a switch have the same paths, and the switch is the source; else
// each host is one.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/wiring.hpp"

namespace selvedge::survival {

class PathWalker {
 public:
  struct Source {
    SwitchId at;
    PortNum in;   // of `host`
    HostId host;  // kNoHost: any host of the switch
  };

  /// Refers to the tables.
  PathWalker(const Fabric& fabric, const Tables& tables);

  const prover::Wiring& wiring() const { return wiring_; }
  std::span<const Source> sources() const { return sources_; }
  /// The sources on a switch, as indices.
  std::uint32_t first_source(SwitchId s) const { return first_source_[s]; }
  std::uint32_t num_sources(SwitchId s) const { return first_source_[s + 1] - first_source_[s]; }

  /// Does a proof ask for paths between the two: both have a cable, they are physically connected
  /// and not one and the same?
  bool asked(const Source& source, HostId destination) const;

  /// The channels between switches on the way to the LID. False if it does not get there; then
  /// `channels` is as far as it got.
  bool walk(const Source& source, Lid dlid, std::vector<Channel>& channels) const;

 private:
  const Tables& tables_;
  prover::Wiring wiring_;
  bool drops_ = false;
  std::vector<Source> sources_;
  std::vector<std::uint32_t> first_source_;
};

}  // namespace selvedge::survival
