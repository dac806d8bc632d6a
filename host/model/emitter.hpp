#pragma once

#include <functional>
#include <map>
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

  struct Entry {
    expression::Expr expr;
    std::string wrapper;
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
  std::string constants = "c";                          // the array with what depends on parameters alone; empty while that array is being made
};

/// Writes C++ statements that compute expressions: common parts once, parts of parameters alone taken from the constants.
///
/// Contraction is ours, not a compiler's: a product that is used once and added to something becomes one fma, the left product
/// first. Small whole powers become products.
class Emitter {
 public:
  Emitter(Constants& constants, Leaves leaves, std::string indent);

  /// Adds `target = expr;` to the text.
  void assign(const std::string& target, const expression::Expr& expr);

  /// Adds several at once, so that uses are counted over all of them.
  struct Assignment {
    std::string target;
    expression::Expr expr;
  };
  void assign(const std::vector<Assignment>& list);

  const std::string& text() const { return text_; }

 private:
  struct Value {
    expression::Op op;
    std::string leaf;  // text of a leaf
    std::vector<int> args;
    int uses = 0;
    std::string name;              // once it is computed
    const expression::Node* node;  // one of the nodes with this value
  };

  int number(const expression::Expr& expr);
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
  std::vector<Value> values_;
  std::vector<expression::Expr> alive_;  // keeps the nodes behind known_
  std::string text_;
};

/// A double as C++ text with all its bits: Real(0x1.8p+1).
std::string real_literal(double value);

}  // namespace conesweep::model
