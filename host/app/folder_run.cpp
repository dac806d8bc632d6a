#include "app/folder_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "app/table.hpp"
#include "app/terminal.hpp"
#include "ensemble/plan.hpp"
#include "ensemble/run_ensemble.hpp"
#include "io/seal.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

// "alpha = 0.3, tau = 0.45" of one member
std::string varied_text(const scenario::Scenario& scenario, const std::vector<double>& values) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k)
    text += (k > 0 ? ", " : "") + scenario.names.parameters[static_cast<std::size_t>(scenario.vary[k].parameter)] + " = " + format_short(values[k], 4);
  return text.empty() ? text : " (" + text + ")";
}

// A number of summary.json: null stands for NaN.
double number_of(const nlohmann::json& json) { return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN(); }

// How many times what it may be an error of a finished run is; NaN where it is not known.
double excess(const nlohmann::json& summary, const ensemble::Goal& goal) {
  if (!summary.contains("sensitivity")) {
    const auto& observable = summary.at("observables").at(goal.name);
    return number_of(observable.at("standard_error")) / std::fabs(number_of(observable.at("mean"))) / goal.share;
  }
  double widest = 0;
  const auto look = [&](const nlohmann::json& value, const nlohmann::json& interval) {
    for (const auto& end : interval) {
      const double reach = std::fabs(number_of(end) - number_of(value));
      widest = std::max(widest, reach == reach ? reach : std::numeric_limits<double>::infinity());
    }
  };
  for (const auto& index : summary.at("sensitivity").at(goal.name)) {
    for (const std::string kind : {"first", "total"}) look(index.at(kind), index.at(kind + "_interval"));
    if (index.contains("second"))
      for (const auto& pair : index.at("second").items()) look(pair.value(), index.at("second_interval").at(pair.key()));
  }
  return widest / goal.share;
}

}  // namespace

std::filesystem::path out_folder(const Options& options) {
  return options.out.empty() ? std::filesystem::path("runs") / std::filesystem::path(options.scenario).stem() : std::filesystem::path(options.out);
}

void print_status(const scenario::Scenario& scenario, const io::RunSummary& summary) {
  std::int64_t ok = 0;
  for (const auto& entry : summary.status)
    if (entry.status == executor::Status::ok) ok = entry.members;
  std::cout << counted(summary.members, "member") << ", " << counted(ok) << " ok";
  if (ok < summary.members) std::cout << ", " << counted(summary.members - ok) << " stopped";
  std::cout << "\n";
  for (const auto& entry : summary.status) {
    if (entry.status == executor::Status::ok || entry.members == 0) continue;
    std::cout << "  " << counted(entry.members) << " x " << to_name(entry.status) << ": " << advice(entry.status, entry.stop_time) << "\n"
              << "       first: member " << entry.first << " at t = " << format_short(entry.stop_time) << varied_text(scenario, entry.varied) << "\n";
  }
}

Until read_until(const Options& options, const scenario::Scenario& scenario) {
  if (options.until.empty()) {
    if (!options.most.empty()) throw InputError("--most bounds --until; without it --members says how many");
    return {};
  }
  return {ensemble::parse_goals(options.until, scenario),
          ensemble::bound_growth(scenario, options.most.empty() ? 1000 * scenario.ensemble.members : to_count("--most", options.most))};
}

