// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/console_verb.hpp"

#include <fmt/ranges.h>

#include <iostream>
#include <memory>

#include "sim/emulate/console_client.hpp"

namespace selvedge::sim {
namespace {

struct ConsoleFlags {
  std::string socket;
  std::vector<std::string> words;
};

int console(const ConsoleFlags& flags, Output& output) {
  ConsoleClient client(flags.socket);
  if (!flags.words.empty()) {
    output.write(client.ask(fmt::format("{}", fmt::join(flags.words, " "))));
    return kDone;
  }
  // Each reply is printed at once: a user who types the lines wants to read it, and the next
  // command may take long.
  for (std::string line; std::getline(std::cin, line);) std::cout << client.ask(line) << std::flush;
  return kDone;
}

}  // namespace

Verb add_console_verb(CLI::App& program) {
  auto flags = std::make_shared<ConsoleFlags>();
  CLI::App* app = add_verb(program, "console", "Give commands to a running selvedge-sim emulate");
  add_text(*app, "--socket", flags->socket, "NAME", "The emulator's --socket");
  app->add_option("COMMAND", flags->words,
                  "As cut S-0-0:2, or report; without it, lines of\nstandard input")
      ->option_text(" ");
  app->footer(
      "Prints the replies. A refused command ends it with status 2. The command help, and\n"
      "docs/emulator.md, list the commands. Options come before COMMAND.");
  return {app, [flags](Output& output) {
            selvedge::require(flags->socket, "--socket", "NAME");
            return console(*flags, output);
          }};
}

}  // namespace selvedge::sim
