// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace selvedge::route {
namespace {

// Colours that people with any kind of colour vision can distinguish (Okabe & Ito 2008).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#8c6d31", "#444444"};
constexpr double kMargin = 70, kLegendRow = 20, kHeading = 34;
constexpr std::uint32_t kMostNamed = 256;   // switches up to which all names are shown
constexpr std::uint32_t kMostBent = 2'000;  // switches up to which links are drawn around switches

class Drawing {
 public:
  Drawing(const Fabric& fabric, const Node& source, const Node& destination,
          std::vector<PairPath> paths)
      : fabric_(fabric),
        source_(source),
        destination_(destination),
        paths_(std::move(paths)),
        layout_(lay_out(fabric, source.at)),
        cell_(std::clamp(1200 / std::max(1.0, layout_.width), 30.0, 110.0)),
        on_path_(fabric.num_switches(), false) {
    for (const PairPath& p : paths_)
      for (const SwitchId s : p.path.switches) on_path_[s] = true;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const auto alike = [&](const PairPath& p) {
        return p.path.channels == paths_[i].path.channels && p.path.end == paths_[i].path.end;
      };
      same_.push_back(
          static_cast<std::size_t>(std::ranges::find_if(paths_, alike) - paths_.begin()));
      if (same_[i] == i)
        lane_.push_back(lanes_++);
      else
        lane_.push_back(lane_[same_[i]]);
    }
  }

