#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "expression/tree.hpp"

namespace conesweep::model {

/// Numbers trees so that equal ones have the same number; shared subtrees are visited once.
class Numbering {
 public:
  int number_of(const expression::Expr& expr);

 private:
  std::map<const expression::Node*, int> known_;
  std::map<std::string, int> numbers_;
  std::vector<expression::Expr> alive_;  // keeps the nodes behind known_
};

/// Expressions of parameters alone: computed once a member, kept in c[0], c[1], …
class Constants {
 public:
  /// The place of an expression, possibly inside a call: wrapper "tan(law::check_angle(%))".
  int place_of(const expression::Expr& expr, const std::string& wrapper = "%");

  /// It is part of a sum that keeps its equalities.
  void keep_equalities(const expression::Expr& expr) {
    entries_[static_cast<std::size_t>(place_of(expr))].keeps_equalities = true;
  }

  struct Entry {
    expression::Expr expr;
    std::string wrapper;
    bool keeps_equalities = false;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Numbering numbering_;
  std::map<std::pair<int, std::string>, int> places_;
  std::vector<Entry> entries_;
};

/// Does it depend on parameters only (or on nothing)?
bool is_of_parameters(const expression::Expr& expr);

/// How the leaves of expressions are called in a function being written.
struct Leaves {
  std::function<std::string(expression::Symbol)> name;  // of t, coordinates, velocities, local values
  // the array with what depends on parameters alone; empty while that array is being made
  std::string constants = "c";
};

/// Writes C++ statements that compute expressions: common parts once, parts of parameters alone taken from the
/// constants.
///
/// Contraction is ours, not a compiler's, and keeps equalities: x*x - R*R is 0 where x = R, which it would not be with
/// one of its products in an fma. A sum is a chain of + and - (and the two sides of a comparison), seen through
/// parentheses, signs, abs, min, max and if. Where it has one product, and that is used once, the product and what is
/// added to it become one fma. Where it has two or more, nothing does. Quotients, powers and constants that came from a
/// product count as products. Small whole powers become products.
class Emitter {
 public:
  Emitter(Constants& constants, Leaves leaves, std::string indent);

  /// Adds `target = expr;` to the text.
  void assign(const std::string& target, const expression::Expr& expr);

  /// Adds several at once, so that uses are counted over all of them.
  struct Assignment {
    std::string target;
    expression::Expr expr;
    bool keeps_equalities = false;  // as part of a sum that stands elsewhere
    std::string then = {};          // text behind it
  };
  void assign(const std::vector<Assignment>& list);

  const std::string& text() const { return text_; }

 private:
  struct Value {
    expression::Op op;
    std::string leaf;  // text of a leaf
    std::vector<int> args;
    int uses = 0;
    std::string name;               // once it is computed
    const expression::Node* node;   // one of the nodes with this value
    bool keeps_equalities = false;  // a sum in which nothing is contracted
  };

  int number(const expression::Expr& expr);
  void mark_sums(const expression::Expr& expr);
  int count_products(const expression::Expr& expr);
  void keep_equalities(const expression::Expr& expr);
  bool of_parameters(const expression::Expr& expr);
  int add_value(Value value, const std::string& key);
  std::string place(int id);
  std::string compute(const Value& value);
  std::string product(int id, bool negative, int other, bool other_negative);
  bool is_lone_product(int id) const;

  Constants& constants_;
  Leaves leaves_;
  std::string indent_;
  std::map<std::string, int> numbers_;
  std::map<const expression::Node*, int> known_;
  std::map<const expression::Node*, bool> of_parameters_;
  std::map<const expression::Node*, int> products_;  // terms that are products, of each sum; 2: two or more
  std::set<const expression::Node*> marked_, kept_;  // visited by mark_sums, by keep_equalities
  std::vector<Value> values_;
  std::vector<expression::Expr> alive_;  // keeps the nodes behind known_
  std::string text_;
};

/// A double as C++ text with all its bits: Real(0x1.8p+1).
std::string real_literal(double value);

}  // namespace conesweep::model
