#include "model/generator.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include "expression/calculus.hpp"
#include "model/emitter.hpp"
#include "scenario/formulas.hpp"
#include "support/error.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::make_symbol;
using expression::Node;
using expression::Op;
using expression::Symbol;
using scenario::Scenario;

Expr sum(Expr a, Expr b) { return make_node(Op::add, {std::move(a), std::move(b)}); }
Expr times(Expr a, Expr b) { return make_node(Op::multiply, {std::move(a), std::move(b)}); }
Expr minus(Expr a, Expr b) { return make_node(Op::subtract, {std::move(a), std::move(b)}); }

// Σ a_k b_k, simplified
Expr dot(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  Expr total = make_constant(0);
  for (std::size_t k = 0; k < a.size(); ++k) total = sum(total, times(a[k], b[k]));
  return expression::simplify(total);
}

bool is_zero(const Expr& e) { return e->op == Op::constant && e->value == 0; }

// |a|: of one number without squaring it
Expr length_of(const std::vector<Expr>& a) {
  std::vector<Expr> parts;
  for (const Expr& part : a)
    if (!is_zero(expression::simplify(part))) parts.push_back(part);
  if (parts.empty()) return make_constant(0);
  if (parts.size() == 1) return expression::simplify(make_node(Op::abs, parts));
  return expression::simplify(make_node(Op::sqrt, {dot(parts, parts)}));
}

// A tree with some nodes replaced: replace(node) gives what stands in a node's place, or nothing. Shared parts are visited once.
template <class Replace>
class Rewriting {
 public:
  explicit Rewriting(const Replace& replace) : replace_(replace) {}

  Expr visit(const Expr& expr) {
    if (Expr other = replace_(expr)) return other;
    if (expr->args.empty()) return expr;
    const auto known = done_.find(expr.get());
    if (known != done_.end()) return known->second;
    std::vector<Expr> args;
    for (const auto& arg : expr->args) args.push_back(visit(arg));
    return done_[expr.get()] = make_node(expr->op, std::move(args));
  }

 private:
  const Replace& replace_;
  std::unordered_map<const Node*, Expr> done_;
};

template <class Replace>
Expr rewrite(const Expr& expr, const Replace& replace) {
  return Rewriting<Replace>(replace).visit(expr);
}

// The user's formula with its constants folded. simplify() would go further and lose a NaN: 0 * log(-1) is a member that stops.
Expr fold(const Expr& formula) {
  const auto fold_node = [](const Expr& expr, std::vector<Expr> args) -> Expr {
    const bool constant = std::all_of(args.begin(), args.end(), [](const Expr& arg) { return arg->op == Op::constant; });
    const bool product = expr->op == Op::multiply || expr->op == Op::divide || expr->op == Op::power ||
                         std::any_of(args.begin(), args.end(), [](const Expr& arg) { return arg->from_product; });
    Expr node = make_node(expr->op, std::move(args));
    if (!constant || expression::is_history(expr->op)) return node;
    node = expression::simplify(node);
    if (!product || node->op != Op::constant) return node;
    Node folded = *node;  // sums keep equalities with it, too
    folded.from_product = true;
    return std::make_shared<const Node>(std::move(folded));
  };
  std::unordered_map<const Node*, Expr> done;
  const std::function<Expr(const Expr&)> visit = [&](const Expr& expr) -> Expr {
    if (expr->args.empty()) return expr;
    Expr& known = done[expr.get()];
    if (known) return known;
    std::vector<Expr> args;
    for (const auto& arg : expr->args) args.push_back(visit(arg));
    return done[expr.get()] = fold_node(expr, std::move(args));
  };
  return visit(formula);
}

bool sees_present(const Expr& expr) {
  return expression::any_node(expr, [](const Node& n) { return n.op == Op::now; });
}

bool sees_past(const Expr& expr) {
  if (expr->op == Op::now) return false;
  return (expr->op == Op::symbol && expr->symbol.kind == Symbol::Kind::coordinate) || std::any_of(expr->args.begin(), expr->args.end(), sees_past);
}

