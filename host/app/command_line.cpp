#include "app/command_line.hpp"

#include <CLI/CLI.hpp>

#include "support/text.hpp"

namespace conesweep::app {

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
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) known.push_back(command->get_name());
  return "unknown command '" + word + "'" + suggest(word, known);
}

void refuse_empty(CLI::App& command) {
  for (CLI::Option* option : command.get_options())
    if (option->get_items_expected_max() > 0) option->check([](const std::string& text) { return text.empty() ? "needs a value, got an empty text" : ""; }, "");
}

}  // namespace conesweep::app
