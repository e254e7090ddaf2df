// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An unmodified opensm as a child process that manages an emulated subnet. Its configuration is in
// a folder of its own, which is removed at the end. For an engine named selvedge-… our plugin is
// loaded.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "sim/emulate/child_process.hpp"

namespace selvedge::sim {

/// The paths of the programs that are needed.
struct OpenSmPrograms {
  std::filesystem::path opensm, umad2sim;
  /// The folder of libselvedge_opensm.so, and our SMP agent; empty if they were not found.
  std::filesystem::path plugin_folder, smp_agent;
  std::filesystem::path selvedge_route;
};

/// Finds the programs in PATH and /usr/sbin, in Debian's library folders, and beside this program.
/// Throws EnvironmentError if opensm or libumad2sim is missing, or with `plugin` our plugin.
OpenSmPrograms find_opensm_programs(bool plugin);

struct OpenSmSettings {
  std::string engine, socket;  // opensm.conf's routing_engine; the emulator's name
  std::string host;            // the host from which it manages; empty: the first host
  unsigned lmc = 0;
  /// Further lines of opensm.conf, which prevail over ours; and the file of torus-2QoS.
  std::vector<std::string> lines;
  std::string torus_config;
  std::string plugin_settings;  // further text of plugin.toml
};

bool is_plugin_engine(std::string_view engine);

/// The content of torus-2QoS.conf for a two- or three-dimensional torus: its sizes, and as OpenSM's
/// "seed" one switch's cables in each direction. Empty if the fabric is no torus.
std::string torus_2qos_config(const Fabric& fabric);

class OpenSmProcess {
 public:
  /// Writes the configuration and starts opensm. Throws EnvironmentError if the system refuses.
  OpenSmProcess(const OpenSmPrograms& programs, const OpenSmSettings& settings);

  bool running() const { return opensm_.running(); }
  /// How opensm has ended, and its last words: the last error in its log, else the last line of
  /// what it wrote.
  std::string ending() const;
  /// The line of OpenSM's log that says why OpenSM does not route with the engine; empty if there
  /// is none.
  std::string refusal() const;
  /// The line of the log in which the plugin says that it uses tables of another engine than the
  /// one asked for: before the first SUBNET UP, or after it. Empty if there is none.
  std::string replaced_at_start() const;
  std::string replaced_later() const;
  /// The error in its settings that the plugin has logged; empty if there is none.
  std::string settings_error() const;

  /// Starts `selvedge-route drain NAME…`, which orders the plugin to drain these links.
  void drain(const std::vector<std::string>& names);
  /// Whether that command has ended. Throws an InputError with the command's output if the plugin
  /// refused the order.
  bool drained();
  /// The plugin's answer to the order.
  const std::string& drain_answer() const { return drain_answer_; }

 private:
  const OpenSmPrograms programs_;
  const TemporaryFolder folder_;
  ChildProcess opensm_, order_;
  std::string drain_answer_;
};

}  // namespace selvedge::sim
