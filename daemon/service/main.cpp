// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>

#include "base/error.hpp"
#include "base/program.hpp"
#include "daemon/protocol/channel_key.hpp"
#include "daemon/service/keys.hpp"
#include "daemon/service/notify.hpp"
#include "daemon/service/placement.hpp"
#include "daemon/service/reload.hpp"
#include "daemon/service/server.hpp"

namespace {

std::atomic<bool> stop{false}, reload_requested{false};
void on_signal(int) { stop = true; }
void on_hangup(int) { reload_requested = true; }

/// Handles SIGHUP: reads the configuration again. If the file has a mistake, nothing changes.
void reload_config(const std::string& path, selvedge::service::Server& server) {
  using namespace selvedge;
  if (path.empty()) return warn("SIGHUP: no --config file to read again");
  try {
    const service::Reload r = service::reload(server.config(), service::load_daemon_config(path));
    server.reconfigure(r.config);
    for (const std::string& text : r.changed) note(fmt::format("{}: changed {}", path, text));
    for (const std::string& text : r.needs_restart)
      warn(fmt::format("{}: needs a restart: {}", path, text));
    if (r.changed.empty() && r.needs_restart.empty()) note(path + ": nothing has changed");
  } catch (const std::exception& e) {
    warn(fmt::format("the old settings are kept: {}", e.what()));
  }
}

int run(int argc, char** argv, selvedge::Output& output) {
  using namespace selvedge;
  protocol::keep_openssl_keys_secret();  // nothing has used OpenSSL yet
  CLI::App app{"selvedged: in-order, exactly-once delivery over many paths for local applications"};
  std::string path;
  bool version = false, check = false, make_key = false;
  app.add_option("--config", path,
                 "the configuration (TOML); without it every key has its default");
  app.add_flag("--check", check, "read the configuration, then stop");
  app.add_flag("--new-key", make_key,
               "print a new key, a line for the file that [seal] keys names, then stop");
  app.add_flag("--version", version, "print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    output.write(app.help());
    return kDone;
  } catch (const CLI::ParseError& e) {
    throw InputError(e.what(), "the command line", "see selvedged --help");
  }
  if (version) {
    output.print("selvedged {}\n", SELVEDGE_VERSION);
    return kDone;
  }
  if (make_key) {
    output.write(service::new_key());
    return kDone;
  }
  service::DaemonConfig config =
      path.empty() ? service::DaemonConfig{} : service::load_daemon_config(path);
  const auto identity = service::resolve_identity(config.user, config.group);
  const auto cpus = service::parse_cpus(config.cpus).value_or(std::vector<unsigned>{});
  if (!config.oversubscribe) service::check_workers(config.workers, cpus);
  if (check) return kDone;
  // This comes before the buffers are allocated and before any thread starts.
  if (config.numa_node >= 0)
    service::prefer_numa_node(static_cast<unsigned>(config.numa_node), cpus);
  if (!cpus.empty()) service::set_cpu_affinity(cpus);
  if (!config.oversubscribe) service::check_workers(config.workers, {});  // a node has its own CPUs
  // Each connection needs three descriptors, so the limit on open files is raised to its maximum.
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  // A timer slack of 1 µs: by default a wait of a millisecond may last 50 µs longer.
  prctl(PR_SET_TIMERSLACK, 1'000);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
  std::signal(SIGHUP, on_hangup);
  service::Notifier notifier;
  service::Server server(config);
  config.seal.keys = {};  // the server's copy is wiped when keys change
  if (identity) {
    server.chown_socket(identity->user, identity->group);
    service::switch_user(*identity);
  }
  const transport::Network& network = server.network();
  fmt::print(stderr, "selvedged {}: {}, local socket {}\n", SELVEDGE_VERSION,
             network.verbs() != nullptr
                 ? fmt::format("{}, {} paths over {}", transport::to_string(network.address()),
                               network.paths(), network.verbs()->device())
                 : fmt::format("{} and the {} ports from there",
                               transport::to_string(network.address()), network.paths()),
             config.socket);
  notifier.notify("READY=1");
  server.run(stop, [&](protocol::TimeNs now) {
    if (server.all_turn(now)) notifier.feed_watchdog(now);
    if (!reload_requested.exchange(false)) return;
    notifier.notify(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", now / protocol::kMicrosecond));
    reload_config(path, server);
    notifier.notify("READY=1");
  });
  notifier.notify("STOPPING=1");
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  return selvedge::run_program([&](selvedge::Output& output) { return run(argc, argv, output); });
}
