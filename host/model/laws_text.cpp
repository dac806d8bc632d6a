#include "model/laws_text.hpp"

#include <algorithm>

#include "expression/calculus.hpp"
#include "model/algebra.hpp"
#include "model/formula.hpp"
#include "model/text.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::Op;
using expression::Symbol;
using scenario::Contact;

bool has_restitution(const Contact& contact) { return contact.restitution && !is_zero(fold(contact.restitution->tree)); }

std::vector<Expr> find_gradient(const Contact& contact, int dimension) {
  std::vector<Expr> parts;
  for (int c = 0; c < dimension; ++c) parts.push_back(expression::differentiate(contact.g, {Symbol::Kind::coordinate, c}));
  return parts;
}

// the inward normal -∇g / |∇g|; of a wall along an axis exactly ±1
std::vector<Expr> find_normal(const std::vector<Expr>& gradient) {
  const Expr inverse = make_node(Op::divide, {make_constant(1), length_of(gradient)});  // one division for all components
  std::vector<Expr> n;
  int parts = 0;
  for (const Expr& e : gradient) parts += is_zero(e) ? 0 : 1;
  for (const Expr& e : gradient) {
    const Expr inward = make_node(Op::negate, {e});
    n.push_back(expression::simplify(parts == 1 && !is_zero(e) ? make_node(Op::sign, {inward}) : times(inward, inverse)));
  }
  return n;
}

// is the normal along this axis?
bool is_unit(const Expr& component) { return component->op == Op::constant && (component->value == 1 || component->value == -1); }

// one contact's part in the functions of all
class ContactWriter {
 public:
  ContactWriter(Draft& draft, const Contact& contact)
      : draft_(draft),
        contact_(contact),
        gradient_(find_gradient(contact, draft.scenario.dimension())),
        n_(find_normal(gradient_)),
        w_(draft.locals.vector("w")) {}

  std::string constraint() { return with_arrays(returned(draft_.in_arrays(), fold(contact_.g))); }
  std::string steepness() { return with_arrays(returned(draft_.in_arrays(), length_of(gradient_))); }
  std::string constraint_rate() { return with_arrays(returned(draft_.in_arrays(), dot(gradient_, w_))); }
  std::string along_normal() { return with_arrays(returned(draft_.in_arrays(), dot(n_, w_))); }

  // w = w_n n + w_t
  std::string split() {
    Emitter parts = draft_.in_arrays();
    parts.assign("w_n", dot(n_, w_));
    const Expr w_n = draft_.locals.leaf("w_n");
    std::vector<Emitter::Assignment> tangential;
    for (std::size_t c = 0; c < n_.size(); ++c)
      tangential.push_back({"w_t[" + std::to_string(c) + "]", is_unit(n_[c]) ? make_constant(0) : expression::simplify(minus(w_[c], times(w_n, n_[c])))});
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

  std::string friction() {
    const bool angle = contact_.friction_law == scenario::FrictionLaw::angle;
    return limited(contact_.friction, angle ? "tan(law::check_angle(%))" : "law::check_coefficient(%)");
  }
  std::string restitution() { return limited(has_restitution(contact_) ? contact_.restitution : std::nullopt, "law::check_restitution(%)"); }

 private:
  static std::string with_arrays(const std::string& body, const std::string& more = "") { return "      (void)q, (void)c;" + more + "\n" + body; }

  // the components of a tangential vector that are not 0 for certain
  std::vector<Expr> tangential_parts(const std::vector<Expr>& vector) const {
    std::vector<Expr> parts;
    for (std::size_t c = 0; c < n_.size(); ++c)
      if (!is_unit(n_[c])) parts.push_back(vector[c]);
    return parts;
  }

  // a number with an allowed range, checked by `wrapper`; none: 0
  std::string limited(const std::optional<scenario::Formula>& formula, const std::string& wrapper) {
    if (!formula) return "      return Real(0);\n";
    const Expr expr = draft_.lowering.lower(formula->tree);
    if (is_of_parameters(expr)) return "      return n.c[" + std::to_string(draft_.constants.place_of(expr, wrapper)) + "];\n";
    Emitter emitter = draft_.at_node();
    emitter.assign("const Real x", expr);
    return emitter.text() + "      return " + call(wrapper, "x") + ";\n";
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
};
constexpr ContactFunction functions[] = {
    {"Real constraint(const Real* q, const Real* c)", &ContactWriter::constraint, choose_by_number},
    {"Real steepness(const Real* q, const Real* c)", &ContactWriter::steepness, choose_by_number},
    {"Real constraint_rate(const Real* q, const Real* c, const Real* w)", &ContactWriter::constraint_rate, choose_by_number},
    {"Real along_normal(const Real* q, const Real* c, const Real* w)", &ContactWriter::along_normal, choose_by_number},
    {"void split(const Real* q, const Real* c, const Real* w, Real& w_n, Real* w_t, Real& slip_speed)", &ContactWriter::split, choose_by_number},
    {"void join(const Real* q, const Real* c, const Real* v_t, Real v_n, Real* v)", &ContactWriter::join, choose_by_number},
    {"friction(const Node& n)", &ContactWriter::friction, choose_by_number_at_node},
    {"restitution(const Node& n)", &ContactWriter::restitution, choose_by_number_at_node},
};

}  // namespace

ContactTables tabulate_contacts(const scenario::Scenario& scenario) {
  ContactTables tables;
  for (const Contact& contact : scenario.contacts) {
    const auto gradient = find_gradient(contact, scenario.dimension());
    const bool constant = std::all_of(gradient.begin(), gradient.end(), [](const Expr& e) { return e->op == Op::constant; });
    tables.rebounds.push_back(has_restitution(contact) ? 1 : 0);
    tables.constant_gradient.push_back(constant ? 1 : 0);
    tables.defined_everywhere.push_back(constant && is_polynomial(contact.g) ? 1 : 0);
  }
  return tables;
}

std::string write_contacts(Draft& draft) {
  std::vector<std::vector<std::string>> bodies(std::size(functions));  // [function][contact]
  for (const Contact& contact : draft.scenario.contacts) {
    ContactWriter writer(draft, contact);
    for (std::size_t f = 0; f < bodies.size(); ++f) bodies[f].push_back((writer.*functions[f].write)());
  }
  std::string text;
  for (std::size_t f = 0; f < bodies.size(); ++f) text += functions[f].choose(functions[f].signature, bodies[f]);
  return text;
}

}  // namespace conesweep::model
