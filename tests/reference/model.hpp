#pragma once

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "executor/reference/member.hpp"
#include "executor/reference/observers.hpp"
#include "expression/parser.hpp"

/// Scenarios with several laws, written down law by law, and what becomes of their one member.
namespace conesweep::executor::reference {

using Texts = std::vector<std::string>;

/// normal(name), slip(name), j and inf stand for symbols; all else is the language of scenario files.
class Model {
 public:
  Model(const Texts& coordinates, const Texts& force) {
    scenario_.names.coordinates = coordinates;
    scenario_.force = formulas(force);
    for (std::size_t i = 0; i < coordinates.size(); ++i) scenario_.start.push_back({formula("0"), formula("0")});
  }

  Model& mass(const Texts& entries) { return scenario_.mass = formulas(entries), *this; }
  Model& moreau() { return scenario_.restitution_law = scenario::RestitutionLaw::moreau, *this; }
  Model& start(const Texts& q, const Texts& v) {
    for (std::size_t i = 0; i < q.size(); ++i) scenario_.start[i] = {formula(q[i]), formula(v[i])};
    return *this;
  }
  Model& time(double end, std::int64_t steps) { return scenario_.end = end, scenario_.steps = steps, *this; }

  /// g <= 0, with the friction coefficient and the restitution where they are not empty.
  Model& contact(const std::string& name, const std::string& g, const std::string& mu = "", const std::string& e = "") {
    scenario::Contact contact;
    contact.name = name;
    contact.inside = formula(g);
    contact.g = contact.inside.tree;
    if (!mu.empty()) contact.friction_law = scenario::FrictionLaw::coefficient, contact.friction = formula(mu);
    if (!e.empty()) contact.restitution = formula(e);
    scenario_.contacts.push_back(contact);
    scenario_.names.laws.insert(
        scenario_.names.laws.begin() + static_cast<std::ptrdiff_t>(scenario_.contacts.size() - 1), name);
    return *this;
  }

  /// Of the newest contact. g of the place is an expression of X, Y, Z.
  Model& point(const Texts& place, const std::string& in_space) {
    scenario::Contact& contact = scenario_.contacts.back();
    contact.point = formulas(place);
    expression::Names space = scenario_.names;
    space.coordinates = {"X", "Y", "Z"};
    contact.in_space = read(in_space, space);
    contact.g = put_in(contact.in_space, contact.point);
    contact.inside.tree = contact.g;
    return *this;
  }
  Model& slip(const Texts& rows) { return scenario_.contacts.back().slip = formulas(rows), *this; }
  Model& belt(const Texts& entries) { return scenario_.contacts.back().belt = formulas(entries), *this; }

  Model& holds(const std::string& name, const std::string& phi) { return add({name, true, formula(phi), nullptr}); }
  Model& velocity(const std::string& name, const std::string& row) { return add({name, false, formula(row), nullptr}); }

  Model& resistance(const std::string& name, const Texts& slip, const Texts& limit, const Texts& drive = {}) {
    scenario_.names.laws.push_back(name);
    scenario_.resistances.push_back({name, formulas(slip), formulas(drive), formulas(limit), {}});
    return *this;
  }

  /// Of the newest resistance.
  Model& percussions(const std::string& time, const std::string& size, const std::string& count,
                     const std::string& limit = "") {
    scenario::Percussions family{formula(time), formula(size), formula(count), {}};
    if (!limit.empty()) family.limit = formula(limit);
    scenario_.resistances.back().percussions = family;
    return *this;
  }

  Model& observe(const std::string& name, scenario::Reducer reducer, const std::string& text) {
    scenario_.observables.push_back({name, reducer, formula(text)});
    return *this;
  }
  Model& impulse_of(int law) { return scenario_.of_laws.push_back({scenario::LawQuantity::Kind::impulse, law}), *this; }

  /// All standard quantities are observed.
  const scenario::Scenario& scenario() {
    scenario_.standard.clear();
    for (const auto& row : scenario::standard_quantities) scenario_.standard.push_back(row.value);
    return scenario_;
  }

