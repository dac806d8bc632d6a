#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace conesweep::app {

/// Closed lists of words that flags and arguments take: what a shell can complete.
using Offers = std::map<const CLI::Option*, std::vector<std::string>>;

/// Whole numbers that a flag takes.
struct Between {
  std::int64_t least, most;
};

/// A flag or an argument that was declared, and what else there is to say of it.
class Flag {
 public:
  Flag(CLI::Option* option, Offers* offers) : option_(option), offers_(offers) {}

  const Flag& required() const;
  const Flag& shows_default() const;
  const Flag& shows_default(const std::string& text) const;
  const Flag& offers(const std::vector<std::string>& words) const;      // a shell completes them
  const Flag& takes_only(const std::vector<std::string>& words) const;  // the same, and others are refused

 private:
  CLI::Option* option_;
  Offers* offers_;
};

/// Where a command declares its flags and arguments: name, where the value goes, what it means, and the word that
/// stands for the value in --help. The order is that of --help. The library that reads command lines is known to
/// flags.cpp, command_line.cpp and completion.cpp alone.
class Flags {
 public:
  Flags(CLI::App& command, Offers& offers) : command_(command), offers_(offers) {}

  Flag argument(const std::string& name, std::string& value, const std::string& what, const std::string& word);
  // one or more
  Flag arguments(const std::string& name, std::vector<std::string>& values, const std::string& what,
                 const std::string& word);

  void add(const std::string& flag, bool& value, const std::string& what);
  Flag add(const std::string& flag, std::string& value, const std::string& what, const std::string& word);
  Flag add(const std::string& flag, double& value, const std::string& what, const std::string& word);
  template <class Whole>
  Flag add(const std::string& flag, Whole& value, Between range, const std::string& what) {
    return add_whole(
        flag, [&value](std::int64_t n) { value = static_cast<Whole>(n); }, range, what);
  }
  Flag add_repeated(const std::string& flag, std::vector<std::string>& values, const std::string& what,
                    const std::string& word);
  // by commas
  Flag add_list(const std::string& flag, std::vector<std::string>& values, const std::string& what,
                const std::string& word);

  /// All commands, as they are when one is done.
  const CLI::App& program() const;
  const Offers& offers() const { return offers_; }

 private:
  Flag add_whole(const std::string& flag, const std::function<void(std::int64_t)>& keep, Between range,
                 const std::string& what);

  CLI::App& command_;
  Offers& offers_;
};

}  // namespace conesweep::app
