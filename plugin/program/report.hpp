// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How results are shown: aligned sheets for people, one JSON document for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/program.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

using Json = nlohmann::ordered_json;  // keys in the order in which they are documented

/// Names beside values, in two columns. A value may have several lines.
class Sheet {
 public:
  void row(std::string name, std::string value);
  void print(Output& output) const;
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

/// The document and a line end. Bytes that are no UTF-8 (node descriptions may hold any) are
/// replaced.
void print_json(const Json& document, Output& output);

/// The text broken at spaces into lines of at most `columns`.
std::string wrapped(std::string_view text, std::size_t columns);

/// What an engine states about itself.
std::string engine_page(const Engine& engine);

/// "connected, loop free, deadlock free", or what of it does not hold.
std::string proof_summary(const Verdict& verdict);

Json witness_json(const Fabric& fabric, const Witness& witness);

}  // namespace selvedge
