#include "keep/classes.hpp"

#include <algorithm>
#include <map>

#include "expression/evaluate.hpp"
#include "scenario/limits.hpp"
#include "support/error.hpp"

namespace conesweep::keep {
namespace {

using executor::Status;
using scenario::OutcomeClass;

constexpr std::uint8_t none = 255;
static_assert(scenario::most_classes + executor::status_count <= none);

// What the names of a condition mean: the observables of one member, then its parameters.
struct EndedMember {
  const std::map<std::size_t, std::vector<double>>& observables;  // those that are used
  const std::vector<double>& parameters;
  std::size_t first_parameter;
  std::size_t member;

  double symbol(expression::Symbol s) const {
    const auto i = static_cast<std::size_t>(s.index);
    return i < first_parameter ? observables.at(i)[member] : parameters[i - first_parameter];
  }
  double history(const expression::Node&) const {
    throw InternalError("a member that has ended has no history", __FILE__, __LINE__);
  }
};

// One condition, with the columns that it uses and no others.
class Condition {
 public:
  Condition(const scenario::Scenario& scenario, const OutcomeClass& one, const MemberColumns& columns)
      : scenario_(scenario), tree_(one.condition.tree), first_parameter_(observable_names(scenario).size()) {
    bool uses_parameters = false;
    expression::for_each_node(tree_, [&](const expression::Expr& node) {
      if (node->op != expression::Op::symbol) return;
      const auto i = static_cast<std::size_t>(node->symbol.index);
      if (i >= first_parameter_)
        uses_parameters = true;
      else if (!observables_.contains(i))
        observables_.emplace(i, columns.observable(i));
    });
    for (std::size_t v = 0; uses_parameters && v < varying_parameters(scenario).size(); ++v)
      varied_.push_back(columns.parameter(v));
    if (uses_parameters && varied_.empty()) parameters_ = member_parameters(scenario, {});
  }

  bool holds_for(std::size_t member) {
    if (!varied_.empty()) {
      std::vector<double> values;
      for (const auto& column : varied_) values.push_back(column[member]);
      parameters_ = member_parameters(scenario_, values);
    }
    return expression::holds<double>(tree_, EndedMember{observables_, parameters_, first_parameter_, member});
  }

 private:
  const scenario::Scenario& scenario_;
  expression::Expr tree_;
  std::size_t first_parameter_;
  std::map<std::size_t, std::vector<double>> observables_;
  std::vector<std::vector<double>> varied_;  // all of them, where the condition uses parameters
  std::vector<double> parameters_;
};

}  // namespace

MemberColumns columns_of(const io::RunData& run) {
  return {[&run](std::size_t o) { return run.observable(o); }, [&run](std::size_t v) { return run.parameter(v); },
          run.status()};
}

std::vector<std::uint8_t> classify(const scenario::Scenario& scenario, const MemberColumns& columns) {
  CS_ASSERT(!scenario.classes.empty() && !scenario.classes.back().condition.tree);
  const std::size_t classes = scenario.classes.size();
  std::vector<std::uint8_t> codes(columns.status.size(), none);
  for (std::size_t m = 0; m < codes.size(); ++m)
    if (columns.status[m] != Status::ok)
      codes[m] = static_cast<std::uint8_t>(classes - 1 + static_cast<std::size_t>(columns.status[m]));
  for (std::size_t k = 0; k + 1 < classes; ++k) {
    Condition condition(scenario, scenario.classes[k], columns);
    for (std::size_t m = 0; m < codes.size(); ++m)
      if (codes[m] == none && condition.holds_for(m)) codes[m] = static_cast<std::uint8_t>(k);
  }
  std::replace(codes.begin(), codes.end(), none, static_cast<std::uint8_t>(classes - 1));
  return codes;
}

std::vector<ClassCount> count_classes(const scenario::Scenario& scenario, const std::vector<std::uint8_t>& codes,
                                      const ShareErrors& errors) {
  const auto names = class_names(scenario);
  std::vector<std::int64_t> members(names.size());
  for (const std::uint8_t code : codes) ++members[code];
  const auto all = static_cast<double>(codes.size());
  std::vector<ClassCount> counts;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k >= scenario.classes.size() && members[k] == 0) continue;
    counts.push_back({names[k], members[k], static_cast<double>(members[k]) / all, errors.sampled, {}});
    if (errors.sampled) counts.back().interval = share_interval(codes, k, errors.error);
  }
  return counts;
}

std::vector<ClassCount> count_classes(const scenario::Scenario& scenario, const std::vector<std::int64_t>& members,
                                      bool sampled, const std::function<double(std::size_t)>& error) {
  const auto names = class_names(scenario);
  std::int64_t all = 0;
  for (const std::int64_t count : members) all += count;
  std::vector<ClassCount> counts;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k >= scenario.classes.size() && members[k] == 0) continue;
    counts.push_back({names[k], members[k], static_cast<double>(members[k]) / static_cast<double>(all), sampled, {}});
    if (sampled)
      counts.back().interval =
          error ? statistics::wilson_interval(members[k], all, error(k)) : statistics::wilson_interval(members[k], all);
  }
  return counts;
}

std::vector<double> mark_class(const std::vector<std::uint8_t>& codes, std::size_t code) {
  std::vector<double> marks;
  marks.reserve(codes.size());
  for (const std::uint8_t one : codes) marks.push_back(one == code ? 1 : 0);
  return marks;
}

statistics::ShareInterval share_interval(const std::vector<std::uint8_t>& codes, std::size_t code,
                                         const statistics::MeanError& error) {
  const auto hits = std::count(codes.begin(), codes.end(), static_cast<std::uint8_t>(code)),
             members = static_cast<std::ptrdiff_t>(codes.size());
  if (!error || hits == 0 || hits == members) return statistics::wilson_interval(hits, members);
  const std::vector<Status> ok(codes.size(), Status::ok);  // those that stopped are of a class, too
  return statistics::wilson_interval(hits, members, error(mark_class(codes, code), ok));
}

}  // namespace conesweep::keep
