#include <cmath>

#include "scenario/reading/law_section.hpp"

namespace conesweep::scenario {
namespace {

using expression::Allowed;

class ResistancesSection : private LawSection {
 public:
  using LawSection::LawSection;

  void read_resistances(const toml::table& model) {
    for (const toml::table* table : tables_of(model, "resistance")) {
      Resistance resistance;
      resistance.name =
          scenario_.names.laws[static_cast<std::size_t>(scenario_.law_of_resistance(scenario_.resistances.size()))];
      check_keys(*table, {"name", "slip", "drive", "limit", "percussions"}, "in [[model.resistance]]");
      read_rows(*table, resistance);
      read_limit(*table, resistance);
      read_percussions(*table, resistance);
      scenario_.resistances.push_back(std::move(resistance));
    }
  }

 private:
  static Allowed limit_rule(const std::string& place) {
    return {.place = place,
            .time = true,
            .coordinates = true,
            .velocities = true,
            .history = true,
            .laws = true,
            .infinity = place == "limit"};
  }

  void read_rows(const toml::table& table, Resistance& resistance) {
    const toml::node* slip = table.get("slip");
    if (slip == nullptr)
      return report(table, "resistance '" + resistance.name +
                               "' needs slip, the velocities that it resists, for example slip = [\"vx\"]");
    resistance.slip = read_slip(*slip, 3);
    const toml::node* drive = table.get("drive");
    if (drive == nullptr || resistance.slip.empty()) return;
    const std::size_t rows = resistance.slip.size();
    resistance.drive = formulas(*drive, {rows, rows, "the velocity at which it sticks, one a row of slip"},
                                {.place = "drive", .time = true, .coordinates = true});
  }

  // one: a bound on the size; two: the ends of an interval
  void read_limit(const toml::table& table, Resistance& resistance) {
    const toml::node* limit = table.get("limit");
    if (limit == nullptr)
      return report(table, "resistance '" + resistance.name +
                               "' needs limit, the largest impulse a unit of time, for example limit = \"mu*N\"");
    if (limit->is_array()) {
      if (resistance.slip.size() > 1)
        return report(*limit, "a limit with two ends is for one row of slip; with " +
                                  std::to_string(resistance.slip.size()) +
                                  " rows it is one expression, the radius of a ball");
      resistance.limit = formulas(*limit, {2, 2, "the ends of an interval (or write one expression without brackets)"},
                                  limit_rule("limit"));
    } else if (auto read = formula(*limit, limit_rule("limit"))) {
      resistance.limit.push_back(std::move(*read));
    }
    check_infinity(*limit, resistance);
  }

  // An end is infinite as a whole or not at all; a set without any end is a bilateral constraint.
  void check_infinity(const toml::node& node, Resistance& resistance) {
    std::size_t infinite = 0;
    for (Formula& end : resistance.limit) {
      if (!expression::any_node(end.tree, is_infinite)) continue;
      ++infinite;
      const bool negative = end.tree->op == expression::Op::negate;
      if (!is_infinite(negative ? *end.tree->args[0] : *end.tree))
        return report(node, "inf must stand alone, as \"inf\" or \"-inf\"");
      if (negative) end.tree = expression::make_constant(-end.tree->args[0]->value, end.tree->span);
    }
    if (infinite > 0 && infinite == resistance.limit.size())
      report(node,
             "a resistance without any limit is a bilateral constraint; write it as velocity = \"… = …\" in "
             "[[model.bilateral]]");
  }

  static bool is_infinite(const expression::Node& node) {
    return node.op == expression::Op::constant && std::isinf(node.value);
  }

  void read_percussions(const toml::table& table, Resistance& resistance) {
    const toml::table* given =
        find_table(table, "percussions", "percussions = { time = \"j\", size = \"1\", count = 3 }");
    if (given == nullptr) return;
    check_keys(*given, {"time", "size", "count", "limit"}, "in percussions");
    const auto read = [&](const std::string& key, const Allowed& rule) -> std::optional<Formula> {
      if (const toml::node* node = given->get(key)) return formula(*node, rule);
      report(*given, "percussions of '" + resistance.name + "' need " + key +
                         "; j is the number of a percussion, 1, 2, … count");
      return std::nullopt;
    };
    auto time = read("time", {.place = "time of percussions", .atom = true});
    auto size = read("size", {.place = "size of percussions", .atom = true});
    auto count = read("count", {.place = "count of percussions"});
    if (!time || !size || !count) return;
    resistance.percussions = Percussions{std::move(*time), std::move(*size), std::move(*count), std::nullopt};
    if (const toml::node* limit = given->get("limit"))
      resistance.percussions->limit = formula(*limit, limit_rule("percussions.limit"));
  }
};

}  // namespace

void read_resistances(const toml::table& model, Reading& reading) {
  ResistancesSection(reading).read_resistances(model);
}

}  // namespace conesweep::scenario
