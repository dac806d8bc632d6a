#include "scenario/reading/bodies.hpp"

#include <algorithm>
#include <string>

#include "expression/states.hpp"
#include "scenario/formulas.hpp"
#include "scenario/reading/bounded.hpp"
#include "scenario/reading/dependence.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Symbol;

// in the plane a contact slides along one direction: one body that slides along and a force across
constexpr int least_coordinates = 3;
constexpr int most_coordinates = 3;  // of one particle in space

bool is_of(Symbol symbol, int coordinate) {
  return (symbol.kind == Symbol::Kind::coordinate || symbol.kind == Symbol::Kind::velocity) &&
         symbol.index == coordinate;
}

bool names(const Expr& expr, int coordinate) {
  return depends_on(expr, [&](Symbol s) { return is_of(s, coordinate); });
}

// The same formula with two coordinates exchanged.
Expr exchange(const Expr& expr, int one, int other) {
  if (expr->op == expression::Op::symbol) {
    Symbol symbol = expr->symbol;
    if (is_of(symbol, one))
      symbol.index = other;
    else if (is_of(symbol, other))
      symbol.index = one;
    return expression::make_symbol(symbol, expr->span);
  }
  if (expr->args.empty()) return expr;
  std::vector<Expr> args;
  for (const Expr& arg : expr->args) args.push_back(exchange(arg, one, other));
  return expression::make_node(expr->op, std::move(args), expr->span);
}

class Company {
 public:
  explicit Company(const Scenario& scenario) : scenario_(scenario) {}

  bool has(int coordinate) const {
    for (int other = 0; other < scenario_.dimension(); ++other)
      if (other != coordinate && are_joined(coordinate, other)) return true;
    return false;
  }

 private:
  bool are_joined(int a, int b) const {
    const Expr &force_a = force(a), &force_b = force(b);
    if (names(force_a, b) || names(force_b, a)) return true;
    if (names(force_a, a) && expression::same_tree(force_a, exchange(force_b, a, b))) return true;
    bool joined = false;
    const auto look = [&](std::string_view, const Formula& formula) {
      joined = joined || (names(formula.tree, a) && names(formula.tree, b));
    };
    for (int i = 0; i < scenario_.dimension(); ++i) look("force", scenario_.force[static_cast<std::size_t>(i)]);
    for (const Contact& contact : scenario_.contacts) for_each_formula(contact, look);
    for (const Bilateral& bilateral : scenario_.bilaterals) for_each_formula(bilateral, look);
    for (const Resistance& resistance : scenario_.resistances) for_each_formula(resistance, look);
    return joined;
  }

  const Expr& force(int coordinate) const { return scenario_.force[static_cast<std::size_t>(coordinate)].tree; }

  const Scenario& scenario_;
};

// "vx", "vy": the velocities along the wall that are left
std::string slip_without(const Scenario& scenario, const Contact& contact, const std::vector<std::string>& strangers) {
  std::string text;
  for (int i = 0; i < scenario.dimension(); ++i) {
    const std::string& name = scenario.names.coordinates[static_cast<std::size_t>(i)];
    if (names(contact.g, i) || std::find(strangers.begin(), strangers.end(), name) != strangers.end()) continue;
    text += (text.empty() ? "\"v" : ", \"v") + name + "\"";
  }
  return text.empty() ? "\"…\"" : text;
}

bool acts_on_a_particle(const Scenario& scenario, const Contact& contact) {
  return contact.friction && contact.g && kind_of(scenario, contact) == ContactKind::particle;
}

}  // namespace

std::vector<Loner> find_loners(const Scenario& scenario, const Contact& contact) {
  std::vector<Loner> loners;
  if (scenario.dimension() < least_coordinates) return loners;
  const Company company(scenario);
  for (int i = 0; i < scenario.dimension(); ++i)
    if (!names(contact.g, i) && !company.has(i))
      loners.push_back({i, names(scenario.force[static_cast<std::size_t>(i)].tree, i)});
  return loners;
}

void warn_of_several_bodies(const Scenario& scenario, const Source& source, Faults& problems) {
  const auto understood = [](const Formula& force) { return force.tree != nullptr; };
  if (scenario.force.size() != scenario.names.coordinates.size() ||
      !std::all_of(scenario.force.begin(), scenario.force.end(), understood))
    return;
  for (const Contact& contact : scenario.contacts) {
    if (!acts_on_a_particle(scenario, contact)) continue;
    const auto warn = [&](const std::string& message) {
      problems.push_back(make_problem(source, *contact.friction, {0, contact.friction->text.size()}, Severity::warning,
                                      "friction of '" + contact.name + "' acts on " + message));
    };
    if (scenario.dimension() > most_coordinates && !is_coupled(scenario)) {
      warn("all " + std::to_string(scenario.dimension()) +
           " coordinates, as on one particle; for several bodies say what slides: slip = [\"…\"], or point = [\"…\", "
           "\"…\"]");
      continue;
    }
    std::vector<std::string> strangers, velocities;
    for (const Loner& loner : find_loners(scenario, contact)) {
      if (!loner.has_motion_of_its_own) continue;
      strangers.push_back(scenario.names.coordinates[static_cast<std::size_t>(loner.coordinate)]);
      velocities.push_back(expression::velocity_of(strangers.back()));
    }
    if (strangers.empty()) continue;
    const bool one = strangers.size() == 1;
    warn(join_words(velocities) + " too, as on one particle, but " + join_words(strangers) +
         (one ? " moves by itself: " : " move by themselves: ") + "nothing joins " + (one ? "it" : "them") +
         " to the other coordinates; if that is another body, say what slides here: slip = [" +
         slip_without(scenario, contact, strangers) + "], or point = [\"…\", \"…\"]");
  }
}

}  // namespace conesweep::scenario
