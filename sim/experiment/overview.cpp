// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace selvedge::sim {
namespace {

/// A key without its section: "load" for "traffic.load".
std::string short_name(const std::string& key) { return key.substr(key.find('.') + 1); }

/// A table with right-aligned columns; remarks follow the last column.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) { add(std::move(headings), ""); }
  void add(std::vector<std::string> cells, std::string remark) {
    widths_.resize(cells.size(), 0);
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths_[i] = std::max(widths_[i], cells[i].size());
    rows_.emplace_back(std::move(cells), std::move(remark));
  }
  std::string text() const {
    std::string text;
    for (const auto& [cells, remark] : rows_) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        text += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", cells[i], widths_[i]);
      text += remark.empty() ? "\n" : fmt::format("  {}\n", remark);
    }
    return text;
  }

 private:
  std::vector<std::size_t> widths_;
  std::vector<std::pair<std::vector<std::string>, std::string>> rows_;
};

std::string rounded(const Value& value, int digits) {
  const auto* n = std::get_if<double>(&value);
  return n == nullptr ? "-" : fmt::format("{:.{}f}", *n, digits);
}

nlohmann::ordered_json exact_json(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return nullptr;
}

}  // namespace

std::string overview(Results& results, std::size_t most) {
  const std::vector<std::string> axes = results.axes();
  std::vector<std::string> headings{"point"};
  for (const std::string& axis : axes) headings.push_back(short_name(axis));
  for (const char* heading : {"state", "bytes/ns/switch", "mean latency, ns", "±", "99 %, ns"})
    headings.emplace_back(heading);
  TextTable columns(headings);
  const auto rows = results.database().rows(fmt::format(
      "SELECT plan.position, plan.digest, state, accepted_bytes_per_ns_per_switch, "
      "latency_mean_ns, latency_half_width_ns, latency_p99_ns, diagnosis FROM plan JOIN points "
      "USING (digest) ORDER BY plan.position LIMIT {}",
      most));
  for (const auto& row : rows) {
    std::vector<std::string> cells{text_of(row[0])};
    for (const std::string& axis : axes) cells.push_back(results.key(text_of(row[1]), axis));
    cells.push_back(text_of(row[2]));
    cells.push_back(rounded(row[3], 5));
    for (std::size_t i = 4; i < 7; ++i) cells.push_back(rounded(row[i], 1));
    columns.add(std::move(cells), text_of(row[7]));
  }
  return rows.empty() ? "" : columns.text();
}

nlohmann::ordered_json points_done(Results& results) {
  const std::vector<std::string> axes = results.axes(), columns = results.columns();
  auto points = nlohmann::ordered_json::array();
  for (const auto& row :
       results.database().rows(fmt::format("SELECT plan.digest, plan.position, {} FROM {} "
                                           "ORDER BY plan.position",
                                           fmt::join(columns, ", "), kFiguresOfPlan))) {
    nlohmann::ordered_json point{{"point", exact_json(row[1])},
                                 {"keys", nlohmann::ordered_json::object()}};
    for (const std::string& axis : axes) point["keys"][axis] = results.key(text_of(row[0]), axis);
    for (std::size_t i = 0; i < columns.size(); ++i) point[columns[i]] = exact_json(row[i + 2]);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace selvedge::sim
