// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/compare_sm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/toml_section.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/emulate/opensm_options.hpp"
#include "sim/emulate/server.hpp"

namespace selvedge::sim {
namespace {

constexpr const char* kTorus2Qos = "torus-2QoS";
constexpr std::string_view kPluginPrefix = "selvedge-";
/// Options of opensm.conf by which the comparison chooses the engine, reads OpenSM's log, and ends
/// opensm.
constexpr std::array<std::string_view, 6> kOwnOptions = {
    "routing_engine", "event_plugin_name", "event_plugin_options",
    "daemon",         "log_file",          "force_log_flush"};
/// Keys of plugin.toml that the comparison sets itself. The user's text continues that file's
/// section [repair].
constexpr std::array<std::string_view, 4> kOwnKeys = {"repair", "status", "agent", "drained"};
/// The plugin's time-outs run by wall-clock time, and simulated time is slower. With a shorter
/// time-out an SMP of a repair would be given up while the simulation catches up with the CPU time
/// of the repair. OpenSM's sweep would then send the tables, in an order of its own.
constexpr std::pair<const char*, unsigned> kPatientSmps{"smp_timeout_ms", 60'000};
/// With a drain: how long its steps wait, by wall-clock time, for packets to leave the old paths.
constexpr std::pair<const char*, unsigned> kPatientDrain{"drain_ms", 100};
/// A deadline of an hour for every engine: interim tables of another engine would be compared under
/// its name.
constexpr std::string_view kNoHurry = "\n[engine]\ndeadline_ms = 3600000\n";
constexpr std::chrono::milliseconds kLookAtManager{100};

struct Fault {
  std::vector<PortAt> links;
  std::vector<NodeId> switches;
};

Fault find_fault(const EmulatedSubnet& subnet, const std::vector<std::string>& names) {
  Fault fault;
  for (const std::string& name : names) {
    const NodeId n = subnet.find_node(name);
    if (n != kNoNode && n < subnet.num_switches()) {
      fault.switches.push_back(n);
      continue;
    }
    const std::vector<PortAt> links = subnet.find_links(name);
    fault.links.insert(fault.links.end(), links.begin(), links.end());
  }
  return fault;
}

/// An engine, with the settings of opensm.conf that only its runs have.
struct EngineSettings {
  std::string name;
  unsigned lmc = 0;
  std::string torus_config;
};

/// What all runs share, checked before the first.
struct Prepared {
  Fabric fabric;
  OpenSmPrograms programs;
  std::vector<EngineSettings> engines;
  std::string plugin_settings;
};

// --- What can be known before the first run

void check_engine(const std::string& name, const std::vector<std::string>& known) {
  const std::string where = fmt::format("--engine {}", name);
  if (is_plugin_engine(name)) {
    (void)find_engine(std::string_view(name).substr(kPluginPrefix.size()));
    return;
  }
  // If this opensm does not list its engines, any word is accepted here; a run of an engine that it
  // lacks will fail.
  constexpr std::string_view kWord =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const bool word = name.find_first_not_of(kWord) == std::string::npos;
  if (std::ranges::count(known, name) > 0 || (known.empty() && word)) return;
  const std::string_view near = nearest(name, known);
  throw InputError(fmt::format("OpenSM has no engine '{}'", name), where,
                   near.empty() ? fmt::format("choose one of {}, or one of the plugin's, as "
                                              "selvedge-updn",
                                              fmt::join(known, ", "))
                                : fmt::format("did you mean '{}'?", near));
}

/// The LMC that the lines of opensm.conf set, if one does.
std::optional<unsigned> given_lmc(const std::vector<std::string>& lines) {
  std::optional<unsigned> lmc;
  for (const std::string& line : lines)
    if (const OpenSmLine parts = split_opensm_line(line, ""); parts.option == "lmc")
      lmc = static_cast<unsigned>(std::strtoul(parts.value.c_str(), nullptr, 0));
  return lmc;
}

void check_lines(const Comparison& wanted, const OpenSmPrograms& programs) {
  for (const std::string& line : wanted.opensm_lines) {
    const std::string where = fmt::format("--opensm-line '{}'", line);
    const std::string option = split_opensm_line(line, where).option;
    if (option == "routing_engine")
      throw InputError("engines are chosen by --engine", where, "leave it out");
    if (std::ranges::count(kOwnOptions, option) > 0)
      throw InputError(fmt::format("compare-sm sets {} itself", option), where, "leave it out");
    check_opensm_line(programs.opensm, line, where);
  }
}

/// The user's text for plugin.toml with the comparison's additions. Throws InputError if the text
/// sets a key of the comparison. Unknown keys are not found here: the plugin refuses them.
std::string plugin_settings(const Comparison& wanted) {
  const TomlFile file = TomlFile::parse(wanted.plugin_settings, "--plugin-toml");
  TomlSection given = file.root();
  for (const std::string_view key : kOwnKeys)
    if (given.has(key)) throw given.error(key, "is set by compare-sm", "leave it out");
  std::string text = wanted.plugin_settings;
  const auto add = [&](const std::pair<const char*, unsigned>& setting) {
    const auto& [key, value] = setting;
    if (!given.has(key)) text.insert(0, fmt::format("{} = {}\n", key, value));
  };
  add(kPatientSmps);
  if (wanted.drain) add(kPatientDrain);
  if (!given.has("engine")) text += kNoHurry;
  return text;
}

EngineSettings settings_for(const std::string& name, const Fabric& fabric,
                            const Comparison& wanted) {
  EngineSettings settings{.name = name, .lmc = 0, .torus_config = {}};
  if (is_plugin_engine(name)) {
    const Engine& engine = find_engine(std::string_view(name).substr(kPluginPrefix.size()));
    // With the plugin's default settings, base LIDs get paths of their own.
    settings.lmc = wanted_lmc(engine, fabric, ReplyGrade::kBase);
  }
  settings.lmc = given_lmc(wanted.opensm_lines).value_or(settings.lmc);
  // Throws if there are too few LIDs.
  if (settings.lmc > 0) (void)make_fabric(wanted.fabric, settings.lmc);
  if (name == kTorus2Qos) {
    settings.torus_config = torus_2qos_config(fabric);
    if (settings.torus_config.empty())
      throw InputError("torus-2QoS routes tori of two or three dimensions", wanted.fabric,
                       "leave torus-2QoS out");
  }
  return settings;
}

Prepared prepare(const Comparison& wanted) {
  const bool ours = std::ranges::any_of(wanted.engines, is_plugin_engine);
  if (wanted.drain && !std::ranges::all_of(wanted.engines, is_plugin_engine))
    throw InputError("OpenSM's own engines cannot drain", "--drain",
                     "name engines selvedge-… only, or leave it out");
  if (!ours && !wanted.plugin_settings.empty())
    throw InputError("no engine is the plugin's", "--plugin-toml",
                     "name an engine selvedge-…, or leave it out");
  Prepared prepared{.fabric = make_fabric(wanted.fabric, 0),
                    .programs = {},
                    .engines = {},
                    .plugin_settings = plugin_settings(wanted)};
  (void)find_fault(EmulatedSubnet(prepared.fabric, false), wanted.faults);
  prepared.programs = find_opensm_programs(ours);
  const std::vector<std::string> known = read_by_opensm(prepared.programs.opensm, "").engines;
  for (const std::string& name : wanted.engines) check_engine(name, known);
  check_lines(wanted, prepared.programs);
  for (const std::string& name : wanted.engines)
    prepared.engines.push_back(settings_for(name, prepared.fabric, wanted));
  return prepared;
}

// --- One run

/// Ends the server if opensm has ended, or refuses the fabric. Also reports the trial's phases.
class Watch : public Course {
 public:
  Watch(const OpenSmProcess& opensm, const Trial& trial, std::function<void(std::string)> progress)
      : opensm_(opensm), trial_(trial), progress_(std::move(progress)) {}
  std::optional<Nanoseconds> deadline() const override { return std::nullopt; }
  void on_time() override {
    if (const std::string phase = trial_.phase(); phase != shown_) progress_(shown_ = phase);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kLookAtManager;
    gone_ = !opensm_.running() || (!trial_.result().came_up && !opensm_.refusal().empty());
  }
  bool ended() const override { return gone_; }

 private:
  const OpenSmProcess& opensm_;
  const Trial& trial_;
  const std::function<void(std::string)> progress_;
  std::chrono::steady_clock::time_point next_{};
  std::string shown_;
  bool gone_ = false;
};

OpenSmSettings settings_of(const Comparison& wanted, const Prepared& prepared,
                           const EngineSettings& engine, const std::string& socket) {
  return {.engine = engine.name,
          .socket = socket,
          .host = {},
          .lmc = engine.lmc,
          .lines = wanted.opensm_lines,
          .torus_config = engine.torus_config,
          .plugin_settings = prepared.plugin_settings};
}

TrialPlan plan_of(const Comparison& wanted, Fault fault, OpenSmProcess& opensm) {
  TrialPlan plan;
  plan.links = std::move(fault.links);
  plan.switches = std::move(fault.switches);
  plan.warm_up = std::chrono::nanoseconds(std::llround(wanted.warm_up_ms * 1e6));
  plan.patience = std::chrono::seconds(std::llround(wanted.patience_s));
  if (wanted.drain) {
    plan.drain = [&wanted, &opensm] { opensm.drain(wanted.faults); };
    plan.drained = [&opensm] { return opensm.drained(); };
  }
  return plan;
}

/// The parts of one run, in the order in which they need each other.
struct TrialRun {
  TrialRun(const Comparison& wanted, const Prepared& prepared, const EngineSettings& engine,
           std::uint64_t seed, const std::function<void(std::string)>& progress)
      : emulated(prepared.fabric, false, wanted.traffic, seed),
        core(emulated.subnet, emulated.plane, emulated.plane, server, {}, seed),
        clock(emulated.plane, processes, wanted.traffic.speed()),
        queries(core, emulated.plane.host_ports(),
                [this](HostId from, HostId to, PathAnswer answer) {
                  emulated.plane.write_path(from, to, answer.dlid, answer.sl);
                }),
        opensm(prepared.programs, settings_of(wanted, prepared, engine, name)),
        trial(core, emulated.plane, emulated.traffic, queries, emulated.plane.host_ports(), clock,
              plan_of(wanted, find_fault(emulated.subnet, wanted.faults), opensm)),
        watch(opensm, trial, progress) {
    emulated.plane.on_readdressed([this](HostId host) { queries.readdressed(host); });
  }
  /// Serves until the trial has ended, and returns true; false if the user has interrupted it.
  bool serve() { return server.serve(core, console, clock, {&queries, &trial, &watch}); }

  EmulatedFabric emulated;
  const std::string name = fmt::format("selvedge-compare-{}", ::getpid());
  Server server{name};
  Core core;
  Console console{core};
  const SystemProcesses processes{{"opensm", "selvedge-smp-agent"}};
  ManagerClock clock;
  PathQueries queries;
  OpenSmProcess opensm;
  Trial trial;
  Watch watch;
};

/// Why the result of this run does not count; empty if it counts.
std::string why_it_fails(const TrialRun& parts) {
  const TrialResult& result = parts.trial.result();
  if (!result.came_up)
    if (const std::string refusal = parts.opensm.refusal(); !refusal.empty())
      return fmt::format("OpenSM does not route this fabric with it: {}", refusal);
  if (const std::string other = parts.opensm.replaced_at_start(); !other.empty())
    return fmt::format("the plugin does not route this fabric with it: {}", other);
  if (!parts.opensm.running())
    return fmt::format("opensm has ended while {}: {}", parts.trial.phase(), parts.opensm.ending());
  if (!result.stopped_while.empty())
    return fmt::format("the time was up while {}", result.stopped_while);
  return "";
}

/// Runs one trial; returns nothing if the user has interrupted it.
std::optional<ComparedRun> run_trial(const Comparison& wanted, const Prepared& prepared,
                                     const EngineSettings& engine, ComparedRun run,
                                     const std::function<void(std::string)>& progress) {
  TrialRun parts(wanted, prepared, engine, wanted.seed + run.run, progress);
  if (!parts.serve()) return std::nullopt;
  if (const std::string error = parts.opensm.settings_error(); !error.empty())
    throw InputError("the plugin does not take its settings", error, "correct --plugin-toml");
  run.result = parts.trial.result();
  run.failure = why_it_fails(parts);
  if (!run.counts()) run.status = kDoesNotHold;
  if (run.result.came_up) {
    run.refused_later = parts.opensm.refusal();
    if (run.refused_later.empty()) run.refused_later = parts.opensm.replaced_later();
  }
  run.drain_answer = parts.opensm.drain_answer();
  return run;
}

}  // namespace

std::vector<ComparedRun> compare_sm(const Comparison& wanted, const ComparisonProgress& progress) {
  const Prepared prepared = prepare(wanted);
  std::vector<ComparedRun> runs;
  std::exception_ptr first_error;
  const auto fail = [&](ComparedRun run, const Error& error, ExitStatus status) {
    if (!first_error) first_error = std::current_exception();
    run.failure = error.what();
    run.status = status;
    runs.push_back(std::move(run));
  };
  bool goes_on = true;
  for (unsigned run = 0; run < wanted.runs && goes_on; ++run)
    for (auto engine = prepared.engines.begin(); engine != prepared.engines.end() && goes_on;
         ++engine) {
      ComparedRun next;
      next.engine = engine->name;
      next.run = run;
      next.lmc = engine->lmc;
      try {
        auto done = run_trial(wanted, prepared, *engine, next,
                              [&](const std::string& phase) { progress(next, phase); });
        if (!done) return runs;
        runs.push_back(std::move(*done));
      } catch (const InputError& error) {
        fail(next, error, kBadInput);
      } catch (const EnvironmentError& error) {
        fail(next, error, kLacksEnvironment);
        goes_on = false;
      }
    }
  if (first_error &&
      std::ranges::all_of(runs, [](const ComparedRun& run) { return run.status > kDoesNotHold; }))
    std::rethrow_exception(first_error);
  return runs;
}

}  // namespace selvedge::sim
