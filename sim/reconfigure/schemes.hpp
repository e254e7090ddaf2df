// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The schemes of reconfiguration: each is a function from a change of tables to the stages in which
// it is written. Each is in a file of its own, scheme_NAME.cpp.
//
//   static          all hosts hold their injection, the network empties, tables are written
//   naive           switch by switch in the order of their ids, without a barrier
//   opensm          after a whole rediscovery, in OpenSM's order: LFT block by block, in each the
//                   switches by GUID, then SL2VL rows; no barrier between
//   guarded         as the plugin does: SL2VL tables with a guard, and send_plan()
//                   (plugin/transition)
//   rftr            the tables of an in-place repair, nearest to the fault first
//   rftr-readdress  the tables of RFTR (Montañana 2008 ch. 5), nearest first; then hosts learn
//   their
//                   new LIDs
//   ebr             Montañana 2008 ch. 6: whole tables, nearest first; a switch changes to the new
//                   epoch when it has its whole table, and discards by epochs
//   ebrd            the same with differences only
//   ebr-hoq         differences, nearest first; nothing but a head-of-queue lifetime breaks
//                   deadlocks
//   ds              the double scheme: VL 1 is emptied into VL 0 while tables are stored; then both
//                   VLs use them, and VL 1 is the escape of what is in VL 0
//   sr-pda, sr-la   Simple Reconfiguration: tokens separate old packets from new ones on every
//                   channel; they are sent with the tables, or when all tables are there
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "plugin/tables/delta.hpp"
#include "sim/reconfigure/spec.hpp"
#include "sim/reconfigure/writes.hpp"

namespace selvedge::sim {

/// Which tables a change leads to.
enum class TargetKind : std::uint8_t { kEngine, kInPlace, kReaddress, kFile };

/// A change of tables that is to be sent.
struct TableChange {
  const Fabric& whole;
  const Fabric& left;                 // the fabric as the manager knows it
  const Tables& from;                 // what the switches hold
  const Tables& to;                   // proved for `left`
  const Delta& delta;                 // from → to
  const std::vector<SwitchId>& near;  // the switches at the fault; empty: there is none
  const std::vector<Write>& hosts;    // what hosts are told at the end
  const ReconfigurationSpec& spec;
  Epoch epoch = 0;               // of this change
  unsigned change = 0;           // its number, from 1
  SwitchId manager = kNoSwitch;  // the switch of the manager's host
};

struct Scheme {
  std::string_view name;  // as in an experiment
  TargetKind target;      // unless [reconfiguration] to says something else
  bool epochs = false;    // it needs switches that have epochs
  bool guard = false;     // its tables have a guard
  bool rediscovers = false;
  bool layers = false;  // it needs switches with layers
  bool tokens = false;  // it needs switches with tokens
  bool needs_lifetime = false;
  /// What is sent as soon as the fault has been detected, in the change of this number.
  std::vector<Write> (*at_once)(const Fabric& left, unsigned change) = nullptr;
  bool at_once_first = false;  // computing begins when that has been confirmed
  std::vector<Stage> (*stages)(const TableChange&) = nullptr;

  /// Whether each write must be confirmed before the next stage, since that would not be safe else.
  bool must_confirm() const { return layers || tokens; }
};

/// The scheme of this name; not of kOff.
const Scheme& scheme_of(SchemeName name);
/// What its switches must be able to do.
Managed managed_by(const Scheme& scheme);
/// All names, "off" first, in the order of SchemeName.
std::span<const std::string_view> scheme_names();

// --- For the schemes
/// The switches of the fabric that have a cable: by distance from `near` in links, then by id. If
/// `near` is empty, by id.
std::vector<SwitchId> nearest_first(const Fabric& left, const std::vector<SwitchId>& near);
/// The writes of a delta at one switch: chunks of its LFT of smp_payload_bytes entries, in each the
/// entries that change; then SL2VL rows.
void add_difference(const TableChange& change, SwitchId at, std::vector<Write>& writes);
/// One stage with the differences of these switches, in this order, then the hosts.
std::vector<Stage> differences(const TableChange& change, const std::vector<SwitchId>& order);
/// The rows of the delta at one switch.
void add_rows(const TableChange& change, SwitchId at, std::vector<Write>& writes);
/// The whole table of a switch, in consecutive SMPs that are parts of one another.
std::vector<Write> whole_table(const TableChange& change, SwitchId at);
/// Numbers the parts of a table of one switch.
void number_parts(std::vector<Write>& writes);
/// A write with nothing in it yet to each switch, then to each host with a cable.
std::vector<Write> to_every_node(const Fabric& left);
/// A last stage, in which hosts are told what is new to them.
void add_hosts(const TableChange& change, std::vector<Stage>& stages);

extern const Scheme kStaticScheme, kNaiveScheme, kOpensmScheme, kGuardedScheme, kRftrScheme,
    kRftrReaddressScheme, kEbrScheme, kEbrdScheme, kEbrHoqScheme, kDsScheme, kSrPdaScheme,
    kSrLaScheme;

}  // namespace selvedge::sim
