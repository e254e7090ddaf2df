// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route status`: the status of a running plugin, as a page or as the JSON that it sent.
// The plugin may be older or newer than this program. So values that its answer lacks are left out
// of the page.
#include "plugin/route/status_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/plugin_client.hpp"

namespace selvedge::route {
namespace {

constexpr const char* kFormat = "selvedge-status-1";

struct StatusFlags {
  std::string socket = kPluginSocket;
  bool json = false;
  bool check = false;
};

/// A value as text; "" for null, for a missing value, and for an array or object.
std::string plain(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto it = object.find(key);
  if (it == object.end()) return "";
  if (it->is_string()) return it->get<std::string>();
  if (it->is_boolean()) return it->get<bool>() ? "yes" : "NO";
  if (it->is_number_float()) return fmt::format("{:.1f}", it->get<double>());
  if (it->is_number()) return it->dump();
  return "";
}

const Json& child(const Json& object, const char* key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto it = object.find(key);
  return it == object.end() ? kNothing : *it;
}

void row(Sheet& sheet, const char* name, const Json& object, const char* key) {
  if (const std::string value = plain(object, key); !value.empty()) sheet.row(name, value);
}

/// The values that the object has, with their names: "36 switches, 36 hosts".
std::string list(const Json& object,
                 std::initializer_list<std::pair<const char*, const char*>> format) {
  std::string text;
  for (const auto& [key, shape] : format)
    if (const std::string value = plain(object, key); !value.empty())
      text += (text.empty() ? "" : ", ") + fmt::format(fmt::runtime(shape), value);
  return text;
}

/// Adds a row for each text in an array; none if `lines` is empty or no array.
void line_rows(Sheet& sheet, const char* name, const Json& lines) {
  if (!lines.is_array()) return;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].is_string()) sheet.row(i == 0 ? name : "", lines[i].get<std::string>());
}

/// Adds a row such as "tftr: 31 of 250 destinations after 12.3 s; until then the tables above
/// serve".
void awaited_row(Sheet& sheet, const Json& awaited) {
  if (!awaited.is_object()) return;
  if (const std::string failure = plain(awaited, "failure"); !failure.empty())
    return sheet.row("FAILED", failure + "\nthe tables above stay in force");
  std::string line = plain(awaited, "engine") + ":";
  const Json& seconds = child(awaited, "seconds");
  if (seconds.is_number() && seconds.get<double>() > 0)
    line += fmt::format(" {} of {} destinations after {:.1f} s;", plain(awaited, "done"),
                        plain(awaited, "total"), seconds.get<double>());
  sheet.row("awaited", line + " until then the tables above serve");
}

void sweep_rows(Sheet& sheet, const Json& sweep) {
  if (!sweep.is_object()) {
    sheet.row("last sweep", "none yet");
    return;
  }
  std::string outcome = list(
      sweep,
      {{"number", "number {}"}, {"time", "{}"}, {"outcome", "{}"}, {"tables_of", "tables of {}"}});
  if (const std::string reason = plain(sweep, "reason"); !reason.empty()) outcome += "\n" + reason;
  sheet.row("last sweep", outcome);
  awaited_row(sheet, child(sweep, "awaited"));
  line_rows(sheet, "remarks", child(sweep, "remarks"));
  if (const std::string size = list(sweep, {{"switches", "{} switches"},
                                            {"hosts", "{} hosts"},
                                            {"links", "{} links"},
                                            {"lmc", "LMC {}"}});
      !size.empty())
    sheet.row("fabric", size);
  if (const std::string used = list(sweep, {{"vls_used", "{} VLs"}, {"sls_used", "{} SLs"}});
      !used.empty())
    sheet.row("used", used);
  if (const std::string proof = list(child(sweep, "proof"), {{"connected", "connected: {}"},
                                                             {"loop_free", "loop free: {}"},
                                                             {"deadlock_free", "deadlock free: {}"},
                                                             {"replies", "responses: {}"},
                                                             {"pairs", "{} pairs"},
                                                             {"dependencies", "{} dependencies"}});
      !proof.empty())
    sheet.row("proof", proof);
  std::string steps;
  if (const Json& times = child(sweep, "steps_ms"); times.is_object())
    for (const auto& [step, ms] : times.items())
      if (ms.is_number())
        steps += fmt::format("{}{} {:.1f} ms", steps.empty() ? "" : ", ", step, ms.get<double>());
  if (!steps.empty()) sheet.row("steps", wrapped(steps, 80));
}