std::optional<int> find_finished(const Options& options, const scenario::Scenario& scenario, const std::string& design, const Until& until) {
  if (options.force && options.resume) throw InputError("--force starts over and --resume goes on; give one of them");
  const std::filesystem::path out = out_folder(options);
  if (!options.resume || io::is_there(out / "chunks" / "run.txt") || !io::is_there(out / "summary.json")) return std::nullopt;
  const std::string again = "; start over with --force, or choose another folder with --out";
  const nlohmann::json summary = io::read_summary(out / "summary.json");
  scenario::Scenario grown = scenario;
  if (!until.goals.empty()) grown.ensemble.members = std::max(scenario.ensemble.members, summary.value("members", std::int64_t{0}));
  if (!io::is_there(out / "scenario.toml") || io::read_bytes(out / "scenario.toml") != ensemble::resolved_text(grown))
    throw InputError(out.string() + " holds a finished run of another scenario" + again);
  const auto fact = [&](const char* name) { return summary.value(nlohmann::json::json_pointer(std::string("/run/") + name), std::string()); };
  const std::string held = summary.value("/design/points"_json_pointer, std::string("ensemble"));
  if (held != design) throw InputError(out.string() + " holds a finished run of other points (" + held + "), and this is " + design + again);
  for (const auto& [name, now] : {std::pair("version", io::version()), std::pair("precision", options.precision)})
    if (fact(name) != now) throw InputError(out.string() + " holds a finished run with " + name + " " + fact(name) + ", and this is " + now + again);
  // tables and arithmetic have no other trace
  const std::string backend = options.backend == "reference" || (options.backend == "auto" && fact("backend") == "reference") ? "reference" : "cpu";
  if (fact("identity") != io::identify_run(io::describe_run(grown, ensemble::resolved_text(grown), backend, options.precision, design)))
    throw InputError(out.string() + " holds a finished run of another executor, or of tables that have changed since" + again);
  if (io::check_seal(out / "results.h5") != fact("identity")) throw InputError((out / "results.h5").string() + " is of another run than summary.json" + again);
  bool reached = true;
  for (const auto& goal : until.goals) reached = reached && excess(summary, goal) <= 1 + 1e-12;  // the numbers of the file are rounded once more
  if (!reached && grown.ensemble.members < until.most)
    throw InputError(out.string() + " holds a finished run of " + counted(grown.ensemble.members, "member") + ", too few for what --until asks for" + again);
  io::ChunkStore::sweep(out);
  if (!options.quiet && !options.json) std::cout << "the run in " << out.string() << " is finished already\n";
  if (options.json) std::cout << io::read_bytes(out / "summary.json");
  return summary.at("status").size() == 1 && reached ? fine : some_stopped;
}

FolderRun::FolderRun(const Options& options, const scenario::Scenario& scenario, const std::string& design) : options_(options) {
  tracked_ = design == "ensemble";
  executor_ = executor::make_executor(options.backend, scenario, to_execution(options), reason_);
  const auto report = [quiet = options.quiet](const std::string& why) {
    if (!quiet) std::cerr << "conesweep: " << why << "\n";
  };
  const int device = std::atoi(options.devices.c_str());  // the first of a list; 0 for "all" and for none
  engine_ = executor_->traits().on_device ? statistics::make_cuda_or_cpu_engine(report, device, options.threads) : statistics::make_cpu_engine(options.threads);
  chunk_ = choose_chunk(options, *executor_, scenario);
  timing_.compile_seconds = executor_->compile_seconds();

  const std::filesystem::path out = out_folder(options);
  if (!options.resume && !options.force) io::ChunkStore::refuse_unfinished(out);
  const bool begun = options.resume && io::is_there(out / "chunks" / "run.txt");
  folder_ = std::make_unique<io::RunFolder>(out, options.force || begun, scenario);
  const std::string text = ensemble::resolved_text(scenario);
  using Mode = io::ChunkStore::Mode;
  store_ =
      std::make_unique<io::ChunkStore>(out, io::describe_run(scenario, text, executor_->name(), options.precision, design), io::shape_of(scenario, tracked_),
                                       options.resume  ? Mode::resume
                                       : options.force ? Mode::replace
                                                       : Mode::fresh);
  store_->fit(scenario.ensemble.members);
  if (options.until.empty() && store_->kept_end() > scenario.ensemble.members && store_->finished_members() < store_->kept_members())
    throw InputError("the unfinished run in " + out.string() + " has finished members up to " + counted(store_->kept_end()) + ", and --members asks for " +
                     counted(scenario.ensemble.members) + "; ask for as many as it was begun with, or start over with --force");
  folder_->remove_leftovers();
  run_ = std::make_unique<io::StoredRun>(*store_);
  run_->scenario = scenario;
  run_->scenario_text = text;
  run_->backend = executor_->name();
  run_->device = executor_->device();
  run_->precision = options.precision;
  design_ = design;
}

void FolderRun::rethrow_interrupted() const {
  store_->forget_lost();
  const std::int64_t kept = store_->finished_members();
  if (kept == 0) throw Interrupted();
  throw Interrupted("interrupted; " + counted(kept, "member") + " of " + counted(run_->scenario.ensemble.members) + " are kept in " + folder_->path().string() +
                    ", go on with --resume");
}

