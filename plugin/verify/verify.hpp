// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/verify: proofs over tables alone. The prover walks the tables as packets would, and shares
// no code with the engines and repairs. For each of these properties it finds a proof or a witness
// (a counterexample):
//
//   connected      every host reaches every LID of every other host. Spare LIDs
//                  (Tables::is_spare()) for which its switch has no entry do not count, as long as
//                  another LID of that host works
//   loop_free      no LFT entries forward a LID, from anywhere, back to a switch where it was
//   deadlock_free  the (channel, VL) dependency graph (Dally & Seitz 1987) of every path that any
//                  source may use is acyclic. Sources are hosts and switches' own ports; paths lead
//                  to host LIDs, switch LIDs and along multicast trees (on SL 0)
//   multicast      each port of a group leads to a host or to a port of the group at another
//                  switch, so no member is cut off. A group whose cables form a loop is not
//                  loop_free
//   …_base         as above, and for replies to requests for a base LID: they have the SL of the
//                  request, and go from the destination's switch to the requesting host's base LID
//   …_replies      as above, and for replies to requests for any LID: to any LID of that host
//   …_any_sl       as above, for packets on every SL from every source
//
// The paths to one DLID form a tree (else they loop). So the set of SLs on each channel is computed
// along that tree: once per destination instead of once per path.
//
// Public headers of this folder: this one; survival.hpp (how many faults a property survives);
// small_prover.hpp (independent proofs for small fabrics). Other headers may be included only from
// this folder if they say that they are private to it; the rest also from plugin/transition, which
// proves the states of a change.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/tables/delta.hpp"
#include "plugin/tables/reply_grade.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

struct VerifyOptions {
  bool replies = false;  // prove each grade of replies on the request's SL
  /// With `replies`: the grade that must hold.
  ReplyGrade grade = ReplyGrade::kSameSl;
  bool any_sl = false;
  unsigned disjoint = 0;  // prove that each pair has this many switch-disjoint paths; 0: do not
  /// Set if the fabric has lost cables or switches since the tables were made. Then a pair is
  /// connected as long as one of the destination's LIDs works (docs/formats.md, `--tables` with
  /// `--fail`).
  bool any_lid = false;
  /// The most witnesses collected for each property. The counts are always complete.
  unsigned max_witnesses = 8;
  /// Called repeatedly with the number of LIDs (and, for `disjoint`, of hosts) done and their
  /// total. (Without the initialiser `= {}` g++ warns about designated initialisers that omit the
  /// member.)
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Why a property does not hold: something that can be checked by hand.
struct Witness {
  enum class Kind { kUnreachable, kLoop, kDropped, kCycle, kMulticast, kNotDisjoint, kBadEntry };
  Kind kind;
  /// The property that fails: "connected", "loop_free", "multicast", "deadlock_free",
  /// "deadlock_free_base", "deadlock_free_replies", "deadlock_free_any_sl" or "disjoint". Also
  /// "dropped_base" and "dropped_replies", which come last. Of the grades of replies only the first
  /// that does not hold has witnesses of its cycles.
  std::string property;
  /// One line: the pair and the path that its packets take until they fail; or the cycle as
  /// "S-0-0:2 VL0 -> S-0-1:2 VL0 -> … -> S-0-0:2 VL0".
  std::string text;
  std::vector<Channel> channels;  // the path or the cycle
  std::vector<Vl> vls;            // VLs of `channels`, if VLs matter
  HostId source = kNoHost;
  Lid dlid = kNoLid;
};

struct Verdict {
  bool connected = false;
  bool loop_free = false;
  bool deadlock_free = false;
  std::optional<bool> deadlock_free_base;     // set if `replies` was requested
  std::optional<bool> deadlock_free_replies;  // likewise
  std::optional<bool> deadlock_free_any_sl;
  /// The least number of disjoint paths (without a common switch) of any pair; the requested number
  /// if there is no pair. Set if requested.
  std::optional<unsigned> disjoint_min;

  std::uint64_t pairs = 0;         // ordered pairs of attached hosts in one physical component
  std::uint64_t failed_pairs = 0;  // pairs with a LID that fails (any_lid: all LIDs fail)
  std::uint64_t disconnected = 0;  // ordered pairs of hosts not in `pairs`: detached or apart
  /// (host, switch LID) pairs without a path; not in `connected`
  std::uint64_t unreachable_switch_lids = 0;
  /// Replies (to a LID, from a host) that an SL2VL entry of VL 15 drops. A dropped reply holds no
  /// buffer, so it causes no deadlock, but its grade does not hold.
  std::uint64_t dropped_replies = 0;
  std::uint64_t dropped_base = 0;  // those between base LIDs
  /// The number of multicast groups that loop, plus the ports of groups that have no cable (not
  /// counted with any_lid) or whose far end is not in the group. A loop also makes `loop_free`
  /// false. None of these affects `connected`, which is about the LIDs of hosts.
  std::uint64_t multicast_faults = 0;
  std::uint64_t dependencies = 0;  // distinct edges of the dependency graph
  unsigned vls_used = 0;           // distinct VLs on the paths' channels between switches
  unsigned sls_used = 0;           // distinct SLs of the paths
  std::vector<Witness> witnesses;

  /// The highest grade that holds: the dependencies are acyclic and no reply is dropped. nullopt if
  /// it was not requested, or if the paths themselves may deadlock.
  std::optional<ReplyGrade> grade() const;
  /// Whether all requested properties hold. `unreachable_switch_lids` has no influence.
  bool holds(const VerifyOptions& asked) const;
};

/// A verdict and the state needed to revise it after a change. A Proof holds no reference to the
/// fabric or the tables. Its memory is the dependency graphs and, for each graph in which packets
/// of a switch may have several VLs, two bytes per LFT entry.
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
  std::unique_ptr<State> state;  // opaque outside plugin/verify
};

/// Proves the tables from scratch.
Proof verify(const Fabric& fabric, const Tables& tables, const VerifyOptions& options = {});

/// Makes the proof after a change from the proof before it. The result equals `verify(fabric,
/// tables, options)` of the new fabric and tables with the options of the first proof, but its cost
/// depends on the size of the change. `fabric` and `tables` are the new ones; `delta` leads from
/// the old tables to the new (if it does not, that is found out, and all is proved from scratch).
/// The fabric may have lost or regained cables and switches since, with the same ids and LIDs.
/// `changed` lists both channels of every cable that was removed or restored.
Proof verify(Proof proof, const Fabric& fabric, const Tables& tables, const Delta& delta,
             const std::vector<Channel>& changed = {});

}  // namespace selvedge
