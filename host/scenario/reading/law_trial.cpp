#include "scenario/reading/law_trial.hpp"

#include <algorithm>
#include <cmath>

#include "expression/calculus.hpp"
#include "sampling/copula.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/dependence.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Symbol;

constexpr double atom_tolerance = 1e-9;               // of a percussion's time, in steps (B6)
constexpr double dependent_rows = 1e-12;              // what is left of a row, of its length (B9)
constexpr double whole_number_tolerance = 1e-9;       // of a count
constexpr std::int64_t most_atoms_tried = 5'000'000;  // a second's work

StartWorld world_of(const TriedMember& member) { return {member.parameters, member.q, 0, member.v}; }

double norm(const std::vector<double>& x) {
  double length = 0;
  for (const double part : x) length = std::hypot(length, part);
  return length;
}

bool is_positive_definite(const std::vector<double>& values, std::size_t d) {
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) return false;
  sampling::Matrix rows;
  for (auto row = values.begin(); row != values.end(); row += static_cast<std::ptrdiff_t>(d))
    rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(d));
  return sampling::factor(rows).has_value();
}

bool is_infinite(const Formula& end) { return end.tree->op == expression::Op::constant && std::isinf(end.tree->value); }

}  // namespace

LawTrial::LawTrial(const Scenario& scenario, Findings& findings)
    : scenario_(scenario), findings_(findings), atoms_left_(most_atoms_tried) {
  for (const Bilateral& bilateral : scenario.bilaterals) {
    Row row;
    const auto kind = bilateral.holonomic ? Symbol::Kind::coordinate : Symbol::Kind::velocity;
    for (int i = 0; i < scenario.dimension(); ++i)
      row.row.push_back(expression::differentiate(bilateral.value, {kind, i}));
    if (bilateral.holonomic) row.rate = expression::differentiate(bilateral.value, {Symbol::Kind::time, 0});
    rows_.push_back(std::move(row));
  }
}

void LawTrial::try_member(const TriedMember& member) {
  try_mass(member);
  for (std::size_t b = 0; b < rows_.size(); ++b) try_bilateral(member, scenario_.bilaterals[b], rows_[b]);
  try_rows(member);
  for (const Contact& contact : scenario_.contacts)
    if (contact.persistent) try_persistent(member, contact);
  for (const Resistance& resistance : scenario_.resistances) {
    try_freewheel(member, resistance);
    if (resistance.percussions) try_percussions(member, resistance);
  }
}

void LawTrial::try_mass(const TriedMember& member) {
  const auto& mass = scenario_.mass;
  const auto d = static_cast<std::size_t>(scenario_.dimension());
  std::vector<double> values;
  for (const Formula& entry : mass) values.push_back(expression::evaluate<double>(entry.tree, world_of(member)));
  if (mass.size() == d) {
    for (std::size_t i = 0; i < d; ++i)
      if (!(values[i] > 0 && std::isfinite(values[i])))
        findings_.note(member, mass[i],
                       {"mass", Status::bad_mass, !varies(scenario_, mass[i].tree),
                        "a mass must be greater than 0, this one is " + format_short(values[i]) + " at the start"});
  } else if (!mass.empty() && !is_positive_definite(values, d)) {
    const bool varying =
        std::any_of(mass.begin(), mass.end(), [&](const Formula& entry) { return varies(scenario_, entry.tree); });
    findings_.note(
        member, mass.front(),
        {"mass", Status::bad_mass, !varying, "the mass matrix that begins here is not positive definite at the start"});
  }
}

