#include "model/coupled_text.hpp"

#include <cmath>

#include "expression/calculus.hpp"
#include "model/algebra.hpp"
#include "model/contact_geometry.hpp"
#include "model/formula.hpp"
#include "model/law_counts.hpp"
#include "model/rewrite.hpp"
#include "model/text.hpp"
#include "scenario/islands.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::Op;
using expression::Symbol;
using scenario::Bilateral;
using scenario::Contact;
using scenario::ContactKind;
using scenario::Formula;
using scenario::Problem;
using scenario::Resistance;

// a value and its gradient with respect to the velocities, at v = 0: affine = rest + row·v
struct Affine {
  std::vector<Expr> row;
  Expr rest;
};

Affine split_affine(const Expr& tree, int dimension) {
  Affine parts;
  for (int c = 0; c < dimension; ++c) parts.row.push_back(expression::differentiate(tree, {Symbol::Kind::velocity, c}));
  parts.rest = expression::simplify(rewrite(tree, [](const Expr& e) -> Expr {
    return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::velocity ? make_constant(0) : nullptr;
  }));
  return parts;
}

// Writes functions of plain arrays q, c and t (and what else they name), body by body.
class CoupledWriter {
 public:
  explicit CoupledWriter(Draft& draft)
      : draft_(draft), scenario_(draft.problem), dimension_(draft.problem.dimension()) {}

  std::string write() {
    std::string text;
    if (scenario_.contacts.size() > 1 || is_coupled(scenario_) || scenario_.settle) text += contact_functions();
    if (is_coupled(scenario_))
      text += depth_scales() + firm_functions() + guide_functions() + resistance_functions() + mass_functions();
    else if (scenario_.settle)
      text += depth_scales();
    if (count_persistent(scenario_) > 0 || scenario_.settle) text += gap_functions();
    return text;
  }

 private:
  using Bodies = std::vector<std::string>;

  std::string contact_functions() {
    Bodies inward, jacobian, slip_rows, belt, wall_speed;
    for (const Contact& contact : scenario_.contacts) {
      const ContactKind kind = kind_of(scenario_, contact);
      inward.push_back(assigned("n", inward_of(scenario_, contact)));
      std::vector<Expr> entries;
      for (const Formula& place : contact.point)
        for (const Expr& part : gradient_of(place.tree, dimension_)) entries.push_back(part);
      jacobian.push_back(assigned("j", entries));
      std::vector<Expr> rows, drives;
      for (const Formula& slip : contact.slip) {
        const Affine affine = split_affine(slip.tree, dimension_);
        rows.insert(rows.end(), affine.row.begin(), affine.row.end());
        drives.push_back(expression::simplify(minus(make_constant(0), affine.rest)));
      }
      slip_rows.push_back(assigned("rows", rows));
      if (kind != ContactKind::slip)
        drives.assign(
            static_cast<std::size_t>(contact.point.empty() ? dimension_ : static_cast<int>(contact.point.size())),
            make_constant(0));
      for (std::size_t k = 0; k < contact.belt.size(); ++k)
        drives[k] = expression::simplify(sum(drives[k], contact.belt[k].tree));
      belt.push_back(assigned("u", drives));
      wall_speed.push_back(wall_speed_of(contact));
    }
    return choose_by_number("void inward(const Real* q, const Real* c, Real t, Real* n)", inward) +
           choose_by_number("void jacobian(const Real* q, const Real* c, Real t, Real* j)", jacobian) +
           choose_by_number("void slip_rows(const Real* q, const Real* c, Real t, Real* rows)", slip_rows) +
           choose_by_number("void belt(const Real* q, const Real* c, Real t, Real* u)", belt) +
           choose_by_number("Real wall_speed(const Real* q, const Real* c, Real t, Real t_next, Real h)", wall_speed);
  }

  std::string depth_scales() {
    Bodies bodies;
    for (const Contact& contact : scenario_.contacts) {
      const ContactKind kind = kind_of(scenario_, contact);
      const bool as_written = kind == ContactKind::slip || kind == ContactKind::row;
      bodies.push_back(
          with_arrays(returned(draft_.in_arrays(), as_written ? make_constant(1) : steepness_of(contact, dimension_))));
    }
    return choose_by_number("Real depth_scale(const Real* q, const Real* c, Real t)", bodies);
  }

