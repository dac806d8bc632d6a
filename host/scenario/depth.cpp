#include "scenario/depth.hpp"

#include <algorithm>
#include <cmath>

#include "expression/still_world.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError("'" + name + "' is no coordinate" + suggest(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

Depth::Depth(const Scenario& scenario, const std::string& x, const std::string& y)
    : s_(scenario), x_(index_of(s_.names.coordinates, x)), y_(index_of(s_.names.coordinates, y)) {
  for (const auto& one : s_.start)
    place_.push_back(expression::evaluate<double>(one.past.tree, expression::StillWorld<double>{s_.defaults}));
  const auto is_ours = [&](const expression::Node& n) {
    const auto index = static_cast<std::size_t>(n.symbol.index);
    return n.op == expression::Op::symbol && n.symbol.kind == expression::Symbol::Kind::coordinate &&
           (index == x_ || index == y_);
  };
  for (const auto& contact : s_.contacts)
    if (contact.g && expression::any_node(contact.g, is_ours)) walls_.push_back(contact.g);
}

double Depth::operator()(double x, double y) {
  place_[x_] = x, place_[y_] = y;
  double deepest = -INFINITY;
  for (const auto& g : walls_)
    deepest = std::max(deepest, expression::evaluate<double>(g, expression::StillWorld<double>{s_.defaults, place_}));
  return deepest;
}

std::vector<Box> Depth::outside(const Box& part) {
  constexpr int rows = 120, columns = 120;
  std::vector<Box> strips;
  const double wide = (part.right - part.left) / columns, tall = (part.high - part.low) / rows;
  for (int row = 0; row < rows && !walls_.empty(); ++row) {
    const double low = part.low + tall * row;
    double before = (*this)(part.left, low + tall / 2), begin = part.left;
    for (int column = 1; column <= columns; ++column) {
      const double at = part.left + wide * column, now = (*this)(at, low + tall / 2), share = before / (before - now);
      const double edge = std::isfinite(share) ? at - wide * (1 - share) : at;
      if (before <= 0 && now > 0) begin = edge;
      if (now > 0 ? column == columns : before > 0) strips.push_back({begin, low, now > 0 ? at : edge, low + tall});
      before = now;
    }
  }
  return strips;
}

}  // namespace conesweep::scenario
