#include "model/laws_text.hpp"

#include <algorithm>

#include "expression/calculus.hpp"
#include "model/algebra.hpp"
#include "model/contact_geometry.hpp"
#include "model/formula.hpp"
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
using scenario::Contact;
using scenario::ContactNumber;

bool has_restitution(const Contact& contact) {
  return contact.restitution && !is_zero(fold(contact.restitution->tree));
}

// a particle that is solved by itself in closed form
bool is_alone(const scenario::Problem& problem) { return !is_coupled(problem); }
bool is_second(const scenario::Problem& problem) { return problem.order == 2; }

// numbers that give some contact a law of its own
std::vector<ContactNumber> find_own_laws(const scenario::Problem& problem) {
  std::vector<ContactNumber> found;
  scenario::for_each_own_law([&](const ContactNumber& number) {
    if (std::any_of(problem.contacts.begin(), problem.contacts.end(),
                    [&](const Contact& contact) { return number.is_of(contact); }))
      found.push_back(number);
  });
  return found;
}

// is the normal along this axis?
bool is_unit(const Expr& component) {
  return component->op == Op::constant && (component->value == 1 || component->value == -1);
}

// one contact's part in the functions of all
class ContactWriter {
 public:
  ContactWriter(Draft& draft, const Contact& contact)
      : draft_(draft),
        contact_(contact),
        gradient_(gradient_of(contact.g, draft.problem.dimension())),
        n_(find_normal(gradient_)),
        w_(draft.locals.vector("w")) {}

  std::string constraint() { return with_arrays(returned(draft_.in_arrays(), fold(contact_.g))); }
  std::string steepness() {
    return with_arrays(returned(draft_.in_arrays(), steepness_of(contact_, draft_.problem.dimension())));
  }
  // of which the sign is asked
  std::string constraint_rate() {
    return with_arrays(returned(draft_.in_arrays(), dot(take_out_power(gradient_).parts, w_)));
  }
  std::string along_normal() { return with_arrays(returned(draft_.in_arrays(), dot(n_, w_))); }

  // w = w_n n + w_t
  std::string split() {
    Emitter parts = draft_.in_arrays();
    parts.assign("w_n", dot(n_, w_));
    const Expr w_n = draft_.locals.leaf("w_n");
    std::vector<Emitter::Assignment> tangential;
    for (std::size_t c = 0; c < n_.size(); ++c)
      tangential.push_back({"w_t[" + std::to_string(c) + "]",
                            is_unit(n_[c]) ? make_constant(0) : expression::simplify(minus(w_[c], times(w_n, n_[c])))});
    parts.assign(tangential);
    parts.assign("slip_speed", length_of(tangential_parts(draft_.locals.vector("w_t"))));
    return with_arrays(parts.text());
  }

  // v = v_t + v_n n
  std::string join() {
    Emitter whole = draft_.in_arrays();
    const auto v_t = draft_.locals.vector("v_t");
    const bool some_tangential = !tangential_parts(v_t).empty();
    const Expr v_n = has_restitution(contact_) ? draft_.locals.leaf("v_n") : make_constant(0);
    std::vector<Emitter::Assignment> velocity;
    for (std::size_t c = 0; c < n_.size(); ++c) {
      // along the normal v_t is 0; but a NaN in it (a bad friction) must not be lost where nothing else is tangential
      const Expr tangential = is_unit(n_[c]) && some_tangential ? make_constant(0) : v_t[c];
      velocity.push_back({"v[" + std::to_string(c) + "]", expression::simplify(sum(tangential, times(v_n, n_[c])))});
    }
    whole.assign(velocity);
    return with_arrays(whole.text(), "(void)v_t, (void)v_n;");
  }

