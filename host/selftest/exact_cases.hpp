#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "executor/executor.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::selftest {

/// A number that is known by another way than by stepping.
struct Expectation {
  std::string quantity;  // an observable, or "stop_time"
  double value = 0;
  double tolerance = 0;  // |got - value| <= tolerance; 0: to the last bit
};

/// The data of one case: all parameters, step and end.
class Given {
 public:
  Given(const scenario::Scenario& scenario, std::vector<double> parameters)
      : scenario_(&scenario), parameters_(std::move(parameters)) {}
  double operator()(const std::string& parameter) const;
  double h() const { return scenario_->h(); }
  double end() const { return scenario_->end; }

 private:
  const scenario::Scenario* scenario_;
  std::vector<double> parameters_;
};

/// A member of a sample whose answer has a closed form.
struct ExactCase {
  std::string name;                                        // E1 …, as in docs/theory.md; (P10) …: an equation there
  std::string what;                                        // one line
  std::string sample;                                      // whose model
  std::vector<std::pair<std::string, double>> parameters;  // all that vary in the sample
  std::function<std::vector<Expectation>(const Given&)> expect;
  executor::Status status = executor::Status::ok;
};

/// The battery.
std::vector<ExactCase> exact_cases();

/// The cases of one sample as a chunk of members.
executor::Chunk make_chunk(const scenario::Scenario& scenario, const std::vector<const ExactCase*>& cases);

/// What is wrong with member m of that chunk's outcome: one sentence for each expectation that is not met.
std::vector<std::string> find_wrong(const scenario::Scenario& scenario, const ExactCase& exact,
                                    const executor::Chunk& chunk, const executor::Outcome& outcome, std::size_t m);

}  // namespace conesweep::selftest
