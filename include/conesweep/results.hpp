#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace conesweep {

namespace api {
struct FinishedParts;
}  // namespace api

/// Trajectories of recorded members.
struct Tracks {
  std::int64_t members = 0;                  // the first so many
  std::vector<double> time;                  // [time]
  std::vector<std::string> names;            // coordinates, then velocities: x, y, vx, vy
  std::vector<std::vector<double>> columns;  // [name][member * times + time]; NaN after a stop
  std::vector<std::uint8_t> mode;            // [member * times + time]: by mode_names
};

/// A finished run in its folder. Columns are read when they are asked for. Throws std::runtime_error where files are
/// not as a run wrote them.
class FinishedRun {
 public:
  /// ScenarioError where there is no finished run.
  static FinishedRun open(const std::string& folder);

  const std::string& folder() const;
  const std::string& summary() const;   // the text of summary.json
  const std::string& scenario() const;  // the text of scenario.toml: the resolved scenario

  std::int64_t members() const;  // 0 where the run keeps statistics alone
  bool has_members() const;
  const std::vector<std::string>& parameters() const;  // that vary, in the order of the scenario
  const std::vector<std::string>& observables() const;

  // a value a member
  std::vector<double> parameter(const std::string& name) const;
  std::vector<double> observable(const std::string& name) const;
  std::vector<std::uint8_t> status() const;    // by status_names
  std::vector<double> stop_time() const;       // NaN for those that are ok
  std::vector<std::uint8_t> flags() const;     // a bit for each of flag_names
  std::vector<std::uint8_t> class_of() const;  // by class_names; empty: the scenario has no classes
  std::vector<std::string> class_names() const;

  // of a parameter, an observable, "time" or a recorded coordinate, as results.h5 has them; empty: it tells nothing
  std::string unit(const std::string& name) const;     // "m"; "1": a pure number
  std::string meaning(const std::string& name) const;  // "max of x"

  /// Of the first members that were recorded, at most so many.
  Tracks tracks(std::int64_t most = 1'000'000'000) const;

 private:
  explicit FinishedRun(std::shared_ptr<const api::FinishedParts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const api::FinishedParts> parts_;
};

}  // namespace conesweep
