// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How results are shown: aligned sheets for people, a JSON document for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/program.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/tables/dark_lids.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

using Json = nlohmann::ordered_json;  // keys in the order in which the manual lists them

/// A sheet: names with values beside them, in two columns. A value may have several lines.
class Sheet {
 public:
  void row(std::string name, std::string value);
  void print(Output& output) const;
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

/// Prints the document and a line end. Bytes that are not UTF-8 are replaced (node descriptions may
/// contain any bytes).
void print_json(const Json& document, Output& output);

/// The text, broken at spaces into lines of at most `columns` characters.
std::string wrapped(std::string_view text, std::size_t columns);

/// What an engine states about itself (EngineFacts), as a page.
std::string engine_page(const Engine& engine);

/// The proof in words: "connected, loop free, deadlock free", or which of these does not hold.
std::string proof_summary(const Verdict& verdict);

/// The highest grade of responses on the request's SL that holds, or null.
Json grade_json(const Verdict& verdict);

Json witness_json(const Fabric& fabric, const Witness& witness);
/// A list with an object for each dark LID (dark_lids.hpp).
Json dark_json(const Fabric& fabric, const std::vector<DarkLid>& dark);

}  // namespace selvedge
