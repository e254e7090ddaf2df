// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SL2VL rows that switches and hosts already hold, where the subnet manager neither reads nor
// writes them (OpenSM with `qos FALSE`). They may stem from earlier settings: from a guard that
// maps unused turns to VL 15, which drops packets, or from an engine with several VLs. Every row
// between ports with cables is read. A row is harmful if it maps an SL to VL 15, or to a VL that
// the output port does not have. It is replaced by one that maps every SL to VL 0, and read back.
//
// Other rows stay, whatever VLs they map to. The tables in use are those of an engine with one VL,
// so their channels alone close no cycle. A cycle of (channel, VL) pairs would be a cycle of
// channels.
//
// A RowChecker is called by one thread at a time. The subnet manager writes no rows meanwhile.
#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plugin/control/environment.hpp"
#include "plugin/control/smp_transport.hpp"

namespace selvedge {

class RowChecker {
 public:
  RowChecker(const ControlEnvironment& environment, SmpTransport& smps)
      : environment_(environment), smps_(smps) {}

  /// Reads and replaces the next rows of the plan in force, at most kRowsAtATime. Returns true if
  /// more rows remain. Once all are done, calls TablesInForce::rows_found() and logs a line. Rows
  /// that failed are tried again after kTryAgain, and when the fabric changes.
  bool step();
  /// Forgets the results: others may write rows from now on.
  void forget();
  /// Reports that the rows cannot be read, and why.
  void fail(const std::string& why);

  /// Few enough that a trap does not wait long, even if no row's node answers.
  static constexpr std::size_t kRowsAtATime = 16;
  static constexpr std::chrono::seconds kTryAgain{30};

 private:
  using Ports = std::bitset<kNoPort + 1>;
  enum class State { kHarmless, kReplaced, kUnread, kHarmful };

  void begin(std::shared_ptr<const Plan> plan);
  void add_switch(SwitchId s);
  void finish();
  void check(std::span<const RowImage> rows);
  std::pair<SwitchId, PortNum> vl_port(const RowImage& row) const;
  unsigned data_vls(const RowImage& row) const;
  void read_vls(std::span<const RowImage> rows);
  void note(const RowImage& row, State state);
  std::string name_of(const RowImage& row) const;
  void tell(FoundRows found, bool error, const std::string& line);

  const ControlEnvironment environment_;
  SmpTransport& smps_;

  // What is known of the rows. Per switch: a set of ports such that all rows between them are
  // harmless. Also the hosts with a harmless row.
  std::map<Guid, Ports> good_;
  std::set<Guid> good_hosts_;
  std::size_t replaced_ = 0, told_replaced_ = 0;
  std::string told_;  // the last line logged

  // The pass under way, or the last one.
  std::shared_ptr<const Plan> plan_;
  std::vector<RowImage> pending_;  // by switch; then those of hosts
  std::size_t next_ = 0;
  bool finished_ = false;
  std::map<std::pair<SwitchId, PortNum>, unsigned> vls_;  // data VLs of an output port
  std::set<Guid> bad_;  // switches and hosts with a row that could not be read or replaced
  std::size_t unread_ = 0, harmful_ = 0;
  std::string first_bad_;
  Instant try_again_{};
};

}  // namespace selvedge
