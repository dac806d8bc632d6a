#include "scenario/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "expression/calculus.hpp"
#include "expression/evaluate.hpp"
#include "expression/interval.hpp"
#include "sampling/sampler.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Interval;
using expression::Node;
using expression::Op;
using expression::Symbol;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Speeds and gradients are squared without scaling them before: beyond, a square is no number that can be trusted.
constexpr double largest_square_root = 1e150;

// A number of the scenario with its allowed range.
struct Bounded {
  std::string name;  // as in the file
  const Formula* formula;
  Expr tree;  // of the whole formula, or of a delay inside it
  expression::Span span;
  double lower, upper;
  bool upper_open;         // the upper end itself is not allowed
  std::string range;       // for people
  std::string status;      // what becomes of a member that violates it
  const Contact* contact;  // whose number it is; none: a delay's

  bool allows(double x) const { return x >= lower && (upper_open ? x < upper : x <= upper); }
  bool excludes(Interval i) const { return i.upper < lower || (upper_open ? i.lower >= upper : i.lower > upper); }
};

std::vector<Bounded> bounded_numbers(const Scenario& scenario) {
  std::vector<Bounded> list;
  const auto whole = [](const Formula& f) { return expression::Span{0, f.text.size()}; };
  for (const Contact& contact : scenario.contacts) {
    if (contact.friction && contact.friction_law == FrictionLaw::angle)
      list.push_back({"friction_angle", &*contact.friction, contact.friction->tree, whole(*contact.friction), 0, std::numbers::pi / 2, true,
                      "0 <= friction_angle < pi/2 (in radians)", "bad_angle", &contact});
    if (contact.friction && contact.friction_law == FrictionLaw::coefficient)
      list.push_back(
          {"friction", &*contact.friction, contact.friction->tree, whole(*contact.friction), 0, infinity, true, "friction >= 0", "bad_angle", &contact});
    if (contact.restitution)
      list.push_back({"restitution", &*contact.restitution, contact.restitution->tree, whole(*contact.restitution), 0, 1, false, "0 <= restitution <= 1",
                      "bad_restitution", &contact});
  }
  for (const Length& term : history_lengths(scenario)) {
    const Expr& length = term.node->args[1];
    const bool window = term.node->op != Op::delay;
    const bool limited = window && scenario.steps > 0;  // a step that was not understood limits nothing
    const double most = limited ? scenario.h() * static_cast<double>(most_window_steps) : infinity;
    list.push_back(
        {"the length of " + std::string(expression::op_name(term.node->op)), term.formula, length, length->span, 0, most, !limited,
         limited ? "0 to " + format_short(most) + " (" + format_count(static_cast<unsigned long long>(most_window_steps)) + " steps)" : "a finite number >= 0",
         "bad_delay", nullptr});
  }
  return list;
}

bool depends_on(const Expr& expr, const std::function<bool(Symbol)>& test) {
  return expression::any_node(expr, [&](const Node& node) { return node.op == Op::symbol && test(node.symbol); });
}

bool is_varied(const Scenario& scenario, Symbol symbol) {
  return symbol.kind == Symbol::Kind::parameter &&
         std::any_of(scenario.vary.begin(), scenario.vary.end(), [&](const Variation& v) { return v.parameter == symbol.index; });
}

// Parameters and the start of one member; what needs the motion itself is not a number here.
struct StartWorld {
  const std::vector<double>& parameters;
  const std::vector<double>& coordinates;
  double t;