/// Adds a row for each file: "root_guid_file /etc/roots: 9 GUIDs, 1 of them not in the fabric".
void hint_rows(Sheet& sheet, const Json& hints) {
  if (!hints.is_array()) return;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const Json& hint = hints[i];
    if (!hint.is_object()) continue;
    std::string line =
        plain(hint, "setting") + " " + plain(hint, "file") + ": " + plain(hint, "guids") + " GUIDs";
    if (const std::string unknown = plain(hint, "unknown"); !unknown.empty() && unknown != "0")
      line += fmt::format(", {} of them not in the fabric", unknown);
    if (child(hint, "overruled") == true)
      line += "; NOT in force: [engine] root wins";
    else if (child(hint, "in_force") == false)
      line += "; NOT in force";
    if (const std::string fault = plain(hint, "fault"); !fault.empty()) line += "\n" + fault;
    sheet.row(i == 0 ? "levels by" : "", line);
  }
}

/// Adds a row such as "480 found in switches and hosts (qos FALSE), 94 of them replaced".
void found_rows_row(Sheet& sheet, const Json& rows) {
  if (!rows.is_object()) return;
  if (const std::string failure = plain(rows, "failure"); !failure.empty())
    return sheet.row("SL2VL", failure + "\nwhether all pairs are connected is not known");
  if (child(rows, "let_pass") != true)
    return sheet.row("SL2VL", "rows found in switches and hosts (qos FALSE) are being read");
  sheet.row("SL2VL",
            fmt::format("{} rows found in switches and hosts (qos FALSE): none drops packets; "
                        "{} that did were replaced",
                        plain(rows, "rows"), plain(rows, "replaced")));
}

/// Adds a row such as "131.072 us at the 46 ports between switches, read back".
void hoq_row(Sheet& sheet, const Json& hoq) {
  if (!hoq.is_object()) return;
  const std::string at = fmt::format("{:.3f} us at ", hoq.value("us", 0.0));
  sheet.row(
      "HOQ life",
      child(hoq, "failed") == 0
          ? fmt::format("{}the {} ports between switches, read back", at, plain(hoq, "ports"))
          : fmt::format("{}ports between switches; NOT at {} of {}, the first: {}", at,
                        plain(hoq, "failed"), plain(hoq, "ports"), plain(hoq, "first_failed")));
}

/// Adds the row "busiest leaf-01:40 - spine-03:7, 1005 host pairs; mean 812.3 over 271 used
/// up-cables".
void load_rows(Sheet& sheet, const Json& load) {
  if (!load.is_object()) return;
  sheet.row("base LIDs",
            fmt::format("busiest channel {} - {}: {} host pairs, mean {} over {} used {}",
                        plain(load, "busiest_from"), plain(load, "busiest_to"),
                        plain(load, "max_host_pairs"), plain(load, "mean_host_pairs"),
                        plain(load, "used_channels"), plain(load, "mean_over")));
  const Json& ratio = child(load, "ratio");
  if (child(load, "uneven") == true && ratio.is_number())
    sheet.row("", fmt::format("UNEVEN: {:.2f} times the mean: another engine may balance better, "
                              "'selvedge-route fabric' names cables that are missing",
                              ratio.get<double>()));
}

