#include <functional>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "io/version.hpp"
#include "support/error.hpp"
#include "support/shell.hpp"

namespace conesweep::app {
namespace {

/// What can stand in the place of a value.
struct Value {
  enum class Kind { none, words, scenario, folder, file };
  Kind kind = Kind::none;
  const std::vector<std::string>* words = nullptr;
};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool may_repeat(const CLI::Option& option) { return option.get_expected_max() > 1; }

Value value_of(const CLI::Option& option, const Offers& offers) {
  if (const auto found = offers.find(&option); found != offers.end()) return {Value::Kind::words, &found->second};
  const std::string type = option.get_type_name();
  if (type == "RUN_DIR" || type == "FOLDER") return {Value::Kind::folder};
  if (type != "FILE") return {};
  return {option.get_positional() ? Value::Kind::scenario : Value::Kind::file};
}

/// One command as a completion sees it.
struct CommandView {
  const CLI::App* app;

  std::string name() const { return app->get_name(); }
  std::vector<const CLI::Option*> flags() const {
    return app->get_options([](const CLI::Option* option) { return !option->get_positional(); });
  }
  std::vector<const CLI::Option*> places() const {
    return app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  }
};

std::vector<CommandView> commands_of(const CLI::App& app) {
  std::vector<CommandView> commands;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) commands.push_back({one});
  return commands;
}

// "-o --out"
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string flag_names(const std::vector<const CLI::Option*>& flags,
                       const std::function<bool(const CLI::Option&)>& wanted) {
  std::vector<std::string> names;
  for (const CLI::Option* flag : flags)
    for (const auto& name : names_of(*flag))
      if (wanted(*flag)) names.push_back(name);
  return joined(names);
}

const auto any = [](const CLI::Option&) { return true; };

// ---- bash ----

std::string to_bash(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none: return "kind=none";
    case Value::Kind::words: return "kind=words words=" + quote_for_shell(joined(*value.words));
    case Value::Kind::scenario: return "kind=scenario";
    case Value::Kind::folder: return "kind=folder";
    case Value::Kind::file: return "kind=file";
  }
  throw InternalError("every kind of value is completed", __FILE__, __LINE__);
}

// What bash does, whatever the commands are. A value may stand behind a blank or behind =, where bash splits a word in
// three.
constexpr char bash_rest[] = R"bash(
_conesweep() {
  local word=${COMP_WORDS[COMP_CWORD]} command= flag= place=0 prefix= flags= takes= kind= words= one i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    one=${COMP_WORDS[i]}
    if [[ -n $flag ]]; then
      [[ $one == "=" ]] || flag=
    elif [[ $one == -* ]]; then
      _conesweep_flags "$command"
      [[ " $takes " == *" $one "* ]] && flag=$one
    elif [[ -z $command ]]; then
      command=$one
    else
      ((++place))
    fi
  done
  _conesweep_flags "$command"
  [[ -n $flag && $word == "=" ]] && word=
  if [[ -z $flag && $word == --*=* ]]; then
    flag=${word%%=*} prefix=${word%%=*}= word=${word#*=}
  fi
  if [[ -z $flag && $word == -* ]]; then
    kind=words words=$flags
  elif [[ -z $flag && -z $command ]]; then
    kind=words words=$commands
  else
    _conesweep_value "$command ${flag:-$place}"
    [[ $kind == none && -z $flag ]] && kind=words words=$flags
  fi
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
    scenario) mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.toml' -- "$word") ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    file) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
  [[ $kind == scenario || $kind == folder || $kind == file ]] && compopt -o filenames 2> /dev/null
  [[ -n $prefix ]] && COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
  return 0
}

complete -F _conesweep conesweep
)bash";

std::string bash_completion(const CLI::App& app, const Offers& offers) {
  const auto commands = commands_of(app);
  std::string flags, values;
  std::vector<std::string> names;
  const std::vector<const CLI::Option*> own = CommandView{&app}.flags();
  flags += "    '') flags=" + quote_for_shell(flag_names(own, any)) + " commands=%COMMANDS% takes= ;;\n";
  for (const CommandView& command : commands) {
    names.push_back(command.name());
    flags += "    " + command.name() + ") flags=" + quote_for_shell(flag_names(command.flags(), any)) +
             " takes=" + quote_for_shell(flag_names(command.flags(), takes_value)) + " ;;\n";
    for (const CLI::Option* flag : command.flags())
      if (const Value value = value_of(*flag, offers); value.kind != Value::Kind::none)
        for (const auto& name : names_of(*flag))
          values += "    '" + command.name() + " " + name + "') " + to_bash(value) + " ;;\n";
    int place = 0;
    for (const CLI::Option* argument : command.places()) {
      const std::string at = may_repeat(*argument) ? "'" + command.name() + " '[0-9]*"
                                                   : "'" + command.name() + " " + std::to_string(place) + "'";
      if (const Value value = value_of(*argument, offers); value.kind != Value::Kind::none)
        values += "    " + at + ") " + to_bash(value) + " ;;\n";
      ++place;
    }
  }
  flags.replace(flags.find("%COMMANDS%"), 10, quote_for_shell(joined(names)));
  return "# bash completion of conesweep " + io::version() +
         ", made by `conesweep completion bash`\n\n# flags of a command, and those of them that take a "
         "value\n_conesweep_flags() {\n  case $1 in\n" +
         flags +
         "    *) flags= takes= ;;\n  esac\n}\n\n# what stands behind a flag, or at a place: a command with one of its "
         "flags, or with a number from 0\n"
         "_conesweep_value() {\n  case $1 in\n" +
         values + "    *) kind=none ;;\n  esac\n}\n" + bash_rest;
}

