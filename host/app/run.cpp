#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "app/failure.hpp"
#include "app/report.hpp"
#include "app/run_terminal.hpp"
#include "app/spelling.hpp"
#include "app/table.hpp"
#include "keep/run_folder.hpp"
#include "report/page.hpp"
#include "run/ensemble_run.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

struct RunOptions : EnsembleFlags {
  bool no_step_check = false;
  bool report = false;  // make a page at the end
};

// "< 0.023" where values jump, and no pair did, or few: that is not 0
std::string step_cell(const tell::StepError& error) {
  return std::isnan(error.at_most) ? cell(error.step_error, 2) : "< " + format_short(error.at_most, 2);
}

// Words after a beginning, in lines that fit.
std::string wrap(const std::string& head, const std::vector<std::string>& words) {
  std::string lines = head;
  std::size_t width = display_width(head);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string word = (k > 0 ? " " : "") + words[k] + (k + 1 < words.size() ? "," : "");
    if (k > 0 && width + display_width(word) > table_width) {
      lines += "\n ";
      width = 1;
    }
    lines += word, width += display_width(word);
  }
  return lines + "\n";
}

/// The table of the observables: those that differ between members in rows, the others in a line, and what members have
/// no value of.
class ObservableTable {
 public:
  ObservableTable(const scenario::Scenario& scenario, const tell::Summary& summary)
      : scenario_(scenario), summary_(summary), ok_(summary.members - summary.stopped()) {
    for (std::size_t o = 0; o < summary.observables.size(); ++o) {
      const auto& [name, s] = summary.observables[o];
      if (s.count == 0 && ok_ > 0)
        without_.push_back(name);
      else if (s.count == ok_ && ok_ > 1 && s.min == s.max)
        constant_.push_back(name + " = " + format_short(s.min, 5));
      else
        shown_.push_back(o);
    }
    few_ = std::any_of(shown_.begin(), shown_.end(),
                       [&](std::size_t o) { return is_mean_of_few(summary.observables[o].second); });
  }

  void print() const {
    // as many digits as fit; then without the ends, which summary.json has
    std::vector<std::vector<std::string>> rows;
    for (const bool ends : {true, false})
      for (int digits = 5; digits >= 3 && (rows.empty() || width_of(rows) > table_width); --digits)
        rows = make_rows(digits, ends);
    if (!shown_.empty()) std::cout << align_columns(rows);
    if (!constant_.empty()) std::cout << wrap("the same for all members: ", constant_);
    for (const std::size_t o : shown_) {
      const auto& [name, s] = summary_.observables[o];
      if (s.count < ok_)
        std::cout << name << ": " << counted(s.count) << " of " << counted(ok_, "member") << " have a value; "
                  << (waits(o) ? "to" : "of") << " the others " << (waits(o) ? "the event never came" : "it is NaN")
                  << "\n";
    }
    if (!without_.empty()) std::cout << wrap("no member has a value (the event never came, or it is NaN): ", without_);
  }

  const std::vector<std::size_t>& shown() const { return shown_; }  // observables that have a row

 private:
  // Is its value missing because an event did not come? Standard quantities are missing for no other reason.
  bool waits(std::size_t o) const {
    using scenario::Reducer;
    if (o >= scenario_.observables.size()) return true;
    const Reducer reducer = scenario_.observables[o].reducer;
    return reducer == Reducer::first_time || reducer == Reducer::last_time || reducer == Reducer::period;
  }

  std::vector<std::vector<std::string>> make_rows(int digits, bool ends) const {
    const auto& checked = summary_.steps.observables;
    const bool sampled = scenario_.ensemble.sampler != scenario::Sampler::grid && scenario_.sweep.empty();
    const bool counts = std::any_of(shown_.begin(), shown_.end(),
                                    [&](std::size_t o) { return summary_.observables[o].second.count < ok_; });
    std::vector<std::vector<std::string>> rows(1);
    const auto add = [&](std::vector<std::string>& row, const statistics::Summary* s, std::size_t o) {
      const auto column = [&](bool wanted, const char* head, const auto& value) {
        if (wanted) row.push_back(s == nullptr ? head : value());
      };
      const auto level = [&](double q) { return [&, q] { return cell(quantile_of(*s, q), digits); }; };
      column(true, "observable", [&] { return summary_.observables[o].first; });
      column(true, "mean", [&] { return cell(s->mean, 5); });
      column(few_, "5 % trimmed", [&] { return cell(s->trimmed_mean, 5); });
      column(sampled, "± sampling", [&] { return cell(s->standard_error, 2); });
      column(!checked.empty(), "± step", [&] { return step_cell(checked[o]); });
      column(true, "deviation", [&] { return cell(s->standard_deviation, digits); });
      column(ends, "min", [&] { return cell(s->min, digits); });
      column(true, "5 %", level(0.05));
      column(true, "median", level(0.5));
      column(true, "95 %", level(0.95));
      column(ends, "max", [&] { return cell(s->max, digits); });
      column(counts, "count", [&] { return counted(s->count); });
    };
    add(rows.front(), nullptr, 0);
    for (const std::size_t o : shown_) add(rows.emplace_back(), &summary_.observables[o].second, o);
    return rows;
  }

