#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/terminal.hpp"
#include "io/new_file.hpp"
#include "sampling/sampler.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

struct BenchOptions {
  ExecutionFlags execution;
  std::vector<std::string> only;  // problems
  std::string out;
  TalkFlags talk;
};

// A problem to measure: text with %FORCE%-like places would hide what runs, so each is written out by a few words.
struct MeasuredProblem {
  std::string name;
  std::string what;
  std::string text;
};

std::string particle(const std::string& delay, const std::string& wall, const std::string& pull,
                     const std::string& standard) {
  return "[model]\ncoordinates = [\"x\", \"y\", \"z\"]\n"
         "force = [\"k * (delay(x, tau) - x)" +
         pull +
         "\", \"k * (delay(y, tau) - y)\", \"k * (delay(z, tau) - z) - g\"]\n"
         "[model.parameters]\ng = 9.81\nk = 5.0\ntau = 0.1\nmu = 0.3\nv0 = 1.0\n"
         "[[model.contact]]\ninside = \"" +
         wall +
         "\"\nfriction = \"mu\"\n"
         "[start]\nx = \"0\"\ny = \"0\"\nz = \"1\"\nvx = \"v0\"\n"
         "[time]\nend = 2.0\nstep = 1e-3\n[ensemble]\nmembers = 4096\n"
         "[vary]\nmu = { uniform = [0.1, 0.6] }\nv0 = { uniform = [1, 3] }\n" +
         delay + "[observe]\n" + standard;
}

std::vector<MeasuredProblem> problems() {
  const std::string each = "tau = { uniform = [0.05, 0.15] }\n", none = "standard = []\n", flat = "z >= 0";
  return {
      {"fixed", "3D particle, plane, friction; one delay of 100 steps", particle("", flat, "", none)},
      {"member", "the same; another delay for each member, 50 to 150 steps", particle(each, flat, "", none)},
      {"fixed_observed", "fixed, with all standard observables", particle("", flat, "", "")},
      {"member_observed", "member, with all standard observables", particle(each, flat, "", "")},
      {"curved", "member, inside a ball", particle(each, "x^2 + y^2 + z^2 <= 4", "", none)},
      {"curved_observed", "curved, with all standard observables", particle(each, "x^2 + y^2 + z^2 <= 4", "", "")},
      {"sine", "member, with sin(3 t + x) in the force", particle(each, flat, " + sin(3 * t + x)", none)},
  };
}

scenario::Scenario read_problem(const MeasuredProblem& problem) {
  scenario::Faults wrong;
  auto scenario = scenario::read_scenario({problem.name, problem.text}, {}, wrong);
  CS_ASSERT(scenario.has_value());
  return std::move(*scenario);
}

// The largest difference of the final states to the reference executor over a few members, relative to their size.
double verify(const scenario::Scenario& scenario, const executor::Model& executor) {
  executor::Chunk chunk{{scenario, 0, 64}, sampling::draw(scenario, 0, 64)};
  std::string reason;
  const auto reference = executor::make_model("reference", scenario, {}, reason);
  const auto a = executor.run(scenario, chunk, {}), b = reference->run(scenario, chunk, {});
  double worst = 0;
  const std::size_t first = a.observables.size() - count_states(scenario);
  for (std::size_t k = first; k < a.observables.size(); ++k)
    for (std::size_t m = 0; m < a.observables[k].size(); ++m) {
      const double difference =
          std::fabs(a.observables[k][m] - b.observables[k][m]) / (1 + std::fabs(b.observables[k][m]));
      worst = difference <= worst ? worst : difference;  // keeps a NaN
    }
  return worst;
}

// The problems as scenario files, for tools that need them.
int write_problems(const std::vector<MeasuredProblem>& problems, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const MeasuredProblem& problem : problems)
    io::write_new(folder / (problem.name + ".toml"), "# " + problem.what + "\n" + problem.text, io::Replace::yes);
  return fine;
}

