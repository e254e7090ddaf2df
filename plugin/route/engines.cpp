// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route engines`: prints what each engine states about itself.
#include "plugin/engines/engine.hpp"

#include <memory>

#include "plugin/program/report.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/route/options.hpp"

namespace selvedge::route {
namespace {

Json to_json(const Engine& engine) {
  const EngineFacts& facts = engine.facts;
  return Json{{"engine", engine.name},
              {"topologies", facts.topologies},
              {"theorem", facts.theorem},
              {"deadlock_free", facts.deadlock_free},
              {"tolerated_faults", facts.tolerated_faults},
              {"vls", facts.vls},
              {"sls", facts.sls},
              {"lmc", facts.lmc},
              {"memory", facts.memory},
              {"time", facts.time},
              {"after_a_fault", facts.after_a_fault}};
}

}  // namespace

Verb add_engines_verb(CLI::App& program) {
  auto json = std::make_shared<bool>(false);
  CLI::App* app = add_verb(program, "engines",
                           "List the engines: theorem, tolerated faults, VLs, SLs, LMC, memory");
  add_json(*app, *json);
  return {app, [json](Output& output) {
            Json all = Json::array();
            for (const Engine* engine : engines()) {
              if (*json)
                all.push_back(to_json(*engine));
              else
                output.print("{}{}", engine == engines().front() ? "" : "\n", engine_page(*engine));
            }
            if (*json) print_json(Json{{"engines", std::move(all)}}, output);
            return kDone;
          }};
}

}  // namespace selvedge::route
