// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics that a test draws as text, and tables as text beside them. The fabric is made from the
// drawing itself, so a drawing always shows the fabric that is tested.
//
//   A───B═══C        A capital letter is a switch with one host, a small one a switch without.
//   │   │   │        A line is a cable, a double line two parallel cables. Lines may turn (┌ ┐ └ ┘,
//   d───E───F        ╔ ╗ ╚ ╝) and cross (┼).
//
// Switch and host ids follow the alphabet, capitals first; so do LIDs (first those of the switches,
// then those of the hosts). Ports: the host is at port 1; the next ports are the cables to the
// left, right, up and down, with two ports for a double line. Switches are named "A", hosts "hA".
// The GUID of A is 0x410 (0x10 times the letter's code), the GUID of its host 0x10410.
//
// A table has a row for each switch and a column for each host. An entry is the switch that the
// packet goes to next:
//
//     A  B  C
//   A ·  B  B          · to the host itself        -  no path: the entry is 255
//   B A  ·  C2         C1, C2  by the first or the second of two parallel cables
//   C B1* B1 ·         x  by a cable that is gone   *  another entry than before
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::test {

using Codes = std::u32string;

inline Codes decoded(std::string_view text) {
  Codes codes;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const unsigned more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (lead >= 0x80 && lead < 0xC0) throw std::invalid_argument("a drawing is not UTF-8");
    char32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
    for (unsigned k = 1; k <= more; ++k)
      code = code << 6 | (static_cast<unsigned char>(text.at(i + k)) & 0x3Fu);
    codes.push_back(code);
    i += 1 + more;
  }
  return codes;
}

inline std::string encoded(const Codes& codes) {
  std::string text;
  for (const char32_t c : codes) {
    if (c < 0x80) {
      text += static_cast<char>(c);
      continue;
    }
    if (c < 0x800) {
      text += static_cast<char>(0xC0 | c >> 6);
    } else {
      text += static_cast<char>(0xE0 | c >> 12);
      text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    }
    text += static_cast<char>(0x80 | (c & 0x3F));
  }
  return text;
}

/// The lines without their common indentation, without spaces at their ends, and without empty
/// lines at the begin and the end.
inline std::vector<Codes> block(std::vector<Codes> lines) {
  std::size_t indent = Codes::npos;
  for (Codes& line : lines) {
    line.erase(line.find_last_not_of(U' ') + 1);
    if (!line.empty()) indent = std::min(indent, line.find_first_not_of(U' '));
  }
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (Codes& line : lines)
    if (!line.empty()) line.erase(0, indent);
  return lines;
}

inline std::vector<Codes> lines_of(std::string_view text) {
  std::vector<Codes> lines(1);
  for (const char32_t c : decoded(text)) {
    if (c == U'\n')
      lines.emplace_back();
    else
      lines.back().push_back(c);
  }
  return lines;
}

inline std::string joined(const std::vector<Codes>& lines) {
  std::string text;
  for (const Codes& line : lines) text += encoded(line) + '\n';
  return text;
}

/// A raw string of a test, made comparable with computed text: as block() returns it, with a
/// newline at the end.
inline std::string plain(std::string_view raw) { return joined(block(lines_of(raw))); }

/// Two texts, the second to the right of the first.
inline std::string beside(const std::string& left, const std::string& right) {
  std::vector<Codes> a = block(lines_of(left)), b = block(lines_of(right));
  std::size_t width = 0;
  for (const Codes& line : a) width = std::max(width, line.size());
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) {
    a[i].resize(width + 4, U' ');
    a[i] += b[i];
  }
  return joined(block(std::move(a)));
}

