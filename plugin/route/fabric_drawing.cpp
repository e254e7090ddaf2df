// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/fabric_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

#include "plugin/fabric/naming.hpp"
#include "plugin/route/drawing.hpp"

namespace selvedge::route {
namespace {

// Colours by Okabe & Ito 2008, as in the drawings of paths.
constexpr const char* kCable = "#5c6b7a";
constexpr const char* kMissing = "#d00000";
constexpr const char* kSurplus = "#0072b2";
constexpr const char* kCrossed = "#cc79a7";
constexpr const char* kServiceCable = "#009e73";
constexpr const char* kHostMark = "#e69f00";

/// Compares names such that numbers in them count by value: leaf-2 is before leaf-10.
bool before_in_words(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [&](std::string_view text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t first = at;
      while (at < text.size() && digit(text[at])) ++at;
      return text.substr(first, at - first);
    };
    const std::string_view x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  return a.size() - i < b.size() - j;
}

class TreeDrawing {
 public:
  TreeDrawing(const Fabric& fabric, const FabricForm& form)
      : fabric_(fabric),
        form_(form),
        labels_(fabric),
        at_(fabric.num_switches()),
        box_(fabric.num_switches()) {
    for (const TreeForm& tree : form.trees) arrange(tree);
    std::size_t widest = 1;
    for (const Row& row : rows_) widest = std::max(widest, row.switches.size());
    pitch_ = std::clamp(kPage / static_cast<double>(widest), kNarrowest, kWidest);
    const double heading = 9.5 * static_cast<double>(form.describe().size());
    width_ = std::max({640.0, heading - kSide, pitch_ * static_cast<double>(widest)});
    for (Row& row : rows_) fit_names(row);
    place();
  }

  std::string text() && {
    draw_cables();
    for (const TreeForm& tree : form_.trees) {
      draw_service_cables(tree);
      draw_faults(tree);
    }
    draw_clashes();
    for (const Row& row : rows_) draw_row(row);
    draw_legend();
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{2}</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<text x=\"{3}\" y=\"28\" font-size=\"17\">{2}</text>\n",
        width_ + kSide + kMargin, bottom_, escaped(form_.describe()), kMargin);
    return svg + out_ + "</svg>\n";
  }

 private:
  // In pixels; kNarrowest and kWidest limit the width of one switch
  static constexpr double kPage = 1500, kNarrowest = 14, kWidest = 64;
  // In pixels; the names of rows are in the left margin
  static constexpr double kSide = 110, kMargin = 16, kTop = 64;
  static constexpr double kBoxHeight = 34, kLetter = 6.2;

  struct Row {
    enum class Kind { kLevel, kService, kDead };
    Kind kind = Kind::kLevel;
    std::string name;
    std::vector<SwitchId> switches;
    bool leaf = false, top = false;
    bool upright = false;  // whether names are upright, as they do not fit side by side
    double letters = 0;    // width of the longest name in pixels
    double y = 0;
    std::vector<HostId> above, per_switch_nodes;  // hosts of the whole tree; ascending
  };

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void sort_by_name(std::vector<SwitchId>& switches) const {
    std::ranges::stable_sort(switches, [&](SwitchId a, SwitchId b) {
      return before_in_words(labels_.of_switch(a), labels_.of_switch(b));
    });
  }

