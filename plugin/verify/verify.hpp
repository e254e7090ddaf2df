// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/verify: proofs over tables alone. It walks the tables as packets would and trusts nobody;
// it includes nothing of the engines. What it can prove, and for which it otherwise names a
// witness:
//
//   connected      every host reaches every LID of every other host
//   loop_free      no LFT forwards a LID, from anywhere, back to where it was
//   deadlock_free  the (channel, VL) dependency graph (Dally & Seitz 1987) of every path that any
//                  source may use is acyclic. Sources are hosts and switches' own ports; paths lead
//                  to host LIDs, switch LIDs and along multicast trees (on SL 0)
//   multicast      the ports of each group pair up over cables: nobody in it is cut off. A group
//                  whose packets come round is not loop_free
//   …_replies      as above with the answers that come back on the SL of the question, from the
//                  destination's switch to any LID of the asking host
//   …_any_sl       as above with every SL from everywhere
//
// The paths to one DLID form a tree (else they loop), so the set of SLs that crosses each channel
// is carried along that tree, once a destination, instead of path by path.
//
// The face of this room: this header; survival.hpp (how many faults a property survives);
// small_prover.hpp (the same proofs, slow and simple); and for plugin/transition, which proves the
// states of a change, the parts of the prover that don't say "Of this room only."
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/tables/delta.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

struct VerifyOptions {
  bool replies = false;
  bool any_sl = false;
  unsigned disjoint = 0;  // prove that each pair has this many switch-disjoint paths; 0 = don't ask
  /// The tables were made for a fabric that has since lost something: a pair is connected as long
  /// as one of the destination's LIDs works (docs/formats.md, `--tables` with `--fail`).
  bool any_lid = false;
  /// Stop collecting at this many witnesses of one property; the counts go on.
  unsigned max_witnesses = 8;
  /// Told now and then how many LIDs (and, for `disjoint`, hosts) are done, of how many. (g++ warns
  /// of designated initialisers that leave it out if it has no initialiser here.)
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Why a property does not hold: something that can be checked by hand.
struct Witness {
  enum class Kind { kUnreachable, kLoop, kDropped, kCycle, kMulticast, kNotDisjoint, kBadEntry };
  Kind kind;
  /// "connected", "loop_free", "multicast", "deadlock_free", "deadlock_free_replies",
  /// "deadlock_free_any_sl", "disjoint"; and "dropped_replies", which comes last and is no failure.
  std::string property;
  /// One line: the pair and the path that it takes until it fails, or the cycle as
  /// "S-0-0:2 VL0 -> S-0-1:2 VL0 -> … -> S-0-0:2 VL0".
  std::string text;
  std::vector<Channel> channels;  // the path or the cycle
  std::vector<Vl> vls;            // of those channels, where VLs matter
  HostId source = kNoHost;
  Lid dlid = kNoLid;
};

struct Verdict {
  bool connected = false;
  bool loop_free = false;
  bool deadlock_free = false;
  std::optional<bool> deadlock_free_replies;  // as far as asked for
  std::optional<bool> deadlock_free_any_sl;
  /// The fewest switch-disjoint paths of any pair; what was asked for if there is no pair.
  std::optional<unsigned> disjoint_min;

  std::uint64_t pairs = 0;         // ordered pairs of attached hosts in one physical component
  std::uint64_t failed_pairs = 0;  // of those, without a path to some LID (any_lid: to every LID)
  std::uint64_t disconnected = 0;  // ordered pairs of hosts left out: detached or physically apart
  std::uint64_t unreachable_switch_lids = 0;  // (host, switch LID) pairs without a path; reported,
                                              // not part of `connected`
  /// (host, LID) answers that meet a missing SL2VL entry. Reported, with witnesses, but nothing
  /// fails by it: a dropped answer holds no buffer, and no path has to carry the SLs of others.
  std::uint64_t dropped_replies = 0;
  /// Multicast groups that loop, and ports of groups that have no cable (any_lid: passed over) or
  /// whose far end is not in the group. A loop also counts against `loop_free`; none of them counts
  /// against `connected`, which is about the LIDs of hosts.
  std::uint64_t multicast_faults = 0;
  std::uint64_t dependencies = 0;  // distinct edges of the dependency graph
  unsigned vls_used = 0;           // distinct VLs on the paths' channels between switches
  unsigned sls_used = 0;           // distinct SLs of the paths
  std::vector<Witness> witnesses;

  /// Does everything hold that was asked for? `dropped_replies` and `unreachable_switch_lids` have
  /// no say.
  bool holds(const VerifyOptions& asked) const;
};

/// A verdict and what is needed to revise it when a little changes. Holds no reference to the
/// fabric or the tables that it is about. Memory: about two bytes for each LFT entry, and the
/// graph.
class Proof {
 public:
  Proof();
  Proof(Proof&&) noexcept;
  Proof& operator=(Proof&&) noexcept;
  Proof(const Proof&);
  Proof& operator=(const Proof&);
  ~Proof();

  const Verdict& verdict() const;

  struct State;
  std::unique_ptr<State> state;  // opaque
};

/// The full proof.
Proof verify(const Fabric& fabric, const Tables& tables, const VerifyOptions& options = {});

/// The proof after a change, equal to `verify(fabric, tables, options)` of the new fabric and
/// tables with the options of the first proof, at a cost that follows the change. `fabric` and
/// `tables` are the new ones; `delta` leads from the old tables to them. The fabric may have lost
/// or regained cables and switches since (ids and LIDs kept; `changed` lists both channels of every
/// cable that came or went).
Proof verify(Proof proof, const Fabric& fabric, const Tables& tables, const Delta& delta,
             const std::vector<Channel>& changed = {});

}  // namespace selvedge
