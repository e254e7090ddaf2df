// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route drain`, `undrain` and `reroute`: the operator's orders to a running plugin. The
// plugin proves a change before it writes the change. If it refuses an order, it says why.
#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/plugin_client.hpp"

namespace selvedge::route {
namespace {

struct OrdersFlags {
  std::string socket = kPluginSocket;
  std::vector<std::string> names;
  std::string engine;
  bool all = false;
  bool with_hosts = false;
  bool json = false;
};

/// Prints what was written, and what applications will notice.
void print_change(const Json& done, Output& output) {
  output.print("{} LFT entries in {} blocks changed", done.value("entries", 0),
               done.value("blocks", 0));
  if (const int rows = done.value("sl2vl_rows", 0); rows > 0) output.print(", {} SL2VL rows", rows);
  if (const std::string sent = done.value("sent", ""); !sent.empty())
    output.print(", sent {}", sent);
  output.print("; computed in {:.1f} ms, proved in {:.1f} ms, written and read back in {:.1f} ms\n",
               done.value("compute_ms", 0.0), done.value("prove_ms", 0.0),
               done.value("send_ms", 0.0));
  if (const int moved = done.value("readdressed", 0); moved > 0)
    output.print(
        "{} paths have a new LID or SL: connections over them must query the path record again\n",
        moved);
  if (const int lossy = done.value("lossy_lids", 0); lossy > 0)
    output.print("no lossless order is proved: packets for {} LIDs may have been lost\n", lossy);
  if (done.contains("groups_moved"))
    output.print("multicast groups {}\n", done.value("groups_moved", false)
                                              ? "have moved too"
                                              : "move with OpenSM's next sweep: wait for it");
  if (!done.value("confirmed", true))
    warn("not every switch confirmed it: OpenSM's next sweep writes those again");
}

void add_common(CLI::App& app, OrdersFlags& options) {
  add_text(app, "--socket", options.socket, "PATH",
           fmt::format("The plugin's socket (default {})", kPluginSocket));
  add_json(app, options.json);
}

}  // namespace

Verb add_drain_verb(CLI::App& program) {
  auto options = std::make_shared<OrdersFlags>();
  CLI::App* app = add_verb(program, "drain",
                           "Move traffic off a cable or switch before it is pulled; it stays out "
                           "of use, through sweeps and restarts, until undrained");
  app->add_option("NAME", options->names, "A switch, or a cable as SWITCH:PORT or SWITCH/SWITCH")
      ->required();
  app->add_flag("--with-hosts", options->with_hosts,
                "Drain a switch with the hosts at it, which are out of service then too");
  add_common(*app, *options);
  return {app, [options](Output& output) {
            const Json done =
                order_plugin(options->socket, options->with_hosts ? "drain-with-hosts" : "drain",
                             options->names);
            if (options->json) {
              print_json(done, output);
              return kDone;
            }
            output.print("drained: {}\n", fmt::join(options->names, ", "));
            if (const int hosts = done.value("hosts", 0); hosts > 0)
              output.print("{} hosts are out of service with it\n", hosts);
            print_change(done, output);
            return done.value("confirmed", false) ? kDone : kDoesNotHold;
          }};
}

Verb add_undrain_verb(CLI::App& program) {
  auto options = std::make_shared<OrdersFlags>();
  CLI::App* app = add_verb(program, "undrain", "Use again what was drained");
  auto* names =
      app->add_option("NAME", options->names, "As it was drained, or as `status` lists it");
  auto* all = app->add_flag("--all", options->all, "Everything that is drained")->excludes(names);
  add_common(*app, *options);
  return {app, [options, names, all](Output& output) {
            if (names->empty() && all->empty())
              throw InputError("nothing to undrain was named", "undrain",
                               "name what was drained, or say --all");
            const Json done = order_plugin(options->socket, "undrain", options->names);
            if (options->json) {
              print_json(done, output);
              return kDone;
            }
            for (const Json& name : done.at("undrained"))
              output.print("undrained: {}; the next sweep uses it again\n",
                           name.get<std::string>());
            return kDone;
          }};
}

Verb add_reroute_verb(CLI::App& program) {
  auto options = std::make_shared<OrdersFlags>();
  CLI::App* app = add_verb(program, "reroute",
                           "Go over to another engine's tables while traffic flows; until opensm "
                           "starts again");
  add_text(*app, "--engine", options->engine, "ENGINE", "The engine to go over to")->required();
  add_common(*app, *options);
  return {
      app, [options](Output& output) {
        const std::string_view engine = find_engine(options->engine).name;
        const Json done = order_plugin(options->socket, "reroute", {std::string(engine)});
        if (options->json) {
          print_json(done, output);
          return kDone;
        }
        output.print("rerouted from {} to {}\n", done.value("was", "?"), done.value("engine", "?"));
        print_change(done, output);
        note(
            fmt::format("opensm.conf decides after a restart: routing_engine selvedge-{}", engine));
        return done.value("confirmed", false) ? kDone : kDoesNotHold;
      }};
}

}  // namespace selvedge::route
