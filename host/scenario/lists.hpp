#pragma once

#include <cstdint>
#include <string_view>

#include <conesweep/state/status.hpp>

#include "support/named_list.hpp"

// The closed lists of the product, each with its names and all that others must know of a value: adding one begins
// here.

namespace conesweep::scenario {

// ---- distributions ----

enum class DistributionKind { uniform, normal, lognormal, loguniform, triangular, truncated_normal, choice, table };

struct DistributionRow {
  DistributionKind value;
  std::string_view name;
  std::size_t count;       // of the numbers it is written with; 0: one or more
  std::string_view takes;  // for people: which
};
inline constexpr auto distributions = make_list<DistributionRow>({
    {DistributionKind::uniform, "uniform", 2, "[lower, upper]"},
    {DistributionKind::normal, "normal", 2, "[mean, standard deviation]"},
    {DistributionKind::lognormal, "lognormal", 2, "[mean, standard deviation] of the logarithm"},
    {DistributionKind::loguniform, "loguniform", 2, "[lower, upper]"},
    {DistributionKind::triangular, "triangular", 3, "[lower, mode, upper]"},
    {DistributionKind::truncated_normal, "truncated_normal", 4, "[mean, standard deviation, lower, upper]"},
    {DistributionKind::choice, "choice", 0, "a list of values"},
    {DistributionKind::table, "table", 0, "\"file.csv:column\""},
});

// ---- samplers ----

enum class Sampler { random, latin, sobol, grid };

struct SamplerRow {
  Sampler value;
  std::string_view name;
  bool depends_on_members;  // a member is another one when there are more members; those of the others can go on
};
inline constexpr auto samplers = make_list<SamplerRow>({
    {Sampler::random, "random", false},
    {Sampler::latin, "latin", true},
    {Sampler::sobol, "sobol", false},
    {Sampler::grid, "grid", true},
});

// ---- what is kept of members ----

enum class Keep { members, statistics };

struct KeepRow {
  Keep value;
  std::string_view name;
};
inline constexpr auto keeps = make_list<KeepRow>({
    {Keep::members, "members"},
    {Keep::statistics, "statistics"},
});

// ---- laws ----

/// (B3) Which velocities the law of restitution is about.
enum class RestitutionLaw { newton, moreau };

struct RestitutionLawRow {
  RestitutionLaw value;
  std::string_view name;
};
inline constexpr auto restitution_laws = make_list<RestitutionLawRow>({
    {RestitutionLaw::newton, "newton"},
    {RestitutionLaw::moreau, "moreau"},
});

// ---- time ----

/// Where contact that begins is found: at the nodes (P2), or where it is on the way between them (I).
enum class Impacts { nodes, located };

struct ImpactsRow {
  Impacts value;
  std::string_view name;
};
inline constexpr auto impacts_places = make_list<ImpactsRow>({
    {Impacts::nodes, "nodes"},
    {Impacts::located, "located"},
});

// ---- observables ----

/// What an observable is made of. Counts, times and shares change by whole units (1, a step, a step of all), amounts by
/// any number.
enum class Measure { amount, time, count, share };

/// How the values of an expression at the nodes become one number (O1, O2, O9).
enum class Reducer { final, min, max, mean, integral, first_time, last_time, count, share, crossings, period };

struct ReducerRow {
  Reducer value;
  std::string_view name;  // in files; the step knows it as observe::reduce_<name>
  bool takes_condition;   // and not a number
  Measure measure;
  std::string_view meaning;  // for people, with the expression behind it
};
inline constexpr auto reducers = make_list<ReducerRow>({
    {Reducer::final, "final", false, Measure::amount, "value at the end of"},
    {Reducer::min, "min", false, Measure::amount, "min of"},
    {Reducer::max, "max", false, Measure::amount, "max of"},
    {Reducer::mean, "mean", false, Measure::amount, "mean over time of"},
    {Reducer::integral, "integral", false, Measure::amount, "integral over time of"},
    {Reducer::first_time, "first_time", true, Measure::time, "first time at which"},
    {Reducer::last_time, "last_time", true, Measure::time, "last time at which"},
    {Reducer::count, "count", true, Measure::count, "number of times that it becomes true:"},
    {Reducer::share, "share", true, Measure::share, "share of the time in which"},
    {Reducer::crossings, "crossings", false, Measure::count, "number of sign changes of"},
    {Reducer::period, "period", false, Measure::amount, "mean time between upward crossings of"},
});
constexpr bool takes_condition(Reducer reducer) { return reducers[reducer].takes_condition; }

/// Standard quantities (O3 … O7), (T), in the order in which they are reported.
enum class Standard {
  impacts,
  first_contact,
  stick_time,
  slip_time,
  flight_time,
  dissipated,
  impulse,
  variation,
  penetration,
  work,
  drive_work,
  gained,
  painleve,
  lost,
  certificate,
  certificate_paper
};

/// Without a word of [observe] a quantity is there, or only where `also` (or `standard`) names it.
enum class Observed { unless_refused, on_request };

struct StandardRow {
  Standard value;
  std::string_view name;
  Measure measure;
  Observed observed;
  std::string_view meaning;  // for people
};
inline constexpr auto standard_quantities = make_list<StandardRow>({
    {Standard::impacts, "impacts", Measure::count, Observed::unless_refused, "number of impacts"},
    {Standard::first_contact, "first_contact", Measure::time, Observed::unless_refused, "time of the first contact"},
    {Standard::stick_time, "stick_time", Measure::time, Observed::unless_refused, "time in contact that sticks"},
    {Standard::slip_time, "slip_time", Measure::time, Observed::unless_refused, "time in contact that slips"},
    {Standard::flight_time, "flight_time", Measure::time, Observed::unless_refused, "time without contact"},
    {Standard::dissipated, "dissipated", Measure::amount, Observed::unless_refused,
     "energy taken by contact, constraints and resistances"},
    {Standard::impulse, "impulse", Measure::amount, Observed::unless_refused,
     "sum of the normal impulses of all contacts"},
    {Standard::variation, "variation", Measure::amount, Observed::unless_refused, "total variation of the velocity"},
    {Standard::penetration, "penetration", Measure::amount, Observed::unless_refused,
     "largest penetration of a contact"},
    {Standard::work, "work", Measure::amount, Observed::on_request, "work of the forces"},
    {Standard::drive_work, "drive_work", Measure::amount, Observed::on_request,
     "work of moving walls, belts and drives"},
    {Standard::gained, "gained", Measure::amount, Observed::on_request, "energy created by the impact law"},
    {Standard::painleve, "painleve", Measure::amount, Observed::on_request,
     "least 1 - mu |W_nt| / W_nn of active contacts"},
    {Standard::lost, "lost", Measure::time, Observed::on_request,
     "time at which the first persistent contact was lost"},
    {Standard::certificate, "certificate", Measure::amount, Observed::on_request,
     "least margin by which persistent contacts cannot be lost"},
    {Standard::certificate_paper, "certificate_paper", Measure::amount, Observed::on_request,
     "sufficient bound on friction over the friction, less 1"},
});

// ---- members ----

/// How a member ended, and what it does at a node, for plots (O).
using state::Mode;
using state::Status;

struct StatusRow {
  Status value;
  std::string_view name;
  std::string_view advice;  // one sentence a user can act on
};
inline constexpr auto statuses = make_list<StatusRow>({
    {Status::ok, "ok", "the member reached the end"},
    {Status::non_finite, "non_finite",
     "the state became inf or nan: try a smaller [time] step if it grew to that (conesweep trace shows it); else a "
     "formula left its domain"},
    {Status::bad_angle, "bad_angle", "the friction left its range; allowed: 0 <= friction_angle < pi/2, friction >= 0"},
    {Status::bad_restitution, "bad_restitution", "the restitution left its range; allowed: 0 <= restitution <= 1"},
    {Status::bad_delay, "bad_delay",
     "a delay or window length is negative or not finite, or a window is longer than 10,000,000 steps; narrow its "
     "distribution"},
    {Status::singular_gradient, "singular_gradient",
     "the gradient of inside vanished or is not finite at the wall; write inside so that it does not (x^2 <= R^2, not "
     "(x^2 - R^2)^2 <= 0)"},
    {Status::several_contacts, "several_contacts",
     "more than 16 contacts that act on each other touched in one step (32 where none has friction), or several with "
     "friction in more than 3 coordinates; with slip or "
     "point friction has its own directions"},
    {Status::start_outside, "start_outside",
     "the start lies outside the admissible set; narrow the distribution of what [start] depends on; up to 1e-4 (1 + "
     "|q|) [start] settle = true puts "
     "it on the wall"},
    {Status::not_converged, "not_converged",
     "the laws of one step could not be solved together to 1e-10; there may be no solution (laws that contradict each "
     "other, or friction that jams: observe "
     "painleve), or try a smaller [time] step"},
    {Status::bad_mass, "bad_mass",
     "the mass matrix is not positive definite there; keep the motion away from that place, or choose other "
     "coordinates"},
    {Status::dependent_constraints, "dependent_constraints",
     "two bilateral constraints, or persistent contacts, became dependent there; leave one out, or keep the motion "
     "away from that place"},
    {Status::bad_limit, "bad_limit",
     "the limit of a resistance is negative or not a number, or its set does not contain 0, or a cohesion is negative "
     "or "
     "no finite number"},
    {Status::bad_start, "bad_start",
     "the start does not satisfy the bilateral constraints, a persistent contact does not touch and rest there, or a "
     "resistance without limit forbids its "
     "velocity; see [start], where settle = true puts right what is missed by little"},
    {Status::bad_percussions, "bad_percussions",
     "percussions need times in [0, end], sizes above 0, and a whole number of them up to 100,000"},
});

struct FlagRow {
  state::Flag value;
  std::string_view name;
  std::string_view meaning;  // one sentence for people
};
inline constexpr FlagRow flags[] = {
    {state::Flag::hyperstatic, "hyperstatic",
     "contacts with friction had more rows than the velocity has room for; their impulses are the solver's choice"},
    {state::Flag::crowded, "crowded",
     "in some step more walls were met than are located, 3; the rest of it went through walls, and energy may be lost; "
     "try a smaller [time] step"},
};

struct ModeRow {
  Mode value;
  std::string_view name;
};
inline constexpr auto modes = make_list<ModeRow>({
    {Mode::flight, "flight"},
    {Mode::slip, "slip"},
    {Mode::stick, "stick"},
});

// ---- names as they stand in files ----

constexpr std::string_view to_name(DistributionKind kind) { return distributions[kind].name; }
constexpr std::string_view to_name(Sampler sampler) { return samplers[sampler].name; }
constexpr std::string_view to_name(Keep keep) { return keeps[keep].name; }
constexpr std::string_view to_name(RestitutionLaw law) { return restitution_laws[law].name; }
constexpr std::string_view to_name(Impacts impacts) { return impacts_places[impacts].name; }
constexpr std::string_view to_name(Reducer reducer) { return reducers[reducer].name; }
constexpr std::string_view to_name(Standard standard) { return standard_quantities[standard].name; }

}  // namespace conesweep::scenario

namespace conesweep::state {

constexpr std::string_view to_name(Status status) { return scenario::statuses[status].name; }
constexpr std::string_view to_name(Mode mode) { return scenario::modes[mode].name; }

/// The advice for a member that stopped at `time`.
constexpr std::string_view advice(Status status, double time) {
  // no step was taken: none can help
  if (status == Status::non_finite && time == 0)
    return "a formula is inf or nan at t = 0, whatever the step: look for a root or logarithm of a negative number, a "
           "division by 0, a number out of range";
  return scenario::statuses[status].advice;
}

}  // namespace conesweep::state
