// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/experiment/report.hpp"
#include "sim/report/assets.hpp"

namespace selvedge::sim {
namespace {

/// Delimiters of a placeholder's name.
constexpr std::string_view kOpen = "<!--@", kClose = "@-->";

/// Whether any fabric is a torus or mesh of three dimensions.
bool needs_3d(const nlohmann::json& runs) {
  for (const auto& run : runs)
    for (const auto& [id, fabric] : run.at("fabrics").items()) {
      const auto sizes = fabric.at("sizes").get<std::string>();
      const bool lattice = fabric.at("form") == "torus" || fabric.at("form") == "mesh";
      if (lattice && std::ranges::count(sizes, 'x') == 2) return true;
    }
  return false;
}

/// JSON that is safe within an HTML element: without '<'.
std::string escape_json(const nlohmann::json& facts) {
  const std::string plain = facts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string script(std::string_view text) { return fmt::format("<script>\n{}\n</script>\n", text); }

}  // namespace

std::string report_page(const std::vector<Database*>& results) {
  nlohmann::json runs = nlohmann::json::array();
  for (Database* each : results) runs.push_back(report_facts(*each));
  const std::string facts =
      escape_json({{"format", "selvedge-report-1"}, {"program", SELVEDGE_VERSION}, {"runs", runs}});
  std::string libraries = script(report_asset_echarts());
  if (needs_3d(runs)) libraries += script(report_asset_graph3d());
  // What replaces each placeholder of the page. The headline, the text below it and the footer are
  // no placeholders: the page's script writes them.
  const std::pair<std::string_view, std::string_view> parts[] = {
      {"TITLE", "simulation"},           {"MARK", "simulation"}, {"STYLE", report_asset_style()},
      {"MAIN", report_asset_main()},     {"FACTS", facts},       {"LIBRARIES", libraries},
      {"SCRIPT", report_asset_script()},
  };
  // One pass over the page: inserted text is never scanned for placeholders.
  std::string page;
  std::string_view rest = report_asset_frame();
  for (std::size_t at = rest.find(kOpen); at != std::string_view::npos; at = rest.find(kOpen)) {
    page += rest.substr(0, at);
    rest.remove_prefix(at + kOpen.size());
    const std::size_t end = rest.find(kClose);
    for (const auto& [name, text] : parts)
      if (rest.substr(0, end) == name) page += text;
    rest.remove_prefix(end + kClose.size());
  }
  page += rest;
  return page;
}

}  // namespace selvedge::sim
