#include "expression/parser.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "expression/known_words.hpp"
#include "expression/states.hpp"
#include "expression/token_reader.hpp"
#include "support/text.hpp"

namespace conesweep::expression {
namespace {

constexpr std::string_view never_word = "never";

class Parser : private TokenReader {
 public:
  Parser(std::string_view text, const Names& names, std::vector<Fault>& faults, const Allowed& allowed)
      : TokenReader(text, allowed.outcomes, faults),
        text_(text),
        names_(names),
        allowed_(allowed),
        where_(allowed.place.empty() ? "" : " in " + allowed.place) {}

  Expr read() {
    advance();
    if (token_.kind == TokenKind::end) fail({0, 1}, "the expression is empty");
    const Expr expr = allowed_.equation ? read_equation() : read_operators(0);
    if (is_sign(")")) fail(token_.span, "this parenthesis closes nothing");
    if (token_.kind != TokenKind::end) fail_after_operand();
    return expr;
  }

 private:
  // left = right, as the tree left - right
  Expr read_equation() {
    if (is_equals()) fail(token_.span, "the left side of = is missing");
    const Expr left = read_operators(0);
    const Span first = reach_;
    if (token_.kind == TokenKind::end)
      fail(first, left->op == Op::equal ? "an equation is written with one =, not with =="
                                        : allowed_.place + " needs an equation, two sides with = between them");
    if (!is_equals()) return left;  // whatever stands there instead is told by read()
    const Span sign = token_.span;
    advance();
    if (token_.kind == TokenKind::end) fail(sign, "the right side of = is missing");
    const Expr right = read_operators(0);
    if (is_equals()) fail(token_.span, "an equation has only one = sign");
    for (const auto& side : {left, right}) require_number(side, quote("="));
    return join(Op::subtract, {left, right}, cover(first, reach_));
  }

  bool is_equals() const { return token_.kind == TokenKind::unknown && token_.text == "="; }

  // precedence climbing: an operand, then every operator that binds stronger than `floor`
  Expr read_operators(int floor) {
    Expr left = read_operand();
    Span whole = reach_;
    while (true) {
      const Binary binary = binary_operator(token_);
      if (binary.strength <= floor) {
        reach_ = whole;
        return left;
      }
      const Span sign = token_.span;
      if (is_comparison(binary.op) && is_comparison(left->op) && !parenthesised_) fail_at_chain(sign);
      advance();
      const Expr right = binary.op == Op::power ? read_exponent() : read_operators(binary.strength);
      whole = cover(whole, reach_);
      left = join_operands(binary.op, left, right, whole);
      parenthesised_ = false;
    }
  }

  // Up to six of read_operators stand between two levels of nesting: what is not their own loop is kept out of their
  // frames.

  [[gnu::noinline]] Expr join_operands(Op op, const Expr& left, const Expr& right, Span whole) {
    for (const auto& side : {left, right}) {
      if (op == Op::logical_and || op == Op::logical_or)
        require_condition(side, op);
      else
        require_number(side, quote(op_name(op)));
    }
    return join(op, {left, right}, whole);
  }

  // ^ binds to the right, and its right side may carry a sign
  Expr read_exponent() {
    const Nesting guard(*this);
    return read_operators(sign_strength - 1);
  }

  [[gnu::noinline]] Expr read_operand() {
    const Token start = token_;
    parenthesised_ = false;
    reach_ = start.span;
    if (start.kind == TokenKind::number) {
      advance();
      count_nodes(1, start.span);
      return make_constant(start.value, start.span);
    }
    if (is_sign("-") || is_sign("+")) {
      const Nesting guard(*this);
      advance();
      const Expr inner = read_operators(sign_strength);
      require_number(inner, quote(start.text));
      parenthesised_ = false;
      reach_ = cover(start.span, reach_);
      return start.text == "+" ? inner : join(Op::negate, {inner}, reach_);
    }
    if (is_sign("(")) {
      const Nesting guard(*this);
      advance();
      const Expr inner = read_operators(0);
      reach_ = cover(start.span, expect_closing(start.span));
      parenthesised_ = true;
      return inner;
    }
    if (start.kind == TokenKind::name) {
      if (start.text == "not") {
        const Nesting guard(*this);
        advance();
        const Expr inner = read_operators(comparison_strength - 1);
        require_condition(inner, Op::logical_not);
        parenthesised_ = false;
        reach_ = cover(start.span, reach_);
        return join(Op::logical_not, {inner}, reach_);
      }
      if (start.text != "and" && start.text != "or") return read_name(start);
    }
    fail_at_operand();
  }

