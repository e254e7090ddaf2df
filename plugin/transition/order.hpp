// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turns a delta into a send plan: what is written to switches, in which order, and where to drain.
//
// Only differences are sent, nearest to the fault first, where most packets are lost (Montañana
// 2008 §6.5). A plan has phases. The writes of a phase are sent together and may arrive in any
// order. Between phases the sender waits until all writes are acknowledged, or, for a drain, until
// packets that had chosen their output before have left.
//
// The methods; the first that is proved is taken (safety.hpp):
//   guarded     with these SL2VL tables no mixture of LFTs can deadlock: turns newly forbidden to
//               VL 15, turns newly permitted to their VL, then LFTs, one pass, nearest first.
//               Forwarding loops end in drops.
//   mixed       no guard, but no mixture of these old and new paths has a cycle: likewise
//   downstream  each DLID's entries from the destination outwards, in as many phases as that takes:
//               a packet that meets a new entry meets only new ones from there on, so none loops
//   cleared     DLIDs whose mixtures close a cycle have their changed entries taken out first
//               (255: dropped) while the others are written; drained; then the new ones written.
//               So packets in flight use a part of the old paths, or of the new ones
//   lossless    only if requested (OrderRequest::lossless), and then before all others:
//               turns newly permitted first, then entries in layers, with a drain between two, such
//               that no packet is lost (lossless_update_rounds.hpp), turns newly forbidden last
//   window      none of these is proved: nearest first, and until the last write is acknowledged
//               the switches' head-of-queue lifetime must break possible deadlocks
// Downstream comes before cleared, because it drops no packet that had a path.
//
// Multicast: ports that a group loses are removed first, ports that it gains are added last, with a
// drain between if some group has both. So packets in flight use a part of the old tree, or of the
// new one. Path SLs are not written to switches: the SA reports them in path records. They change
// at the end, or, with `cleared`, while the paths are cleared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

/// One SMP's worth of LFT changes: those of SendPhase::lft from `first` on.
struct LftBlock {
  SwitchId at;
  std::uint16_t block;  // DLID / 64
  std::uint32_t first, count;
  friend bool operator==(const LftBlock&, const LftBlock&) = default;
};

struct SendPhase {
  enum class Kind : std::uint8_t {
    kForbid,            // SL2VL: 15 in every entry that changes
    kClear,             // LFT: 255 temporarily
    kPermit,            // SL2VL: the final values
    kInstall,           // LFT: the final values
    kRemoveGroupPorts,  // MFT: ports removed
    kAddGroupPorts,     // MFT: ports added
    kAnnounceSls,       // no write: path records report the new SLs
  };
  Kind kind = Kind::kInstall;
  /// Begins only when packets routed before the end of the previous phase have left, not when its
  /// writes are acknowledged.
  bool drain_first = false;

  // In the order of sending: by distance from the fault in hops, switch id, block or ports.
  // (Without the initialisers g++ warns about designated initialisers that omit members.)
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
  std::string why;  // one line: the reason for this method
  std::vector<SendPhase> phases;

  std::size_t writes() const {
    std::size_t n = 0;
    for (const SendPhase& phase : phases) n += phase.size();
    return n;
  }
};

struct OrderRequest {
  /// The location of the fault: distances are counted from these switches (switches_at_fault()).
  /// Empty: all switches have distance 0.
  std::vector<SwitchId> near;
  /// Whether the sender may wait for drains.
  bool may_drain = true;
  /// Nothing has failed, and no packet shall be lost: take `lossless` if it is proved free of
  /// losses (losses.hpp) and of deadlock. `fabric` then includes what is about to be taken out of
  /// use.
  bool lossless = false;
  /// Take this method, proved or not. (kGuarded: the order forbid, permit, install.)
  std::optional<SendPlan::Method> method;
};

/// The plan that leads from `from` to `from` + `delta`. `fabric`: without what has failed. Changes
/// at failed switches are left out: they cannot be written, and no packet passes them. For a guard
/// the caller passes guarded tables as `from`, and the difference of guarded tables as `delta`
/// (guard.hpp).
SendPlan send_plan(const Fabric& fabric, const Tables& from, const Delta& delta,
                   const OrderRequest& request = {});

/// Removes the changes at failed switches from a delta: they cannot be written.
void drop_failed_switches(Delta& delta, const Fabric& fabric);

/// The switches next to a fault: both ends of each cable, the neighbours of each switch. `whole`:
/// the fabric before the fault. Ascending, each once.
std::vector<SwitchId> switches_at_fault(const Fabric& whole, const Fault& fault);

std::string_view name_of(SendPlan::Method method);
std::string_view name_of(SendPhase::Kind kind);

}  // namespace selvedge
