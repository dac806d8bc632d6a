#include "scenario/reading/reader.hpp"

#include <algorithm>
#include <cmath>

#include "expression/evaluate.hpp"
#include "expression/parser.hpp"
#include "expression/still_world.hpp"
#include "scenario/formulas.hpp"
#include "scenario/reading/check.hpp"
#include "scenario/reading/section.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::scenario {
namespace {

/// The file as a whole: TOML, the sections' names, the title; then section by section.
class Document : private Section {
 public:
  using Section::Section;

  void read() {
    toml::table file;
    if (const Unreadable found = find_unreadable(source_.text); found.place.line > 0)
      return report(found.place, 1, found.message);
    try {
      file = toml::parse(source_.text, source_.name);
    } catch (const toml::parse_error& error) {
      return report(to_place(error.source().begin), 1, "not valid TOML: " + std::string(error.description()));
    }
    check_keys(file,
               {"title", "model", "start", "time", "ensemble", "vary", "sweep", "correlation", "observe", "classes",
                "record", "units"},
               "at the top level");
    read_title(file);
    for (const auto read_section :
         {read_model, read_start, read_vary, read_ensemble, read_sweep, read_time, read_correlation, read_observe,
          read_classes, read_record, read_units, check_law_sizes})
      read_section(file, reading_);
    // values are judged where they have been understood, whatever is wrong elsewhere
    check_ranges(scenario_, source_, problems_);
  }

 private:
  void read_title(const toml::table& file) {
    scenario_.title = visible(std::filesystem::path(source_.name).stem().string());  // a name may be any bytes
    if (const toml::node* node = file.get("title")) {
      if (const auto text = node->value_exact<std::string>())
        scenario_.title = *text;
      else
        report(*node, "title must be a text in quotes");
    }
  }
};

}  // namespace

Source load_source(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(path.string() + " is a folder; give a scenario file (*.toml)");
  constexpr std::size_t largest = 4 << 20;
  auto text = read_at_most(path, largest);
  if (!text) throw InputError(path.string() + " has more than 4 MB; this is no scenario");
  if (text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);  // a byte order mark
  return {path.string(), std::move(*text)};
}

std::optional<double> compute_number(const std::string& text) {
  static const std::vector<double> none;
  std::vector<expression::Fault> ignored;
  const expression::Expr tree = expression::parse(text, {}, ignored);
  const auto is_name = [](const expression::Node& node) {
    return node.op == expression::Op::symbol || expression::is_history(node.op);
  };
  if (tree == nullptr || tree->condition || expression::any_node(tree, is_name)) return std::nullopt;
  const double value = expression::evaluate<double>(tree, expression::StillWorld<double>{none});
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<Scenario> read_scenario(const Source& source, const Overrides& overrides, Faults& problems) {
  Reading reading{source, overrides, problems};
  Document(reading).read();
  const bool wrong = has_errors(problems);
  CS_ASSERT(wrong || count_formulas(reading.scenario) == reading.formulas);  // the walk knows all that was read
  // in the order of the file, what has no place first
  std::stable_sort(problems.begin(), problems.end(), [](const Fault& a, const Fault& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  if (reading.unsaid > 0)
    problems.push_back({Severity::error,
                        source.name,
                        {},
                        1,
                        {},
                        "and " + format_count(static_cast<unsigned long long>(reading.unsaid)) +
                            " more problems, which are not shown"});
  return wrong ? std::nullopt : std::optional(std::move(reading.scenario));
}

}  // namespace conesweep::scenario
