// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An unmodified opensm as a child process that manages an emulated subnet: its configuration in a
// folder of its own, from the start to the clean-up. An engine named selvedge-… is our plugin's,
// and the plugin is loaded for it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::sim {

/// Where the programs are.
struct OpenSmPrograms {
  std::filesystem::path opensm, umad2sim;
  /// The folder of libselvedge_opensm.so, and our SMP agent; empty if they are not there.
  std::filesystem::path plugin_folder, smp_agent;
  std::filesystem::path selvedge_route;
};

/// Those in PATH and /usr/sbin, in Debian's library folders, and beside this program. Throws
/// EnvironmentError if opensm or libumad2sim is missing; `plugin` says that ours is needed too.
OpenSmPrograms find_opensm_programs(bool plugin);

struct OpenSmSettings {
  std::string engine, socket;  // routing_engine; the emulator's name
  std::string host;            // where it sits; empty: the first host
  /// Further lines of opensm.conf, which prevail over ours; and the file of torus-2QoS.
  std::vector<std::string> lines;
  std::string torus_config;
  std::string plugin_settings;  // further text of plugin.toml
};

bool is_plugin_engine(std::string_view engine);

/// torus-2QoS.conf of a two- or three-dimensional torus: its sizes, and one switch's cables in
/// each direction as seed. Empty if the fabric is no torus.
std::string torus_2qos_config(const Fabric& fabric);

class OpenSmProcess {
 public:
  /// Starts it. Throws EnvironmentError.
  OpenSmProcess(const OpenSmPrograms& programs, const OpenSmSettings& settings);
  /// Ends it and removes its folder.
  ~OpenSmProcess();
  OpenSmProcess(const OpenSmProcess&) = delete;
  OpenSmProcess& operator=(const OpenSmProcess&) = delete;

  bool running();
  /// The last error in its log, else the log's last line.
  std::string last_error() const;
  /// Why OpenSM does not route with the engine, if its log says so; empty: it does not.
  std::string refusal() const;

  /// Starts `selvedge-route drain NAME…` at its plugin.
  void drain(const std::vector<std::string>& names);
  /// Whether that has ended. Throws InputError with what it said if it was refused.
  bool drained();
  /// What the plugin answered.
  const std::string& drain_answer() const { return drain_answer_; }

 private:
  pid_t spawn(const std::vector<std::string>& arguments, const std::string& output,
              const std::vector<std::pair<std::string, std::string>>& environment) const;
  static void stop(pid_t& pid);

  const OpenSmPrograms programs_;
  std::filesystem::path folder_;
  pid_t pid_ = -1, order_ = -1;
  std::string drain_answer_;
};

}  // namespace selvedge::sim
