#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conesweep/execution.hpp"
#include "conesweep/scenario.hpp"

/// What the program's commands of the same names do. Options are named like their flags; `json` of a result is what
/// --json prints. All throw ScenarioError on bad input and Cancelled when asked to stop.
namespace conesweep {

/// NaN of the fields below: it is undefined, or there is none.
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// ---- sensitivity: which parameter drives which observable ----

struct SensitivityOptions : Execution {
  std::string method = "sobol";  // Saltelli's design, or morris (screening)
  bool second_order = false;     // indices of pairs, too
  int levels = 4;                // of morris
  // go on in blocks until no interval of an index reaches further than a share of the variance to either side
  std::map<std::string, double> until;
  std::optional<std::int64_t> most;
  std::string watch;

  std::string out;  // the run's folder; empty: nothing is written
  bool resume = false;
  bool force = false;
};

/// An estimate with its 95 % interval; NaN: it is undefined, and a warning says why.
struct Estimate {
  double value = no_number, lower = no_number, upper = no_number;
};

/// Sensitivities of one observable, of a class ("class.<name>"), or of stopping ("stopped").
struct Sensitivity {
  std::string name;
  // of sobol: [parameter], pairs (0, 1), (0, 2), …, (1, 2), … in `second`
  std::vector<Estimate> first, total, second;
  double mean = no_number, variance = no_number;
  // of morris: [parameter]
  std::vector<Estimate> mu_star;
  std::vector<double> mu, sigma;
  std::int64_t left_out = 0;  // members, or effects, that stopped or have no value
  bool constant = false;      // it is the same for all members
  std::vector<std::string> warnings;
};
struct Sensitivities {
  std::vector<std::string> parameters;
  std::vector<Sensitivity> of;
  std::int64_t members = 0, stopped = 0;
  bool reached = true;  // what `until` asked for
  std::string json;     // summary.json
};
Sensitivities find_sensitivities(const Scenario& scenario, const SensitivityOptions& options = {});

/// How an observable of a finished run goes with the parameters: rank, partial rank and regression coefficients.
struct Correlation {
  std::string name;
  std::vector<Estimate> spearman, partial_rank, regression;  // [parameter]
  double r_squared = no_number, rank_r_squared = no_number;
  std::int64_t count = 0, left_out = 0;  // members
  std::vector<std::string> warnings;
};
struct Correlations {
  std::vector<std::string> parameters;
  std::vector<Correlation> of;
  std::string json;
};
Correlations find_correlations(const std::string& folder);

// ---- converge: is the step small enough? ----

struct ConvergeOptions : Execution {
  int levels = 4;                        // steps h, h/2, h/4, …
  std::vector<std::string> observables;  // empty: all
  std::string out;                       // leave converge.json in this folder; empty: nowhere
  bool force = false;
};
struct ConvergeLevel {
  double step = 0;
  std::int64_t steps = 0;
  std::int64_t stopped = 0;  // members
  std::int64_t changed = 0;  // that stopped here or at the next finer level, but not at both
};
/// One statistic of one observable over the levels.
struct ConvergeLine {
  std::string observable, statistic;
  std::vector<double> values;                         // [level]
  double order = no_number, order_error = no_number;  // observed
  double step_error = no_number;                      // of the value at h
  double step_error_at_most = no_number;              // a 95 % bound, where no pair of members differs, or few
  double limit = no_number;                           // the value at h minus its signed step error
  double sampling_error = no_number;
  std::string dominates;  // "step", "sampling" or "neither"
};
struct Convergence {
  std::int64_t members = 0;
  std::vector<ConvergeLevel> levels;
  std::vector<ConvergeLine> lines;
  std::string advice;  // what to do about it
  std::string json;
};
Convergence converge(const Scenario& scenario, const ConvergeOptions& options = {});

// ---- mlmc: the mean of an observable, to the error asked for ----

struct MlmcOptions : Execution {
  std::string observable;  // whose mean
  double rmse = 0;         // the error asked for, in the observable's unit
  int levels_max = 12;     // finest level allowed, step h / 2^12
  std::int64_t members_max = 1'000'000'000;
  std::string out;  // leave mlmc.json in this folder; empty: nowhere
  bool force = false;
};
struct MlmcLevel {
  double step = 0;
  std::int64_t steps = 0, members = 0, stopped = 0;
  double mean = no_number, variance = no_number, kurtosis = no_number;  // of the correction
  double member_steps = 0;
};
struct MlmcEstimate {
  double estimate = no_number, rmse = no_number;  // the mean, and what it may miss by
  double bias = no_number, standard_error = no_number;
  bool bias_is_bound = false, standard_error_is_bound = false;
  double alpha = no_number, beta = no_number;  // rates of bias and variance
  double member_steps = 0;
  double plain_members = 0, plain_member_steps = 0;  // that plain Monte Carlo would take
  bool reached = true;
  std::vector<MlmcLevel> levels;
  std::vector<std::string> notes;
  std::string json;
};
MlmcEstimate mlmc(const Scenario& scenario, const MlmcOptions& options);

// ---- compare: do two executors agree? ----

struct CompareOptions : Execution {
  // two executors, with :single or :double in another precision than `precision`; `backend` and `chunk` have no say
  std::string backends = "cpu,reference";
  std::optional<std::int64_t>
      members;                      // the first so many; left out: all, or a thousand where the reference takes part
  std::optional<double> tolerance;  // share of an observable's scale [1e-9; in single precision 1e-4]
  double grazing = 1;               // largest share of members that rounding may part
  std::int64_t judge = 4096;        // at most so many of the members that differ
  bool bits = false;                // all bits must be equal
};
struct ComparedObservable {
  std::string name;
  std::int64_t compared = 0;  // members with a number on both sides
  double scale = 0;
  double absolute_worst = 0, relative_worst = 0;
  std::int64_t worst_member = -1;  // -1: all are equal
  double a = 0, b = 0;             // its values
  bool within = true;
};
struct Comparison {
  bool passed = true;
  std::int64_t members = 0;
  std::vector<ComparedObservable> observables;  // empty when bits were asked for
  // members that differ: parted by rounding, where the laws have several solutions, with a wrong step, not judged
  std::vector<std::int64_t> parted, several, wrong, unjudged;
  std::int64_t values = 0, differing_bits = 0;  // when bits were asked for
  std::string verdict;                          // in words
  std::string json;
};
Comparison compare(const Scenario& scenario, const CompareOptions& options = {});

// ---- trace: one member, every step ----

struct TraceOptions {
  std::int64_t member = 0;
  std::int64_t every = 1;  // steps between two rows; impacts always have one
  const std::atomic<bool>* cancel = nullptr;
};
struct TraceEnd {
  std::uint8_t status = 0;  // by status_names
  double time = 0;          // of its end
};
/// By the reference executor, as CSV with a commented head, handed over piece by piece.
TraceEnd trace(const Scenario& scenario, const TraceOptions& options,
               const std::function<void(std::string_view)>& rows);
/// The same as one text.
std::string trace(const Scenario& scenario, const TraceOptions& options = {});

// ---- plan: memory, chunks, disk and time of a run ----

struct PlanOptions {
  int threads = 0;
  std::string precision = "double";
  std::string devices = {};
  std::int64_t chunk = 0;
  std::function<void(const std::string&)> message = {};
  const std::atomic<bool>* cancel = nullptr;
};
struct PlannedExecutor {
  std::string name;
  std::string absent;  // why it cannot run here; empty: it can
  std::int64_t chunk = 0, chunks = 0;
  std::int64_t members_in_flight = 0, bytes_in_flight = 0;
  double member_steps_per_second = 0, seconds = 0;
  std::int64_t host_bytes = 0;
};
struct Plan {
  std::int64_t members = 0, steps = 0;
  std::vector<PlannedExecutor> executors;  // cuda, cpu, reference
  std::int64_t bytes_a_member = 0, history_nodes = 0;
  std::int64_t results_bytes = 0, summary_bytes = 0, disk_bytes = 0;
  std::string json;
};
Plan plan(const Scenario& scenario, const PlanOptions& options = {});

// ---- reports and figures of finished runs ----

/// One HTML page of some runs, which needs no network and no other file.
std::string make_report(const std::vector<std::string>& folders);
/// The same in a file: it is replaced if it is a report, or with `force`. Returns sentences about what could not be
/// drawn.
std::vector<std::string> write_report(const std::vector<std::string>& folders, const std::string& file,
                                      bool force = false);

/// What a report begins with, as a piece of HTML: title, what was run, and what to know before one believes its
/// numbers.
std::string make_report_head(const std::string& folder);

/// Kinds of figures by name, each with what it shows in a line.
std::vector<std::pair<std::string, std::string>> panels();

struct FigureOptions {
  std::string x = {}, y = {}, color = {};  // what axes and colours show; empty: chosen
  double width = 86;                       // millimetres; 86: a column of a paper
};
/// What a figure is made of, for those who draw it themselves.
struct FigureAxis {
  std::string label = {};  // empty: it has none
  double least = 0, most = 1;
  bool logarithmic = false;
  std::vector<std::string> names = {};  // instead of numbers: at 0, 1, … from the left or from the top
};
struct FigureMark {
  std::string join;   // how its points are joined: dots, line (interrupted by NaN), area, boxes (between two corners)
  std::string style;  // classes of the style sheet in `svg`
  double width = 0;   // of dots and lines, where the svg is 400 wide; 0: as the style says
  std::vector<double> x, y;  // in units of the axes
};
struct Figure {
  std::string title, note;
  std::string svg;
  std::string csv;      // its numbers
  double height = 270;  // where it is 400 wide
  FigureAxis x, y;
  std::vector<FigureMark> marks;                           // the later ones over the earlier ones
  std::vector<std::pair<std::string, std::string>> names;  // of a legend: style, words; without a style words alone
  FigureAxis colours;                                      // of values, by the styles f0 … f15 or g0 … g15
};
/// All figures of a panel for a finished run, those that are left open chosen.
std::vector<Figure> draw(const std::string& folder, const std::string& panel, const FigureOptions& options = {});

}  // namespace conesweep
