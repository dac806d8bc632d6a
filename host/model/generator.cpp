#include "model/generator.hpp"

#include <algorithm>

#include "expression/calculus.hpp"
#include "model/algebra.hpp"
#include "model/apart_text.hpp"
#include "model/coupled_text.hpp"
#include "model/draft.hpp"
#include "model/formula.hpp"
#include "model/law_counts.hpp"
#include "model/laws_text.hpp"
#include "model/rewrite.hpp"
#include "model/second_order_text.hpp"
#include "model/text.hpp"
#include "scenario/islands.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::Node;
using expression::Op;
using expression::Symbol;
using scenario::Problem;

constexpr std::string_view model_block = R"(@kinds@#include <conesweep/step/model_words.hpp>

namespace conesweep::generated {

struct Model {
@numbers@@located@@second@@settles@@laws@@standard@@prepare@@functions@};

}  // namespace conesweep::generated
)";

constexpr std::string_view numbers_block = R"(  static constexpr int dimension = @dimension@;
  static constexpr int parameters = @parameters@;
  static constexpr int varied = @varied@;
  static constexpr int constants = @constants@;
  static constexpr int contacts = @contacts@;
  static constexpr int lags = @lags@;
  static constexpr int windows = @windows@;
  static constexpr int q_columns = @q_columns@;
  static constexpr int v_columns = @v_columns@;
  static constexpr int gathered_windows = @gathered_windows@;
  static constexpr int observables = @observables@;
  static constexpr int varied_parameter[] = @varied_parameter@;
  static constexpr int reducers[] = @reducers@;
  static constexpr int q_column[] = @q_column@;
  static constexpr int v_column[] = @v_column@;
  static constexpr bool lag_varies[] = @lag_varies@;
  static constexpr bool lag_q[][at_least_one(q_columns)] = @lag_q@;
  static constexpr bool lag_v[][at_least_one(v_columns)] = @lag_v@;
  static constexpr bool rebounds[] = @rebounds@;
  static constexpr bool moves[] = @moves@;
  static constexpr bool constant_gradient[] = @constant_gradient@;
  static constexpr bool defined_everywhere[] = @defined_everywhere@;
  static constexpr int window_lag[] = @window_lag@;
  static constexpr int window_kind[] = @window_kind@;
  static constexpr int window_place[] = @window_place@;   // among the gathered ones; -1: looks through all nodes
  static constexpr bool lag_gathered[] = @lag_gathered@;

)";

constexpr std::string_view standard_block = R"(  struct Standard {
@quantities@  };

)";

constexpr std::string_view prepare_block = R"(  template <class Real>
  static CS_INLINE void prepare(const Real* parameters, Real* c) {
    using Scalar = ScalarOf<Real>;
    (void)parameters, (void)c;
@constants@  }

)";

constexpr std::string_view past_block = R"(  template <class Real>
  static CS_INLINE void past(Real t, const Real* c, Real* q) {
    using Scalar = ScalarOf<Real>;
    (void)t, (void)c;
@q@  }

  template <class Real>
  static CS_INLINE void past_velocity(Real t, const Real* c, Real* v) {
    using Scalar = ScalarOf<Real>;
    (void)t, (void)c;
@v@  }

  template <class Real>
  static CS_INLINE void start_velocity(const Real* c, Real* v) {
    using Scalar = ScalarOf<Real>;
    (void)c;
    const Real t = Real(0), before = Real(is_double<Real> ? Scalar(-1e-200) : Scalar(-1e-30));
    (void)t, (void)before;
@start@  }

)";

constexpr std::string_view force_block = R"(  template <class Node, class Real, class Done = Nothing>
  static CS_INLINE void force(const Node& n, Real* f, const Done& done = {}) {
    using Scalar = ScalarOf<Real>;
    (void)n;
@f@  }

)";

constexpr std::string_view stop_block = R"(  using Stops = void;
  template <class Node>
  static CS_INLINE auto stops_at(const Node& n) {
    using Real = typename Node::Number;
    using Scalar = ScalarOf<Real>;
    (void)n;
@condition@  }

)";

