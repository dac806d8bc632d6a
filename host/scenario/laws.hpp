#pragma once

#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <conesweep/state/status.hpp>

#include "expression/tree.hpp"
#include "scenario/source.hpp"

namespace conesweep::scenario {

/// An expression as the user wrote it, and its tree.
struct Formula {
  std::string text;
  expression::Expr tree;
  FilePlace quote;  // where its string begins in the file; {0, 0} if it came from elsewhere
};

// The laws of a model (B): contacts, bilateral constraints, resistances. Each has a name, and all together are
// numbered: contacts first, then bilateral constraints, then resistances, in file order. normal(…) and slip(…) are
// symbols with this number.

enum class FrictionLaw { none, angle, coefficient };

/// One unilateral constraint g(q, t) <= 0 with Coulomb friction.
struct Contact {
  std::string name;
  Formula inside;      // the inequality; with t in it the wall moves (P13)
  expression::Expr g;  // its two sides as g <= 0 (the admissible set), in the coordinates
  FrictionLaw friction_law = FrictionLaw::none;
  std::optional<Formula> friction;     // angle alpha in radians, or coefficient mu = tan alpha
  std::optional<Formula> restitution;  // e of (P12); none: 0
  // velocity of the wall's material (P13): one entry a coordinate, a direction of the point's space, or a slip row;
  // empty: 0
  std::vector<Formula> belt;

  // where and along what it touches (B8); with neither it is a particle, or with a mass a plain row
  // the place of contact in the plane or in space, of the coordinates; empty: none
  std::vector<Formula> point = {};
  expression::Expr in_space = nullptr;   // with a point: g of the place; its coordinates are the point's, by number
  std::vector<Formula> slip = {};        // sliding velocities, affine in the velocities; empty: none
  bool persistent = false;               // (T)
  std::optional<Formula> cohesion = {};  // a force, (H); none: 0

  bool wall_moves() const {
    return g && expression::any_node(g, [](const expression::Node& n) { return is_time(n); });
  }
  bool moves() const { return !belt.empty() || wall_moves(); }

 private:
  static bool is_time(const expression::Node& n) {
    return n.op == expression::Op::symbol && n.symbol.kind == expression::Symbol::Kind::time;
  }
};

/// A number of a contact that is written as a formula, >= 0. Reading, writing, ranges, what is coupled, theorems and
/// the generator go through their list.
struct ContactNumber {
  std::string_view key;                      // in the file and in messages
  std::optional<Formula> Contact::*formula;  // none: 0
  FrictionLaw friction_law;                  // of two keys for one number: as what it is written; none: it has one
  double upper;                              // of its range
  bool upper_open;
  std::string_view range;              // for people
  state::Status status;                // of a member in which it leaves its range
  std::string_view beside_persistent;  // why a contact that persists has none, and what to do; "": it may have it
  // the law that the number gives the contact in place of Coulomb's: the word for it of law::Kind, which asks the model
  // for the number by its key (include/conesweep/law); "": none
  std::string_view law = {};

  bool is_of(const Contact& contact) const {
    return (contact.*formula).has_value() &&
           (friction_law == FrictionLaw::none || friction_law == contact.friction_law);
  }
};
inline constexpr double no_end = std::numeric_limits<double>::infinity();
inline constexpr ContactNumber contact_numbers[] = {
    {"friction_angle", &Contact::friction, FrictionLaw::angle, std::numbers::pi / 2, true,
     "0 <= friction_angle < pi/2 (in radians)", state::Status::bad_angle, ""},
    {"friction", &Contact::friction, FrictionLaw::coefficient, no_end, true, "friction >= 0", state::Status::bad_angle,
     ""},
    {"restitution", &Contact::restitution, FrictionLaw::none, 1, false, "0 <= restitution <= 1",
     state::Status::bad_restitution, "it never opens by itself, so there is nothing to bounce; leave restitution out"},
    {"cohesion", &Contact::cohesion, FrictionLaw::none, no_end, true, "cohesion >= 0", state::Status::bad_limit,
     "it is lost where it would have to pull, so it has no cohesion; leave one of the two out", "cohesive"},
};

/// Numbers that give a contact a law of its own; visit(ContactNumber).
template <class Visit>
void for_each_own_law(const Visit& visit) {
  for (const ContactNumber& number : contact_numbers)
    if (!number.law.empty()) visit(number);
}

/// Has it a law of its own, in place of Coulomb's?
inline bool has_own_law(const Contact& contact) {
  bool some = false;
  for_each_own_law([&](const ContactNumber& number) { some = some || number.is_of(contact); });
  return some;
}

/// A firm row: φ(q, t) = 0, or a(q)·v = c(q, t), affine in the velocities. With friction it is a guide (G): Coulomb's
/// law with |rₙ|.
struct Bilateral {
  std::string name;
  bool holonomic = true;                 // written as `holds`, or else as `velocity`
  Formula equation;                      // as written, with its = sign; its tree is that of `value`
  expression::Expr value;                // left side minus right side
  std::optional<Formula> friction = {};  // coefficient mu of a guide; none: nothing rubs
  std::vector<Formula> slip = {};        // its sliding velocities, affine in the velocities; empty: none

  bool is_guide() const { return friction.has_value(); }
};

/// Impulses at given times (B6): atom j = 1 … count at `time` of size `size`, expressions of parameters and of j.
struct Percussions {
  Formula time, size, count;
  std::optional<Formula> limit;  // of the atoms alone; none: the resistance's
};

/// Dry friction with a given limit: λ in a set, maximal dissipation of the sliding velocity slip - drive.
struct Resistance {
  std::string name;
  std::vector<Formula> slip;   // affine in the velocities; one: an interval, two or three: a ball
  std::vector<Formula> drive;  // one a slip row; empty: 0
  std::vector<Formula> limit;  // one: |λ|/h <= limit; two, of an interval: its ends
  std::optional<Percussions> percussions;
};

/// What is observed of one contact where `also` asks for it: impulse.<name>, lost.<name>.
struct LawQuantity {
  enum class Kind { impulse, loss };
  Kind kind = Kind::impulse;
  int law = 0;
};

}  // namespace conesweep::scenario
