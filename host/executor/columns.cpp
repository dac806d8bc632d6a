#include "executor/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/error.hpp"

namespace conesweep::executor {

template <class Scalar>
Columns<Scalar>::Columns(const OutcomeShape& left, const scenario::Setup& setup, const Chunk& chunk)
    : shape(left), count(chunk.count) {
  demand_countable_steps(sizeof(Scalar) == sizeof(float) ? Precision::single : Precision::double_, setup);
  const auto members = static_cast<std::size_t>(count);
  for (const double value : setup.defaults) fixed.push_back(static_cast<Scalar>(value));
  varied.reserve(chunk.varied.size() * members);
  for (const auto& column : chunk.varied)
    for (const double value : column) varied.push_back(static_cast<Scalar>(value));
  // filled with NaN before anything writes them: what is forgotten shows
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  observables.assign(shape.observables * members, nan);
  marks.assign(members, 0xff);
  recorded = count_recorded(setup, chunk);
  every = setup.record.every;
  times = recorded > 0 ? setup.recorded_times() : 0;
  const auto cells = static_cast<std::size_t>(recorded * times);
  tracks.assign(shape.tracks * cells, nan);
  modes.assign(cells, 0);
  clock = {static_cast<Scalar>(setup.h()), static_cast<Scalar>(setup.end), static_cast<long>(setup.steps)};
}

template <class Scalar>
chunk::Job<Scalar> Columns<Scalar>::job() {
  return {static_cast<long>(count),
          static_cast<long>(count),
          fixed.data(),
          varied.data(),
          clock,
          observables.data(),
          marks.data(),
          static_cast<long>(recorded),
          static_cast<long>(every),
          static_cast<long>(times),
          tracks.data(),
          modes.data()};
}

template <class Scalar>
Outcome Columns<Scalar>::to_outcome(const scenario::Setup& setup, const Chunk& chunk,
                                    const std::function<chunk::Diagnosis(std::int64_t)>& diagnose) const {
  Outcome outcome = make_outcome(shape, setup, chunk);
  const auto members = static_cast<std::size_t>(count);
  for (std::size_t k = 0; k < outcome.observables.size(); ++k)
    std::copy_n(observables.begin() + static_cast<std::ptrdiff_t>(k * members), members,
                outcome.observables[k].begin());
  Trajectories& trajectories = outcome.trajectories;
  const auto cells = static_cast<std::size_t>(recorded * times);
  for (std::size_t c = 0; c < trajectories.columns.size(); ++c)
    std::copy_n(tracks.begin() + static_cast<std::ptrdiff_t>(c * cells), cells, trajectories.columns[c].begin());
  std::copy(modes.begin(), modes.end(), trajectories.mode.begin());

  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::int64_t m = 0; m < count; ++m) {
    const auto at = static_cast<std::size_t>(m);
    CS_ASSERT(marks[at] != 0xff);
    outcome.flags[at] = static_cast<std::uint8_t>(marks[at] / chunk::mark_flags);
    if ((marks[at] & chunk::mark_stopped) == 0) continue;
    const chunk::Diagnosis why = diagnose(m);
    CS_ASSERT(why.status > 0 && why.status < status_count);
    outcome.status[at] = static_cast<Status>(why.status);
    outcome.stop_time[at] = setup.time(why.node);
    if (outcome.status[at] == Status::not_converged)
      outcome.residual[at] = std::isnan(why.residual) ? nan : why.residual;
    if (m >= recorded) continue;
    // nothing is told of nodes that were not reached
    const std::int64_t reached = (why.node + every - 1) / every;
    for (std::int64_t time = reached; time < times; ++time) {
      const auto cell = static_cast<std::size_t>(m * times + time);
      for (auto& column : trajectories.columns) column[cell] = nan;
      trajectories.mode[cell] = static_cast<std::uint8_t>(Mode::flight);
    }
  }
  return outcome;
}

template struct Columns<double>;
template struct Columns<float>;

}  // namespace conesweep::executor
