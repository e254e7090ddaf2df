// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/count_checks.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "plugin/engines/multipath/entries.hpp"
#include "plugin/transition/epochs.hpp"

namespace selvedge::sim {
namespace {

namespace mp = selvedge::multipath;

/// The graph of Kim 2007, Fig. 4, as the text describes it.
struct Example {
  static constexpr SwitchId kA = 0, kB = 1, kC = 2, kD = 3;
  mp::SimpleGraph graph;
  mp::Cycles cycles;

  Example() {
    // Ports of a: b at 1, c at 2 (Fig. 5). The others are in the order of the letters.
    const std::array<std::vector<SwitchId>, 4> neighbours{
        {{kB, kC}, {kA, kC, kD}, {kA, kB, kD}, {kB, kC}}};
    SwitchGraph full;
    full.first.assign(1, 0);
    for (const std::vector<SwitchId>& of : neighbours) {
      full.target.insert(full.target.end(), of.begin(), of.end());
      full.first.push_back(static_cast<Arc>(full.target.size()));
    }
    graph = mp::make_simple_graph(full);
    cycles = mp::find_cycles(graph, components(full));
  }

  std::string bits(const std::vector<SwitchId>& way) const {
    std::vector<mp::Edge> path;
    for (std::size_t i = 0; i + 1 < way.size(); ++i)
      path.push_back(graph.between(way[i], way[i + 1]));
    const auto list = mp::path_list(cycles, path);
    return list ? mp::bits_text(*list, cycles.most()) : "";
  }
  mp::Entries entries(SwitchId to) const {
    return mp::make_entries(graph, cycles, mp::keep_bits(2, 2, {}), mp::paths_to(graph, to, 16));
  }
};

std::uint64_t other_cycles() {
  const Example e;
  const std::vector<std::vector<SwitchId>> text{{e.kA, e.kC, e.kB, e.kA}, {e.kC, e.kD, e.kB, e.kC}};
  std::uint64_t unlike = e.cycles.of[0].size() > 2 ? e.cycles.of[0].size() - 2 : 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    unlike += i < e.cycles.of[0].size() && e.cycles.of[0][i] == text[i] ? 0 : 1;
  return unlike;
}

std::uint64_t other_bits() {
  const Example e;
  const std::pair<std::vector<SwitchId>, const char*> text[] = {
      {{e.kB, e.kA}, "1X"}, {{e.kB, e.kC, e.kA}, "01"}, {{e.kB, e.kD, e.kC, e.kA}, "00"},
      {{e.kA, e.kB}, "0X"}, {{e.kA, e.kC, e.kB}, "10"}, {{e.kA, e.kC, e.kD, e.kB}, "11"}};
  std::uint64_t unlike = 0;
  for (const auto& [way, bits] : text) unlike += e.bits(way) == bits ? 0 : 1;
  return unlike;
}

std::uint64_t entries_of_a() {
  const Example e;
  std::uint64_t entries = 0;
  for (const SwitchId to : {e.kB, e.kC, e.kD}) entries += mp::combined_entries(e.entries(to), e.kA);
  return entries;
}

std::uint64_t conflicts() {
  const Example e;
  mp::EntryCounts counts;
  for (SwitchId to = 0; to < 4; ++to) counts += e.entries(to).counts;
  return counts.conflicts;
}

/// Rows of Table 6.1 (two epochs) or 6.2 (three) with another action than the thesis': N no, T no,
/// transient, Y yes, I impossible; E_SCHD counts fastest, E_PCK slowest, as there.
std::uint64_t other_rows(unsigned epochs, std::string_view thesis) {
  std::uint64_t other = 0;
  std::size_t row = 0;
  for (unsigned packet = 0; packet < epochs; ++packet)
    for (unsigned routed = 0; routed < epochs; ++routed)
      for (unsigned scheduled = 0; scheduled < epochs; ++scheduled) {
        const EpochAction action = epoch_action(
            static_cast<Epoch>(packet), static_cast<Epoch>(routed), static_cast<Epoch>(scheduled));
        const char letter = std::string_view("NTYI")[static_cast<std::size_t>(action)];
        other += letter == thesis[row++] ? 0 : 1;
      }
  return other;
}

std::uint64_t other_rows_of_table_1() { return other_rows(2, "NYIYTYIN"); }
std::uint64_t other_rows_of_table_2() { return other_rows(3, "NYYIYYIIYTYYINYIIYTTYITYIIN"); }

}  // namespace

std::span<const CountCheck> count_checks() {
  static constexpr std::array<CountCheck, 6> kAll{{
      {"kim-cycles", "cycles of Fig. 4 other than the text's", &other_cycles},
      {"kim-path-bits", "paths of Fig. 4 with other bits than the text's", &other_bits},
      {"kim-table-entries", "entries of switch a's multipath table", &entries_of_a},
      {"kim-conflicts", "strings of Fig. 4 whose paths begin with different cables", &conflicts},
      {"ebr-table-6.1", "rows with another action than the thesis'", &other_rows_of_table_1},
      {"ebr-table-6.2", "rows with another action than the thesis'", &other_rows_of_table_2},
  }};
  return kAll;
}

}  // namespace selvedge::sim
