// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables in files: our JSON form `selvedge-tables-1` (docs/formats.md), and the LFTs and MFTs that
// infiniband-diags' dump_fts prints, so that what is in real switches can be proved.
//
// The JSON form, beyond the minimum: a host also has `node_guid` and `ca_port`, and `attached:
// false` if its cable failed though its switch did not; its `switch` is -1 if it never had one.
// Rates are not kept. A failed switch has no tables: its entries read as "none". On reading,
// unknown keys are passed over, `disjoint_lids` may be absent (it follows from the tables), GUIDs
// may be numbers, and a row of `lft` or `path_sl` may end before the top LID (the rest: no route,
// SL 0) or go on after it (nobody's LIDs, passed over).
//
// dump_fts knows nothing of cables, LIDs and SLs: those are of the fabric given with it, which must
// be of the same moment; every path has SL 0 and every SL has VL 0. Outputs may be concatenated
// (`dump_fts` and `dump_fts -M`, with or without -n and -a; ibroute prints the same).
// infiniband-diags 44 leaves out the last LID of a switch's range if it is a multiple of 64; that
// is refused, not guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct TablesFile {
  Fabric fabric;  // of the file (JSON), or the one given, without what either has lost
  Tables tables;
  std::vector<std::string> remarks;  // oddities that were passed over, a line each
};

/// The JSON form, `disjoint_lids` computed (for switches with hosts; [] = no path).
std::string write_tables(const Fabric& fabric, const Tables& tables);

/// Reads either form, told apart by content. Where the fabric is given too, node ids, ports and
/// cables of the file must agree with it (cables that either side lacks are allowed: they have
/// failed), LIDs are the file's, and the result is in terms of that fabric's ids. Throws
/// InputError.
TablesFile read_tables(std::string_view text, const std::string& where,
                       const Fabric* fabric = nullptr);
TablesFile read_tables_file(const std::string& path, const Fabric* fabric = nullptr);

}  // namespace selvedge
