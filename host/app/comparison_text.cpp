#include "app/comparison_text.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/table.hpp"
#include "support/text.hpp"

namespace conesweep::app {

using ensemble::Difference;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t shown_members = 5;  // of a kind

std::int64_t number_of(const auto& items) { return static_cast<std::int64_t>(items.size()); }

// "  member 3: what", a few of them
template <class Item, class Text>
void print_some(const std::vector<Item>& items, const Text& text) {
  for (std::size_t k = 0; k < std::min(items.size(), shown_members); ++k)
    std::cout << "  member " << items[k].member << ": " << text(items[k]) << "\n";
  if (items.size() > shown_members)
    std::cout << "  … and " << counted(static_cast<std::int64_t>(items.size() - shown_members)) << " more\n";
}

double largest_residual(const std::vector<ensemble::Parted>& members) {
  double largest = 0;
  for (const auto& member : members) largest = std::max(largest, member.residual);
  return largest;
}

ordered_json spread_as_json(const Difference::Spread& spread) {
  return {{"median", spread.median}, {"high", spread.high}, {"worst", spread.worst}};
}

}  // namespace

std::string ComparisonText::judged_names() const {
  std::vector<std::string> names;
  for (const Side& side : sides)
    if (!side.is_reference()) names.push_back(side.name);
  return join_words(names);
}

void ComparisonText::print_differences() const {
  std::vector<std::vector<std::string>> rows = {{"observable", "scale", "median", "99 %", "worst", "rel. median",
                                                 "rel. 99 %", "rel. worst", "member", sides[0].name, sides[1].name,
                                                 ""}};
  const auto text = [](double x) { return x == 0 ? std::string("0") : format_short(x, 2); };
  for (const Difference& d : comparison.differences) {
    if (d.compared == 0) {
      rows.push_back({d.name, "–", "–", "–", "–", "–", "–", "–", "–", "–", "–", ""});
      continue;
    }
    const bool equal = d.worst_member < 0;
    rows.push_back({d.name, format_short(d.scale, 3), text(d.absolute.median), text(d.absolute.high),
                    text(d.absolute.worst), text(d.relative.median), text(d.relative.high), text(d.relative.worst),
                    equal ? "–" : std::to_string(d.worst_member), equal ? "–" : format_number(d.a),
                    equal ? "–" : format_number(d.b), d.within ? "" : "beyond the tolerance"});
  }
  std::cout << align_columns(rows);
}

void ComparisonText::print_grazing() const {
  if (comparison.grazing.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.grazing.size());
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " has" : " have")
            << " another contact history"
            << (limits.bits ? "" : ", and " + std::string(number == 1 ? "was" : "were") + " not judged") << "\n";
  print_some(comparison.grazing, [](const auto& member) { return member.what; });
}

double ComparisonText::accepted_residual() const {
  const bool single = sides[0].is_single() || sides[1].is_single();
  return executor::reference::exactness_of(single ? executor::Precision::single : executor::Precision::double_)
      .residual;
}

void ComparisonText::print_judged() const {
  const auto members = [](const auto& items) { return counted(static_cast<std::int64_t>(items.size()), "member"); };
  const auto residual = [&](const auto& items) {
    return "largest residual " + format_short(largest_residual(items), 2) +
           " of the largest velocity, allowed: " + format_short(accepted_residual(), 2);
  };
  if (!comparison.parted.empty()) {
    std::cout << members(comparison.parted) << " parted by rounding; every step of "
              << (comparison.parted.size() == 1 ? "its" : "theirs") << " in " << judged_names()
              << " obeys the laws; left out above\n  (" << residual(comparison.parted) << ")\n";
    print_some(comparison.parted, [](const auto& member) { return member.what; });
  }
  if (!comparison.several.empty()) {
    std::cout << members(comparison.several) << " met steps with several solutions; judged step by step, all that "
              << judged_names() << " found obey the laws; left out above\n  (" << residual(comparison.several) << ")\n";
    print_some(comparison.several, [](const auto& member) {
      return counted(member.several, "step") + " with several solutions; " + member.what;
    });
  }
}

void ComparisonText::print_means() const {
  if (comparison.means.empty()) return;
  const auto most = std::max_element(comparison.means.begin(), comparison.means.end(),
                                     [](const auto& a, const auto& b) { return a.errors < b.errors; });
  if (most->errors == 0)
    std::cout << "means over all members are within the tolerance\n";
  else
    std::cout << "means over all members: furthest apart is " << most->name << ", by " << format_short(most->errors, 2)
              << " standard errors of the difference\n";
}

void ComparisonText::print_classes() const {
  if (scenario.classes.empty()) return;
  const auto number = static_cast<std::int64_t>(comparison.classes.size());
  std::cout << counted(number) << " of " << counted(comparison.members, "member") << (number == 1 ? " is" : " are")
            << " of another class\n";
  print_some(comparison.classes, [](const auto& member) { return member.a + " and " + member.b; });
}

std::string ComparisonText::verdict_of_bits() const {
  if (comparison.passed) return both() + " agree: all bits of " + counted(comparison.bits.values) + " values are equal";
  return both() + " differ: " + counted(comparison.bits.differing) + " of " + counted(comparison.bits.values) +
         " values have other bits\n  first: " + comparison.bits.first;
}

