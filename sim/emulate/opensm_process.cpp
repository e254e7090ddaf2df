// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/opensm_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPluginPrefix = "selvedge-";
constexpr const char* kPluginLibrary = "libselvedge_opensm.so";
constexpr const char* kAgent = "selvedge-smp-agent";
constexpr const char* kRoute = "selvedge-route";
constexpr std::string_view kSubnetUp = "SUBNET UP";

fs::path in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") +
                             ":/usr/sbin:/usr/local/sbin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && ::access((fs::path(folder) / name).c_str(), X_OK) == 0)
      return fs::path(folder) / name;
  return {};
}

fs::path first_existing(const std::vector<fs::path>& places) {
  for (const fs::path& place : places) {
    std::error_code none;
    if (fs::exists(place, none)) return place;
  }
  return {};
}

/// The folders below /usr/lib, among which are Debian's library folders of each architecture.
std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/usr/lib", none))
    if (entry.is_directory(none)) folders.push_back(entry.path());
  std::ranges::sort(folders);
  folders.emplace_back("/usr/lib");
  folders.emplace_back("/usr/local/lib");
  return folders;
}

/// Of a line of OpenSM's log, the part after date, thread and level.
std::string message_of(const std::string& line) {
  constexpr std::string_view kArrow = " -> ";
  const std::size_t arrow = line.find(kArrow);
  return arrow == std::string::npos ? line : line.substr(arrow + kArrow.size());
}

std::string without_prefix(const std::string& text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

/// The message of the first line that holds one of these; "" if none does.
std::string first_message(const std::string& log, std::initializer_list<const char*> signs) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    for (const char* sign : signs)
      if (line.find(sign) != std::string::npos) return message_of(line);
  return "";
}

std::string replacement(const std::string& log) {
  return without_prefix(first_message(log, {"selvedge: fell back: ", "selvedge: interim: "}),
                        "selvedge: ");
}

}  // namespace

bool is_plugin_engine(std::string_view engine) { return engine.starts_with(kPluginPrefix); }

OpenSmPrograms find_opensm_programs(bool plugin) {
  OpenSmPrograms found;
  found.opensm = in_path("opensm");
  if (found.opensm.empty())
    throw EnvironmentError("opensm is not installed", "PATH and /usr/sbin",
                           "install the package opensm");
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<fs::path> umad2sim, plugins{here.parent_path() / "lib" / kPluginLibrary};
  for (const fs::path& folder : library_folders()) {
    umad2sim.push_back(folder / "umad2sim" / "libumad2sim.so");
    plugins.push_back(folder / kPluginLibrary);
  }
  found.umad2sim = first_existing(umad2sim);
  if (found.umad2sim.empty())
    throw EnvironmentError("libumad2sim.so is not installed", "/usr/lib/*/umad2sim",
                           "install the package libumad2sim0");
  found.plugin_folder = first_existing(plugins).parent_path();
  found.smp_agent =
      first_existing({here / kAgent, here.parent_path() / "libexec" / "selvedge" / kAgent});
  found.selvedge_route = first_existing({here / kRoute});
  const auto need = [&](const fs::path& part, const char* name) {
    if (part.empty())
      throw EnvironmentError(fmt::format("{} is not there", name),
                             fmt::format("{} and the lib and libexec beside it", here.string()),
                             "install the plugin, or build all of Selvedge");
  };
  if (plugin) {
    need(found.plugin_folder, kPluginLibrary);
    need(found.selvedge_route, kRoute);
    need(found.smp_agent, kAgent);
  }
  return found;
}

std::string torus_2qos_config(const Fabric& fabric) {
  const Regularity form = recognise(fabric);
  const std::size_t dimensions = form.sizes.size();
  if (form.kind != Regularity::Kind::kTorus || dimensions < 2 || dimensions > 3) return "";
  std::string text = "torus";
  for (std::size_t i = 0; i < 3; ++i)
    text += fmt::format(" {}", i < dimensions ? form.sizes[i] : 1);
  text += '\n';
  // torus-2QoS's seed is the switch at the origin, where the datelines are.
  const auto place = [&](SwitchId s) { return &form.coordinates[s * dimensions]; };
  SwitchId origin = kNoSwitch;
  for (SwitchId s = 0; s < fabric.num_switches() && origin == kNoSwitch; ++s)
    if (std::all_of(place(s), place(s) + dimensions, [](auto c) { return c == 0; })) origin = s;
  if (origin == kNoSwitch) return "";
  for (std::size_t i = 0; i < dimensions; ++i)
    for (const bool up : {true, false})
      for (const Channel c : fabric.out(origin)) {
        const SwitchId next = fabric.target(c);
        const unsigned there = place(next)[i];
        if (there != (up ? 1U : form.sizes[i] - 1U)) continue;
        text += fmt::format("{}{}_link 0x{:016x} 0x{:016x}\n", "xyz"[i], up ? 'p' : 'm',
                            fabric.node(origin).guid, fabric.node(next).guid);
        break;
      }
  return text;
}

