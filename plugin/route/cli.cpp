// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/cli.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/report.hpp"

namespace selvedge::route {
namespace {

const char* const kProgramHelp =
    "Routes InfiniBand fabrics and proves what was routed, offline or in a running plugin.";

const char* const kProgramFooter =
    "Exit status: 0 done, and every property asked for holds; 1 a property does not hold (the\n"
    "witness is printed); 2 bad input or usage; 3 the environment lacks something.\n"
    "'selvedge-route VERB --help' shows a verb's options with their units,\n"
    "'selvedge-route VERB --engine ENGINE --help' also what that engine states about itself.";

std::string help_command(const CLI::App& app) {
  return app.get_parent() == nullptr ? "'selvedge-route --help'"
                                     : fmt::format("'selvedge-route {} --help'", app.get_name());
}

/// CLI11 takes the word after `--name=` for a missing value, and words like "--json" for file
/// names.
void refuse_empty_values(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      throw InputError("a value is missing", word, "write it after the '='");
  }
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// What neither an option nor a positional took: options that don't exist first, for then the other
/// words are most likely theirs.
void refuse_leftovers(const CLI::App& app) {
  std::vector<std::string> left = app.remaining();
  std::erase(left, "--");  // CLI11 leaves it there
  if (left.empty()) return;
  std::vector<std::string> unknown;
  std::string remedy;
  for (const std::string& word : left) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    unknown.push_back(name);
    const std::vector<std::string> names = option_names(app);
    if (const std::string_view meant = nearest(name, names); !meant.empty())
      remedy += fmt::format("did you mean {}? ", meant);
  }
  if (!unknown.empty())
    throw InputError(unknown.size() == 1 ? "no such option" : "no such options",
                     fmt::format("{}", fmt::join(unknown, ", ")),
                     fmt::format("{}{} lists the options", remedy, help_command(app)));
  throw InputError(
      left.size() == 1 ? "this word was not expected" : "these words were not expected",
      fmt::format("'{}'", fmt::join(left, "' '")),
      fmt::format("{} shows what may follow", help_command(app)));
}

[[noreturn]] void refuse_verb(const CLI::App& program, const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  names.reserve(verbs.size());
  for (const Verb& verb : verbs) names.push_back(verb.app->get_name());
  const std::vector<std::string> left = program.remaining();
  const auto word = std::ranges::find_if(left, [](const std::string& w) { return w[0] != '-'; });
  if (word == left.end()) {
    refuse_leftovers(program);
    throw InputError("a verb is missing", "selvedge-route",
                     fmt::format("choose one of {}", fmt::join(names, ", ")));
  }
  const std::string_view meant = nearest(*word, names);
  throw InputError("no such verb", fmt::format("'{}'", *word),
                   fmt::format("{}choose one of {}; {} describes them",
                               meant.empty() ? "" : fmt::format("did you mean {}? ", meant),
                               fmt::join(names, ", "), help_command(program)));
}

/// With `--engine E` on the command line, what the engine states comes first.
void print_help(const CLI::App& app, Output& output) {
  if (const CLI::Option* engine = app.get_option_no_throw("--engine");
      engine != nullptr && !engine->results().empty()) {
    output.write(engine_page(find_engine(engine->results().back())));
    output.write("\n");
  }
  output.write(app.help(app.get_parent() == nullptr ? "" : "selvedge-route"));
}

/// A mistake that CLI11 found, in our words.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& e) {
  const std::string remedy = help_command(app) + " shows the options and their values";
  const std::string text = e.what();
  const std::string name = text.substr(0, text.find_first_of(": "));
  if (text.find(" required ") != std::string::npos && text.ends_with("missing"))
    throw InputError("a value is missing", "after " + name, remedy);
  if (text.find("disallowed flag override") != std::string::npos)
    throw InputError("this option takes no value", "--" + name,
                     "leave out the '=' and what follows");
  if (text.find("At Most 1 required") != std::string::npos)
    throw InputError("an option is given more than once", name, "give it once");
  if (name.starts_with("-")) throw InputError("this option was not understood", text, remedy);
  throw InputError("the command line was not understood", text, remedy);
}

}  // namespace

int run(std::vector<std::string> arguments, Output& output) {
  refuse_empty_values(arguments);
  CLI::App program(kProgramHelp, "selvedge-route");
  program.footer(kProgramFooter);
  program.require_subcommand(0, 1);
  program.allow_extras();
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.set_version_flag("--version", kVersionLine, "Print the version and exit");
  program.get_formatter()->column_width(kHelpColumn);
  std::vector<Verb> verbs{
      add_fabric_verb(program),  add_compute_verb(program),    add_verify_verb(program),
      add_faults_verb(program),  add_repair_verb(program),     add_paths_verb(program),
      add_status_verb(program),  add_drain_verb(program),      add_undrain_verb(program),
      add_reroute_verb(program), add_transition_verb(program), add_engines_verb(program)};
  for (const Verb& verb : verbs) verb.app->allow_extras();

  const CLI::App* chosen = &program;
  auto choose = [&] {
    for (const Verb& verb : verbs)
      if (verb.app->parsed()) chosen = verb.app;
  };
  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    program.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    choose();
    print_help(*chosen, output);
    return kDone;
  } catch (const CLI::CallForVersion& e) {
    output.print("{}\n", e.what());
    return kDone;
  } catch (const CLI::ParseError& e) {
    choose();
    refuse(*chosen, e);
  }
  choose();
  if (chosen == &program) refuse_verb(program, verbs);
  refuse_leftovers(program);
  refuse_leftovers(*chosen);
  return std::ranges::find(verbs, chosen, &Verb::app)->run(output);
}

}  // namespace selvedge::route