  // The size of g's terms, of a contact that is held (B5) or that a start is put on; and of a persistent one (T) what
  // the velocity itself adds to its normal acceleration, (∂A_n/∂q·v)v (T2), with A_n = -∇g over its scale
  std::string gap_functions() {
    const auto velocity = [](int c) { return expression::make_symbol({Symbol::Kind::velocity, c}); };
    Bodies terms, turning;
    for (const Contact& contact : scenario_.contacts) {
      const ContactKind kind = kind_of(scenario_, contact);
      const bool as_written = kind == ContactKind::slip || kind == ContactKind::row;
      terms.push_back(with_arrays(returned(
          draft_.in_arrays(), contact.persistent || scenario_.settle ? size_of_terms(contact.g) : make_constant(0))));
      Expr along = make_constant(0), total = make_constant(0);
      const std::vector<Expr> gradient = gradient_of(contact.g, dimension_);
      for (int c = 0; c < dimension_; ++c)
        along = minus(along, times(gradient[static_cast<std::size_t>(c)], velocity(c)));
      if (!as_written) along = make_node(Op::divide, {along, steepness_of(contact, dimension_)});
      const std::vector<Expr> rate = gradient_of(expression::simplify(along), dimension_);
      for (int c = 0; c < dimension_; ++c) total = sum(total, times(rate[static_cast<std::size_t>(c)], velocity(c)));
      Emitter emitter = draft_.at_node();
      emitter.assign("a", contact.persistent ? expression::simplify(total) : make_constant(0));
      turning.push_back(emitter.text());
    }
    return choose_by_number("Real gap_terms(const Real* q, const Real* c, Real t)", terms) +
           choose_by_number_at_node("turning(const Node& n, typename Node::Number& a)", turning);
  }

  // of the wall along its inward normal (P13); as the normal row is written, so is this
  std::string wall_speed_of(const Contact& contact) {
    const ContactKind kind = kind_of(scenario_, contact);
    const bool as_written = kind == ContactKind::slip || kind == ContactKind::row;
    if (!contact.wall_moves()) return with_arrays("      (void)t_next, (void)h;\n      return Real(0);\n");
    return quotient(contact.g, as_written ? make_constant(1) : steepness_of(contact, dimension_), false);
  }

  // (value(t_next) - value(t)) / (h scale), without length the derivative; negative: with the other sign
  std::string quotient(const Expr& value, const Expr& scale, bool negative) {
    const Expr h = draft_.locals.leaf("h");
    const Expr change = minus(fold(later(value)), fold(value));
    const Expr rate = expression::differentiate(value, {Symbol::Kind::time, 0});
    Emitter emitter = draft_.in_arrays();
    emitter.assign("const Real over", make_node(Op::divide, {change, times(h, scale)}));
    emitter.assign("const Real at", make_node(Op::divide, {rate, scale}));
    return with_arrays(emitter.text() + "      const Real speed = select(h > Real(0), over, at);\n      return " +
                       (negative ? "-speed" : "speed") + ";\n");
  }

  Expr later(const Expr& tree) {
    const Expr t_next = draft_.locals.leaf("t_next");
    return rewrite(tree, [&](const Expr& e) -> Expr {
      return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::time ? t_next : nullptr;
    });
  }

  std::string firm_functions() {
    Bodies row, drive, value, terms;
    for (const Bilateral& bilateral : scenario_.bilaterals) {
      if (bilateral.holonomic) {
        row.push_back(assigned("b", gradient_of(bilateral.value, dimension_)));
        const bool moves = expression::any_node(bilateral.value, [](const expression::Node& n) {
          return n.op == Op::symbol && n.symbol.kind == Symbol::Kind::time;
        });
        drive.push_back(moves ? quotient(bilateral.value, make_constant(1), true)
                              : with_arrays("      (void)t_next, (void)h;\n      return Real(0);\n"));
        value.push_back(with_arrays(returned(draft_.in_arrays(), fold(bilateral.value))));
        terms.push_back(with_arrays(returned(draft_.in_arrays(), size_of_terms(bilateral.value))));
      } else {
        const Affine affine = split_affine(bilateral.value, dimension_);
        row.push_back(assigned("b", affine.row));
        const Expr rest = expression::simplify(make_node(Op::negate, {later(affine.rest)}));
        drive.push_back(with_arrays("      (void)t_next, (void)h;\n" + returned(draft_.in_arrays(), rest)));
        value.push_back(with_arrays("      return Real(0);\n"));
        terms.push_back(with_arrays("      return Real(0);\n"));
      }
    }
    return choose_by_number("void firm_row(const Real* q, const Real* c, Real t, Real* b)", row) +
           choose_by_number("Real firm_drive(const Real* q, const Real* c, Real t, Real t_next, Real h)", drive) +
           choose_by_number("Real firm_value(const Real* q, const Real* c, Real t)", value) +
           choose_by_number("Real firm_terms(const Real* q, const Real* c, Real t)", terms);
  }