/// Drawings side by side, separated: the lines are cut at each column in which one of them has an
/// arrow (→).
inline std::vector<std::vector<Codes>> panels(std::string_view text) {
  const std::vector<Codes> lines = lines_of(text);
  std::set<std::size_t> arrows;
  for (const Codes& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c)
      if (line[c] == U'→') arrows.insert(c);
  arrows.insert(Codes::npos);
  std::vector<std::vector<Codes>> cut;
  std::size_t from = 0;
  for (const std::size_t to : arrows) {
    std::vector<Codes> panel;
    for (const Codes& line : lines)
      panel.push_back(from < line.size() ? line.substr(from, to - from) : Codes{});
    cut.push_back(block(std::move(panel)));
    from = to + 1;
  }
  return cut;
}

class Drawing {
 public:
  /// Throws std::invalid_argument, with the place, if the text is no drawing.
  explicit Drawing(std::string_view text) : Drawing(block(lines_of(text))) {}
  explicit Drawing(std::vector<Codes> lines) : lines_(std::move(lines)) {
    find_switches();
    find_cables();
    build();
  }

  const Fabric& fabric() const { return fabric_; }
  SwitchId at(char letter) const {
    const SwitchId s = fabric_.find_switch(std::string_view(&letter, 1));
    if (s == kNoSwitch) throw std::invalid_argument(fmt::format("no switch {} is drawn", letter));
    return s;
  }
  HostId host(char letter) const { return fabric_.hosts_at(at(letter))[0]; }
  Lid lid(char letter) const { return fabric_.host(host(letter)).lid; }
  /// The channel from a to b, by their first or second cable.
  Channel channel(char a, char b, unsigned which = 1) const {
    for (const Channel c : fabric_.out(at(a)))
      if (fabric_.target(c) == at(b) && --which == 0) return c;
    throw std::invalid_argument(fmt::format("no such cable from {} to {} is drawn", a, b));
  }

  /// The fault that turns this drawing into `less`: the switches and cables that `less` lacks.
  /// Where a double line has become a single one, the second of the two cables is lost.
  Fault lost_in(const Drawing& less) const {
    Fault fault;
    for (const Switch& s : fabric_.switches())
      if (less.fabric_.find_switch(s.name) == kNoSwitch)
        fault.switches.push_back(fabric_.find_switch(s.name));
    std::map<std::pair<std::string, std::string>, unsigned> left;
    for (const Channel c : less.fabric_.links()) ++left[less.ends(c)];
    for (const Channel c : fabric_.links()) {
      const auto [a, b] = ends(c);
      if (left[{a, b}] > 0)
        --left[{a, b}];
      else if (less.fabric_.find_switch(a) != kNoSwitch && less.fabric_.find_switch(b) != kNoSwitch)
        fault.links.push_back(c);
    }
    for (const auto& [cable, more] : left)
      if (more > 0)
        throw std::invalid_argument(fmt::format("the second drawing has a cable {}─{} of its own",
                                                cable.first, cable.second));
    return fault;
  }

  /// The drawing with only these cables, each given by one of its channels.
  std::string redrawn(const std::vector<Channel>& cables) const {
    std::vector<Codes> lines = lines_;
    std::map<std::pair<std::size_t, std::size_t>, unsigned> drawn;
    const auto has = [&](Channel c) {
      return std::ranges::find(cables, c) != cables.end() ||
             std::ranges::find(cables, fabric_.peer(c)) != cables.end();
    };
    for (const Cable& cable : cables_)
      for (unsigned i = 0; i < cable.count; ++i)
        for (const auto& cell : cable.cells)
          drawn[cell] += has(fabric_.channel(cable.a, static_cast<PortNum>(cable.a_port + i)));
    for (const auto& [cell, count] : drawn) {
      char32_t& code = lines[cell.first][cell.second];
      const std::size_t twice = kDouble.find(code);
      if (count == 0)
        code = U' ';
      else if (count == 1 && twice != Codes::npos)
        code = kSingle[twice];
    }
    for (Codes& line : lines) line.erase(line.find_last_not_of(U' ') + 1);
    return joined(lines);
  }
  /// The drawing with only the cables of a tree. `parents`: for each switch the channel to its
  /// parent.
  std::string redrawn_tree(const std::vector<Channel>& parents) const {
    std::vector<Channel> cables;
    for (const Channel c : parents)
      if (c != kNoChannel) cables.push_back(c);
    return redrawn(cables);
  }