  /// Draws the fabric without paths.
  std::string network(const std::string& title, const std::vector<Mark>& marks) && {
    const double width = std::max(layout_.width * cell_ + 2 * kMargin, 640.0);
    const double height = layout_.height * cell_ + 2 * kMargin + kHeading;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        width, height);
    put("<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<text x=\"20\" y=\"26\" font-size=\"16\">{0}</text>\n",
        escaped(title));
    draw_links(true);
    for (const Mark& mark : marks)
      put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{} d=\"{}\"/>\n", mark.colour,
          mark.dashed ? " stroke-dasharray=\"5 4\"" : "", curve(mark.a, mark.b, 0));
    on_path_.assign(fabric_.num_switches(), true);
    draw_switches();
    if (fabric_.num_switches() <= kMostNamed)
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
        if (const std::size_t hosts = fabric_.hosts_at(s).size(); hosts > 0)
          put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" font-weight=\"bold\" "
              "fill=\"#0b4f7d\">{}</text>\n",
              pixel(s).x - 8, pixel(s).y + 14, hosts);
    put("</svg>\n");
    return std::move(out_);
  }

  std::string text() && {
    const double width = std::max(layout_.width * cell_ + 2 * kMargin, 640.0);
    const double drawing = layout_.height * cell_ + 2 * kMargin + kHeading;
    const double height = drawing + kLegendRow * static_cast<double>(paths_.size() + 1);
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        width, height);
    put("<title>Paths from {} to {}</title>\n", escaped(source_.name), escaped(destination_.name));
    put("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    put("<text x=\"20\" y=\"26\" font-size=\"16\">Paths from {} to {}</text>\n",
        escaped(source_.name), escaped(destination_.name));
    draw_links(false);
    for (std::size_t i = 0; i < paths_.size(); ++i) draw_path(i);
    draw_switches();
    draw_end(source_);
    if (source_.name != destination_.name) draw_end(destination_);
    draw_legend(drawing);
    put("</svg>\n");
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  Point pixel(Point p) const { return {kMargin + p.x * cell_, kMargin + kHeading + p.y * cell_}; }
  Point pixel(SwitchId s) const { return pixel(layout_.at[s]); }

  bool in_one_plane(SwitchId a, SwitchId b) const {
    return layout_.plane.empty() || layout_.plane[a] == layout_.plane[b];
  }

  /// Whether a straight line between the two switches would cross another switch.
  bool obstructed(SwitchId a, SwitchId b) const {
    if (fabric_.num_switches() > kMostBent) return false;
    constexpr double kNear = 0.1;
    const Point p = layout_.at[a], q = layout_.at[b];
    const double dx = q.x - p.x, dy = q.y - p.y, length = std::hypot(dx, dy);
    if (length < 1e-9) return false;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      if (s == a || s == b) continue;
      const double along = ((layout_.at[s].x - p.x) * dx + (layout_.at[s].y - p.y) * dy) / length;
      const double off = ((layout_.at[s].x - p.x) * dy - (layout_.at[s].y - p.y) * dx) / length;
      if (along > kNear && along < length - kNear && std::abs(off) < kNear) return true;
    }
    return false;
  }

  /// The curve from a to b, `aside` pixels beside the line of the link, on the same side in both
  /// directions. (So paths over one link are side by side.)
  std::string curve(SwitchId a, SwitchId b, double aside) const {
    const bool forward = a < b;
    const SwitchId low = forward ? a : b, high = forward ? b : a;
    Point p = pixel(low), q = pixel(high);
    const double dx = q.x - p.x, dy = q.y - p.y;
    const double length = std::max(1e-9, std::hypot(dx, dy));
    const Point normal{dy / length, -dx / length};
    p = {p.x + normal.x * aside, p.y + normal.y * aside};
    q = {q.x + normal.x * aside, q.y + normal.y * aside};
    // Links within a plane bend to the upper or right side, links between planes to the lower or
    // left side, so that the two kinds can be distinguished.
    const bool leftwards = dx < 0 || (dx == 0 && dy < 0);
    const double side = in_one_plane(low, high) != leftwards ? 1 : -1;
    const double bend = obstructed(low, high) ? side * std::min(0.35 * length, cell_ * 0.9) : 0;
    const Point middle{(p.x + q.x) / 2 + normal.x * bend, (p.y + q.y) / 2 + normal.y * bend};
    if (!forward) std::swap(p, q);
    if (bend == 0) return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", p.x, p.y, q.x, q.y);
    return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", p.x, p.y, middle.x, middle.y,
                       q.x, q.y);
  }

  /// Draws all links. With `bundles`, parallel cables are one line, which is the wider the more
  /// cables there are.
  void draw_links(bool bundles) {
    std::map<std::pair<SwitchId, SwitchId>, unsigned> cables;
    for (const Channel c : fabric_.links()) {
      const SwitchId a = fabric_.switch_of(c), b = fabric_.target(c);
      ++cables[{std::min(a, b), std::max(a, b)}];
    }
    for (const bool between : {true, false}) {
      put("<g fill=\"none\" stroke=\"{}\" stroke-width=\"1\">\n", between ? "#e8eaec" : "#c4c8cc");
      for (const auto& [pair, count] : cables)
        if (in_one_plane(pair.first, pair.second) != between) {
          const double width = bundles ? std::min(7.0, 0.4 + 0.8 * count) : 1;
          put("<path{} d=\"{}\"/>\n",
              count > 1 && bundles ? fmt::format(" stroke-width=\"{:.1f}\"", width) : "",
              curve(pair.first, pair.second, 0));
        }
      put("</g>\n");
    }
  }

  static const char* colour(std::size_t i) { return kColours[i % std::size(kColours)]; }

  void draw_path(std::size_t i) {
    const PairPath& p = paths_[i];
    if (p.path.channels.empty() || same_[i] != i) return;
    const double count = static_cast<double>(lanes_);
    const double pitch = std::min(4.0, 16.0 / count);
    const double aside = (static_cast<double>(lane_[i]) - (count - 1) / 2) * pitch;
    std::string data;
    for (const Channel c : p.path.channels)
      data += curve(fabric_.switch_of(c), fabric_.target(c), aside);
    put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} d=\"{}\"><title>LID {}</title>"
        "</path>\n",
        colour(lane_[i]), p.disjoint ? 3 : 1.2, p.path.arrives() ? "" : " stroke-dasharray=\"5 4\"",
        data, p.dlid);
  }

  void draw_switches() {
    const double radius = fabric_.num_switches() <= kMostNamed ? 6 : 4;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      const Point p = pixel(s);
      const bool failed = fabric_.node(s).failed;
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\">"
          "<title>{}{}</title></circle>\n",
          p.x, p.y, radius, failed ? "#f3d0d0" : "#ffffff", on_path_[s] ? "#222222" : "#9aa0a6",
          escaped(fabric_.node(s).name), failed ? " (failed)" : "");
      if (fabric_.num_switches() <= kMostNamed || (!paths_.empty() && on_path_[s]))
        put("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", p.x + radius + 2, p.y - 6,
            on_path_[s] ? "#222222" : "#9aa0a6", escaped(fabric_.node(s).name));
    }
  }

  void draw_end(const Node& node) {
    if (node.host == kNoHost) return;
    const Point p = pixel(node.at);
    const Point h{p.x - 16, p.y + 18};
    put("<path stroke=\"#222222\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", p.x - 4, p.y + 4, h.x,
        h.y);
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"#222222\"/>\n", h.x - 5,
        h.y - 5);
    // The name is left of the symbol or, if the page ends there, below it.
    const bool beyond = h.x - 8 < 7.0 * static_cast<double>(node.name.size());
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-weight=\"bold\">{}</text>\n",
        beyond ? 6 : h.x - 8, beyond ? h.y + 18 : h.y + 5, beyond ? "start" : "end",
        escaped(node.name));
  }

  void draw_legend(double top) {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const PairPath& p = paths_[i];
      const double y = top + kLegendRow * static_cast<double>(i);
      put("<path stroke=\"{}\" stroke-width=\"{}\"{} d=\"M20 {:.0f}h30\"/>\n", colour(lane_[i]),
          p.disjoint ? 3 : 1.2, p.path.arrives() ? "" : " stroke-dasharray=\"5 4\"", y - 4);
      std::string vls = "-";
      if (!p.path.vls.empty()) vls = fmt::format("{}", fmt::join(p.path.vls, ","));
      const std::string as =
          same_[i] == i ? "" : fmt::format(", the path of LID {}", paths_[same_[i]].dlid);
      put("<text x=\"60\" y=\"{:.0f}\">LID {}, SL {}, VLs {}, {} links{}{}{}</text>\n", y, p.dlid,
          p.path.sl, vls, p.path.hops(), p.disjoint ? ", disjoint" : "",
          p.path.arrives() ? "" : ", does not arrive", as);
    }
  }

  const Fabric& fabric_;
  const Node& source_;
  const Node& destination_;
  const std::vector<PairPath> paths_;
  const Layout layout_;
  const double cell_;  // size of a cell in pixels
  std::vector<bool> on_path_;
  std::vector<std::size_t> same_;  // per path: the first path over the same channels
  std::vector<std::size_t> lane_;  // per path: its number among the paths that are drawn
  std::size_t lanes_ = 0;
  std::string out_;
};

std::string draw_nothing(const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"80\" "
      "font-family=\"sans-serif\"><text x=\"20\" y=\"26\">{}: no switch</text></svg>\n",
      escaped(title));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (byte < 0x20 || byte >= 0x7f)
      safe += '?';  // node descriptions are bytes without a declared encoding
    else
      safe += c;
  }
  return safe;
}

std::string draw_network(const Fabric& fabric, const std::string& title,
                         const std::vector<Mark>& marks) {
  if (fabric.num_switches() == 0) return draw_nothing(title);
  Node corner;  // the source from which an irregular fabric is laid out
  corner.at = 0;
  return Drawing(fabric, corner, corner, {}).network(title, marks);
}

std::string draw_paths(const Fabric& fabric, const Node& source, const Node& destination,
                       const std::vector<PairPath>& paths) {
  return Drawing(fabric, source, destination, paths).text();
}

}  // namespace selvedge::route
