#include "api/check.hpp"
#include "api/scenario_parts.hpp"
#include "sampling/sampler.hpp"
#include "scenario/writer.hpp"

namespace conesweep {
namespace {

using scenario::Examined;
using scenario::Overrides;
using scenario::Source;

// A fault's message may end with the names that are meant, or allowed.
Problem to_problem(const scenario::Fault& fault) {
  Problem problem{fault.severity == scenario::Severity::error ? Problem::Severity::error : Problem::Severity::warning,
                  fault.where.text(),
                  fault.place.line,
                  fault.place.column,
                  fault.length,
                  fault.excerpt,
                  fault.message,
                  {}};
  for (const std::string begin : {"; did you mean ", "; known: ", "; known here: "})
    if (const std::size_t at = problem.text.find(begin); at != std::string::npos) {
      problem.hint = problem.text.substr(at + 2);
      problem.text.erase(at);
    }
  return problem;
}

Problem to_problem(const scenario::Note& note, const Source& source) {
  return {Problem::Severity::note,
          source.name,
          note.place.line,
          note.place.column,
          1,
          std::string(source.line(note.place.line)),
          note.message,
          {}};
}

std::vector<Problem> to_notes(const scenario::Scenario& scenario, const Source& source) {
  std::vector<Problem> notes;
  for (const auto& note : api::find_notes(scenario, source)) notes.push_back(to_problem(note, source));
  return notes;
}

}  // namespace

std::string Problem::words() const {
  const bool is_note = severity == Severity::note;
  std::string words =
      scenario::Fault{severity == Severity::error ? scenario::Severity::error : scenario::Severity::warning,
                      file,
                      {line, column},
                      length,
                      is_note ? std::string() : excerpt,
                      text + (hint.empty() ? "" : "; " + hint)}
          .to_text();
  // faults know no notes: they come as warnings, without the line
  if (is_note) words.replace(words.find("warning: "), 7, "note");
  return words;
}

std::vector<Problem> api::to_problems(const Examined& examined) {
  std::vector<Problem> problems;
  for (const auto& fault : examined.problems) problems.push_back(to_problem(fault));
  if (!examined.scenario) return problems;
  const auto notes = to_notes(*examined.scenario, examined.source);
  problems.insert(problems.end(), notes.begin(), notes.end());
  return problems;
}

Scenario api::Access::examine(Source source, const Changes& changes, Overrides overrides) {
  apply(changes, source.text, overrides);
  ScenarioParts parts{scenario::examine(std::move(source), overrides), overrides, {}};
  for (const auto& fault : parts.problems) parts.warnings.push_back(to_problem(fault));
  if (parts.is_valid()) return Scenario(std::make_shared<const ScenarioParts>(std::move(parts)));
  std::string text;
  for (const auto& fault : parts.problems) text += fault.to_text() + "\n";
  throw ScenarioError(text, std::move(parts.warnings));
}

Scenario Scenario::read(const std::string& file, const Changes& changes) {
  return api::tell_plainly([&] { return api::Access::examine(scenario::load_source(file), changes); });
}

Scenario Scenario::parse(const std::string& text, const std::string& name, const Changes& changes) {
  return api::tell_plainly([&] { return api::Access::examine({name, text}, changes); });
}

Scenario Scenario::build(const Changes& keys, const std::string& name) { return parse({}, name, keys); }

Scenario Scenario::with(const Changes& changes) const {
  if (changes.empty()) return *this;
  return api::tell_plainly([&] { return api::Access::examine(parts_->source, changes, parts_->overrides); });
}

const std::string& Scenario::name() const { return parts_->source.name; }
const std::string& Scenario::text() const { return parts_->source.text; }
std::string Scenario::resolved() const { return write_scenario(*parts_->scenario); }
const std::vector<Problem>& Scenario::warnings() const { return parts_->warnings; }

std::vector<Problem> Scenario::notes() const { return to_notes(*parts_->scenario, parts_->source); }

const std::string& Scenario::title() const { return parts_->scenario->title; }
std::vector<std::string> Scenario::coordinates() const { return parts_->scenario->names.coordinates; }

std::map<std::string, double> Scenario::parameters() const {
  const scenario::Scenario& scenario = *parts_->scenario;
  std::map<std::string, double> values;
  for (std::size_t k = 0; k < scenario.names.parameters.size(); ++k)
    values[scenario.names.parameters[k]] = scenario.defaults[k];
  return values;
}

std::vector<std::string> Scenario::varied() const {
  std::vector<std::string> names;
  for (const int parameter : varying_parameters(*parts_->scenario))
    names.push_back(parts_->scenario->names.parameters[static_cast<std::size_t>(parameter)]);
  return names;
}

std::vector<std::string> Scenario::observables() const { return observable_names(*parts_->scenario); }

std::vector<std::string> Scenario::classes() const {
  return parts_->scenario->classes.empty() ? std::vector<std::string>() : class_names(*parts_->scenario);
}

std::int64_t Scenario::members() const { return parts_->scenario->ensemble.members; }
std::uint64_t Scenario::seed() const { return parts_->scenario->ensemble.seed; }
double Scenario::step() const { return parts_->scenario->h(); }
double Scenario::end() const { return parts_->scenario->end; }
std::int64_t Scenario::steps() const { return parts_->scenario->steps; }
std::int64_t Scenario::recorded_members() const { return parts_->scenario->record.members; }
std::int64_t Scenario::recorded_every() const { return parts_->scenario->record.every; }

std::vector<double> Scenario::draw(std::int64_t first, std::int64_t count) const {
  if (first < 0 || count < 0 || first > members() - count)
    throw ScenarioError("members " + std::to_string(first) + " and " + std::to_string(count - 1) +
                        " more are not all there; they are numbered from 0 to " + std::to_string(members() - 1));
  std::vector<double> columns;
  for (const auto& column : sampling::draw(*parts_->scenario, first, count))
    columns.insert(columns.end(), column.begin(), column.end());
  return columns;
}

}  // namespace conesweep
