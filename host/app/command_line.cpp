#include "app/command_line.hpp"

#include <sstream>

#include <CLI/CLI.hpp>

#include "io/version.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

constexpr char footer[] =
    "Examples:\n"
    "  conesweep run slider.toml --members 10000 --out runs/slider\n"
    "  conesweep run slider.toml --set alpha=0.4 --seed 7 --force\n"
    "  conesweep run slider.toml --members 1e7 --resume\n"
    "  conesweep check slider.toml\n"
    "  conesweep plan slider.toml --members 1e7\n"
    "  conesweep sensitivity slider.toml --members 1e5 --out runs/slider-sobol\n"
    "  conesweep compare slider.toml --backends cpu,reference\n"
    "  conesweep converge slider.toml\n"
    "  conesweep mlmc slider.toml --observable reach --rmse 1e-3\n"
    "  conesweep trace slider.toml --member 311 --every 10 > member.csv\n"
    "  conesweep report runs/slider\n"
    "  conesweep plot runs/slider histogram --x reach --out reach.pdf\n"
    "  conesweep export runs/slider --csv --out slider.csv\n"
    "  conesweep selftest\n"
    "  conesweep new drop\n"
    "\n"
    "conesweep COMMAND --help tells the flags of a command.\n"
    "Exit codes: 0 all members fine; 1 finished, some members stopped; 2 bad input; 3 system or internal failure; 130 "
    "interrupted.";

// A misspelt command or flag gets the closest known one; CLI11 only says that it was not expected.
std::string describe_unexpected(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string& word = words.front();
  std::vector<std::string> known;
  const CLI::App* active = &app;
  for (const CLI::App* command : app.get_subcommands()) active = command;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : active->get_options())
      for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    return "unknown flag '" + word + "'" + suggest(word.substr(0, word.find('=')), known);
  }
  if (active != &app) return "'" + word + "' was not expected; flags begin with --";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  return "unknown command '" + word + "'" + suggest(word, known);
}

// An empty text is no value: "$MEMBERS" of a script that forgot to set it.
void refuse_empty(CLI::App& command) {
  for (CLI::Option* option : command.get_options())
    if (option->get_items_expected_max() > 0)
      option->check([](const std::string& text) { return text.empty() ? "needs a value, got an empty text" : ""; }, "");
}

}  // namespace

struct CommandLine::Parser {
  CLI::App app{"conesweep: ensembles of nonsmooth mechanical systems with dry friction and delay", "conesweep"};
  Offers offers;
};

CommandLine::CommandLine(std::vector<Command> commands)
    : commands_(std::move(commands)), parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.set_version_flag("--version", "conesweep " + io::version());
  app.require_subcommand(1);
  app.footer(footer);
  for (const Command& command : commands_) {
    CLI::App* sub = app.add_subcommand(command.help.name, command.help.what);
    sub->footer("Examples:\n" + command.help.examples);
    Flags flags(*sub, parser_->offers);
    command.declare(flags);
    refuse_empty(*sub);
  }
}

CommandLine::~CommandLine() = default;

CommandLine::Asked CommandLine::read(int argc, char** argv) {
  CLI::App& app = parser_->app;
  Asked asked;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    app.exit(wanted, text, text);
    asked.text = text.str();
    return asked;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words = app.remaining(true);
    asked.mistake = words.empty() ? error.what() : describe_unexpected(app, words);
    return asked;
  }
  for (const Command& command : commands_)
    if (app.got_subcommand(command.help.name)) asked.command = &command;
  return asked;
}

}  // namespace conesweep::app
