#include <algorithm>
#include <cmath>

#include "scenario/reading/section.hpp"
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
    check_keys(*table, {"end", "step", "stop", "impacts"}, "in [time]");
    if (const toml::node* stop = table->get("stop"))
      scenario_.stop = formula(
          *stop,
          {.place = "stop", .time = true, .coordinates = true, .velocities = true, .history = true, .condition = true});
    read_impacts(*table);
    const auto end = duration(*table, "end", overrides_.end);
    const auto step = duration(*table, "step", overrides_.step);
    if (!end || !step) return;
    const double ratio = *end / *step;
    const double whole = std::round(ratio);
    if (ratio > static_cast<double>(most_steps))
      return report_time(*table, "end / step is " + format_short(ratio) + " steps; at most " +
                                     format_count(static_cast<unsigned long long>(most_steps)) + " are possible");
    if (whole < 1 || std::fabs(ratio - whole) > whole_steps_tolerance * std::max(1.0, whole)) {
      const double before = std::max(1.0, std::floor(ratio)), after = before + (ratio < 1 ? 0 : 1);
      std::string nearest = format_short(before * *step, 12);
      if (after > before) nearest += " or " + format_short(after * *step, 12);
      // an end that is meant as it is written: then the step follows it
      const toml::node* written = overrides_.end ? nullptr : table->get("end");
      if (written != nullptr && written->is_string())
        nearest += ", or step = \"(" + *written->value_exact<std::string>() + ")/" +
                   format_short(std::max(1.0, whole), 12) + "\"";
      return report_time(*table, "end = " + format_number(*end) + " is not a whole number of steps of " +
                                     format_number(*step) + "; nearest: end = " + nearest);
    }
    scenario_.end = *end;
    scenario_.step = *step;
    scenario_.steps = static_cast<std::int64_t>(whole);
  }

 private:
  void read_impacts(const toml::table& table) {
    const toml::node* node = table.get("impacts");
    if (node == nullptr) return;
    const auto name = node->value_exact<std::string>();
    if (!name) return report(*node, "impacts must be a text in quotes: " + join_words(impacts_places.names(), "or"));
    const auto found = choose(impacts_places, *name, "impacts", *node);
    if (!found) return;
    const auto& laws = scenario_.names.about_laws;
    const bool touches = std::any_of(laws.begin(), laws.end(),
                                     [](const auto& law) { return law.kind == expression::Law::Kind::contact; });
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