  // (P13) the wall's own velocity over a step: that of its normal motion, so that g stays as it is, and of its material
  // along it
  std::string wall_velocity() {
    const Expr t_next = draft_.locals.leaf("t_next"), h = draft_.locals.leaf("h");
    const auto later = [&](const Expr& tree) {
      return rewrite(tree, [&](const Expr& e) -> Expr {
        return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::time ? t_next : nullptr;
      });
    };
    Emitter wall = draft_.in_arrays();
    Expr along = make_constant(0), across = make_constant(0);  // along the normal; of the belt
    if (contact_.wall_moves()) {
      const Expr over =
          make_node(Op::divide, {minus(later(fold(contact_.g)), fold(contact_.g)), times(h, length_of(gradient_))});
      if (!locates(draft_.problem)) {
        wall.assign("const Real u_n", over);
      } else {
        // where an impact is located there is no length: the derivative
        wall.assign("const Real over", over);
        wall.assign("const Real at",
                    make_node(Op::divide,
                              {expression::differentiate(contact_.g, {Symbol::Kind::time, 0}), length_of(gradient_)}));
        const Expr is_long = make_node(Op::greater, {h, make_constant(0)});
        wall.assign("const Real u_n",
                    make_node(Op::choose, {is_long, draft_.locals.leaf("over"), draft_.locals.leaf("at")}));
      }
      along = draft_.locals.leaf("u_n");
    }
    std::vector<Expr> belt(n_.size(), make_constant(0));
    for (std::size_t c = 0; c < contact_.belt.size(); ++c) belt[c] = later(fold(contact_.belt[c].tree));
    if (!contact_.belt.empty()) {
      wall.assign("const Real across", dot(n_, belt));
      across = draft_.locals.leaf("across");
    }
    std::vector<Emitter::Assignment> velocity;
    for (std::size_t c = 0; c < n_.size(); ++c)
      velocity.push_back(
          {"u[" + std::to_string(c) + "]", expression::simplify(sum(belt[c], times(minus(along, across), n_[c])))});
    wall.assign(velocity);
    return with_arrays(wall.text(), "(void)t_next, (void)h;");
  }

  // (A4) ġ and g̈ of what moves with the velocity w and the acceleration f
  std::string closing_speed() { return with_arrays(returned(draft_.in_arrays(), expression::simplify(rate()))); }
  std::string closing_acceleration() {
    const auto f = draft_.locals.vector("f");
    const Expr first = rate();
    Expr all = expression::differentiate(first, {Symbol::Kind::time, 0});
    for (std::size_t c = 0; c < gradient_.size(); ++c) {
      const Symbol coordinate{Symbol::Kind::coordinate, static_cast<int>(c)};
      all = sum(all, sum(times(expression::differentiate(first, coordinate), w_[c]), times(gradient_[c], f[c])));
    }
    return with_arrays(returned(draft_.in_arrays(), expression::simplify(all)), "(void)w, (void)f;");
  }
  std::string normal() {
    Emitter parts = draft_.in_arrays();
    std::vector<Emitter::Assignment> components;
    for (std::size_t c = 0; c < n_.size(); ++c) components.push_back({"n[" + std::to_string(c) + "]", n_[c]});
    parts.assign(components);
    return with_arrays(parts.text());
  }

  std::string friction() {
    const bool angle = contact_.friction_law == scenario::FrictionLaw::angle;
    return returned_in_range(draft_, contact_.friction,
                             angle ? "tan(law::check_angle(%))" : "law::check_coefficient(%)");
  }
  // judged by the law, where it is used
  std::string own_law(const ContactNumber& number) { return returned_in_range(draft_, contact_.*number.formula, "%"); }
  std::string restitution() {
    return returned_in_range(draft_, has_restitution(contact_) ? contact_.restitution : std::nullopt,
                             "law::check_restitution(%)");
  }

 private:
  Expr rate() const {
    Expr all = expression::differentiate(contact_.g, {Symbol::Kind::time, 0});
    for (std::size_t c = 0; c < gradient_.size(); ++c) all = sum(all, times(gradient_[c], w_[c]));
    return all;
  }

  static std::string with_arrays(const std::string& body, const std::string& more = "") {
    return "      (void)q, (void)c, (void)t;" + more + "\n" + body;
  }

  // the components of a tangential vector that are not 0 for certain
  std::vector<Expr> tangential_parts(const std::vector<Expr>& vector) const {
    std::vector<Expr> parts;
    for (std::size_t c = 0; c < n_.size(); ++c)
      if (!is_unit(n_[c])) parts.push_back(vector[c]);
    return parts;
  }

  Draft& draft_;
  const Contact& contact_;
  std::vector<Expr> gradient_, n_, w_;
};