  [[gnu::noinline]] Expr read_name(const Token& name) {
    advance();
    const bool call = is_sign("(");
    if (allowed_.outcomes && call && name.text == never_word) return read_never(name);
    if (allowed_.outcomes && !call && name.text != "pi") return read_outcome(name);
    const Function* function = find_function(name.text);
    if (call && function != nullptr) return read_call(name, *function);
    if (call && is_law_word(name.text)) return read_law_term(name);
    const auto symbol = find_symbol(name.text, names_);
    const bool constant = name.text == "pi";
    const Definition* definition = names_.find_definition(name.text);
    if (call) {
      if (symbol && kind_of_state(symbol->kind) != nullptr)
        if (const std::string_view lag = find_lag(text_.substr(token_.span.offset)); !lag.empty())
          fail(name.span, quote(name.text) + " is not a function; for its value a time ago write delay(" +
                              std::string(name.text) + ", " + std::string(lag) + ")");
      if (symbol || constant || definition != nullptr)
        fail(name.span,
             quote(name.text) + " is not a function; to multiply write " + std::string(name.text) + " * (…)");
      fail(name.span, "unknown function " + quote(name.text) + where_ +
                          (name.text == "ln" ? "; did you mean 'log'?" : suggest(name.text, known_functions())));
    }
    if (function != nullptr)
      fail(name.span, quote(name.text) + " is a function; write " + std::string(name.text) +
                          (function->op == Op::choose ? "(condition, a, b)" : "(…)"));
    const bool atom = allowed_.atom && name.text == "j", infinity = allowed_.infinity && name.text == "inf",
               end = allowed_.end && name.text == "end";
    if ((atom || infinity || end) && (symbol || definition != nullptr))
      fail(name.span, quote(name.text) + " has a meaning of its own" + where_ +
                          ", and is a name of the scenario, too; call that one something else");
    if (definition != nullptr) return use_definition(*definition, name.span);
    count_nodes(1, name.span);
    if (atom) return make_symbol({Symbol::Kind::atom, 0}, name.span);
    if (end) return make_symbol({Symbol::Kind::end, 0}, name.span);
    if (infinity) return make_constant(std::numeric_limits<double>::infinity(), name.span);
    if (constant) return make_constant(std::numbers::pi, name.span);
    if (symbol) return make_symbol(*symbol, name.span);
    // go on with a stand-in, so that the next unknown name is found too
    report_unknown(name);
    return make_constant(0, name.span);
  }

  // An observable or a parameter, which may stand for an expression of others: no name means anything else here, not
  // even that of a function.
  Expr read_outcome(const Token& name) {
    const auto& known = names_.parameters;
    const auto found = std::find(known.begin(), known.end(), name.text);
    const Definition* definition = found == known.end() ? names_.find_definition(name.text) : nullptr;
    if (definition != nullptr) return use_definition(*definition, name.span);
    count_nodes(1, name.span);
    if (found != known.end())
      return make_symbol({Symbol::Kind::parameter, static_cast<int>(found - known.begin())}, name.span);
    report_unknown(name);
    return make_constant(0, name.span);
  }

