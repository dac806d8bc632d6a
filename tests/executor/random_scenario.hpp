#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expression/random_expression.hpp"
#include "expression/tree.hpp"
#include "scenario/lists.hpp"
#include "support/text.hpp"

namespace conesweep::testing {

/// Scenario files as a user could have written them, from a seed: one to six coordinates, walls (planes, turned planes,
/// balls from inside and from outside, graphs), forces, friction, restitution and observables from random expressions,
/// delays and windows of every kind, every reducer and distribution, members that end early; of every fourth impacts
/// are located, every fourth is stepped with second order.
///
/// `tame` scenarios keep their numbers in the order of 1, so that two correct executors stay together until an event
/// parts them. Their parameter `eps` is 0; a few 1e-16 instead is a rounding error in every force, friction and start:
/// what that changes, rounding may change. Others have poles, overflows and every status.
class RandomScenario {
 public:
  RandomScenario(std::uint64_t seed, bool tame, int members)
      : random_(seed, options(seed, tame)),
        tame_(tame),
        located_(seed % 4 == 2),
        second_(seed % 4 == 3),
        members_(members) {}

  std::string text() {
    dimension_ = random_.names().coordinates.size();
    steps_ = 24 + random_.below(73);
    step_ = pick({0.01, 0.015625, 0.02, 0.0125});
    const auto list = [](const std::vector<std::string>& items, const char* quote) {
      std::string all;
      for (const auto& item : items) all += (all.empty() ? "" : ", ") + std::string(quote) + item + quote;
      return "[" + all + "]";
    };
    std::vector<std::string> forces;
    for (std::size_t c = 0; c < dimension_; ++c) forces.push_back(force(c));

    std::string file = "title = \"random\"\n\n[model]\ncoordinates = " + list(random_.names().coordinates, "\"") +
                       "\nforce = " + list(forces, "\"") + "\n\n[model.parameters]\n";
    file += "a0 = 0.7\na1 = 1.2\neps = 0.0\nmu = 0.3\ntau0 = " + number(3.5 * step_) + "\ntau1 = " + number(5 * step_) +
            "\nR = 1.1\n\n";
    const int contacts = pick({0, 1, 1, 1, 2, 2, 3});
    for (int p = 0; p < contacts; ++p) file += contact(p);
    file += "[start]\n";
    for (std::size_t c = 0; c < dimension_; ++c) file += start(c);
    file += "\n[time]\nend = " + number(static_cast<double>(steps_) * step_) + "\nstep = " + number(step_) + "\n" +
            stop() + (second_ ? "order = 2\n" : "") + (located_ && contacts > 0 ? "impacts = \"located\"\n\n" : "\n");
    file += "[ensemble]\nmembers = " + std::to_string(members_) + "\nseed = " + std::to_string(random_.below(1000)) +
            "\nsampler = \"" + pick<std::string>({"random", "latin", "sobol"}) + "\"\n\n";
    file += vary() + observe();
    if (random_.below(3) > 0)
      file += "[record]\nmembers = " + std::to_string(1 + random_.below(members_)) +
              "\nevery = " + std::to_string(pick({1, 1, 2, 7, 200})) + "\n";
    return file;
  }

 private:
  using Expr = expression::Expr;
  using Op = expression::Op;

  static RandomOptions options(std::uint64_t seed, bool tame) {
    RandomOptions wanted;
    wanted.size = tame ? 7 : 14;
    wanted.coordinates = 1 + static_cast<int>(seed % 6);
    wanted.parameters = 2;
    wanted.history = true;
    wanted.poles = !tame;
    wanted.kinks = !tame || seed % 3 == 0;
    return wanted;
  }

