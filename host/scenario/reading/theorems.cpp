#include "scenario/reading/theorems.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "scenario/formulas.hpp"
#include "scenario/reading/dependence.hpp"
#include "scenario/reading/regularity.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Op;
using expression::Symbol;

std::string quoted(const std::string& text) { return "'" + text + "'"; }

bool has_history(const Expr& expr) {
  return expression::any_node(expr, [](const expression::Node& n) { return expression::is_history(n.op); });
}

bool has_time(const Expr& expr) { return names_a(Symbol::Kind::time, expr); }
bool has_velocity(const Expr& expr) { return names_a(Symbol::Kind::velocity, expr); }

bool delays_velocity(const Expr& expr) {
  return expression::any_node(expr,
                              [](const expression::Node& n) { return n.op == Op::delay && has_velocity(n.args[0]); });
}

// 0, whatever the parameters
bool is_nothing(const Scenario& scenario, const std::optional<Formula>& formula) {
  if (!formula) return true;
  if (!is_fixed(formula->tree)) return false;
  const auto range = bounds_anywhere(scenario, formula->tree);
  return range.lower == 0 && range.upper == 0;
}

// What in a scenario is not as a theorem wants it, each thing once.
class Hypotheses {
 public:
  explicit Hypotheses(const Scenario& scenario) : scenario_(scenario) {}

  void refuse(bool beyond, const std::string& what) {
    if (beyond && std::find(beyond_.begin(), beyond_.end(), what) == beyond_.end()) beyond_.push_back(what);
  }

  void refuse_rough(const Formula& formula, const std::string& key, Regularity wanted) {
    refuse_rough(formula, formula.tree, key, wanted);
  }

  void refuse_rough(const Formula& formula, const Expr& tree, const std::string& key, Regularity wanted) {
    const Expr rough = find_rough(scenario_, tree, wanted);
    if (!rough) return;
    const bool stands_there = rough->span.length > 0 && rough->span.offset + rough->span.length <= formula.text.size();
    const std::string part = stands_there ? formula.text.substr(rough->span.offset, rough->span.length) : formula.text;
    refuse(true, quoted(part) + " in " + key +
                     (wanted == Regularity::analytic ? " is not analytic" : " may be steep or jump"));
  }

  void refuse_history() {
    for (const Length& term : history_lengths(scenario_)) {
      const bool seen_only =
          std::any_of(scenario_.observables.begin(), scenario_.observables.end(),
                      [&](const Observable& observable) { return &observable.formula == term.formula; });
      refuse(!seen_only, "delays and windows");
    }
  }

  Coverage conclude(Theorem theorem, const std::string& whose, const std::string& promise,
                    const std::string& assumed) const {
    if (beyond_.empty()) return {theorem, whose + ": " + promise + (assumed.empty() ? "" : "; assumed: " + assumed)};
    std::string list;
    for (const std::string& what : beyond_) list += (list.empty() ? "" : "; ") + what;
    return {Theorem::none, "no theorem that we know of; beyond " + whose + ": " + list};
  }

 private:
  const Scenario& scenario_;
  std::vector<std::string> beyond_;
};

class TheoremJudge {
 public:
  explicit TheoremJudge(const Scenario& scenario) : s_(scenario), h_(scenario) {}

  Coverage judge() {
    h_.refuse(s_.order == 2, "the step of second order");
    const auto any_contact = [&](auto&& test) { return std::any_of(s_.contacts.begin(), s_.contacts.end(), test); };
    if (any_contact([](const Contact& c) { return c.persistent; })) return judge_persistent();
    if (any_contact([&](const Contact& c) { return !is_nothing(s_, c.friction); })) return judge_delay();
    if (!s_.contacts.empty()) return judge_analytic();
    if (s_.resistances.empty()) return judge_cauchy();
    return looks_like_a_moving_plane() ? judge_moving_plane() : judge_resistances();
  }

