#pragma once

#include <optional>
#include <string>
#include <vector>

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
