#include "run/correlated_run.hpp"

#include "io/files.hpp"
#include "run/ownership.hpp"
#include "run/summary_file.hpp"
#include "support/error.hpp"

namespace conesweep::runs {
namespace {

// results.h5 without summary.json may be half of something.
Summary read_finished(const std::filesystem::path& folder) {
  if (!io::is_there(folder / summary_name)) throw InputError(folder.string() + " holds no finished run: " + summary_name + " is not there");
  return read_summary(folder / summary_name);
}

}  // namespace

CorrelatedRun::CorrelatedRun(const std::filesystem::path& folder) : summary_(read_finished(folder)), results_(folder / results_name) {
  if (summary_.run.identity != results_.identity())
    throw InputError(std::string(results_name) + " in " + folder.string() + " is of another run than " + summary_name + "; run again with --force");
  if (parameters().empty()) throw InputError("nothing varies in " + folder.string() + ", so there is nothing to be sensitive to");
  if (summary_.design.method == "morris")
    throw InputError(folder.string() + " holds a screening design, whose members are no sample; take the folder of a run");
  status_ = select(results_.status());
  for (const auto& name : parameters()) columns_.push_back(select(results_.parameter(name)));
}

template <class T>
std::vector<T> CorrelatedRun::select(std::vector<T> column) const {
  const auto group = static_cast<std::size_t>(summary_.design.members_a_group);  // its first two members are independent
  std::size_t kept = 0;
  for (std::size_t m = 0; m < column.size(); ++m)
    if (m % group < 2) column[kept++] = column[m];
  column.resize(kept);
  return column;
}

CorrelatedRun::Correlated CorrelatedRun::correlate(const std::string& observable) const {
  const auto values = select(results_.observable(observable));
  Correlated found;
  found.correlations = sensitivity::correlate(parameters(), columns_, values, status_);
  double first = sensitivity::nan;
  for (std::size_t m = 0; m < values.size() && !found.varies; ++m) {
    if (status_[m] != executor::Status::ok || values[m] != values[m]) continue;
    found.varies = found.has_values && values[m] != first;
    found.has_values = true;
    first = values[m];
  }
  return found;
}

}  // namespace conesweep::runs