 private:
  Model& add(scenario::Bilateral bilateral) {
    bilateral.value = bilateral.equation.tree;
    scenario_.bilaterals.push_back(bilateral);
    const std::size_t at = scenario_.contacts.size() + scenario_.bilaterals.size() - 1;
    scenario_.names.laws.insert(scenario_.names.laws.begin() + static_cast<std::ptrdiff_t>(at), bilateral.name);
    return *this;
  }

  std::vector<scenario::Formula> formulas(const Texts& texts) const {
    std::vector<scenario::Formula> all;
    for (const std::string& text : texts) all.push_back(formula(text));
    return all;
  }
  scenario::Formula formula(const std::string& text) const { return {text, read(text, scenario_.names), {}}; }

  // names of laws become parameters for the parser, and then what they stand for
  static expression::Expr read(std::string text, const expression::Names& real) {
    expression::Names names = real;
    std::vector<expression::Expr> meaning;
    const auto stand_in = [&](const std::string& wanted, const std::string& word, expression::Expr tree) {
      for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted))
        text.replace(at, wanted.size(), word);
      names.parameters.push_back(word);
      meaning.push_back(std::move(tree));
    };
    for (std::size_t law = 0; law < real.laws.size(); ++law) {
      const std::string& name = real.laws[law];
      stand_in("normal(" + name + ")", "normal_" + name,
               expression::make_symbol({expression::Symbol::Kind::normal, static_cast<int>(law)}));
      stand_in("slip(" + name + ")", "slip_" + name,
               expression::make_symbol({expression::Symbol::Kind::slip, static_cast<int>(law)}));
    }
    names.parameters.insert(names.parameters.end(), {"j", "inf"});
    meaning.push_back(expression::make_symbol({expression::Symbol::Kind::atom, 0}));
    meaning.push_back(expression::make_constant(std::numeric_limits<double>::infinity()));
    std::vector<expression::Fault> faults;
    const expression::Expr tree = parse(text, names, faults);
    if (!tree) throw std::invalid_argument(text + ": " + (faults.empty() ? "" : faults[0].message));
    return replace(tree, expression::Symbol::Kind::parameter, meaning);
  }

  static expression::Expr put_in(const expression::Expr& tree, const std::vector<scenario::Formula>& place) {
    std::vector<expression::Expr> entries;
    for (const scenario::Formula& entry : place) entries.push_back(entry.tree);
    return replace(tree, expression::Symbol::Kind::coordinate, entries);
  }

  static expression::Expr replace(const expression::Expr& tree, expression::Symbol::Kind kind,
                                  const std::vector<expression::Expr>& by) {
    if (tree->op == expression::Op::symbol)
      return tree->symbol.kind == kind ? by[static_cast<std::size_t>(tree->symbol.index)] : tree;
    if (tree->args.empty()) return tree;
    std::vector<expression::Expr> args;
    for (const expression::Expr& arg : tree->args) args.push_back(replace(arg, kind, by));
    return make_node(tree->op, args);
  }

  scenario::Scenario scenario_;
};

/// Nodes and observables of the one member.
struct Course {
  MemberEnd end;
  std::vector<NodeRecord> nodes;
  std::vector<std::string> names;
  std::vector<double> values;

  double operator[](const std::string& observable) const {
    const auto at = std::find(names.begin(), names.end(), observable);
    if (at == names.end()) throw std::invalid_argument(observable + " is not observed");
    return values[static_cast<std::size_t>(at - names.begin())];
  }
  const NodeRecord& last() const { return nodes.back(); }
};

inline Course run(Model model) {
  const scenario::Scenario& scenario = model.scenario();
  Course run;
  Observers observers(scenario, scenario.defaults);
  run.end = run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const NodeExpressions& expressions) {
    observers.see(node, expressions);
    run.nodes.push_back(node);
  });
  run.names = observable_names(scenario);
  if (run.end.status == Status::ok) run.values = observers.values();
  return run;
}

}  // namespace conesweep::executor::reference
