#include "command_reference.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "version.h"

namespace device_coverage {
namespace {

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::Option*> positionalsOf(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->nonpositional(); });
}

/// `--output`, which every option but a positional has.
std::string longName(const CLI::Option& option) {
  return "--" + option.get_lnames().at(0);
}

bool takesValue(const CLI::Option& option) {
  return option.get_items_expected_max() != 0;
}

std::vector<std::string> namesOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands)
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> longNamesOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : optionsOf(app))
    names.push_back(longName(*option));
  return names;
}

/// Up to the end of the first sentence or clause, in one line.
std::string firstSentence(const std::string& text) {
  size_t end = text.size();
  for (const char* mark : {". ", ".\n", "; ", " (", ":\n"})
    end = std::min(end, text.find(mark));
  std::string sentence = text.substr(0, end);
  for (char& c : sentence)
    if (c == '\n')
      c = ' ';
  return sentence;
}

/// Text for troff: nothing in it is a request or a command.
std::string troff(const std::string& text) {
  std::string result;
  bool lineBegins = true;
  for (const char c : text) {
    if (lineBegins && (c == '.' || c == '\''))
      result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    lineBegins = c == '\n';
  }
  return result;
}

std::string manOptions(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : positionalsOf(app))
    text += fmt::format(".TP\n.I {}\n{}\n", troff(option->get_name(true)),
                        troff(option->get_description()));
  for (const CLI::Option* option : optionsOf(app)) {
    const std::string names = option->get_name(false, true);
    const std::string fallback = option->get_default_str();
    text += fmt::format(".TP\n.B {}{}\n{}{}\n", troff(names), takesValue(*option) ? " VALUE" : "",
                        troff(option->get_description()),
                        fallback.empty() ? "" : fmt::format(" (default: {})", troff(fallback)));
  }
  return text;
}

std::string zshQuoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += fmt::format("\\{}", c);
    else
      result += c;
  }
  return result;
}

std::string zshOptions(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : optionsOf(command))
    text += fmt::format(" \\\n        '*{}[{}]{}'", longName(*option),
                        zshQuoted(firstSentence(option->get_description())),
                        takesValue(*option) ? ":value:_files" : "");
  return text;
}

} // namespace

std::string manPage(const CLI::App& app) {
  const std::string name = app.get_name();
  std::string page =
      fmt::format(".TH {0} 1 \"\" \"{0} {1}\"\n.SH NAME\n{0} \\- coverage of GPU device code\n"
                  ".SH SYNOPSIS\n.B {0}\n[OPTION]... COMMAND [ARGUMENT]...\n.SH DESCRIPTION\n{2}\n"
                  ".SH OPTIONS\n{3}.SH COMMANDS\n",
                  troff(name), kVersion, troff(app.get_description()), manOptions(app));
  for (const CLI::App* command : commandsOf(app))
    page += fmt::format(".SS {}\n{}\n{}", troff(command->get_name()),
                        troff(command->get_description()), manOptions(*command));
  return page + fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", troff(app.get_footer()));
}

std::string bashCompletion(const CLI::App& app) {
  const auto commands = commandsOf(app);
  std::string cases;
  for (const CLI::App* command : commands)
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(),
                         fmt::join(longNamesOf(*command), " "));
  return fmt::format(R"(_device_coverage() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command='' word words
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
    {0}) command=$word; break ;;
    esac
  done
  case $command in
{1}    *) words='{2} {3}' ;;
  esac
  if [[ -z $command || $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _device_coverage {4}
)",
                     fmt::join(namesOf(commands), "|"), cases, fmt::join(namesOf(commands), " "),
                     fmt::join(longNamesOf(app), " "), app.get_name());
}

std::string zshCompletion(const CLI::App& app) {
  std::string descriptions;
  std::string cases;
  for (const CLI::App* command : commandsOf(app)) {
    descriptions += fmt::format("    '{}:{}'\n", command->get_name(),
                                zshQuoted(firstSentence(command->get_description())));
    cases += fmt::format("      {})\n      _arguments{} \\\n        '*:file:_files' ;;\n",
                         command->get_name(), zshOptions(*command));
  }
  return fmt::format(R"(#compdef {0}
_{0}() {{
  local state
  local -a commands
  commands=(
{1}  )
  _arguments -C{2} \
        '1:command:->command' '*::argument:->arguments'
  case $state in
  command) _describe command commands ;;
  arguments)
    case $words[1] in
{3}    esac ;;
  esac
}}
_{0} "$@"
)",
                     app.get_name(), descriptions, zshOptions(app), cases);
}

} // namespace device_coverage