 private:
  // one particle on one rough wall, forces that look back
  Coverage judge_delay() {
    h_.refuse(s_.contacts.size() > 1, "several contacts, some with friction");
    h_.refuse(s_.impacts == Impacts::located, "located impacts");
    h_.refuse(!s_.mass.empty(), "a mass");
    h_.refuse(!s_.bilaterals.empty(), "bilateral constraints");
    h_.refuse(!s_.resistances.empty(), "resistances");
    for (const Formula& force : s_.force) {
      h_.refuse(delays_velocity(force.tree), "delayed velocities");
      h_.refuse_rough(force, "force", Regularity::lipschitz);
    }
    bool positive = true;
    for (const Contact& contact : s_.contacts) {
      h_.refuse(kind_of(s_, contact) != ContactKind::particle, "point or slip");
      h_.refuse(contact.wall_moves(), "a wall that moves");
      h_.refuse(!contact.belt.empty(), "a belt");
      h_.refuse(!is_nothing(s_, contact.restitution), "restitution together with friction");
      refuse_own_laws(contact);
      h_.refuse_rough(contact.inside, contact.g, "inside", Regularity::analytic);
      if (is_nothing(s_, contact.friction)) continue;
      const Expr& friction = contact.friction->tree;
      h_.refuse(has_history(friction), "delays and windows in the friction");
      h_.refuse(has_velocity(friction) || names_a(Symbol::Kind::slip, friction), "friction that depends on velocities");
      h_.refuse(has_time(friction), "friction that depends on t");
      if (!has_history(friction)) h_.refuse_rough(*contact.friction, "friction", Regularity::lipschitz);
      positive = positive && bounds_anywhere(s_, friction).lower > 0;
    }
    return h_.conclude(Theorem::delay, "Monteiro Marques and Dzonou on contact with friction and delay",
                       "as the step goes to 0 the motions have limits, and every limit is a solution; that it is the "
                       "only one is not said",
                       std::string("the gradient of inside does not vanish at the wall, the motion stays bounded") +
                           (positive ? "" : ", friction stays above 0"));
  }

  Coverage judge_persistent() {
    for (const Contact& contact : s_.contacts) {
      h_.refuse(!contact.persistent, "contacts that are not persistent");
      h_.refuse(contact.wall_moves(), "a wall that moves");
      h_.refuse(!contact.belt.empty(), "a belt");
      h_.refuse(!contact.slip.empty(), "slip rows");
      h_.refuse(contact.friction && !is_fixed(contact.friction->tree), "friction that is no constant");
      if (!contact.persistent) continue;
      const bool placed = contact.in_space != nullptr;
      h_.refuse_rough(contact.inside, placed ? contact.in_space : contact.g, "inside", Regularity::analytic);
      for (const Formula& entry : contact.point) h_.refuse_rough(entry, "point", Regularity::analytic);
    }
    h_.refuse(!s_.bilaterals.empty(), "bilateral constraints");
    h_.refuse(!s_.resistances.empty(), "resistances");
    h_.refuse_history();
    refuse_rough_mass();
    for (const Formula& force : s_.force) h_.refuse_rough(force, "force", Regularity::lipschitz);
    return h_.conclude(
        Theorem::persistent, "Martins, Monteiro Marques and Petrov on persistent contact",
        "a motion exists until contact is lost; neither that it is the only one nor that the scheme converges is said",
        "the friction lies below the paper's bound (observe certificate_paper: above 0), the rows of the contacts are "
        "independent");
  }