  /// The node at the far end of a port: "B", or "B2" for the second of two cables to B; "host" for
  /// the switch's host.
  std::string beyond(SwitchId s, PortNum port) const {
    if (port == 0) return "itself";
    const Channel c = fabric_.channel(s, port);
    if (!fabric_.between_switches(c)) return "host";
    const SwitchId to = fabric_.target(c);
    unsigned which = 0, all = 0;
    for (const Channel d : fabric_.out(s)) {
      if (fabric_.target(d) != to) continue;
      ++all;
      if (d <= c) ++which;
    }
    return all > 1 ? fmt::format("{}{}", fabric_.node(to).name, which) : fabric_.node(to).name;
  }
  /// The letter of the switch that has this LID, or whose host has it.
  std::string owner(Lid lid) const {
    const LidOwner who = fabric_.owner(lid);
    if (who.kind == LidOwner::Kind::kHost) return fabric_.node(fabric_.host(who.id).at).name;
    return "switch " + fabric_.node(who.id).name;
  }

  /// The tables that this text describes (see above), with entries for the LIDs of hosts only.
  Tables tables(std::string_view text) const {
    std::vector<std::vector<std::string>> rows;
    for (const Codes& line : block(lines_of(text))) {
      std::vector<std::string>& row = rows.emplace_back();
      for (std::size_t c = 0; c < line.size(); ++c) {
        if (line[c] == U' ') continue;
        if (c == 0 || line[c - 1] == U' ') row.emplace_back();
        row.back() += encoded({line[c]});
      }
    }
    Tables tables(fabric_);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      const SwitchId s = at(rows[r].at(0).at(0));
      for (std::size_t c = 0; c < rows[0].size(); ++c)
        tables.set_next(s, lid(rows[0][c].at(0)), port(s, rows[r].at(c + 1)));
    }
    return tables;
  }
  /// The text of these tables. `left`: this fabric, whole or damaged. Entries that differ from
  /// `before` are marked with *.
  std::string table(const Fabric& left, const Tables& tables,
                    const Tables* before = nullptr) const {
    std::vector<std::vector<std::string>> rows;
    std::size_t width = 0;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      std::vector<std::string>& row = rows.emplace_back();
      for (const Host& h : fabric_.hosts()) {
        const PortNum port = tables.next(s, h.lid);
        row.push_back(entry(left, s, port));
        if (port == h.port && s == h.at) row.back() = "·";
        if (before != nullptr && before->next(s, h.lid) != port) row.back() += '*';
        width = std::max(width, decoded(row.back()).size());
      }
    }
    Codes head(2, U' ');
    for (const Host& h : fabric_.hosts()) {
      head += decoded(fabric_.node(h.at).name);
      head.resize(head.size() + width, U' ');
    }
    std::vector<Codes> lines{std::move(head)};
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      Codes line = decoded(fabric_.node(s).name + " ");
      for (const std::string& cell : rows[s]) {
        const std::size_t next = line.size() + width + 1;
        line += decoded(cell);
        line.resize(next, U' ');
      }
      lines.push_back(std::move(line));
    }
    return joined(lines_without_ends(std::move(lines)));
  }

 private:
  using Cell = std::pair<std::size_t, std::size_t>;  // line, column
  enum Way : unsigned { kLeft, kRight, kUp, kDown };
  struct Cable {
    SwitchId a, b;
    PortNum a_port, b_port;  // ports of the first cable
    unsigned count;
    std::vector<Cell> cells;
  };
  static constexpr std::u32string_view kSingle = U"─│┌┐└┘", kDouble = U"═║╔╗╚╝";

  [[noreturn]] static void fail(const Cell& cell, std::string_view what) {
    throw std::invalid_argument(
        fmt::format("drawing, line {}, column {}: {}", cell.first + 1, cell.second + 1, what));
  }
  static std::vector<Codes> lines_without_ends(std::vector<Codes> lines) {
    for (Codes& line : lines) line.erase(line.find_last_not_of(U' ') + 1);
    return lines;
  }
  static bool letter(char32_t c) { return (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z'); }
  char32_t code(const Cell& cell) const {
    return cell.first < lines_.size() && cell.second < lines_[cell.first].size()
               ? lines_[cell.first][cell.second]
               : U' ';
  }
  static Cell next(Cell cell, Way way) {  // may be beyond the drawing, where all cells are empty
    switch (way) {
      case kLeft:
        return {cell.first, cell.second - 1};
      case kRight:
        return {cell.first, cell.second + 1};
      case kUp:
        return {cell.first - 1, cell.second};
      case kDown:
        return {cell.first + 1, cell.second};
    }
    return cell;
  }
  static Way back(Way way) { return static_cast<Way>(way ^ 1u); }
  /// The two directions in which a line leaves its cell. `shape`: the index of the cell's character
  /// in kSingle or kDouble.
  static std::array<Way, 2> ways(std::size_t shape) {
    static constexpr std::array<Way, 2> kWays[] = {{kLeft, kRight}, {kUp, kDown},  {kRight, kDown},
                                                   {kLeft, kDown},  {kRight, kUp}, {kLeft, kUp}};
    return kWays[shape];
  }

  void find_switches() {
    std::map<std::pair<bool, char32_t>, Cell> letters;  // capitals first
    for (std::size_t l = 0; l < lines_.size(); ++l)
      for (std::size_t c = 0; c < lines_[l].size(); ++c) {
        const char32_t code = lines_[l][c];
        if (!letter(code)) {
          if (code != U' ' && code != U'┼' && kSingle.find(code) == Codes::npos &&
              kDouble.find(code) == Codes::npos)
            fail({l, c}, "this sign has no meaning");
          continue;
        }
        if (!letters.emplace(std::pair(code >= U'a', code), Cell{l, c}).second)
          fail({l, c}, "this letter was there before");
        if (c > 0 && letter(lines_[l][c - 1])) fail({l, c}, "two letters touch");
      }
    for (const auto& [key, cell] : letters) {
      id_at_[cell] = static_cast<SwitchId>(places_.size());
      places_.push_back(cell);
    }
  }

  struct Line {
    Cell end;
    Way arrives;  // the direction in which the line reaches its end
    bool twice;
    std::vector<Cell> cells;
  };
  /// Follows the line that leaves a letter in this direction; no cells if there is no line.
  Line follow(Cell cell, Way way) const {
    Line line{cell, way, false, {}};
    bool first = true;
    for (;;) {
      cell = next(cell, way);
      const char32_t c = code(cell);
      if (letter(c)) {
        line.end = cell;
        line.arrives = back(way);
        return line;
      }
      const bool twice = kDouble.find(c) != Codes::npos;
      const std::size_t shape = twice ? kDouble.find(c) : kSingle.find(c);
      if (c == U'┼') {
        if (first) line.twice = false;
      } else if (shape == Codes::npos) {
        if (first) return line;
        fail(cell, "a cable ends in nothing");
      } else {
        const auto [one, other] = ways(shape);
        if (one != back(way) && other != back(way)) {
          if (first) return line;
          fail(cell, "a cable meets the side of another line");
        }
        if (!first && twice != line.twice) fail(cell, "a cable is single and double");
        line.twice = twice;
        way = one == back(way) ? other : one;
      }
      line.cells.push_back(cell);
      first = false;
    }
  }

  void find_cables() {
    std::set<Cell> used;
    for (SwitchId s = 0; s < places_.size(); ++s) {
      PortNum port = code(places_[s]) < U'a' ? 2 : 1;
      for (const Way way : {kLeft, kRight, kUp, kDown}) {
        const Line line = follow(places_[s], way);
        if (line.cells.empty()) continue;
        used.insert(line.cells.begin(), line.cells.end());
        port_at_[{s, way}] = port;
        port = static_cast<PortNum>(port + (line.twice ? 2 : 1));
        far_[{s, way}] = {id_at_.at(line.end), line.arrives};
        const std::pair far = far_[{s, way}];
        if (far < std::pair(s, way))
          cables_.push_back({far.first, s, port_at_.at(far), port_at_.at({s, way}),
                             line.twice ? 2u : 1u, line.cells});
      }
      ports_.push_back(static_cast<PortNum>(port - 1));
    }
    for (std::size_t l = 0; l < lines_.size(); ++l)
      for (std::size_t c = 0; c < lines_[l].size(); ++c)
        if (lines_[l][c] != U' ' && !letter(lines_[l][c]) && !used.contains({l, c}))
          fail({l, c}, "this line leads to no switch");
  }

  void build() {
    FabricBuilder builder;
    for (SwitchId s = 0; s < places_.size(); ++s) {
      const auto name = static_cast<char>(code(places_[s]));
      Switch node;
      node.name = name;
      node.guid = 0x10u * static_cast<unsigned char>(name);
      node.ports = ports_[s];
      builder.add_switch(node);
    }
    for (const Cable& cable : cables_)
      for (unsigned i = 0; i < cable.count; ++i)
        builder.connect(cable.a, static_cast<PortNum>(cable.a_port + i), cable.b,
                        static_cast<PortNum>(cable.b_port + i));
    for (SwitchId s = 0; s < places_.size(); ++s) {
      if (code(places_[s]) >= U'a') continue;
      Host host;
      host.name = std::string("h") + static_cast<char>(code(places_[s]));
      host.guid = 0x10000u + builder.node(s).guid;
      host.node_guid = host.guid;
      host.at = s;
      host.port = 1;
      builder.add_host(host);
    }
    fabric_ = assign_lids(std::move(builder).build("drawing"), 0);
  }

  std::pair<std::string, std::string> ends(Channel c) const {
    std::pair names{fabric_.node(fabric_.switch_of(c)).name, fabric_.node(fabric_.target(c)).name};
    if (names.second < names.first) std::swap(names.first, names.second);
    return names;
  }

  PortNum port(SwitchId s, const std::string& entry) const {
    if (entry == "-") return kNoPort;
    if (entry == "·") return 1;
    for (const Channel c : fabric_.out(s))
      if (beyond(s, fabric_.port_of(c)) == entry) return fabric_.port_of(c);
    throw std::invalid_argument(fmt::format("{} has no cable to {}", fabric_.node(s).name, entry));
  }
  std::string entry(const Fabric& left, SwitchId s, PortNum port) const {
    if (port == kNoPort) return "-";
    if (port > fabric_.node(s).ports || left.peer(left.channel(s, port)) == kNoChannel) return "x";
    return beyond(s, port);
  }

  std::vector<Codes> lines_;
  std::vector<Cell> places_;  // per switch
  std::map<Cell, SwitchId> id_at_;
  std::map<std::pair<SwitchId, Way>, PortNum> port_at_;
  std::map<std::pair<SwitchId, Way>, std::pair<SwitchId, Way>> far_;
  std::vector<PortNum> ports_;  // per switch
  std::vector<Cable> cables_;
  Fabric fabric_;
};

/// Several drawings from one text, side by side, with an arrow (→) between two of them on one of
/// the lines.
template <std::size_t N>
std::array<Drawing, N> drawings(std::string_view text) {
  std::vector<std::vector<Codes>> cut = panels(text);
  if (cut.size() != N)
    throw std::invalid_argument(fmt::format("{} drawings are drawn, not {}", cut.size(), N));
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Drawing, N>{Drawing(std::move(cut[I]))...};
  }(std::make_index_sequence<N>());
}

}  // namespace selvedge::test
