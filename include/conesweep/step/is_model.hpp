#pragma once

#include <conesweep/observe/reducers.hpp>
#include <conesweep/state/node.hpp>

/// What the step asks of a model, checked by the compiler where a model is used: a struct that lacks something is
/// refused by the name of what lacks. docs/user_model.md says what each name means.
namespace conesweep::step {

template <class Real, class Model>
using NodeOf = const state::Node<Real, Model>&;

template <class Found, class Wanted>
struct SameType {
  static constexpr bool value = false;
};
template <class Type>
struct SameType<Type, Type> {
  static constexpr bool value = true;
};

/// The type of an expression is this one.
template <class Found, class Wanted>
concept Is = SameType<Found, Wanted>::value;

/// Are the laws of this model solved together (B)?
template <class Model>
concept IsCoupled = Model::Laws::coupled != 0;

/// How many there are of each, and tables with an entry for each (one entry that nobody reads where there is none).
template <class Model>
concept HasCounts = requires {
  Model::dimension + Model::parameters + Model::varied + Model::constants + Model::contacts + Model::observables;
  Model::varied_parameter[0] + Model::reducers[0];
};

/// The columns of the ring, and the lags and windows that read them (P10), (P11).
template <class Model>
concept HasHistoryTables = requires {
  Model::lags + Model::windows + Model::gathered_windows + Model::q_columns + Model::v_columns;
  Model::q_column[0] + Model::v_column[0];
  Model::lag_q[0][0] || Model::lag_v[0][0] || Model::lag_gathered[0];
  Model::window_lag[0] + Model::window_kind[0] + Model::window_place[0];
};

/// What is known of the contacts before the run, and what else the model has of laws: state::NoLaws where it is a
/// particle.
template <class Model>
concept HasLawTables = requires {
  Model::rebounds[0] || Model::moves[0] || Model::constant_gradient[0] || Model::defined_everywhere[0];
  Model::Laws::coupled + Model::Laws::firm + Model::Laws::resistances;
  Model::Laws::mass();
  Model::Laws::contact_kind(0);
};

/// Which standard quantities are observed (O3) … (O7), (T).
template <class Model>
concept HasStandard = requires {
  Model::Standard::impacts || Model::Standard::first_contact || Model::Standard::stick_time ||
      Model::Standard::slip_time || Model::Standard::flight_time;
  Model::Standard::dissipated || Model::Standard::impulse || Model::Standard::variation || Model::Standard::penetration;
  Model::Standard::work || Model::Standard::drive_work || Model::Standard::gained || Model::Standard::painleve;
  Model::Standard::lost || Model::Standard::certificate || Model::Standard::certificate_paper;
};

/// Constants of a member, its past and its start.
template <class Model, class Real>
concept HasStart = requires(Real t, const Real* given, Real* made) {
  Model::prepare(given, made);
  Model::past(t, given, made);
  Model::past_velocity(t, given, made);
  Model::start_velocity(given, made);
};

template <class Model, class Real>
concept HasForce = requires(NodeOf<Real, Model> node, Real* f) {
  Model::force(node, f);
};

template <class Model, class Real, int Lag>
concept HasLength = requires(const Real* c) {
  { Model::template length<Lag>(c) } -> Is<Real>;
};

template <class Model, class Real, int Window>
concept HasWindow = requires(NodeOf<Real, Model> node, const Real* q_then) {
  { Model::template window_value<Window>(node, q_then) } -> Is<Real>;
};

/// A contact of any kind: g, the length of ∇g, μ and e.
template <class Model, class Real, int Contact>
concept HasWall = requires(NodeOf<Real, Model> node, const Real* q, const Real* c, Real t) {
  { Model::template constraint<Contact>(q, c, t) } -> Is<Real>;
  { Model::template steepness<Contact>(q, c, t) } -> Is<Real>;
  Model::template friction<Contact>(node);
  Model::template restitution<Contact>(node);
};

/// A contact of a particle: its normal, and velocities split by it (P2) … (P6).
template <class Model, class Real, int Contact>
concept HasNormal = requires(const Real* q, const Real* c, Real t, const Real* w, Real& w_n, Real* w_t,
                             Real& slip_speed) {
  { Model::template constraint_rate<Contact>(q, c, t, w) } -> Is<Real>;
  { Model::template along_normal<Contact>(q, c, t, w) } -> Is<Real>;
  Model::template split<Contact>(q, c, t, w, w_n, w_t, slip_speed);
  Model::template join<Contact>(q, c, t, w, t, w_t);
};

/// A wall that moves has a velocity (P13).
template <class Model, class Real, int Contact>
concept HasMotion = !Model::moves[Contact] || requires(const Real* q, const Real* c, Real t, Real* wall) {
  Model::template wall_velocity<Contact>(q, c, t, t, t, wall);
};

/// A contact of a system whose laws are solved together (B8).
template <class Model, class Real, int Contact>
concept HasRows = requires(const Real* q, const Real* c, Real t, Real* rows) {
  { Model::template depth_scale<Contact>(q, c, t) } -> Is<Real>;
  { Model::template wall_speed<Contact>(q, c, t, t, t) } -> Is<Real>;
  Model::template inward<Contact>(q, c, t, rows);
  Model::template jacobian<Contact>(q, c, t, rows);
  Model::template slip_rows<Contact>(q, c, t, rows);
  Model::template belt<Contact>(q, c, t, rows);
};

template <class Model, class Real, int Contact>
concept HasContact = HasWall<Model, Real, Contact> &&
    ((IsCoupled<Model> && HasRows<Model, Real, Contact>) ||
     (!IsCoupled<Model> && HasNormal<Model, Real, Contact> && HasMotion<Model, Real, Contact>));

/// A bilateral constraint (B4).
template <class Model, class Real, int Firm>
concept HasFirm = requires(const Real* q, const Real* c, Real t, Real* row) {
  Model::template firm_row<Firm>(q, c, t, row);
  { Model::template firm_value<Firm>(q, c, t) } -> Is<Real>;
  { Model::template firm_terms<Firm>(q, c, t) } -> Is<Real>;
  { Model::template firm_drive<Firm>(q, c, t, t, t) } -> Is<Real>;
};

/// A resistance: rows, the velocity at which it sticks, and its set.
template <class Model, class Real, int Resistance>
concept HasResistance = requires(NodeOf<Real, Model> node, const Real* q, const Real* c, Real t, Real* rows, Real& low,
                                 Real& high) {
  Model::template resistance_rows<Resistance>(q, c, t, rows);
  Model::template resistance_drive<Resistance>(q, c, t, rows);
  Model::template limit<Resistance>(node, low, high);
};

/// Mass and inertia of generalised coordinates (B1): a full mass, or the roots of a diagonal one and their inverses.
template <class Model, class Real>
concept HasFullMass = requires(const Real* q, const Real* c, Real* made) {
  Model::mass(q, c, made);
};
template <class Model, class Real>
concept HasMassRoots = requires(const Real* q, const Real* c, Real* made) {
  Model::mass_roots(q, c, made, made);
};
template <class Model, class Real>
concept HasMass = Model::Laws::mass()
== state::MassKind::unit ||
    ((Model::Laws::mass() == state::MassKind::dense
          ? HasFullMass<Model, Real>
          : HasMassRoots<Model, Real>)&&requires(NodeOf<Real, Model> node, Real* made) { Model::inertia(node, made); });

template <class Model, int Number>
concept TakesCondition = observe::takes_condition(observe::reducer_of<Model>(Number));

template <class Model, class Real, int Number>
concept HasValue = requires(NodeOf<Real, Model> node) {
  { Model::template value<Number>(node) } -> Is<Real>;
};

template <class Model, class Real, int Number>
concept HasCondition = requires(NodeOf<Real, Model> node) {
  { Model::template condition<Number>(node) } -> Is<MaskOf<Real>>;
};

/// An observable: a number, or a condition, as its reducer takes it.
template <class Model, class Real, int Number>
concept HasObservable = (TakesCondition<Model, Number> && HasCondition<Model, Real, Number>) ||
                        (!TakesCondition<Model, Number> && HasValue<Model, Real, Number>);

/// The first of its kind stands for all: a compiler then says what it lacks.
template <class Model, class Real>
concept HasContacts = Model::contacts == 0 || HasContact<Model, Real, 0>;
template <class Model, class Real>
concept HasLags = Model::lags == 0 || HasLength<Model, Real, 0>;
template <class Model, class Real>
concept HasWindows = Model::windows == 0 || HasWindow<Model, Real, 0>;
template <class Model, class Real>
concept HasFirmRows = Model::Laws::firm == 0 || HasFirm<Model, Real, 0>;
template <class Model, class Real>
concept HasResistances = Model::Laws::resistances == 0 || HasResistance<Model, Real, 0>;
template <class Model, class Real>
concept HasObservables = Model::observables == 0 || HasObservable<Model, Real, 0>;

/// A model of members as the step knows them; `Real` is a scalar or a pack of several members.
template <class Model, class Real>
concept IsModel =
    HasCounts<Model> && HasHistoryTables<Model> && HasLawTables<Model> && HasStandard<Model> && HasStart<Model, Real> &&
    HasForce<Model, Real> && HasLags<Model, Real> && HasWindows<Model, Real> && HasContacts<Model, Real> &&
    HasMass<Model, Real> && HasFirmRows<Model, Real> && HasResistances<Model, Real> && HasObservables<Model, Real>;

}  // namespace conesweep::step
