#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/flags.hpp"
#include "team/team.hpp"

namespace conesweep::app {

// exit codes, as docs/scenario.md lists them
enum Exit { fine = 0, some_stopped = 1, bad_input = 2, failure = 3, interrupted = 130 };

/// What --help tells of a command besides its flags.
struct CommandHelp {
  std::string name;
  std::string what;      // one line
  std::string examples;  // and what else is worth knowing
};

/// A command of the program. Each is a file: a struct of its options, a function that declares its flags, and one that
/// does what they ask for.
struct Command {
  CommandHelp help;
  std::function<void(Flags& flags)> declare;
  std::function<int(team::Team* team)> run;  // returns an exit code; null: this process is alone
  // the ranks of a team share its members; of the other commands rank 0 does all
  bool is_shared = false;
};

template <class Options>
Command make_command(CommandHelp help, void (*declare)(Flags&, Options&), int (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  return {std::move(help), [=](Flags& flags) { declare(flags, *options); }, [=](team::Team*) { return run(*options); }};
}

/// One whose members the ranks share; only the first of them talks.
template <class Options>
Command make_shared_command(CommandHelp help, void (*declare)(Flags&, Options&),
                            int (*run)(const Options&, team::Team*)) {
  const auto options = std::make_shared<Options>();
  const auto run_quietly_unless_first = [=](team::Team* team) {
    if (team != nullptr && !team->leads()) options->talk = {true, false};
    return run(*options, team);
  };
  return {std::move(help), [=](Flags& flags) { declare(flags, *options); }, run_quietly_unless_first, true};
}

Command bench_command();
Command check_command();
Command compare_command();
Command completion_command();
Command converge_command();
Command export_command();
Command info_command();
Command mlmc_command();
Command model_command();
Command new_command();
Command plan_command();
Command plot_command();
Command report_command();
Command run_command();
Command selftest_command();
Command sensitivity_command();
Command trace_command();

}  // namespace conesweep::app
