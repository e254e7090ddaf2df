// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"

namespace selvedge {

// Each engine is declared here and defined in the file of its name (updn/updn.cpp; tftr:
// disjoint/tftr.cpp; tree: spanning_tree.cpp).
extern const Engine kAuto;
extern const Engine kUpdn;
extern const Engine kSpf;
extern const Engine kTftr;
extern const Engine kSpftr;
extern const Engine kAspftr;
extern const Engine kDmodk;
extern const Engine kIst;
extern const Engine kMultipath;
extern const Engine kTree;
extern const Engine kMartinez;
extern const Engine kBalanced;
extern const Engine kDor;

namespace {
constexpr std::array kEngines = {&kUpdn,  &kSpf,      &kTftr,      &kSpftr, &kAspftr,
                                 &kDmodk, &kIst,      &kMultipath, &kTree,  &kMartinez,
                                 &kDor,   &kBalanced, &kAuto};
}

std::span<const Engine* const> engines() { return kEngines; }

const Engine& find_engine(std::string_view name) {
  const auto it = std::ranges::find(kEngines, name, [](const Engine* e) { return e->name; });
  if (it != kEngines.end()) return **it;
  std::vector<std::string_view> names;
  for (const Engine* e : kEngines) names.push_back(e->name);
  throw InputError("no such engine", fmt::format("'{}'", name),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

unsigned wanted_lmc(const Engine& engine, const Fabric& fabric, ReplyGrade grade) {
  const auto of = grade == ReplyGrade::kBase && engine.base_lmc ? engine.base_lmc : engine.lmc;
  return of == nullptr ? 0 : of(fabric);
}

}  // namespace selvedge
