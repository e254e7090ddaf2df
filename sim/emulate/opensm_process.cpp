// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/opensm_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.hpp"
#include "plugin/fabric/regularity.hpp"

extern char** environ;

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPluginPrefix = "selvedge-";
constexpr const char* kPluginLibrary = "libselvedge_opensm.so";

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

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    refused_by_system("a file of opensm cannot be written", path.string(), "make room for it");
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
  found.smp_agent = first_existing(
      {here / "selvedge-smp-agent", here.parent_path() / "libexec" / "selvedge-smp-agent"});
  found.selvedge_route = first_existing({here / "selvedge-route"});
  if (plugin && (found.plugin_folder.empty() || found.selvedge_route.empty()))
    throw EnvironmentError(fmt::format("{} or selvedge-route is not there", kPluginLibrary),
                           fmt::format("{} and its lib folder", here.string()),
                           "install the plugin, or build all of Selvedge");
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
    : programs_(programs) {
  std::string name = (fs::temp_directory_path() / "selvedge-opensm-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    refused_by_system("there is no folder for opensm", name, "set TMPDIR");
  folder_ = name;
  std::string conf =
      "force_log_flush TRUE\nqos TRUE\nqos_max_vls 8\nmax_wire_smps 4\nuse_ucast_cache FALSE\n"
      "sweep_interval 0\n";
  // Without `no_fallback` OpenSM would route with minhop where the engine cannot.
  conf += fmt::format("routing_engine {},no_fallback\n", settings.engine);
  if (!settings.torus_config.empty()) {
    write(folder_ / "torus-2QoS.conf", settings.torus_config);
    conf += fmt::format("torus_config {}\n", (folder_ / "torus-2QoS.conf").string());
  }
  std::vector<std::pair<std::string, std::string>> environment{
      {"IBSIM_SOCKNAME", settings.socket},
      {"LD_PRELOAD", programs.umad2sim.string()},
      {"OSM_CACHE_DIR", folder_.string() + "/"},
      {"OSM_TMP_DIR", folder_.string() + "/"}};
  if (!settings.host.empty()) environment.emplace_back("SIM_HOST", settings.host);
  if (is_plugin_engine(settings.engine)) {
    conf += fmt::format("event_plugin_name selvedge_opensm\nevent_plugin_options selvedge:{}\n",
                        (folder_ / "plugin.toml").string());
    environment.emplace_back("LD_LIBRARY_PATH", programs.plugin_folder.string());
    std::string toml = fmt::format(
        "[status]\nsocket = \"{0}/plugin.sock\"\nfile = "
        "\"{0}/status.json\"\n[repair]\ndrained = \"{0}/drained\"\n",
        folder_.string());
    if (!programs.smp_agent.empty())
      toml += fmt::format("agent = \"{}\"\n", programs.smp_agent.string());
    write(folder_ / "plugin.toml", toml + settings.plugin_settings);
  }
  // A later line prevails in OpenSM's parser.
  for (const std::string& line : settings.lines) conf += line + "\n";
  write(folder_ / "opensm.conf", conf);
  pid_ = spawn(
      {programs.opensm.string(), "-F", "opensm.conf", "-f", (folder_ / "opensm.log").string()},
      "opensm.out", environment);
}

OpenSmProcess::~OpenSmProcess() {
  stop(order_);
  stop(pid_);
  std::error_code none;
  fs::remove_all(folder_, none);
}

pid_t OpenSmProcess::spawn(
    const std::vector<std::string>& arguments, const std::string& output,
    const std::vector<std::pair<std::string, std::string>>& environment) const {
  std::vector<std::string> words = arguments;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The child's environment is made before the fork: in the child nothing may be allocated, since
  // other threads may have held locks at the fork.
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced =
        std::ranges::any_of(environment, [&](const auto& e) { return e.first == name; });
    const bool foreign = name == "IBSIM_SERVER_NAME" || name == "IBSIM_SERVER_PORT" ||
                         name == "SIM_HOST" || name == "SIM_SET_ISSM";
    if (!replaced && !foreign) variables.emplace_back(text);
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> envp;
  for (std::string& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);
  const std::string output_path = (folder_ / output).string();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0)
    refused_by_system("there is no process for opensm", arguments[0], "raise the limits");
  if (pid > 0) {
    ::setpgid(pid, pid);  // parent and child both do so, so that it is done whichever runs first
    return pid;
  }
  // The child, which must not outlive the emulator.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_TIMERSLACK, 0);  // the default slack, not the emulator's shorter one
  ::setpgid(0, 0);
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int out = ::open(output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int in = ::open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0 ||
      ::chdir(folder_.c_str()) != 0)
    ::_exit(127);
  ::close_range(3, ~0U, 0);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

/// Kills the process at once: an orderly shutdown of opensm would wait for answers of a subnet that
/// is no longer served. What it leaves behind is in its folder.
void OpenSmProcess::stop(pid_t& pid) {
  if (pid < 0) return;
  ::kill(-pid, SIGKILL);  // its group: the plugin's SMP agent too
  ::waitpid(pid, nullptr, 0);
  pid = -1;
}

bool OpenSmProcess::running() {
  if (pid_ >= 0 && ::waitpid(pid_, nullptr, WNOHANG) != 0) pid_ = -1;
  return pid_ >= 0;
}

std::string OpenSmProcess::last_error() const {
  std::istringstream log(text_of(folder_ / "opensm.log") + text_of(folder_ / "opensm.out"));
  std::string error, last;
  for (std::string line; std::getline(log, line);) {
    if (line.empty()) continue;
    last = line;
    if (line.find(" ERR ") != std::string::npos) error = line;
  }
  return error.empty() ? last : error;
}

std::string OpenSmProcess::refusal() const {
  std::istringstream log(text_of(folder_ / "opensm.log"));
  for (std::string line; std::getline(log, line);)
    for (const char* sign : {"cannot find or setup routing engine",
                             "No routing engine able to successfully configure"})
      if (line.find(sign) != std::string::npos) return line;
  return "";
}

void OpenSmProcess::drain(const std::vector<std::string>& names) {
  std::vector<std::string> words{programs_.selvedge_route.string(), "drain"};
  words.insert(words.end(), names.begin(), names.end());
  words.emplace_back("--socket");
  words.push_back((folder_ / "plugin.sock").string());
  order_ = spawn(words, "drain.out", {});
}

bool OpenSmProcess::drained() {
  if (order_ < 0) return true;
  int status = 0;
  if (::waitpid(order_, &status, WNOHANG) == 0) return false;
  order_ = -1;
  drain_answer_ = text_of(folder_ / "drain.out");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InputError("the plugin did not drain the link",
                     drain_answer_.substr(0, drain_answer_.find('\n')),
                     "choose another --fault, or leave --drain out");
  return true;
}

}  // namespace selvedge::sim
