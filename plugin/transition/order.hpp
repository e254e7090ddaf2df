// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A delta becomes a plan of what is sent to the switches, in which order, and where to wait.
//
// Only what differs is sent, and what is near to the fault first: there most packets are lost, and
// every write mends some (Montañana 2008 §6.5). The plan has phases; within one everything may
// arrive in any order, all is on the way at once. Between phases the sender waits until all is
// acknowledged, or longer, until packets that had chosen their output before have left (drained).
//
// Which way, the first that is proved (safety.hpp):
//   guarded     SL2VL tables alone keep every mixture from deadlock: turns newly forbidden to
//               VL 15, turns newly permitted to their VL, then LFTs, one pass, nearest first. Loops
//               on the way end in drops.
//   mixed       no guard, but no mixture of these old and new paths has a cycle: likewise
//   downstream  each DLID's entries from the destination outwards, in as many phases as that takes:
//               a packet that meets a new entry meets only new ones from there on, so nothing loops
//   cleared     DLIDs whose mixtures close a cycle have their changed entries taken out first
//               (255: dropped) while the others are written; drained; then the new ones put in.
//               Then what is under way is a part of the old paths, or of the new
//   lossless    only where it is asked for (OrderRequest::lossless), and then before all others:
//               turns newly permitted first, then entries in layers, with a drain between two, such
//               that every packet finds a way on (lossless_update_rounds.hpp), turns newly
//               forbidden last
//   window      none of these is proved: nearest first, and until the last write is acknowledged
//               the switches' head-of-queue lifetime has to break what may lock up
// Downstream comes before cleared since it drops no packet that had a path.
//
// Multicast: ports that a group loses go first, ports that it gains come last, with a drain between
// where some group has both; so what is under way is a part of the old tree, or of the new.
// Path SLs are the subnet manager's own (the answers to path queries). They are told at the end,
// and with `cleared` while the paths are out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

inline constexpr unsigned kLftBlockEntries = 64;  // of one SMP (IBA 1.3 §14.2.5.10)

/// One SMP's worth of LFT changes: those of SendPhase::lft from `first` on.
struct LftBlock {
  SwitchId at;
  std::uint16_t block;  // DLID / 64
  std::uint32_t first, count;
  friend bool operator==(const LftBlock&, const LftBlock&) = default;
};

struct SendPhase {
  enum class Kind : std::uint8_t {
    kForbid,      // SL2VL: 15 where anything changes
    kClear,       // LFT: 255 for a time
    kPermit,      // SL2VL: as they shall be
    kInstall,     // LFT: as they shall be
    kGroupsLose,  // MFT: ports taken out
    kGroupsGain,  // MFT: ports put in
    kTellSls,     // nothing is sent: path queries are answered anew
  };
  Kind kind = Kind::kInstall;
  /// Begins only when packets routed before the end of the phase before are gone, not merely when
  /// all is acknowledged.
  bool drain_first = false;

  // In the order of sending: by distance from the fault in hops, switch id, block or ports.
  // (g++ warns of designated initialisers that leave out what has no initialiser here.)
  // NOLINTBEGIN(readability-redundant-member-init)
  std::vector<Sl2VlChange> sl2vl = {};
  std::vector<LftBlock> blocks = {};
  std::vector<LftChange> lft = {};  // block by block, by DLID
  std::vector<MftChange> mft = {};
  std::vector<SlChange> sl = {};
  std::optional<Sl2VlRow> host_sl2vl = {};  // every host's port
  // NOLINTEND(readability-redundant-member-init)

  /// Writes to switches.
  std::size_t size() const { return sl2vl.size() + blocks.size() + mft.size(); }
};

struct SendPlan {
  enum class Method : std::uint8_t {
    kNothing,
    kGuarded,
    kMixed,
    kDownstream,
    kCleared,
    kLossless,
    kWindow
  };
  Method method = Method::kNothing;
  std::string why;  // one line: why this method, and not one of those before it
  std::vector<SendPhase> phases;

  std::size_t writes() const {
    std::size_t n = 0;
    for (const SendPhase& phase : phases) n += phase.size();
    return n;
  }
};

struct OrderRequest {
  /// Where the fault was: distances are counted from these switches (fault_ends()). Empty: all are
  /// equally near.
  std::vector<SwitchId> near;
  /// May the sender wait for packets to drain?
  bool may_drain = true;
  /// Everything works still, and no packet shall be lost: the way `lossless`, if it is proved to
  /// be so (losses.hpp) and free of deadlock. `fabric` then is what carries packets meanwhile, with
  /// what is about to be taken out.
  bool lossless = false;
  /// Take this way, proved or not. (kGuarded: the order forbid, permit, install.)
  std::optional<SendPlan::Method> method;
};

/// The plan that leads from `from` to `from` + `delta`. `fabric`: as it is now, the fault out of
/// it. Changes at failed switches are left out: nobody can write them, and nothing passes there.
/// The guard is the caller's: give the guarded tables as `from` and the difference of guarded
/// tables as `delta` (guard.hpp), or there is none.
SendPlan send_plan(const Fabric& fabric, const Tables& from, const Delta& delta,
                   const OrderRequest& request = {});

/// Takes out of a delta what is at switches that have failed: nobody can write them.
void leave_out_failed(Delta& delta, const Fabric& fabric);

/// The switches at which a fault shows: both ends of each cable, the neighbours of each switch.
/// `whole`: the fabric with what has failed still in it. Ascending, each once.
std::vector<SwitchId> fault_ends(const Fabric& whole, const Fault& fault);

std::string_view name_of(SendPlan::Method method);
std::string_view name_of(SendPhase::Kind kind);

}  // namespace selvedge
