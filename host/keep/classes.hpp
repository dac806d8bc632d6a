#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/run_data.hpp"
#include "statistics/mean_error.hpp"
#include "statistics/share.hpp"

/// (S9) Classes of members: a function of their stored observables and parameters, computed after they ran.
namespace conesweep::keep {

/// Columns of members, one at a time.
struct MemberColumns {
  std::function<std::vector<double>(std::size_t)> observable;
  std::function<std::vector<double>(std::size_t)> parameter;  // of a variation
  std::vector<executor::Status> status;
};
MemberColumns columns_of(const io::RunData& run);

/// The class of each member as a code, whose name class_names tells: the first class whose condition holds; of a member
/// that stopped, its status.
std::vector<std::uint8_t> classify(const scenario::Scenario& scenario, const MemberColumns& columns);

/// How many members are of a class.
struct ClassCount {
  std::string name;
  std::int64_t members = 0;
  double share = 0;                             // of all
  bool has_interval = false;                    // not on a grid, whose members are no sample
  statistics::ShareInterval interval = {0, 1};  // 95 %
};

/// What the members are that shares are of: a sample of the ensemble, or not; with the errors of means over them.
struct ShareErrors {
  bool sampled = true;
  statistics::MeanError error = {};  // empty: members are independent
};

/// All classes in file order, then the statuses that occur. `codes` of the members that count.
std::vector<ClassCount> count_classes(const scenario::Scenario& scenario, const std::vector<std::uint8_t>& codes,
                                      const ShareErrors& errors);

/// The same of counts: `members` of each code, and errors of their shares (empty: members are independent).
std::vector<ClassCount> count_classes(const scenario::Scenario& scenario, const std::vector<std::int64_t>& members,
                                      bool sampled, const std::function<double(std::size_t code)>& error);

/// 1 for the members of one class, 0 for the others.
std::vector<double> mark_class(const std::vector<std::uint8_t>& codes, std::size_t code);

/// The 95 % interval of the share of one class: Wilson's, with the standard error that such members have.
statistics::ShareInterval share_interval(const std::vector<std::uint8_t>& codes, std::size_t code,
                                         const statistics::MeanError& error);

}  // namespace conesweep::keep
