#include "scenario/reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "expression/parser.hpp"
#include "sampling/copula.hpp"
#include "sampling/sobol.hpp"
#include "scenario/check.hpp"
#include "scenario/table.hpp"
#include "scenario/toml_reader.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Allowed;

constexpr std::int64_t most_steps = 2'000'000'000;  // an hour of stepping for one member, at best
constexpr std::int64_t most_members = std::int64_t{1} << 40;
constexpr std::int64_t most_coordinates = 64;
constexpr std::int64_t most_parameters = 10'000;  // compilers still end in sensible time: docs/scenario.md, limits
constexpr std::int64_t most_observables = 2'000;
constexpr double whole_steps_tolerance = 1e-9;                        // relative, on end / step (docs/scenario.md, [time])
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // a value that was not understood: nothing follows from it

class Reader : private TomlReader {
 public:
  Reader(const Source& source, const Overrides& overrides, Problems& problems) : TomlReader(source, problems), overrides_(overrides) {}

  using TomlReader::unsaid;

  std::optional<Scenario> read() {
    toml::table file;
    if (const Place deep = find_deep_key(source_.text); deep.line > 0) {
      report(deep, 1, "this key has more than " + std::to_string(most_key_parts) + " parts; a scenario's have at most three");
      return std::nullopt;
    }
    try {
      file = toml::parse(source_.text, source_.name);
    } catch (const toml::parse_error& error) {
      report(to_place(error.source().begin), 1, "not valid TOML: " + std::string(error.description()));
      return std::nullopt;
    }
    check_keys(file, {"title", "model", "start", "time", "ensemble", "vary", "correlation", "observe", "record"}, "at the top level");
    read_title(file);
    read_model(file);
    read_start(file);
    read_time(file);
    read_vary(file);  // before the ensemble: a grid's levels need the variations
    read_ensemble(file);
    read_correlation(file);
    read_observe(file);
    read_record(file);
    // values are judged where they have been understood, whatever is wrong elsewhere
    check_ranges(scenario_, source_, problems_);
    if (has_errors(problems_)) return std::nullopt;
    return std::move(scenario_);
  }

 private:
  // ---- expressions ----------------------------------------------------------------------------------------------------

  // An expression: a string, or a plain number.
  std::optional<Formula> formula(const toml::node& node, const Allowed& allowed) {
    Formula result;
    result.quote = to_place(node.source().begin);
    if (const auto text = node.value_exact<std::string>())
      result.text = *text;
    else if (const auto value = finite_number(node))
      result.text = format_number(*value);
    else {
      report(node, allowed.place + " must be an expression in quotes, or a number");
      return std::nullopt;
    }
    if (!coordinates_known_) return std::nullopt;  // every one of them would be an unknown name
    std::vector<expression::Fault> faults;
    result.tree = expression::parse(result.text, scenario_.names, faults, allowed.place);
    if (result.tree) expression::validate(result.tree, scenario_.names, allowed, faults);
    for (const auto& fault : faults) {
      if (is_full())
        report_more();
      else
        report_fault(result, node, fault);
    }
    if (!faults.empty()) return std::nullopt;
    return result;
  }

  void report_fault(const Formula& formula, const toml::node& node, const expression::Fault& fault) {
    if (!node.is_string()) return report(node, fault.message);
    const Place place = source_.inside_string(formula.quote, fault.span.offset);
    const std::string_view faulty = std::string_view(formula.text).substr(std::min(fault.span.offset, formula.text.size()), fault.span.length);
    report(place, std::max(1, count_characters(faulty)), fault.message);
  }

  // ---- sections -------------------------------------------------------------------------------------------------------

  void read_title(const toml::table& file) {
    scenario_.title = std::filesystem::path(source_.name).stem().string();
    if (const toml::node* node = file.get("title")) {
      if (const auto text = node->value_exact<std::string>())
        scenario_.title = *text;
      else
        report(*node, "title must be a text in quotes");
    }
  }

  void read_model(const toml::table& file) {
    const toml::table* model = find_table(file, "model");
    if (model == nullptr) {
      if (!file.contains("model")) report_missing("the section [model] is missing; it holds coordinates and force");
      return;
    }
    check_keys(*model, {"coordinates", "force", "mass", "parameters", "contact"}, "in [model]");
    if (const toml::node* mass = model->get("mass")) report(*mass, "mass is not there yet: every coordinate has unit mass; leave it out and divide the force");
    read_coordinates(*model);
    read_parameters(*model);
    read_force(*model);
    read_contacts(*model);
  }

