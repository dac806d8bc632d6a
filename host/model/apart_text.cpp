#include "model/apart_text.hpp"

#include <algorithm>

#include "expression/calculus.hpp"
#include "expression/polynomial.hpp"
#include "model/algebra.hpp"
#include "model/contact_geometry.hpp"
#include "model/formula.hpp"
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
using scenario::ContactKind;
using scenario::Formula;
using scenario::Problem;

using Row = std::vector<Expr>;  // what a row is on each coordinate

// All rows of one law, and which of them have one response: with a normal row the others have their own.
struct LawRows {
  std::vector<Row> rows;
  bool has_normal_row = false;
  bool always_acts = false;  // a resistance: where its row does not vanish
};

class ApartWriter {
 public:
  explicit ApartWriter(Draft& draft)
      : draft_(draft), problem_(draft.problem), masses_(scenario::find_masses(problem_)) {
    for (Expr& mass : masses_) mass = fold(mass);
  }

  std::string write() {
    std::vector<std::string> velocity, response, change, inertia, push;
    const auto add = [&](const LawRows& law) {
      velocity.push_back(with_arrays(velocity_of(law)));
      response.push_back(with_arrays(response_of(law)));
      change.push_back(with_arrays(change_of(law)));
    };
    // a law that is never by itself has none
    const std::vector<bool> closed = find_closed();
    std::size_t law = 0;
    for (const Contact& contact : problem_.contacts) add(closed[law++] ? rows_of(contact) : LawRows());
    response.resize(law), change.resize(law), inertia.resize(law), push.resize(law);
    for (const scenario::Bilateral& bilateral : problem_.bilaterals) {
      const Row row = closed[law++] ? find_row(problem_, bilateral) : Row();
      velocity.push_back(with_arrays(firm_velocity_of(row)));
      inertia.push_back(with_arrays(inertia_of(row)));
      push.push_back(with_arrays(push_of(row)));
    }
    response.resize(law), change.resize(law);
    for (const scenario::Resistance& resistance : problem_.resistances)
      add(closed[law++] ? LawRows{slip_rows(resistance.slip), false, true} : LawRows());
    return choose_by_number("void row_velocity(const Real* q, const Real* c, Real t, const Real* v, Real* u)",
                            velocity) +
           choose_by_number("void row_response(const Real* q, const Real* c, Real t, Real* w)", response) +
           choose_by_number(
               "void row_change(const Real* q, const Real* c, Real t, const Real* u, const Real* old, "
               "const MaskOf<Real>* where, Real* v)",
               change) +
           (problem_.bilaterals.empty()
                ? std::string()
                : choose_by_number("void row_inertia(const Real* q, const Real* c, Real t, Real& m)", inertia) +
                      choose_by_number("void row_push(const Real* q, const Real* c, Real t, Real impulse, Real* v)",
                                       push)) +
           masses();
  }

 private:
  // laws that may be solved by themselves: always, resistances while no contact touches, and rows of bilateral
  // constraints that are orthogonal to those they meet
  std::vector<bool> find_closed() const {
    std::vector<bool> closed(problem_.names.laws.size(), false);
    for (const scenario::Island& island : find_islands(problem_)) {
      if (has_closed_form(problem_, island)) closed[law_numbers(problem_, island).front()] = true;
      if (has_orthogonal_rows(problem_, island))
        for (const std::size_t b : island.bilaterals)
          closed[static_cast<std::size_t>(problem_.law_of_bilateral(b))] = true;
    }
    for (std::size_t r = 0; r < problem_.resistances.size(); ++r)
      if (is_lone(problem_, r)) closed[static_cast<std::size_t>(problem_.law_of_resistance(r))] = true;
    return closed;
  }

  static std::string with_arrays(const std::string& body) { return "      (void)q, (void)c, (void)t;\n" + body; }

  std::vector<Row> slip_rows(const std::vector<Formula>& slip) const {
    std::vector<Row> rows;
    for (const Formula& formula : slip) {
      Row& row = rows.emplace_back();
      for (int c = 0; c < problem_.dimension(); ++c)
        row.push_back(expression::differentiate(formula.tree, {Symbol::Kind::velocity, c}));
    }
    return rows;
  }

  LawRows rows_of(const Contact& contact) const {
    const ContactKind kind = kind_of(problem_, contact);
    LawRows law;
    if (kind == ContactKind::point) {
      for (const Formula& part : contact.point) law.rows.push_back(gradient_of(part.tree, problem_.dimension()));
    } else if (kind == ContactKind::particle && contact.friction_law != scenario::FrictionLaw::none) {
      for (std::size_t k = 0; k < masses_.size(); ++k) {
        law.rows.emplace_back(masses_.size(), make_constant(0));
        law.rows.back()[k] = make_constant(1);
      }
    } else {
      law.rows = slip_rows(contact.slip);
      law.rows.insert(law.rows.begin(), inward_of(problem_, contact));
      law.has_normal_row = true;
    }
    return law;
  }

  std::string velocity_of(const LawRows& law) {
    std::vector<Expr> v;
    for (int c = 0; c < problem_.dimension(); ++c) v.push_back(expression::make_symbol({Symbol::Kind::velocity, c}));
    std::vector<Emitter::Assignment> list;
    for (std::size_t k = 0; k < law.rows.size(); ++k) list.push_back({indexed("u", k), dot(law.rows[k], v)});
    Emitter emitter = draft_.in_arrays();
    emitter.assign(list);
    return "      (void)v, (void)u;\n" + emitter.text();
  }