constexpr std::string_view length_signature = "Real length(const Real* c)";
constexpr std::string_view value_signature = "value(const Node& n)";
constexpr std::string_view condition_signature = "condition(const Node& n)";
constexpr std::string_view after_signature = "Real seen_after(const Real* c, Real end)";
constexpr std::string_view before_signature = "Real seen_before(const Real* c, Real end)";
constexpr std::string_view window_signature = "window_value(const Node& n, const typename Node::Number* q_then)";

// ---- ranges: which nodes observables see (O9) ----

// one of each pair of after and before
std::vector<const scenario::Observable*> find_ranges(const Problem& problem) {
  std::vector<const scenario::Observable*> ranges;
  for (const auto& observable : problem.observables)
    if (has_range(observable) &&
        std::none_of(ranges.begin(), ranges.end(), [&](const auto* known) { return same_range(*known, observable); }))
      ranges.push_back(&observable);
  return ranges;
}

std::string reducer_text(const std::vector<const scenario::Observable*>& ranges,
                         const scenario::Observable& observable) {
  const std::string name = "observe::reduce_" + std::string(to_name(observable.reducer));
  if (!has_range(observable)) return name;
  const auto found =
      std::find_if(ranges.begin(), ranges.end(), [&](const auto* known) { return same_range(*known, observable); });
  return "observe::in_range(" + name + ", " + std::to_string(found - ranges.begin()) + ")";
}

// ---- tables: how many of each there are, and what is known of them ----

// [lag][column]: does it read it?
std::string column_table(const HistoryPlan& history, Symbol::Kind kind) {
  const auto& lags = history.lags();
  std::string text = "{";
  for (std::size_t k = 0; k < lags.size(); ++k) {
    const auto read = lags[k].read.find(kind);
    std::vector<int> row;
    for (const int column : history.columns(kind))
      row.push_back(read != lags[k].read.end() && read->second.contains(column) ? 1 : 0);
    text += (k > 0 ? ", " : "") + number_list(row);
  }
  return text + (lags.empty() ? "{0}}" : "}");
}

Filling describe_counts(const Draft& draft) {
  const Problem& problem = draft.problem;
  const HistoryPlan& history = draft.history;
  return {{"dimension", std::to_string(problem.dimension())},
          {"parameters", std::to_string(problem.names.parameters.size())},
          {"varied", std::to_string(draft.columns.size())},
          {"constants", std::to_string(draft.constants.entries().size())},
          {"contacts", std::to_string(problem.contacts.size())},
          {"lags", std::to_string(history.lags().size())},
          {"windows", std::to_string(history.windows().size())},
          {"q_columns", std::to_string(history.columns(Symbol::Kind::coordinate).size())},
          {"v_columns", std::to_string(history.columns(Symbol::Kind::velocity).size())},
          {"gathered_windows", std::to_string(history.gathered_windows())},
          {"observables", std::to_string(problem.observables.size())}};
}

Filling describe_problem(const Problem& problem, const std::vector<int>& columns) {
  std::vector<std::string> reducers;
  const auto ranges = find_ranges(problem);
  for (const auto& observable : problem.observables) reducers.push_back(reducer_text(ranges, observable));
  const ContactTables contacts = tabulate_contacts(problem);
  return {{"varied_parameter", number_list(columns)},
          {"reducers", name_list(reducers)},
          {"rebounds", number_list(contacts.rebounds)},
          {"moves", number_list(contacts.moves)},
          {"constant_gradient", number_list(contacts.constant_gradient)},
          {"defined_everywhere", number_list(contacts.defined_everywhere)}};
}

// Which lags may differ between members?
std::vector<int> find_varying(const std::vector<int>& columns, const std::vector<HistoryPlan::Lag>& lags) {
  std::vector<int> varies;
  for (const HistoryPlan::Lag& lag : lags)
    varies.push_back(expression::any_node(lag.length, [&](const Node& n) {
      const bool fixed = n.symbol.kind == Symbol::Kind::parameter &&
                         std::find(columns.begin(), columns.end(), n.symbol.index) == columns.end();
      return n.op == Op::symbol && !fixed;
    }));
  return varies;
}