void FolderRun::introduce(const std::string& members) const {
  if (!talks()) return;
  const auto& scenario = run_->scenario;
  std::cout << visible(scenario.title) << "\n"
            << members << ", " << counted(scenario.steps) << " steps of " << format_short(scenario.h()) << ", sampler " << to_name(scenario.ensemble.sampler)
            << ", seed " << scenario.ensemble.seed << "\n"
            << "executor: " << executor_->name() << " (" << reason_ << "), " << executor_->device()
            << (executor_->threads() > 1 ? ", " + std::to_string(executor_->threads()) + " threads" : "")
            << (options_.precision == "single" ? ", single precision" : "") << "\n";
  const ensemble::Plan plan = ensemble::make_plan(scenario, *executor_, chunk_);
  std::cout << counted(plan.chunks) << " " << plural(plan.chunks, "chunk") << (plan.chunks == 1 ? "" : " of " + counted(chunk_)) << "; about "
            << format_bytes(static_cast<double>(plan.memory_bytes)) << " of memory, " << format_bytes(static_cast<double>(plan.disk_bytes)) << " of disk"
            << estimate() << "\n";
  if (store_->damaged() > 0)
    std::cout << store_->damaged() << (store_->damaged() == 1 ? " chunk was" : " chunks were") << " not as written, and will be done again\n";
  if (store_->kept_members() > 0) std::cout << "going on: " << counted(store_->kept_members(), "member") << " are there already\n";
  std::cout << std::flush;
}

// ", about 3 min" for a run that is long enough to wonder
std::string FolderRun::estimate() const {
  constexpr double long_work = 1e10;  // member·steps: half a minute on a core
  const auto& scenario = run_->scenario;
  const double work = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps);
  if (work < long_work) return {};
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  const auto make = [&](const scenario::Scenario& part) {
    std::string reason;
    return executor::make_executor(executor_->name(), part, to_execution(options_), reason);
  };
  return ", " + format_duration(work / ensemble::calibrate(scenario, make, watch)) + " in all";
}

void FolderRun::produce(const sampling::UnitPoints& points, std::int64_t members) {
  run_->scenario.ensemble.members = members;
  run_->scenario_text = ensemble::resolved_text(run_->scenario);
  store_->fit(members);
  const auto missing = store_->missing();
  std::vector<ensemble::Gap> gaps;
  std::int64_t left = 0;
  for (const auto& range : missing) {
    gaps.push_back({range, store_->begun(range.first)});
    left += range.count;
  }
  if (left == 0) return;
  ensemble::demand_memory(ensemble::make_plan(run_->scenario, *executor_, chunk_), run_->scenario);
  io::demand_room(folder_->path(), io::missing_bytes(run_->scenario, missing, tracked_));

  Progress progress(left, run_->scenario.steps, !options_.quiet);
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  watch.finished = [&](std::int64_t more) { progress.add(more); };
  try {
    ensemble::run_ranges(
        run_->scenario, points, *executor_, gaps, chunk_, watch, [&](const io::Part& part, double seconds) { store_->write(part, seconds); },
        tracked_ ? engine_.get() : nullptr);
  } catch (const SystemError& error) {
    const std::string what = error.what();
    store_->forget_lost();
    if (store_->finished_members() == 0 || what.find("--resume") != what.npos) throw;
    throw SystemError(what + "; " + counted(store_->finished_members(), "member") + " are kept in " + folder_->path().string() + ", go on with --resume");
  } catch (const Interrupted&) {
    rethrow_interrupted();
  }
}

std::string FolderRun::finish(const std::function<std::string(const io::Timing&)>& summary) {
  timing_.solve_seconds = store_->solve_seconds();
  timing_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  run_->identity = io::identify_run(io::describe_run(run_->scenario, run_->scenario_text, run_->backend, run_->precision, design_));
  const std::string json = summary(timing_);
  try {
    folder_->finish(*run_, json);
  } catch (const SystemError& error) {
    store_->forget_lost();
    const bool all = store_->finished_members() == run_->scenario.ensemble.members;
    throw SystemError(std::string(error.what()) + (all ? "; all members are kept, go on with --resume when that is mended" : ""));
  }
  store_->remove();
  if (folder_->has_foreign_report() && !options_.quiet)
    std::cerr << "conesweep: report.html in " << folder_->path().string() << " is not from conesweep and was left as it is; it does not tell of this run\n";
  return json;
}

}  // namespace conesweep::app