void LawTrial::try_bilateral(const TriedMember& member, const Bilateral& bilateral, const Row& row) {
  const StartWorld world = world_of(member);
  std::vector<double> a;
  for (const Expr& part : row.row) a.push_back(expression::evaluate<double>(part, world));
  const double value = expression::evaluate<double>(bilateral.value, world);
  const auto fail = [&](const std::string& kind, bool same_start, const std::string& message) {
    findings_.note(member, bilateral.equation,
                   {kind, Status::bad_start, same_start && !varies(scenario_, bilateral.value), message});
  };
  double u = value;
  if (bilateral.holonomic) {
    const double distance = std::fabs(value) / norm(a);
    if (!(std::fabs(value) <= start_tolerance * (1 + norm(member.q)) * norm(a))) {
      if (is_settled(distance, norm(member.q))) return;  // elsewhere; its velocity is judged there
      return fail("holds", true,
                  "'" + bilateral.name + "' does not hold at the start: it is off by " + format_short(distance) +
                      describe_allowed(scenario_, distance, norm(member.q), 'q'));
    }
    u = expression::evaluate<double>(row.rate, world);
    for (std::size_t i = 0; i < a.size(); ++i) u += a[i] * member.v[i];
  }
  if (!(std::fabs(u) <= start_tolerance * (1 + norm(member.v))) && !is_settled(std::fabs(u), norm(member.v)))
    fail("velocity", !start_varies(scenario_) && !start_velocity_varies(scenario_),
         "the start velocity does not satisfy '" + bilateral.name + "': it is off by " + format_short(std::fabs(u)) +
             describe_allowed(scenario_, std::fabs(u), norm(member.v), 'v'));
}

// (B9) firm rows of which one is made of the others: an error where it is so for every member, else the status of those
// that meet it.
void LawTrial::try_rows(const TriedMember& member) {
  if (start_varies(scenario_)) return;
  std::vector<std::vector<double>> basis;
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    std::vector<double> a;
    for (const Expr& part : rows_[b].row) {
      if (varies(scenario_, part)) return;
      a.push_back(expression::evaluate<double>(part, world_of(member)));
    }
    const double before = norm(a);
    if (!std::isfinite(before)) return;
    // what is left of it across the others; twice, so that rounding does not pass for a direction
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& unit : basis) {
        double along = 0;
        for (std::size_t i = 0; i < a.size(); ++i) along += unit[i] * a[i];
        for (std::size_t i = 0; i < a.size(); ++i) a[i] -= along * unit[i];
      }
    const double left = norm(a);
    const Bilateral& bilateral = scenario_.bilaterals[b];
    if (!(left > dependent_rows * before)) {
      const std::string message =
          basis.empty() ? "'" + bilateral.name + "' binds no velocity at the start: its gradient vanishes there"
                        : "at the start '" + bilateral.name +
                              "' binds nothing that the bilateral constraints before it do not bind: they say the "
                              "same, or contradict each "
                              "other; leave one out";
      return findings_.note(member, bilateral.equation, {"rows", Status::dependent_constraints, true, message});
    }
    for (double& part : a) part /= left;
    basis.push_back(std::move(a));
  }
}

// (T1) It begins closed, and without normal velocity. Where it lies outside, others say so.
void LawTrial::try_persistent(const TriedMember& member, const Contact& contact) {
  const auto gradient = [](const Expr& tree, const StartWorld& world, std::size_t size) {
    std::vector<double> parts;
    for (std::size_t i = 0; i < size; ++i)
      parts.push_back(expression::evaluate<double>(
          expression::differentiate(tree, {Symbol::Kind::coordinate, static_cast<int>(i)}), world));
    return parts;
  };
  const StartWorld world = world_of(member);
  const std::vector<double> slope = gradient(contact.g, world, member.q.size());
  double steepness = norm(slope);
  if (!contact.point.empty()) {
    std::vector<double> place;
    for (const Formula& entry : contact.point) place.push_back(expression::evaluate<double>(entry.tree, world));
    steepness = norm(gradient(contact.in_space, {member.parameters, place, 0, member.v}, place.size()));
  }
  const auto fail = [&](const std::string& kind, bool same_start, const std::string& message) {
    findings_.note(member, contact.inside,
                   {kind, Status::bad_start, same_start && !varies(scenario_, contact.g),
                    "persistent contact '" + contact.name + "' " + message});
  };
  const double g = expression::evaluate<double>(contact.g, world),
               allowed = start_tolerance * (1 + norm(member.q)) * steepness;
  const double scale = scale_of(scenario_, contact, steepness), distance = std::fabs(g) / scale;
  if (g > allowed) return;
  if (!(g >= -allowed)) {
    if (is_settled(distance, norm(member.q))) return;  // elsewhere; its velocity is judged there
    return fail("persistent", true,
                "does not touch at the start: its gap is " + format_short(-g / scale) +
                    describe_allowed(scenario_, distance, norm(member.q), 'q'));
  }
  double u = expression::evaluate<double>(expression::differentiate(contact.g, {Symbol::Kind::time, 0}), world);
  for (std::size_t i = 0; i < slope.size(); ++i) u += slope[i] * member.v[i];
  u /= scale;
  if (!(std::fabs(u) <= start_tolerance * (1 + norm(member.v))) && !is_settled(std::fabs(u), norm(member.v)))
    fail("persistent velocity", !start_varies(scenario_) && !start_velocity_varies(scenario_),
         "does not rest at the start: its normal velocity is " + format_short(-u) +
             describe_allowed(scenario_, std::fabs(u), norm(member.v), 'v'));
}

