// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Walks the paths from every source to a host, one by one, through the tables. If no SL2VL entry
// drops packets, all hosts of a switch have the same paths, and the switch counts as one source.
// Else each host is a source.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/further_sls.hpp"
#include "plugin/tables/tables.hpp"
#include "plugin/verify/wiring.hpp"

namespace selvedge::survival {

class PathWalker {
 public:
  struct Source {
    SwitchId at;
    PortNum in;   // the switch's port to `host`
    HostId host;  // kNoHost: any host of the switch
  };

  /// Keeps references to the tables and to the SLs that paths have besides (nullptr: none).
  PathWalker(const Fabric& fabric, const Tables& tables, const FurtherSls* further);

  const prover::Wiring& wiring() const { return wiring_; }
  std::span<const Source> sources() const { return sources_; }
  /// The sources on switch s have the indices first_source(s) … first_source(s) + num_sources(s) −
  /// 1.
  std::uint32_t first_source(SwitchId s) const { return first_source_[s]; }
  std::uint32_t num_sources(SwitchId s) const { return first_source_[s + 1] - first_source_[s]; }

  /// Whether a proof requires a path between the two: both have a cable, they are physically
  /// connected, and they are not the same host.
  bool counts_pair(const Source& source, HostId destination) const;

  /// Collects the channels between switches on the path to the LID. Returns false if the packet
  /// does not arrive, on any SL of its path; `channels` then holds the channels that it crosses.
  bool walk(const Source& source, Lid dlid, std::vector<Channel>& channels) const;

 private:
  const Tables& tables_;
  const FurtherSls* further_;
  prover::Wiring wiring_;
  bool drops_ = false;
  std::vector<Source> sources_;
  std::vector<std::uint32_t> first_source_;
};

}  // namespace selvedge::survival
