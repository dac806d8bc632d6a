#include "executor/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "support/error.hpp"

namespace conesweep::executor {
namespace {

// members' numbers go to generated code as they are
static_assert(std::is_same_v<std::int64_t, long>);

// the caller's memory where it can be written as it is, else our own
template <class Scalar>
std::span<Scalar> find_place(std::span<double> place, std::vector<Scalar>& own, std::size_t count) {
  if constexpr (std::is_same_v<Scalar, double>)
    if (!place.empty()) return place;
  own.resize(count);
  return own;
}

// In pieces, between which Ctrl-C is heard: a caller may bring gigabytes, and new memory can take seconds to be had.
template <class T>
void fill(std::span<T> place, T value, const Watch& watch) {
  constexpr std::size_t most = std::size_t{1} << 20;
  while (!place.empty()) {
    if (watch.stopped()) throw Interrupted();
    const std::span<T> piece = place.first(std::min(most, place.size()));
    std::fill(piece.begin(), piece.end(), value);
    place = place.subspan(piece.size());
  }
}

}  // namespace

template <class Scalar>
Columns<Scalar>::Columns(const OutcomeShape& shape, const scenario::Setup& setup, const Chunk& chunk)
    : members(chunk.members), count(chunk.count()), recorded(count_recorded(setup, chunk)), shape_(shape) {
  own_varied_.reserve(chunk.varied.size() * static_cast<std::size_t>(count));
  for (const auto& column : chunk.varied)
    for (const double value : column) own_varied_.push_back(static_cast<Scalar>(value));
  varied = own_varied_;
  begin(shape, setup, {}, {});
}

template <class Scalar>
Columns<Scalar>::Columns(const OutcomeShape& shape, const scenario::Setup& setup, const Given& given,
                         const Places& places, const Watch& watch)
    : members(given.members), count(members.count()), recorded(count_recorded(setup, {members})), shape_(shape) {
  if constexpr (std::is_same_v<Scalar, double>) {
    varied = given.varied;
  } else {
    for (const double value : given.varied) own_varied_.push_back(static_cast<Scalar>(value));
    varied = own_varied_;
  }
  begin(shape, setup, places, watch);
}

template <class Scalar>
void Columns<Scalar>::begin(const OutcomeShape& shape, const scenario::Setup& setup, const Places& places,
                            const Watch& watch) {
  demand_countable_steps(sizeof(Scalar) == sizeof(float) ? Precision::single : Precision::double_, setup);
  for (const double value : setup.defaults) fixed.push_back(static_cast<Scalar>(value));
  const auto rows = static_cast<std::size_t>(count);
  every = setup.record.every;
  times = recorded > 0 ? setup.recorded_times() : 0;
  const auto cells = static_cast<std::size_t>(recorded * times);
  observables = find_place(places.observables, own_observables_, shape.observables * rows);
  tracks = find_place(places.tracks, own_tracks_, shape.tracks * cells);
  own_modes_.resize(places.modes.empty() ? cells : 0);
  modes = places.modes.empty() ? std::span<unsigned char>(own_modes_) : places.modes;
  // filled with NaN before anything writes them: what is forgotten shows
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  fill(observables, nan, watch);
  fill(tracks, nan, watch);
  fill(modes, static_cast<unsigned char>(0), watch);
  marks.assign(rows, 0xff);
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
          modes.data(),
          members.seed(),
          static_cast<long>(members.first()),
          members.numbers().empty() ? nullptr : members.numbers().data()};
}

template <class Scalar>
void Columns<Scalar>::settle(const scenario::Setup& setup, const Places& places, const Diagnose& diagnose) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto leave = [](auto place, std::size_t at, auto value) {
    if (!place.empty()) place[at] = value;
  };
  for (std::int64_t m = 0; m < count; ++m) {
    const auto at = static_cast<std::size_t>(m);
    CS_ASSERT(marks[at] != 0xff);
    leave(places.flags, at, static_cast<std::uint8_t>(marks[at] / chunk::mark_flags));
    leave(places.status, at, Status::ok);
    leave(places.stop_time, at, nan);
    leave(places.residual, at, nan);
    if ((marks[at] & chunk::mark_stopped) == 0) continue;
    const chunk::Diagnosis why = diagnose(m);
    CS_ASSERT(why.status > 0 && why.status < status_count);
    const auto status = static_cast<Status>(why.status);
    leave(places.status, at, status);
    leave(places.stop_time, at, setup.time(why.node));
    if (status == Status::not_converged) leave(places.residual, at, std::isnan(why.residual) ? nan : why.residual);
    if (m >= recorded) continue;
    // nothing is told of nodes that were not reached
    const std::int64_t reached = (why.node + every - 1) / every;
    for (std::int64_t time = reached; time < times; ++time) {
      const auto cell = static_cast<std::size_t>(m * times + time);
      for (std::size_t c = 0; c < shape_.tracks; ++c)
        tracks[c * static_cast<std::size_t>(recorded * times) + cell] = std::numeric_limits<Scalar>::quiet_NaN();
      modes[cell] = static_cast<unsigned char>(Mode::flight);
    }
  }
}

template <class Scalar>
Outcome Columns<Scalar>::to_outcome(const scenario::Setup& setup, const Chunk& chunk, const Diagnose& diagnose) {
  Outcome outcome = make_outcome(shape_, setup, chunk);
  settle(setup, {{}, outcome.status, outcome.stop_time, outcome.residual, outcome.flags}, diagnose);
  const auto rows = static_cast<std::size_t>(count);
  for (std::size_t k = 0; k < outcome.observables.size(); ++k)
    std::copy_n(observables.begin() + static_cast<std::ptrdiff_t>(k * rows), rows, outcome.observables[k].begin());
  Trajectories& trajectories = outcome.trajectories;
  const auto cells = static_cast<std::size_t>(recorded * times);
  for (std::size_t c = 0; c < trajectories.columns.size(); ++c)
    std::copy_n(tracks.begin() + static_cast<std::ptrdiff_t>(c * cells), cells, trajectories.columns[c].begin());
  std::copy(modes.begin(), modes.end(), trajectories.mode.begin());
  return outcome;
}

template <class Scalar>
void Columns<Scalar>::give(const scenario::Setup& setup, const Places& places, const Diagnose& diagnose) {
  settle(setup, places, diagnose);
  if constexpr (!std::is_same_v<Scalar, double>) {
    if (!places.observables.empty()) std::copy(observables.begin(), observables.end(), places.observables.begin());
    if (!places.tracks.empty()) std::copy(tracks.begin(), tracks.end(), places.tracks.begin());
  }
}

template struct Columns<double>;
template struct Columns<float>;

}  // namespace conesweep::executor