void fault_rows(Sheet& sheet, const Json& faults) {
  if (!faults.is_array()) return;
  if (faults.empty()) sheet.row("faults", "none seen");
  constexpr std::size_t kMost = 16;  // the latest ones are shown
  const std::size_t first = faults.size() > kMost ? faults.size() - kMost : 0;
  for (std::size_t i = first; i < faults.size(); ++i)
    sheet.row(i == first ? "faults" : "",
              plain(faults[i], "time") + "  " + plain(faults[i], "what"));
}

/// A lost pair as text: "H-0-0 to H-2-1: LIDs 67* (dead), 71; 3 of 4 disjoint paths left".
std::string lost_pair(const Json& pair) {
  std::string text = plain(pair, "source") + " to " + plain(pair, "destination") + ": LID";
  const Json& paths = child(pair, "paths");
  if (!paths.is_array()) return text;
  text += paths.size() == 1 ? " " : "s ";
  bool first = true;
  for (const Json& path : paths) {
    text += (first ? "" : ", ") + plain(path, "lid");
    if (child(path, "disjoint") == true) text += '*';
    if (child(path, "works") != true) text += " (no path)";
    first = false;
  }
  return text + fmt::format("; {} of {} disjoint paths left", plain(pair, "disjoint_now"),
                            plain(pair, "disjoint_before"));
}

void lost_rows(Sheet& sheet, const Json& lost) {
  const Json& listed = child(lost, "listed");
  if (!listed.is_array()) return;
  if (listed.empty()) {
    sheet.row("lost paths", "none");
    return;
  }
  sheet.row("lost paths",
            fmt::format("{} paths of {} pairs crossed lost links or switches (* one of the "
                        "pair's disjoint ones)",
                        plain(lost, "paths"), plain(lost, "pairs")));
  constexpr std::size_t kMost = 16;
  for (std::size_t i = 0; i < std::min(kMost, listed.size()); ++i)
    sheet.row("", lost_pair(listed[i]));
  if (listed.size() > kMost) sheet.row("", "… --json lists more");
}

/// Adds a row for each LID at which packets of some host do not arrive: "LID 71 of H-2-1 from S-0-0
/// and 3 more switches".
void dark_rows(Sheet& sheet, const Json& dark) {
  const Json& listed = child(dark, "listed");
  if (!listed.is_array()) return;
  if (listed.empty()) return sheet.row("dark LIDs", "none");
  sheet.row("DARK LIDs", fmt::format("{} LIDs have no route from everywhere, though cables connect "
                                     "({} of switch and LID)",
                                     plain(dark, "lids"), plain(dark, "paths")));
  constexpr std::size_t kMost = 16;
  for (std::size_t i = 0; i < std::min(kMost, listed.size()); ++i) {
    std::string line = list(listed[i], {{"lid", "LID {}"}}) +
                       list(listed[i], {{"host", " of {}"}}) +
                       list(listed[i], {{"from", " from {}"}});
    const Json& sources = child(listed[i], "sources");
    if (sources.is_number_unsigned() && sources.get<std::uint64_t>() > 1)
      line += fmt::format(" and {} more switches", sources.get<std::uint64_t>() - 1);
    sheet.row("", line);
  }
  if (listed.size() > kMost) sheet.row("", "… --json lists more");
}

/// Adds a row for each pair that should ask for path records again: "S-0-0 to H-0-1: LID 13 on SL 0
/// for LID 12".
void fresh_rows(Sheet& sheet, const Json& fresh) {
  const Json& listed = child(fresh, "listed");
  if (!listed.is_array()) return;
  const bool in_use = child(fresh, "in_use") == true;
  if (listed.empty() && plain(fresh, "in_place_only") == "0")
    return sheet.row("fresh LIDs",
                     in_use ? "in use; no pair needs to ask for path records again" : "none");
  sheet.row("FRESH LIDS", fmt::format("{} pairs should ask for path records again; {} have none "
                                      "and are repaired in place",
                                      plain(fresh, "pairs"), plain(fresh, "in_place_only")));
  constexpr std::size_t kMost = 16;
  for (std::size_t i = 0; i < std::min(kMost, listed.size()); ++i)
    sheet.row("", list(listed[i], {{"from", "{}"}}) + list(listed[i], {{"host", " to {}"}}) +
                      list(listed[i], {{"lid", ": LID {}"}}) +
                      list(listed[i], {{"sl", " on SL {}"}}) +
                      list(listed[i], {{"before", " for LID {}"}}));
  if (listed.size() > kMost) sheet.row("", "… --json lists more");
}