  const scenario::Scenario& scenario_;
  const tell::Summary& summary_;
  std::int64_t ok_;                              // members
  std::vector<std::size_t> shown_;               // observables
  std::vector<std::string> constant_, without_;  // the others
  bool few_ = false;                             // some mean is that of a few members
};

void print_classes(const tell::Summary& summary) {
  if (summary.classes.empty()) return;
  const bool sampled = summary.classes.front().has_interval;
  const auto percent = [](double share) { return format_short(100 * share, 4) + " %"; };
  std::vector<std::vector<std::string>> rows = {{"class", "members", "share"}};
  if (sampled) rows.front().insert(rows.front().end(), {"95 % from", "to"});
  const auto& checked = summary.steps.classes;
  if (!checked.empty()) rows.front().emplace_back("± step");
  for (std::size_t k = 0; k < summary.classes.size(); ++k) {
    const auto& one = summary.classes[k];
    rows.push_back({one.name, counted(one.members), percent(one.share)});
    if (sampled) rows.back().insert(rows.back().end(), {percent(one.interval.lower), percent(one.interval.upper)});
    if (!checked.empty())
      rows.back().push_back(std::isnan(checked[k].at_most) ? format_short(100 * checked[k].step_error, 2) + " %"
                                                           : "< " + format_short(100 * checked[k].at_most, 2) + " %");
  }
  std::cout << "\n" << align_columns(rows);
}

// One line a point: what is swept, members that stopped, shares of classes, means of the user's observables and of
// those others that the table above has rows of. As many points and columns as a screen has; the columns that are left
// out are named.
void print_sweep(const scenario::Scenario& scenario, const tell::SweepSummary& sweep,
                 const std::vector<std::size_t>& of_table) {
  constexpr std::size_t most_points = 40, most_columns = 16;
  struct Column {
    std::string head;
    std::function<std::string(const tell::PointSummary&)> cell_of;
  };
  std::vector<Column> columns;
  for (std::size_t c = 0; c < scenario.classes.size(); ++c)
    columns.push_back({"share of " + scenario.classes[c].name,
                       [c](const auto& point) { return format_short(100 * point.classes[c].share, 4) + " %"; }});
  const tell::PointSummary first = sweep.point(0);
  const auto add_mean = [&](std::size_t o) {
    columns.push_back({"mean " + first.observables[o].first,
                       [o](const auto& point) { return cell(point.observables[o].second.mean, 5); }});
  };
  const std::size_t own = scenario.observables.size();
  for (std::size_t o = 0; o < own; ++o) add_mean(o);
  for (const std::size_t o : of_table)
    if (o >= own) add_mean(o);
  std::vector<std::string> left_out;
  for (std::size_t c = most_columns; c < columns.size(); ++c) left_out.push_back(columns[c].head);
  columns.resize(std::min(columns.size(), most_columns));

  const bool any_stopped = sweep.any_stopped();
  std::vector<std::vector<std::string>> rows(1);
  for (const auto& [name, values] : sweep.axes) rows[0].push_back(name);
  if (any_stopped) rows[0].emplace_back("stopped");
  for (const Column& column : columns) rows[0].push_back(column.head);
  const std::size_t shown = sweep.points() <= most_points ? sweep.points() : most_points - 1;
  for (std::size_t k = 0; k < shown; ++k) {
    const tell::PointSummary point = sweep.point(k);
    auto& row = rows.emplace_back();
    for (const double value : point.values) row.push_back(format_short(value, 5));
    if (any_stopped) row.push_back(counted(sweep.members - point.status.front().second));
    for (const Column& column : columns) row.push_back(column.cell_of(point));
  }
  std::cout << "\n" << align_columns(rows, sweep.axes.size());
  if (shown < sweep.points())
    std::cout << "… and " << counted(static_cast<std::int64_t>(sweep.points() - shown))
              << " more points, in summary.json\n";
  if (!left_out.empty()) std::cout << wrap("… and more columns, in summary.json: ", left_out);
}

