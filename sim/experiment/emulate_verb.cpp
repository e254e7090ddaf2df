// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/emulate_verb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/regular_file.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/emulate/hop_by_hop.hpp"
#include "sim/emulate/path_queries.hpp"
#include "sim/emulate/server.hpp"
#include "sim/experiment/emulated_fabric.hpp"
#include "sim/experiment/emulated_options.hpp"
#include "sim/experiment/traffic_command.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kMostTimeoutMs = 60'000, kMostRetries = 20;

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
  if (spec.starts_with("file:")) {
    FabricFile file = read_fabric_file(spec.substr(5));
    if (file.has_lids) return {std::move(file.fabric), true};
  }
  return {make_fabric(spec, 0), false};  // also checks that it fits into the LID space
}

std::string read_script(const std::string& path) {
  refuse_blocking_file(path);
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    throw InputError("the script cannot be read", path, "name a file with commands");
  return text;
}

/// Splits a list NAME,NAME… into its names.
std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin)
      throw InputError("a name is empty", fmt::format("--managers '{}'", list),
                       "write names of programs, as opensm,selvedge-smp-agent");
    names.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
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

void add_path_commands(Console& console, PathQueries& queries) {
  console.add_command("paths", [&queries](std::string_view rest) -> Console::Action {
    if (!rest.empty())
      throw InputError("paths takes nothing", fmt::format("'{}'", rest), "write paths");
    return [&queries] {
      queries.ask_all();
      return std::string();
    };
  });
  console.add_wait(
      "subnet-up", [&queries] { queries.await_subnet(); }, [&queries] { return queries.up(); });
  console.add_wait(
      "paths", [&queries] { queries.ask_all(); }, [&queries] { return queries.done(); });
}

/// Serves until it is told to quit.
void serve(const EmulateFlags& flags, const Fabric& fabric, EmulatedSubnet& subnet,
           MadTransport& transport, const CounterSource& counters, EmulationClock& clock,
           const PathQueries::Listener& path_changed,
           const std::function<void(Console&, PathQueries&)>& prepare, Output& output) {
  std::string script;
  if (!flags.script.empty()) script = read_script(flags.script);
  Server server(flags.socket);
  Core core(subnet, transport, counters, server, flags.settings, flags.seed);
  Console console(core);
  std::ofstream capture_file;
  std::optional<MadCapture> capture;
  if (!flags.pcap.empty()) {
    refuse_blocking_file(flags.pcap);
    capture_file.open(flags.pcap, std::ios::binary | std::ios::trunc);
    if (!capture_file)
      throw InputError("the file cannot be written", fmt::format("--pcap {}", flags.pcap),
                       "name another");
    core.capture_to(capture.emplace(capture_file, subnet));
  }
  PathQueries queries(core, host_ports(subnet, fabric), path_changed);
  add_path_commands(console, queries);
  prepare(console, queries);
  if (!script.empty()) console.schedule_script(script, flags.script);
  note(fmt::format("{} switches, {} nodes in all, at IBSIM_SOCKNAME={}; commands at @{}:console",
                   subnet.num_switches(), subnet.num_nodes(), flags.socket, flags.socket));
  server.serve(core, console, clock, {&queries});
  if (capture) {
    capture_file.close();
    if (!capture_file)
      refused_by_system("not all MADs were recorded", flags.pcap, "make room on the disk");
  }
  std::string json;
  for (const auto& [name, value] : console.numbers()) {
    if (!flags.json) output.print("{} {}\n", name, value);
    json += fmt::format("{}\"{}\": {}", json.empty() ? "" : ", ", name, value);
  }
  if (flags.json) output.print("{{{}}}\n", json);
}

int emulate_under_traffic(const EmulateFlags& flags, const Given& given, Output& output) {
  EmulatedFabric emulated(given.fabric, given.has_lids, flags.under, flags.seed);
  DataPlane& plane = emulated.plane;
  const SystemProcesses processes(
      names_of(flags.managers.empty() ? kUsualManagers : flags.managers));
  ManagerClock clock(plane, processes, flags.under.speed());
  const auto prepare = [&](Console& console, PathQueries& queries) {
    plane.on_readdressed([&queries](HostId host) { queries.readdressed(host); });
    add_traffic_command(console, {emulated.spec, given.fabric, emulated.model, flags.seed,
                                  emulated.traffic, plane});
    console.add_numbers([&] { return data_numbers(plane, clock); });
  };
  const auto path_changed = [&](HostId from, HostId to, PathAnswer answer) {
    plane.write_path(from, to, answer.dlid, answer.sl);
  };
  serve(flags, given.fabric, emulated.subnet, plane, plane, clock, path_changed, prepare, output);
  return kDone;
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
  const Given given = read_given(flags.fabric);
  if (flags.clock == "manager") return emulate_under_traffic(flags, given, output);
  EmulatedSubnet subnet(given.fabric, given.has_lids);
  HopByHop transport(subnet, flags.seed);
  FreeRunningClock clock;
  serve(
      flags, given.fabric, subnet, transport, transport, clock, [](HostId, HostId, PathAnswer) {},
      [](Console&, PathQueries&) {}, output);
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
           fmt::format("Programs that manage (default: {})", kUsualManagers));
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
