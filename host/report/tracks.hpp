#pragma once

#include <string>
#include <vector>

#include "plot/chart.hpp"
#include "report/run_view.hpp"

namespace conesweep::report {

/// Motions of a run, at as many times as a drawing can show: recorded members, and bands of the coordinates.
class Tracks {
 public:
  explicit Tracks(const RunView& run);

  /// Recorded members, at most so many, spread over all of them: those of a grid are sorted.
  std::vector<std::size_t> members(std::size_t most) const;
  std::vector<double> times() const;
  /// One quantity of one member; InputError for a name that was not recorded.
  std::vector<double> of(const std::string& name, std::size_t member) const;

  /// A band by its parts, in this order: 5 %, 25 %, median, 75 %, 95 %, mean; none for what has no band.
  std::vector<std::vector<double>> band(const std::string& coordinate) const;

  /// What contacts of a member do, one stretch of time after another: flight, slip, stick as 0, 1, 2. After a stop there is none.
  struct Stretch {
    std::size_t mode;
    double from, to;
  };
  std::vector<Stretch> modes(std::size_t member) const;

  /// Coordinates that move, at most so many; none of a run that was not recorded.
  std::vector<std::string> moving(std::size_t most) const;

 private:
  std::vector<double> pick(const std::vector<double>& values, std::size_t row) const;
  const std::vector<double>& column(const std::string& name) const;

  const RunView& run_;
  std::vector<std::size_t> kept_;  // times, the first and the last with them
};

/// What of a rectangle in the plane of two coordinates no contact allows, at the defaults, t = 0, and other coordinates where they start: strips, as corners.
plot::Points outside_of(const scenario::Scenario& scenario, const plot::Chart& plane, const std::string& x, const std::string& y);

}  // namespace conesweep::report
