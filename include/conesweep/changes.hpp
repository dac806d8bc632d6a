#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace conesweep {

/// A value as a scenario file has it.
class Value {
 public:
  using List = std::vector<Value>;
  using Table = std::vector<std::pair<std::string, Value>>;  // in this order

  Value(bool value) : value_(value) {}
  Value(int value) : value_(std::int64_t{value}) {}
  Value(std::int64_t value) : value_(value) {}
  Value(double value) : value_(value) {}
  Value(const char* text) : value_(std::string(text)) {}  // formulas are text, too
  Value(std::string text) : value_(std::move(text)) {}
  Value(List list) : value_(std::move(list)) {}
  Value(Table table) : value_(std::move(table)) {}

  using Held = std::variant<bool, std::int64_t, double, std::string, List, Table>;
  const Held& held() const { return value_; }

  /// As TOML in one line.
  std::string text() const;

 private:
  Held value_;
};

/// How a parameter differs between members, by the names of the file.
struct Distribution {
  std::string kind;  // "uniform"
  std::vector<double> numbers;
};
inline Distribution uniform(double lower, double upper) { return {"uniform", {lower, upper}}; }
inline Distribution normal(double mean, double deviation) { return {"normal", {mean, deviation}}; }
inline Distribution lognormal(double mean, double deviation) { return {"lognormal", {mean, deviation}}; }
inline Distribution loguniform(double lower, double upper) { return {"loguniform", {lower, upper}}; }
inline Distribution triangular(double lower, double mode, double upper) { return {"triangular", {lower, mode, upper}}; }
inline Distribution truncated_normal(double mean, double deviation, double lower, double upper) {
  return {"truncated_normal", {mean, deviation, lower, upper}};
}
inline Distribution choice(std::vector<double> values) { return {"choice", std::move(values)}; }

/// What is to be different from a scenario; made one after the other, the last one of a name counts.
///
///   scenario.with(Changes().members(1000).set("tau", 0.2).vary("alpha", uniform(0.1, 0.6)).step(5e-4))
///
/// Whatever a file says can be said by its key, too: write("time.stop", "x > 10").
class Changes {
 public:
  // what the program has flags for, by the same names
  Changes& members(std::int64_t number);
  Changes& seed(std::uint64_t number);
  Changes& step(double step);
  Changes& end(double end);
  Changes& keep(const std::string& what);               // "members" or "statistics"
  Changes& set(const std::string& name, double value);  // a parameter, for all members; one that varies is fixed
  Changes& vary(const std::string& name, const Distribution& distribution);  // also one that was swept, or set

  /// Any key of a scenario file, as TOML has it: "model.force", "ensemble.sampler", "vary.mu". Of [[model.contact]] and
  /// its like an element is named by its number, "model.contact.0.friction"; the number after the last one adds one. In
  /// place of what stands there; a table for a section adds its keys and replaces those that are there. What it gets
  /// wrong is told with its place in the text that comes out.
  Changes& write(const std::string& key, Value value);

  /// The key goes, and what stands there.
  Changes& erase(const std::string& key);

  /// The same, shorter, for what changes most: observe("reach", "max", "x") is [observe] reach = { max = "x" }.
  Changes& observe(const std::string& name, const std::string& reducer, const std::string& formula);
  Changes& parameter(const std::string& name, double value);  // one that is new, in [model.parameters]

  bool empty() const { return steps_.empty(); }

  /// One change: of a setting or parameter, or of the text.
  struct Set {
    std::string name;
    double value;
  };
  struct Vary {
    std::string name;
    Distribution distribution;
  };
  struct Setting {
    std::string name;  // members, seed, step, end, keep
    Value value;
  };
  struct Edit {
    std::string key;
    std::optional<Value> value;  // none: erased
  };
  using Step = std::variant<Setting, Set, Vary, Edit>;
  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

}  // namespace conesweep
