// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/command_line.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/in_quotes.hpp"

namespace selvedge {
namespace {

std::string version_line(const CLI::App& program) {
  return program.get_name() + " " SELVEDGE_VERSION;
}

std::string help_command(const CLI::App& app) {
  return app.get_parent() == nullptr
             ? fmt::format("'{} --help'", app.get_name())
             : fmt::format("'{} {} --help'", app.get_parent()->get_name(), app.get_name());
}

/// Refuses words like `--name=`, before CLI11 parses them. CLI11 would take the next word as the
/// value, and would accept words like "--json" as file names.
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

/// Refuses words that no option and no positional argument took. Unknown options are reported
/// first, because the other words are probably their values.
void refuse_leftovers(const CLI::App& app) {
  std::vector<std::string> left = app.remaining();
  std::erase(left, "--");  // CLI11 leaves this word there
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
    throw InputError("a verb is missing", program.get_name(),
                     fmt::format("choose one of {}", fmt::join(names, ", ")));
  }
  const std::string_view meant = nearest(*word, names);
  throw InputError("no such verb", fmt::format("'{}'", *word),
                   fmt::format("{}choose one of {}; {} describes them",
                               meant.empty() ? "" : fmt::format("did you mean {}? ", meant),
                               fmt::join(names, ", "), help_command(program)));
}

/// Throws the InputError for an error of CLI11.
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

void refuse_missing_value(const std::string& option, const std::string& value) {
  if (value.empty())
    throw InputError("a value is missing", fmt::format("{} ''", option),
                     "give the value after the option's name");
  if (value.starts_with("--"))
    throw InputError("a value is missing", fmt::format("after {}, before {}", option, value),
                     "give the value after the option's name");
}

CLI::App* add_verb(CLI::App& program, const std::string& name, const std::string& description) {
  CLI::App* app = program.add_subcommand(name, description);
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->set_version_flag("--version", version_line(program), "Print the version and exit");
  app->get_formatter()->column_width(kHelpColumn);
  return app;
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& meta, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            refuse_missing_value(name, text);
            value = text;
          },
          description)
      ->option_text(meta);
}

void add_number(CLI::App& app, const std::string& name, unsigned low, unsigned high,
                const std::string& meta, const std::string& description,
                const std::function<void(unsigned)>& take) {
  app.add_option_function<std::string>(
         name,
         [=](const std::string& text) {
           refuse_missing_value(name, text);
           take(parse_number(text, name, low, high));
         },
         description)
      ->option_text(meta);
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print the results as one JSON document")->disable_flag_override();
}

void require(const std::string& value, const std::string& option, const std::string& meta) {
  if (value.empty())
    throw InputError("an option is missing", option, fmt::format("add {} {}", option, meta));
}

unsigned parse_number(const std::string& text, const std::string& option, unsigned low,
                      unsigned high) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < low || number > high)
    throw InputError(fmt::format("{} takes a whole number from {} to {}", option, low, high),
                     fmt::format("'{}'", text), "correct the value");
  return number;
}

int run_verbs(const ProgramText& text, const std::vector<Verb (*)(CLI::App& program)>& makers,
              std::vector<std::string> arguments, Output& output,
              const std::function<std::string(const CLI::App&)>& before_help) {
  refuse_empty_values(arguments);
  CLI::App program(text.description, text.name);
  program.footer(text.footer);
  program.require_subcommand(0, 1);
  program.allow_extras();
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.set_version_flag("--version", version_line(program), "Print the version and exit");
  program.get_formatter()->column_width(kHelpColumn);
  std::vector<Verb> verbs;
  verbs.reserve(makers.size());
  for (const auto& make : makers) {
    verbs.push_back(make(program));
    verbs.back().app->allow_extras();
  }

  const CLI::App* chosen = &program;
  auto choose = [&] {
    for (const Verb& verb : verbs)
      if (verb.app->parsed()) chosen = verb.app;
  };
  std::ranges::reverse(arguments);  // CLI11 takes the words in reverse order
  try {
    program.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    choose();
    if (before_help) output.write(before_help(*chosen));
    output.write(chosen->help(chosen == &program ? "" : text.name));
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

std::vector<std::string> parse_names(const std::string& list, const std::string& option,
                                     const std::string& example) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string name = list.substr(begin, end - begin);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name.empty() || std::ranges::count(names, name) > 0)
      throw InputError(name.empty() ? "a name is empty" : "a name is there twice",
                       fmt::format("{} {}", option, in_quotes(list)),
                       fmt::format("write names, as {}", example));
    names.push_back(std::move(name));
    begin = end + 1;
  }
  return names;
}

}  // namespace selvedge
