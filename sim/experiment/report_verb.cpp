// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-sim report`: one page from one results.sqlite or several.
#include <filesystem>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "sim/experiment/program.hpp"
#include "sim/experiment/report.hpp"
#include "sim/experiment/results.hpp"

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  std::vector<std::string> results;
  std::string out = "report.html";
};

/// The results file at this path (or in this folder). Throws if it does not exist, since SQLite
/// would create a missing file.
std::string existing(const std::string& path) {
  std::error_code error;
  const std::string file =
      fs::is_directory(path, error) ? (fs::path(path) / "results.sqlite").string() : path;
  if (!fs::is_regular_file(file, error))
    throw InputError("there are no results", file,
                     "name a results.sqlite, or the folder that selvedge-sim run wrote");
  return file;
}

int report(const ReportFlags& options, Output& output) {
  std::vector<std::unique_ptr<Results>> opened;
  std::vector<Database*> databases;
  for (const std::string& path : options.results) {
    const std::string file = existing(path);
    std::error_code error;
    if (fs::equivalent(options.out, file, error))
      throw InputError("the page would overwrite the results", options.out, "choose another --out");
    opened.push_back(std::make_unique<Results>(file));
    databases.push_back(&opened.back()->database());
  }
  write_file(options.out, report_page(databases));
  output.print("{}\n", options.out);
  return kDone;
}

}  // namespace

Verb add_report_verb(CLI::App& program) {
  auto options = std::make_shared<ReportFlags>();
  CLI::App* app =
      add_verb(program, "report", "Draw results, of one run or of several beside each other");
  app->add_option("RESULTS", options->results,
                  "Folders that selvedge-sim run wrote, or their\nresults.sqlite")
      ->option_text(" ");
  add_text(*app, "--out", options->out, "FILE", "The page (default: report.html)");
  app->footer("The page is one file and needs no network. Runs are compared by their titles.");
  return {app, [options](Output& output) {
            require(options->results.empty() ? "" : options->results.front(), "RESULTS",
                    "of a run");
            return report(*options, output);
          }};
}

}  // namespace selvedge::sim
