#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expression/states.hpp"
#include "expression/tree.hpp"
#include "scenario/laws.hpp"
#include "scenario/lists.hpp"

namespace conesweep::scenario {

/// A parameter whose default is an expression of other parameters. Where neither --set nor [vary] give it a value, the
/// expression stands for its name.
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
  // its numbers in the order of the file; of a table the whole column
  std::vector<double> values;
  std::string table;                                         // "file.csv:column" as written
  std::string table_path;                                    // the file, found
  std::shared_ptr<const std::string> table_bytes = nullptr;  // the same file as it was read
};

/// A parameter that differs between members.
struct Variation {
  int parameter = 0;  // index into names.parameters
  Distribution distribution;
  std::int64_t levels = 0;  // number of grid points; 0 for other samplers
  FilePlace place;
};

struct Ensemble {
  // with a sweep those of all its points: rows. Each point has members / sweep_points of them
  std::int64_t members = 1;
  std::uint64_t seed = 1;
  Sampler sampler = Sampler::random;
  Keep keep = Keep::members;  // each of them, or the statistics alone
};

/// A parameter for each of whose values the whole ensemble is run (S10).
struct SweepAxis {
  int parameter = 0;           // index into names.parameters
  std::vector<double> values;  // in file order
  bool even = false;           // written as from, to and count
  FilePlace place;
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
  // its tree numbers observables (observable_names), then parameters; "else", without a tree, of the last class
  Formula condition;
};

/// What is compiled: names, formulas and laws, and which quantities are observed. It has no number of the user's in it
/// that is not part of a formula.
struct Problem {
  expression::Names names;
  std::vector<Computed> computed;    // in file order; those that vary are among the parameters, too
  std::vector<Formula> definitions;  // one a definition of `names`, as written
  std::vector<Formula> force;        // one a coordinate
  // one a coordinate: diagonal; d*d row by row: a symmetric matrix; empty: the unit matrix
  std::vector<Formula> mass;
  RestitutionLaw restitution_law = RestitutionLaw::newton;
  std::vector<Contact> contacts;
  std::vector<Bilateral> bilaterals;
  std::vector<Resistance> resistances;
  std::vector<Start> start;     // one a coordinate
  bool settle = false;          // starts that miss walls and constraints by little are put on them (B5)
  std::optional<Formula> stop;  // a condition: a member ends at the first node at which it holds (O10)
  Impacts impacts = Impacts::nodes;
  int order = 1;                        // of the scheme in the step: 1 is the paper's (P), 2 section A
  std::vector<Observable> observables;  // in file order
  std::vector<Standard> standard;       // those that are observed, in the order of the list
  // what is observed of single contacts: impulses, then losses, each in file order
  std::vector<LawQuantity> of_laws;

  int dimension() const { return static_cast<int>(names.coordinates.size()); }
  int law_of_bilateral(std::size_t b) const { return static_cast<int>(contacts.size() + b); }
  int law_of_resistance(std::size_t r) const { return static_cast<int>(contacts.size() + bilaterals.size() + r); }
};

/// What a call brings to a problem that is compiled: the values that no column has, how far and in which steps, and
/// what is recorded.
struct Setup {
  std::vector<double> defaults;  // of each parameter
  double end = 1;                // T
  double step = 1e-3;            // as asked for
  std::int64_t steps = 1000;     // N = T / step
  Record record;

  double h() const { return end / static_cast<double>(steps); }  // h = T/N
  double time(std::int64_t i) const { return static_cast<double>(i) * h(); }
  std::int64_t recorded_times() const { return steps / record.every + 1; }  // nodes 0, every, 2 every, …
};

