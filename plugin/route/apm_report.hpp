// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route paths --apm`: primary and alternate of pairs, in the terms of ibv_modify_qp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/program.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {

using NamePair = std::pair<std::string, std::string>;

/// The pairs of a file: a line for each, source and destination with a space between them, or with
/// a tab if a name has spaces. Blank lines and lines that begin with # are skipped. Throws
/// InputError for other lines and for a file without pairs; `where` names the file.
std::vector<NamePair> parse_pairs(const std::string& text, const std::string& where);

/// Prints the choice for each pair. Returns kDoesNotHold if the tables may deadlock or a pair has
/// no alternate.
int report_apm(const Subject& subject, const Verdict& verdict, const std::vector<NamePair>& pairs,
               bool json, Output& output);

}  // namespace selvedge::route