  // An event that did not come is NaN, and NaN is not equal to itself.
  [[gnu::noinline]] Expr read_never(const Token& word) {
    const Span opening = token_.span;
    advance();
    const Token argument = token_;
    if (argument.kind != TokenKind::name)
      fail(argument.span, "'never' takes the name of an observable, never(first_contact) for example");
    advance();
    reach_ = cover(word.span, expect_closing(opening));
    parenthesised_ = true;
    const Expr value = read_outcome(argument);
    return join(Op::not_equal, {value, value}, reach_);
  }

  void report_unknown(const Token& name) {
    constexpr std::size_t most_hints = 100;  // a search among all names each
    const std::string at_the_end = "final." + std::string(name.text);
    const auto known = known_names(names_, allowed_.outcomes);
    std::string hint;
    if (allowed_.outcomes && std::find(known.begin(), known.end(), at_the_end) != known.end())
      hint = "; a class sees observables, not the motion: did you mean '" + at_the_end + "'?";
    else if (faults_.size() < most_hints)
      hint = suggest(name.text, known);
    faults_.push_back({name.span, "unknown name " + quote(name.text) + where_ + hint});
  }

  // The definition's tree in place of its name, as if it stood in parentheses.
  Expr use_definition(const Definition& definition, Span span) {
    using State = Definition::State;
    if (definition.state == State::below)
      fail(span, quote(definition.name) + " is defined further down; a definition can use those above it");
    if (definition.state == State::being_read)
      fail(span, quote(definition.name) + " cannot be used in its own definition");
    if (definition.state == State::faulty) throw GiveUp{};
    count_nodes(definition.nodes, span);
    parenthesised_ = true;
    return place_at(definition.tree, span);
  }

  // normal(name), slip(name), gap(name): the argument is the name of a law and nothing else
  [[gnu::noinline]] Expr read_law_term(const Token& word) {
    const Span opening = token_.span;
    advance();
    const Token argument = token_;
    if (argument.kind != TokenKind::name)
      fail(argument.span, quote(word.text) + " takes the name of a law, a contact for example");
    advance();
    reach_ = cover(word.span, expect_closing(opening));
    parenthesised_ = true;
    const std::string term = quote(text_.substr(reach_.offset, reach_.length));
    if (!allowed_.laws) fail(reach_, term + " cannot be used" + where_ + ": only observables and limits can use it");
    const auto found = std::find(names_.laws.begin(), names_.laws.end(), argument.text);
    if (found == names_.laws.end())
      fail(argument.span, "unknown law " + quote(argument.text) + where_ + hint_for_law(argument.text));
    const auto number = static_cast<std::size_t>(found - names_.laws.begin());
    const NamedLaw law = number < names_.about_laws.size() ? names_.about_laws[number] : NamedLaw{};
    using Kind = NamedLaw::Kind;
    if (word.text == "normal" && law.kind == Kind::resistance)
      fail(reach_, quote(*found) + " is a resistance: it has no normal impulse");
    if (word.text == "slip" && !law.slides)
      fail(reach_, quote(*found) + " is a bilateral constraint without friction: nothing slides there");
    if (word.text == "gap") return use_gap(law, *found);
    count_nodes(1, reach_);
    return make_symbol({word.text == "normal" ? Symbol::Kind::normal : Symbol::Kind::slip, static_cast<int>(number)},
                       reach_);
  }

  Expr use_gap(const NamedLaw& law, const std::string& name) {
    if (law.kind != NamedLaw::Kind::contact) fail(reach_, quote(name) + " is no contact: it has no gap");
    if (law.gap.state == Definition::State::below)
      fail(reach_, "gap(…) cannot be used in a definition; write it where it is needed");
    return use_definition(law.gap, reach_);
  }

  std::string hint_for_law(std::string_view name) const {
    if (names_.laws.empty()) return "; the scenario has no contact, bilateral constraint or resistance";
    const std::string closest = suggest(name, names_.laws);
    return closest.empty() ? "; known: " + join_words(names_.laws) : closest;
  }

