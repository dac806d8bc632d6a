#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conesweep/changes.hpp"
#include "conesweep/problem.hpp"

namespace conesweep {

namespace api {
struct ScenarioParts;
struct Access;
}  // namespace api

/// What a scenario file says, read and checked. It never changes, and copies of it share what was read.
///
///   const auto slider = Scenario::read("slider.toml");
///   const auto finer = slider.with(Changes().step(5e-4).vary("alpha", uniform(0.1, 0.6)));
class Scenario {
 public:
  /// ScenarioError with every problem. Files that a scenario names, tables for one, are looked for beside it.
  static Scenario read(const std::string& file, const Changes& changes = {});
  static Scenario parse(const std::string& text, const std::string& name = "scenario.toml",
                        const Changes& changes = {});
  /// From nothing: the keys that are written are all it says.
  static Scenario build(const Changes& keys, const std::string& name = "scenario.toml");

  /// A changed copy, read and checked like the first one. ScenarioError with every problem of it.
  Scenario with(const Changes& changes) const;

  const std::string& name() const;
  const std::string& text() const;  // as it was written, with what changed by its key
  std::string resolved() const;     // with every default written out: running it gives the same numbers
  const std::vector<Problem>& warnings() const;
  std::vector<Problem> notes() const;  // what is good to know: what its laws are, which theory holds for it

  // what it says
  const std::string& title() const;
  std::vector<std::string> coordinates() const;
  std::map<std::string, double> parameters() const;  // their values, where they do not vary
  // parameters that differ between members: those of [vary], then of [sweep]
  std::vector<std::string> varied() const;
  std::vector<std::string> observables() const;  // all that are observed, in the order of results
  // names of the codes of members' classes, stopped ones last; empty: it has none
  std::vector<std::string> classes() const;
  std::int64_t members() const;  // rows of a sweep
  std::uint64_t seed() const;
  double step() const;
  double end() const;
  std::int64_t steps() const;
  // the first so many members leave trajectories, at every so many steps
  std::int64_t recorded_members() const;
  std::int64_t recorded_every() const;

  /// The varied parameters of members first, first + 1, …: column after column.
  std::vector<double> draw(std::int64_t first, std::int64_t count) const;

 private:
  friend struct api::Access;
  explicit Scenario(std::shared_ptr<const api::ScenarioParts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const api::ScenarioParts> parts_;
};

/// What `conesweep check` tells: all problems of a scenario, be it valid or not, and notes where it is.
struct Checked {
  bool valid = false;
  std::vector<Problem> problems;  // errors and warnings in the order of the file, then notes
  std::string json;               // the same, as check --json prints it
};
Checked check(const std::string& file, const Changes& changes = {});
Checked check_text(const std::string& text, const std::string& name = "scenario.toml", const Changes& changes = {});

}  // namespace conesweep