  template <class T>
  T pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(random_.below(static_cast<int>(list.size())))];
  }
  double pick(std::initializer_list<double> list) { return pick(std::vector<double>(list)); }
  int pick(std::initializer_list<int> list) { return pick(std::vector<int>(list)); }
  static std::string number(double x) {
    return format_number(x) + (format_number(x).find_first_of(".e") == std::string::npos ? ".0" : "");
  }
  std::string coordinate(std::size_t c) const { return "q" + std::to_string(c % dimension_); }
  std::string any_coordinate() {
    return coordinate(static_cast<std::size_t>(random_.below(static_cast<int>(dimension_))));
  }

  // a random expression as text, the lengths of its delays and windows ours: 0, below a step, whole, not whole, beyond
  // the end, a member's own
  std::string expression() { return to_text(with_lengths(random_.number()), names()); }
  std::string condition() { return to_text(with_lengths(random_.condition()), names()); }

  expression::Names names() const {
    expression::Names all = random_.names();
    for (const char* name : {"eps", "mu", "tau0", "tau1", "R"}) all.parameters.emplace_back(name);
    return all;
  }

  Expr with_lengths(const Expr& expr) {
    if (expr->args.empty()) return expr;
    std::vector<Expr> args;
    for (const auto& arg : expr->args) args.push_back(with_lengths(arg));
    if (expression::is_history(expr->op) && expr->op != Op::now) args[1] = length();
    return expression::make_node(expr->op, std::move(args));
  }

  Expr length() {
    const auto parameter = [](int index) {
      return expression::make_symbol({expression::Symbol::Kind::parameter, index});
    };
    const double end = static_cast<double>(steps_) * step_;
    switch (random_.below(9)) {
      case 0: return expression::make_constant(0);
      case 1: return expression::make_constant(0.37 * step_);
      case 2: return expression::make_constant(6 * step_);
      case 3: return expression::make_constant(9.3 * step_);
      case 4: return expression::make_constant(end * 1.25);
      case 5: return expression::make_node(Op::divide, {parameter(4), expression::make_constant(2)});
      case 6: return parameter(5);
      default: return parameter(4);
    }
  }

  std::string force(std::size_t c) {
    if (!tame_) return pick<std::string>({"-9.81 + ", "", "2 - q0 - "}) + "(" + expression() + ")";
    const std::string push = pick<std::string>({"6", "-6", "0", "4", "-3"});
    return "(" + push + " - " + coordinate(c) + " - 0.2 * v" + coordinate(c) + " + 3 * " +
           pick<std::string>({"tanh", "atan"}) + "(" + expression() + ")) * (1 + eps)";
  }

  std::string contact(int p) {
    const std::string a = any_coordinate(), b = any_coordinate();
    std::string inside;
    switch (random_.below(tame_ ? 8 : 10)) {
      case 0: inside = a + " >= -0.4"; break;
      case 1: inside = a + " <= 0.35 + 0.2 * a0"; break;
      case 2: inside = "cos(a0) * " + a + " + sin(a0) * " + b + " <= 0.6"; break;  // turned by a parameter
      case 3: inside = ball("0") + " <= R^2"; break;
      case 4: inside = "hypot(" + a + " - 1.5, " + b + ") >= 0.8"; break;  // an obstacle
      case 5: inside = a + " >= 0.2 * sin(3 * " + b + ") - 0.6"; break;    // a graph
      case 6: inside = ball("2") + " >= 1"; break;
      case 7: inside = a + "^2 <= 0.25 * R^2"; break;                       // between two walls
      case 8: inside = "sqrt(1 - " + a + "^2) >= 0.3 + 0.1 * " + b; break;  // nowhere for |a| > 1
      default: inside = "abs(" + a + ") + max(" + b + ", -1)^3 <= 0.8"; break;
    }
    std::string text = "[[model.contact]]\nname = \"wall" + std::to_string(p) + "\"\ninside = \"" + inside + "\"\n";
    switch (random_.below(6)) {
      case 0: break;
      case 1: text += "friction = \"mu\"\n"; break;
      case 2: text += "friction_angle = \"0.4 * mu * (1 + eps)\"\n"; break;
      case 3:
        text +=
            "friction = \"" + (tame_ ? "(0.4 + 0.3 * tanh(" + expression() + ")) * (1 + eps)" : expression()) + "\"\n";
        break;
      default:
        text += "friction_angle = \"" + (tame_ ? "0.5 + 0.3 * tanh(" + expression() + ")" : expression()) + "\"\n";
        break;
    }
    switch (random_.below(5)) {
      case 0: text += "restitution = \"0.6\"\n"; break;
      case 1:
        text += "restitution = \"" + (tame_ ? "0.5 + 0.4 * tanh(" + expression() + ")" : expression()) + "\"\n";
        break;
      case 2: text += "restitution = \"mu\"\n"; break;
      default: break;
    }
    return text + "\n";
  }

  // Σ (q_c - shift)², the shift in the first coordinate only
  std::string ball(const std::string& shift) {
    std::string sum = "(q0 - " + shift + ")^2";
    for (std::size_t c = 1; c < dimension_; ++c) sum += " + q" + std::to_string(c) + "^2";
    return sum;
  }

  std::string start(std::size_t c) {
    const std::string name = coordinate(c), place = number(random_.between(-0.15, 0.15));
    std::string text = name + " = \"" + place + " + eps";
    switch (random_.below(5)) {
      case 0: text += " + 0.3 * a0 * t"; break;
      case 1: text += " + 0.1 * sin(4 * t + a1)"; break;
      case 2: text += " - 0.2 * abs(t)"; break;  // a kink at 0
      case 3: text += " + max(0.3 * t, -0.05) + mod(t, 3) * 0"; break;
      default: text += " + 0.2 * t^2"; break;
    }
    text += "\"\n";
    if (random_.below(4) == 0) text += "v" + name + " = \"a1 - 1\"\n";
    return text;
  }

  std::string vary() {
    std::string text = "[vary]\n";
    const std::vector<std::string> around_one = {
        "uniform = [0.3, 1.4]",    "normal = [0.8, 0.2]",          "lognormal = [-0.2, 0.3]",
        "loguniform = [0.4, 1.5]", "triangular = [0.2, 0.9, 1.3]", "truncated_normal = [0.8, 0.5, 0.1, 1.6]",
        "choice = [0.4, 0.7, 1.1]"};
    if (random_.below(4) > 0) text += "a0 = { " + pick(around_one) + " }\n";
    if (random_.below(2) > 0) text += "a1 = { " + pick(around_one) + " }\n";
    if (random_.below(2) > 0) text += "mu = { uniform = [0.0, " + std::string(tame_ ? "0.9" : "1.4") + "] }\n";
    if (random_.below(4) > 0)
      text += "tau0 = { uniform = [" + std::string(tame_ || random_.below(3) > 0 ? "0.0" : "-0.05") + ", " +
              number(20 * step_) + "] }\n";
    if (random_.below(3) > 0)
      text += "tau1 = { choice = [0.0, " + number(0.5 * step_) + ", " + number(step_) + ", " + number(7 * step_) +
              ", " + number(11.7 * step_) + "] }\n";
    if (random_.below(3) == 0) text += "R = { uniform = [0.9, 1.5] }\n";
    return text + "\n";
  }

  // one in five scenarios has members that end early
  std::string stop() {
    return random_.below(5) > 0 ? "" : "stop = \"t > " + number(6.5 * step_) + " and (" + condition() + ")\"\n";
  }

  // one in three observables sees a part of the time
  std::string range() {
    return pick<std::string>({"", "", "", "", "", "", R"(, after = "end/3")", R"(, before = "0.9*end - tau0/2")",
                              R"(, after = "tau1", before = "a0*end")"});
  }

  std::string observe() {
    std::string text = "[observe]\n";
    std::vector<std::string> numbers, conditions;
    for (const auto& row : scenario::reducers) (row.takes_condition ? conditions : numbers).emplace_back(row.name);
    for (int k = 0, count = random_.below(6); k < count; ++k) {
      const bool asks = random_.below(3) == 0;
      const std::string expr = asks ? condition() : tame_ ? "atan(" + expression() + ")" : expression();
      text += "o" + std::to_string(k) + " = { " + pick(asks ? conditions : numbers) + " = \"" + expr + "\"" + range() +
              " }\n";
    }
    const std::vector<std::string> known = scenario::standard_quantities.names();
    const int share = random_.below(4);  // of the standard quantities: none, some, most, all
    if (share == 3) return text + "\n";
    std::string wanted;
    for (const auto& name : known)
      if (random_.below(3) < share) wanted += (wanted.empty() ? "\"" : ", \"") + name + "\"";
    return text + "standard = [" + wanted + "]\n\n";
  }

  RandomExpression random_;
  bool tame_;
  bool located_;  // impacts
  bool second_;   // order two
  int members_;
  std::size_t dimension_ = 1;
  int steps_ = 0;
  double step_ = 0;
};

}  // namespace conesweep::testing
