#include "app/flags.hpp"

#include <CLI/CLI.hpp>

#include "app/numbers.hpp"

namespace conesweep::app {

const Flag& Flag::required() const {
  option_->required();
  return *this;
}

const Flag& Flag::shows_default() const {
  option_->capture_default_str();
  return *this;
}

const Flag& Flag::shows_default(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

const Flag& Flag::offers(const std::vector<std::string>& words) const {
  (*offers_)[option_] = words;
  return *this;
}

const Flag& Flag::takes_only(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return offers(words);
}

Flag Flags::argument(const std::string& name, std::string& value, const std::string& what, const std::string& word) {
  return {command_.add_option(name, value, what)->required()->type_name(word), &offers_};
}

Flag Flags::arguments(const std::string& name, std::vector<std::string>& values, const std::string& what,
                      const std::string& word) {
  return {command_.add_option(name, values, what)->required()->type_name(word), &offers_};
}

void Flags::add(const std::string& flag, bool& value, const std::string& what) { command_.add_flag(flag, value, what); }

Flag Flags::add(const std::string& flag, std::string& value, const std::string& what, const std::string& word) {
  return {command_.add_option(flag, value, what)->type_name(word), &offers_};
}

Flag Flags::add(const std::string& flag, double& value, const std::string& what, const std::string& word) {
  const auto read = [flag, &value](const std::string& text) { value = to_number(flag, text); };
  return {command_.add_option_function<std::string>(flag, read, what)->type_name(word), &offers_};
}

Flag Flags::add_whole(const std::string& flag, const std::function<void(std::int64_t)>& keep, Between range,
                      const std::string& what) {
  const auto read = [flag, range, keep](const std::string& text) {
    keep(to_count(flag, text, range.least, range.most));
  };
  return {command_.add_option_function<std::string>(flag, read, what)->type_name("N"), &offers_};
}

Flag Flags::add_repeated(const std::string& flag, std::vector<std::string>& values, const std::string& what,
                         const std::string& word) {
  return {command_.add_option(flag, values, what)->type_name(word)->allow_extra_args(false), &offers_};
}

Flag Flags::add_list(const std::string& flag, std::vector<std::string>& values, const std::string& what,
                     const std::string& word) {
  return {command_.add_option(flag, values, what)->type_name(word)->delimiter(','), &offers_};
}

const CLI::App& Flags::program() const { return *command_.get_parent(); }

}  // namespace conesweep::app