  void read_coordinates(const toml::table& model) {
    coordinates_known_ = false;
    const toml::node* node = model.get("coordinates");
    if (node == nullptr) return report_missing("[model] needs coordinates, for example coordinates = [\"x\", \"y\"]");
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty() || array->size() > most_coordinates)
      return report(*node, "coordinates must be a list of 1 to " + std::to_string(most_coordinates) + " names, for example [\"x\", \"y\"]");
    for (const toml::node& item : *array) {
      const auto name = item.value_exact<std::string>();
      if (!name)
        report(item, "a coordinate's name must be a text in quotes");
      else if (claim_name(*name, "coordinate", item) && claim_name("v" + *name, "velocity", item))
        scenario_.names.coordinates.push_back(*name);
    }
    coordinates_known_ = scenario_.names.coordinates.size() == array->size();
  }

  void read_parameters(const toml::table& model) {
    const toml::table* table = find_table(model, "parameters", "[model.parameters]");
    if (table == nullptr) return apply_set();
    limit_count(*table, table->size(), most_parameters, "parameters");
    for (const Entry& entry : entries_of(*table)) {
      const auto value = number(*entry.node, "parameter '" + entry.key + "'");
      if (!claim_name(entry.key, "parameter", entry)) continue;
      scenario_.names.parameters.push_back(entry.key);
      scenario_.defaults.push_back(value.value_or(unknown));
    }
    apply_set();
  }

  // Too many to compile: one sentence, not one for each.
  bool limit_count(const toml::table& table, std::size_t count, std::int64_t most, const std::string& what) {
    if (static_cast<std::int64_t>(count) <= most) return true;
    report(table, "at most " + format_count(static_cast<unsigned long long>(most)) + " " + what + ", got " + format_count(count));
    return false;
  }

  // --set name=value
  void apply_set() {
    for (const auto& [name, value] : overrides_.set) {
      const auto& names = scenario_.names.parameters;
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        report_flag("--set", "unknown parameter '" + name + "'" + hint(name, names));
      else if (!std::isfinite(value))
        report_flag("--set", "parameter '" + name + "' must be a finite number");
      else
        scenario_.defaults[static_cast<std::size_t>(found - names.begin())] = value;
      fixed_.insert(name);
    }
  }

  // Every name has one meaning.
  template <class Where>
  bool claim_name(const std::string& name, const std::string& role, const Where& where) {
    if (!is_identifier(name)) {
      report(where, "'" + name + "' cannot be a name: a letter, then letters, digits and underscores");
      return false;
    }
    if (expression::is_reserved(name)) {
      report(where, role + " '" + name + "' clashes with a word of the expression language; choose another name");
      return false;
    }
    // names of what stands beside the trajectories in results.h5 and summary.json
    if (role != "parameter" && (name == "time" || name == "member" || name == "mode" || name == "quantile_members")) {
      report(where, role + " '" + name + "' clashes with " +
                        (name == "quantile_members" ? "a key of the trajectories in summary.json" : "a column of the trajectories in results.h5") +
                        "; choose another name");
      return false;
    }
    const auto [found, fresh] = roles_.emplace(name, role);
    if (!fresh) report(where, role + " '" + name + "' clashes with the " + found->second + " of the same name (velocities are called v + coordinate)");
    return fresh;
  }

  void read_force(const toml::table& model) {
    const toml::node* node = model.get("force");
    if (node == nullptr) return report_missing("[model] needs force, one expression a coordinate, for example force = [\"0\", \"-g\"]");
    const toml::array* array = node->as_array();
    const std::size_t wanted = scenario_.names.coordinates.size();
    if (!coordinates_known_) return;  // said already
    if (array == nullptr || array->size() != wanted)
      return report(*node, "force must be a list of " + std::to_string(wanted) + (wanted == 1 ? " expression" : " expressions") + ", one a coordinate" +
                               (array != nullptr ? ", got " + std::to_string(array->size()) : ""));
    for (const toml::node& item : *array)
      if (auto read = formula(item, {.place = "force", .time = true, .coordinates = true, .velocities = true, .history = true}))
        scenario_.force.push_back(std::move(*read));
  }

  void read_contacts(const toml::table& model) {
    const toml::node* node = model.get("contact");
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr || !std::all_of(array->begin(), array->end(), [](const toml::node& item) { return item.is_table(); }))
      return report(*node, "contacts are written as [[model.contact]], one for each");
    for (const toml::node& item : *array) read_contact(*item.as_table());
  }

  void read_contact(const toml::table& table) {
    check_keys(table, {"name", "inside", "friction_angle", "friction", "restitution"}, "in [[model.contact]]");
    Contact contact;
    contact.name = "contact" + std::to_string(scenario_.contacts.size() + 1);
    if (const toml::node* name = table.get("name")) {
      if (const auto text = name->value_exact<std::string>(); text && !text->empty())
        contact.name = *text;
      else
        report(*name, "a contact's name must be a text in quotes, and not empty");
    }
    if (!contact_names_.insert(contact.name).second) report(table, "two contacts are called '" + contact.name + "'");

    if (const toml::node* inside = table.get("inside"))
      read_inside(*inside, contact);
    else
      report(table, "contact '" + contact.name + "' needs inside, for example inside = \"y >= 0\"");

    const toml::node* angle = table.get("friction_angle");
    const toml::node* coefficient = table.get("friction");
    if (angle != nullptr && coefficient != nullptr)
      report(*coefficient, "contact '" + contact.name + "' has friction_angle and friction; give one of them (friction = tan(friction_angle))");
    if (const toml::node* friction = angle != nullptr ? angle : coefficient) {
      contact.friction_law = angle != nullptr ? FrictionLaw::angle : FrictionLaw::coefficient;
      contact.friction = formula(*friction, contact_rule(angle != nullptr ? "friction_angle" : "friction"));
    }
    if (const toml::node* restitution = table.get("restitution")) contact.restitution = formula(*restitution, contact_rule("restitution"));
    scenario_.contacts.push_back(std::move(contact));
  }

  static Allowed contact_rule(const std::string& place) { return {.place = place, .time = true, .coordinates = true, .velocities = true, .history = true}; }

  // lhs <= rhs and rhs >= lhs are both g = lhs - rhs <= 0
  void read_inside(const toml::node& node, Contact& contact) {
    auto inside = formula(node, {.place = "inside", .coordinates = true, .condition = true});
    if (!inside) return;
    using expression::Op;
    const expression::Node& tree = *inside->tree;
    const bool below = tree.op == Op::less_equal || tree.op == Op::less;
    const bool above = tree.op == Op::greater_equal || tree.op == Op::greater;
    if (!below && !above) return report(node, "inside must be one inequality, such as y >= 0 or x^2 + y^2 <= R^2; several walls are several [[model.contact]]");
    const bool moves = expression::any_node(
        inside->tree, [](const expression::Node& n) { return n.op == Op::symbol && n.symbol.kind == expression::Symbol::Kind::coordinate; });
    if (!moves) return report(node, "inside depends on no coordinate, so it bounds nothing");
    contact.g = expression::make_node(Op::subtract, below ? std::vector{tree.args[0], tree.args[1]} : std::vector{tree.args[1], tree.args[0]}, tree.span);
    contact.inside = std::move(*inside);
  }

  void read_start(const toml::table& file) {
    const toml::table* table = find_table(file, "start");
    if (table == nullptr) {
      if (!file.contains("start")) report_missing("the section [start] is missing; it gives every coordinate its past, an expression of t <= 0");
      return;
    }
    if (!coordinates_known_) return;  // said already
    std::vector<std::string> known = scenario_.names.coordinates;
    for (const auto& name : scenario_.names.coordinates) known.push_back("v" + name);
    check_keys(*table, known, "in [start]");
    for (const auto& name : scenario_.names.coordinates) {
      Start start;
      if (const toml::node* past = table->get(name)) {
        if (auto read = formula(*past, {.place = "the past of " + name, .time = true})) start.past = std::move(*read);
      } else {
        report_missing("[start] needs the past of '" + name + "', for example " + name + " = \"0\"");
      }
      if (const toml::node* velocity = table->get("v" + name)) start.velocity = formula(*velocity, {.place = "the start velocity v" + name});
      scenario_.start.push_back(std::move(start));
    }
  }

  void read_time(const toml::table& file) {
    const toml::table* table = find_table(file, "time");
    static const toml::table empty;
    if (table == nullptr) {
      if (file.contains("time")) return;
      table = &empty;
    }
    check_keys(*table, {"end", "step"}, "in [time]");
    const auto end = duration(*table, "end", overrides_.end);
    const auto step = duration(*table, "step", overrides_.step);
    if (!end || !step) return;
    const double ratio = *end / *step;
    const double whole = std::round(ratio);
    if (ratio > static_cast<double>(most_steps))
      return report_time(
          *table, "end / step is " + format_short(ratio) + " steps; at most " + format_count(static_cast<unsigned long long>(most_steps)) + " are possible");
    if (whole < 1 || std::fabs(ratio - whole) > whole_steps_tolerance * std::max(1.0, whole)) {
      const double before = std::max(1.0, std::floor(ratio)), after = before + (ratio < 1 ? 0 : 1);
      std::string nearest = format_short(before * *step, 12);
      if (after > before) nearest += " or " + format_short(after * *step, 12);
      return report_time(*table, "end = " + format_number(*end) + " is not a whole number of steps of " + format_number(*step) + "; nearest: end = " + nearest);
    }
    scenario_.end = *end;
    scenario_.step = *step;
    scenario_.steps = static_cast<std::int64_t>(whole);
  }

  std::optional<double> duration(const toml::table& table, const std::string& key, const std::optional<double>& flag) {
    if (flag) {
      if (*flag > 0 && std::isfinite(*flag)) return flag;
      report_flag("--" + key, key + " must be greater than 0, got " + format_number(*flag));
      return std::nullopt;
    }
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      report_missing("[time] needs " + key + (key == "end" ? ", the time at which a member ends" : ", for example step = 1e-3"));
      return std::nullopt;
    }
    const auto value = number(*node, key);
    if (value && !(*value > 0)) {
      report(*node, key + " must be greater than 0, got " + format_number(*value));
      return std::nullopt;
    }
    return value;
  }

  void report_time(const toml::table& table, std::string message) {
    if (overrides_.step || overrides_.end) return report_flag(overrides_.step ? "--step" : "--end", std::move(message));
    report(*table.get("end"), std::move(message));
  }

  void read_vary(const toml::table& file) {
    const toml::table* table = find_table(file, "vary");
    if (table == nullptr) return;
    for (const Entry& entry : entries_of(*table)) {
      const auto& names = scenario_.names.parameters;
      const auto found = std::find(names.begin(), names.end(), entry.key);
      if (found == names.end()) {
        report(entry, "[vary] names an unknown parameter '" + entry.key + "'" +
                          (hint(entry.key, names).empty() ? "; give it a default in [model.parameters] first" : hint(entry.key, names)));
        continue;
      }
      auto distribution = read_distribution(entry);
      if (fixed_.contains(entry.key)) continue;
      if (!distribution) {
        scenario_.defaults[static_cast<std::size_t>(found - names.begin())] = unknown;
        continue;
      }
      scenario_.vary.push_back({static_cast<int>(found - names.begin()), std::move(*distribution), 0, entry.place});
    }
  }

  std::optional<Distribution> read_distribution(const Entry& entry) {
    static const std::vector<std::string> kinds = {"uniform", "normal", "lognormal", "loguniform", "triangular", "truncated_normal", "choice", "table"};
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1) {
      report(*entry.node, "the variation of '" + entry.key + "' must be one distribution, for example { uniform = [0.1, 0.6] }");
      return std::nullopt;
    }
    const Entry kind = entries_of(*table).front();
    const auto found = std::find(kinds.begin(), kinds.end(), kind.key);
    if (found == kinds.end()) {
      report(kind, "unknown distribution '" + kind.key + "'" + (hint(kind.key, kinds).empty() ? "; known: " + join_words(kinds) : hint(kind.key, kinds)));
      return std::nullopt;
    }
    Distribution distribution;
    distribution.kind = static_cast<DistributionKind>(found - kinds.begin());
    const bool good = distribution.kind == DistributionKind::table ? read_table(*kind.node, distribution) : read_numbers(kind, distribution);
    return good ? std::optional(std::move(distribution)) : std::nullopt;
  }

  bool read_numbers(const Entry& kind, Distribution& distribution) {
    struct Form {
      std::size_t count;
      const char* numbers;
    };
    static const std::map<DistributionKind, Form> forms = {
        {DistributionKind::uniform, {2, "[lower, upper]"}},
        {DistributionKind::normal, {2, "[mean, standard deviation]"}},
        {DistributionKind::lognormal, {2, "[mean, standard deviation] of the logarithm"}},
        {DistributionKind::loguniform, {2, "[lower, upper]"}},
        {DistributionKind::triangular, {3, "[lower, mode, upper]"}},
        {DistributionKind::truncated_normal, {4, "[mean, standard deviation, lower, upper]"}},
        {DistributionKind::choice, {0, "a list of values"}},
    };
    const Form form = forms.at(distribution.kind);
    const toml::array* array = kind.node->as_array();
    const bool fits = array != nullptr && (form.count == 0 ? !array->empty() : array->size() == form.count);
    if (!fits) {
      report(*kind.node, kind.key + " takes " + form.numbers);
      return false;
    }
    for (const toml::node& item : *array) {
      const auto value = number(item, "a number of " + kind.key);
      if (!value) return false;
      distribution.values.push_back(*value);
    }
    const std::string wrong = wrong_numbers(distribution);
    if (!wrong.empty()) report(*kind.node, kind.key + ": " + wrong);
    return wrong.empty();
  }

  // What is wrong with a distribution's numbers; empty if nothing.
  static std::string wrong_numbers(const Distribution& d) {
    const auto& x = d.values;
    const auto ordered = [](double lower, double upper) {
      return lower < upper ? std::string() : "lower must be less than upper, got " + format_number(lower) + " and " + format_number(upper);
    };
    const auto positive = [](double sd) { return sd > 0 ? std::string() : "the standard deviation must be greater than 0, got " + format_number(sd); };
    switch (d.kind) {
      case DistributionKind::uniform: return ordered(x[0], x[1]);
      case DistributionKind::normal:
      case DistributionKind::lognormal: {
        if (const std::string wrong = positive(x[1]); !wrong.empty()) return wrong;
        constexpr double far = 9;  // standard deviations: a draw of 53 bits reaches 8.3
        const double largest = d.kind == DistributionKind::normal ? std::numeric_limits<double>::max() : 709;  // log(1.8e308)
        const bool fits = x[0] + far * x[1] <= largest && (d.kind == DistributionKind::lognormal || x[0] - far * x[1] >= -largest);
        return fits ? std::string() : "draws would leave the range of numbers, 1.8e308: nine standard deviations from the mean must lie inside";
      }
      case DistributionKind::loguniform: return x[0] > 0 ? ordered(x[0], x[1]) : "lower must be greater than 0, got " + format_number(x[0]);
      case DistributionKind::triangular:
        if (!(x[0] <= x[1] && x[1] <= x[2]))
          return "lower <= mode <= upper must hold, got " + format_number(x[0]) + ", " + format_number(x[1]) + ", " + format_number(x[2]);
        return ordered(x[0], x[2]);
      case DistributionKind::truncated_normal: {
        if (const std::string wrong = positive(x[1]); !wrong.empty()) return wrong;
        if (const std::string wrong = ordered(x[2], x[3]); !wrong.empty()) return wrong;
        constexpr double far = 37;  // beyond so many standard deviations a double holds no probability
        const bool empty = (x[2] - x[0]) / x[1] > far || (x[3] - x[0]) / x[1] < -far;
        return empty ? "the interval lies more than 37 standard deviations from the mean; nothing is left of the distribution" : std::string();
      }
      default: return {};
    }
  }

  // "file.csv:column", the file beside the scenario
  bool read_table(const toml::node& node, Distribution& distribution) {
    const auto text = node.value_exact<std::string>();
    const std::size_t colon = text ? text->rfind(':') : std::string::npos;
    if (colon == std::string::npos || colon == 0 || colon + 1 == text->size()) {
      report(node, "table takes \"file.csv:column\"");
      return false;
    }
    distribution.table = *text;
    const std::filesystem::path file = std::filesystem::path(source_.name).parent_path() / text->substr(0, colon);
    distribution.table_path = file.string();
    try {
      auto table = std::find_if(tables_.begin(), tables_.end(), [&](const Table& read) { return read.file == file; });
      if (table == tables_.end()) table = tables_.insert(table, load_table(file));
      distribution.table_bytes = table->bytes;
      distribution.values = read_column(*table, text->substr(colon + 1));
    } catch (const InputError& error) {
      report(node, error.what());
      return false;
    }
    return true;
  }

  void read_ensemble(const toml::table& file) {
    const toml::table* table = find_table(file, "ensemble");
    static const toml::table empty;
    if (table == nullptr) table = &empty;
    check_keys(*table, {"members", "seed", "sampler", "levels"}, "in [ensemble]");
    Ensemble& ensemble = scenario_.ensemble;
    read_sampler(*table);
    if (overrides_.seed)
      ensemble.seed = *overrides_.seed;
    else if (const toml::node* node = table->get("seed"))
      ensemble.seed = static_cast<std::uint64_t>(whole_number(*node, "seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(1));

    std::optional<std::int64_t> asked;
    if (const toml::node* node = table->get("members")) asked = whole_number(*node, "members", 1, most_members);
    if (overrides_.members) asked = overrides_.members;
    if (overrides_.members && (*asked < 1 || *asked > most_members))
      report_flag("--members", "members must be a whole number between 1 and " + std::to_string(most_members));
    if (ensemble.sampler == Sampler::grid) return read_levels(*table, asked);
    if (const toml::node* levels = table->get("levels")) report(*levels, "levels belong to sampler = \"grid\"");
    ensemble.members = asked.value_or(1);
    for (const Variation& variation : scenario_.vary) {
      const Distribution& d = variation.distribution;
      if (d.kind == DistributionKind::table && static_cast<std::int64_t>(d.values.size()) < ensemble.members)
        report(variation.place, static_cast<int>(parameter_name(variation).size()),
               "the table " + d.table + " has " + std::to_string(d.values.size()) + " rows for " + std::to_string(ensemble.members) +
                   " members; a row is a member, so ask for fewer members or add rows");
    }
  }

  void read_sampler(const toml::table& table) {
    const toml::node* node = table.get("sampler");
    if (node == nullptr) return;
    const std::vector<std::string> names = {"random", "latin", "sobol", "grid"};
    const auto text = node->value_exact<std::string>();
    if (!text) return report(*node, "sampler must be a text in quotes: " + join_words(names, "or"));
    const auto found = std::find(names.begin(), names.end(), *text);
    if (found == names.end())
      return report(*node, "unknown sampler '" + *text + "'" + (hint(*text, names).empty() ? "; known: " + join_words(names) : hint(*text, names)));
    scenario_.ensemble.sampler = static_cast<Sampler>(found - names.begin());
    if (scenario_.ensemble.sampler == Sampler::sobol && scenario_.vary.size() > sampling::SobolSequence::most_axes)
      report(*node, "sobol points have at most " + std::to_string(sampling::SobolSequence::most_axes) + " axes, and " + std::to_string(scenario_.vary.size()) +
                        " parameters vary; use \"latin\" or \"random\"");
  }

  void read_levels(const toml::table& ensemble, std::optional<std::int64_t> asked) {
    const toml::table* levels = find_table(ensemble, "levels", "levels = { alpha = 20, tau = 10 }");
    static const toml::table empty;
    if (levels == nullptr) levels = &empty;
    std::vector<std::string> varied;
    for (const Variation& variation : scenario_.vary) varied.push_back(parameter_name(variation));
    for (const Entry& entry : entries_of(*levels))
      if (std::find(varied.begin(), varied.end(), entry.key) == varied.end() && !fixed_.contains(entry.key))
        report(entry, "levels names '" + entry.key + "', which does not vary" + hint(entry.key, varied));

    double product = 1;
    const std::size_t before = problems_.size();
    for (Variation& variation : scenario_.vary) {
      const std::string& name = parameter_name(variation);
      const Distribution& d = variation.distribution;
      if (d.kind == DistributionKind::table)
        report(variation.place, static_cast<int>(name.size()), "a table has one row a member and cannot be part of a grid; list its values as a choice");
      if (const toml::node* node = levels->get(name))
        variation.levels = whole_number(*node, "levels of '" + name + "'", 1, most_members).value_or(1);
      else if (d.kind == DistributionKind::choice)
        variation.levels = static_cast<std::int64_t>(d.values.size());
      else
        report(variation.place, static_cast<int>(name.size()),
               "the grid needs levels for '" + name + "', for example levels = { " + name + " = 20 } in [ensemble]");
      product *= static_cast<double>(std::max<std::int64_t>(1, variation.levels));
    }
    if (problems_.size() > before) return;  // levels that are not known have no product
    if (product > static_cast<double>(most_members)) return report_missing("the grid has " + format_short(product) + " members; take fewer levels");
    scenario_.ensemble.members = static_cast<std::int64_t>(product);
    // a --set takes an axis out of the grid, and the file's number with it
    const bool smaller = !overrides_.members && std::any_of(fixed_.begin(), fixed_.end(), [&](const std::string& name) { return levels->contains(name); });
    if (asked && *asked != scenario_.ensemble.members && !smaller) {
      const std::string message = "the grid has " + std::to_string(scenario_.ensemble.members) + (scenario_.ensemble.members == 1 ? " member" : " members") +
                                  " (the product of its levels), not " + std::to_string(*asked) + "; leave members out or change levels";
      overrides_.members ? report_flag("--members", message) : report(*ensemble.get("members"), message);
    }
  }

  // name = { other = correlation, … }
  void read_correlation(const toml::table& file) {
    const toml::table* table = find_table(file, "correlation");
    if (table == nullptr || table->empty()) return;
    const auto sections = entries_of(file);
    const Entry& section = *std::find_if(sections.begin(), sections.end(), [](const Entry& entry) { return entry.key == "correlation"; });
    if (scenario_.ensemble.sampler == Sampler::grid)
      return report(section, "a grid is all combinations of its levels and cannot be correlated; use sampler = \"random\", \"latin\" or \"sobol\"");

    const std::size_t before = problems_.size();
    const toml::node* varied = file.get("vary");
    std::map<std::pair<std::string, std::string>, Place> given;  // a pair in alphabetical order
    for (const Entry& entry : entries_of(*table)) {
      const bool known = may_be_correlated(entry, varied);
      const toml::table* others = entry.node->as_table();
      if (others == nullptr) {
        report(*entry.node, "the correlations of '" + entry.key + "' must be a table, for example { other = 0.5 }");
        continue;
      }
      for (const Entry& other : entries_of(*others)) {
        if (other.key == entry.key) {
          report(other, "the correlation of '" + entry.key + "' with itself is 1; leave it out");
          continue;
        }
        const auto [earlier, fresh] = given.try_emplace(std::minmax(entry.key, other.key), other.place);
        if (!fresh)
          report(other, "the correlation of '" + entry.key + "' and '" + other.key + "' stands in line " + std::to_string(earlier->second.line) +
                            " already; give each pair once");
        const bool both_known = may_be_correlated(other, varied) && known;
        const auto value = number(*other.node, "a correlation");
        if (value && !(std::fabs(*value) < 1))
          report(*other.node,
                 "the correlation of '" + entry.key + "' and '" + other.key + "' must lie between -1 and 1, both excluded, got " + format_number(*value));
        // --set takes a parameter out of the ensemble, and its correlations with it
        const auto first = find_variation(entry.key), second = find_variation(other.key);
        if (both_known && value && first != scenario_.vary.end() && second != scenario_.vary.end())
          scenario_.correlation.push_back({first->parameter, second->parameter, *value});
      }
    }
    if (problems_.size() == before) check_correlation(section);
  }

  // A parameter that [vary] names, and not by a table.
  bool may_be_correlated(const Entry& entry, const toml::node* varied) {
    const auto& names = scenario_.names.parameters;
    const toml::table* variations = varied == nullptr ? nullptr : varied->as_table();
    if (variations == nullptr || !variations->contains(entry.key)) {
      std::vector<std::string> varying;
      if (variations != nullptr && !is_full())
        for (const Entry& variation : entries_of(*variations)) varying.push_back(variation.key);
      if (std::find(names.begin(), names.end(), entry.key) == names.end())
        report(entry, "[correlation] names an unknown parameter '" + entry.key + "'" +
                          (hint(entry.key, varying).empty() ? "; parameters that vary are in [vary]" : hint(entry.key, varying)));
      else
        report(entry, "[correlation] names '" + entry.key + "', which does not vary; give it a distribution in [vary] or leave it out");
      return false;
    }
    const auto variation = find_variation(entry.key);
    const bool table = variation != scenario_.vary.end() && variation->distribution.kind == DistributionKind::table;
    if (table) report(entry, "'" + entry.key + "' comes from a table, whose rows are taken as they are; correlate it there and leave it out here");
    return !table;
  }

  void check_correlation(const Entry& section) {
    const auto matrix = sampling::gather_correlations(scenario_).matrix;
    const double eigenvalue = sampling::smallest_eigenvalue(matrix);
    if (eigenvalue >= sampling::least_eigenvalue) return;
    const bool singular = std::fabs(eigenvalue) < sampling::least_eigenvalue;
    // the eigenvalues of 1 + s (R - 1) are 1 + s (those of R - 1)
    const double enough = std::floor(100 / (1 - eigenvalue) - 1e-9) / 100;
    report(section, "these correlations cannot hold together: the smallest eigenvalue of their matrix is " + format_short(singular ? 0 : eigenvalue, 3) +
                        " and must be greater than 0; take all of them times " + format_short(enough) +
                        " or less, or give pairs that were left out (they count as 0)");
  }

  std::vector<Variation>::const_iterator find_variation(const std::string& name) const {
    return std::find_if(scenario_.vary.begin(), scenario_.vary.end(), [&](const Variation& variation) { return parameter_name(variation) == name; });
  }

  const std::string& parameter_name(const Variation& variation) const { return scenario_.names.parameters[static_cast<std::size_t>(variation.parameter)]; }

  void read_observe(const toml::table& file) {
    std::vector<std::string> standard_names;
    for (int i = 0; i < standard_count; ++i) standard_names.emplace_back(to_name(static_cast<Standard>(i)));
    const toml::table* table = find_table(file, "observe");
    if (table == nullptr || !table->contains("standard"))
      for (int i = 0; i < standard_count; ++i) scenario_.standard.push_back(static_cast<Standard>(i));
    if (table == nullptr) return;
    if (!limit_count(*table, table->size() - (table->contains("standard") ? 1 : 0), most_observables, "observables")) return;
    for (const Entry& entry : entries_of(*table)) {
      if (entry.key == "standard")
        read_standard(*entry.node, standard_names);
      else
        read_observable(entry, standard_names);
    }
  }

  void read_standard(const toml::node& node, const std::vector<std::string>& names) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return report(node, "standard must be a list of standard quantities: " + join_words(names) + "; [] for none");
    std::set<Standard> wanted;
    for (const toml::node& item : *array) {
      const std::string name = item.value_exact<std::string>().value_or("");
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) {
        report(item, "unknown standard quantity '" + name + "'" + (hint(name, names).empty() ? "; known: " + join_words(names) : hint(name, names)));
        continue;
      }
      wanted.insert(static_cast<Standard>(found - names.begin()));
    }
    scenario_.standard.assign(wanted.begin(), wanted.end());
  }

  void read_observable(const Entry& entry, const std::vector<std::string>& standard_names) {
    static const std::vector<std::string> reducers = {"final", "min", "max", "mean", "integral", "first_time", "last_time", "count"};
    if (!is_identifier(entry.key)) return report(entry, "'" + entry.key + "' cannot name an observable: a letter, then letters, digits and underscores");
    if (std::find(standard_names.begin(), standard_names.end(), entry.key) != standard_names.end())
      return report(entry, "'" + entry.key + "' is a standard quantity; choose another name");
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1)
      return report(*entry.node, "the observable '" + entry.key + "' must be one reducer with an expression, for example { max = \"x\" }");
    const Entry reducer = entries_of(*table).front();
    const auto found = std::find(reducers.begin(), reducers.end(), reducer.key);
    if (found == reducers.end())
      return report(reducer, "unknown reducer '" + reducer.key + "'" +
                                 (hint(reducer.key, reducers).empty() ? "; known: " + join_words(reducers) : hint(reducer.key, reducers)));
    Observable observable;
    observable.name = entry.key;
    observable.reducer = static_cast<Reducer>(found - reducers.begin());
    const Allowed allowed = {
        .place = reducer.key, .time = true, .coordinates = true, .velocities = true, .history = true, .condition = takes_condition(observable.reducer)};
    if (auto read = formula(*reducer.node, allowed)) {
      observable.formula = std::move(*read);
      scenario_.observables.push_back(std::move(observable));
    }
  }

  void read_record(const toml::table& file) {
    const toml::table* table = find_table(file, "record");
    if (table == nullptr) return;
    check_keys(*table, {"members", "every"}, "in [record]");
    Record& record = scenario_.record;
    if (const toml::node* node = table->get("members")) record.members = whole_number(*node, "members in [record]", 0, most_members).value_or(0);
    if (const toml::node* node = table->get("every")) record.every = whole_number(*node, "every in [record]", 1, most_steps).value_or(1);
  }

  const Overrides& overrides_;
  Scenario scenario_;
  std::map<std::string, std::string> roles_;  // every name taken, and what it is
  std::set<std::string> contact_names_;
  std::set<std::string> fixed_;     // parameters given by --set
  bool coordinates_known_ = false;  // all of them, so that other names can be judged
  std::vector<Table> tables_;       // each file read once
};

}  // namespace

Source load_source(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw InputError(path.string() + " is a folder; give a scenario file (*.toml)");
  constexpr std::size_t largest = 4 << 20;
  auto text = read_at_most(path, largest);
  if (!text) throw InputError(path.string() + " has more than 4 MB; this is no scenario");
  if (text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);  // a byte order mark
  return {path.string(), std::move(*text)};
}

std::optional<Scenario> read_scenario(const Source& source, const Overrides& overrides, Problems& problems) {
  Reader reader(source, overrides, problems);
  auto scenario = reader.read();
  // in the order of the file, what has no place first
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column); });
  if (const std::int64_t more = reader.unsaid(); more > 0)
    problems.push_back(
        {Severity::error, source.name, {}, 1, {}, "and " + format_count(static_cast<unsigned long long>(more)) + " more problems, which are not shown"});
  return scenario;
}

}  // namespace conesweep::scenario