  double symbol(Symbol s) const {
    switch (s.kind) {
      case Symbol::Kind::time: return t;
      case Symbol::Kind::parameter: return parameters[static_cast<std::size_t>(s.index)];
      case Symbol::Kind::coordinate: return coordinates.empty() ? 0 : coordinates[static_cast<std::size_t>(s.index)];
      case Symbol::Kind::velocity:
      case Symbol::Kind::local: break;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  double history(const Node&) const { return std::numeric_limits<double>::quiet_NaN(); }
};

// The same wherever and whenever it is asked for.
bool is_fixed(const Expr& expr) {
  return !depends_on(expr, [](Symbol s) { return s.kind != Symbol::Kind::parameter; });
}

// Known at the start without stepping: no velocity, no history.
bool is_static(const Expr& expr) {
  return !expression::any_node(expr,
                               [](const Node& n) { return expression::is_history(n.op) || (n.op == Op::symbol && n.symbol.kind == Symbol::Kind::velocity); });
}

Problem make_problem(const Source& source, const Formula& formula, expression::Span span, Severity severity, std::string message) {
  const Place place = source.inside_string(formula.quote, span.offset);
  const int length = count_characters(std::string_view(formula.text).substr(std::min(span.offset, formula.text.size()), span.length));
  return {severity, source.name, place, std::max(1, length), std::string(source.line(place.line)), std::move(message)};
}

}  // namespace

std::vector<Length> history_lengths(const Scenario& scenario) {
  std::vector<Length> lengths;
  const auto collect = [&](const Formula& formula) {
    expression::for_each_node(formula.tree, [&](const Expr& node) {
      if (expression::is_history(node->op) && node->op != Op::now) lengths.push_back({node, &formula});
    });
  };
  for (const Formula& force : scenario.force) collect(force);
  for (const Contact& contact : scenario.contacts) {
    if (contact.friction) collect(*contact.friction);
    if (contact.restitution) collect(*contact.restitution);
  }
  for (const Observable& observable : scenario.observables) collect(observable.formula);
  return lengths;
}

void check_ranges(const Scenario& scenario, const Source& source, Problems& problems) {
  const std::function<Interval(Symbol)> parameters_only = [&](Symbol symbol) -> Interval {
    if (symbol.kind != Symbol::Kind::parameter) return {-infinity, infinity};
    for (const Variation& variation : scenario.vary)
      if (variation.parameter == symbol.index) {
        const auto [lower, upper] = sampling::support(variation.distribution);
        return {lower, upper};
      }
    const double value = scenario.defaults[static_cast<std::size_t>(symbol.index)];
    return {value, value};
  };
  for (const Bounded& number : bounded_numbers(scenario)) {
    const Interval range = expression::bounds(number.tree, parameters_only);
    if (!number.excludes(range)) continue;
    const std::string got =
        range.is_point() ? "is " + format_number(range.lower) : "lies between " + format_number(range.lower) + " and " + format_number(range.upper);
    problems.push_back(make_problem(source, *number.formula, number.span, Severity::error, number.name + " " + got + "; allowed: " + number.range));
  }

  // the start, as far as its support tells; a start known to the number is tried by try_members
  std::vector<Interval> start;
  for (const Start& s : scenario.start) {
    if (!s.past.tree) return;  // not understood
    start.push_back(expression::bounds(s.past.tree, [&](Symbol symbol) {
      return symbol.kind == Symbol::Kind::time ? Interval{0, 0} : parameters_only(symbol);
    }));
  }
  if (start.size() != scenario.names.coordinates.size()) return;
  const auto at_start = [&](Symbol symbol) {
    return symbol.kind == Symbol::Kind::coordinate ? start[static_cast<std::size_t>(symbol.index)] : parameters_only(symbol);
  };
  const auto largest = [](Interval i) { return std::max(std::fabs(i.lower), std::fabs(i.upper)); };
  double size = 0;
  for (const Interval& q : start) size = std::hypot(size, largest(q));
  for (const Contact& contact : scenario.contacts) {
    if (!contact.g) continue;  // not understood
    const Interval g = expression::bounds(contact.g, at_start);
    if (g.is_point() || !(g.lower > 0)) continue;
    double steepness = 0;
    for (int i = 0; i < scenario.dimension(); ++i)
      steepness = std::hypot(steepness, largest(expression::bounds(expression::differentiate(contact.g, {Symbol::Kind::coordinate, i}), at_start)));
    if (g.lower > start_tolerance * (1 + size) * steepness)
      problems.push_back(
          make_problem(source, contact.inside, {0, contact.inside.text.size()}, Severity::error,
                       "every member starts outside '" + contact.name + "': inside does not hold at t = 0 for any value of the varied parameters"));
  }
}

namespace {

// The first thousand members' trouble, grouped by where and what.
class Trial {
 public:
  Trial(const Scenario& scenario, const Source& source, std::int64_t count, Problems& problems)
      : scenario_(scenario), source_(source), count_(std::min(count, scenario.ensemble.members)), problems_(problems), numbers_(bounded_numbers(scenario)) {
    for (const Contact& contact : scenario.contacts) {
      std::vector<Expr> gradient;
      for (int i = 0; i < scenario.dimension(); ++i) gradient.push_back(expression::differentiate(contact.g, {Symbol::Kind::coordinate, i}));
      gradients_.push_back(std::move(gradient));
    }
    for (const Start& start : scenario.start) slopes_.push_back(expression::differentiate(start.past.tree, {Symbol::Kind::time, 0}));
    // without variation all members are the same
    if (scenario.vary.empty()) count_ = 1;
  }

