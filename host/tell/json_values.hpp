#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// Values of summary.json, read where they are there. For the files that write and read it.
namespace conesweep::tell {

/// null stands for NaN
inline double to_double(const nlohmann::ordered_json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

inline void get(const nlohmann::ordered_json& json, const char* key, double& value) {
  if (json.contains(key)) value = to_double(json[key]);
}
inline void get(const nlohmann::ordered_json& json, const char* key, std::vector<double>& values) {
  values.clear();
  if (json.contains(key))
    for (const auto& value : json[key]) values.push_back(to_double(value));
}
/// A whole number is none that was rounded to one. std::domain_error says so, the exceptions of the library what else
/// is of another kind.
template <class T>
void get(const nlohmann::ordered_json& json, const char* key, T& value) {
  if (!json.contains(key)) return;
  if (std::is_integral_v<T> && json[key].is_number_float())
    throw std::domain_error(std::string(key) + " is no whole number");
  value = json[key].get<T>();
}

/// What stands under a name; an empty object where nothing does.
inline const nlohmann::ordered_json& part(const nlohmann::ordered_json& json, const char* key) {
  static const nlohmann::ordered_json nothing = nlohmann::ordered_json::object();
  return json.contains(key) ? json[key] : nothing;
}

}  // namespace conesweep::tell
