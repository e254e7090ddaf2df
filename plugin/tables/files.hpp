// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables in files: the JSON form `selvedge-tables-1` (docs/formats.md), and the LFTs and MFTs that
// dump_fts of infiniband-diags prints. Thus the tables of real switches can be proved.
//
// The JSON form in detail: a host also has `node_guid` and `ca_port`. It has `attached: false` if
// its cable failed but not its switch. Its `switch` is -1 if it never was at a switch. Rates of
// links are not stored. A failed switch has no tables: its LFT entries are 255, no route. When a
// file is read, unknown keys are ignored. `disjoint_lids` may be missing, as it can be computed
// from the tables. GUIDs may be numbers. A row of `lft` or `path_sl` may end before the top LID
// (then its other LIDs have no route and SL 0). It may also extend beyond the top LID (those LIDs
// have no owner and are ignored).
//
// The output of dump_fts has no cables, no LIDs of nodes and no SLs. Cables and LIDs come from the
// fabric given with it, which must have been read at the same time. Every path has SL 0, and every
// SL has VL 0. Outputs may be concatenated: `dump_fts` and `dump_fts -M`, with or without -n and
// -a; ibroute prints the same. infiniband-diags 44 omits the last LID of a switch's range if it is
// a multiple of 64. If the fabric uses that LID, the dump is refused, because the entry cannot be
// guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/tables/further_sls.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

struct TablesFile {
  Fabric fabric;  // the JSON file's, or the given one minus what either lacks
  Tables tables;
  FurtherSls further;                // `host_path_sl` and `further_path_sl`
  std::vector<std::string> remarks;  // the file's own; or what was unusual and ignored in a dump
};

/// The tables in the JSON form. `remarks`: what whoever reads the file should know, a line each.
/// `disjoint_lids` is computed for switches with hosts; [] stands for no path.
std::string write_tables(const Fabric& fabric, const Tables& tables, const FurtherSls& further = {},
                         const std::vector<std::string>& remarks = {});

/// The LFTs in the form that dump_fts prints, which OpenSM's engine `file` reads too. It has
/// neither SLs nor VLs. Failed switches have no section.
std::string write_lft_dump(const Fabric& fabric, const Tables& tables);

/// Reads tables in either form, which is recognised by the content. If a fabric is given too, the
/// nodes, ports and cables of a JSON file must agree with it. Then cables and switches that the
/// file or the fabric lacks count as failed, and LIDs are those of the file. Throws InputError.
TablesFile read_tables(std::string_view text, const std::string& where,
                       const Fabric* fabric = nullptr);
TablesFile read_tables_file(const std::string& path, const Fabric* fabric = nullptr);

}  // namespace selvedge
