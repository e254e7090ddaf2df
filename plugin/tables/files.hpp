// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables in files: our JSON form `selvedge-tables-1` (CONTRACTS.md), and the LFTs that infiniband-diags'
// dump_fts prints, so that what is in real switches can be proved.
#pragma once

#include <string>
#include <string_view>

#include "plugin/tables/tables.hpp"

namespace selvedge {

struct TablesFile {
  Fabric fabric;  // of the file (JSON), or the one given (dump_fts)
  Tables tables;
};

/// The JSON form, `disjoint_lids` computed.
std::string write_tables(const Fabric& fabric, const Tables& tables);

/// Reads either form, told apart by content. Where the fabric is given too, node ids, ports and cables
/// of the file must agree with it (cables that either side lacks are allowed: they have failed), LIDs
/// are the file's, and the result is in terms of that fabric's ids. Throws InputError.
TablesFile read_tables(std::string_view text, const std::string& where,
                       const Fabric* fabric = nullptr);
TablesFile read_tables_file(const std::string& path, const Fabric* fabric = nullptr);

}  // namespace selvedge
