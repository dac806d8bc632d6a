#include "conesweep/changes.hpp"

#include <algorithm>
#include <cmath>

#include "api/scenario_parts.hpp"
#include "scenario/reading/edit.hpp"
#include "support/text.hpp"

namespace conesweep {
namespace {

using scenario::Overrides;

template <class... Cases>
struct Either : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Either(Cases...) -> Either<Cases...>;

// a number that stays one with a point: 5 is 5.0
std::string write_number(double value) {
  std::string text = format_number(value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

void forget(auto& list, const std::string& name) {
  std::erase_if(list, [&](const auto& one) { return one.first == name; });
}

// what a key of the text says now counts, and no setting made before it
void forget(Overrides& overrides, const std::vector<std::string>& key) {
  const auto is = [&](const char* section, const char* name) {
    return key[0] == section && (key.size() == 1 || key[1] == name);
  };
  if (is("ensemble", "members")) overrides.members.reset();
  if (is("ensemble", "seed")) overrides.seed.reset();
  if (is("ensemble", "keep")) overrides.keep.reset();
  if (is("time", "step")) overrides.step.reset();
  if (is("time", "end")) overrides.end.reset();
  const bool differs = key[0] == "vary" || key[0] == "sweep";
  if (is("model", "parameters") || differs) {
    const std::size_t names = differs ? 1 : 2;
    if (key.size() <= names) {
      overrides.set.clear();
      if (differs) overrides.vary.clear();
    } else {
      forget(overrides.set, key[names]);
      if (differs) forget(overrides.vary, key[names]);
    }
  }
}

std::vector<std::string> longer(std::vector<std::string> key, const std::string& part) {
  key.push_back(part);
  return key;
}

const Value::Table* as_table(const Value& value) { return std::get_if<Value::Table>(&value.held()); }

/// Makes changes of a text, and of what overrides it.
class Changing {
 public:
  Changing(std::string& text, Overrides& overrides) : text_(text), overrides_(overrides) {}

  void operator()(const Changes::Setting& setting) {
    const auto number = [&] { return std::get<std::int64_t>(setting.value.held()); };
    const auto length = [&] { return api::finite(setting.name, std::get<double>(setting.value.held())); };
    if (setting.name == "members") overrides_.members = number();
    if (setting.name == "seed") overrides_.seed = static_cast<std::uint64_t>(number());
    if (setting.name == "step") overrides_.step = length();
    if (setting.name == "end") overrides_.end = length();
    if (setting.name != "keep") return;
    const auto& what = std::get<std::string>(setting.value.held());
    overrides_.keep = scenario::keeps.find(what);
    if (!overrides_.keep)
      throw InputError(about(setting::keep) + "'" + what + "' is not known; " + join_words(scenario::keeps.names()) +
                       " are");
  }

  void operator()(const Changes::Set& set) {
    forget(overrides_.vary, set.name);
    forget(overrides_.set, set.name);
    overrides_.set.emplace_back(set.name, api::finite("set " + set.name, set.value));
  }

  void operator()(const Changes::Vary& vary) {
    forget(overrides_.set, vary.name);
    forget(overrides_.vary, vary.name);
    std::string text = vary.distribution.kind;
    for (const double number : vary.distribution.numbers) text += ":" + format_number(number);
    overrides_.vary.emplace_back(vary.name, text);
  }

  void operator()(const Changes::Edit& edit) {
    const auto key = scenario::split_key(edit.key);
    forget(overrides_, key);
    if (edit.value)
      write(key, *edit.value);
    else
      text_ = scenario::erase_value(text_, key);
  }

 private:
  void write(const std::vector<std::string>& key, const Value& value) {
    if (const Value::Table* table = as_table(value); table != nullptr && has_lines(key)) {
      for (const auto& [name, entry] : *table) write(longer(key, name), entry);
      return;
    }
    // a list of sections has one for each element
    const auto* list = std::get_if<Value::List>(&value.held());
    if (list != nullptr && std::all_of(list->begin(), list->end(), as_table) && scenario::is_section(text_, key)) {
      text_ = scenario::erase_value(text_, key);
      for (std::size_t k = 0; k < list->size(); ++k) write(longer(key, std::to_string(k)), (*list)[k]);
      return;
    }
    text_ = scenario::write_value(text_, key, value.text());
  }

  // Is a table there written in lines of its own, one an entry? At the top level, where it is so already, and as an
  // element of a list of sections, or of a list that there is not yet.
  bool has_lines(const std::vector<std::string>& key) const {
    if (key.size() == 1 || scenario::is_section(text_, key)) return true;
    const std::vector<std::string> list(key.begin(), key.end() - 1);
    const bool is_element = key.back().find_first_not_of("0123456789") == std::string::npos;
    return is_element && (scenario::is_section(text_, list) || !scenario::has_value(text_, list));
  }

  std::string& text_;
  Overrides& overrides_;
};

}  // namespace

void api::apply(const Changes& changes, std::string& text, Overrides& overrides) {
  Changing changing(text, overrides);
  for (const auto& step : changes.steps()) std::visit(changing, step);
}

double api::finite(const std::string& name, double value) {
  if (!std::isfinite(value)) throw InputError(name + ": " + format_number(value) + " is not a finite number");
  return value;
}

std::string Value::text() const {
  return std::visit(
      Either{[](bool value) { return std::string(value ? "true" : "false"); },
             [](std::int64_t value) { return std::to_string(value); }, [](double value) { return write_number(value); },
             [](const std::string& value) { return scenario::write_string(value); },
             [](const List& list) {
               std::string text = "[";
               for (const Value& one : list) text += (&one == &list.front() ? "" : ", ") + one.text();
               return text + "]";
             },
             [](const Table& table) {
               std::string text = "{ ";
               for (const auto& [name, value] : table)
                 text += (text.size() == 2 ? "" : ", ") + scenario::write_key(name) + " = " + value.text();
               return text + " }";
             }},
      value_);
}

Changes& Changes::members(std::int64_t number) {
  steps_.push_back(Setting{"members", number});
  return *this;
}

Changes& Changes::seed(std::uint64_t number) {
  steps_.push_back(Setting{"seed", static_cast<std::int64_t>(number)});
  return *this;
}

Changes& Changes::step(double step) {
  steps_.push_back(Setting{"step", step});
  return *this;
}

Changes& Changes::end(double end) {
  steps_.push_back(Setting{"end", end});
  return *this;
}

Changes& Changes::keep(const std::string& what) {
  steps_.push_back(Setting{"keep", what});
  return *this;
}

Changes& Changes::set(const std::string& name, double value) {
  steps_.push_back(Set{name, value});
  return *this;
}

Changes& Changes::vary(const std::string& name, const Distribution& distribution) {
  steps_.push_back(Vary{name, distribution});
  return *this;
}

Changes& Changes::write(const std::string& key, Value value) {
  steps_.push_back(Edit{key, std::move(value)});
  return *this;
}

Changes& Changes::erase(const std::string& key) {
  steps_.push_back(Edit{key, std::nullopt});
  return *this;
}

Changes& Changes::observe(const std::string& name, const std::string& reducer, const std::string& formula) {
  return write("observe." + scenario::write_key(name), Value::Table{{reducer, formula}});
}

Changes& Changes::parameter(const std::string& name, double value) {
  return write("model.parameters." + scenario::write_key(name), value);
}

}  // namespace conesweep
