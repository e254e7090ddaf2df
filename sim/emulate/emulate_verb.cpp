// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/emulate_verb.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "base/error.hpp"
#include "base/regular_file.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/emulate/hop_by_hop.hpp"
#include "sim/emulate/server.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kMostTimeoutMs = 60'000, kMostRetries = 20;

struct EmulateFlags {
  std::string fabric, socket, script;
  unsigned seed = 1;
  CoreSettings settings;
  bool free_running = false, json = false;
};

struct Given {
  Fabric fabric;
  bool has_lids = false;
};

/// LIDs that a file gives are those that its nodes have at the start; else the manager assigns
/// them.
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

int emulate(const EmulateFlags& flags, Output& output) {
  const Given given = read_given(flags.fabric);
  EmulatedSubnet subnet(given.fabric, given.has_lids);
  HopByHop travel(subnet, flags.seed);
  std::string script;
  if (!flags.script.empty()) script = read_script(flags.script);
  Server server(flags.socket);
  Core core(subnet, travel, travel, server, flags.settings, flags.seed);
  Console console(core);
  if (!script.empty()) console.schedule_script(script, flags.script);
  note(fmt::format("{} switches, {} nodes in all, at IBSIM_SOCKNAME={}; commands at @{}:console",
                   subnet.num_switches(), subnet.num_nodes(), flags.socket, flags.socket));
  server.serve(core, console);
  std::string json;
  for (const auto& [name, value] : console.numbers()) {
    if (!flags.json) output.print("{} {}\n", name, value);
    json += fmt::format("{}\"{}\": {}", json.empty() ? "" : ", ", name, value);
  }
  if (flags.json) output.print("{{{}}}\n", json);
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
  app->add_flag("--free-running", flags->free_running,
                "MADs take no time (the default, and the only clock)")
      ->disable_flag_override();
  add_number(*app, "--smp-timeout-ms", 1, kMostTimeoutMs, "N",
             "A lost SMP is repeated after this time (default: 200)",
             [flags](unsigned n) { flags->settings.smp.timeout_ms = n; });
  add_number(*app, "--gmp-timeout-ms", 1, kMostTimeoutMs, "N",
             "Likewise other MADs (default: 1000)",
             [flags](unsigned n) { flags->settings.gmp.timeout_ms = n; });
  add_number(
      *app, "--retries", 0, kMostRetries, "N", "How often, before the client is told (default: 3)",
      [flags](unsigned n) { flags->settings.smp.retries = flags->settings.gmp.retries = n; });
  add_number(*app, "--seed", 0, UINT32_MAX, "N", "Of the random losses (default: 1)",
             [flags](unsigned n) { flags->seed = n; });
  add_json(*app, flags->json);
  app->footer(
      "Clients are run as with ibsim: IBSIM_SOCKNAME=NAME SIM_HOST=host\n"
      "LD_PRELOAD=…/libumad2sim.so opensm. It serves until quit, SIGINT or SIGTERM, and then\n"
      "reports what it did. docs/emulator.md says what is exact and what is not.");
  return {app, [flags](Output& output) {
            require(flags->fabric, "--fabric", "FABRIC");
            require(flags->socket, "--socket", "NAME");
            return emulate(*flags, output);
          }};
}

}  // namespace selvedge::sim
