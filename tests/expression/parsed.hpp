#pragma once

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "expression/evaluate.hpp"
#include "expression/parser.hpp"

namespace conesweep::expression {

// how GoogleTest shows and compares what is expected (found by argument-dependent lookup)
inline bool operator==(const Span& a, const Span& b) { return a.offset == b.offset && a.length == b.length; }
inline bool operator==(const Fault& a, const Fault& b) { return a.span == b.span && a.message == b.message; }
inline std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << "{" << fault.span.offset << ", " << fault.span.length << "} " << fault.message;
}

inline const Names names{{"x", "y"}, {"alpha", "tau", "k"}};

// x = 3, y = -2, vx = 0.5, vy = 0.25, t = 10, alpha = 0.5, tau = 2, k = 4; every history term is 7
struct HandWorld {
  double symbol(Symbol symbol) const {
    const auto i = static_cast<std::size_t>(symbol.index);
    switch (symbol.kind) {
      case Symbol::Kind::time: return 10;
      case Symbol::Kind::coordinate: return std::array{3.0, -2.0}.at(i);
      case Symbol::Kind::velocity: return std::array{0.5, 0.25}.at(i);
      case Symbol::Kind::parameter: return std::array{0.5, 2.0, 4.0}.at(i);
      default: return std::numeric_limits<double>::quiet_NaN();
    }
  }
  double history(const Node&) const { return 7; }
};

inline Expr read(const std::string& text) {
  std::vector<Fault> faults;
  const Expr expr = parse(text, names, faults, "force");
  EXPECT_EQ(faults, std::vector<Fault>{}) << "in: " << text;
  return expr;
}

inline double value(const std::string& text) {
  const Expr expr = read(text);
  return expr && !expr->condition ? evaluate<double>(expr, HandWorld{}) : std::numeric_limits<double>::quiet_NaN();
}

inline bool truth(const std::string& text) {
  const Expr expr = read(text);
  EXPECT_TRUE(expr && expr->condition) << text;
  return expr && expr->condition && holds<double>(expr, HandWorld{});
}

inline std::vector<Fault> faults_of(const std::string& text, const std::string& where = "force") {
  std::vector<Fault> faults;
  const Expr expr = parse(text, names, faults, where);
  EXPECT_EQ(expr == nullptr, !faults.empty()) << text;
  return faults;
}

inline std::string repeat(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// one text, one fault
struct Wrong {
  std::string text;
  Fault fault;
};

inline void expect_faults(const std::vector<Wrong>& table) {
  for (const auto& [text, fault] : table) EXPECT_EQ(faults_of(text), std::vector<Fault>{fault}) << "in: " << text;
}

}  // namespace conesweep::expression