  /// Makes the rows, from the top down. In a row switches are sorted by name; if a level has
  /// several blocks, switches of one subtree remain together.
  void arrange(const TreeForm& tree) {
    const std::size_t h = tree.levels.size();
    std::vector<std::vector<SwitchId>> levels;
    for (const TreeLevel& level : tree.levels) {
      levels.push_back(level.switches);
      sort_by_name(levels.back());
    }
    // Subtrees remain together: each switch gets the rank of the first leaf switch below it.
    std::map<SwitchId, std::size_t> rank;
    for (std::size_t i = 0; i < levels[0].size(); ++i) rank[levels[0][i]] = i;
    std::vector<std::map<SwitchId, std::size_t>> first(h);  // per level: rank of a switch's subtree
    first[0] = rank;
    for (std::size_t l = 0; l + 1 < h; ++l)
      for (bool changed = true; changed;) {
        changed = false;  // repeated, since blocks of one subtree must be merged
        for (const TreeBlock& block : tree.stages[l].blocks) {
          std::size_t low = SIZE_MAX;
          for (const SwitchId s : block.lower) low = std::min(low, first[l][s]);
          for (const SwitchId s : block.upper) {
            const auto [it, fresh] = first[l + 1].try_emplace(s, low);
            if (!fresh && it->second <= low) continue;
            it->second = low;
            changed |= !fresh;
          }
        }
      }
    std::map<SwitchId, std::vector<std::size_t>> key;  // ranks from the top level down to its own
    for (std::size_t l = h; l-- > 0;)
      for (const SwitchId s : levels[l]) {
        std::vector<std::size_t> own;
        if (l + 1 < h)
          for (const TreeBlock& block : tree.stages[l].blocks)
            if (std::ranges::binary_search(block.lower, s) && !block.upper.empty())
              own = key[block.upper[0]];
        own.push_back(first[l][s]);
        key[s] = own;
      }
    // Sorted by these ranks, not by which of several top switches a block is connected to: that
    // says nothing about the block's place.
    for (std::size_t l = 0; l < h; ++l)
      std::ranges::stable_sort(levels[l], {}, [&](SwitchId s) { return key[s]; });

    for (std::size_t l = h; l-- > 0;) {
      Row row;
      row.name = fmt::format("{} {}", levels[l].size(), tree.level_name(l, levels[l].size()));
      row.switches = levels[l];
      row.leaf = l == 0;
      row.top = l + 1 == h;
      row.above = tree.hosts_above;
      row.per_switch_nodes = tree.per_switch_nodes;
      rows_.push_back(std::move(row));
    }
    if (!tree.service_switches.empty()) {
      Row row;
      row.kind = Row::Kind::kService;
      row.name = "small switches";
      row.switches = tree.service_switches;
      sort_by_name(row.switches);
      row.leaf = true;
      rows_.push_back(std::move(row));
    }
    if (&tree == &form_.trees.back() && !form_.dead.empty()) {
      Row row;
      row.kind = Row::Kind::kDead;
      row.name = "no cable";
      row.switches = form_.dead;
      sort_by_name(row.switches);
      rows_.push_back(std::move(row));
    }
  }

  void fit_names(Row& row) const {
    for (const SwitchId s : row.switches)
      row.letters =
          std::max(row.letters, kLetter * static_cast<double>(labels_.of_switch(s).size()));
    const double place =
        width_ / static_cast<double>(std::max<std::size_t>(1, row.switches.size()));
    row.upright = row.letters > std::min(place, 3 * kWidest) - 4;
  }

  void place() {
    const double gap = std::max(std::clamp(width_ / 4, 130.0, 380.0), width_ / 12);
    double y = kTop;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Row& row = rows_[i];
      if (row.upright && !row.leaf) y += row.letters;
      row.y = y;
      const double place = width_ / static_cast<double>(row.switches.size());
      // Boxes of leaf switches are as wide as their names. In upper rows, where many cables end,
      // boxes are as wide as there is room.
      const double box =
          row.upright ? std::min(place * 0.82, 30.0)
          : row.leaf  ? std::max(row.letters + 4, std::min(place * 0.82, 46.0))
                      : std::clamp(place * 0.82, row.letters + 4, std::max(row.letters + 4, 170.0));
      for (const SwitchId s : row.switches) box_[s] = std::min(box, place - 3);
      for (std::size_t k = 0; k < row.switches.size(); ++k)
        at_[row.switches[k]] = {kSide + (static_cast<double>(k) + 0.5) * place, y};
      y += kBoxHeight + (row.upright && row.leaf ? row.letters + 8 : 0);
      const bool apart = i + 1 < rows_.size() && rows_[i + 1].kind != Row::Kind::kLevel;
      if (i + 1 < rows_.size()) y += apart || row.leaf ? 70 : gap;
    }
    bottom_ = y + 30;
  }

