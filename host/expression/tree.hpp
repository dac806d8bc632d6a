#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace conesweep::expression {

/// What a node does with its arguments.
enum class Op {
  // leaves
  constant,
  symbol,
  // arithmetic
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  // conditions
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  // choice: if(condition, a, b)
  choose,
  // functions of one number
  abs,
  acos,
  asin,
  atan,
  ceil,
  cos,
  cosh,
  exp,
  floor,
  log,
  log10,
  sign,
  sin,
  sinh,
  sqrt,
  tan,
  tanh,
  // functions of two numbers
  atan2,
  hypot,
  max,
  min,
  mod,
  // history (P10, P11): delay(expr, tau), window_x(expr, delta), now(expr)
  delay,
  window_max,
  window_min,
  window_mean,
  now,
};

/// A name that stands for a number while a member runs.
struct Symbol {
  enum class Kind {
    time,
    coordinate,
    velocity,
    parameter,
    normal,  // normal(name): the normal impulse of a law over the step's length
    slip,    // slip(name): its sliding velocity
    atom,    // j, the number of a percussion
    end,     // [time] end
  };
  Kind kind = Kind::time;
  int index = 0;  // which coordinate, velocity, parameter or law; 0 for time, atom and end

  bool operator==(const Symbol&) const = default;
};

/// A stretch of the text an expression was read from, in bytes.
struct Span {
  std::size_t offset = 0;
  std::size_t length = 0;
};

struct Node;

/// An immutable tree; subtrees may be shared, so that a derivative stays as small as a graph.
using Expr = std::shared_ptr<const Node>;

struct Node {
  Op op = Op::constant;
  double value = 0;        // of a constant (a condition's constant is 0 or 1)
  bool condition = false;  // true or false, not a number
  // a constant that a product, a quotient or a power was folded to, or a sum with one of them
  bool from_product = false;
  Symbol symbol;  // of a symbol
  std::vector<Expr> args;
  Span span;      // where it stands in the user's text
  int depth = 1;  // levels of the tree below and including this node
};

Expr make_constant(double value, Span span = {});
Expr make_truth(bool value, Span span = {});
Expr make_symbol(Symbol symbol, Span span = {});
Expr make_node(Op op, std::vector<Expr> args, Span span = {});

/// Name, operation and number of arguments of every function a user can call.
struct Function {
  std::string_view name;
  Op op;
  int least_args;
  int most_args;  // min and max take any number and become nested pairs
};
const std::vector<Function>& functions();

/// The function's name, or the operator's sign.
std::string_view op_name(Op op);
bool is_comparison(Op op);
bool is_history(Op op);

/// Same operations on the same leaves; places in the text do not count.
bool same_tree(const Expr& a, const Expr& b);

/// Is there a node below (or at) `expr` for which `test(node)` holds?
template <class Test>
bool any_node(const Expr& expr, const Test& test) {
  if (test(*expr)) return true;
  for (const auto& arg : expr->args)
    if (any_node(arg, test)) return true;
  return false;
}

/// Calls `visit(node)` for every node, parents first.
template <class Visit>
void for_each_node(const Expr& expr, const Visit& visit) {
  visit(expr);
  for (const auto& arg : expr->args) for_each_node(arg, visit);
}

std::size_t count_nodes(const Expr& expr);

/// A copy that stands as a whole at `span` of another text.
Expr place_at(const Expr& expr, Span span);

/// A name for an expression; where it is used, its tree takes its place.
struct Definition {
  enum class State { below, being_read, faulty, ready };  // definitions are read from top to bottom
  std::string name;
  State state = State::below;
  Expr tree = nullptr;    // none unless ready
  std::size_t nodes = 0;  // of the tree
};

/// What is behind the name of a law.
struct NamedLaw {
  enum class Kind { contact, bilateral, resistance };
  Kind kind = Kind::contact;
  Definition gap = {};  // of a contact: what gap(name) stands for, once the contact has been read
  bool slides = true;   // false: a bilateral constraint without friction
};

/// The names a scenario defines. Velocities are called v + coordinate.
struct Names {
  std::vector<std::string> coordinates;
  std::vector<std::string> parameters;
  std::vector<Definition> definitions = {};  // in file order
  std::vector<Definition> computed = {};     // parameters that stand for an expression of others
  // by number: contacts, bilateral constraints, resistances. A namespace of their own
  std::vector<std::string> laws = {};
  std::vector<NamedLaw> about_laws = {};  // one a law

  const Definition* find_definition(std::string_view name) const;

  std::string name_of(Symbol symbol) const;
};

/// The tree as text that parses back to the same tree.
std::string to_text(const Expr& expr, const Names& names);

}  // namespace conesweep::expression
