#include "scenario/writer.hpp"

#include <cstdio>

#include "scenario/formulas.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// A TOML basic string.
std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          char escape[8];
          std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(static_cast<unsigned char>(c)));
          out += escape;
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

// A TOML float keeps a point or an exponent, so that it stays a float.
std::string toml_number(double value) {
  std::string text = format_number(value);
  // TOML wants digits on both sides of a point and takes 1e+300 as it is
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string number_list(const std::vector<double>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + toml_number(values[i]);
  return out + "]";
}

std::string text_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i > 0 ? ", " : "") + toml_text(texts[i]);
  return out + "]";
}

std::string distribution_text(const Distribution& distribution) {
  const std::string kind(to_name(distribution.kind));
  if (distribution.kind != DistributionKind::table) return "{ " + kind + " = " + number_list(distribution.values) + " }";
  return "{ " + kind + " = " + toml_text(distribution.table) + " }";
}

}  // namespace

std::string write_scenario(const Scenario& scenario) {
  const auto& names = scenario.names;
  std::string out = "title = " + toml_text(scenario.title) + "\n\n[model]\ncoordinates = " + text_list(names.coordinates) + "\n";
  const auto write_formula = [&](std::string_view key, const Formula& formula) { out += std::string(key) + " = " + toml_text(formula.text) + "\n"; };
  std::vector<std::string> force;
  for (const Formula& formula : scenario.force) force.push_back(formula.text);
  out += "force = " + text_list(force) + "\n\n[model.parameters]\n";
  for (std::size_t i = 0; i < names.parameters.size(); ++i) out += names.parameters[i] + " = " + toml_number(scenario.defaults[i]) + "\n";

  if (!scenario.definitions.empty()) out += "\n[model.define]\n";
  for (std::size_t i = 0; i < scenario.definitions.size(); ++i) write_formula(names.definitions[i].name, scenario.definitions[i]);

  for (const Contact& contact : scenario.contacts) {
    out += "\n[[model.contact]]\nname = " + toml_text(contact.name) + "\n";
    for_each_formula(contact, write_formula);
  }

  out += "\n[start]\n";
  for_each_start_formula(scenario, write_formula);

  out += "\n[time]\nend = " + toml_number(scenario.end) + "\nstep = " + toml_number(scenario.step) + "\n";

  const Ensemble& ensemble = scenario.ensemble;
  out += "\n[ensemble]\nseed = " + std::to_string(ensemble.seed) + "\nsampler = " + toml_text(to_name(ensemble.sampler)) + "\n";
  if (ensemble.sampler != Sampler::grid) {
    out += "members = " + std::to_string(ensemble.members) + "\n";
  } else {
    // members are the product of the levels, also when --set takes one out
    out += "levels = {";
    for (std::size_t i = 0; i < scenario.vary.size(); ++i)
      out += (i > 0 ? ", " : " ") + names.parameters[static_cast<std::size_t>(scenario.vary[i].parameter)] + " = " + std::to_string(scenario.vary[i].levels);
    out += " }\n";
  }

  if (!scenario.vary.empty()) out += "\n[vary]\n";
  for (const Variation& variation : scenario.vary)
    out += names.parameters[static_cast<std::size_t>(variation.parameter)] + " = " + distribution_text(variation.distribution) + "\n";

  const auto name_of = [&](int parameter) { return names.parameters[static_cast<std::size_t>(parameter)]; };
  if (!scenario.correlation.empty()) out += "\n[correlation]\n";
  for (std::size_t i = 0; i < scenario.correlation.size();) {
    const int first = scenario.correlation[i].first;
    out += name_of(first) + " = {";
    for (const char* separator = " "; i < scenario.correlation.size() && scenario.correlation[i].first == first; ++i, separator = ", ")
      out += separator + name_of(scenario.correlation[i].second) + " = " + toml_number(scenario.correlation[i].value);
    out += " }\n";
  }

  std::vector<std::string> standard, also;
  for (const Standard quantity : scenario.standard) {
    const StandardRow& row = standard_quantities[quantity];
    (row.observed == Observed::on_request ? also : standard).emplace_back(row.name);
  }
  out += "\n[observe]\nstandard = " + text_list(standard) + "\n";
  if (!also.empty()) out += "also = " + text_list(also) + "\n";
  for (const Observable& observable : scenario.observables)
    out += observable.name + " = { " + std::string(to_name(observable.reducer)) + " = " + toml_text(observable.formula.text) + " }\n";

  out += "\n[record]\nmembers = " + std::to_string(scenario.record.members) + "\nevery = " + std::to_string(scenario.record.every) + "\n";
  return out;
}

}  // namespace conesweep::scenario
