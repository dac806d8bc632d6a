#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expression/parser.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/reader.hpp"
#include "scenario/reading/toml_reader.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::scenario {

// a value that was not understood: nothing follows from it
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// One file while it is read: what came in, what has been understood so far, and what a section tells those after it.
struct Reading {
  const Source& source;
  const Overrides& overrides;
  Faults& problems;
  std::int64_t unsaid = 0;  // problems that are not told
  Scenario scenario = {};
  std::size_t formulas = 0;          // that were understood
  std::int64_t nodes = 0;            // of all trees
  std::set<std::string> fixed = {};  // parameters given by --set
  bool coordinates_known = false;    // all of them, so that other names can be judged
};

/// What every section of the file is read with.
class Section : protected TomlReader {
 public:
  explicit Section(Reading& reading)
      : TomlReader(reading.source, reading.problems, reading.unsaid),
        reading_(reading),
        overrides_(reading.overrides),
        scenario_(reading.scenario),
        fixed_(reading.fixed),
        coordinates_known_(reading.coordinates_known) {}

 protected:
  /// An expression: a string, or a plain number. Of the scenario's names, or of others.
  std::optional<Formula> read_expression(const toml::node& node, const expression::Allowed& allowed) {
    return read_expression(node, allowed, scenario_.names);
  }
  std::optional<Formula> read_expression(const toml::node& node, const expression::Allowed& allowed,
                                         const expression::Names& names);

  /// One that is met by for_each_formula.
  std::optional<Formula> formula(const toml::node& node, const expression::Allowed& allowed);

  /// One expression each of a list of `least` to `most`; `one` says what an entry is. Those that were not understood
  /// are left out.
  struct ListRule {
    std::size_t least, most;
    std::string one;
  };
  std::vector<Formula> formulas(const toml::node& node, const ListRule& rule, const expression::Allowed& allowed);

  /// Something wrong inside a formula's text.
  void report_fault(const Formula& formula, const toml::node& node, const expression::Fault& fault);

  /// A number of the file that is the same for all members: written as one, or as an expression of parameters that are
  /// neither varied nor swept.
  std::optional<double> fixed_number(const toml::node& node, const std::string& what);

  /// Too many to compile: one sentence, not one for each.
  bool limit_count(const toml::table& table, std::size_t count, std::int64_t most, const std::string& what);

  std::vector<Variation>::const_iterator find_variation(const std::string& name) const;
  const std::string& parameter_name(const Variation& variation) const;

  Reading& reading_;
  const Overrides& overrides_;
  Scenario& scenario_;
  std::set<std::string>& fixed_;
  bool& coordinates_known_;

 private:
  /// Reads the text of `formula` into its tree.
  static std::vector<expression::Fault> parse(Formula& formula, const expression::Allowed& allowed,
                                              const expression::Names& names);
  bool limit_nodes(const Formula& formula, const toml::node& node);
};

// The sections of a file, each in its own source file. They go by what they need of each other: names first, [vary]
// before [ensemble] (a grid's levels need the variations), [ensemble] before [correlation], [vary] and [sweep] before
// [time] (which parameters are the same for all members?).
void read_model(const toml::table& file, Reading& reading);
void read_computed(const toml::table& model, Reading& reading);
void read_definitions(const toml::table& model, Reading& reading);
void read_mass(const toml::table& model, Reading& reading);
void name_laws(const toml::table& model, Reading& reading);  // before any formula is read: all may name them
void read_laws(const toml::table& model, Reading& reading);
void check_law_sizes(const toml::table& file, Reading& reading);  // when all is read
void read_contacts(const toml::table& model, Reading& reading);
void read_bilaterals(const toml::table& model, Reading& reading);
void read_resistances(const toml::table& model, Reading& reading);
void read_start(const toml::table& file, Reading& reading);
void read_vary(const toml::table& file, Reading& reading);
void read_ensemble(const toml::table& file, Reading& reading);
void read_sweep(const toml::table& file, Reading& reading);  // after [ensemble]: members become rows
void read_time(const toml::table& file, Reading& reading);
void read_correlation(const toml::table& file, Reading& reading);
void read_observe(const toml::table& file, Reading& reading);
void read_classes(const toml::table& file, Reading& reading);
void read_record(const toml::table& file, Reading& reading);
void read_units(const toml::table& file, Reading& reading);  // after [observe]: observables have units, too

}  // namespace conesweep::scenario
