// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The page of `compare`, and LFTs in the form of dump_fts.
#include "plugin/route/compare.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/files.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge::route {
namespace {

CompareRow compared(Fabric fabric, const std::string& engine) {
  const Tables tables = find_engine(engine).compute(fabric, {}).tables;
  CompareRow row;
  row.engine = engine;
  row.figures.emplace();
  row.figures->base_loads = base_channel_loads(fabric, tables);
  row.figures->base_channel_load_max = base_channel_load_max(fabric, tables);
  row.fabric = std::move(fabric);
  return row;
}

std::size_t occurrences(const std::string& text, const std::string& of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

/// The number of channels in all bars of the page's histograms.
std::size_t channels_in_bars(const std::string& page) {
  const std::regex bar("<title>([0-9]+) channels with a load of");
  std::size_t sum = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), bar), end; it != end; ++it)
    sum += std::stoul((*it)[1]);
  return sum;
}

RC_GTEST_PROP(ComparePage, shows_each_channel_and_the_busiest_cable, ()) {
  const Fabric fabric = *test::any_fabric();
  const std::vector<CompareRow> rows{compared(fabric, "updn"), compared(fabric, "spf")};
  const std::string page = compare_page("f", rows, 7, 3);
  RC_ASSERT(channels_in_bars(page) == 4 * fabric.links().size());
  RC_ASSERT(occurrences(page, "<svg") == 4u);
  for (const CompareRow& row : rows) {
    const CompareFigures& f = *row.figures;
    RC_ASSERT(page.find(fmt::format("The busiest carries {}.", f.base_channel_load_max)) !=
              std::string::npos);
    if (f.base_channel_load_max == 0) continue;
    // The list begins with a channel of the highest load.
    const auto listed = [&](Channel c) {
      return page.find(fmt::format(". {} → {} {}", fabric.port_name(c),
                                   fabric.node(fabric.target(c)).name, f.base_channel_load_max)) !=
             std::string::npos;
    };
    bool found = false;
    for (Channel c = 0; c < f.base_loads.size(); ++c)
      if (f.base_loads[c] == f.base_channel_load_max && fabric.between_switches(c))
        found = found || listed(c);
    RC_ASSERT(found);
  }
}

//   S-0-0 --- S-0-1 --- S-0-2     With one host each, both directions of both cables carry 2.
TEST(ComparePage, MarksAllCablesThatAreAsBusy) {
  const std::string page =
      compare_page("mesh", {compared(assign_lids(mesh({1, 3}), 0), "updn")}, 1, 1);
  EXPECT_NE(page.find("Red: the 2 busiest pairs of switches"), std::string::npos);
  EXPECT_NE(page.find("S-0-0:"), std::string::npos);
  EXPECT_NE(page.find("<title>4 channels with a load of 2</title>"), std::string::npos);
}

TEST(ComparePage, ShowsARefusalAndEscapesNames) {
  CompareRow refused;
  refused.tables = "<b>.json";
  refused.refusal = "needs a torus & more";
  const std::string page = compare_page("<script>", {refused}, 1, 1);
  EXPECT_NE(page.find("&lt;b&gt;.json"), std::string::npos);
  EXPECT_NE(page.find("refused: needs a torus &amp; more"), std::string::npos);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_EQ(compare_lines({refused})[1].size(), 1u);
}

RC_GTEST_PROP(LftDump, is_read_back_as_it_was_written, ()) {
  test::Oddities odd;
  odd.pieces = odd.unattached = false;  // whether a last LID without a route is left out is unknown
  const Fabric fabric = *test::irregular_fabric(odd);
  EngineRequest request;
  request.max_vls = 1;
  const Tables tables = find_engine("balanced").compute(fabric, request).tables;
  const TablesFile read = read_tables(write_lft_dump(fabric, tables), "dump", &fabric);
  RC_ASSERT(read.remarks.empty());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
      RC_ASSERT(read.tables.next(s, static_cast<Lid>(lid)) ==
                tables.next(s, static_cast<Lid>(lid)));
}

}  // namespace
}  // namespace selvedge::route