Filling describe_history(const std::vector<int>& columns, const HistoryPlan& history) {
  std::vector<int> lag, place, lag_gathered(history.lags().size(), 0);
  std::vector<std::string> kind;
  for (const HistoryPlan::Window& window : history.windows()) {
    lag.push_back(window.lag);
    kind.push_back("history::" + std::string(op_name(window.node->op)));
    place.push_back(window.place);
    if (window.place >= 0) lag_gathered[static_cast<std::size_t>(window.lag)] = 1;
  }
  return {{"q_column", number_list(history.columns(Symbol::Kind::coordinate))},
          {"v_column", number_list(history.columns(Symbol::Kind::velocity))},
          {"lag_varies", number_list(find_varying(columns, history.lags()))},
          {"lag_q", column_table(history, Symbol::Kind::coordinate)},
          {"lag_v", column_table(history, Symbol::Kind::velocity)},
          {"window_lag", number_list(lag)},
          {"window_kind", name_list(kind)},
          {"window_place", number_list(place)},
          {"lag_gathered", number_list(lag_gathered)}};
}

std::string write_numbers(const Draft& draft) {
  Filling all = describe_counts(draft);
  for (const Filling& more :
       {describe_problem(draft.problem, draft.columns), describe_history(draft.columns, draft.history)})
    all.insert(all.end(), more.begin(), more.end());
  return fill(numbers_block, all);
}

std::string write_standard(const Problem& problem) {
  std::string quantities;
  for (const scenario::StandardRow& row : scenario::standard_quantities) {
    const bool observed =
        std::find(problem.standard.begin(), problem.standard.end(), row.value) != problem.standard.end();
    quantities += "    static constexpr bool " + std::string(row.name) + " = " + (observed ? "true" : "false") + ";\n";
  }
  return fill(standard_block, {{"quantities", quantities}});
}

// ---- functions ----

// what depends on parameters alone, once a member; after all others, which find out what there is
std::string write_prepare(Draft& draft) {
  Emitter emitter(draft.constants, draft.locals.names("", ""), "    ");
  const auto entries = draft.constants.entries();
  std::vector<Emitter::Assignment> plain;
  for (std::size_t k = 0; k < entries.size(); ++k)
    plain.push_back({indexed("c", k), entries[k].expr, entries[k].keeps_equalities});
  emitter.assign(plain);
  std::string text = emitter.text();
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].wrapper != "%")
      text += "    " + indexed("c", k) + " = " + call(entries[k].wrapper, indexed("c", k)) + ";\n";
  return fill(prepare_block, {{"constants", text}});
}

// The derivative of the past from the left at 0. abs, min, max and if may have a kink there, where they take the branch
// of 0; a smooth derivative changes by nothing on a way as short as `before`.
Expr left_of_zero(const Expr& rate, Locals& locals) {
  const bool kink = expression::any_node(rate, [](const Node& n) {
    return n.op == Op::sign || n.op == Op::choose || n.op == Op::floor || n.op == Op::ceil || n.op == Op::abs ||
           n.op == Op::min || n.op == Op::max || n.op == Op::mod;
  });
  if (!kink) return rate;
  const Expr then = rewrite(rate, [&](const Expr& e) -> Expr {
    return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::time ? locals.leaf("before") : nullptr;
  });
  const Expr change = make_node(Op::abs, {minus(then, rate)});
  const Expr noise = times(make_constant(1e-9), sum(make_constant(1), make_node(Op::abs, {rate})));
  return make_node(Op::choose, {make_node(Op::greater, {change, noise}), then, rate});
}

// φ0, φ0' and the start velocity
std::string write_past(Draft& draft) {
  std::vector<Emitter::Assignment> q, v, start;
  for (std::size_t c = 0; c < draft.problem.start.size(); ++c) {
    const auto& entry = draft.problem.start[c];
    const Expr rate = expression::differentiate(entry.past.tree, {Symbol::Kind::time, 0});
    q.push_back({indexed("q", c), fold(entry.past.tree)});
    v.push_back({indexed("v", c), rate});
    start.push_back({indexed("v", c), entry.velocity ? fold(entry.velocity->tree) : left_of_zero(rate, draft.locals)});
  }
  Filling filling;  // from the last to the first, as all functions are
  for (const auto& [place, list] : {std::pair{"start", &start}, std::pair{"v", &v}, std::pair{"q", &q}}) {
    Emitter emitter = draft.in_arrays("    ");
    emitter.assign(*list);
    filling.push_back({place, emitter.text()});
  }
  return fill(past_block, filling);
}

