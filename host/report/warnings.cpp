#include "report/warnings.hpp"

#include <algorithm>
#include <cmath>

#include "expression/states.hpp"
#include "expression/still_world.hpp"
#include "keep/study_file.hpp"
#include "support/text.hpp"
#include "tell/step_check.hpp"

namespace conesweep::report {
namespace {

/// ½ v·M v at a place, of one member.
class KineticEnergy {
 public:
  explicit KineticEnergy(const scenario::Scenario& scenario) : s_(scenario) {}

  double operator()(const std::vector<double>& parameters, const std::vector<double>& q,
                    const std::vector<double>& v) const {
    const std::size_t d = q.size();
    const expression::StillWorld<double> world{parameters, q};
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) {
      if (s_.mass.size() <= d) {
        sum += (s_.mass.empty() ? 1.0 : expression::evaluate<double>(s_.mass[i].tree, world)) * v[i] * v[i];
        continue;
      }
      for (std::size_t j = 0; j < d; ++j)
        sum += expression::evaluate<double>(s_.mass[i * d + j].tree, world) * v[i] * v[j];
    }
    return sum / 2;
  }

 private:
  const scenario::Scenario& s_;
};

std::vector<double> parameters_of(const RunView& run, std::size_t member) {
  std::vector<double> varied;
  for (const auto& name : run.parameters()) varied.push_back(run.column(name)[member]);
  return member_parameters(run.scenario, varied);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  if (names.size() <= most) return join_words(names);
  std::vector<std::string> first(names.begin(), names.begin() + most);
  return join_words(first, ",") + " and " + counted(static_cast<std::int64_t>(names.size() - most)) + " more";
}

}  // namespace

std::string warn_of_stopped(const RunView& run) {
  if (run.summary.stopped() == 0) return {};
  std::string text = counted(run.summary.stopped(), "member") + " of " + counted(run.summary.members) +
                     " stopped before the end and " + (run.summary.stopped() == 1 ? "is" : "are") +
                     " left out of all statistics:";
  for (const auto& one : run.summary.status)
    if (one.status != executor::Status::ok)
      text += " " + counted(one.members) + " × " + std::string(to_name(one.status)) + " (" +
              std::string(scenario::statuses[one.status].advice) + ").";
  return text;
}

Sentence warn_of_step(const RunView& run) {
  const auto& checked = run.summary.steps.observables;
  if (checked.empty()) return "The error of the step is unknown: the step was not checked.";
  std::vector<std::string> larger, lost;
  for (const tell::StepError& error : checked) {
    const statistics::Summary* s = run.statistics_of(error.name);
    // a quantity that goes to zero with the step measures the step; rounding is no step error
    const double scale = s == nullptr ? 0 : std::max(std::fabs(s->mean), s->standard_deviation);
    if (s != nullptr && !std::isnan(s->standard_error) && error.step_error > s->standard_error &&
        error.step_error > 1e-9 * scale)
      larger.push_back(error.name);
    // a grid has no sampling error to compare with: then the step's error is large if nothing is left of the value
    if (s != nullptr && std::isnan(s->standard_error) && error.step_error > scale && error.step_error > 1e-9)
      lost.push_back(error.name);
  }
  std::string text;
  if (!larger.empty())
    text = "The error of the step is larger than that of sampling for " + listed(larger) +
           ": more members would not make " + (larger.size() == 1 ? "this mean" : "these means") +
           " better, a smaller step would.";
  if (!lost.empty())
    text += (text.empty() ? "" : " ") + ("The error of the step is larger than mean and spread of " + listed(lost) +
                                         ": the step is too large to tell them.");
  const Sentence advice = step_warning(run.summary.steps);
  return advice.empty() ? text : text + (text.empty() ? "" : " ") + ("Advice of the run: " + advice);
}

std::string warn_of_flags(const RunView& run) {
  std::string text;
  for (std::size_t k = 0; k < run.summary.flags.size(); ++k)
    if (run.summary.flags[k].members > 0)
      text += (text.empty() ? "" : " ") + counted(run.summary.flags[k].members, "member") + " flagged " +
              std::string(scenario::flags[k].name) + ": " + std::string(scenario::flags[k].meaning) + ".";
  return text;
}

std::string warn_of_studies(const RunView& run) {
  std::string text;
  for (const char* name : {keep::converge_name, keep::mlmc_name})
    if (const std::string why = keep::find_study(run.folder, name, run.scenario).refused; !why.empty())
      text += (text.empty() ? "" : " ") + why;
  return text;
}

namespace {

// Its square, where members are not kept: an energy for a unit mass, by its size.
double largest_final_speed(const RunView& run) {
  double sum = 0;
  for (const auto& coordinate : run.scenario.names.coordinates)
    if (const statistics::Summary* v = run.statistics_of(scenario::final_name(expression::velocity_of(coordinate))))
      sum += std::pow(std::max(std::fabs(v->min), std::fabs(v->max)), 2);
  return sum / 2;
}

}  // namespace

double largest_kinetic_energy(const RunView& run) {
  if (!run.has_members()) return largest_final_speed(run);
  const KineticEnergy kinetic(run.scenario);
  const auto& coordinates = run.scenario.names.coordinates;
  const std::size_t d = coordinates.size();
  double largest = 0;
  std::vector<double> q(d), v(d);
  for (std::size_t m = 0; m < run.drawn(); ++m) {
    for (std::size_t i = 0; i < d; ++i)
      q[i] = run.column(scenario::final_name(coordinates[i]))[m],
      v[i] = run.column(scenario::final_name(expression::velocity_of(coordinates[i])))[m];
    const double energy = kinetic(parameters_of(run, m), q, v);
    if (energy > largest) largest = energy;
  }
  // recorded members are the first ones; where members are left out of what is drawn their parameters are not at hand
  const auto& recorded = run.recorded();
  if (run.stride() > 1 || !run.summary.design.method.empty()) return largest;
  for (std::size_t m = 0; m < recorded.members; ++m) {
    const std::vector<double> parameters = parameters_of(run, m);
    for (std::size_t k = 0; k < recorded.time.size(); ++k) {
      const std::size_t at = m * recorded.time.size() + k;
      for (std::size_t i = 0; i < d; ++i) q[i] = recorded.columns[i][at], v[i] = recorded.columns[d + i][at];
      const double energy = kinetic(parameters, q, v);
      if (energy > largest) largest = energy;
    }
  }
  return largest;
}

std::string warn_of_gain(const RunView& run) {
  const statistics::Summary* gained = run.statistics_of("gained");
  if (gained == nullptr || !(gained->max > 0)) return {};
  const double largest = largest_kinetic_energy(run);
  if (gained->max <= 1e-9 * largest) return {};
  return "The impact law created energy, up to " + format_short(gained->max, 3) +
         " in a member (largest kinetic energy seen: " + format_short(largest, 3) +
         "); restitution_law = \"moreau\" never does.";
}

}  // namespace conesweep::report