/// What an ensemble is: which parameters differ between members, and how; what its members are told apart by, and what
/// its labels say.
struct Design {
  std::string title;
  Ensemble ensemble;
  std::vector<Variation> vary;   // in file order
  std::vector<SweepAxis> sweep;  // in file order; empty: one point
  // each pair once, in file order; its matrix is positive definite
  std::vector<Correlation> correlation;
  // in file order; the last is "else". Empty: not asked for
  std::vector<OutcomeClass> classes;
  // what a quantity is measured in, for labels: name and text, in file order
  std::vector<std::pair<std::string, std::string>> units = {};
};

/// A complete, checked scenario: what a run is a function of. Who needs a part of it asks for that part.
struct Scenario : Problem, Setup, Design {};

/// Does the coupled step (B) solve every step of it? Else its contacts are those of particles, each by itself in closed
/// form (P4), and the coupled step takes only the steps in which several touch.
bool is_coupled(const Problem& problem);

/// How many contacts persist (T).
inline std::size_t count_persistent(const Problem& problem) {
  std::size_t count = 0;
  for (const Contact& contact : problem.contacts) count += contact.persistent ? 1 : 0;
  return count;
}

/// The name of what is observed of a contact: impulse.<name>, lost.<name>.
std::string quantity_name(const Problem& problem, const LawQuantity& quantity);

inline bool keeps_members(const Design& design) { return design.ensemble.keep == Keep::members; }

/// Can several laws act in one step? Then members have flags (state::Flag).
inline bool has_flags(const Problem& problem) { return is_coupled(problem) || problem.contacts.size() > 1; }

/// What the rows of a contact are (B8).
enum class ContactKind {
  particle,  // n = -∇g/|∇g| and the whole tangent space
  point,     // normal and tangents in space, at a point of the body
  slip,      // -∇g as written, and given sliding velocities
  row,       // -∇g as written, without friction
};
ContactKind kind_of(const Problem& problem, const Contact& contact);

/// Every quantity observed, in the order of summary.json: the user's, the standard ones, those of single laws, where
/// there is a `stop` the time of the end, the final state (final_name of each number of it).
std::vector<std::string> observable_names(const Problem& problem);
std::size_t count_observables(const Problem& problem);

/// The numbers of a member's state (expression/states.hpp): their names, and those of them that have statistics over
/// time.
inline std::vector<std::string> state_names(const Problem& problem) { return expression::state_names(problem.names); }
inline std::size_t count_states(const Problem& problem) { return expression::count_states(problem.names); }
inline std::vector<std::string> summed_states(const Problem& problem) {
  return expression::summed_states(problem.names);
}
inline std::string final_name(const std::string& state) { return "final." + state; }

/// May an observable, by its place among observable_names, be a count or an indicator, so that whole numbers mean that?
/// The user's own and standard counts; not a length that happens to be 0.
bool may_count(const Problem& problem, std::size_t observable);

/// What the codes of members' classes mean: the classes, then the statuses but ok.
std::vector<std::string> class_names(const Design& design);

/// What a class is called among observables: class.<name>.
inline std::string class_row(const std::string& name) { return "class." + name; }

/// Parameters that differ between rows, by their index: those of `vary`, then those of `sweep`. A member's varied
/// values are in this order.
std::vector<int> varying_parameters(const Design& design);

/// Points of the product of the sweep's axes, the last axis fastest; 1 without a sweep. Row = point · members of a
/// point + member.
std::int64_t sweep_points(const Design& design);
inline std::int64_t members_of_point(const Design& design) { return design.ensemble.members / sweep_points(design); }

/// The value of an axis at a point.
double sweep_value(const Design& design, std::size_t axis, std::int64_t point);

/// All parameters of one member: the defaults, with those that come as columns replaced.
std::vector<double> member_parameters(const Setup& setup, const std::vector<int>& columns,
                                      const std::vector<double>& varied);

/// The same, with the columns that varying_parameters says.
inline std::vector<double> member_parameters(const Scenario& scenario, const std::vector<double>& varied) {
  return member_parameters(scenario, varying_parameters(scenario), varied);
}

}  // namespace conesweep::scenario