RunTerminal::Words words_of(const scenario::Scenario& scenario, const runs::Request& request) {
  const std::int64_t members = scenario.ensemble.members;
  RunTerminal::Words words;
  words.members = [&scenario, &request, members](const runs::Run&) {
    return !scenario.sweep.empty() ? counted(sweep_points(scenario), "point") + " of " +
                                         counted(members_of_point(scenario), "member") + " each"
           : request.goals.empty()
               ? counted(members, "member")
               : "from " + counted(members) + " to at most " + counted(runs::most_members(request, scenario), "member");
  };
  words.goal = [](const runs::Growth& growth, std::size_t k) {
    const double share = growth.errors[k];
    const std::string name = growth.goals[k].name + (growth.goals[k].of_class ? " ±" : "");
    return name + " " + (share == share ? format_short(100 * share, 3) + " %" : "unknown") + " of " +
           format_short(100 * growth.goals[k].share, 3) + " %";
  };
  const auto& goals = request.goals;
  const auto of_classes =
      std::count_if(goals.begin(), goals.end(), [](const runs::Goal& goal) { return goal.of_class; });
  const bool all = of_classes == static_cast<std::ptrdiff_t>(goals.size());
  words.error = of_classes == 0 ? "relative standard error"
                : all           ? "half width of the interval"
                                : "relative standard error (half width)";
  words.asked = "the error asked for";
  return words;
}

int run(const RunOptions& options, team::Team* team) {
  const auto [source, scenario] = load(options.scenario, options.execution, options.talk, team);
  runs::Request request = to_request(options, scenario, team);
  request.step_check = !options.no_step_check;
  RunTerminal terminal(options, words_of(scenario, request));
  const runs::Ended ended = runs::run_ensemble(scenario, request, terminal);
  if (request.follows()) return fine;
  const int code = ended.is_fine() ? fine : some_stopped;
  const std::filesystem::path page = request.folder / keep::report_name;
  const auto not_drawn =
      options.report ? report::report_runs({request.folder}, page, false, spell_as_flag) : std::vector<std::string>();
  const auto tell_of_page = [&] {
    if (options.report) tell_report(page, not_drawn, !options.talk.talks());
  };
  if (print_finished(options, ended)) {
    tell_of_page();
    return code;
  }

  const tell::Summary& summary = ended.summary;
  if (options.talk.json) ended.write_json([](std::string_view piece) { std::cout << piece; });
  if (terminal.talks()) {
    std::cout << "\n";
    print_status(scenario, summary);
    std::cout << "\n";
    const ObservableTable table(scenario, summary);
    table.print();
    print_classes(summary);
    if (summary.sweep.points() > 0) print_sweep(scenario, summary.sweep, table.shown());
    const double seconds = summary.timing.solve_seconds;
    const double rate =
        static_cast<double>(summary.members) * static_cast<double>(scenario.steps) / std::max(seconds, 1e-9);
    std::cout << "\n"
              << format_duration(seconds) << " for the members, " << format_short(rate, 3)
              << " member·steps/s; results in " << request.folder.string() << "\n";
  }
  tell_of_page();
  for (const Sentence& warning : {Sentence(growth_warning(summary)), step_warning(summary.steps)})
    if (!warning.empty() && !options.talk.quiet) say("warning: " + warning);
  return code;
}

void declare(Flags& flags, RunOptions& options) {
  add_scenario(flags, options.scenario);
  add_execution(flags, options.execution);
  add_run_folder(flags, options);
  flags.add("--no-step-check", options.no_step_check,
            "do not repeat 256 members, spread over all, at half the step, which shows the error of the step");
  flags.add("--report", options.report, "make report.html in the folder at the end, as conesweep report does");
  add_growth(
      flags, options.growth,
      "go on in blocks until the standard error of a mean is below a share of it: reach:1%, or several by commas");
  add_keep(flags, options.scenario);
  add_watch(flags, options.growth);
}

}  // namespace

Command run_command() {
  return make_shared_command<RunOptions>(
      {"run", "step all members and write results.h5, summary.json and scenario.toml",
       "  conesweep run slider.toml\n  conesweep run slider.toml --members 1e5 --step 5e-4 --out runs/fine\n"
       "  conesweep run slider.toml --json --force | jq .observables.reach.mean"},
      declare, run);
}

}  // namespace conesweep::app
