// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route capture`: what a running subnet manager has put into a fabric, as a tables file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "plugin/capture/capture.hpp"
#include "plugin/capture/umad_access.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/program/report.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/options.hpp"
#include "plugin/tables/files.hpp"

namespace selvedge::route {
namespace {

constexpr unsigned kMostPerSecond = 1'000'000;
constexpr unsigned kMostPort = 254;

const char* const kCaptureHelp =
    "Nothing is changed: only Get is sent, LFTs and SL2VL tables are read by directed routes, and\n"
    "SLs are those of the path records that the subnet administration answers. The topology is\n"
    "that of ibnetdiscover (infiniband-diags). All is read twice; if something changed meanwhile,\n"
    "it is said and read again, three times at most (then exit status 3). With up to 1,000 hosts\n"
    "each is asked about every LID; of more, a sample, and the output says so. Multicast groups\n"
    "and the rates of links are not read.\n\n";

struct CaptureFlags {
  std::string out;
  capture::UmadOptions umad;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

void check(const CaptureFlags& options) {
  for (const char c : options.umad.ca)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.')
      throw InputError("no adapter has such a name", fmt::format("--ca '{}'", options.umad.ca),
                       "'ibstat -l' lists them");
  if (options.json && options.out.empty())
    throw InputError("without --out the tables go to standard output", "--json",
                     "add --out FILE, or leave --json out");
}

std::string manager_label(const capture::Capture& found) {
  const LidOwner owner = found.fabric.owner(found.manager);
  if (owner.kind == LidOwner::Kind::kHost) return host_label(found.fabric, owner.id);
  return owner.kind == LidOwner::Kind::kSwitch ? found.fabric.node(owner.id).name : "?";
}

Json to_json(const CaptureFlags& options, const capture::Capture& found) {
  const capture::PathSls& sls = found.sls;
  return Json{{"switches", found.fabric.num_switches()},
              {"hosts", found.fabric.num_hosts()},
              {"links", found.fabric.links().size()},
              {"top_lid", found.fabric.top_lid()},
              {"manager", manager_label(found)},
              {"manager_lid", found.manager},
              {"pairs", sls.pairs},
              {"questions", sls.questions},
              {"rounds", sls.rounds},
              {"sampled", sls.sampled},
              {"changing_pairs", sls.changing},
              {"hosts_with_other_sls", sls.hosts_of_their_own},
              {"tries", found.tries},
              {"seed", options.seed.value_or(1)},
              {"tables", options.out},
              {"remarks", found.remarks}};
}

void print_sheet(const CaptureFlags& options, const capture::Capture& found, Output& output) {
  const capture::PathSls& sls = found.sls;
  Sheet sheet;
  sheet.row("fabric", fmt::format("{} switches, {} hosts, {} links", found.fabric.num_switches(),
                                  found.fabric.num_hosts(), found.fabric.links().size()));
  sheet.row("subnet manager", fmt::format("{}, LID {}", manager_label(found), found.manager));
  sheet.row("SLs", fmt::format("of {} pairs{}, {} path records asked", sls.pairs,
                               sls.sampled ? " (a sample)" : "", sls.questions));
  if (found.tries > 1) sheet.row("tries", fmt::format("{}", found.tries));
  sheet.row("tables", options.out);
  if (!found.remarks.empty())
    sheet.row("remarks", fmt::format("{}", fmt::join(found.remarks, "\n")));
  sheet.print(output);
}

}  // namespace

Verb add_capture_verb(CLI::App& program) {
  auto options = std::make_shared<CaptureFlags>();
  CLI::App* app =
      add_verb(program, "capture", "Read tables off a running fabric, of any subnet manager");
  app->footer(kCaptureHelp);
  add_text(*app, "--out", options->out, "FILE",
           "Write the tables there (selvedge-tables-1) and a summary to\nstandard output, instead "
           "of the tables");
  add_text(*app, "--ca", options->umad.ca, "NAME", "The adapter to ask from (default: the first)");
  add_number(*app, "--port", 1, kMostPort, "P", "Its port (default: the first that is active)",
             [options](unsigned p) { options->umad.port = p; });
  add_number(*app, "--rate", 1, kMostPerSecond, "N",
             fmt::format("At most N MADs a second (default {})", options->umad.per_second),
             [options](unsigned n) { options->umad.per_second = n; });
  add_big_number(*app, "--seed", 0, options->seed, "S",
                 "Of what is asked again and of the sample (default 1)");
  add_json(*app, options->json);
  return {app, [options](Output& output) {
            check(*options);
            const std::unique_ptr<capture::SubnetAccess> access = capture::open_umad(options->umad);
            Progress progress;
            const capture::Capture found =
                capture::capture(*access, {.seed = options->seed.value_or(1)}, progress,
                                 [](const std::string& line) { note(line); });
            const std::string tables =
                write_tables(found.fabric, found.tables, found.sls.further, found.remarks);
            if (options->out.empty()) {
              for (const std::string& remark : found.remarks) note(remark);
              output.write(tables);
              return kDone;
            }
            write_file(options->out, tables);
            note(fmt::format("seed {}", options->seed.value_or(1)));
            if (options->json)
              print_json(to_json(*options, found), output);
            else
              print_sheet(*options, found, output);
            return kDone;
          }};
}

}  // namespace selvedge::route
