// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/emulate_verb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/regular_file.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/emulate/hop_by_hop.hpp"
#include "sim/emulate/host_paths.hpp"
#include "sim/emulate/server.hpp"
#include "sim/experiment/emulated_fabric.hpp"
#include "sim/experiment/emulated_options.hpp"
#include "sim/experiment/traffic_command.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kMostTimeoutMs = 60'000, kMostRetries = 20;
constexpr std::size_t kMostScriptBytes = std::size_t{4} << 20;
constexpr std::string_view kFilePrefix = "file:";

struct EmulateFlags {
  std::string fabric, socket, script, pcap;
  unsigned seed = 1;
  CoreSettings settings;
  bool free_running = false, json = false;
  std::string clock = "free", managers;
  EmulatedTraffic under;
};

struct Given {
  Fabric fabric;
  bool has_lids = false;
};

/// The fabric, and whether its nodes have LIDs at the start. They have if a file gives LIDs; else
/// the subnet manager assigns them.
Given read_given(const std::string& spec) {
  if (spec.starts_with(kFilePrefix)) {
    FabricFile file = read_fabric_file(spec.substr(kFilePrefix.size()));
    if (file.has_lids) return {std::move(file.fabric), true};
  }
  return {make_fabric(spec, 0), false};  // also checks that it fits into the LID space
}

std::string usual_list() { return fmt::format("{}", fmt::join(usual_managers(), ",")); }

/// Throws InputError if --pcap would overwrite a file that this command reads.
void refuse_overwriting(const EmulateFlags& flags) {
  if (flags.pcap.empty()) return;
  refuse_blocking_file(flags.pcap);
  std::vector<std::string> inputs{flags.script, flags.under.traffic.trace};
  if (flags.fabric.starts_with(kFilePrefix))
    inputs.push_back(flags.fabric.substr(kFilePrefix.size()));
  for (const std::string& input : inputs)
    if (!input.empty() && same_file(input, flags.pcap))
      throw InputError("the file is read by this command", fmt::format("--pcap {}", flags.pcap),
                       "name another");
}

/// Writes to standard error what the commands of a script print.
void print_of_script(std::string_view text) { fmt::print(stderr, "{}", text); }

/// The pcapng file of all MADs, if --pcap names one. It is opened last, when nothing can be refused
/// any more, since its old content is lost then.
class Recording {
 public:
  Recording(const std::string& path, Core& core) : path_(path) {
    if (path_.empty()) return;
    file_.open(path_, std::ios::binary | std::ios::trunc);
    if (!file_)
      throw InputError("the file cannot be written", fmt::format("--pcap {}", path_),
                       "name another");
    core.capture_to(capture_.emplace(file_, core.subnet()));
  }
  void finish() {
    if (!capture_) return;
    file_.close();
    if (!file_) refused_by_system("not all MADs were recorded", path_, "make room on the disk");
  }

 private:
  const std::string& path_;
  std::ofstream file_;
  std::optional<MadCapture> capture_;
};

void print_numbers(const Console::Numbers& numbers, bool json, Output& output) {
  std::string document;
  for (const auto& [name, value] : numbers) {
    if (!json) output.print("{} {}\n", name, value);
    document += fmt::format("{}\"{}\": {}", document.empty() ? "" : ", ", name, value);
  }
  if (json) output.print("{{{}}}\n", document);
}

Console::Numbers data_numbers(const DataPlane& plane, const ManagerClock& clock) {
  const Totals& t = plane.network().totals();
  Console::Numbers numbers = {{"fabric_ns", static_cast<std::uint64_t>(plane.now().count())},
                              {"flight_ns", static_cast<std::uint64_t>(clock.flight().count())},
                              {"data_generated", t.generated},
                              {"data_injected", t.injected},
                              {"data_delivered", t.delivered},
                              {"data_in_flight", t.in_flight()},
                              {"smps_sent", t.smps_sent},
                              {"smps_received", t.smps_received},
                              {"packet_hops", t.packet_hops}};
  for (unsigned i = 0; i < kLosses; ++i)
    numbers.emplace_back(fmt::format("data_lost_{}", kLossNames[i]), t.lost[i]);
  for (unsigned i = 0; i < kLosses; ++i)
    numbers.emplace_back(fmt::format("smps_lost_{}", kLossNames[i]), t.smps_lost[i]);
  return numbers;
}

/// The parts of an emulation that depend on its clock.
struct Emulation {
  EmulatedSubnet& subnet;
  MadTransport& transport;
  const CounterSource& counters;
  EmulationClock& clock;
  std::function<std::unique_ptr<PathQueries>(Core&)> make_queries;
  std::function<void(Console&)> add_commands;
};

/// Serves until the command `quit` or a signal ends it; then prints the report.
void serve(const EmulateFlags& flags, const Emulation& emulation, Output& output) {
  std::string script;
  if (!flags.script.empty()) script = read_small_file(flags.script, "the script", kMostScriptBytes);
  const EmulatedSubnet& subnet = emulation.subnet;
  Server server(flags.socket);
  Core core(emulation.subnet, emulation.transport, emulation.counters, server, flags.settings,
            flags.seed);
  Console console(core);
  const std::unique_ptr<PathQueries> queries = emulation.make_queries(core);
  add_path_commands(console, *queries);
  emulation.add_commands(console);
  console.on_printed(print_of_script);
  console.schedule_script(script, flags.script);
  Recording recording(flags.pcap, core);
  note(fmt::format("{} switches, {} nodes in all, at IBSIM_SOCKNAME={}; commands at @{}:console",
                   subnet.num_switches(), subnet.num_nodes(), flags.socket, flags.socket));
  server.serve(core, console, emulation.clock, {queries.get()});
  recording.finish();
  print_numbers(console.numbers(), flags.json, output);
}

