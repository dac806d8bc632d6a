#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expression/tree.hpp"
#include "scenario/laws.hpp"
#include "scenario/lists.hpp"

namespace conesweep::scenario {

/// A parameter whose default is an expression of other parameters. Where neither --set nor [vary] give it a value, the expression stands for its name.
struct Computed {
  std::string name;
  Formula formula;
};

/// The past of one coordinate, an expression of t <= 0, and its left velocity at 0.
struct Start {
  Formula past;
  std::optional<Formula> velocity;  // none: left derivative of the past
};

struct Distribution {
  DistributionKind kind = DistributionKind::uniform;
  std::vector<double> values;                                // its numbers in the order of the file; of a table the whole column
  std::string table;                                         // "file.csv:column" as written
  std::string table_path;                                    // the file, found
  std::shared_ptr<const std::string> table_bytes = nullptr;  // the same file as it was read
};

/// A parameter that differs between members.
struct Variation {
  int parameter = 0;  // index into names.parameters
  Distribution distribution;
  std::int64_t levels = 0;  // number of grid points; 0 for other samplers
  Place place;
};

struct Ensemble {
  std::int64_t members = 1;  // with a sweep those of all its points: rows. Each point has members / sweep_points of them
  std::uint64_t seed = 1;
  Sampler sampler = Sampler::random;
  Keep keep = Keep::members;  // each of them, or the statistics alone
};

/// A parameter for each of whose values the whole ensemble is run (S10).
struct SweepAxis {
  int parameter = 0;           // index into names.parameters
  std::vector<double> values;  // in file order
  bool even = false;           // written as from, to and count
  Place place;
};

/// Two varied parameters that are not independent: correlation of their normal scores Φ⁻¹(u) (the normal copula).
struct Correlation {
  int first = 0;  // indices into names.parameters
  int second = 0;
  double value = 0;  // in ]-1, 1[
};

struct Observable {
  std::string name;
  Reducer reducer = Reducer::final;
  Formula formula;
  std::optional<Formula> after = {}, before = {};  // times: only nodes between them are seen (O9)
};

/// Does it see only some nodes? The same as the other one?
bool has_range(const Observable& observable);
bool same_range(const Observable& a, const Observable& b);

struct Record {
  std::int64_t members = 0;  // the first so many members leave trajectories
  std::int64_t every = 1;    // steps between recorded nodes
};

/// How members end, as the user tells them apart (S9): a condition over observables and parameters.
struct OutcomeClass {
  std::string name;
  Formula condition;  // its tree numbers observables (observable_names), then parameters; "else", without a tree, of the last class
};

/// A complete, checked scenario: what a run is a function of.
struct Scenario {
  std::string title;
  expression::Names names;
  std::vector<double> defaults;      // of each parameter
  std::vector<Computed> computed;    // in file order; those that vary are among the parameters, too
  std::vector<Formula> definitions;  // one a definition of `names`, as written
  std::vector<Formula> force;        // one a coordinate
  std::vector<Formula> mass;         // one a coordinate: diagonal; d*d row by row: a symmetric matrix; empty: the unit matrix
  RestitutionLaw restitution_law = RestitutionLaw::newton;
  std::vector<Contact> contacts;
  std::vector<Bilateral> bilaterals;
  std::vector<Resistance> resistances;
  std::vector<Start> start;     // one a coordinate
  bool settle = false;          // starts that miss walls and constraints by little are put on them (B5)
  double end = 1;               // T
  double step = 1e-3;           // as asked for
  std::int64_t steps = 1000;    // N = T / step
  std::optional<Formula> stop;  // a condition: a member ends at the first node at which it holds (O10)
  Impacts impacts = Impacts::nodes;
  Ensemble ensemble;
  std::vector<Variation> vary;           // in file order
  std::vector<SweepAxis> sweep;          // in file order; empty: one point
  std::vector<Correlation> correlation;  // each pair once, in file order; its matrix is positive definite
  std::vector<Observable> observables;   // in file order
  std::vector<Standard> standard;        // those that are observed, in the order of the list
  std::vector<LawQuantity> of_laws;      // what is observed of single contacts: impulses, then losses, each in file order
  std::vector<OutcomeClass> classes;     // in file order; the last is "else". Empty: not asked for
  Record record;
  std::vector<std::pair<std::string, std::string>> units = {};  // what a quantity is measured in, for labels: name and text, in file order

  int dimension() const { return static_cast<int>(names.coordinates.size()); }
  double h() const { return end / static_cast<double>(steps); }  // h = T/N
  double time(std::int64_t i) const { return static_cast<double>(i) * h(); }

  int law_of_bilateral(std::size_t b) const { return static_cast<int>(contacts.size() + b); }
  int law_of_resistance(std::size_t r) const { return static_cast<int>(contacts.size() + bilaterals.size() + r); }
};

/// Does the coupled step (B) solve every step of it? Else its contacts are those of particles, each by itself in closed form (P4), and the coupled step
/// takes only the steps in which several touch.
bool is_coupled(const Scenario& scenario);

/// How many contacts persist (T).
inline std::size_t count_persistent(const Scenario& scenario) {
  std::size_t count = 0;
  for (const Contact& contact : scenario.contacts) count += contact.persistent ? 1 : 0;
  return count;
}

/// The name of what is observed of a contact: impulse.<name>, lost.<name>.
std::string quantity_name(const Scenario& scenario, const LawQuantity& quantity);

/// Can several laws act in one step? Then members have flags (state::Flag).
inline bool keeps_members(const Scenario& scenario) { return scenario.ensemble.keep == Keep::members; }
inline bool has_flags(const Scenario& scenario) { return is_coupled(scenario) || scenario.contacts.size() > 1; }

/// What the rows of a contact are (B8).
enum class ContactKind {
  particle,  // n = -∇g/|∇g| and the whole tangent space
  point,     // normal and tangents in space, at a point of the body
  slip,      // -∇g as written, and given sliding velocities
  row,       // -∇g as written, without friction
};
ContactKind kind_of(const Scenario& scenario, const Contact& contact);

/// Every quantity observed, in the order of summary.json: the user's, the standard ones, those of single laws, where
/// there is a `stop` the time of the end, final coordinates and velocities.
std::vector<std::string> observable_names(const Scenario& scenario);

/// May an observable, by its place among observable_names, be a count or an indicator, so that whole numbers mean that? The user's own and standard counts;
/// not a length that happens to be 0.
bool may_count(const Scenario& scenario, std::size_t observable);

/// What the codes of members' classes mean: the classes, then the statuses but ok.
std::vector<std::string> class_names(const Scenario& scenario);

/// What a class is called among observables: class.<name>.
inline std::string class_row(const std::string& name) { return "class." + name; }

/// Parameters that differ between rows, by their index: those of `vary`, then those of `sweep`. A member's varied values are in this order.
std::vector<int> varying_parameters(const Scenario& scenario);

/// Points of the product of the sweep's axes, the last axis fastest; 1 without a sweep. Row = point · members of a point + member.
std::int64_t sweep_points(const Scenario& scenario);
inline std::int64_t members_of_point(const Scenario& scenario) { return scenario.ensemble.members / sweep_points(scenario); }

/// The value of an axis at a point.
double sweep_value(const Scenario& scenario, std::size_t axis, std::int64_t point);

/// All parameters of one member: defaults, with the varied ones (in the order of varying_parameters) replaced.
std::vector<double> member_parameters(const Scenario& scenario, const std::vector<double>& varied);

}  // namespace conesweep::scenario
