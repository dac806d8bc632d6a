#pragma once

#include <gtest/gtest.h>

#include "oracle/exact_answers.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {

using test::parse_scenario;
using test::SeenMember;

inline constexpr double least_order = 0.9;

/// A scenario on [0, end] with N steps.
inline scenario::Scenario with_steps(const char* text, double end, long steps) {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text, overrides);
}

class ExactAnswers : public test::OnExecutor {
 protected:
  SeenMember see(const scenario::Scenario& scenario, const std::vector<double>& parameters) const {
    return test::see_members(scenario, backend(), {parameters})[0];
  }

  /// Orders of convergence over jittered data: `data(j)` gives all parameters of the j-th member, `errors(member, data,
  /// N)` its errors with N steps.
  template <class Data, class Errors>
  auto observe_order(const std::string& title, const std::vector<std::string>& quantities, const char* text, double end,
                     const std::vector<long>& ladder, int jitters, const Data& data, const Errors& errors) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < jitters; ++j) rows.push_back(data(j));
    return oracle::observe_order(title + " on " + backend(), quantities, end, ladder, [&](long steps) {
      const auto members = test::see_members(with_steps(text, end, steps), backend(), rows);
      std::vector<std::vector<double>> all;
      for (std::size_t j = 0; j < rows.size(); ++j) all.push_back(errors(members[j], rows[j], steps));
      return all;
    });
  }
};

using Row = std::vector<double>;

inline void expect_first_order(const std::vector<oracle::ObservedOrder>& orders) {
  for (const auto& o : orders) EXPECT_GE(o.order, least_order) << o.quantity;
}

}  // namespace conesweep