  // frictionless contacts, firm rows, analytic data; the restitution may be any function of place and velocity
  Coverage judge_analytic() {
    const bool elastic = std::any_of(s_.contacts.begin(), s_.contacts.end(),
                                     [&](const Contact& c) { return !is_nothing(s_, c.restitution); });
    bool fades = true;
    for (const Contact& contact : s_.contacts) {
      h_.refuse(contact.wall_moves(), "a wall that moves");
      refuse_own_laws(contact);
      h_.refuse_rough(contact.inside, contact.g, "inside", Regularity::analytic);
      if (contact.restitution) {
        const auto range = bounds_anywhere(s_, contact.restitution->tree);
        fades = fades && range.lower >= 0 && range.upper <= 1;
      }
      if (elastic) {
        const Contact& first = s_.contacts.front();
        const bool same = contact.restitution && first.restitution &&
                          expression::same_tree(contact.restitution->tree, first.restitution->tree);
        h_.refuse(s_.contacts.size() > 1 && !same, "contacts with different restitutions");
      }
      h_.refuse(contact.restitution && has_time(contact.restitution->tree), "restitution that depends on t");
    }
    h_.refuse(!s_.resistances.empty(), "resistances beside contacts, for which the paper only announces it");
    h_.refuse_history();
    refuse_rough_rows();
    refuse_rough_mass();
    for (const Formula& force : s_.force) h_.refuse_rough(force, "force", Regularity::analytic);
    const bool rolls =
        std::any_of(s_.bilaterals.begin(), s_.bilaterals.end(), [](const Bilateral& b) { return !b.holonomic; });
    return h_.conclude(Theorem::analytic, "Ballard on contacts without friction and analytic data",
                       "there is exactly one motion, with one impact after another or infinitely many; convergence of "
                       "the scheme is not said",
                       std::string("gradients of all that holds at once are independent") +
                           (fades ? "" : ", restitution stays between 0 and 1") +
                           (rolls ? "; for velocity rows beside contacts the paper says that its proof carries over, "
                                    "and does not write it out"
                                  : ""));
  }

  Coverage judge_resistances() {
    for (const Resistance& resistance : s_.resistances) {
      h_.refuse(resistance.percussions.has_value(), "percussions");
      h_.refuse(!resistance.drive.empty(), "drives");
      for (const Formula& row : resistance.slip) {
        h_.refuse(has_time(row.tree), "rows that depend on t");
        h_.refuse(!is_homogeneous(row.tree), "slip rows with a part without velocities");
        h_.refuse_rough(row, "slip", Regularity::analytic);
      }
      for (const Formula& limit : resistance.limit) {
        h_.refuse(
            depends_on(limit.tree, [&](Symbol s) { return s.kind == Symbol::Kind::normal && !is_of_places(s.index); }),
            "a limit that uses the normal force of a velocity row");
        h_.refuse_rough(limit, "limit", Regularity::lipschitz);
      }
    }
    for (const Bilateral& bilateral : s_.bilaterals)
      h_.refuse(!bilateral.holonomic && !is_homogeneous(bilateral.value),
                "velocity rows with a part without velocities");
    h_.refuse_history();
    refuse_rough_rows();
    refuse_rough_mass();
    for (const Formula& force : s_.force) h_.refuse_rough(force, "force", Regularity::analytic);
    return h_.conclude(Theorem::resistances,
                       "Ballard on friction with given limits and friction on bilateral constraints",
                       "there is exactly one motion, as long as it stays bounded and its formulas have values; "
                       "convergence of the scheme is not said",
                       "the rows are independent, or the same");
  }

  Coverage judge_moving_plane() {
    for (const Resistance& resistance : s_.resistances) {
      for (const Formula& drive : resistance.drive) h_.refuse_rough(drive, "drive", Regularity::lipschitz);
      const auto look = [&](std::string_view key, const Formula& formula) {
        if (key == "limit" || key == "percussions.limit" || key == "drive")
          h_.refuse(
              depends_on(formula.tree,
                         [](Symbol s) { return s.kind != Symbol::Kind::parameter && s.kind != Symbol::Kind::time; }),
              std::string(key == "drive" ? "a drive" : "a limit") + " that depends on the motion");
      };
      for_each_formula(resistance, look);
      h_.refuse(
          resistance.limit.size() == 2 && std::any_of(resistance.limit.begin(), resistance.limit.end(), is_infinite),
          "a limit without end");
    }
    for (const Formula& force : s_.force)
      h_.refuse(!depends_on_time_alone(force.tree), "a force that depends on the motion");
    h_.refuse_history();
    return h_.conclude(Theorem::moving_plane, "Laghdir and Monteiro Marques on a moving plane with percussions",
                       "there is a motion whose velocity has bounded variation, and leaving out small percussions "
                       "changes it little; it is the only one, since two "
                       "velocities never move apart",
                       "the plane's velocity is Lipschitz, limits and force are bounded");
  }

