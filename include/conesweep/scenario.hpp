#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conesweep/problem.hpp"

namespace conesweep {

namespace api {
struct ScenarioParts;
struct Access;
}  // namespace api

/// What a scenario file says, read and checked. It never changes, and copies of it share what was read.
class Scenario {
 public:
  /// ScenarioError with every problem. Files that a scenario names, tables for one, are looked for beside it.
  static Scenario read(const std::string& file);
  static Scenario parse(const std::string& text, const std::string& name = "scenario.toml");

  const std::string& name() const;
  const std::string& text() const;  // as it was written
  std::string resolved() const;     // with every default written out: running it gives the same numbers
  const std::vector<Problem>& warnings() const;

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

  /// The varied parameters of members first, first + 1, …: column after column.
  std::vector<double> draw(std::int64_t first, std::int64_t count) const;

 private:
  friend struct api::Access;
  explicit Scenario(std::shared_ptr<const api::ScenarioParts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const api::ScenarioParts> parts_;
};

}  // namespace conesweep