void emulate_under_traffic(const EmulateFlags& flags, const Given& given, Output& output) {
  EmulatedFabric emulated(given.fabric, given.has_lids, flags.under, flags.seed);
  DataPlane& plane = emulated.plane;
  const SystemProcesses processes(flags.managers.empty()
                                      ? usual_managers()
                                      : parse_names(flags.managers, "--managers", usual_list()));
  ManagerClock clock(plane, processes, flags.under.speed());
  const auto add_commands = [&](Console& console) {
    add_traffic_command(console, {emulated.spec, given.fabric, emulated.model, flags.seed,
                                  emulated.traffic, plane});
    console.add_numbers([&] { return data_numbers(plane, clock); });
  };
  serve(flags,
        {emulated.subnet, plane, plane, clock,
         [&](Core& core) { return std::make_unique<HostPaths>(core, plane); }, add_commands},
        output);
}

void emulate_free_running(const EmulateFlags& flags, const Given& given, Output& output) {
  EmulatedSubnet subnet(given.fabric, given.has_lids);
  HopByHop transport(subnet, flags.seed);
  FreeRunningClock clock;
  const auto ignore = [](HostId, HostId, PathAnswer) {};  // there are no data
  serve(flags,
        {subnet, transport, transport, clock,
         [&](Core& core) {
           return std::make_unique<PathQueries>(core, host_ports(subnet, given.fabric), ignore);
         },
         [](Console&) {}},
        output);
}

/// Throws if an option was given that the chosen clock would ignore.
void refuse_conflicts(const EmulateFlags& flags, std::string traffic_options) {
  if (flags.clock != "free" && flags.clock != "manager")
    throw InputError(fmt::format("no such clock: '{}'", flags.clock), "--clock",
                     "choose free or manager");
  if (flags.clock == "manager") {
    if (flags.free_running)
      throw InputError("two clocks are chosen", "--free-running with --clock manager",
                       "leave one of them out");
    return;
  }
  if (!flags.managers.empty())
    traffic_options += traffic_options.empty() ? "--managers" : ", --managers";
  if (!traffic_options.empty())
    throw InputError("there is no traffic with the clock free", traffic_options,
                     "add --clock manager, or leave them out");
}

int emulate(const EmulateFlags& flags, Output& output) {
  refuse_overwriting(flags);
  const Given given = read_given(flags.fabric);
  if (flags.clock == "manager")
    emulate_under_traffic(flags, given, output);
  else
    emulate_free_running(flags, given, output);
  return kDone;
}

}  // namespace

Verb add_emulate_verb(CLI::App& program) {
  auto flags = std::make_shared<EmulateFlags>();
  CLI::App* app = add_verb(program, "emulate",
                           "Serve an emulated subnet to opensm and infiniband-diags (libumad2sim)");
  add_text(*app, "--fabric", flags->fabric, "FABRIC", "The fabric, as torus:8x8 or file:PATH");
  add_text(
      *app, "--socket", flags->socket, "NAME",
      "Its name for clients: their IBSIM_SOCKNAME; commands\ngo to the Unix socket @NAME:console");
  add_text(*app, "--script", flags->script, "FILE",
           "Commands with the time in ms before each, as\n1500 cut S-0-0:2");
  add_text(*app, "--pcap", flags->pcap, "FILE",
           "Records all MADs there as they leave and arrive, for\nWireshark and tshark (pcapng)");
  app->add_flag("--free-running", flags->free_running,
                "MADs take no time, as with --clock free (the default)")
      ->disable_flag_override();
  add_text(
      *app, "--clock", flags->clock, "free|manager",
      "manager: the fabric's time is the managers' CPU time,\nand the flight of MADs while they "
      "wait; carries traffic");
  add_text(*app, "--managers", flags->managers, "NAME,NAME",
           fmt::format("Programs that manage (default: {})", usual_list()));
  add_traffic_options(*app, flags->under);
  add_number(*app, "--smp-timeout-ms", 1, kMostTimeoutMs, "N",
             "A lost SMP is repeated after this time (default: 200)",
             [flags](unsigned n) { flags->settings.smp.timeout = std::chrono::milliseconds(n); });
  add_number(*app, "--gmp-timeout-ms", 1, kMostTimeoutMs, "N",
             "Likewise other MADs (default: 1000)",
             [flags](unsigned n) { flags->settings.gmp.timeout = std::chrono::milliseconds(n); });
  add_number(
      *app, "--retries", 0, kMostRetries, "N", "How often, before the client is told (default: 3)",
      [flags](unsigned n) { flags->settings.smp.retries = flags->settings.gmp.retries = n; });
  add_number(*app, "--seed", 0, UINT32_MAX, "N", "Of random losses and of the traffic (default: 1)",
             [flags](unsigned n) { flags->seed = n; });
  add_json(*app, flags->json);
  app->footer(
      "Clients are run as with ibsim: IBSIM_SOCKNAME=NAME SIM_HOST=host\n"
      "LD_PRELOAD=…/libumad2sim.so opensm. Traffic begins with the command 'traffic on'.\n"
      "It serves until quit, SIGINT or SIGTERM, and then reports what it did.\n"
      "docs/emulator.md says what is exact and what is not.");
  return {app, [flags, app](Output& output) {
            refuse_conflicts(*flags, given_traffic_options(*app));
            selvedge::require(flags->fabric, "--fabric", "FABRIC");
            selvedge::require(flags->socket, "--socket", "NAME");
            return emulate(*flags, output);
          }};
}

}  // namespace selvedge::sim
