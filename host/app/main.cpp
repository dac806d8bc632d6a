#include <malloc.h>

#include <csignal>
#include <functional>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/command_line.hpp"
#include "app/completion.hpp"
#include "app/failure.hpp"
#include "app/options.hpp"
#include "app/safe_output.hpp"
#include "app/work_together.hpp"
#include "io/version.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

constexpr Range any_int = {0, 1'000'000};  // a command has limits of its own

// Commands whose members the ranks of a team share; of the others rank 0 does all.
bool is_shared(const CLI::App& app) {
  for (const char* name : {"run", "sensitivity", "converge", "mlmc"})
    if (app.got_subcommand(name)) return true;
  return false;
}

int main(int argc, char** argv) {
  const team::Launch launch = team::find_launch();
  Options options;
  CLI::App app("conesweep: ensembles of nonsmooth mechanical systems with dry friction and delay", "conesweep");
  app.set_version_flag("--version", "conesweep " + io::version());
  app.require_subcommand(1);
  app.footer(
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
      "Exit codes: 0 all members fine; 1 finished, some members stopped; 2 bad input; 3 system or internal failure; 130 interrupted.");

  std::function<int(const Options&)> chosen;
  const auto add_command = [&](const char* name, const char* what, const std::function<int(const Options&)>& command, const std::string& examples) {
    CLI::App* sub = app.add_subcommand(name, what);
    sub->callback([&chosen, command] { chosen = command; });
    sub->footer("Examples:\n" + examples);
    return sub;
  };

  CLI::App* sub = add_command("run", "step all members and write results.h5, summary.json and scenario.toml", run,
                              "  conesweep run slider.toml\n  conesweep run slider.toml --members 1e5 --step 5e-4 --out runs/fine\n  conesweep run slider.toml "
                              "--json --force | jq .observables.reach.mean");
  add_scenario(*sub, options);
  add_execution(*sub, options);
  add_output(*sub, options);
  sub->add_flag("--no-step-check", options.no_step_check, "do not repeat 256 members, spread over all, at half the step, which shows the error of the step");
  sub->add_flag("--report", options.report, "make report.html in the folder at the end, as conesweep report does");
  sub->add_option("--until", options.until, "go on in blocks until the standard error of a mean is below a share of it: reach:1%, or several by commas")
      ->type_name("NAME:SHARE");
  sub->add_option("--most", options.most, "with --until: at most so many members (default: a thousand times those it begins with)")->type_name("N");
  add_keep(*sub, options);
  add_watch(*sub, options);

  sub = add_command(
      "sensitivity", "which parameter drives which observable: Sobol indices or screening of a scenario, rank correlations of a run", sensitivity,
      "  conesweep sensitivity slider.toml --members 1e5 --out runs/slider-sobol\n  conesweep sensitivity slider.toml --second-order --until reach:2%\n"
      "  conesweep sensitivity slider.toml --method morris --members 500 --out runs/slider-morris\n  conesweep sensitivity runs/slider\n"
      "--members counts model runs: a base of the Sobol design takes k + 2 of them for k parameters, 2 k + 2 with --second-order; a trajectory of morris takes "
      "k + 1.\n"
      "Intervals are at 95 %. Of a folder with results.h5 it prints Spearman, partial rank (PRCC) and standardised regression (SRC) coefficients.");
  add_scenario(*sub, options);
  sub->get_option("scenario")->description("scenario file (TOML), or the folder of a finished run");
  one_of(options, sub->add_option("--method", options.method, "sobol (Saltelli's design), or morris (screening)")->type_name("NAME")->capture_default_str(),
         {"sobol", "morris"});
  sub->add_flag("--second-order", options.second_order, "indices of pairs, too");
  add_whole(*sub, "--levels", options.screening_levels, any_int, "levels of each parameter for morris; an even number [4]");
  sub->add_option("--observable", options.observables, "print only these; may be repeated")->type_name("NAME")->allow_extra_args(false);
  sub->add_option("--until", options.until,
                  "go on in blocks until no interval of an index of NAME reaches further than SHARE of the variance to either side: reach:2%")
      ->type_name("NAME:SHARE");
  sub->add_option("--most", options.most, "with --until: at most so many members (default: a thousand times those it begins with)")->type_name("N");
  add_watch(*sub, options);
  add_execution(*sub, options);
  add_output(*sub, options);

  sub = add_command("plan", "memory, chunks, disk and estimated time of a run, for each executor, before it runs", plan,
                    "  conesweep plan slider.toml --members 1e7\n  conesweep plan slider.toml --json");
  add_scenario(*sub, options);
  add_keep(*sub, options);
  add_threads(*sub, options);
  add_precision(*sub, options);
  sub->add_option("--devices", options.devices, "GPUs: all, or numbers such as 0,1 (default: the first)")->type_name("LIST");
  sub->add_option("--chunk", options.chunk, "members in a chunk; a multiple of 4096")->type_name("N");
  sub->add_flag("--quiet", options.quiet, "no warnings");
  sub->add_flag("--json", options.json, "print as JSON");

  sub = add_command("check", "validate a scenario: every problem with its place; tries the first thousand members' parameters", check,
                    "  conesweep check slider.toml\n  conesweep check slider.toml --set alpha=2 --json");
  add_scenario(*sub, options);
  sub->add_flag("--quiet", options.quiet, "print errors only");
  sub->add_flag("--json", options.json, "print the problems as JSON");

  sub = add_command("compare", "run two executors on the same members: do they agree?", compare,
                    "  conesweep compare slider.toml --backends cpu,reference\n  conesweep compare slider.toml --backends cpu,cuda --bits\n"
                    "  conesweep compare slider.toml --backends cpu:single,cpu\n"
                    "  conesweep compare slider.toml --members 200 --tolerance 1e-10 --grazing 0 --json\n"
                    "Members that differ are judged step by step: from every node of theirs, does the step obey the laws (residual at most 1e-9 of the\n"
                    "largest velocity; in single precision 1e-5), and do their observables follow from the nodes? If all do, rounding parted them, or the\n"
                    "laws have several solutions: they are counted, named and left out of the differences. Anything else is named, and fails.\n"
                    "Exit codes: 0 they agree; 1 they differ.");
  add_scenario(*sub, options);
  offer(options,
        sub->add_option("--backends", options.backends, "the two executors, A,B; with :single or :double in another precision than --precision")
            ->type_name("A,B")
            ->capture_default_str(),
        {"cpu,reference", "cpu,cuda", "cuda,reference", "cpu:single,cpu", "cuda:single,cuda", "cpu:single,reference"});
  add_real(*sub, "--tolerance", options.tolerance, "largest |a - b| as a share of the observable's scale over the ensemble [1e-09; in single precision 1e-04]")
      ->type_name("X");
  add_real(*sub, "--grazing", options.grazing, "largest share of members that rounding may part [1]")->type_name("SHARE");
  add_whole(*sub, "--judge", options.judge, {0, most_count}, "judge at most so many of the members that differ; others count as different [4096]")
      ->type_name("N");
  sub->add_flag("--bits", options.bits, "all bits must be equal, of observables, statuses and trajectories");
  add_threads(*sub, options);
  add_precision(*sub, options);
  sub->add_option("--devices", options.devices, "GPUs: all, or numbers such as 0,1 (default: the first)")->type_name("LIST");
  sub->add_flag("--quiet", options.quiet, "print errors only: the exit code tells");
  sub->add_flag("--json", options.json, "print the comparison as JSON");

  sub = add_command("converge", "is the step small enough? all members at h, h/2, h/4, …: observed order, step-size error beside sampling error", converge,
                    "  conesweep converge slider.toml\n  conesweep converge slider.toml --levels 5 --members 1e4 --observable reach --observable settled\n"
                    "Exit codes: 0 all members fine; 1 some members stopped.");
  add_scenario(*sub, options);
  add_execution(*sub, options);
  add_whole(*sub, "--levels", options.levels, any_int, "number of steps, each half of the one before [4]");
  sub->add_option("--observable", options.observables, "this one only; may be repeated (default: all)")->type_name("NAME")->allow_extra_args(false);
  add_study(*sub, options, "converge.json");
  sub->add_flag("--quiet", options.quiet, "print errors only");
  sub->add_flag("--json", options.json, "print as JSON");

  sub = add_command(
      "mlmc", "the mean of one observable by multilevel Monte Carlo, to the error asked for", mlmc,
      "  conesweep mlmc slider.toml --observable reach --rmse 1e-3\n  conesweep mlmc slider.toml --observable reach --rmse 1e-4 --step 8e-3 --json\n"
      "Level l has step h / 2^l. The scenario's step is the coarsest, so a large one is wanted.\n"
      "Exit codes: 0 fine; 1 the error asked for was not reached, or some members stopped.");
  add_scenario(*sub, options);
  add_execution(*sub, options);
  sub->add_option("--observable", options.observables, "whose mean")->type_name("NAME")->required()->expected(1)->allow_extra_args(false);
  add_real(*sub, "--rmse", options.rmse, "the error asked for, in the observable's unit: bias at most a quarter, standard error at most a half of it")
      ->type_name("X")
      ->required();
  add_whole(*sub, "--levels-max", options.levels_max, any_int, "finest level allowed, step h / 2^L [12]");
  add_whole(*sub, "--members-max", options.members_max, {0, most_count}, "members allowed on all levels together")->default_str("1e9");
  add_study(*sub, options, "mlmc.json");
  sub->add_flag("--quiet", options.quiet, "print errors only");
  sub->add_flag("--json", options.json, "print as JSON");

  sub = add_command("report", "one page with equations, statistics and figures of a finished run, or of several side by side", report,
                    "  conesweep report runs/slider\n  conesweep report runs/rough runs/smooth --out compared.html\n"
                    "The page needs no network and no other file, and is at most 1 MB. What converge --out and mlmc --out left in the folder is drawn, too.");
  sub->add_option("folders", options.folders, "folders of finished runs")->required()->type_name("RUN_DIR");
  sub->add_option("--out", options.out, "file to write (default: report.html in the folder; of several runs: report.html here)")->type_name("FILE");
  sub->add_flag("--force", options.force, "replace that file, whoever made it");
  sub->add_flag("--quiet", options.quiet, "print errors only");

  std::string panels =
      "  conesweep plot runs/slider histogram --x reach --out reach.pdf\n  conesweep plot runs/slider scatter --x alpha --y reach --color tau --out "
      "reach.svg\nPanels:\n";
  std::vector<std::string> panel_names;
  for (const auto& panel : report::panels()) {
    panel_names.push_back(panel.name);
    panels += "  " + panel.name + std::string(14 - panel.name.size(), ' ') + panel.what + "\n";
  }
  panels += "PDF and PNG are made by rsvg-convert (librsvg2-bin).";
  sub = add_command("plot", "one figure of a finished run alone, for a paper: SVG, PDF, PNG, or its numbers as CSV", plot, panels);
  sub->add_option("folder", options.scenario, "folder of a finished run")->required()->type_name("RUN_DIR");
  offer(options, sub->add_option("panel", options.panel, "what to draw, see below")->required()->type_name("PANEL"), panel_names);
  sub->add_option("-o,--out", options.out, "file to write: its ending says what, .svg, .pdf, .png or .csv")->required()->type_name("FILE");
  sub->add_option("--x", options.x, "what the horizontal axis shows")->type_name("NAME");
  sub->add_option("--y", options.y, "what the vertical axis shows")->type_name("NAME");
  sub->add_option("--color", options.colour, "what colours show")->type_name("NAME");
  add_real(*sub, "--width", options.width, "millimetres [86, a column of a paper]")->type_name("MM");
  sub->add_flag("--force", options.force, "replace that file");
  sub->add_flag("--quiet", options.quiet, "print errors only");

  sub = add_command("export", "the members of a finished run as a table: one row each, all digits", export_run,
                    "  conesweep export runs/slider --csv --out slider.csv\n  conesweep export runs/slider --csv | head\n"
                    "  conesweep export runs/slider --csv --trajectories --out motions.csv\n"
                    "An empty cell is a value that is not there (NaN in results.h5): an event that never came, a member that stopped.");
  sub->add_option("folder", options.scenario, "folder of a finished run")->required()->type_name("RUN_DIR");
  sub->add_flag("--csv", options.csv, "as comma-separated values, with a line of names");
  sub->add_flag("--trajectories", options.trajectories, "the motions of the recorded members: one row a member and time");
  sub->add_option("--out", options.out, "file to write, or - (default: standard output)")->type_name("FILE");
  sub->add_flag("--force", options.force, "replace that file");
  sub->add_flag("--quiet", options.quiet, "print errors only");

  sub = add_command("trace", "one member, every step, with its contact mode, as CSV", trace,
                    "  conesweep trace slider.toml --member 311\n  conesweep trace slider.toml --member 311 --every 10 --out member.csv");
  add_scenario(*sub, options);
  add_whole(*sub, "--member", options.member, {0, most_count}, "number of the member, from 0 [0]");
  add_whole(*sub, "--every", options.every, {1, most_count}, "steps between two lines (impacts are always shown) [1]");
  sub->add_option("--out", options.out, "file to write (default: standard output)")->type_name("FILE");
  sub->add_flag("--force", options.force, "replace that file");
  sub->add_flag("--quiet", options.quiet, "no warnings");

  sub = add_command("model", "print the C++ that the fast executors compile", model,
                    "  conesweep model slider.toml\n  conesweep model slider.toml --unit cuda > slider.cu\n"
                    "The struct is what a model written by hand looks like: docs/user_model.md.");
  add_scenario(*sub, options);
  one_of(options, sub->add_option("--unit", options.unit, "the whole unit with all our headers, not the struct alone: cpu, cuda")->type_name("NAME"),
         {"cpu", "cuda"});
  add_precision(*sub, options, "of the unit: double, single");
  sub->add_flag("--quiet", options.quiet, "no warnings");

  sub = add_command("bench", "throughput of this machine, verified against the reference executor before it is timed", bench,
                    "  conesweep bench\n  conesweep bench --only fixed,member --threads 1");
  add_execution(*sub, options);
  sub->add_option("--only", options.only, "names of the problems to run")->type_name("NAMES")->delimiter(',');
  sub->add_option("--out", options.out, "write the problems there as scenario files, and run none")->type_name("FOLDER");
  sub->add_flag("--json", options.json, "print as JSON");

  sub = add_command("selftest", "is everything right on this machine? exact answers, published bits, cuda against cpu, statistics", selftest,
                    "  conesweep selftest\n  conesweep selftest --backend all\n  conesweep selftest --hashes\n"
                    "Takes less than a minute. The last line is what to send when something is wrong.\n"
                    "Exit codes: 0 all is right; 1 something differs; 3 a device or the system refused.");
  add_backend(*sub, options, "executor: auto (what a large run takes), all (every one that is here), cuda, cpu, reference", {"all"});
  add_threads(*sub, options);
  sub->add_option("--devices", options.devices, "GPUs: all, or numbers such as 0,1 (default: the first)")->type_name("LIST");
  sub->add_flag("--hashes", options.hashes, "print the hashes of all samples' results, as in samples/hashes.txt, and nothing else");
  sub->add_flag("--quiet", options.quiet, "print errors only: the exit code tells");
  sub->add_flag("--json", options.json, "print as JSON");

  sub = add_command("info", "version, executors, devices, programs found", info, "  conesweep info\n  conesweep info --json");
  sub->add_flag("--json", options.json, "print as JSON");

  sub = add_command("new", "write a scenario to begin with, every section explained, or like a sample", make_new,
                    "  conesweep new drop\n  conesweep new studies/pendulum --like pendulum_friction\nSamples: " + join_words(sample_names()) + ".");
  sub->add_option("name", options.scenario, "of the file to write; .toml may be left out")->required()->type_name("NAME");
  offer(options, sub->add_option("--like", options.like, "the sample to start from, with its comments")->type_name("SAMPLE"), sample_names());
  sub->add_flag("--force", options.force, "replace a file that is there");
  sub->add_flag("--quiet", options.quiet, "print errors only");

  const auto complete = [&app](const Options& asked) {
    std::cout << make_completion(asked.shell, app, asked.offers);
    return static_cast<int>(fine);
  };
  sub = add_command("completion", "print a script that completes commands, flags and values in bash or zsh", complete,
                    "  conesweep completion bash > ~/.local/share/bash-completion/completions/conesweep\n  source <(conesweep completion zsh)");
  one_of(options, sub->add_option("shell", options.shell, "bash or zsh")->required()->type_name("SHELL"), completed_shells);

  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty(*command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return launch.rank == 0 ? app.exit(wanted) : fine;
  } catch (const CLI::ParseError& error) {
    if (launch.rank > 0) {
      let_rank_0_speak();
      return bad_input;
    }
    std::vector<std::string> words = app.remaining(true);
    say(visible(words.empty() ? error.what() : describe_unexpected(app, words)) + "\n  conesweep --help tells what is there");
    return bad_input;
  }
  if (launch.size > 1 && is_shared(app)) return work_together(chosen, options, launch);
  return launch.rank == 0 ? chosen(options) : fine;
}

}  // namespace
}  // namespace conesweep::app

int main(int argc, char** argv) {
  using namespace conesweep;
  // Blocks of members come and go at one size: memory that one gives back the next has at once, without a fault of every page.
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