std::string ComparisonText::agreement() const {
  const std::int64_t parted = number_of(comparison.parted), several = number_of(comparison.several);
  if (several == comparison.members) return both() + " agree: they differ only where the laws have several solutions";
  std::vector<std::string> reasons;
  if (parted + several < comparison.members)
    reasons.push_back("every difference is within " + format_short(limits.tolerance, 3) + " of its observable's scale");
  if (parted > 0)
    reasons.push_back(counted(parted, "member") + " parted by rounding obey" + (parted == 1 ? "s" : "") +
                      " the laws in every step");
  if (several > 0)
    reasons.push_back(counted(several, "member") + " with several solutions obey" + (several == 1 ? "s" : "") +
                      " the laws");
  std::string text = both() + " agree";
  for (std::size_t k = 0; k < reasons.size(); ++k) text += (k == 0 ? ": " : ", and ") + reasons[k];
  return text;
}

std::string ComparisonText::disagreement() const {
  std::string text = both() + " differ:";
  const auto add_some = [&](const auto& items) {
    for (std::size_t k = 0; k < std::min(items.size(), shown_members); ++k)
      text += "\n  member " + std::to_string(items[k].member) + ": " + items[k].what;
    if (items.size() > shown_members)
      text += "\n  … and " + counted(static_cast<std::int64_t>(items.size() - shown_members)) + " more like these";
  };
  for (const Difference& d : comparison.differences)
    if (!d.within)
      text += "\n  " + d.name + " by " + format_short(d.absolute.worst, 3) +
              ", allowed: " + format_short(limits.tolerance, 3) + " x " + format_short(d.scale, 3) + "; member " +
              std::to_string(d.worst_member);
  add_some(comparison.wrong);
  add_some(comparison.unjudged);
  for (const auto& mean : comparison.means)
    if (!mean.within)
      text += "\n  mean of " + mean.name + " " + format_number(mean.a) + " and " + format_number(mean.b) + ": " +
              format_short(mean.errors, 3) + " standard errors of the difference apart, allowed: 5";
  if (number_of(comparison.grazing) > 0)
    text += "\n  " + counted(number_of(comparison.grazing), "member") + " with another contact history, not judged";
  const std::int64_t parted = number_of(comparison.parted);
  if (static_cast<double>(parted) > limits.parted * static_cast<double>(comparison.members))
    text += "\n  " + counted(parted) + " of " + counted(comparison.members, "member") +
            " parted by rounding, allowed: " + format_short(100 * limits.parted, 2) + " %";
  if (judgements.stride > 1)
    text += "\n  " + counted(judgements.differing, "member") + " differ, of which one in " +
            counted(judgements.stride) + " was judged; --judge " + std::to_string(judgements.differing) + " judges all";
  return text;
}

std::string ComparisonText::verdict() const {
  return limits.bits ? verdict_of_bits() : comparison.passed ? agreement() : disagreement();
}

void ComparisonText::print() const {
  std::cout << "\n";
  if (!limits.bits) {
    print_differences();
    std::cout << "\n";
  }
  if (comparison.stopped > 0)
    std::cout << counted(comparison.stopped, "member") << " stopped, with the same status at the same time\n";
  print_judged();
  print_grazing();
  print_means();
  print_classes();
  std::cout << verdict() << "\n";
}

ordered_json ComparisonText::differences_as_json() const {
  ordered_json differences = ordered_json::object();
  for (const Difference& d : comparison.differences)
    differences[d.name] = {{"compared", d.compared},
                           {"scale", d.scale},
                           {"absolute", spread_as_json(d.absolute)},
                           {"relative", spread_as_json(d.relative)},
                           {"worst_member", d.worst_member},
                           {"values", {d.a, d.b}},
                           {"within", d.within}};
  return differences;
}

ordered_json ComparisonText::to_json() const {
  ordered_json json = {{"backends", {sides[0].name, sides[1].name}},
                       {"members", comparison.members},
                       {"passed", comparison.passed},
                       {"stopped_alike", comparison.stopped}};
  ordered_json grazing = ordered_json::array();
  for (const auto& member : comparison.grazing) grazing.push_back({{"member", member.member}, {"what", member.what}});
  if (limits.bits) {
    json["bits"] = {
        {"values", comparison.bits.values}, {"differing", comparison.bits.differing}, {"first", comparison.bits.first}};
  } else {
    json["tolerance"] = limits.tolerance;
    json["residual_allowed"] = accepted_residual();
    json["parted_allowed"] = limits.parted;
    json["differing"] = judgements.differing;
    json["judged_every"] = judgements.stride;
    json["observables"] = differences_as_json();
  }
  json["grazing"] = grazing;
  if (!scenario.classes.empty()) json["other_class"] = ordered_json::array();
  for (const auto& member : comparison.classes)
    json["other_class"].push_back({{"member", member.member}, {"classes", {member.a, member.b}}});
  json["parted_by_rounding"] = ordered_json::array();
  for (const auto& member : comparison.parted)
    json["parted_by_rounding"].push_back(
        {{"member", member.member}, {"what", member.what}, {"residual", member.residual}});
  json["several_solutions"] = ordered_json::array();
  for (const auto& member : comparison.several)
    json["several_solutions"].push_back(
        {{"member", member.member}, {"steps", member.several}, {"what", member.what}, {"residual", member.residual}});
  json["wrong_steps"] = ordered_json::array();
  for (const auto& member : comparison.wrong)
    json["wrong_steps"].push_back({{"member", member.member}, {"what", member.what}});
  json["not_judged"] = ordered_json::array();
  for (const auto& member : comparison.unjudged)
    json["not_judged"].push_back({{"member", member.member}, {"what", member.what}});
  for (const auto& mean : comparison.means)
    json["means"][mean.name] = {
        {"values", {mean.a, mean.b}}, {"standard_errors_apart", mean.errors}, {"within", mean.within}};
  return json;
}

}  // namespace conesweep::app
