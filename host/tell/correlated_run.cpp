#include "tell/correlated_run.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "keep/run_folder.hpp"
#include "support/error.hpp"
#include "tell/finished.hpp"

namespace conesweep::tell {

CorrelatedRun::CorrelatedRun(const std::filesystem::path& folder)
    : summary_(read_finished(folder, Points::skip)), results_(folder / keep::results_name) {
  demand_one_run(folder, summary_, results_);
  demand_members(folder, results_);
  if (parameters().empty())
    throw InputError("nothing varies in " + folder.string() + ", so there is nothing to be sensitive to");
  if (summary_.design.method == "morris")
    throw InputError(folder.string() +
                     " holds a screening design, whose members are no sample; take the folder of a run");
  if (!summary_.sweep.axes.empty())
    throw InputError(folder.string() + " holds a sweep, whose points share their draws; run one point with " +
                     setting::set + ", or let the parameter vary");
  status_ = select(results_.status());
  for (const auto& name : parameters()) columns_.push_back(select(results_.parameter(name)));
  classes_ = results_.classes();
  classes_.codes = select(std::move(classes_.codes));
  rows_ = results_.observables();
  // classes come before statuses among the names
  for (std::size_t code = 0; code < classes_.names.size() && !scenario::statuses.find(classes_.names[code]); ++code)
    rows_.push_back(scenario::class_row(classes_.names[code]));
  if (stopped() > 0) rows_.emplace_back(stopped_row);
}

template <class T>
std::vector<T> CorrelatedRun::select(std::vector<T> column) const {
  // its first two members are independent
  const auto group = static_cast<std::size_t>(summary_.design.members_a_group);
  std::size_t kept = 0;
  for (std::size_t m = 0; m < column.size(); ++m)
    if (m % group < 2) column[kept++] = column[m];
  column.resize(kept);
  return column;
}

std::int64_t CorrelatedRun::stopped() const {
  return members() - std::count(status_.begin(), status_.end(), executor::Status::ok);
}

std::vector<StoppedReach> CorrelatedRun::stopped_where() const {
  return locate_stopped(parameters(), status_, [&](std::size_t v) { return columns_[v]; });
}

CorrelatedRun::Correlated CorrelatedRun::correlate(std::size_t row) const {
  const std::size_t observables = results_.observables().size();
  const bool observed = row < observables;
  const auto values = observed                    ? select(results_.observable(rows_[row]))
                      : rows_[row] == stopped_row ? mark_stopped(status_)
                                                  : keep::mark_class(classes_.codes, row - observables);
  // of a class, or stopped: all members have a value
  const auto status = observed ? status_ : std::vector(status_.size(), executor::Status::ok);
  Correlated found;
  found.correlations = sensitivity::correlate(parameters(), columns_, values, status);
  double first = nan;
  for (std::size_t m = 0; m < values.size() && !found.varies; ++m) {
    if (status[m] != executor::Status::ok || values[m] != values[m]) continue;
    found.varies = found.has_values && values[m] != first;
    found.has_values = true;
    first = values[m];
  }
  return found;
}

std::string to_json(const std::vector<std::pair<std::string, sensitivity::Correlations>>& found,
                    const std::vector<std::string>& parameters) {
  const auto interval = [](const sensitivity::Index& index) {
    return nlohmann::ordered_json{index.lower, index.upper};
  };
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, correlations] : found)
    for (std::size_t i = 0; i < parameters.size(); ++i)
      json[name][parameters[i]] = {
          {"spearman", correlations.spearman[i].value}, {"spearman_interval", interval(correlations.spearman[i])},
          {"prcc", correlations.partial_rank[i].value}, {"prcc_interval", interval(correlations.partial_rank[i])},
          {"src", correlations.regression[i].value},    {"src_interval", interval(correlations.regression[i])}};
  return io::format_json(json);
}

}  // namespace conesweep::tell
