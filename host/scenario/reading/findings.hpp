#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "expression/evaluate.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// One of the members that are tried: its parameters and where it starts.
struct TriedMember {
  std::int64_t number = 0;
  std::vector<double> parameters = {};
  std::vector<double> q = {}, v = {};  // at the start; empty until they are known
};

/// What a formula sees of such a member; what needs the motion itself is not a number here.
struct StartWorld {
  const std::vector<double>& parameters;
  const std::vector<double>& coordinates;
  double t;
  const std::vector<double>& velocities = none;
  double atom = 0;

  double symbol(expression::Symbol s) const;
  double history(const expression::Node&) const;

  static const std::vector<double> none;
};

/// What g of a contact is divided by to be a length, where |∇g| is its steepness: the scale of the normal row (O7).
double scale_of(const Scenario& scenario, const Contact& contact, double steepness);

/// Does [start] settle = true put right what a start of this size, |q| or |v|, misses by so much?
bool is_within_settling(double distance, double size);

/// What is allowed at the start of what is off by `distance`; and what settling does, or does not, about it. `symbol`:
/// "q", or of velocities "v".
std::string describe_allowed(const Scenario& scenario, double distance, double size, char symbol);

/// What members meet, grouped by where and what: one line for all that meet it.
class Findings {
 public:
  explicit Findings(const Scenario& scenario) : scenario_(scenario) {}

  struct What {
    std::string kind;  // tells findings at one place apart
    Status status;     // of a member that meets it; ok: harmless
    bool certain;      // no varied parameter has a part in it
    std::string message;
  };
  void note(const TriedMember& member, const Formula& formula, expression::Span span, const What& what);

  /// At the whole formula.
  void note(const TriedMember& member, const Formula& formula, const What& what) {
    note(member, formula, {0, formula.text.size()}, what);
  }

  /// An error where every member meets it and stops; else a warning with how many of the first `tried` do.
  void report(const Source& source, std::int64_t tried, Faults& problems) const;

 private:
  struct Finding {
    const Formula* formula;
    expression::Span span;
    What what;  // of the first member
    std::int64_t count = 0;
    std::int64_t last = -1;  // member counted last: many instants of one past are one member
  };
  std::string described(const TriedMember& member) const;

  const Scenario& scenario_;
  std::map<std::tuple<int, int, int, std::string>, Finding> list_;
};

}  // namespace conesweep::scenario
