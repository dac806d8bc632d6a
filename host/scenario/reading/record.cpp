#include <cmath>

#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

class RecordSection : private Section {
 public:
  using Section::Section;

  void read_record(const toml::table& file) {
    const toml::table* table = find_table(file, "record");
    if (table == nullptr) return;
    check_keys(*table, {"members", "every"}, "in [record]");
    Record& record = scenario_.record;
    if (const toml::node* node = table->get("members"))
      record.members = whole_number(*node, "members in [record]", 0, most_members).value_or(0);
    if (const toml::node* node = table->get("every")) record.every = read_every(*node).value_or(1);
  }

 private:
  // a number of steps
  std::optional<std::int64_t> read_every(const toml::node& node) {
    const std::string what = "every in [record]";
    if (!node.is_string()) return whole_number(node, what, 1, most_steps);
    const auto value = fixed_number(node, what);
    if (!value) return std::nullopt;
    const double whole = std::round(*value);
    if (whole >= 1 && whole <= static_cast<double>(most_steps) &&
        std::fabs(*value - whole) <= whole_steps_tolerance * whole)
      return static_cast<std::int64_t>(whole);
    report(node, what + " must be a whole number of steps between 1 and " + std::to_string(most_steps) + ", got " +
                     format_number(*value));
    return std::nullopt;
  }
};

}  // namespace

void read_record(const toml::table& file, Reading& reading) { RecordSection(reading).read_record(file); }

}  // namespace conesweep::scenario
