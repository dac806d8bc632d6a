#include "scenario/reading/section.hpp"

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
    if (const toml::node* node = table->get("members")) record.members = whole_number(*node, "members in [record]", 0, most_members).value_or(0);
    if (const toml::node* node = table->get("every")) record.every = whole_number(*node, "every in [record]", 1, most_steps).value_or(1);
  }
};

}  // namespace

void read_record(const toml::table& file, Reading& reading) { RecordSection(reading).read_record(file); }

}  // namespace conesweep::scenario