  std::string guide_functions() {
    if (count_guides(scenario_) == 0) return {};
    Bodies rows, drive, friction;
    for (const Bilateral& bilateral : scenario_.bilaterals) {
      const Sliding sliding = find_sliding(bilateral.slip, {});
      rows.push_back(assigned("rows", sliding.rows));
      drive.push_back(assigned("u", sliding.drives));
      friction.push_back(returned_in_range(draft_, bilateral.friction, "law::check_coefficient(%)"));
    }
    return choose_by_number("void guide_rows(const Real* q, const Real* c, Real t, Real* rows)", rows) +
           choose_by_number("void guide_drive(const Real* q, const Real* c, Real t, Real* u)", drive) +
           choose_by_number_at_node("guide_friction(const Node& n)", friction);
  }

  // Σ |term| of a sum: what its rounding is measured by
  static Expr size_of_terms(const Expr& tree) {
    if (tree->op == Op::add || tree->op == Op::subtract)
      return sum(size_of_terms(tree->args[0]), size_of_terms(tree->args[1]));
    if (tree->op == Op::negate) return size_of_terms(tree->args[0]);
    // a square is its own size, and so the same number as in the sum
    if (tree->op == Op::power && tree->args[1]->op == Op::constant && std::fmod(tree->args[1]->value, 2) == 0)
      return tree;
    return make_node(Op::abs, {tree});
  }

  // Sliding velocities as rows, and what they stick at.
  struct Sliding {
    std::vector<Expr> rows, drives;
  };
  Sliding find_sliding(const std::vector<Formula>& slip, const std::vector<Formula>& drive) const {
    Sliding sliding;
    for (std::size_t k = 0; k < slip.size(); ++k) {
      const Affine affine = split_affine(slip[k].tree, dimension_);
      sliding.rows.insert(sliding.rows.end(), affine.row.begin(), affine.row.end());
      const Expr given = drive.empty() ? make_constant(0) : drive[k].tree;
      sliding.drives.push_back(expression::simplify(minus(given, affine.rest)));
    }
    return sliding;
  }

  std::string resistance_functions() {
    Bodies rows, drive, limit, impulse;
    for (const Resistance& resistance : scenario_.resistances) {
      impulse.push_back(most_impulse_of(resistance));
      const Sliding sliding = find_sliding(resistance.slip, resistance.drive);
      rows.push_back(assigned("rows", sliding.rows));
      drive.push_back(assigned("u", sliding.drives));
      limit.push_back(limit_of(resistance));
    }
    return choose_by_number("void resistance_rows(const Real* q, const Real* c, Real t, Real* rows)", rows) +
           choose_by_number("void resistance_drive(const Real* q, const Real* c, Real t, Real* u)", drive) +
           choose_by_number_at_node("limit(const Node& n, typename Node::Number& low, typename Node::Number& high)",
                                    limit) +
           choose_by_number_at_node("most_impulse(const Node& n, typename Node::Number h, typename Node::Number& high)",
                                    impulse) +
           percussion_functions();
  }

  std::string percussion_functions() {
    if (count_families(scenario_) == 0) return {};
    Bodies time, size, count, limit;
    for (const Resistance& resistance : scenario_.resistances) {
      const auto body = [&](const Formula& formula) { return returned(draft_.in_arrays(), fold(formula.tree)); };
      const std::string none = "      return Real(0);\n";
      time.push_back("      (void)c, (void)j;\n" +
                     (resistance.percussions ? body(resistance.percussions->time) : none));
      size.push_back("      (void)c, (void)j;\n" +
                     (resistance.percussions ? body(resistance.percussions->size) : none));
      count.push_back("      (void)c;\n" + (resistance.percussions ? body(resistance.percussions->count) : none));
      Resistance at_atoms = resistance;
      if (resistance.percussions && resistance.percussions->limit) at_atoms.limit = {*resistance.percussions->limit};
      limit.push_back(limit_of(at_atoms));
    }
    return choose_by_number("Real percussion_time(const Real* c, Real j)", time) +
           choose_by_number("Real percussion_size(const Real* c, Real j)", size) +
           choose_by_number("Real percussion_count(const Real* c)", count) +
           choose_by_number_at_node(
               "percussion_limit(const Node& n, typename Node::Number& low, typename Node::Number& high)", limit);
  }