  [[gnu::noinline]] Expr read_call(const Token& name, const Function& function) {
    const Nesting guard(*this);
    const Span opening = token_.span;
    advance();
    std::vector<Expr> args;
    if (!is_sign(")")) {
      while (true) {
        args.push_back(read_operators(0));
        if (!is_sign(",")) break;
        advance();
      }
    }
    const Span whole = cover(name.span, expect_closing(opening));
    reach_ = whole;
    const auto got = static_cast<int>(args.size());
    if (got < function.least_args || got > function.most_args) {
      const std::string wanted = function.least_args == function.most_args
                                     ? std::to_string(function.least_args)
                                     : "at least " + std::to_string(function.least_args);
      fail(whole, std::string(function.name) + " takes " + wanted + (wanted == "1" ? " argument" : " arguments") +
                      ", got " + std::to_string(got));
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (function.op == Op::choose && i == 0)
        require_condition(args[i], Op::choose);
      else if (function.op == Op::choose)
        require_number(args[i], i == 1 ? "the second argument of if" : "the third argument of if");
      else
        require_number(args[i], quote(function.name));
    }
    parenthesised_ = false;
    if (function.op == Op::min || function.op == Op::max) {
      Expr chain = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) chain = join(function.op, {chain, args[i]}, whole);
      return chain;
    }
    return join(function.op, std::move(args), whole);
  }

  // nodes are counted before they are made, so that no tree ever has too many
  void count_nodes(std::size_t more, Span span) {
    nodes_ += more;
    if (nodes_ > largest_tree)
      fail(span, "expression is too large: with its definitions written out it has more than " +
                     format_count(largest_tree) + " numbers, names and operations");
  }

  Expr join(Op op, std::vector<Expr> args, Span span) {
    count_nodes(1, span);
    Expr node = make_node(op, std::move(args), span);
    if (node->depth > deepest_tree)
      fail(span, "expression is too deep (more than " + std::to_string(deepest_tree) +
                     " operations inside each other); group its terms by parentheses");
    return node;
  }

  void require_condition(const Expr& expr, Op op) {
    if (expr->condition) return;
    const std::string where = op == Op::choose ? "the first argument of if" : quote(op_name(op));
    fail(expr->span, where + " needs a condition such as x > 0, got a number");
  }

  void require_number(const Expr& expr, const std::string& where) {
    if (expr->condition) fail(expr->span, where + " needs a number, got a condition; write if(condition, 1, 0)");
  }

  // counts parentheses, calls, signs and powers inside each other
  struct Nesting {
    explicit Nesting(Parser& owner) : parser(owner) {
      if (++parser.nesting_ > deepest_nesting)
        parser.fail(parser.token_.span,
                    "expression is nested too deeply (more than " + std::to_string(deepest_nesting) + " levels)");
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  const Names& names_;
  const Allowed& allowed_;
  std::string where_;
  int nesting_ = 0;
  std::size_t nodes_ = 0;       // read so far, those of definitions included
  bool parenthesised_ = false;  // the operand read last stood in parentheses …
  Span reach_;                  // … and reached so far, with them
};

}  // namespace

Expr parse(std::string_view text, const Names& names, std::vector<Fault>& faults, std::string_view where) {
  return parse(text, names, faults, Allowed{.place = std::string(where), .laws = true});
}

Expr parse(std::string_view text, const Names& names, std::vector<Fault>& faults, const Allowed& allowed) {
  if (text.size() > longest_text) {
    faults.push_back({{0, 1},
                      "expression is too long (" + std::to_string(text.size()) + " characters, at most " +
                          std::to_string(longest_text) + ")"});
    return nullptr;
  }
  const std::size_t before = faults.size();
  try {
    Parser parser(text, names, faults, allowed);
    Expr expr = parser.read();
    return faults.size() == before ? expr : nullptr;
  } catch (const GiveUp&) {
    return nullptr;
  }
}

bool is_word(std::string_view name) {
  for (const std::string_view word : {"t", "pi", "and", "or", "not"})
    if (name == word) return true;
  return false;
}

bool is_reserved(std::string_view name) { return is_word(name) || find_function(name) != nullptr; }

}  // namespace conesweep::expression
