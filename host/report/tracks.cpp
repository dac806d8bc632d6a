#include "report/tracks.hpp"

#include <algorithm>
#include <cmath>

#include "expression/still_world.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::report {
namespace {

constexpr std::size_t most_times = 240;

// Some of 0 … all - 1 at equal distances, the first and the last with them.
std::vector<std::size_t> spread(std::size_t all, std::size_t most) {
  std::vector<std::size_t> some;
  const std::size_t count = std::min(all, most);
  for (std::size_t k = 0; k < count; ++k) some.push_back(count < 2 ? 0 : k * (all - 1) / (count - 1));
  return some;
}

}  // namespace

Tracks::Tracks(const RunView& run) : run_(run), kept_(spread(run.recorded().time.size(), most_times)) {}

std::vector<std::size_t> Tracks::members(std::size_t most) const { return spread(run_.recorded().members, most); }

std::vector<double> Tracks::pick(const std::vector<double>& values, std::size_t row) const {
  std::vector<double> out;
  for (const std::size_t k : kept_) out.push_back(values[row * run_.recorded().time.size() + k]);
  return out;
}

const std::vector<double>& Tracks::column(const std::string& name) const {
  const auto& names = run_.recorded().names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError("'" + name + "' was not recorded in " + run_.folder.string() + suggest(name, names));
  return run_.recorded().columns[static_cast<std::size_t>(found - names.begin())];
}

std::vector<double> Tracks::times() const { return pick(run_.recorded().time, 0); }

std::vector<double> Tracks::of(const std::string& name, std::size_t member) const { return pick(column(name), member); }

std::vector<std::vector<double>> Tracks::band(const std::string& coordinate) const {
  std::vector<std::vector<double>> parts;
  for (const auto& track : run_.summary.tracks) {
    if (track.name != coordinate || kept_.empty()) continue;
    const auto& levels = statistics::quantile_levels;
    for (const double level : {0.05, 0.25, 0.5, 0.75, 0.95})
      parts.push_back(pick(track.quantiles, static_cast<std::size_t>(std::find(std::begin(levels), std::end(levels), level) - std::begin(levels))));
    parts.push_back(pick(track.mean, 0));
  }
  return parts;
}

std::vector<Tracks::Stretch> Tracks::modes(std::size_t member) const {
  std::vector<Stretch> stretches;
  const auto& recorded = run_.recorded();
  for (std::size_t k = 0; k + 1 < kept_.size(); ++k) {
    const std::size_t at = member * recorded.time.size() + kept_[k], mode = std::min<std::size_t>(2, recorded.mode[at]);
    if (!std::isfinite(recorded.columns[0][at])) break;
    if (stretches.empty() || stretches.back().mode != mode) stretches.push_back({mode, recorded.time[kept_[k]], 0});
    stretches.back().to = recorded.time[kept_[k + 1]];
  }
  return stretches;
}

std::vector<std::string> Tracks::moving(std::size_t most) const {
  std::vector<std::string> names;
  if (run_.recorded().members == 0) return names;
  for (const auto& name : run_.scenario.names.coordinates) {
    plot::Range range;
    range.add(column(name));
    if (names.size() < most && range.length() > 1e-9 * std::max(std::fabs(range.least), std::fabs(range.most))) names.push_back(name);
  }
  return names;
}

namespace {

// The largest g of those contacts that depend on two coordinates, others where they start: above 0 outside.
class Depth {
 public:
  Depth(const scenario::Scenario& s, const std::string& x, const std::string& y) : s_(s), x_(index_of(x)), y_(index_of(y)) {
    const expression::StillWorld<double> start{s.defaults};
    for (const auto& one : s.start) place_.push_back(expression::evaluate<double>(one.past.tree, start));
    const auto is_ours = [&](const expression::Node& n) {
      const auto index = static_cast<std::size_t>(n.symbol.index);
      return n.op == expression::Op::symbol && n.symbol.kind == expression::Symbol::Kind::coordinate && (index == x_ || index == y_);
    };
    for (const auto& contact : s.contacts)
      if (contact.g && expression::any_node(contact.g, is_ours)) walls_.push_back(contact.g);
  }

  bool is_everywhere_inside() const { return walls_.empty(); }

  double operator()(double x, double y) {
    place_[x_] = x, place_[y_] = y;
    double deepest = -INFINITY;
    for (const auto& g : walls_) deepest = std::max(deepest, expression::evaluate<double>(g, expression::StillWorld<double>{s_.defaults, place_}));
    return deepest;
  }

 private:
  std::size_t index_of(const std::string& name) const {
    const auto& names = s_.names.coordinates;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw InputError("'" + name + "' is no coordinate" + suggest(name, names));
    return static_cast<std::size_t>(found - names.begin());
  }

  const scenario::Scenario& s_;
  std::size_t x_, y_;
  std::vector<double> place_;
  std::vector<expression::Expr> walls_;
};

}  // namespace

plot::Points outside_of(const scenario::Scenario& scenario, const plot::Chart& plane, const std::string& x_name, const std::string& y_name) {
  constexpr int rows = 120, columns = 120;
  Depth depth(scenario, x_name, y_name);
  plot::Points strips;
  const auto [left, right] = plane.x.range;
  const auto [low, high] = plane.y.range;
  const double wide = (right - left) / columns, tall = (high - low) / rows;
  // rows of strips, whose ends are interpolated
  for (int row = 0; row < rows && !depth.is_everywhere_inside(); ++row) {
    const double y = low + tall * row;
    double before = depth(left, y + tall / 2), begin = left;
    for (int column = 1; column <= columns; ++column) {
      const double x = left + wide * column, now = depth(x, y + tall / 2);
      const double part = before / (before - now), edge = x - wide * (std::isfinite(part) ? 1 - part : 0);
      if (before <= 0 && now > 0) begin = edge;
      if (before > 0 && now <= 0) strips.add(begin, y), strips.add(edge, y + tall);
      before = now;
    }
    if (before > 0) strips.add(begin, y), strips.add(right, y + tall);
  }
  return strips;
}

}  // namespace conesweep::report
