#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/tree.hpp"

namespace conesweep::expression {

/// Something wrong in an expression's text, and where.
struct Fault {
  Span span;
  std::string message;
};

// Bounds that keep every later recursion over a tree within a thread's stack.
constexpr std::size_t longest_text = 10'000;  // bytes
constexpr int deepest_nesting = 200;          // parentheses, calls, signs and powers inside each other
constexpr int deepest_tree = 1'000;           // levels; a sum of n terms has n

/// Nodes of one tree. A text without definitions has no more nodes than bytes; with its definitions written out it
/// shall be no larger.
constexpr std::size_t largest_tree = longest_text;

/// What an expression at some place of the scenario may refer to.
struct Allowed {
  std::string place;  // as it stands in messages: "inside", "force", …
  bool time = false;
  bool coordinates = false;
  bool velocities = false;
  bool history = false;    // delay, window_…
  bool condition = false;  // must be a condition, not a number
  bool laws = false;       // normal(…), slip(…), gap(…) of a law
  bool infinity = false;   // inf, a limit that is none
  bool atom = false;       // j, the number of a percussion
  bool end = false;        // end, the time at which members end
  bool equation = false;   // two sides with = between them; the tree is left - right
  // of a finished member: the names are its observables, with dots in them, and parameters; never(…) of an observable
  bool outcomes = false;
  // a number or a condition, with now(…) also outside of a window: whether it fits is seen where it is used
  bool definition = false;
};

/// Reads one expression.
///
///   or  and  not  < <= > >= == !=  + -  * /  sign  ^        weakest to strongest
///
/// `^` binds to the right and stronger than a sign: -x^2 = -(x^2), 2^-1 = 1/2. Comparisons do not chain. Numbers and
/// conditions are different things: `if(c, a, b)` leads from one to the other.
///
/// A definition's tree takes the place of its name: all its nodes stand there, so that what is wrong with them is told
/// where it is used.
///
/// Returns no tree if anything is wrong; `faults` then says what, unless it is a faulty definition, of which all has
/// been said. Unknown names do not stop the reading, so that all of them are reported at once. `where` ("force",
/// "friction_angle") is named in those messages. Never throws on any text.
Expr parse(std::string_view text, const Names& names, std::vector<Fault>& faults, std::string_view where = {});

/// The same, with the words and the form that `allowed` adds: inf, j, an equation.
Expr parse(std::string_view text, const Names& names, std::vector<Fault>& faults, const Allowed& allowed);

/// Checks kind, symbols and the rules of history terms: lengths are expressions of parameters; delays and windows do
/// not nest; a window sees coordinates, parameters and now(…) only. Appends what is wrong.
void validate(const Expr& expr, const Names& names, const Allowed& allowed, std::vector<Fault>& faults);

/// Words that mean the same wherever they stand, so that nothing of a scenario can be called like them.
bool is_word(std::string_view name);

/// Those, and functions: what coordinates and parameters cannot be called. Observables can be called like a function.
bool is_reserved(std::string_view name);

}  // namespace conesweep::expression