  // a·M⁻¹a
  Expr response_of(const Row& row) const {
    Expr total = make_constant(0);
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!is_zero(row[c])) total = sum(total, make_node(Op::divide, {times(row[c], row[c]), masses_[c]}));
    return expression::simplify(total);
  }

  std::string response_of(const LawRows& law) {
    if (law.rows.empty()) return "      (void)w;\n";
    const bool two = law.has_normal_row && law.rows.size() > 1;
    Emitter emitter = draft_.in_arrays();
    std::vector<Emitter::Assignment> list = {{"w[0]", response_of(law.rows[0])}};
    if (two) list.push_back({"w[1]", response_of(law.rows[1])});
    emitter.assign(list);
    return emitter.text() + (two ? "" : "      w[1] = w[0];\n");
  }

  // v + M⁻¹a (u - old)/W of each row; where a row is on one coordinate alone, that one is u/a exactly
  std::string change_of(const LawRows& law) {
    Emitter emitter = draft_.in_arrays();
    std::string text;
    for (std::size_t k = 0; k < law.rows.size(); ++k) {
      const Row& row = law.rows[k];
      const auto on = std::count_if(row.begin(), row.end(), [](const Expr& entry) { return !is_zero(entry); });
      const Expr u = draft_.locals.leaf(indexed("u", k)), old = draft_.locals.leaf(indexed("old", k));
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (is_zero(row[c])) continue;
        const Expr share = make_node(Op::divide, {row[c], expression::simplify(times(masses_[c], response_of(row)))});
        const Expr now = expression::make_symbol({Symbol::Kind::velocity, static_cast<int>(c)});
        const Expr then =
            on == 1 ? make_node(Op::divide, {u, row[c]}) : sum(now, times(expression::simplify(share), minus(u, old)));
        const std::string name = "after_" + std::to_string(k) + "_" + std::to_string(c);
        emitter.assign("const Real " + name, expression::simplify(then));
        const bool vanishes = row[c]->op != Op::constant || on > 1;
        text += "      " + indexed("v", c) + " = " +
                (law.always_acts && !vanishes
                     ? name
                     : "select(" + indexed("where", k) + ", " + name + ", " + indexed("v", c) + ")") +
                ";\n";
      }
    }
    return "      (void)old, (void)u, (void)where, (void)v;\n" + emitter.text() + text;
  }

  // a tree in the order of polynomials, times `by`: rows that are alike share what they have in common
  Expr in_order(const Expr& tree, const Expr& by = make_constant(1)) {
    const auto expanded = polynomials_.expand(tree);
    return expanded ? polynomials_.write(*expanded, by) : expression::simplify(times(tree, by));
  }

  std::string firm_velocity_of(const Row& row) {
    Expr u = make_constant(0);
    for (std::size_t c = 0; c < row.size(); ++c)
      u = sum(u, times(row[c], expression::make_symbol({Symbol::Kind::velocity, static_cast<int>(c)})));
    Emitter emitter = draft_.in_arrays();
    emitter.assign("u[0]", in_order(expression::simplify(u)));
    return "      (void)v;\n" + emitter.text();
  }

  // 1/(b·M⁻¹b)
  std::string inertia_of(const Row& row) {
    Emitter emitter = draft_.in_arrays();
    if (!row.empty()) emitter.assign("m", make_node(Op::divide, {make_constant(1), in_order(response_of(row))}));
    return "      (void)m;\n" + emitter.text();
  }

  // v + M⁻¹b impulse
  std::string push_of(const Row& row) {
    Emitter emitter = draft_.in_arrays();
    std::vector<Emitter::Assignment> list;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (is_zero(row[c])) continue;
      const Expr now = expression::make_symbol({Symbol::Kind::velocity, static_cast<int>(c)});
      const Expr change = in_order(make_node(Op::divide, {row[c], masses_[c]}), draft_.locals.leaf("impulse"));
      list.push_back({indexed("v", c), expression::simplify(sum(now, change))});
    }
    emitter.assign(list);
    return "      (void)impulse, (void)v;\n" + emitter.text();
  }

  std::string masses() {
    if (problem_.mass.empty() || masses_.empty()) return {};
    std::vector<Emitter::Assignment> list;
    for (std::size_t c = 0; c < masses_.size(); ++c) {
      list.push_back({indexed("m", c), masses_[c]});
      list.push_back({indexed("inverse", c), make_node(Op::divide, {make_constant(1), masses_[c]})});
    }
    Emitter emitter = draft_.in_arrays("    ");
    emitter.assign(list);
    return "  template <class Real>\n  static CS_INLINE void masses(const Real* q, const Real* c, Real* m, Real* "
           "inverse) "
           "{\n    using Scalar = ScalarOf<Real>;\n    (void)q, (void)c;\n" +
           emitter.text() + "  }\n\n";
  }

  Draft& draft_;
  const Problem& problem_;
  std::vector<Expr> masses_;
  expression::Polynomials polynomials_;
};

}  // namespace

std::string write_apart(Draft& draft) { return is_coupled(draft.problem) ? ApartWriter(draft).write() : std::string(); }

}  // namespace conesweep::model