// window_max(|a - b|) of a past a and a present b is the larger of window_max(a) - b and b - window_min(a), which do not look through all
// nodes. Rounding is monotone: not a bit changes.
Expr split_distances(const Expr& formula) {
  return rewrite(formula, [](const Expr& expr) -> Expr {
    if (expr->op != Op::window_max || expr->args[0]->op != Op::abs || expr->args[0]->args[0]->op != Op::subtract) return nullptr;
    Expr past = expr->args[0]->args[0]->args[0], present = expr->args[0]->args[0]->args[1];
    if (sees_present(past)) std::swap(past, present);
    if (sees_present(past) || !sees_present(present) || sees_past(present)) return nullptr;
    const Expr now = rewrite(present, [](const Expr& e) -> Expr { return e->op == Op::now ? e->args[0] : nullptr; });
    return make_node(Op::max, {minus(make_node(Op::window_max, {past, expr->args[1]}), now), minus(now, make_node(Op::window_min, {past, expr->args[1]}))});
  });
}

// The user's formula as it is computed.
Expr prepared(const Expr& formula) { return split_distances(fold(formula)); }

class Generator {
 public:
  explicit Generator(const Scenario& scenario) : scenario_(scenario), d_(scenario.dimension()) { collect_history(); }

  long ring_columns() const { return static_cast<long>(q_columns_.size() + v_columns_.size()) + gathered_windows_; }

  std::string run() {
    // bodies first: they find out which constants there are
    std::string bodies = past() + force() + contacts() + observables() + lengths() + windows();
    return "#include <conesweep/step/member.hpp>\n\nnamespace conesweep::generated {\n\nstruct Model {\n" + numbers() + standard() + prepare() + bodies +
           "};\n\n}  // namespace conesweep::generated\n";
  }

 private:
  // ---- history: which lags there are, and which columns of the ring they read ------------------------------------------

  struct LagEntry {
    Expr length;
    std::set<int> q, v;  // coordinates and velocities read at it
  };
  struct WindowEntry {
    Expr node;
    int lag;
    int place;  // among those that are gathered; -1: it sees the present, and looks through all nodes
  };

  void collect_history() {
    const auto collect = [&](const Expr& tree) {
      expression::for_each_node(prepared(tree), [&](const Expr& node) {
        if (!expression::is_history(node->op) || node->op == Op::now) return;
        const int lag = lag_of(node->args[1]);
        LagEntry& entry = lags_[static_cast<std::size_t>(lag)];
        // inside a window now(…) means the present
        collect_columns(node->args[0], entry);
        if (node->op != Op::delay && window_of(node) < 0) windows_.push_back({node, lag, sees_present(node->args[0]) ? -1 : gathered_windows_++});
      });
    };
    scenario::for_each_formula(scenario_, [&](std::string_view, const scenario::Formula& formula) { collect(formula.tree); });
    std::set<int> q, v;
    for (const LagEntry& lag : lags_) q.insert(lag.q.begin(), lag.q.end()), v.insert(lag.v.begin(), lag.v.end());
    q_columns_.assign(q.begin(), q.end());
    v_columns_.assign(v.begin(), v.end());
  }

  static void collect_columns(const Expr& expr, LagEntry& entry) {
    if (expr->op == Op::now) return;
    if (expr->op == Op::symbol && expr->symbol.kind == Symbol::Kind::coordinate) entry.q.insert(expr->symbol.index);
    if (expr->op == Op::symbol && expr->symbol.kind == Symbol::Kind::velocity) entry.v.insert(expr->symbol.index);
    for (const auto& arg : expr->args) collect_columns(arg, entry);
  }

  int lag_of(const Expr& length) {
    for (std::size_t k = 0; k < lags_.size(); ++k)
      if (expression::same_tree(lags_[k].length, length)) return static_cast<int>(k);
    lags_.push_back({length, {}, {}});
    return static_cast<int>(lags_.size()) - 1;
  }

  int window_of(const Expr& node) const {
    for (std::size_t k = 0; k < windows_.size(); ++k)
      if (expression::same_tree(windows_[k].node, node)) return static_cast<int>(k);
    return -1;  // none yet
  }

  static int column_of(const std::vector<int>& columns, int index) {
    return static_cast<int>(std::find(columns.begin(), columns.end(), index) - columns.begin());
  }

  // ---- leaves that are not the user's ---------------------------------------------------------------------------------

  // a value with a C++ name of ours
  Expr local(const std::string& name) {
    const auto found = std::find(locals_.begin(), locals_.end(), name);
    const int index = static_cast<int>(found - locals_.begin());
    if (found == locals_.end()) locals_.push_back(name);
    return make_symbol({Symbol::Kind::local, index});
  }

