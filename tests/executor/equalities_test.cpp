// Contraction keeps equalities: what is 0 in IEEE arithmetic is 0 in generated code. The oracle is the interpreter of
// the trees, which rounds every operation by itself.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "expression/evaluate.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/text.hpp"

namespace conesweep {
namespace {

class Equalities : public test::OnExecutor {
 protected:
  // observables that are the formulas at a particle that rests at x, y
  static std::string text_of(double x, double y, const std::vector<std::string>& formulas) {
    std::string text =
        "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"0\"]\n[model.parameters]\nR = " + format_number(x) +
        "\na = 0.1\nb = -2.3\n[start]\nx = \"" + format_number(x) + "\"\ny = \"" + format_number(y) +
        "\"\n[time]\nend = 1\nstep = 1\n[observe]\nstandard = []\n";
    for (std::size_t k = 0; k < formulas.size(); ++k)
      text += "o" + std::to_string(k) + " = { final = \"" + formulas[k] + "\" }\n";
    return text;
  }
};

ON_FAST_EXECUTORS(Equalities);

TEST_P(Equalities, AWallIsReachedExactly) {
  // the last ones hide a product in a constant, in a choice, behind a sign
  const std::vector<std::string> zero = {"R*R - x*x",
                                         "sqrt(R*R - x*x)",
                                         "x^2 - R^2",
                                         "x*x + 1 - (R*R + 1)",
                                         "R*x - x*R",
                                         "x*y - R*y",
                                         "-(x*x) + R*R",
                                         "x^3 - R^3",
                                         "x/3 - R/3",
                                         "max(x*x, -1) - R*R",
                                         "abs(-x*x) - x*R",
                                         "if(x > -1, x*R, 0) - R*R",
                                         "0.7*0.7 + x*x - R*R - 0.7*0.7",
                                         "x*x*x - R*R*R",
                                         "R*R - x*x + (a - 0.1)"};
  for (const double x : {0.1, 0.7, 1.1, 2.3, 1e-5, 12345.678}) {
    const auto scenario = test::parse_scenario(text_of(x, 0.3, zero));
    const auto results = test::run_scenario(scenario, backend());
    EXPECT_EQ(results.outcome.status[0], executor::Status::ok);
    for (std::size_t k = 0; k < zero.size(); ++k) {
      if (k == 12) continue;  // zero up to rounding only: that it is the interpreter's is tested below
      EXPECT_EQ(test::column(results, "o" + std::to_string(k))[0], 0) << zero[k] << " at x = " << x;
    }
  }
}

TEST_P(Equalities, ConditionsAtTheWallAreTheInterpreters) {
  const std::string text = text_of(1.1, 0.7, {}) +
                           "n0 = { count = \"x*x + y*y <= R*R + 0.7*0.7\" }\nn1 = { count = \"x*x - a >= R*R - a\" "
                           "}\nn2 = { count = \"x*y + a > y*R + a\" }\n";
  const auto results = test::run_scenario(test::parse_scenario(text), backend()),
             expected = test::run_scenario(test::parse_scenario(text), "reference");
  for (const char* name : {"n0", "n1", "n2"})
    EXPECT_EQ(test::column(results, name)[0], test::column(expected, name)[0]) << name;
}

// A chain of random terms, at least two of them products.
class RandomChain {
 public:
  explicit RandomChain(unsigned seed) : random_(seed) {}

  std::string make() {
    std::string text = product();
    const int terms = 1 + pick(4);
    for (int k = 0; k < terms; ++k) text = add(text, k == 0 ? product() : term(2));
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string leaf() {
    const char* names[] = {"x", "y", "R", "a", "b", "1.7", "0.3", "t"};
    return names[pick(8)];
  }
  std::string product() {
    switch (pick(4)) {
      case 0: return leaf() + "^2";
      case 1: return leaf() + " * " + leaf() + " * " + leaf();
      default: return leaf() + " * " + leaf();
    }
  }
  std::string term(int depth) {
    switch (pick(depth > 0 ? 6 : 3)) {
      case 0: return leaf();
      case 1: return product();
      case 2: return leaf() + " / 3";
      case 3: return "(" + add(term(depth - 1), term(depth - 1)) + ")";
      case 4: return "-(" + term(depth - 1) + ")";
      default: return "max(" + term(depth - 1) + ", " + leaf() + ")";
    }
  }
  std::string add(const std::string& a, const std::string& b) { return pick(2) == 0 ? a + " + " + b : a + " - " + b; }

  std::mt19937 random_;
};

struct Rest {  // the world of a particle that rests, at t = 1
  const scenario::Scenario& scenario;
  double x, y;
  double symbol(expression::Symbol s) const {
    if (s.kind == expression::Symbol::Kind::parameter) return scenario.defaults[static_cast<std::size_t>(s.index)];
    if (s.kind == expression::Symbol::Kind::coordinate) return s.index == 0 ? x : y;
    return s.kind == expression::Symbol::Kind::time ? 1 : 0;
  }
  double history(const expression::Node&) const { return 0; }
};

TEST_P(Equalities, ChainsOfProductsHaveTheBitsOfEveryOperationRoundedByItself) {
  const int rounds = std::getenv("CONESWEEP_ALL") != nullptr ? 40 : 2;
  constexpr int chains = 60;
  for (int round = 0; round < rounds; ++round) {
    RandomChain random(static_cast<unsigned>(round));
    std::vector<std::string> formulas;
    for (int k = 0; k < chains; ++k) formulas.push_back(random.make());
    const double x = 0.1 + 0.37 * round, y = 1 / (3.0 + round);
    const auto scenario = test::parse_scenario(text_of(x, y, formulas));
    const auto results = test::run_scenario(scenario, backend());
    for (int k = 0; k < chains; ++k) {
      const double expected = expression::evaluate<double>(
          scenario.observables[static_cast<std::size_t>(k)].formula.tree, Rest{scenario, x, y});
      const double got = test::column(results, "o" + std::to_string(k))[0];
      EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(expected))
          << formulas[static_cast<std::size_t>(k)] << ": " << got << ", " << expected;
    }
  }
}

}  // namespace
}  // namespace conesweep
