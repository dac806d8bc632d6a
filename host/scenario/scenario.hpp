#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expression/tree.hpp"
#include "scenario/lists.hpp"
#include "scenario/source.hpp"

namespace conesweep::scenario {

/// An expression as the user wrote it, and its tree.
struct Formula {
  std::string text;
  expression::Expr tree;
  Place quote;  // where its string begins in the file; {0, 0} if it came from elsewhere
};

enum class FrictionLaw { none, angle, coefficient };

/// One unilateral constraint g(q) <= 0 with Coulomb friction.
struct Contact {
  std::string name;
  Formula inside;      // the inequality
  expression::Expr g;  // its two sides as g <= 0 (the admissible set)
  FrictionLaw friction_law = FrictionLaw::none;
  std::optional<Formula> friction;     // angle alpha in radians, or coefficient mu = tan alpha
  std::optional<Formula> restitution;  // e of (P12); none: 0
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
  std::int64_t members = 1;
  std::uint64_t seed = 1;
  Sampler sampler = Sampler::random;
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
};

struct Record {
  std::int64_t members = 0;  // the first so many members leave trajectories
  std::int64_t every = 1;    // steps between recorded nodes
};

/// A complete, checked scenario: what a run is a function of.
struct Scenario {
  std::string title;
  expression::Names names;
  std::vector<double> defaults;      // of each parameter
  std::vector<Formula> definitions;  // one a definition of `names`, as written
  std::vector<Formula> force;        // one a coordinate
  std::vector<Contact> contacts;
  std::vector<Start> start;   // one a coordinate
  double end = 1;             // T
  double step = 1e-3;         // as asked for
  std::int64_t steps = 1000;  // N = T / step
  Ensemble ensemble;
  std::vector<Variation> vary;           // in file order
  std::vector<Correlation> correlation;  // each pair once, in file order; its matrix is positive definite
  std::vector<Observable> observables;   // in file order
  std::vector<Standard> standard;        // those that are observed, in the order of the list
  Record record;

  int dimension() const { return static_cast<int>(names.coordinates.size()); }
  double h() const { return end / static_cast<double>(steps); }  // h = T/N
  double time(std::int64_t i) const { return static_cast<double>(i) * h(); }
};

/// Every quantity observed, in the order of summary.json: the user's, the standard ones, final coordinates and velocities.
std::vector<std::string> observable_names(const Scenario& scenario);

/// All parameters of one member: defaults, with the varied ones (in the order of `vary`) replaced.
std::vector<double> member_parameters(const Scenario& scenario, const std::vector<double>& varied);

}  // namespace conesweep::scenario
