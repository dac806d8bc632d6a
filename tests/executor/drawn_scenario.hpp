#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "executor/agreement.hpp"
#include "executor/random_scenario.hpp"

namespace conesweep::test {

/// What a scenario gives to compare, by the reference executor.
struct Content {
  int members = 0;
  int ok = 0;        // members that reach the end
  int touching = 0;  // of those: in contact at some time
  int sticking = 0, sliding = 0, bouncing = 0;
  std::set<executor::Status> statuses;

  std::string text() const {
    std::string names;
    for (const executor::Status status : statuses) names += " " + std::string(to_name(status));
    return std::to_string(ok) + " of " + std::to_string(members) + " members ok, " + std::to_string(touching) +
           " touch, " + std::to_string(sticking) + " stick, " + std::to_string(sliding) + " slide, " +
           std::to_string(bouncing) + " bounce;" + names;
  }
};

inline Content look_into(scenario::Scenario scenario, std::int64_t members) {
  using scenario::Standard;
  scenario.standard = {Standard::impacts, Standard::first_contact, Standard::stick_time, Standard::slip_time};
  scenario.record.members = 0;
  const std::size_t first = scenario.observables.size();
  const executor::Outcome outcome = run_first(scenario, "reference", members);
  Content content;
  content.members = static_cast<int>(members);
  for (std::size_t m = 0; m < outcome.status.size(); ++m) {
    content.statuses.insert(outcome.status[m]);
    if (outcome.status[m] != executor::Status::ok) continue;
    ++content.ok;
    content.touching += std::isnan(outcome.observables[first + 1][m]) ? 0 : 1;
    content.bouncing += outcome.observables[first][m] > 0 ? 1 : 0;
    content.sticking += outcome.observables[first + 2][m] > 0 ? 1 : 0;
    content.sliding += outcome.observables[first + 3][m] > 0 ? 1 : 0;
  }
  return content;
}

/// Random scenario `number`: every second one is tame.
///
/// What is certain to go wrong is refused by the reader, and what would compare nothing is refused here: half of the
/// members of a tame scenario and a quarter of the others reach the end, and in two of three scenarios a quarter of
/// those touch a wall. Then another one is drawn.
struct Drawn {
  std::string text;
  scenario::Scenario scenario;
  Content content;

  static bool is_tame(int number) { return number % 2 == 0; }
  static bool must_touch(int number) { return number % 3 != 0; }
  static int least_ok(int number, int members) { return is_tame(number) ? members / 2 : members / 4; }

  Drawn(int number, int members) {
    for (std::uint64_t attempt = 0; attempt < 1000; ++attempt) {
      // one to six dimensions in turn, for the tame ones and for the others; attempts do not change the dimension
      const auto seed = static_cast<std::uint64_t>(number / 2) + 1000002 * (2 * attempt + (is_tame(number) ? 0 : 1));
      text = testing::RandomScenario(seed, is_tame(number), members).text();
      try {
        scenario = parse_scenario(text);
      } catch (const std::runtime_error&) {
        continue;
      }
      content = look_into(scenario, members);
      if (content.ok >= least_ok(number, members) && (!must_touch(number) || content.touching >= content.ok / 4))
        return;
    }
    throw std::runtime_error("no random scenario " + std::to_string(number) + " gives anything to compare");
  }
};

}  // namespace conesweep::test