  /// The line from the lower side of `upper` to the upper side of `lower`. The ends of lines are
  /// spread over the sides, so that lines do not all begin at one point.
  std::string line(SwitchId upper, SwitchId lower, double aside = 0) const {
    const auto end = [&](SwitchId s, SwitchId other) {
      const double along = (at_[other].x - kSide) / width_ - 0.5;  // from −½ to ½
      return at_[s].x + 0.9 * along * box_[s] + aside;
    };
    return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", end(upper, lower), at_[upper].y + kBoxHeight,
                       end(lower, upper), at_[lower].y);
  }

  static double stroke(unsigned cables) { return std::min(7.0, 0.3 + 0.6 * cables); }

  void draw_cables() {
    std::map<unsigned, std::string> by_count;  // number of cables → the lines of that width
    for (const TreeForm& tree : form_.trees)
      for (std::size_t l = 0; l < tree.stages.size(); ++l)
        for (const SwitchId s : tree.levels[l].switches) {
          std::map<SwitchId, unsigned> cables;
          for (const Channel c : fabric_.out(s))
            if (std::ranges::binary_search(tree.levels[l + 1].switches, fabric_.target(c)) &&
                std::ranges::find(tree.crossed, c) == tree.crossed.end())
              ++cables[fabric_.target(c)];
          for (const auto& [upper, count] : cables) by_count[count] += line(upper, s);
        }
    // If there are very many lines, they are fainter, so that they do not hide each other.
    std::size_t bytes = 0;
    for (const auto& [count, lines] : by_count) bytes += lines.size();
    constexpr double kLineBytes = 27, kFewLines = 1500;
    const double opacity =
        0.45 * std::clamp(kFewLines * kLineBytes / (static_cast<double>(bytes) + 1), 0.2, 1.0);
    for (const auto& [count, lines] : by_count) {
      put("<path fill=\"none\" stroke=\"{}\" stroke-opacity=\"{:.2f}\" stroke-width=\"{:.1f}\" "
          "d=\"{}\"/>\n",
          kCable, opacity, stroke(count), lines);
      add_legend(fmt::format("{} {} a pair", count, count == 1 ? "cable" : "cables"), kCable,
                 stroke(count), false);
    }
  }

  void draw_service_cables(const TreeForm& tree) {
    std::string lines;
    for (const SwitchId s : tree.service_switches)
      for (const Channel c : fabric_.out(s)) {
        const SwitchId t = fabric_.target(c);
        const bool above = at_[t].y < at_[s].y;
        lines += above ? line(t, s) : line(s, t);
      }
    if (lines.empty()) return;
    put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"{}\"/>\n", kServiceCable, lines);
    add_legend("cables of small switches", kServiceCable, 1, false);
  }

  void draw_fault(const std::string& path, const char* colour, double width, bool dashed,
                  const std::string& title) {
    put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\"{} d=\"{}\"><title>{}</title>"
        "</path>\n",
        colour, width, dashed ? " stroke-dasharray=\"7 5\"" : "", path, escaped(title));
  }

  void draw_faults(const TreeForm& tree) {
    const auto title = [&](const TreePair& pair) {
      return fmt::format("{} – {}: {} of {} cables", labels_.of_switch(pair.lower),
                         labels_.of_switch(pair.upper), pair.cables, pair.usual);
    };
    for (const TreePair& pair : tree.missing) {
      draw_fault(line(pair.upper, pair.lower, pair.cables > 0 ? 2.5 : 0), kMissing, 1.5, true,
                 title(pair));
      add_legend("cables missing", kMissing, 1.5, true);
    }
    for (const TreePair& pair : tree.surplus) {
      draw_fault(line(pair.upper, pair.lower, 2.5), kSurplus, 2, false, title(pair));
      add_legend("more cables than usual", kSurplus, 2, false);
    }
    for (const Channel c : tree.crossed) {
      draw_fault(line(fabric_.target(c), fabric_.switch_of(c)), kCrossed, 2.5, false,
                 fabric_.port_name(c) + " – " + fabric_.port_name(fabric_.peer(c)));
      add_legend("cables that join two parts", kCrossed, 2.5, false);
    }
  }

  void draw_clashes() {
    for (const LevelClash& clash : form_.clashes) {
      const Point a = at_[fabric_.switch_of(clash.cable)], b = at_[fabric_.target(clash.cable)];
      const double low = std::max(a.y, b.y) + kBoxHeight + 40;
      draw_fault(fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", a.x, a.y + kBoxHeight,
                             (a.x + b.x) / 2, low, b.x, b.y + kBoxHeight),
                 kCrossed, 2.5, false, selvedge::describe(fabric_, clash));
      add_legend("joins two switches of a level", kCrossed, 2.5, false);
    }
  }

  void draw_row(const Row& row) {
    put("<text x=\"{}\" y=\"{:.0f}\" font-size=\"13\" fill=\"#444444\">{}</text>\n", kMargin,
        row.y + kBoxHeight / 2 + 4, escaped(row.name));
    for (const SwitchId s : row.switches) draw_switch(row, s);
  }

  void draw_switch(const Row& row, SwitchId s) {
    const Point p = at_[s];
    const double box = box_[s];
    const std::size_t hosts = fabric_.hosts_at(s).size();
    const auto marked = static_cast<std::size_t>(std::ranges::count_if(
        fabric_.hosts_at(s), [&](HostId h) { return std::ranges::binary_search(row.above, h); }));
    const auto counted = std::ranges::count_if(fabric_.hosts_at(s), [&](HostId h) {
      return !std::ranges::binary_search(row.per_switch_nodes, h);
    });
    const char* line = row.kind == Row::Kind::kDead ? kMissing : "#333333";
    const char* dash = row.kind == Row::Kind::kLevel ? "" : " stroke-dasharray=\"4 3\"";
    const char* fill = row.leaf && counted == 0 ? "#f4e3c1" : row.leaf ? "#e8f1f8" : "#ffffff";
    put("<g><title>{}: {} {}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.0f}\" rx=\"3\" fill=\"{}\" stroke=\"{}\"{}/>",
        escaped(labels_.of_switch(s)), hosts, hosts == 1 ? "host" : "hosts", p.x - box / 2, p.y,
        box, kBoxHeight, fill, line, dash);
    const std::string name = escaped(labels_.of_switch(s));
    const double middle = p.y + kBoxHeight / 2 + 4;
    if (!row.upright)
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", p.x,
          row.leaf ? p.y + 14 : middle, name);
    else
      put("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"{}\" "
          "font-size=\"{}\">{}</text>",
          p.x + 4, row.leaf ? p.y + kBoxHeight + 6 : p.y - 6, row.leaf ? "end" : "start",
          pitch_ < 12 ? 8 : 11, name);
    if (row.leaf && pitch_ >= 12)
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-weight=\"bold\" "
          "fill=\"#0b4f7d\">{}</text>",
          p.x, row.upright ? middle : p.y + 28, counted);
    if (!row.leaf && hosts > 0) {  // the mark is above the right corner of the box
      const double x = p.x + box / 2 - 5, y = p.y - 5;
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\" "
          "stroke=\"{}\"/>",
          x, y, marked > 0 ? kHostMark : "#ffffff", "#333333");
      if (marked > 0)
        put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>", x + 14, y + 6,
            marked);
      (marked > 0 ? marked_ : resident_) = true;
    }
    put("</g>\n");
  }

  struct LegendLine {
    std::string text;
    const char* colour;
    double width;
    bool dashed;
  };
  void add_legend(std::string text, const char* colour, double width, bool dashed) {
    if (std::ranges::find(legend_, text, &LegendLine::text) == legend_.end())
      legend_.push_back({std::move(text), colour, width, dashed});
  }

  void draw_legend() {
    constexpr double kStep = 190;
    double x = kMargin, y = bottom_ + 6;
    const auto next = [&] {
      x += kStep;
      if (x + kStep > width_ + kSide) x = kMargin, y += 20;
    };
    for (const LegendLine& l : legend_) {
      put("<path stroke=\"{}\" stroke-width=\"{:.1f}\"{} d=\"M{:.0f} {:.0f}h26\"/>", l.colour,
          l.width, l.dashed ? " stroke-dasharray=\"7 5\"" : "", x, y - 4);
      put("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", x + 32, y, escaped(l.text));
      next();
    }
    const auto mark = [&](const char* fill, const char* what) {
      put("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"10\" height=\"10\" fill=\"{}\" "
          "stroke=\"#333333\"/>",
          x + 8, y - 9, fill);
      put("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", x + 32, y, what);
      next();
    };
    if (marked_) mark(kHostMark, "hosts above the leaves");
    if (resident_) mark("#ffffff", "a host as on every switch");
    put("<text x=\"{:.0f}\" y=\"{:.0f}\" fill=\"#0b4f7d\" font-weight=\"bold\">n</text>", x + 8, y);
    put("<text x=\"{:.0f}\" y=\"{:.0f}\">number of hosts</text>\n", x + 32, y);
    bottom_ = y + 20;
  }

  const Fabric& fabric_;
  const FabricForm& form_;
  const Labels labels_;
  std::vector<Point> at_;    // per switch: the middle of its box's upper side
  std::vector<double> box_;  // per switch: the width of its box
  std::vector<Row> rows_;
  std::vector<LegendLine> legend_;
  double pitch_ = 0, width_ = 0, bottom_ = 0;
  bool marked_ = false, resident_ = false;
  std::string out_;
};

}  // namespace

std::string draw_fabric(const Fabric& fabric, const FabricForm& form) {
  if (!form.trees.empty()) return TreeDrawing(fabric, form).text();
  std::vector<Mark> marks;
  for (const auto& [a, b] : form.regularity.missing) marks.push_back({a, b, kMissing, true});
  for (const Channel c : form.regularity.surplus)
    marks.push_back({fabric.switch_of(c), fabric.target(c), kCrossed, false});
  return draw_network(fabric, form.describe(), marks);
}

}  // namespace selvedge::route