// A set without an end: the velocity at which the impulse would have to be infinite is forbidden.
void LawTrial::try_freewheel(const TriedMember& member, const Resistance& resistance) {
  if (resistance.limit.size() != 2) return;
  const StartWorld world = world_of(member);
  const Formula& slip = resistance.slip.front();
  const Formula* drive = resistance.drive.empty() ? nullptr : &resistance.drive.front();
  const double u = expression::evaluate<double>(slip.tree, world) -
                   (drive != nullptr ? expression::evaluate<double>(drive->tree, world) : 0);
  const double allowed = start_tolerance * (1 + norm(member.v));
  const bool below = is_infinite(resistance.limit.front()) && !(u <= allowed),
             above = is_infinite(resistance.limit.back()) && !(u >= -allowed);
  if (!below && !above) return;
  const bool certain = !varies(scenario_, slip.tree) && (drive == nullptr || !varies(scenario_, drive->tree));
  findings_.note(
      member, slip,
      {"freewheel", Status::bad_start, certain,
       "'" + resistance.name + "' has no limit on that side and forbids the start velocity: slip - drive is " +
           format_short(u) + ", allowed: " + (below ? "<= 0" : ">= 0")});
}

void LawTrial::try_percussions(const TriedMember& member, const Resistance& resistance) {
  const Percussions& given = *resistance.percussions;
  const auto fail = [&](const Formula& formula, const std::string& message) {
    const bool certain = !varies(scenario_, formula.tree) && !varies(scenario_, given.count.tree);
    findings_.note(member, formula, {"percussions", Status::bad_percussions, certain, message});
  };
  const double count = expression::evaluate<double>(given.count.tree, world_of(member));
  const double whole = std::round(count);
  if (!(count >= 0 && count <= static_cast<double>(most_percussions))) return;  // said already: bounded_numbers
  if (!(std::fabs(count - whole) <= whole_number_tolerance * std::max(whole, 1.0)))
    return fail(given.count, "count is " + format_short(count) + "; it must be a whole number");
  atoms_left_ -= static_cast<std::int64_t>(whole);
  if (atoms_left_ < 0) return;
  const double slack = atom_tolerance * scenario_.h();
  for (double j = 1; j <= whole; ++j) {
    const StartWorld atom{member.parameters, member.q, 0, member.v, j};
    const double time = expression::evaluate<double>(given.time.tree, atom),
                 size = expression::evaluate<double>(given.size.tree, atom);
    const auto is = [&](double value) {
      return " of percussion " + format_count(static_cast<unsigned long long>(j)) + " is " + format_short(value);
    };
    if (!(time >= -slack && time <= scenario_.end + slack))
      return fail(given.time, "the time" + is(time) + "; allowed: 0 to " + format_number(scenario_.end) + " (end)");
    if (!(size > 0 && std::isfinite(size)))
      return fail(given.size, "the size" + is(size) + "; allowed: finite and greater than 0");
  }
}

}  // namespace conesweep::scenario
