#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "scenario/source.hpp"

namespace conesweep::scenario {

/// A table's entry. Entries come as the user ordered them: toml++ sorts by name.
struct Entry {
  std::string key;
  FilePlace place;
  int length;  // of the key as written, with its quotes
  const toml::node* node;
};
std::vector<Entry> entries_of(const toml::table& table);

FilePlace to_place(const toml::source_position& position);

/// Parts of a dotted key, a.b.c, that a file may have: toml++ follows them one inside the other, and very many would
/// exhaust the stack.
inline constexpr int most_key_parts = 32;

/// What toml++ must not see: a key with more parts, and outside of quotes and comments a character that is not
/// printable ASCII (it takes for granted that there is none). Line 0: nothing of that kind.
struct Unreadable {
  FilePlace place = {};
  std::string message = {};
};
Unreadable find_unreadable(std::string_view text);

/// A finite number, or nothing. (toml++ itself gives no double for a whole number beyond 2^53.)
std::optional<double> finite_number(const toml::node& node);

/// Reads pieces of TOML; what is wrong is collected with its place, and reading goes on.
class TomlReader {
 protected:
  TomlReader(const Source& source, Faults& problems, std::int64_t& unsaid)
      : source_(source), problems_(problems), unsaid_(unsaid) {}

  /// The first hundred problems are told with their lines, the others counted: a file with very many is read in time
  /// proportional to its length.
  static constexpr std::size_t most_problems = 100;
  bool is_full() const { return problems_.size() >= most_problems; }
  void report_more() { ++unsaid_; }

  /// "; did you mean 'x'?", or nothing. A search among all known names: not for problems that are only counted.
  std::string hint(std::string_view word, std::span<const std::string> known) const;

  /// The same, or "; known: a, b and c".
  std::string hint_or_all(std::string_view word, std::span<const std::string> known,
                          std::string_view all = "known") const;

  void report(FilePlace place, int length, std::string message);
  void report(const Entry& entry, std::string message);
  void report(const toml::node& node, std::string message);
  void report_missing(const std::string& what);
  void report_setting(const Setting& setting, std::string message);

  /// The value that a list (support/named_list.hpp) calls `name`; else a problem at `where`, an entry or a node, with
  /// the closest name or all.
  template <class List, class Where>
  std::optional<typename List::Value> choose(const List& list, const std::string& name, const std::string& what,
                                             const Where& where) {
    const auto found = list.find(name);
    if (!found) report(where, "unknown " + what + " '" + name + "'" + hint_or_all(name, list.names()));
    return found;
  }

  void check_keys(const toml::table& table, const std::vector<std::string>& known, const std::string& where);

  /// The table called `name`, or nothing. A value of another kind is a problem; `form` says how it is written, [name]
  /// if empty.
  const toml::table* find_table(const toml::table& parent, const std::string& name, const std::string& form = {});

  std::optional<double> number(const toml::node& node, const std::string& what);
  std::optional<std::int64_t> whole_number(const toml::node& node, const std::string& what, std::int64_t least,
                                           std::int64_t most);

  const Source& source_;
  Faults& problems_;

 private:
  std::int64_t& unsaid_;  // problems that are not told: counted over all who read one file
};

}  // namespace conesweep::scenario
