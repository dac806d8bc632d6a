#include "scenario/writer.hpp"

#include <algorithm>
#include <cstdio>

#include "expression/calculus.hpp"
#include "expression/states.hpp"
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

std::string formula_line(std::string_view key, const Formula& formula) {
  return std::string(key) + " = " + toml_text(formula.text) + "\n";
}

std::string list_line(std::string_view key, const std::vector<Formula>& formulas) {
  return formulas.empty() ? std::string() : std::string(key) + " = " + text_list(texts_of(formulas)) + "\n";
}

// a list of the diagonal, or a list of rows
std::string mass_line(const Scenario& scenario) {
  const auto d = static_cast<std::size_t>(scenario.dimension());
  if (scenario.mass.size() <= d) return list_line("mass", scenario.mass);
  std::string rows;
  for (auto row = scenario.mass.begin(); row != scenario.mass.end(); row += scenario.dimension())
    rows += (rows.empty() ? "" : ", ") + text_list(texts_of({row, row + scenario.dimension()}));
  return "mass = [" + rows + "]\n";
}

// ---- laws ----

std::string header(const char* kind, const std::string& name) {
  return "\n[[model." + std::string(kind) + "]]\nname = " + toml_text(name) + "\n";
}

std::string to_toml(const Contact& contact) {
  std::string out =
      header("contact", contact.name) + list_line("point", contact.point) + list_line("slip", contact.slip);
  for_each_formula(contact, [&](std::string_view key, const Formula& formula) {
    if (key != "belt" && key != "point" && key != "slip") out += formula_line(key, formula);
  });
  return out + list_line("belt", contact.belt) + (contact.persistent ? "persistent = true\n" : "");
}

std::string to_toml(const Bilateral& bilateral) {
  return header("bilateral", bilateral.name) +
         formula_line(bilateral.holonomic ? "holds" : "velocity", bilateral.equation) +
         list_line("slip", bilateral.slip) + (bilateral.friction ? formula_line("friction", *bilateral.friction) : "");
}

std::string to_toml(const Resistance& resistance) {
  std::string out =
      header("resistance", resistance.name) + list_line("slip", resistance.slip) + list_line("drive", resistance.drive);
  out += resistance.limit.size() == 1 ? formula_line("limit", resistance.limit.front())
                                      : list_line("limit", resistance.limit);
  if (!resistance.percussions) return out;
  const Percussions& given = *resistance.percussions;
  out += "percussions = { time = " + toml_text(given.time.text) + ", size = " + toml_text(given.size.text) +
         ", count = " + toml_text(given.count.text);
  return out + (given.limit ? ", limit = " + toml_text(given.limit->text) : "") + " }\n";
}

// What [start] does not say: the left velocities that follow from the past. As comments: the executors differentiate
// the past themselves.
std::string left_velocities(const Scenario& scenario) {
  std::string out;
  for (std::size_t i = 0; i < scenario.start.size(); ++i) {
    if (scenario.start[i].velocity || !scenario.start[i].past.tree) continue;
    const auto rate = expression::simplify(
        expression::differentiate(scenario.start[i].past.tree, {expression::Symbol::Kind::time, 0}));
    const std::string text = expression::to_text(rate, scenario.names);
    const bool long_one = text.size() > 200 || text.find('\n') != std::string::npos;
    out += "# " + expression::velocity_of(scenario.names.coordinates[i]) + " = " +
           (long_one ? std::string("the derivative of the past") : toml_text(text)) + "  at t = 0, from the left\n";
  }
  return out;
}

std::string distribution_text(const Distribution& distribution) {
  const std::string kind(to_name(distribution.kind));
  if (distribution.kind != DistributionKind::table)
    return "{ " + kind + " = " + number_list(distribution.values) + " }";
  return "{ " + kind + " = " + toml_text(distribution.table) + " }";
}

// ---- sections ----

std::string model_section(const Scenario& scenario) {
  const auto& names = scenario.names;
  std::string out =
      "title = " + toml_text(scenario.title) + "\n\n[model]\ncoordinates = " + text_list(names.coordinates) + "\n";
  out += list_line("force", scenario.force) + mass_line(scenario);
  if (scenario.restitution_law != RestitutionLaw::newton)
    out += "restitution_law = " + toml_text(to_name(scenario.restitution_law)) + "\n";
  return out;
}

std::string parameters_section(const Scenario& scenario) {
  const auto& names = scenario.names;
  std::string out = "\n[model.parameters]\n";
  // those that vary keep their places; then those that stand for their expressions
  for (std::size_t i = 0; i < names.parameters.size(); ++i) {
    const auto& name = names.parameters[i];
    const auto computed = std::find_if(scenario.computed.begin(), scenario.computed.end(),
                                       [&](const Computed& one) { return one.name == name; });
    out += computed != scenario.computed.end() ? formula_line(name, computed->formula)
                                               : name + " = " + toml_number(scenario.defaults[i]) + "\n";
  }
  for (const Computed& computed : scenario.computed)
    if (std::find(names.parameters.begin(), names.parameters.end(), computed.name) == names.parameters.end())
      out += formula_line(computed.name, computed.formula);
  return out;
}

std::string definitions_section(const Scenario& scenario) {
  if (scenario.definitions.empty()) return "";
  std::string out = "\n[model.define]\n";
  for (std::size_t i = 0; i < scenario.definitions.size(); ++i)
    out += formula_line(scenario.names.definitions[i].name, scenario.definitions[i]);
  return out;
}