  std::vector<Expr> local_vector(const std::string& name) {
    std::vector<Expr> all;
    for (int c = 0; c < d_; ++c) all.push_back(local(name + "[" + std::to_string(c) + "]"));
    return all;
  }

  // delay(…) becomes its expression in the values of its lag; windows become their values
  Expr lower(const Expr& whole) {
    return rewrite(prepared(whole), [&](const Expr& expr) -> Expr {
      if (expr->op == Op::delay) return lower_delayed(expr->args[0], lag_of(expr->args[1]));
      if (expression::is_history(expr->op)) {
        CS_ASSERT(window_of(expr) >= 0);
        return local("n.window[" + std::to_string(window_of(expr)) + "]");
      }
      return nullptr;
    });
  }

  Expr lower_delayed(const Expr& whole, int lag) {
    return rewrite(whole, [&](const Expr& expr) -> Expr {
      if (expr->op != Op::symbol) return nullptr;
      const std::string k = "[" + std::to_string(lag) + "]";
      switch (expr->symbol.kind) {
        case Symbol::Kind::time: return local("n.past_t" + k);
        case Symbol::Kind::coordinate: return local("n.past_q" + k + "[" + std::to_string(column_of(q_columns_, expr->symbol.index)) + "]");
        case Symbol::Kind::velocity: return local("n.past_v" + k + "[" + std::to_string(column_of(v_columns_, expr->symbol.index)) + "]");
        default: return nullptr;
      }
    });
  }

  // ---- writing functions ----------------------------------------------------------------------------------------------

  Leaves leaves(const std::string& prefix, const std::string& constants) {
    return {[this, prefix](Symbol s) -> std::string {
              switch (s.kind) {
                case Symbol::Kind::time: return prefix + "t";
                case Symbol::Kind::coordinate: return prefix + "q[" + std::to_string(s.index) + "]";
                case Symbol::Kind::velocity: return prefix + "v[" + std::to_string(s.index) + "]";
                case Symbol::Kind::local: return locals_[static_cast<std::size_t>(s.index)];
                case Symbol::Kind::parameter: break;
              }
              throw InternalError("parameters have places of their own", __FILE__, __LINE__);
            },
            constants};
  }

  Emitter node_emitter() { return Emitter(constants_, leaves("n.", "n.c"), "      "); }
  Emitter plain_emitter() { return Emitter(constants_, leaves("", "c"), "      "); }

  // a function that is chosen by a number: one branch each, all in one template
  static std::string choice(const std::string& head, const std::vector<std::string>& bodies) {
    return "  " + head + " {\n    using Scalar = ScalarOf<Real>;\n" + branches(bodies, 0, bodies.size()) + "  }\n\n";
  }

  // Branches first … last - 1: a chain of a few, else by halves. A compiler looks at every branch before the one it takes, for every number.
  static std::string branches(const std::vector<std::string>& bodies, std::size_t first, std::size_t last) {
    constexpr std::size_t short_chain = 16;
    if (last - first > short_chain) {
      const std::size_t middle = first + (last - first) / 2;
      return "    if constexpr (K < " + std::to_string(middle) + ") {\n" + branches(bodies, first, middle) + "    } else {\n" + branches(bodies, middle, last) +
             "    }\n";
    }
    std::string text = "    ";
    for (std::size_t k = first; k < last; ++k)
      text += std::string(k == first ? "" : " else ") + "if constexpr (K == " + std::to_string(k) + ") {\n" + bodies[k] + "    }";
    return text + "\n";
  }

  static std::string number_list(const std::vector<int>& values) {
    std::string text = "{";
    for (std::size_t k = 0; k < values.size(); ++k) text += (k > 0 ? ", " : "") + std::to_string(values[k]);
    return text + (values.empty() ? "0}" : "}");
  }

