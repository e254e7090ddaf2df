// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/program/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/fabric/naming.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kPageColumns = 96;

const char* kind_name(Witness::Kind kind) {
  switch (kind) {
    case Witness::Kind::kUnreachable:
      return "unreachable";
    case Witness::Kind::kLoop:
      return "loop";
    case Witness::Kind::kDropped:
      return "dropped";
    case Witness::Kind::kCycle:
      return "cycle";
    case Witness::Kind::kMulticast:
      return "multicast";
    case Witness::Kind::kNotDisjoint:
      return "not_disjoint";
    case Witness::Kind::kBadEntry:
      return "bad_entry";
  }
  return "unknown";
}

}  // namespace

void Sheet::row(std::string name, std::string value) {
  rows_.emplace_back(std::move(name), std::move(value));
}

std::string Sheet::text() const {
  std::size_t width = 0;
  for (const auto& [name, value] : rows_) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, value] : rows_) {
    std::string_view rest = value;
    for (std::string_view label = name;; label = "") {
      const std::size_t end = rest.find('\n');
      text += fmt::format("{:<{}}  {}", label, width, printable(rest.substr(0, end)));
      while (text.ends_with(' ')) text.pop_back();
      text += '\n';
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  }
  return text;
}

void Sheet::print(Output& output) const { output.write(text()); }

void print_json(const Json& document, Output& output) {
  output.write(document.dump(2, ' ', false, Json::error_handler_t::replace));
  output.write("\n");
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > columns) {
      result += '\n';
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string engine_page(const Engine& engine) {
  const EngineFacts& facts = engine.facts;
  Sheet sheet;
  auto row = [&sheet](const char* name, std::string_view value) {
    sheet.row(name, wrapped(value, kPageColumns - 20));
  };
  row("engine", engine.name);
  row("topologies", facts.topologies);
  row("theorem", facts.theorem);
  row("deadlock free", facts.deadlock_free ? "yes, by construction" : "not by construction");
  row("tolerated faults", facts.tolerated_faults);
  row("VLs", facts.vls);
  row("SLs", facts.sls);
  row("LMC", facts.lmc);
  row("memory", facts.memory);
  row("time", facts.time);
  row("after a fault", facts.after_a_fault);
  return sheet.text();
}

std::string proof_summary(const Verdict& verdict) {
  std::string text = verdict.connected ? "connected" : "NOT connected";
  text += verdict.loop_free ? ", loop free" : ", NOT loop free";
  text += verdict.deadlock_free ? ", deadlock free" : ", NOT deadlock free";
  if (const auto grade = verdict.grade()) text += fmt::format(", responses {}", name(*grade));
  return text;
}

Json grade_json(const Verdict& verdict) {
  const std::optional<ReplyGrade> grade = verdict.grade();
  return grade ? Json(name(*grade)) : Json(nullptr);
}

Json witness_json(const Fabric& fabric, const Witness& witness) {
  Json json{
      {"property", witness.property}, {"kind", kind_name(witness.kind)}, {"text", witness.text}};
  if (witness.source != kNoHost) json["source"] = host_label(fabric, witness.source);
  if (witness.dlid != kNoLid) json["dlid"] = witness.dlid;
  Json channels = Json::array();
  for (const Channel c : witness.channels) channels.push_back(fabric.port_name(c));
  json["channels"] = std::move(channels);
  if (!witness.vls.empty()) json["vls"] = witness.vls;
  return json;
}

Json dark_json(const Fabric& fabric, const std::vector<DarkLid>& dark) {
  const Labels labels(fabric);
  Json list = Json::array();
  for (const DarkLid& d : dark)
    list.push_back(Json{{"lid", d.lid},
                        {"host", labels.of_host(d.host)},
                        {"sources", d.sources},
                        {"from", labels.of_switch(d.first)}});
  return list;
}

}  // namespace selvedge
