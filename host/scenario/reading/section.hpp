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

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // a value that was not understood: nothing follows from it

/// One file while it is read: what came in, what has been understood so far, and what a section tells those after it.
struct Reading {
  const Source& source;
  const Overrides& overrides;
  Problems& problems;
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
  /// An expression: a string, or a plain number.
  std::optional<Formula> read_expression(const toml::node& node, const expression::Allowed& allowed);

  /// One that is met by for_each_formula.
  std::optional<Formula> formula(const toml::node& node, const expression::Allowed& allowed);

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
  std::vector<expression::Fault> parse(Formula& formula, const expression::Allowed& allowed) const;
  bool limit_nodes(const Formula& formula, const toml::node& node);
  void report_fault(const Formula& formula, const toml::node& node, const expression::Fault& fault);
};

// The sections of a file, each in its own source file. They go by what they need of each other: names first, [vary] before [ensemble] (a grid's
// levels need the variations), [ensemble] before [correlation].
void read_model(const toml::table& file, Reading& reading);
void read_definitions(const toml::table& model, Reading& reading);
void read_contacts(const toml::table& model, Reading& reading);
void read_start(const toml::table& file, Reading& reading);
void read_time(const toml::table& file, Reading& reading);
void read_vary(const toml::table& file, Reading& reading);
void read_ensemble(const toml::table& file, Reading& reading);
void read_correlation(const toml::table& file, Reading& reading);
void read_observe(const toml::table& file, Reading& reading);
void read_record(const toml::table& file, Reading& reading);

}  // namespace conesweep::scenario