  std::string numbers() const {
    const auto constant = [](const std::string& name, std::size_t value) { return "  static constexpr int " + name + " = " + std::to_string(value) + ";\n"; };
    std::vector<int> varied, reducers;
    for (const auto& variation : scenario_.vary) varied.push_back(variation.parameter);
    for (const auto& observable : scenario_.observables) reducers.push_back(static_cast<int>(observable.reducer));
    std::string text = constant("dimension", static_cast<std::size_t>(d_)) + constant("parameters", scenario_.names.parameters.size()) +
                       constant("varied", varied.size()) + constant("constants", constants_.entries().size()) +
                       constant("contacts", scenario_.contacts.size()) + constant("lags", lags_.size()) + constant("windows", windows_.size()) +
                       constant("q_columns", q_columns_.size()) + constant("v_columns", v_columns_.size()) +
                       constant("gathered_windows", static_cast<std::size_t>(gathered_windows_)) + constant("observables", reducers.size());
    text += "  static constexpr int varied_parameter[] = " + number_list(varied) + ";\n";
    text += "  static constexpr int reducers[] = " + number_list(reducers) + ";\n";
    text += "  static constexpr int q_column[] = " + number_list(q_columns_) + ";\n";
    text += "  static constexpr int v_column[] = " + number_list(v_columns_) + ";\n";
    text += "  static constexpr bool lag_q[][at_least_one(q_columns)] = " + column_table(q_columns_, &LagEntry::q) + ";\n";
    text += "  static constexpr bool lag_v[][at_least_one(v_columns)] = " + column_table(v_columns_, &LagEntry::v) + ";\n";
    std::vector<int> rebounds, constant_gradient, total, window_lag, window_kind;
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      rebounds.push_back(has_restitution(scenario_.contacts[p]) ? 1 : 0);
      const auto slope = gradient(p);
      constant_gradient.push_back(std::all_of(slope.begin(), slope.end(), [](const Expr& e) { return e->op == Op::constant; }) ? 1 : 0);
      total.push_back(constant_gradient.back() == 1 && is_polynomial(scenario_.contacts[p].g) ? 1 : 0);
    }
    std::vector<int> window_place, lag_gathered(lags_.size(), 0);
    for (const WindowEntry& window : windows_) {
      window_place.push_back(window.place);
      if (window.place >= 0) lag_gathered[static_cast<std::size_t>(window.lag)] = 1;
      window_lag.push_back(window.lag);
      window_kind.push_back(static_cast<int>(window.node->op) - static_cast<int>(Op::window_max));
    }
    text += "  static constexpr bool rebounds[] = " + number_list(rebounds) + ";\n";
    text += "  static constexpr bool constant_gradient[] = " + number_list(constant_gradient) + ";\n";
    text += "  static constexpr bool total[] = " + number_list(total) + ";\n";
    text += "  static constexpr int window_lag[] = " + number_list(window_lag) + ";\n";
    text += "  static constexpr int window_kind[] = " + number_list(window_kind) + ";   // max, min, mean\n";
    text += "  static constexpr int window_place[] = " + number_list(window_place) + ";   // among the gathered ones; -1: looks through all nodes\n";
    text += "  static constexpr bool lag_gathered[] = " + number_list(lag_gathered) + ";\n\n";
    return text;
  }

  std::string column_table(const std::vector<int>& columns, std::set<int> LagEntry::*read) const {
    std::string text = "{";
    for (std::size_t k = 0; k < lags_.size(); ++k) {
      std::vector<int> row;
      for (const int column : columns) row.push_back((lags_[k].*read).contains(column) ? 1 : 0);
      text += (k > 0 ? ", " : "") + number_list(row);
    }
    return text + (lags_.empty() ? "{0}}" : "}");
  }

  std::string standard() const {
    const auto has = [&](scenario::Standard s) { return std::find(scenario_.standard.begin(), scenario_.standard.end(), s) != scenario_.standard.end(); };
    std::string text = "  struct Standard {\n";
    for (int k = 0; k < scenario::standard_count; ++k) {
      const auto quantity = static_cast<scenario::Standard>(k);
      text += "    static constexpr bool " + std::string(to_name(quantity)) + " = " + (has(quantity) ? "true" : "false") + ";\n";
    }
    return text + "    static constexpr bool times = stick_time || slip_time || flight_time;\n  };\n\n";
  }

  // what depends on parameters alone, once a member
  std::string prepare() {
    std::string text =
        "  template <class Real>\n  static CS_INLINE void prepare(const Real* parameters, Real* c) {\n    using Scalar = ScalarOf<Real>;\n    "
        "(void)parameters, (void)c;\n";
    Emitter emitter(constants_, leaves("", ""), "    ");
    std::vector<Emitter::Assignment> plain;
    const auto entries = constants_.entries();
    for (std::size_t k = 0; k < entries.size(); ++k) plain.push_back({"c[" + std::to_string(k) + "]", entries[k].expr, entries[k].keeps_equalities});
    emitter.assign(plain);
    text += emitter.text();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (entries[k].wrapper == "%") continue;
      const std::string place = "c[" + std::to_string(k) + "]";
      std::string call = entries[k].wrapper;
      call.replace(call.find('%'), 1, place);
      text += "    " + place + " = " + call + ";\n";
    }
    return text + "  }\n\n";
  }

  // φ0, φ0' and the start velocity
  std::string past() {
    const auto function = [&](const std::string& head, const std::vector<Emitter::Assignment>& list, const std::string& unused) {
      Emitter emitter(constants_, leaves("", "c"), "    ");
      emitter.assign(list);
      return "  template <class Real>\n  static CS_INLINE void " + head + " {\n    using Scalar = ScalarOf<Real>;\n    " + unused + "\n" + emitter.text() +
             "  }\n\n";
    };
    std::vector<Emitter::Assignment> q, v, start;
    for (int c = 0; c < d_; ++c) {
      const auto& entry = scenario_.start[static_cast<std::size_t>(c)];
      const std::string index = "[" + std::to_string(c) + "]";
      const Expr slope = expression::differentiate(entry.past.tree, {Symbol::Kind::time, 0});
      q.push_back({"q" + index, fold(entry.past.tree)});
      v.push_back({"v" + index, slope});
      start.push_back({"v" + index, entry.velocity ? fold(entry.velocity->tree) : left_of_zero(slope)});
    }
    return function("past(Real t, const Real* c, Real* q)", q, "(void)t, (void)c;") +
           function("past_velocity(Real t, const Real* c, Real* v)", v, "(void)t, (void)c;") +
           function("start_velocity(const Real* c, Real* v)", start,
                    "(void)c;\n    const Real t = Real(0), before = Real(is_double<Real> ? Scalar(-1e-200) : Scalar(-1e-30));\n    (void)t, (void)before;");
  }

  // The derivative of the past from the left at 0. abs, min, max and if may have a kink there, where they take the branch of 0; a smooth
  // derivative changes by nothing on a way as short as `before`.
  Expr left_of_zero(const Expr& slope) {
    const bool kink = expression::any_node(slope, [](const Node& n) {
      return n.op == Op::sign || n.op == Op::choose || n.op == Op::floor || n.op == Op::ceil || n.op == Op::abs || n.op == Op::min || n.op == Op::max ||
             n.op == Op::mod;
    });
    if (!kink) return slope;
    const Expr then =
        rewrite(slope, [&](const Expr& e) -> Expr { return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::time ? local("before") : nullptr; });
    const Expr change = make_node(Op::abs, {minus(then, slope)});
    const Expr noise = times(make_constant(1e-9), sum(make_constant(1), make_node(Op::abs, {slope})));
    return make_node(Op::choose, {make_node(Op::greater, {change, noise}), then, slope});
  }

  std::string force() {
    Emitter emitter(constants_, leaves("n.", "n.c"), "    ");
    std::vector<Emitter::Assignment> list;
    for (int c = 0; c < d_; ++c) list.push_back({"f[" + std::to_string(c) + "]", lower(scenario_.force[static_cast<std::size_t>(c)].tree)});
    emitter.assign(list);
    return "  template <class Node, class Real>\n  static CS_INLINE void force(const Node& n, Real* f) {\n    using Scalar = ScalarOf<Real>;\n    (void)n;\n" +
           emitter.text() + "  }\n\n";
  }

  // ---- contacts -------------------------------------------------------------------------------------------------------

  static bool has_restitution(const scenario::Contact& contact) { return contact.restitution && !is_zero(fold(contact.restitution->tree)); }

  // made of + - * alone: with finite leaves never NaN, short of an overflow
  static bool is_polynomial(const Expr& expr) {
    return !expression::any_node(expr, [](const Node& n) {
      return n.op != Op::constant && n.op != Op::symbol && n.op != Op::negate && n.op != Op::add && n.op != Op::subtract && n.op != Op::multiply;
    });
  }

  std::vector<Expr> gradient(std::size_t p) const {
    std::vector<Expr> slope;
    for (int c = 0; c < d_; ++c) slope.push_back(expression::differentiate(scenario_.contacts[p].g, {Symbol::Kind::coordinate, c}));
    return slope;
  }

  // the inward normal -∇g / |∇g|; of a wall along an axis exactly ±1
  std::vector<Expr> normal(std::size_t p) const {
    const auto slope = gradient(p);
    const Expr inverse = make_node(Op::divide, {make_constant(1), length_of(slope)});  // one division for all components
    std::vector<Expr> n;
    int parts = 0;
    for (const Expr& e : slope) parts += is_zero(e) ? 0 : 1;
    for (const Expr& e : slope) {
      const Expr inward = make_node(Op::negate, {e});
      n.push_back(expression::simplify(parts == 1 && !is_zero(e) ? make_node(Op::sign, {inward}) : times(inward, inverse)));
    }
    return n;
  }

  std::string contacts() {
    std::vector<std::string> g, steepness, slope, along, split, join, friction, restitution;
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      const auto& contact = scenario_.contacts[p];
      const auto returned = [&](const Expr& expr) {
        Emitter emitter = plain_emitter();
        emitter.assign("const Real result", expr);
        return emitter.text() + "      return result;\n";
      };
      const auto n = normal(p);
      const auto w = local_vector("w"), w_t = local_vector("w_t"), v_t = local_vector("v_t");
      g.push_back(returned(fold(contact.g)));
      steepness.push_back(returned(length_of(gradient(p))));
      slope.push_back(returned(dot(gradient(p), w)));
      along.push_back(returned(dot(n, w)));

      // w = w_n n + w_t
      Emitter parts = plain_emitter();
      parts.assign("w_n", dot(n, w));
      std::vector<Emitter::Assignment> tangential;
      std::vector<Expr> nonzero;
      for (int c = 0; c < d_; ++c) {
        const auto at = static_cast<std::size_t>(c);
        const bool whole = n[at]->op == Op::constant && (n[at]->value == 1 || n[at]->value == -1);
        tangential.push_back({"w_t[" + std::to_string(c) + "]", whole ? make_constant(0) : expression::simplify(minus(w[at], times(local("w_n"), n[at])))});
        if (!whole) nonzero.push_back(w_t[at]);
      }
      parts.assign(tangential);
      parts.assign("slip_speed", length_of(nonzero));
      split.push_back(parts.text());

      // v = v_t + v_n n
      Emitter whole = plain_emitter();
      std::vector<Emitter::Assignment> velocity;
      const Expr v_n = has_restitution(contact) ? local("v_n") : make_constant(0);
      for (int c = 0; c < d_; ++c) {
        const auto at = static_cast<std::size_t>(c);
        const bool along_normal = n[at]->op == Op::constant && (n[at]->value == 1 || n[at]->value == -1);
        // along the normal v_t is 0; but a NaN in it (a bad friction) must not be lost where nothing else is tangential
        const Expr tangential_part = along_normal && !nonzero.empty() ? make_constant(0) : v_t[at];
        velocity.push_back({"v[" + std::to_string(c) + "]", expression::simplify(sum(tangential_part, times(v_n, n[at])))});
      }
      whole.assign(velocity);
      join.push_back(whole.text());

      friction.push_back(
          limited(contact.friction, contact.friction_law == scenario::FrictionLaw::angle ? "tan(law::check_angle(%))" : "law::check_coefficient(%)"));
      restitution.push_back(limited(has_restitution(contact) ? contact.restitution : std::nullopt, "law::check_restitution(%)"));
    }
    const std::string real = "template <int K, class Real>\n  static CS_INLINE ";
    const std::string node = "template <int K, class Node>\n  static CS_INLINE auto ";
    return choice(real + "Real constraint(const Real* q, const Real* c)", prefixed(g)) +
           choice(real + "Real steepness(const Real* q, const Real* c)", prefixed(steepness)) +
           choice(real + "Real slope(const Real* q, const Real* c, const Real* w)", prefixed(slope)) +
           choice(real + "Real normal(const Real* q, const Real* c, const Real* w)", prefixed(along)) +
           choice(real + "void split(const Real* q, const Real* c, const Real* w, Real& w_n, Real* w_t, Real& slip_speed)", prefixed(split)) +
           choice(real + "void join(const Real* q, const Real* c, const Real* v_t, Real v_n, Real* v)", prefixed(join, "(void)v_t, (void)v_n;")) +
           node_choice(node + "friction(const Node& n)", friction) + node_choice(node + "restitution(const Node& n)", restitution);
  }

  static std::vector<std::string> prefixed(std::vector<std::string> bodies, const std::string& more = "") {
    for (auto& body : bodies) body = "      (void)q, (void)c;" + more + "\n" + body;
    return bodies;
  }

  static std::string node_choice(const std::string& head, const std::vector<std::string>& bodies) {
    std::string text = choice(head, bodies);
    const std::string general = "using Scalar = ScalarOf<Real>;";
    return text.replace(text.find(general), general.size(), "using Real = typename Node::Number;\n    " + general + "\n    (void)n;");
  }

  // a number with an allowed range, checked by `wrapper`; none: 0
  std::string limited(const std::optional<scenario::Formula>& formula, const std::string& wrapper) {
    if (!formula) return "      return Real(0);\n";
    const Expr expr = lower(formula->tree);
    if (is_of_parameters(expr)) return "      return n.c[" + std::to_string(constants_.place_of(expr, wrapper)) + "];\n";
    Emitter emitter = node_emitter();
    emitter.assign("const Real x", expr);
    std::string call = wrapper;
    call.replace(call.find('%'), 1, "x");
    return emitter.text() + "      return " + call + ";\n";
  }

  // ---- observables, lengths, windows ----------------------------------------------------------------------------------

  std::string observables() {
    std::vector<std::string> values, conditions;
    for (const auto& observable : scenario_.observables) {
      Emitter emitter = node_emitter();
      const bool condition = takes_condition(observable.reducer);
      emitter.assign(condition ? "const MaskOf<Real> result" : "const Real result", lower(observable.formula.tree));
      const std::string body = emitter.text() + "      return result;\n";
      values.push_back(condition ? "      return Real(0);\n" : body);
      conditions.push_back(condition ? body : "      return Real(0) != Real(0);\n");
    }
    const std::string head = "template <int K, class Node>\n  static CS_INLINE auto ";
    return node_choice(head + "value(const Node& n)", values) + node_choice(head + "condition(const Node& n)", conditions);
  }

  std::string lengths() {
    std::vector<std::string> bodies;
    for (const LagEntry& lag : lags_) {
      Emitter emitter = plain_emitter();
      emitter.assign("const Real result", lag.length);
      bodies.push_back("      (void)c;\n" + emitter.text() + "      return result;\n");
    }
    return choice("template <int K, class Real>\n  static CS_INLINE Real length(const Real* c)", bodies);
  }

  // the expression inside a window: q_then by column, now(…) by the node
  std::string windows() {
    std::vector<std::string> bodies;
    for (const WindowEntry& window : windows_) {
      Emitter emitter = node_emitter();
      emitter.assign("const Real result", lower_in_window(window.node->args[0]));
      bodies.push_back("      (void)q_then;\n" + emitter.text() + "      return result;\n");
    }
    return node_choice("template <int K, class Node>\n  static CS_INLINE auto window_value(const Node& n, const typename Node::Number* q_then)", bodies);
  }

  Expr lower_in_window(const Expr& whole) {
    return rewrite(whole, [&](const Expr& expr) -> Expr {
      if (expr->op == Op::now) return expr->args[0];
      if (expr->op == Op::symbol && expr->symbol.kind == Symbol::Kind::coordinate)
        return local("q_then[" + std::to_string(column_of(q_columns_, expr->symbol.index)) + "]");
      return nullptr;
    });
  }

  const Scenario& scenario_;
  int d_;
  Constants constants_;
  std::vector<LagEntry> lags_;
  std::vector<WindowEntry> windows_;
  std::vector<int> q_columns_, v_columns_;
  int gathered_windows_ = 0;
  std::vector<std::string> locals_;
};

}  // namespace

long count_ring_columns(const Scenario& scenario) { return Generator(scenario).ring_columns(); }

bool looks_through_all_nodes(const Expr& window) {
  return expression::any_node(prepared(window),
                              [](const Node& n) { return expression::is_history(n.op) && n.op != Op::delay && n.op != Op::now && sees_present(n.args[0]); });
}

std::string generate_model(const Scenario& scenario) { return Generator(scenario).run(); }

}  // namespace conesweep::model