  void run() {
    const auto varied = sampling::draw(scenario_, 0, count_);
    for (std::int64_t m = 0; m < count_; ++m) {
      std::vector<double> values;
      for (const auto& column : varied) values.push_back(column[static_cast<std::size_t>(m)]);
      member_ = m;
      parameters_ = member_parameters(scenario_, values);
      try_numbers();
      try_past();
    }
    report();
  }

 private:
  struct Finding {
    const Formula* formula;
    expression::Span span;
    std::string message;  // of the first member
    std::string status;
    bool certain;  // no varied parameter has a part in it
    std::int64_t count = 0;
    std::int64_t last = -1;  // member counted last: many instants of one past are one member
  };

  void note(const Formula& formula, expression::Span span, const std::string& kind, const std::string& status, bool certain, const std::string& message) {
    auto [found, fresh] = findings_.try_emplace({formula.quote.line, formula.quote.column, static_cast<int>(span.offset), kind},
                                                Finding{&formula, span, message + described_member(certain), status, certain});
    if (std::exchange(found->second.last, member_) != member_) ++found->second.count;
  }

  std::string described_member(bool certain) const {
    if (certain || scenario_.vary.empty()) return {};
    std::string text = " (member " + std::to_string(member_) + ":";
    for (const Variation& v : scenario_.vary) {
      const auto index = static_cast<std::size_t>(v.parameter);
      text += (text.ends_with(':') ? " " : ", ") + scenario_.names.parameters[index] + " = " + format_short(parameters_[index]);
    }
    return text + ")";
  }

  bool varies(const Expr& expr) const {
    return depends_on(expr, [&](Symbol s) {
      if (s.kind == Symbol::Kind::coordinate) return start_varies();
      return is_varied(scenario_, s);
    });
  }

  bool start_varies() const {
    return std::any_of(scenario_.start.begin(), scenario_.start.end(),
                       [&](const Start& s) { return depends_on(s.past.tree, [&](Symbol x) { return is_varied(scenario_, x); }); });
  }

  std::vector<double> past_at(double t) const {
    std::vector<double> q;
    for (const Start& s : scenario_.start) q.push_back(expression::evaluate<double>(s.past.tree, StartWorld{parameters_, {}, t}));
    return q;
  }

  // friction, restitution, delays; where they depend on the place, only if the start touches the wall
  void try_numbers() {
    const std::vector<double> q = past_at(0);
    longest_ = 0;
    for (const Bounded& number : numbers_) {
      if (!is_static(number.tree)) continue;
      if (number.contact != nullptr && !is_fixed(number.tree) && !(expression::evaluate<double>(number.contact->g, StartWorld{parameters_, q, 0}) >= 0))
        continue;
      const double value = expression::evaluate<double>(number.tree, StartWorld{parameters_, q, 0});
      if (!number.allows(value))
        note(*number.formula, number.span, number.name, number.status, !varies(number.tree),
             number.name + " is " + format_short(value) + (is_fixed(number.tree) ? "" : " at the start") + "; allowed: " + number.range);
      else if (number.status == "bad_delay")
        longest_ = std::max(longest_, value);
    }
  }

  // finite back to the longest delay, and inside the admissible set
  void try_past() {
    constexpr int samples = 64;
    started_outside_.assign(scenario_.contacts.size(), false);
    for (int k = 0; k <= samples; ++k) {
      const double t = k == 0 ? 0 : -longest_ * k / samples;
      if (k > 0 && longest_ == 0) break;
      const std::vector<double> q = past_at(t);
      bool finite = true;
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (std::isfinite(q[i])) continue;
        finite = false;
        const Formula& past = scenario_.start[i].past;
        note(past, {0, past.text.size()}, "finite", "non_finite", !varies(past.tree) && !lengths_vary(),
             "the past of " + scenario_.names.coordinates[i] + " is not a number at t = " + format_short(t) +
                 "; it must be defined back to the longest delay, " + format_short(longest_));
      }
      if (finite) try_inside(q, t);
    }
    try_velocity();
  }