/// The exit status of --check. Throws EnvironmentError if the plugin has no tables in force.
int check_status(const Json& status, const std::string& socket) {
  const Json& lids = child(child(status, "dark_lids"), "lids");
  if (!lids.is_number_unsigned())
    throw EnvironmentError("no tables of Selvedge are in force", socket,
                           "name an engine of Selvedge in opensm.conf, and see its log");
  return lids.get<std::uint64_t>() == 0 ? kDone : kDoesNotHold;
}

void self_check_rows(Sheet& sheet, const Json& checks) {
  if (!checks.is_array() || checks.empty()) return;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const bool ok = child(checks[i], "ok") == true;
    std::string line = (ok ? "ok       " : "MISSING  ") + plain(checks[i], "what");
    if (!ok) line += ": " + plain(checks[i], "remedy");
    sheet.row(i == 0 ? "self-check" : "", line);
  }
}

}  // namespace

std::string status_page(const Json& status) {
  Sheet sheet;
  row(sheet, "selvedge", status, "selvedge");
  row(sheet, "opensm", status, "opensm");
  row(sheet, "role", status, "role");
  const std::string engine = plain(status, "engine");
  sheet.row("engine", engine.empty() ? "no engine of Selvedge: OpenSM routes" : engine);
  row(sheet, "config", status, "config_error");
  if (const Json& fast = child(status, "fast_path"); fast.is_object())
    sheet.row("fast path", fmt::format("{}, {} faults repaired before their sweep{}",
                                       fast.value("ready", false) ? "ready" : "not ready",
                                       plain(fast, "repairs"),
                                       fast.value("groups_paused", false)
                                           ? "; multicast groups pause while paths change"
                                           : ""));
  line_rows(sheet, "drained", child(status, "drained"));
  line_rows(sheet, "held", child(status, "held"));
  sweep_rows(sheet, child(status, "last_sweep"));
  found_rows_row(sheet, child(status, "found_sl2vl_rows"));
  hoq_row(sheet, child(status, "hoq_life"));
  load_rows(sheet, child(status, "base_load"));
  hint_rows(sheet, child(status, "hint_files"));
  line_rows(sheet, "failures", child(status, "failures"));
  fault_rows(sheet, child(status, "faults"));
  lost_rows(sheet, child(status, "lost_paths"));
  dark_rows(sheet, child(status, "dark_lids"));
  fresh_rows(sheet, child(status, "fresh_lids"));
  self_check_rows(sheet, child(status, "self_check"));
  return sheet.text();
}

Json ask_status(const std::string& socket) {
  Json status = ask_plugin_json(socket, "status");
  if (child(status, "format") != kFormat)
    throw EnvironmentError(
        fmt::format("the answer is of format '{}', not '{}'", plain(status, "format"), kFormat),
        socket, "use the selvedge-route that came with the plugin");
  return status;
}

Verb add_status_verb(CLI::App& program) {
  auto options = std::make_shared<StatusFlags>();
  CLI::App* app = add_verb(program, "status",
                           "Ask a running plugin: engine, last sweep, proof, faults, self-check");
  add_text(*app, "--socket", options->socket, "PATH",
           fmt::format("The plugin's socket (default {})", kPluginSocket));
  app->add_flag(
         "--check", options->check,
         "Exit with 1 if some LID has no route from everywhere,\nthough cables connect its host")
      ->disable_flag_override();
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            const Json status = ask_status(options->socket);
            if (options->json)
              print_json(status, output);
            else
              output.write(status_page(status));
            return options->check ? check_status(status, options->socket) : int{kDone};
          }};
}

}  // namespace selvedge::route