// Those that --only names; all without it.
std::vector<MeasuredProblem> choose_problems(const std::vector<std::string>& only) {
  std::vector<MeasuredProblem> chosen = problems();
  if (!only.empty())
    std::erase_if(chosen,
                  [&](const MeasuredProblem& p) { return std::find(only.begin(), only.end(), p.name) == only.end(); });
  if (chosen.empty()) throw InputError("--only: no such problem; conesweep bench lists them");
  return chosen;
}

int bench(const BenchOptions& options) {
  const std::vector<MeasuredProblem> chosen = choose_problems(options.only);
  if (!options.out.empty()) return write_problems(chosen, options.out);
  // rounding over 2000 steps; members that graze differ by more and would show
  const double tolerance = options.execution.is_single() ? 1e-3 : 1e-9;
  constexpr double seconds_each = 1.5;
  const std::atomic<bool>& stop = watch_interrupts();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  bool good = true, headed = false;
  for (const MeasuredProblem& problem : chosen) {
    const scenario::Scenario scenario = read_problem(problem);
    std::string reason;
    const auto executor = executor::make_model(options.execution.backend == "auto" ? "cpu" : options.execution.backend,
                                               scenario, to_execution(options.execution, options.talk), reason);
    if (!options.talk.json && !headed)
      std::cout << "executor " << executor->name() << ", " << executor->device() << ", " << executor->threads() << " "
                << plural(executor->threads(), "thread") << ", " << options.execution.precision << "\n";
    headed = true;

    // verified before timed
    const double difference = verify(scenario, *executor);
    const bool agrees = difference <= tolerance;
    good = good && agrees;

    executor::Chunk chunk{{scenario, 0, scenario.ensemble.members},
                          sampling::draw(scenario, 0, scenario.ensemble.members)};
    double best = 1e300, least_work = 1e300;  // seconds by the clock, and of all cores
    const auto start = std::chrono::steady_clock::now();
    const auto since = [](auto then) {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
    };
    for (int run = 0; run < 3 || since(start) < seconds_each; ++run) {
      if (stop) throw Interrupted();
      const auto now = std::chrono::steady_clock::now();
      const std::clock_t work = std::clock();
      executor->run(scenario, chunk, {});
      best = std::min(best, since(now));
      least_work = std::min(least_work, static_cast<double>(std::clock() - work) / CLOCKS_PER_SEC);
    }
    const double member_steps = static_cast<double>(chunk.count()) * static_cast<double>(scenario.steps),
                 rate = member_steps / best;
    rows.push_back({{"problem", problem.name},
                    {"what", problem.what},
                    {"member_steps_per_second", rate},
                    {"member_steps_per_processor_second", member_steps / least_work},
                    {"difference_to_reference", difference},
                    {"agrees", agrees}});
    if (!options.talk.json)
      std::cout << "  " << problem.name << std::string(17 - problem.name.size(), ' ') << format_short(rate / 1e6, 4)
                << " million member·steps/s   " << problem.what
                << (agrees ? "" : "   DIFFERS from the reference by " + format_short(difference, 2)) << "\n"
                << std::flush;
  }
  if (options.talk.json) std::cout << rows.dump(2) << "\n";
  return good ? fine : some_stopped;
}

void declare(Flags& flags, BenchOptions& options) {
  add_execution(flags, options.execution);
  flags.add_list("--only", options.only, "names of the problems to run", "NAMES");
  flags.add("--out", options.out, "write the problems there as scenario files, and run none", "FOLDER");
  add_json(flags, options.talk);
}

}  // namespace

Command bench_command() {
  return make_command<BenchOptions>(
      {"bench", "throughput of this machine, verified against the reference executor before it is timed",
       "  conesweep bench\n  conesweep bench --only fixed,member --threads 1"},
      declare, bench);
}

}  // namespace conesweep::app
