// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugin/route/each_transition.hpp"
#include "plugin/route/options.hpp"

namespace selvedge::route {

Json to_json(const EachFaultResult& e, const EachFaultRequest& question,
             const std::string& engine) {
  Json methods = Json::object();
  for (std::size_t i = 0; i < e.methods.size(); ++i)
    if (e.methods[i] > 0) methods[name_of(static_cast<SendPlan::Method>(i))] = e.methods[i];
  Json json{{"engine", engine},
            {"of", plural(question.of)},
            {"faults", e.faults},
            {"guarded", e.guarded},
            {"guard_why_not", e.no_guard_reason.empty() ? Json(nullptr) : Json(e.no_guard_reason)},
            {"unsafe", e.unsafe},
            {"looping", e.looping},
            {"methods", std::move(methods)},
            {"sl2vl_rows", e.rows},
            {"lft_blocks", e.blocks},
            {"guard_ms", e.guard_ms},
            {"plan_ms", e.plan_ms},
            {"prove_ms", e.prove_ms},
            {"witness", e.unsafe == 0 ? Json(nullptr) : Json(e.witness)}};
  json["phases"] = e.phases;
  json["most_phases"] = e.most_phases;
  if (question.lossless) json["lossless"] = e.lossless;
  if (question.replies)
    json["replies"] = {{"grade", name(*question.replies)}, {"faults", e.graded}};
  if (e.guarded == e.faults || question.lossless) return json;
  json["cyclic_at_once"] = e.cyclic_at_once;
  json["cyclic_states"] = question.states ? Json(e.cyclic_states) : Json(nullptr);
  json["cyclic_downstream"] = e.cyclic_downstream;
  return json;
}

void print_sheet(const EachFaultResult& e, const EachFaultRequest& question, Output& output) {
  const double n = std::max(1.0, static_cast<double>(e.faults));
  const auto share = [&](std::uint64_t count) {
    return fmt::format("{} ({:.1f} %)", count, 100.0 * static_cast<double>(count) / n);
  };
  const auto mean = [&](auto sum) { return static_cast<double>(sum) / n; };
  Sheet sheet;
  sheet.row("faults",
            fmt::format("each of {} {}, repaired in place", e.faults, plural(question.of)));
  sheet.row("guard", !question.guard             ? "off"
                     : e.no_guard_reason.empty() ? "on"
                                                 : "none: " + e.no_guard_reason);
  std::string methods;
  for (std::size_t i = 0; i < e.methods.size(); ++i)
    if (e.methods[i] > 0)
      methods += fmt::format("{}{} {}", methods.empty() ? "" : ", ",
                             name_of(static_cast<SendPlan::Method>(i)), e.methods[i]);
  sheet.row("sent", methods);
  sheet.row("unsafe",
            fmt::format("{}: some mixture during the change may deadlock", share(e.unsafe)));
  sheet.row("may loop",
            fmt::format("{}: packets loop until an SL2VL row drops them", share(e.looping)));
  sheet.row("writes", fmt::format("{:.1f} SL2VL rows, {:.1f} LFT blocks on average", mean(e.rows),
                                  mean(e.blocks)));
  sheet.row("time", fmt::format("guard {:.2f} ms, plan {:.2f} ms, proof {:.2f} ms on average",
                                mean(e.guard_ms), mean(e.plan_ms), mean(e.prove_ms)));
  if (question.lossless)
    sheet.row("loses nothing", fmt::format("{}, in {:.1f} phases on average, {} at most",
                                           share(e.lossless), mean(e.phases), e.most_phases));
  if (question.replies)
    sheet.row("responses", fmt::format("{}: the repaired tables are {}", share(e.graded),
                                       name(*question.replies)));
  if (e.guarded < e.faults && !question.lossless) {
    sheet.row("at once", fmt::format("{}: without a guard some mixture would close a cycle",
                                     share(e.cyclic_at_once)));
    if (question.states)
      sheet.row("  in order", fmt::format("{}: a state in the order of writes has a cycle too",
                                          share(e.cyclic_states)));
    sheet.row("downstream",
              fmt::format("{}: likewise, if each DLID is written from its destination outwards",
                          share(e.cyclic_downstream)));
  }
  if (e.unsafe > 0) sheet.row("witness", e.witness);
  sheet.print(output);
}

}  // namespace selvedge::route
