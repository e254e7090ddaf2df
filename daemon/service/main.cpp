// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>

#include "base/error.hpp"
#include "base/program.hpp"
#include "daemon/service/server.hpp"

namespace {

std::atomic<bool> stop{false};
void on_signal(int) { stop = true; }

int run(int argc, char** argv, selvedge::Output& output) {
  using namespace selvedge;
  CLI::App app{"selvedged: in-order, exactly-once delivery over many paths for local applications"};
  std::string path;
  bool version = false, check = false;
  app.add_option("--config", path,
                 "the configuration (TOML); without it every key has its default");
  app.add_flag("--check", check, "read the configuration, then stop");
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
  const service::DaemonConfig config =
      path.empty() ? service::DaemonConfig{} : service::load_daemon_config(path);
  if (check) return kDone;
  // Three descriptors a connection.
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  // Sleeping for a millisecond shall not take longer.
  prctl(PR_SET_TIMERSLACK, 1'000);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
  service::Server server(config);
  fmt::print(stderr, "selvedged {}: {} and the {} ports from there, local socket {}\n",
             SELVEDGE_VERSION, transport::to_string(server.udp().address()),
             server.udp().descriptors().size(), config.socket);
  server.run(stop);
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  return selvedge::run_program([&](selvedge::Output& output) { return run(argc, argv, output); });
}