  // the left velocity at 0: given, or the derivative of the past
  void try_velocity() {
    for (std::size_t i = 0; i < scenario_.start.size(); ++i) {
      const Start& start = scenario_.start[i];
      const Formula& formula = start.velocity ? *start.velocity : start.past;
      if (!std::isfinite(expression::evaluate<double>(start.past.tree, StartWorld{parameters_, {}, 0}))) continue;  // said already
      const double v = expression::evaluate<double>(start.velocity ? formula.tree : slopes_[i], StartWorld{parameters_, {}, 0});
      const std::string name = "v" + scenario_.names.coordinates[i];
      if (std::fabs(v) > largest_square_root && std::isfinite(v))
        note(
            formula, {0, formula.text.size()}, "large", "", !varies(formula.tree),
            "the start velocity " + name + " is " + format_short(v) + "; friction takes the square of speeds, which must stay below 1e150: choose other units");
      if (std::isfinite(v)) continue;
      note(formula, {0, formula.text.size()}, "velocity", "non_finite", !varies(formula.tree),
           "the start velocity " + name + " is " + format_short(v) +
               (start.velocity ? "" : ", the derivative of the past at t = 0; give " + name + " in [start]"));
    }
  }

  void try_inside(const std::vector<double>& q, double t) {
    double size = 0;
    for (const double x : q) size = std::hypot(size, x);
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      const Contact& contact = scenario_.contacts[p];
      const StartWorld world{parameters_, q, 0};
      const double g = expression::evaluate<double>(contact.g, world);
      double steepness = 0;
      for (const Expr& partial : gradients_[p]) steepness = std::hypot(steepness, expression::evaluate<double>(partial, world));
      if (t == 0 && std::isfinite(steepness) && steepness > 0 && !(steepness > 1 / largest_square_root && steepness < largest_square_root))
        note(contact.inside, {0, contact.inside.text.size()}, "steepness", "", !start_varies(),
             "the gradient of inside is " + format_short(steepness) + " at the start; its square is taken, so it must lie between 1e-150 and 1e150: multiply " +
                 "both sides by a number");
      const double outside = g / steepness;
      if (!(g > 0) || outside <= start_tolerance * (1 + size) || started_outside_[p]) continue;
      if (t == 0) started_outside_[p] = true;  // its past is then no news
      const expression::Span all{0, contact.inside.text.size()};
      const bool certain = !start_varies() && !depends_on(contact.g, [&](Symbol s) { return is_varied(scenario_, s); });
      if (t == 0)
        note(contact.inside, all, "start", "start_outside", certain,
             "the start lies outside '" + contact.name + "' by " + format_short(outside) + "; allowed: " + format_number(start_tolerance) + " (1 + |q|)");
      else
        note(contact.inside, all, "past", "", certain && !lengths_vary(),
             "the past leaves '" + contact.name + "' at t = " + format_short(t) + " by " + format_short(outside) +
                 "; the theory wants it inside (delays still see it)");
    }
  }

  bool lengths_vary() const {
    return std::any_of(numbers_.begin(), numbers_.end(), [&](const Bounded& n) { return n.status == "bad_delay" && varies(n.tree); });
  }

  void report() {
    for (const auto& [key, finding] : findings_) {
      const bool harmless = finding.status.empty();
      const Severity severity = finding.certain && !harmless ? Severity::error : Severity::warning;
      std::string message = finding.message;
      if (!finding.certain) {
        message = format_count(static_cast<unsigned long long>(finding.count)) + " of the first " + format_count(static_cast<unsigned long long>(count_)) +
                  " members: " + message;
        if (!harmless) message += "; such members stop with status " + finding.status;
      }
      problems_.push_back(make_problem(source_, *finding.formula, finding.span, severity, std::move(message)));
    }
  }

  const Scenario& scenario_;
  const Source& source_;
  std::int64_t count_;
  Problems& problems_;
  std::vector<Bounded> numbers_;
  std::vector<std::vector<Expr>> gradients_;  // [contact][coordinate]
  std::vector<Expr> slopes_;                  // derivatives of the past, [coordinate]
  std::int64_t member_ = 0;
  std::vector<double> parameters_;
  double longest_ = 0;                 // delay or window of this member
  std::vector<bool> started_outside_;  // [contact], of this member
  std::map<std::tuple<int, int, int, std::string>, Finding> findings_;
};

}  // namespace

void try_members(const Scenario& scenario, const Source& source, std::int64_t count, Problems& problems) { Trial(scenario, source, count, problems).run(); }

}  // namespace conesweep::scenario
