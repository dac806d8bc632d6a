#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.hpp"

namespace conesweep {

/// The values of an enum that files and people name, and what is known of each: a row a value. Such a list exists once;
/// whoever needs names, numbers or texts takes them from here. `Row` begins with `value` and `name`.
///
/// The rows stand in the order of the numbers, 0, 1, 2, …: a list that does not is refused by the compiler.
template <class Row, std::size_t length>
class NamedList {
 public:
  using Value = decltype(Row::value);

  consteval explicit NamedList(const std::array<Row, length>& rows) : rows_(rows) {
    for (std::size_t k = 0; k < length; ++k) {
      if (static_cast<std::size_t>(rows[k].value) != k) throw "every value stands at the place of its number";
      if (rows[k].name.empty()) throw "every value has a name";
      for (std::size_t j = 0; j < k; ++j)
        if (rows[j].name == rows[k].name) throw "no two values have the same name";
    }
  }

  static constexpr std::size_t size() { return length; }
  constexpr auto begin() const { return rows_.begin(); }
  constexpr auto end() const { return rows_.end(); }

  constexpr const Row& operator[](Value value) const {
    CS_ASSERT(static_cast<std::size_t>(value) < length);
    return rows_[static_cast<std::size_t>(value)];
  }

  constexpr std::optional<Value> find(std::string_view name) const {
    for (const Row& row : rows_)
      if (row.name == name) return row.value;
    return std::nullopt;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Row& row : rows_) all.emplace_back(row.name);
    return all;
  }

 private:
  std::array<Row, length> rows_;
};

template <class Row, std::size_t length>
consteval NamedList<Row, length> make_list(const Row (&rows)[length]) {
  return NamedList<Row, length>(std::to_array(rows));
}

}  // namespace conesweep