// ---- zsh ----

// Brackets end a description and colons a message.
std::string escaped(const std::string& text, const std::string& marks) {
  std::string out;
  for (const char c : text) out += (marks.find(c) != marks.npos ? "\\" : "") + std::string(1, c);
  return out;
}

std::string to_zsh(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none: return " ";
    case Value::Kind::words: return "(" + escaped(joined(*value.words), ":\\") + ")";
    case Value::Kind::scenario: return "_files -g \"*.toml\"";
    case Value::Kind::folder: return "_files -/";
    case Value::Kind::file: return "_files";
  }
  throw InternalError("every kind of value is completed", __FILE__, __LINE__);
}

std::string in_quotes(const std::string& text) {
  const std::string quoted = quote_for_shell(text);
  return quoted.starts_with('\'') ? quoted : "'" + quoted + "'";
}

// One line for _arguments of a flag under one of its names, or of an argument by its place.
std::string flag_line(const CLI::Option& flag, const std::string& name, const Offers& offers) {
  std::string spec = may_repeat(flag) ? "*" : "";
  const auto names = names_of(flag);
  if (spec.empty() && names.size() > 1) spec = "(" + joined(names) + ")";
  spec += name;
  if (takes_value(flag)) spec += name.starts_with("--") ? "=" : "+";
  spec += "[" + escaped(flag.get_description(), "[]\\") + "]";
  const std::string type = flag.get_type_name();  // closed lists stand behind it, as in NAME:{double,single}
  if (takes_value(flag))
    spec += ":" + escaped(type.substr(0, type.find(":{")), ":\\") + ":" + to_zsh(value_of(flag, offers));
  return "        " + in_quotes(spec);
}

std::string argument_line(const CLI::Option& argument, std::size_t place, const Offers& offers) {
  return "        " + in_quotes((may_repeat(argument) ? "*" : std::to_string(place + 1)) + ":" +
                                escaped(argument.get_description(), ":\\") + ":" + to_zsh(value_of(argument, offers)));
}

std::string zsh_completion(const CLI::App& app, const Offers& offers) {
  std::string list, cases, own;
  for (const CLI::Option* flag : CommandView{&app}.flags())
    for (const auto& name : names_of(*flag)) own += " \\\n" + flag_line(*flag, name, offers).substr(2);
  for (const CommandView& command : commands_of(app)) {
    list += "        " + in_quotes(command.name() + ":" + command.app->get_description()) + "\n";
    cases += "        " + command.name() + ")\n          _arguments -s";
    for (const CLI::Option* flag : command.flags())
      for (const auto& name : names_of(*flag)) cases += " \\\n    " + flag_line(*flag, name, offers);
    const auto places = command.places();
    for (std::size_t place = 0; place < places.size(); ++place)
      cases += " \\\n    " + argument_line(*places[place], place, offers);
    cases += "\n          ;;\n";
  }
  return "#compdef conesweep\n# zsh completion of conesweep " + io::version() +
         ", made by `conesweep completion zsh`\n\n_conesweep() {\n  local context state state_descr line\n  typeset -A "
         "opt_args\n  _arguments -C" +
         own +
         " \\\n      '1:command:->command' \\\n      '*::argument:->argument'\n  case $state in\n    command)\n      "
         "local -a commands\n      commands=(\n" +
         list + "      )\n      _describe command commands\n      ;;\n    argument)\n      case $line[1] in\n" + cases +
         "      esac\n      ;;\n  esac\n}\n\n# read from a folder of $fpath it is the function, else it says what it "
         "completes\n"
         "if [ \"$funcstack[1]\" = _conesweep ]; then\n  _conesweep \"$@\"\nelse\n  compdef _conesweep conesweep\nfi\n";
}

struct CompletionOptions {
  std::string shell;
  const CLI::App* program = nullptr;
  const Offers* offers = nullptr;
};

// Made from the commands themselves, so it knows all that --help tells.
int print_completion(const CompletionOptions& options) {
  std::cout << (options.shell == "zsh" ? zsh_completion(*options.program, *options.offers)
                                       : bash_completion(*options.program, *options.offers));
  return fine;
}

void declare(Flags& flags, CompletionOptions& options) {
  flags.argument("shell", options.shell, "bash or zsh", "SHELL").takes_only({"bash", "zsh"});
  options.program = &flags.program(), options.offers = &flags.offers();
}

}  // namespace

Command completion_command() {
  return make_command<CompletionOptions>(
      {"completion", "print a script that completes commands, flags and values in bash or zsh",
       "  conesweep completion bash > ~/.local/share/bash-completion/completions/conesweep\n  source <(conesweep "
       "completion zsh)"},
      declare, print_completion);
}

}  // namespace conesweep::app
