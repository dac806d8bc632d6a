#include <algorithm>
#include <cmath>

#include "scenario/islands.hpp"
#include "scenario/reading/section.hpp"
#include "scenario/refine.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

class TimeSection : private Section {
 public:
  using Section::Section;

  void read_time(const toml::table& file) {
    scenario_.steps = 0;  // until they are understood
    const toml::table* table = find_table(file, "time");
    static const toml::table empty;
    if (table == nullptr) {
      if (file.contains("time")) return;
      table = &empty;
    }
    check_keys(*table, {"end", "step", "stop", "order", "impacts"}, "in [time]");
    if (const toml::node* stop = table->get("stop"))
      scenario_.stop = formula(
          *stop,
          {.place = "stop", .time = true, .coordinates = true, .velocities = true, .history = true, .condition = true});
    read_impacts(*table);
    read_order(*table);
    const auto end = duration(*table, "end", overrides_.end);
    const auto step = duration(*table, "step", overrides_.step);
    if (!end || !step) return;
    const double ratio = *end / *step, whole = std::round(ratio);
    if (std::string wrong = find_fault_of_steps(*end, *step); !wrong.empty()) {
      // an end that is meant as it is written: then the step follows it
      const toml::node* written = overrides_.end ? nullptr : table->get("end");
      if (written != nullptr && written->is_string() && ratio <= static_cast<double>(most_steps))
        wrong += ", or step = \"(" + *written->value_exact<std::string>() + ")/" +
                 format_short(std::max(1.0, whole), 12) + "\"";
      return report_time(*table, std::move(wrong));
    }
    scenario_.end = *end;
    scenario_.step = *step;
    scenario_.steps = static_cast<std::int64_t>(whole);
  }

 private:
  void read_order(const toml::table& table) {
    const toml::node* node = table.get("order");
    if (node == nullptr) return;
    const auto order = node->value_exact<std::int64_t>();
    if (!order || (*order != 1 && *order != 2))
      return report(*node, "order must be 1, the scheme as it was published, or 2, its step of second order");
    if (*order == 1) return;
    if (scenario_.impacts == Impacts::located)
      return report(*node, "order = 2 locates impacts by itself; leave impacts out");
    if (is_coupled(scenario_))
      return report(*node,
                    "order = 2 is there for particles: contacts without point, slip, cohesion and persistent, and no "
                    "mass, bilateral or resistance; leave order out");
    scenario_.order = 2;
  }

  void read_impacts(const toml::table& table) {
    const toml::node* node = table.get("impacts");
    if (node == nullptr) return;
    const auto name = node->value_exact<std::string>();
    if (!name) return report(*node, "impacts must be a text in quotes: " + join_words(impacts_places.names(), "or"));
    const auto found = choose(impacts_places, *name, "impacts", *node);
    if (!found) return;
    const auto& laws = scenario_.names.about_laws;
    const bool touches = std::any_of(laws.begin(), laws.end(),
                                     [](const auto& law) { return law.kind == expression::NamedLaw::Kind::contact; });
    if (*found == Impacts::located && !touches)
      return report(*node,
                    "impacts = \"located\" needs a contact: what arrives is located at a wall; add a "
                    "[[model.contact]], or leave impacts out");
    scenario_.impacts = *found;
  }

  std::optional<double> duration(const toml::table& table, const std::string& key, const std::optional<double>& flag) {
    if (flag) {
      if (*flag > 0 && std::isfinite(*flag)) return flag;
      report_setting(key == "end" ? setting::end : setting::step,
                     key + " must be greater than 0, got " + format_number(*flag));
      return std::nullopt;
    }
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      report_missing("[time] needs " + key +
                     (key == "end" ? ", the time at which a member ends" : ", for example step = 1e-3"));
      return std::nullopt;
    }
    const auto value = fixed_number(*node, key);
    if (value && !(*value > 0)) {
      report(*node, key + " must be greater than 0, got " + format_number(*value));
      return std::nullopt;
    }
    return value;
  }

  void report_time(const toml::table& table, std::string message) {
    if (overrides_.step || overrides_.end)
      return report_setting(overrides_.step ? setting::step : setting::end, std::move(message));
    report(*table.get("end"), std::move(message));
  }
};

}  // namespace

void read_time(const toml::table& file, Reading& reading) { TimeSection(reading).read_time(file); }

}  // namespace conesweep::scenario
