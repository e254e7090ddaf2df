// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turns a delta into a send plan: what is written to switches, in which order, and where to drain.
//
// Only differences are sent. Switches near the fault are written first, because most packets are
// lost there (Montañana 2008 §6.5). A plan has phases. The writes of a phase are sent together and
// may arrive in any order. Between phases the sender waits until all writes are acknowledged. If
// the next phase begins with a drain, it also waits until packets that had chosen their output
// before have left.
//
// The methods, of which the first that is proved (safety.hpp) is taken:
//   guarded     used if under the new SL2VL tables no mixture of LFTs can deadlock (guard.hpp).
//               SL2VL entries that change are first set to VL 15, then to their new VLs. Then all
//               LFT entries are written in one pass. Forwarding loops end in drops. If packets in
//               newly forbidden turns could close a cycle, they are drained first.
//   mixed       writes in the same order, if there is no guard but no mixture of these old and new
//               paths has a cycle
//   downstream  writes each DLID's entries from the destination outwards, in as many phases as that
//               takes. A packet that meets a new entry meets only new ones from there on, so no
//               packet loops.
//   cleared     applies to DLIDs whose mixture of old and new paths closes a cycle. Their entries
//               that change are set to 255 (drop) while other DLIDs are written. After a drain the
//               new values are written. So each packet follows old paths only, or new paths only.
//               If that is not proved either and OrderRequest::clear_at_rows permits it, DLIDs that
//               keep their entries are cleared too, where they use SL2VL rows that change.
//   lossless    only if requested (OrderRequest::lossless), and then before all others. SL2VL
//               entries that newly permit turns are written first. Then LFT entries are written in
//               rounds with drains between them, such that no packet is lost
//               (lossless_update_rounds.hpp). SL2VL entries that newly forbid turns come last.
//   window      used if no other method is proved, also while groups pause: writes in the order of
//               mixed. Until the last write is acknowledged, the switches' head-of-queue lifetime
//               must break deadlocks. If the old and the new tables are proved themselves, that
//               happens only if drains are not permitted.
// Downstream comes before cleared, because it drops no packet that had a path.
//
// Groups pause if no order is proved: packets of the old multicast tree may close a cycle with the
// new paths, whatever their order. Then groups first lose the ports between switches that the new
// tree lacks, or whose SL2VL rows change (paused_groups.hpp). Their packets drain. Now all methods
// but window are tried again, with what is left of the old tree. Meanwhile some members of groups
// receive no packets.
//
// Multicast: ports that a group loses are removed first, ports that it gains are added last. If
// some group has both, there is a drain between (not with `guarded`, and not if drains are not
// permitted). So each packet in flight uses a part of the old tree or a part of the new one. SLs of
// paths are not written to switches: the SA reports them in path records. They change at the end
// or, with `cleared`, while the paths are cleared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

/// The LFT changes that one SMP carries: `count` elements of SendPhase::lft, from `first` on.
struct LftBlock {
  SwitchId at;
  std::uint16_t block;  // DLID / 64
  std::uint32_t first, count;
  friend bool operator==(const LftBlock&, const LftBlock&) = default;
};

struct SendPhase {
  enum class Kind : std::uint8_t {
    kForbid,            // sets SL2VL entries to VL 15
    kClear,             // sets LFT entries to 255 (no route) for a time
    kPermit,            // sets SL2VL entries to their new VLs
    kInstall,           // sets LFT entries to their new ports
    kRemoveGroupPorts,  // removes ports from MFT entries
    kAddGroupPorts,     // adds ports to MFT entries
    kAnnounceSls,       // writes nothing: from now on path records report the new SLs
  };
  Kind kind = Kind::kInstall;
  /// Whether the phase begins only when packets that were routed before the end of the previous
  /// phase have left. If false, it begins when the previous phase's writes are acknowledged.
  bool drain_first = false;

  // The changes, in the order of sending: by distance from the fault in hops, then by switch id,
  // then by block or ports.
  // (Without the initialisers g++ warns about designated initialisers that omit members.)
  // NOLINTBEGIN(readability-redundant-member-init)
  std::vector<Sl2VlChange> sl2vl = {};
  std::vector<LftBlock> blocks = {};
  std::vector<LftChange> lft = {};  // sorted by block, then by DLID
  std::vector<MftChange> mft = {};
  std::vector<SlChange> sl = {};
  std::optional<Sl2VlRow> host_sl2vl = {};  // the new row of every host's port, if it changes
  // NOLINTEND(readability-redundant-member-init)

  /// The number of writes to switches, one SMP each.
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
  std::string why;  // the reason why this method was taken, one line
  std::vector<SendPhase> phases;
  /// Whether groups pause: the first phase then removes the ports that they lose for that time.
  bool groups_pause = false;

  std::size_t writes() const {
    std::size_t n = 0;
    for (const SendPhase& phase : phases) n += phase.size();
    return n;
  }
};

struct OrderRequest {
  /// The switches next to the fault (switches_at_fault()). Writes are ordered by the distance from
  /// them; if empty, all switches have distance 0.
  std::vector<SwitchId> near;
  /// Whether the sender may wait until packets have drained.
  bool may_drain = true;
  /// Set if nothing has failed and no packet shall be lost. The method `lossless` is then taken if
  /// it is proved free of losses (losses.hpp) and of deadlock, no SL changes and drains are
  /// permitted. The argument `fabric` must include the links and switches about to be taken out of
  /// use.
  bool lossless = false;
  /// Whether the method `cleared` may also take away, for a time, routes of DLIDs whose entries do
  /// not change, where they use SL2VL rows that change. It does so only if nothing else is proved.
  /// For changes that repair nothing, so that few paths are worth keeping at the price of no proof.
  bool clear_at_rows = false;
  /// Whether groups may pause if nothing is proved without it. Then the last method that is tried
  /// is `cleared` as with `clear_at_rows`.
  bool may_pause_groups = true;
  /// Whether the subnet manager writes the groups' new ports (Delta::mft) after the plan. The plan
  /// then adds no ports, and removes ports only if groups pause. The proof includes the states in
  /// which some switches have the old ports of a group and others the new ones. (If nothing is to
  /// be written but groups must pause for these, the sender waits for a drain after the pause.)
  bool groups_later = false;
  /// If set, this method is taken, proved or not. (kGuarded, kMixed and kWindow then write SL2VL
  /// and LFT in the same phases: forbid, permit, install.)
  std::optional<SendPlan::Method> method;
};

/// The plan that leads from the tables `from` to `from` + `delta`. `fabric`: without failed cables
/// and switches. Changes at failed switches are left out: they cannot be written, and no packet
/// passes them. For the method guarded the caller passes tables with their guard as `from`, and as
/// `delta` the difference of two such tables (guard.hpp).
SendPlan send_plan(const Fabric& fabric, const Tables& from, const Delta& delta,
                   const OrderRequest& request = {});

/// Removes changes at failed switches from the delta: such switches cannot be written.
void drop_failed_switches(Delta& delta, const Fabric& fabric);

/// The switches next to a fault, ascending and each once: both ends of each failed cable, and the
/// neighbours of each failed switch. `whole`: the fabric before the fault.
std::vector<SwitchId> switches_at_fault(const Fabric& whole, const Fault& fault);

std::string_view name_of(SendPlan::Method method);
std::string_view name_of(SendPhase::Kind kind);

}  // namespace selvedge
