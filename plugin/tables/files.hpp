// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables in files: the JSON form `selvedge-tables-1` (docs/formats.md), and the LFTs and MFTs that
// infiniband-diags' dump_fts prints, so that the tables of real switches can be proved.
//
// The JSON form, beyond the minimum: a host also has `node_guid` and `ca_port`, and `attached:
// false` if its cable failed though its switch did not; its `switch` is -1 if it never had one.
// Rates are not stored. A failed switch has no tables: its LFT entries are 255, no route. When a
// file is read, unknown keys are ignored. `disjoint_lids` may be absent (it follows from the
// tables). GUIDs may be numbers. A row of `lft` or `path_sl` may end before the top LID (the rest:
// no route, SL 0) or extend beyond it (LIDs that no node has, ignored).
//
// The output of dump_fts has no cables, no LIDs of nodes and no SLs. Cables and LIDs come from the
// fabric given with it, which must be of the same moment. Every path has SL 0 and every SL has VL
// 0. Outputs may be concatenated (`dump_fts` and `dump_fts -M`, with or without -n and -a; ibroute
// prints the same). infiniband-diags 44 omits the last LID of a switch's range if it is a multiple
// of 64. If the fabric uses that LID the dump is refused: the entry cannot be guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct TablesFile {
  Fabric fabric;  // the file's (JSON), or the given one without what either lacks
  Tables tables;
  std::vector<std::string> remarks;  // oddities that were ignored, a line each
};

/// The JSON form. `disjoint_lids` is computed, for switches with hosts; [] = no path.
std::string write_tables(const Fabric& fabric, const Tables& tables);

/// Reads either form, recognised by its content. If a fabric is given too, the nodes, ports and
/// cables of a JSON file must agree with it. Cables and switches that one of the two lacks are
/// taken as failed, and the LIDs are the file's. Throws InputError.
TablesFile read_tables(std::string_view text, const std::string& where,
                       const Fabric* fabric = nullptr);
TablesFile read_tables_file(const std::string& path, const Fabric* fabric = nullptr);

}  // namespace selvedge