// The functions, in the order of the text; a contact's bodies are made in this order, too, and number its constants.
struct ContactFunction {
  std::string_view signature;
  std::string (ContactWriter::*write)();
  std::string (*choose)(std::string_view signature, const std::vector<std::string>& bodies);
  bool (*is_wanted)(const scenario::Problem& problem) = nullptr;  // none: always
};
constexpr ContactFunction functions[] = {
    {"Real constraint(const Real* q, const Real* c, Real t)", &ContactWriter::constraint, choose_by_number},
    {"Real steepness(const Real* q, const Real* c, Real t)", &ContactWriter::steepness, choose_by_number},
    {"Real constraint_rate(const Real* q, const Real* c, Real t, const Real* w)", &ContactWriter::constraint_rate,
     choose_by_number, is_alone},
    {"Real along_normal(const Real* q, const Real* c, Real t, const Real* w)", &ContactWriter::along_normal,
     choose_by_number, is_alone},
    {"void split(const Real* q, const Real* c, Real t, const Real* w, Real& w_n, Real* w_t, Real& slip_speed)",
     &ContactWriter::split, choose_by_number, is_alone},
    {"void join(const Real* q, const Real* c, Real t, const Real* v_t, Real v_n, Real* v)", &ContactWriter::join,
     choose_by_number, is_alone},
    {"void wall_velocity(const Real* q, const Real* c, Real t, Real t_next, Real h, Real* u)",
     &ContactWriter::wall_velocity, choose_by_number, is_alone},
    {"Real closing_speed(const Real* q, const Real* c, Real t, const Real* w)", &ContactWriter::closing_speed,
     choose_by_number, is_second},
    {"Real closing_acceleration(const Real* q, const Real* c, Real t, const Real* w, const Real* f)",
     &ContactWriter::closing_acceleration, choose_by_number, is_second},
    {"void normal(const Real* q, const Real* c, Real t, Real* n)", &ContactWriter::normal, choose_by_number, is_second},
    {"friction(const Node& n)", &ContactWriter::friction, choose_by_number_at_node},
    {"restitution(const Node& n)", &ContactWriter::restitution, choose_by_number_at_node},
};

}  // namespace

ContactTables tabulate_contacts(const scenario::Problem& problem) {
  ContactTables tables;
  for (const Contact& contact : problem.contacts) {
    const auto gradient =
        contact.point.empty() ? gradient_of(contact.g, problem.dimension()) : gradient_in_space(contact);
    const bool constant =
        std::all_of(gradient.begin(), gradient.end(), [](const Expr& e) { return e->op == Op::constant; });
    tables.rebounds.push_back(has_restitution(contact) ? 1 : 0);
    tables.moves.push_back(contact.moves() ? 1 : 0);
    tables.constant_gradient.push_back(constant ? 1 : 0);
    tables.defined_everywhere.push_back(constant && is_polynomial(contact.g) ? 1 : 0);
  }
  return tables;
}

std::string write_contacts(Draft& draft) {
  const std::vector<ContactNumber> own_laws = find_own_laws(draft.problem);
  // [function][contact], [own law][contact]
  std::vector<std::vector<std::string>> bodies(std::size(functions)), own_bodies(own_laws.size());
  const auto is_left_out = [&](const ContactFunction& function) {
    return function.is_wanted != nullptr && !function.is_wanted(draft.problem);
  };
  for (const Contact& contact : draft.problem.contacts) {
    ContactWriter writer(draft, contact);
    for (std::size_t f = 0; f < bodies.size(); ++f)
      if (!is_left_out(functions[f])) bodies[f].push_back((writer.*functions[f].write)());
    for (std::size_t k = 0; k < own_laws.size(); ++k) own_bodies[k].push_back(writer.own_law(own_laws[k]));
  }
  std::string text = own_laws.empty() ? "" : "  using OwnLaws = void;\n\n";
  for (std::size_t f = 0; f < bodies.size(); ++f)
    if (!is_left_out(functions[f])) text += functions[f].choose(functions[f].signature, bodies[f]);
  for (std::size_t k = 0; k < own_laws.size(); ++k)
    text += choose_by_number_at_node(std::string(own_laws[k].key) + "(const Node& n)", own_bodies[k]);
  return text;
}

}  // namespace conesweep::model
