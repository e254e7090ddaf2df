// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/report: the parts of report.html, embedded in the program (assets.cpp.in).
//
// base/report/frame.html, which the demo's report shares, has placeholders for the other parts:
// page.html, the style (frame.css, page.css), the facts (JSON, sim/experiment/report.hpp), the
// libraries and the script. The script is the .js files of this folder, concatenated in the order
// of CMakeLists.txt. The build fetches the libraries from npm, in exactly the versions of
// package-lock.json. The page loads nothing when it is opened.
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