std::string write_force(Draft& draft) {
  std::vector<expression::Expr> forces;
  for (const auto& force : draft.problem.force) forces.push_back(draft.lowering.lower(force.tree));
  if (is_coupled(draft.problem)) forces = share_differences(forces);
  std::vector<Emitter::Assignment> list;
  for (std::size_t c = 0; c < forces.size(); ++c)
    list.push_back({indexed("f", c), forces[c], false, "done(Index<" + std::to_string(c) + ">{});"});
  Emitter emitter = draft.at_node("    ");
  emitter.assign(list);
  return fill(force_block, {{"f", emitter.text()}});
}

std::string write_observables(Draft& draft) {
  std::vector<std::string> values, conditions;
  for (const auto& observable : draft.problem.observables) {
    const bool condition = takes_condition(observable.reducer);
    const std::string body =
        returned(draft.at_node(), draft.lowering.lower(observable.formula.tree), condition ? "MaskOf<Real>" : "Real");
    values.push_back(condition ? "      return Real(0);\n" : body);
    conditions.push_back(condition ? body : "      return Real(0) != Real(0);\n");
  }
  return choose_by_number_at_node(value_signature, values) + choose_by_number_at_node(condition_signature, conditions);
}

std::string write_stop(Draft& draft) {
  if (!draft.problem.stop) return {};
  return fill(
      stop_block,
      {{"condition", returned(draft.at_node(), draft.lowering.lower(draft.problem.stop->tree), "MaskOf<Real>")}});
}

// in a model that has some
std::string write_ranges(Draft& draft) {
  const auto ranges = find_ranges(draft.problem);
  if (ranges.empty()) return {};
  const auto write = [&](std::string_view signature, std::optional<scenario::Formula> scenario::Observable::*time,
                         const std::string& otherwise) {
    std::vector<std::string> bodies;
    for (const scenario::Observable* observable : ranges) {
      const auto& formula = observable->*time;
      bodies.push_back("      (void)c, (void)end;\n" + (formula ? returned(draft.in_arrays(), fold(formula->tree))
                                                                : "      return " + otherwise + ";\n"));
    }
    return choose_by_number(signature, bodies);
  };
  const std::string before = write(before_signature, &scenario::Observable::before, "Real(infinity<Real>())");
  return write(after_signature, &scenario::Observable::after, "Real(0)") + before;
}

std::string write_lengths(Draft& draft) {
  std::vector<std::string> bodies;
  for (const HistoryPlan::Lag& lag : draft.history.lags())
    bodies.push_back("      (void)c;\n" + returned(draft.in_arrays(), lag.length));
  return choose_by_number(length_signature, bodies);
}

std::string write_windows(Draft& draft) {
  std::vector<std::string> bodies;
  for (const HistoryPlan::Window& window : draft.history.windows())
    bodies.push_back("      (void)q_then;\n" +
                     returned(draft.at_node(), draft.lowering.lower_in_window(window.node->args[0])));
  return choose_by_number_at_node(window_signature, bodies);
}

}  // namespace

std::string generate_model(const Problem& problem, const std::vector<int>& columns) {
  Draft draft(problem, columns);
  // the functions are written from the last to the first: that numbers the constants, and so is part of the text
  std::string functions;
  for (const auto write : {write_stop, write_ranges, write_windows, write_lengths, write_margins, write_observables,
                           write_apart, write_coupled, write_contacts, write_force, write_past})
    functions = write(draft) + functions;
  return fill(model_block, {{"kinds", write_law_kinds(problem)},
                            {"numbers", write_numbers(draft)},
                            {"located", locates(problem) ? "  using Located = void;\n\n" : ""},
                            {"second", write_second(problem)},
                            {"settles", problem.settle ? "  using Settles = void;\n\n" : ""},
                            {"laws", write_law_counts(problem)},
                            {"standard", write_standard(problem)},
                            {"prepare", write_prepare(draft)},
                            {"functions", functions}});
}

}  // namespace conesweep::model
