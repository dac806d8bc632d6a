#include "report/run_view.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "keep/run_folder.hpp"
#include "scenario/reading/reader.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"
#include "tell/finished.hpp"

namespace conesweep::report {
namespace {

namespace fs = std::filesystem;

scenario::Scenario read_resolved(const fs::path& folder) {
  scenario::Faults problems;
  auto scenario = scenario::read_scenario(scenario::load_source(folder / keep::scenario_name), {}, problems);
  if (!scenario)
    throw InputError((folder / keep::scenario_name).string() + " cannot be read by this version:\n" +
                     (problems.empty() ? std::string() : problems.front().to_text()));
  return std::move(*scenario);
}

// Some of 0 … all - 1 at equal distances, the first and the last with them.
std::vector<std::size_t> spread(std::size_t all, std::size_t most) {
  std::vector<std::size_t> some;
  const std::size_t count = std::min(all, most);
  for (std::size_t k = 0; k < count; ++k) some.push_back(count < 2 ? 0 : k * (all - 1) / (count - 1));
  return some;
}

}  // namespace

RunView::RunView(const fs::path& path)
    : label(visible((path / ".").lexically_normal().parent_path().filename().string())),
      folder(path),
      summary(tell::read_finished(path)),
      scenario(read_resolved(path)),
      results_(std::make_unique<io::ResultsReader>(path / keep::results_name)) {
  if (label.empty()) label = visible(path.string());
  demand_one_run(path, summary, *results_);
  recorded_ = results_->recorded(most_recorded);
  demand_scenario();
  if (!results_->has_members()) return;
  std::vector<executor::Status> all = results_->status();
  const auto group = static_cast<std::size_t>(std::max<std::int64_t>(1, summary.design.members_a_group));
  const std::int64_t independent = group == 1 || summary.design.method.empty()
                                       ? static_cast<std::int64_t>(all.size())
                                       : static_cast<std::int64_t>(2 * (all.size() / group));
  stride_ = std::max<std::int64_t>(1, (independent + most_drawn - 1) / most_drawn);
  for (std::size_t m = 0; m < all.size(); ++m)
    if (is_independent(m)) status_.push_back(all[m]);
}

// What is drawn is found by the scenario's names, and by the numbers of its members, axes and classes.
void RunView::demand_scenario() const {
  const auto& axes = summary.sweep.axes;
  bool fits = axes.size() == scenario.sweep.size() &&
              (!has_members() || results_->parameters() == tell::varied_names(scenario));
  for (std::size_t k = 0; k < axes.size() && fits; ++k)
    fits = axes[k] == std::pair(scenario.names.parameters[static_cast<std::size_t>(scenario.sweep[k].parameter)],
                                scenario.sweep[k].values);
  for (std::size_t k = 0; k < summary.sweep.points() && fits && !scenario.classes.empty(); ++k) {
    const tell::PointSummary point = summary.sweep.point(k);
    for (std::size_t c = 0; c < scenario.classes.size() && fits; ++c)
      fits = c < point.classes.size() && point.classes[c].name == scenario.classes[c].name;
  }
  if (is_design()) fits = fits && summary.parameters == tell::varied_names(scenario);
  if (recorded_.members > 0) {
    fits = fits && recorded_.names == state_names(scenario) &&
           static_cast<std::int64_t>(recorded_.members) <= summary.members &&
           (summary.tracks.empty() || summary.times.size() == recorded_.time.size());
  }
  if (!fits)
    throw InputError((folder / keep::scenario_name).string() +
                     " is of another run than the other files there; run again with " + setting::force);
}

bool RunView::is_independent(std::size_t member) const {
  // of a base of a design the first two members are; strides go over bases
  const auto group = static_cast<std::size_t>(summary.design.method.empty() ? 1 : summary.design.members_a_group);
  const auto stride = static_cast<std::size_t>(stride_);
  return group == 1 ? member % stride == 0 : member % group < 2 && (member / group) % stride == 0;
}

bool RunView::is_parameter(const std::string& name) const {
  const auto& names = results_->parameters();
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<double>& RunView::column(const std::string& name) const {
  if (const auto found = columns_.find(name); found != columns_.end()) return found->second;
  tell::demand_members(folder, *results_);
  const bool parameter = is_parameter(name);
  const auto& observables = results_->observables();
  if (!parameter && std::find(observables.begin(), observables.end(), name) == observables.end()) {
    std::vector<std::string> known = results_->parameters();
    known.insert(known.end(), observables.begin(), observables.end());
    throw InputError("'" + name + "' is neither a varied parameter nor an observable of " + folder.string() +
                     suggest(name, known));
  }
  const std::vector<double> all = parameter ? results_->parameter(name) : results_->observable(name);
  std::vector<double> drawn;
  drawn.reserve(status_.size());
  for (std::size_t m = 0; m < all.size(); ++m)
    if (is_independent(m)) drawn.push_back(all[m]);
  if (!parameter)
    for (std::size_t m = 0; m < drawn.size(); ++m)
      if (status_[m] != executor::Status::ok) drawn[m] = std::numeric_limits<double>::quiet_NaN();
  return columns_.emplace(name, std::move(drawn)).first->second;
}

io::ResultsReader::Classes RunView::classes() const {
  tell::demand_members(folder, *results_);
  io::ResultsReader::Classes found = results_->classes();
  std::size_t drawn = 0;
  for (std::size_t m = 0; m < found.codes.size(); ++m)
    if (is_independent(m)) found.codes[drawn++] = found.codes[m];
  found.codes.resize(drawn);
  return found;
}

bool RunView::is_sample() const {
  return scenario.ensemble.sampler != scenario::Sampler::grid && scenario.sweep.empty() &&
         summary.design.method != "morris";
}

std::vector<std::size_t> RunView::members_drawn(std::size_t most) const { return spread(recorded_.members, most); }
std::vector<std::size_t> RunView::times_drawn() const { return spread(recorded_.time.size(), 240); }

const std::vector<double>& RunView::recorded(const std::string& name) const {
  const auto found = std::find(recorded_.names.begin(), recorded_.names.end(), name);
  if (found == recorded_.names.end())
    throw InputError("'" + name + "' was not recorded in " + folder.string() + suggest(name, recorded_.names));
  return recorded_.columns[static_cast<std::size_t>(found - recorded_.names.begin())];
}

const statistics::Summary* RunView::statistics_of(const std::string& observable) const {
  for (const auto& [name, statistics] : summary.observables)
    if (name == observable) return &statistics;
  return nullptr;
}

const tell::StepError* RunView::step_error_of(const std::string& observable) const {
  for (const tell::StepError& error : summary.steps.observables)
    if (error.name == observable) return &error;
  return nullptr;
}

std::string RunView::stride_note() const {
  if (stride_ == 1) return {};
  return "Every " + counted(stride_) + "th member is drawn, " + counted(static_cast<std::int64_t>(drawn())) +
         " in all; statistics are those of all members.";
}

}  // namespace conesweep::report
