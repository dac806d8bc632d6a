// Prints designs, values and what conesweep makes of them as JSON, for openturns_test.py.

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "../oracle/known_indices.hpp"
#include "ensemble.hpp"
#include "sensitivity/correlation.hpp"
#include "sensitivity/sobol.hpp"

namespace {

using namespace conesweep;
using nlohmann::json;

json to_json(const std::vector<sensitivity::Index>& indices) {
  json list = json::array();
  for (const auto& index : indices)
    list.push_back({{"value", index.value}, {"lower", index.lower}, {"upper", index.upper}});
  return list;
}

json sobol_case(const test::KnownIndices& known, bool second_order, std::int64_t bases) {
  const sensitivity::SaltelliLayout layout{known.parameters, second_order};
  const sensitivity::SaltelliPoints points(sampling::make_points(test::unit_scenario(known.parameters, 1), 2), layout);
  const auto values = test::values_at(points, known.parameters, 0, layout.members(bases), known.f);
  json design = json::array();
  for (std::int64_t m = 0; m < layout.members(bases); ++m) {
    json point = json::array();
    for (std::size_t i = 0; i < known.parameters; ++i) point.push_back(points.coordinate(m, i));
    design.push_back(point);
  }
  sensitivity::SobolSums sums(layout);
  sums.add(values, std::vector<executor::Status>(values.size(), executor::Status::ok));
  const auto result = sums.indices(test::names_of(known.parameters), 1);
  return {{"name", known.name},
          {"parameters", known.parameters},
          {"rows", layout.rows()},
          {"bases", bases},
          {"second_order", second_order},
          {"design", design},
          {"values", values},
          {"mean", result.mean},
          {"variance", result.variance},
          {"first", to_json(result.first)},
          {"first_jansen", to_json(result.first_jansen)},
          {"total", to_json(result.total)},
          {"second", to_json(result.second)}};
}

json correlation_case(std::int64_t members) {
  const auto points = sampling::make_points(test::unit_scenario(4, 1));
  std::vector<std::vector<double>> x(4);
  std::vector<double> y;
  for (std::int64_t m = 0; m < members; ++m) {
    for (std::size_t i = 0; i < 4; ++i) x[i].push_back(points->coordinate(m, i));
    x[1].back() += 0.5 * x[0].back();  // correlated
    y.push_back(std::exp(2 * x[0].back()) - 3 * x[1].back() + x[2].back() * x[3].back());
  }
  const auto result =
      sensitivity::correlate(test::names_of(4), x, y, std::vector<executor::Status>(y.size(), executor::Status::ok));
  return {{"parameters", x},
          {"values", y},
          {"spearman", to_json(result.spearman)},
          {"partial_rank", to_json(result.partial_rank)},
          {"regression", to_json(result.regression)},
          {"r_squared", result.r_squared}};
}

}  // namespace

int main() {
  json all;
  all["sobol"] = {sobol_case(test::ishigami(), false, 1000), sobol_case(test::ishigami(), true, 1000),
                  sobol_case(test::sobol_g({0, 1, 4.5, 9}), true, 2000),
                  sobol_case(test::linear({1, 2, 3}), false, 500)};
  all["correlation"] = correlation_case(2000);
  std::cout << all << "\n";
}
