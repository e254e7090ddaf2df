// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/compare_sm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/emulate/server.hpp"

namespace selvedge::sim {
namespace {

constexpr const char* kTorus2Qos = "torus-2QoS";
constexpr const char* kNoSuchEngine = "cannot find or setup routing engine";  // OpenSM's words
/// Settings of the plugin for a drain, in which nothing may be lost. The plugin's waits run by the
/// machine's clock, and the emulated fabric's time is slower, so the waits must be longer.
constexpr std::pair<const char*, unsigned> kPatientPlugin[] = {{"smp_timeout_ms", 10'000},
                                                               {"drain_ms", 100}};
constexpr std::uint64_t kLookAtManager = 256;  // rounds of the server

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

/// Ends the serving if opensm has ended.
class Watch : public Course {
 public:
  Watch(OpenSmProcess& opensm, const Trial& trial, std::function<void(std::string)> progress)
      : opensm_(opensm), trial_(trial), progress_(std::move(progress)) {}
  std::optional<Nanoseconds> deadline() const override { return std::nullopt; }
  void on_time() override {
    if (++rounds_ % kLookAtManager != 0) return;
    gone_ = !opensm_.running() || (!trial_.result().came_up && !opensm_.refusal().empty());
    if (const std::string phase = trial_.phase(); phase != shown_) progress_(shown_ = phase);
  }
  bool ended() const override { return gone_; }

 private:
  OpenSmProcess& opensm_;
  const Trial& trial_;
  const std::function<void(std::string)> progress_;
  std::uint64_t rounds_ = 0;
  std::string shown_;
  bool gone_ = false;
};

/// Executes one run. Returns nothing if the user has interrupted it.
std::optional<ComparedRun> run_trial(const Comparison& wanted, const Fabric& fabric,
                                     const OpenSmPrograms& programs, ComparedRun run,
                                     const std::function<void(std::string)>& progress) {
  const std::uint64_t seed = wanted.seed + run.run;
  EmulatedFabric emulated(fabric, false, wanted.traffic, seed);
  const std::string name = fmt::format("selvedge-compare-{}", ::getpid());
  Server server(name);
  Core core(emulated.subnet, emulated.plane, emulated.plane, server, {}, seed);
  Console console(core);
  const SystemProcesses processes({"opensm", "selvedge-smp-agent"});
  ManagerClock clock(emulated.plane, processes, wanted.traffic.speed());
  PathQueries queries(core, emulated.plane.host_ports(),
                      [&](HostId from, HostId to, PathAnswer answer) {
                        emulated.plane.write_path(from, to, answer.dlid, answer.sl);
                      });
  emulated.plane.on_readdressed([&](HostId host) { queries.readdressed(host); });
  const Fault fault = find_fault(emulated.subnet, wanted.faults);
  OpenSmSettings settings{.engine = run.engine,
                          .socket = name,
                          .host = {},
                          .lines = wanted.opensm_lines,
                          .torus_config = {},
                          .plugin_settings = wanted.plugin_settings};
  if (wanted.drain)
    for (const auto& [key, value] : kPatientPlugin)
      if (wanted.plugin_settings.find(key) == std::string::npos)
        settings.plugin_settings.insert(0, fmt::format("{} = {}\n", key, value));
  if (run.engine == kTorus2Qos) {
    settings.torus_config = torus_2qos_config(fabric);
    if (settings.torus_config.empty())
      throw InputError("torus-2QoS routes tori and meshes of two or three dimensions",
                       wanted.fabric, "leave torus-2QoS out");
  }
  OpenSmProcess opensm(programs, settings);
  TrialPlan plan;
  plan.links = fault.links;
  plan.switches = fault.switches;
  plan.warm_up = std::chrono::nanoseconds(std::llround(wanted.warm_up_ms * 1e6));
  plan.patience = std::chrono::seconds(std::llround(wanted.patience_s));
  if (wanted.drain) {
    plan.drain = [&] { opensm.drain(wanted.faults); };
    plan.drained = [&] { return opensm.drained(); };
  }
  Trial trial(core, emulated.plane, emulated.traffic, queries, emulated.plane.host_ports(), clock,
              std::move(plan));
  Watch watch(opensm, trial, progress);
  if (!server.serve(core, console, clock, {&queries, &trial, &watch})) return std::nullopt;
  run.result = trial.result();
  const std::string refusal = run.result.came_up ? "" : opensm.refusal();
  if (refusal.find(kNoSuchEngine) != std::string::npos)
    throw InputError(fmt::format("OpenSM has no engine '{}'", run.engine), refusal,
                     "choose another engine");
  if (!refusal.empty())
    run.failure = fmt::format("OpenSM does not route this fabric with it: {}", refusal);
  else if (!opensm.running())
    run.failure = fmt::format("opensm has ended while {}: {}", trial.phase(), opensm.last_error());
  else if (!run.result.stopped_while.empty())
    run.failure = fmt::format("the time was up while {}", run.result.stopped_while);
  run.drain_answer = opensm.drain_answer();
  return run;
}

}  // namespace

std::vector<ComparedRun> compare_sm(const Comparison& wanted, const ComparisonProgress& progress) {
  const bool ours = std::ranges::any_of(
      wanted.engines, [](const std::string& engine) { return is_plugin_engine(engine); });
  if (wanted.drain && !std::ranges::all_of(wanted.engines, is_plugin_engine))
    throw InputError("OpenSM's own engines cannot drain", "--drain",
                     "name engines selvedge-… only, or leave it out");
  if (!ours && !wanted.plugin_settings.empty())
    throw InputError("no engine is the plugin's", "--plugin-toml",
                     "name an engine selvedge-…, or leave it out");
  for (const std::string& line : wanted.opensm_lines)
    if (line.starts_with("routing_engine") || line.starts_with("event_plugin"))
      throw InputError("engines and their plugin are chosen by --engine",
                       fmt::format("--opensm-line '{}'", line), "leave it out");
  const Fabric fabric = make_fabric(wanted.fabric, 0);
  (void)find_fault(EmulatedSubnet(fabric, false), wanted.faults);  // before anything is started
  const OpenSmPrograms programs = find_opensm_programs(ours);
  std::vector<ComparedRun> runs;
  for (unsigned run = 0; run < wanted.runs; ++run)
    for (const std::string& engine : wanted.engines) {
      const ComparedRun next{engine, run, {}, {}, {}};
      auto done = run_trial(wanted, fabric, programs, next,
                            [&](const std::string& phase) { progress(next, phase); });
      if (!done) return runs;
      runs.push_back(std::move(*done));
    }
  return runs;
}

}  // namespace selvedge::sim