std::string laws_sections(const Scenario& scenario) {
  std::string out;
  for (const Contact& contact : scenario.contacts) out += to_toml(contact);
  for (const Bilateral& bilateral : scenario.bilaterals) out += to_toml(bilateral);
  for (const Resistance& resistance : scenario.resistances) out += to_toml(resistance);
  return out;
}

std::string start_section(const Scenario& scenario) {
  std::string out = "\n[start]\n";
  for_each_start_formula(scenario,
                         [&](std::string_view key, const Formula& formula) { out += formula_line(key, formula); });
  if (scenario.settle) out += "settle = true\n";
  return out + left_velocities(scenario);
}

std::string time_section(const Scenario& scenario) {
  std::string out = "\n[time]\nend = " + toml_number(scenario.end) + "\nstep = " + toml_number(scenario.step) + "\n";
  if (scenario.stop) out += formula_line("stop", *scenario.stop);
  if (scenario.order != 1) out += "order = " + std::to_string(scenario.order) + "\n";
  if (scenario.impacts != Impacts::nodes) out += "impacts = " + toml_text(to_name(scenario.impacts)) + "\n";
  return out;
}

std::string ensemble_section(const Scenario& scenario) {
  const Ensemble& ensemble = scenario.ensemble;
  std::string out = "\n[ensemble]\nseed = " + std::to_string(ensemble.seed) +
                    "\nsampler = " + toml_text(to_name(ensemble.sampler)) + "\n";
  if (ensemble.keep != Keep::members) out += "keep = " + toml_text(to_name(ensemble.keep)) + "\n";
  if (ensemble.sampler != Sampler::grid) {
    out += "members = " + std::to_string(members_of_point(scenario)) + "\n";
  } else {
    // members are the product of the levels, also when --set takes one out
    out += "levels = {";
    for (std::size_t i = 0; i < scenario.vary.size(); ++i)
      out += (i > 0 ? ", " : " ") + scenario.names.parameters[static_cast<std::size_t>(scenario.vary[i].parameter)] +
             " = " + std::to_string(scenario.vary[i].levels);
    out += " }\n";
  }
  return out;
}

std::string vary_section(const Scenario& scenario) {
  if (scenario.vary.empty()) return "";
  std::string out = "\n[vary]\n";
  for (const Variation& variation : scenario.vary)
    out += scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] + " = " +
           distribution_text(variation.distribution) + "\n";
  return out;
}

std::string sweep_section(const Scenario& scenario) {
  if (scenario.sweep.empty()) return "";
  std::string out = "\n[sweep]\n";
  for (const SweepAxis& axis : scenario.sweep) {
    const auto& values = axis.values;
    out += scenario.names.parameters[static_cast<std::size_t>(axis.parameter)] + " = " +
           (axis.even ? "{ from = " + toml_number(values.front()) + ", to = " + toml_number(values.back()) +
                            ", count = " + std::to_string(values.size()) + " }"
                      : "{ values = " + number_list(values) + " }") +
           "\n";
  }
  return out;
}

std::string correlation_section(const Scenario& scenario) {
  if (scenario.correlation.empty()) return "";
  const auto name_of = [&](int parameter) { return scenario.names.parameters[static_cast<std::size_t>(parameter)]; };
  std::string out = "\n[correlation]\n";
  for (std::size_t i = 0; i < scenario.correlation.size();) {
    const int first = scenario.correlation[i].first;
    out += name_of(first) + " = {";
    for (const char* separator = " "; i < scenario.correlation.size() && scenario.correlation[i].first == first;
         ++i, separator = ", ")
      out += separator + name_of(scenario.correlation[i].second) + " = " + toml_number(scenario.correlation[i].value);
    out += " }\n";
  }
  return out;
}

std::string observe_section(const Scenario& scenario) {
  std::vector<std::string> standard, also;
  for (const Standard quantity : scenario.standard) {
    const StandardRow& row = standard_quantities[quantity];
    (row.observed == Observed::on_request ? also : standard).emplace_back(row.name);
  }
  for (const LawQuantity& quantity : scenario.of_laws) also.push_back(quantity_name(scenario, quantity));
  std::string out = "\n[observe]\nstandard = " + text_list(standard) + "\n";
  if (!also.empty()) out += "also = " + text_list(also) + "\n";
  for (const Observable& observable : scenario.observables) {
    std::string entries;
    for_each_formula(observable, [&](std::string_view key, const Formula& formula) {
      entries += (entries.empty() ? "" : ", ") + std::string(key) + " = " + toml_text(formula.text);
    });
    out += observable.name + " = { " + entries + " }\n";
  }
  return out;
}

std::string classes_section(const Scenario& scenario) {
  if (scenario.classes.empty()) return "";
  std::string out = "\n[classes]\n";
  for (const OutcomeClass& one : scenario.classes) out += formula_line(one.name, one.condition);
  return out;
}

std::string record_section(const Scenario& scenario) {
  return "\n[record]\nmembers = " + std::to_string(scenario.record.members) +
         "\nevery = " + std::to_string(scenario.record.every) + "\n";
}

std::string units_section(const Scenario& scenario) {
  if (scenario.units.empty()) return "";
  std::string out = "\n[units]\n";
  for (const auto& [name, unit] : scenario.units)
    out += (is_identifier(name) ? name : toml_text(name)) + " = " + toml_text(unit) + "\n";
  return out;
}

}  // namespace

std::string write_scenario(const Scenario& scenario) {
  std::string out;
  for (const auto section : {model_section, parameters_section, definitions_section, laws_sections, start_section,
                             time_section, ensemble_section, vary_section, sweep_section, correlation_section,
                             observe_section, classes_section, record_section, units_section})
    out += section(scenario);
  return out;
}

}  // namespace conesweep::scenario
