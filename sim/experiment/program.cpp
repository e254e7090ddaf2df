// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/program.hpp"

#include "sim/experiment/clos_verb.hpp"
#include "sim/experiment/compare_sm_verb.hpp"
#include "sim/experiment/console_verb.hpp"
#include "sim/experiment/emulate_verb.hpp"
#include "sim/experiment/vlarb_verb.hpp"

namespace selvedge::sim {
namespace {

const char* const kDescription =
    "Simulates InfiniBand fabrics: what tables, links and credits make of traffic and faults.";

const char* const kFooter =
    "Exit status: 0 done, and every claim asked for holds; 1 a claim does not hold; 2 bad input "
    "or\n"
    "usage; 3 the environment lacks something (a disk is full).\n"
    "'selvedge-sim VERB --help' shows a verb's options with their units.";

}  // namespace

int run(std::vector<std::string> arguments, Output& output) {
  return run_verbs({"selvedge-sim", kDescription, kFooter},
                   {add_run_verb, add_report_verb, add_reproduce_verb, add_emulate_verb,
                    add_console_verb, add_compare_sm_verb, add_vlarb_verb, add_clos_verb},
                   std::move(arguments), output);
}

}  // namespace selvedge::sim
