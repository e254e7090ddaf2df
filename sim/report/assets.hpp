// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/report: the page of report.html and what draws it, as parts of the program (assets.cpp.in).
//
// base/report/frame.html, which the demo's report shares, has places for the rest: page.html, the
// style (frame.css, page.css), the facts (JSON, sim/experiment/report.hpp), the libraries and the
// script, which is the .js files of this folder one behind the other in the order of
// CMakeLists.txt. The libraries come from npm, fetched while building, in exactly the versions that
// package-lock.json names; nothing is loaded when the page is read.
#pragma once

#include <string_view>

namespace selvedge::sim {

std::string_view report_asset_frame();
std::string_view report_asset_main();
std::string_view report_asset_style();
std::string_view report_asset_script();
std::string_view report_asset_echarts();  // Apache ECharts
std::string_view report_asset_graph3d();  // 3d-force-graph, with three.js in it

}  // namespace selvedge::sim