OpenSmProcess::OpenSmProcess(const OpenSmPrograms& programs, const OpenSmSettings& settings)
    : programs_(programs), folder_("selvedge-opensm-") {
  const std::string folder = folder_.path().string();
  std::string conf =
      "force_log_flush TRUE\nqos TRUE\nqos_max_vls 8\nmax_wire_smps 4\nuse_ucast_cache FALSE\n"
      "sweep_interval 0\n";
  // Without the last word OpenSM would route with minhop where the engine cannot.
  conf += fmt::format("routing_engine {},no_fallback\nlmc {}\n", settings.engine, settings.lmc);
  if (!settings.torus_config.empty()) {
    folder_.write("torus-2QoS.conf", settings.torus_config);
    conf += fmt::format("torus_config {}/torus-2QoS.conf\n", folder);
  }
  EnvironmentVariables environment{{"IBSIM_SOCKNAME", settings.socket},
                                   {"LD_PRELOAD", programs.umad2sim.string()},
                                   {"OSM_CACHE_DIR", folder + "/"},
                                   {"OSM_TMP_DIR", folder + "/"}};
  if (!settings.host.empty()) environment.emplace_back("SIM_HOST", settings.host);
  if (is_plugin_engine(settings.engine)) {
    conf += fmt::format(
        "event_plugin_name selvedge_opensm\nevent_plugin_options selvedge:{}/plugin.toml\n",
        folder);
    environment.emplace_back("LD_LIBRARY_PATH", programs.plugin_folder.string());
    folder_.write("plugin.toml",
                  fmt::format("[status]\nsocket = \"{0}/plugin.sock\"\nfile = \"{0}/status.json\"\n"
                              "[repair]\ndrained = \"{0}/drained\"\nagent = \"{1}\"\n{2}",
                              folder, programs.smp_agent.string(), settings.plugin_settings));
  }
  // A later line prevails in OpenSM's parser.
  for (const std::string& line : settings.lines) conf += line + "\n";
  folder_.write("opensm.conf", conf);
  opensm_ =
      ChildProcess({programs.opensm.string(), "-F", "opensm.conf", "-f", folder + "/opensm.log"},
                   folder_.path(), "opensm.out", environment);
}

std::string OpenSmProcess::ending() const {
  std::istringstream lines(folder_.read("opensm.out") + folder_.read("opensm.log"));
  std::string error, last;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    last = message_of(line);
    if (line.find(" ERR ") != std::string::npos) error = last;
  }
  return fmt::format("{}: {}", opensm_.ending(),
                     !error.empty()  ? error
                     : !last.empty() ? last
                                     : "it wrote nothing");
}

std::string OpenSmProcess::refusal() const {
  return first_message(
      folder_.read("opensm.log"),
      {"cannot find or setup routing engine", "No routing engine able to successfully configure"});
}

std::string OpenSmProcess::replaced_at_start() const {
  const std::string log = folder_.read("opensm.log");
  return replacement(log.substr(0, log.find(kSubnetUp)));
}

std::string OpenSmProcess::replaced_later() const {
  const std::string log = folder_.read("opensm.log");
  return replacement(log.substr(std::min(log.find(kSubnetUp), log.size())));
}

std::string OpenSmProcess::settings_error() const {
  const std::string message =
      first_message(folder_.read("opensm.log"), {"Selvedge's engines decline until this"});
  std::string error =
      without_prefix(message.substr(0, message.find(": Selvedge's engines decline")), "selvedge: ");
  const std::string folder = folder_.path().string() + "/";  // nobody will find the file there
  if (const std::size_t at = error.find(folder); at != std::string::npos)
    error.erase(at, folder.size());
  return error;
}

void OpenSmProcess::drain(const std::vector<std::string>& names) {
  std::vector<std::string> words{programs_.selvedge_route.string(), "drain"};
  words.insert(words.end(), names.begin(), names.end());
  words.emplace_back("--socket");
  words.push_back((folder_.path() / "plugin.sock").string());
  order_ = ChildProcess(words, folder_.path(), "drain.out", {});
}

bool OpenSmProcess::drained() {
  if (order_.running()) return false;
  if (!order_.started() || !drain_answer_.empty()) return true;
  drain_answer_ = folder_.read("drain.out");
  if (!order_.succeeded())
    throw InputError("the plugin did not drain the link",
                     without_prefix(drain_answer_.substr(0, drain_answer_.find('\n')), "error: "),
                     "choose another --fault, or leave --drain out");
  return true;
}

}  // namespace selvedge::sim
