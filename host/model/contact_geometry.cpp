#include "model/contact_geometry.hpp"

#include "expression/calculus.hpp"
#include "model/algebra.hpp"
#include "model/rewrite.hpp"

namespace conesweep::model {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::Op;
using expression::Symbol;

std::vector<Expr> gradient_of(const Expr& tree, int dimension) {
  std::vector<Expr> parts;
  for (int c = 0; c < dimension; ++c) parts.push_back(expression::differentiate(tree, {Symbol::Kind::coordinate, c}));
  return parts;
}

std::vector<Expr> gradient_in_space(const scenario::Contact& contact) {
  std::vector<Expr> parts;
  for (const Expr& part : gradient_of(contact.in_space, static_cast<int>(contact.point.size())))
    parts.push_back(expression::simplify(rewrite(part, [&](const Expr& e) -> Expr {
      return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::coordinate
                 ? contact.point[static_cast<std::size_t>(e->symbol.index)].tree
                 : nullptr;
    })));
  return parts;
}

Expr steepness_of(const scenario::Contact& contact, int dimension) {
  return length_of(contact.point.empty() ? gradient_of(contact.g, dimension) : gradient_in_space(contact));
}

std::vector<Expr> find_normal(const std::vector<Expr>& with_power) {
  const std::vector<Expr> gradient = take_out_power(with_power).parts;
  // one division for all components
  const Expr inverse = make_node(Op::divide, {make_constant(1), length_of(gradient)});
  std::vector<Expr> n;
  int parts = 0;
  for (const Expr& e : gradient) parts += is_zero(e) ? 0 : 1;
  for (const Expr& e : gradient) {
    const Expr inward = make_node(Op::negate, {e});
    n.push_back(
        expression::simplify(parts == 1 && !is_zero(e) ? make_node(Op::sign, {inward}) : times(inward, inverse)));
  }
  return n;
}

std::vector<Expr> inward_of(const scenario::Problem& problem, const scenario::Contact& contact) {
  using scenario::ContactKind;
  const ContactKind kind = kind_of(problem, contact);
  if (kind == ContactKind::particle) return find_normal(gradient_of(contact.g, problem.dimension()));
  if (kind == ContactKind::point) return find_normal(gradient_in_space(contact));
  std::vector<Expr> row;
  for (const Expr& part : gradient_of(contact.g, problem.dimension()))
    row.push_back(expression::simplify(make_node(Op::negate, {part})));
  return row;
}

}  // namespace conesweep::model