  std::string limit_of(const Resistance& resistance) {
    Emitter emitter = draft_.at_node();
    const auto end = [&](const std::string& target, const Formula& formula) {
      if (const int sign = infinite_sign(formula); sign != 0)
        return "      " + target + " = " + (sign < 0 ? "-" : "") + "Real(infinity<Real>());\n";
      emitter.assign(target, draft_.lowering.lower(formula.tree));
      return std::string();
    };
    std::string infinite;
    if (resistance.limit.size() == 2) {
      infinite += end("low", resistance.limit[0]);
      infinite += end("high", resistance.limit[1]);
      return emitter.text() + infinite;
    }
    infinite += end("high", resistance.limit[0]);
    return emitter.text() + infinite + "      low = -high;\n";
  }

  // h times the limit, where it is one formula
  std::string most_impulse_of(const Resistance& resistance) {
    const std::string unused = "      (void)h;\n";
    if (resistance.limit.size() == 2) return unused + "      high = Real(0);\n";
    if (infinite_sign(resistance.limit[0]) != 0) return unused + "      high = Real(infinity<Real>());\n";
    Emitter emitter = draft_.at_node();
    const Expr limit = draft_.lowering.lower(resistance.limit[0].tree);
    emitter.assign("high", expression::simplify(scale_first(draft_.locals.leaf("h"), limit)));
    return emitter.text();
  }

  std::string mass_functions() {
    if (scenario_.mass.empty()) return {};
    const auto d = static_cast<std::size_t>(dimension_);
    const bool matrix = scenario_.mass.size() > d, dense = scenario::find_masses(scenario_).empty();
    // entry (i, j); 0 where a diagonal mass has none
    const auto entry = [&](std::size_t i, std::size_t j) -> Expr {
      if (matrix) return fold(scenario_.mass[i >= j ? i * d + j : j * d + i].tree);
      return i == j ? fold(scenario_.mass[i].tree) : make_constant(0);
    };
    std::vector<Emitter::Assignment> mass, inertia;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; dense && j <= i; ++j) mass.push_back({indexed("m", i * d + j), entry(i, j)});
      if (!dense) {
        const Expr root = make_node(Op::sqrt, {entry(i, i)});
        mass.push_back({indexed("root", i), root});
        mass.push_back({indexed("inverse", i), make_node(Op::divide, {make_constant(1), root})});
      }
      inertia.push_back({indexed("f", i), inertia_of(entry, i)});
    }
    Emitter masses = draft_.in_arrays("    "), forces = draft_.at_node("    ");
    masses.assign(mass);
    forces.assign(inertia);
    const std::string made = dense ? "mass(const Real* q, const Real* c, Real* m)"
                                   : "mass_roots(const Real* q, const Real* c, Real* root, Real* inverse)";
    return "  template <class Real>\n  static CS_INLINE void " + made +
           " {\n    using Scalar = ScalarOf<Real>;\n    (void)q, (void)c;\n" + masses.text() +
           "  }\n\n  template <class Node, class Real>\n  static CS_INLINE void inertia(const Node& n, Real* f) {\n    "
           "using Scalar = ScalarOf<Real>;\n    "
           "(void)n;\n" +
           forces.text() + "  }\n\n";
  }

  // D_i = Σ_jk [∂M_ij/∂q_k - ½ ∂M_jk/∂q_i] v_j v_k
  template <class Entry>
  Expr inertia_of(const Entry& entry, std::size_t i) const {
    const auto rate = [&](std::size_t a, std::size_t b, std::size_t k) {
      return expression::differentiate(entry(a, b), {Symbol::Kind::coordinate, static_cast<int>(k)});
    };
    const auto velocity = [](std::size_t k) {
      return expression::make_symbol({Symbol::Kind::velocity, static_cast<int>(k)});
    };
    const auto d = static_cast<std::size_t>(dimension_);
    Expr total = make_constant(0);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < d; ++k) {
        const Expr factor = expression::simplify(minus(rate(i, j, k), times(make_constant(0.5), rate(j, k, i))));
        if (!is_zero(factor)) total = sum(total, times(factor, times(velocity(j), velocity(k))));
      }
    }
    return expression::simplify(total);
  }

  static std::string with_arrays(const std::string& body) { return "      (void)q, (void)c, (void)t;\n" + body; }

  // name[0] = …; name[1] = …;
  std::string assigned(const std::string& name, const std::vector<Expr>& values) {
    std::vector<Emitter::Assignment> list;
    for (std::size_t k = 0; k < values.size(); ++k) list.push_back({indexed(name, k), values[k]});
    Emitter emitter = draft_.in_arrays();
    emitter.assign(list);
    return with_arrays("      (void)" + name + ";\n" + emitter.text());
  }

  Draft& draft_;
  const Problem& scenario_;
  int dimension_;
};

}  // namespace

std::string write_coupled(Draft& draft) { return CoupledWriter(draft).write(); }

}  // namespace conesweep::model
