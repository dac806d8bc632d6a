#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "expression/calculus.hpp"
#include "expression/evaluate.hpp"
#include "sampling/sampler.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/bounded.hpp"
#include "scenario/reading/check.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;

// Speeds and gradients are squared without scaling them before: beyond, a square is no number that can be trusted.
constexpr double largest_square_root = 1e150;

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
      case Symbol::Kind::velocity: break;
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
    for (const Start& start : scenario.start) past_rates_.push_back(expression::differentiate(start.past.tree, {Symbol::Kind::time, 0}));
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
    Status status;        // ok: harmless
    bool certain;         // no varied parameter has a part in it
    std::int64_t count = 0;
    std::int64_t last = -1;  // member counted last: many instants of one past are one member
  };

  void note(const Formula& formula, expression::Span span, const std::string& kind, Status status, bool certain, const std::string& message) {
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
      else if (number.status == Status::bad_delay)
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
        note(past, {0, past.text.size()}, "finite", Status::non_finite, !varies(past.tree) && !lengths_vary(),
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
      const double v = expression::evaluate<double>(start.velocity ? formula.tree : past_rates_[i], StartWorld{parameters_, {}, 0});
      const std::string name = "v" + scenario_.names.coordinates[i];
      if (std::fabs(v) > largest_square_root && std::isfinite(v))
        note(
            formula, {0, formula.text.size()}, "large", Status::ok, !varies(formula.tree),
            "the start velocity " + name + " is " + format_short(v) + "; friction takes the square of speeds, which must stay below 1e150: choose other units");
      if (std::isfinite(v)) continue;
      note(formula, {0, formula.text.size()}, "velocity", Status::non_finite, !varies(formula.tree),
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
        note(contact.inside, {0, contact.inside.text.size()}, "steepness", Status::ok, !start_varies(),
             "the gradient of inside is " + format_short(steepness) + " at the start; its square is taken, so it must lie between 1e-150 and 1e150: multiply " +
                 "both sides by a number");
      const double outside = g / steepness;
      if (!(g > 0) || outside <= start_tolerance * (1 + size) || started_outside_[p]) continue;
      if (t == 0) started_outside_[p] = true;  // its past is then no news
      const expression::Span all{0, contact.inside.text.size()};
      const bool certain = !start_varies() && !depends_on(contact.g, [&](Symbol s) { return is_varied(scenario_, s); });
      if (t == 0)
        note(contact.inside, all, "start", Status::start_outside, certain,
             "the start lies outside '" + contact.name + "' by " + format_short(outside) + "; allowed: " + format_number(start_tolerance) + " (1 + |q|)");
      else
        note(contact.inside, all, "past", Status::ok, certain && !lengths_vary(),
             "the past leaves '" + contact.name + "' at t = " + format_short(t) + " by " + format_short(outside) +
                 "; the theory wants it inside (delays still see it)");
    }
  }

  bool lengths_vary() const {
    return std::any_of(numbers_.begin(), numbers_.end(), [&](const Bounded& n) { return n.status == Status::bad_delay && varies(n.tree); });
  }

  void report() {
    for (const auto& [key, finding] : findings_) {
      const bool harmless = finding.status == Status::ok;
      const Severity severity = finding.certain && !harmless ? Severity::error : Severity::warning;
      std::string message = finding.message;
      if (!finding.certain) {
        message = format_count(static_cast<unsigned long long>(finding.count)) + " of the first " + format_count(static_cast<unsigned long long>(count_)) +
                  " members: " + message;
        if (!harmless) message += "; such members stop with status " + std::string(to_name(finding.status));
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
  std::vector<Expr> past_rates_;              // derivatives of the past, [coordinate]
  std::int64_t member_ = 0;
  std::vector<double> parameters_;
  double longest_ = 0;                 // delay or window of this member
  std::vector<bool> started_outside_;  // [contact], of this member
  std::map<std::tuple<int, int, int, std::string>, Finding> findings_;
};

}  // namespace

void try_members(const Scenario& scenario, const Source& source, std::int64_t count, Problems& problems) { Trial(scenario, source, count, problems).run(); }

}  // namespace conesweep::scenario
