#include <malloc.h>

#include <csignal>
#include <iostream>

#include "app/command_line.hpp"
#include "app/failure.hpp"
#include "app/safe_output.hpp"
#include "app/work_together.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

// in the order of --help
std::vector<Command> all_commands() {
  return {run_command(),      sensitivity_command(), plan_command(),   check_command(),    compare_command(),
          converge_command(), mlmc_command(),        report_command(), plot_command(),     export_command(),
          trace_command(),    model_command(),       bench_command(),  selftest_command(), info_command(),
          new_command(),      completion_command()};
}

int main(int argc, char** argv) {
  const team::Launch launch = team::find_launch();
  CommandLine line(all_commands());
  const auto [command, text, mistake] = line.read(argc, argv);
  if (command == nullptr && mistake.empty()) {
    if (launch.rank == 0) std::cout << text;
    return fine;
  }
  if (command == nullptr) {
    if (launch.rank == 0)
      say(visible(mistake) + "\n  conesweep --help tells what is there");
    else
      let_rank_0_speak();
    return bad_input;
  }
  if (launch.size > 1 && command->is_shared) return work_together(*command, launch);
  return launch.rank == 0 ? command->run(nullptr) : fine;
}

}  // namespace
}  // namespace conesweep::app

int main(int argc, char** argv) {
  using namespace conesweep;
  // Blocks of members come and go at one size: memory that one gives back the next has at once, without a fault of
  // every page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that the shell allows no more bytes is a refusal like a full disk
  app::prepare_for_want_of_memory();
  const app::SafeOutput safe;
  try {
    const int code = app::main(argc, argv);
    app::flush_output();
    return code;
  } catch (...) {
    const app::Failure failure = app::describe_failure();
    if (!failure.sentence.empty()) app::say(failure.sentence);
    return failure.code;
  }
}