  // multipliers eliminated, an ordinary differential equation is left
  Coverage judge_cauchy() {
    refuse_rough_rows(true);
    refuse_rough_mass();
    bool converges = s_.bilaterals.empty();
    for (const Formula& force : s_.force) {
      h_.refuse_rough(force, "force", Regularity::lipschitz);
      converges = converges && !delays_velocity(force.tree);
    }
    return h_.conclude(
        Theorem::cauchy, "Cauchy's theorem on differential equations",
        std::string("there is exactly one motion, as long as it stays bounded and its formulas have values") +
            (converges ? ", and the scheme converges to it" : ""),
        s_.bilaterals.empty() ? "" : "the rows of the constraints stay independent");
  }

  // ---- what several of them ask ----

  void refuse_own_laws(const Contact& contact) {
    for_each_own_law([&](const ContactNumber& number) {
      h_.refuse(!is_nothing(s_, contact.*number.formula), std::string(number.key));
    });
  }

  void refuse_rough_mass() {
    for (const Formula& entry : s_.mass) h_.refuse_rough(entry, "mass", Regularity::analytic);
  }

  void refuse_rough_rows(bool may_move = false) {
    for (const Bilateral& bilateral : s_.bilaterals) {
      h_.refuse(bilateral.is_guide(), "friction on bilateral constraints that acts back on their forces");
      h_.refuse(!may_move && has_time(bilateral.value), "constraints that depend on t");
      h_.refuse_rough(bilateral.equation, bilateral.value, bilateral.holonomic ? "holds" : "velocity",
                      Regularity::analytic);
    }
  }

  static bool is_infinite(const Formula& end) {
    return end.tree->op == Op::constant && end.tree->value - end.tree->value != 0;
  }

  static bool depends_on_time_alone(const Expr& expr) {
    return !depends_on(expr,
                       [](Symbol s) { return s.kind != Symbol::Kind::parameter && s.kind != Symbol::Kind::time; });
  }

  bool is_of_places(int law) const {
    const int first = s_.law_of_bilateral(0);
    return law >= first && law < first + static_cast<int>(s_.bilaterals.size()) &&
           s_.bilaterals[static_cast<std::size_t>(law - first)].holonomic;
  }

  // a sum in which every term has a velocity
  static bool is_homogeneous(const Expr& expr) {
    switch (expr->op) {
      case Op::symbol: return expr->symbol.kind == Symbol::Kind::velocity;
      case Op::constant: return expr->value == 0;
      case Op::negate:
      case Op::divide: return is_homogeneous(expr->args[0]);
      case Op::add:
      case Op::subtract: return is_homogeneous(expr->args[0]) && is_homogeneous(expr->args[1]);
      case Op::multiply: return is_homogeneous(expr->args[0]) || is_homogeneous(expr->args[1]);
      default: return false;
    }
  }

  // one coordinate of constant mass; every resistance slides with its velocity
  bool looks_like_a_moving_plane() const {
    if (s_.dimension() != 1 || !s_.bilaterals.empty()) return false;
    if (!s_.mass.empty() && !is_fixed(s_.mass.front().tree)) return false;
    const auto moves = [](const Resistance& r) { return !r.drive.empty() || r.percussions.has_value(); };
    const auto is_plain = [](const Resistance& r) {
      return r.slip.size() == 1 && r.slip.front().tree->op == Op::symbol;
    };
    return std::any_of(s_.resistances.begin(), s_.resistances.end(), moves) &&
           std::all_of(s_.resistances.begin(), s_.resistances.end(), is_plain);
  }

  const Scenario& s_;
  Hypotheses h_;
};

}  // namespace

Coverage find_theorem(const Scenario& scenario) { return TheoremJudge(scenario).judge(); }

}  // namespace conesweep::scenario
