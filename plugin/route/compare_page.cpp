// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "plugin/route/compare.hpp"
#include "plugin/route/drawing.hpp"

namespace selvedge::route {
namespace {

constexpr std::size_t kMostBars = 40;
constexpr std::size_t kMostMarked = 12;  // cables, unless several are as busy as the last of them
constexpr std::size_t kMostListed = 8;
constexpr double kBarsHigh = 120, kBarsWide = 520;
constexpr const char* kBusiest = "#d00000";
constexpr const char* kNearly = "#e69f00";
constexpr double kAsBusy = 0.98;  // of the maximum: marked as busiest

constexpr const char* kPageStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 92rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 12px; white-space: nowrap; }
th, td { padding: .25rem .4rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
td.refused { text-align: left; white-space: normal; }
.no { color: #d00000; font-weight: bold; }
figure { margin: .6rem 0; } figcaption { font-size: 13px; }
.bars rect { fill: #0072b2; } .bars text { font-size: 11px; fill: currentColor; }
.bars line { stroke: currentColor; }
.drawing svg { max-width: 100%; max-height: 44rem; width: auto; height: auto; border: 1px solid #8884; }
)";

/// A pair of switches with the load of the busier direction of its busiest cable.
struct BusyPair {
  SwitchId a = kNoSwitch, b = kNoSwitch;  // the load is from a to b
  PortNum port = 0;                       // at a
  std::uint64_t load = 0;
};

/// The busiest first.
std::vector<BusyPair> busiest_pairs(const Fabric& fabric, const std::vector<std::uint64_t>& loads) {
  std::map<std::pair<SwitchId, SwitchId>, BusyPair> pairs;
  for (Channel c = 0; c < loads.size(); ++c) {
    if (!fabric.between_switches(c)) continue;
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    BusyPair& pair = pairs[{std::min(a, b), std::max(a, b)}];
    if (pair.a == kNoSwitch || loads[c] > pair.load) pair = {a, b, fabric.port_of(c), loads[c]};
  }
  std::vector<BusyPair> list;
  list.reserve(pairs.size());
  for (const auto& [ends, pair] : pairs) list.push_back(pair);
  std::ranges::stable_sort(list, std::greater{}, &BusyPair::load);
  return list;
}

class ComparePage {
 public:
  ComparePage(const std::string& fabric_name, const std::vector<CompareRow>& rows,
              unsigned permutations, std::uint64_t seed)
      : rows_(rows) {
    for (const CompareRow& row : rows)
      if (row.figures) scale_ = std::max(scale_, row.figures->base_channel_load_max);
    put("<!doctype html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>Selvedge: routes on {0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
        "<h1>Routes on {0}</h1>\n",
        escaped(fabric_name), kPageStyle);
    put("<p>EBB: the mean share of a link's rate that a flow gets, over {} random permutations of "
        "the hosts, seed {}. Loads are ordered pairs of hosts over a channel, a direction of a "
        "cable between switches, on base LIDs; <i>all-LID</i> spreads each pair over all its "
        "LIDs. <i>Cable faults, switch faults</i>: of all that may fail alone, those after which "
        "every "
        "pair that is still connected has a path, without a repair.</p>\n",
        permutations, seed);
    table();
    for (const CompareRow& row : rows)
      if (row.figures) section(row);
    put("</body>\n</html>\n");
  }

  std::string text() && { return std::move(out_); }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void table() {
    const auto lines = compare_lines(rows_);
    put("<div class=\"wide\"><table>\n<tr>");
    for (const std::string& head : lines[0]) put("<th>{}</th>", head);
    put("</tr>\n");
    for (std::size_t r = 1; r < lines.size(); ++r) {
      put("<tr>");
      for (const std::string& cell : lines[r])
        put("<td{}>{}</td>", cell == "NO" || cell == "none" ? " class=\"no\"" : "", escaped(cell));
      if (!rows_[r - 1].figures)
        put("<td class=\"refused\" colspan=\"{}\">refused: {}</td>", lines[0].size() - 1,
            escaped(rows_[r - 1].refusal));
      put("</tr>\n");
    }
    put("</table></div>\n");
  }

  void section(const CompareRow& row) {
    put("<section>\n<h2>{}</h2>\n", escaped(row.name()));
    for (const std::string& remark : row.remarks) put("<p>{}</p>\n", escaped(remark));
    histogram(*row.figures, row.fabric);
    drawing(*row.figures, row.fabric);
    put("</section>\n");
  }

  void histogram(const CompareFigures& figures, const Fabric& fabric) {
    const std::size_t bars = std::clamp<std::size_t>(scale_ + 1, 1, kMostBars);
    const auto bar_of = [&](std::uint64_t load) {
      return static_cast<std::size_t>(load * bars / (scale_ + 1));
    };
    std::vector<std::uint64_t> count(bars, 0);
    for (Channel c = 0; c < figures.base_loads.size(); ++c)
      if (fabric.between_switches(c)) ++count[bar_of(figures.base_loads[c])];
    const std::uint64_t most = std::max<std::uint64_t>(1, std::ranges::max(count));
    const double pitch = kBarsWide / static_cast<double>(bars);
    put("<figure><svg class=\"bars\" role=\"img\" viewBox=\"-40 -14 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\">\n<title>Channels by their load</title>\n",
        kBarsWide + 80, kBarsHigh + 40);
    for (std::size_t i = 0; i < bars; ++i) {
      if (count[i] == 0) continue;
      // A bar that is not empty can be seen.
      const double high =
          std::max(1.0, kBarsHigh * static_cast<double>(count[i]) / static_cast<double>(most));
      const std::uint64_t first = (i * (scale_ + 1) + bars - 1) / bars;
      const std::uint64_t last = ((i + 1) * (scale_ + 1) + bars - 1) / bars - 1;
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{} "
          "channels with a load of {}</title></rect>\n",
          static_cast<double>(i) * pitch, kBarsHigh - high, std::max(1.0, pitch - 1), high,
          count[i],
          first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last));
    }
    put("<line x1=\"0\" y1=\"{0:.0f}\" x2=\"{1:.0f}\" y2=\"{0:.0f}\"/>\n", kBarsHigh, kBarsWide);
    const double mean =
        kBarsWide * (figures.base_channel_load_mean + 0.5) / static_cast<double>(scale_ + 1);
    put("<line x1=\"{0:.1f}\" y1=\"-2\" x2=\"{0:.1f}\" y2=\"{1:.0f}\" "
        "stroke-dasharray=\"4 3\"/><text x=\"{0:.1f}\" y=\"-4\" text-anchor=\"middle\">mean "
        "{2:.1f}</text>\n",
        mean, kBarsHigh, figures.base_channel_load_mean);
    put("<text x=\"0\" y=\"{0:.0f}\">0</text><text x=\"{1:.0f}\" y=\"{0:.0f}\" "
        "text-anchor=\"end\">{2}</text><text x=\"-6\" y=\"10\" text-anchor=\"end\">{3}</text>\n",
        kBarsHigh + 16, kBarsWide, scale_, most);
    put("</svg>\n<figcaption>Channels (upwards) by the pairs of hosts that cross them (to the "
        "right). The busiest carries {}.</figcaption></figure>\n",
        figures.base_channel_load_max);
  }

  void drawing(const CompareFigures& figures, const Fabric& fabric) {
    const std::vector<BusyPair> pairs = busiest_pairs(fabric, figures.base_loads);
    std::vector<Mark> marks;
    for (const BusyPair& pair : pairs) {
      const bool busiest = static_cast<double>(pair.load) >=
                           kAsBusy * static_cast<double>(figures.base_channel_load_max);
      if (pair.load == 0 || (!busiest && marks.size() >= kMostMarked)) break;
      marks.push_back({pair.a, pair.b, busiest ? kBusiest : kNearly, false});
    }
    const std::size_t red =
        static_cast<std::size_t>(std::ranges::count(marks, kBusiest, &Mark::colour));
    std::ranges::reverse(marks);  // the busiest are drawn last, above the others
    put("<figure class=\"drawing\">{}<figcaption>Red: the {} busiest pairs of switches, within 2 % "
        "of the maximum{}. ",
        draw_network(fabric, "", marks), red,
        marks.size() > red ? fmt::format("; orange: the next {}", marks.size() - red) : "");
    std::string list;
    for (std::size_t i = 0; i < std::min(kMostListed, marks.size()); ++i)
      list += fmt::format("{}{}:{} → {} {}", i > 0 ? ", " : "", fabric.node(pairs[i].a).name,
                          pairs[i].port, fabric.node(pairs[i].b).name, pairs[i].load);
    // The arrow is ours; names may hold any bytes.
    std::string safe;
    for (std::size_t at = 0, next = 0; at <= list.size(); at = next + 3) {
      next = std::min(list.find("→", at), list.size());
      safe += escaped(std::string_view(list).substr(at, next - at));
      if (next == list.size()) break;
      safe += "→";
    }
    put("{}</figcaption></figure>\n", safe);
  }

  const std::vector<CompareRow>& rows_;
  std::uint64_t scale_ = 0;  // the highest load of all rows
  std::string out_;
};

}  // namespace

std::string compare_page(const std::string& fabric_name, const std::vector<CompareRow>& rows,
                         unsigned permutations, std::uint64_t seed) {
  return ComparePage(fabric_name, rows, permutations, seed).text();
}

}  // namespace selvedge::route
