#include "model/find_compiler.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

#include <unistd.h>

#include "support/place.hpp"
#include "support/shell.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Programs (ccache g++), then what is told to them. Empty if one of the programs is not there.
Command find_command(const std::string& text) {
  if (const std::string whole = find_program(text); !whole.empty()) return {whole};  // its path may have blanks
  Command words = split_words(text);
  for (std::string& word : words) {
    if (word.starts_with("-")) break;
    word = find_program(word);
    if (word.empty()) return {};
  }
  return words;
}

constexpr const char* naming_variables[] = {"CONESWEEP_CXX", "CXX"};
constexpr const char* usual_names[] = {"g++", "clang++", "c++"};

std::vector<std::string> path_folders() {
  std::istringstream in(variable("PATH"));
  std::vector<std::string> folders;
  for (std::string folder; std::getline(in, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  return folders;
}

// g++-12, clang++-19: the newest first.
std::vector<std::string> find_numbered() {
  std::set<std::pair<int, std::string>> found;  // - number, name
  for (const std::string& folder : path_folders()) {
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      for (const std::string prefix : {"g++-", "clang++-"})
        if (const std::string number = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
            !number.empty() && number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos)
          found.emplace(-std::atoi(number.c_str()), name);
    }
  }
  std::vector<std::string> names;
  for (const auto& [number, name] : found) names.push_back(name);
  return names;
}

// The Python package ziglang is a clang with all that it needs; `python -m ziglang` hands on to this program. Its "c++"
// would first compile a standard library, of which models use nothing: half a minute in place of three seconds.
Command find_packaged() {
  for (const fs::path& packages : python_folders())
    if (const std::string zig = find_program((packages / "ziglang" / "zig").string()); !zig.empty()) return {zig, "cc"};
  return {};
}

// One compiler has many names (c++, g++-12); a program that stands for many (ccache) is another one under each of its
// names.
std::string tell_apart(const Command& words) {
  if (words.size() != 1) return join(words);
  std::error_code ignored;
  const fs::path real = fs::canonical(words[0], ignored);
  const std::string name = real.filename().string();
  return name.find("++") != std::string::npos || name.find("clang") != std::string::npos ? real.string() : words[0];
}

std::mutex refusals_lock;
std::map<std::string, std::string> refusals;  // what compilers refused in this process, by command, and in which words

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string join(const Command& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string find_program(const std::string& name) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos)
    return access(name.c_str(), X_OK) == 0 ? fs::absolute(name, ignored).string() : "";
  for (const std::string& folder : path_folders()) {
    const fs::path candidate = fs::path(folder) / name;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
      return fs::absolute(candidate, ignored).string();
  }
  return {};
}

std::vector<Command> find_host_compilers(bool further) {
  std::vector<Command> all;
  std::set<std::string> known;
  const auto add = [&](const Command& words) {
    if (!words.empty() && known.insert(tell_apart(words)).second) all.push_back(words);
  };
  for (const char* name : naming_variables)
    if (const std::string text = variable(name); !text.empty()) add(find_command(text));
  for (const char* name : usual_names)
    if (const std::string found = find_program(name); !found.empty()) add({found});
  const auto works = [](const Command& words) { return find_refusal(words).empty(); };
  if (further || std::none_of(all.begin(), all.end(), works))  // not always: it reads all folders of PATH
    for (const std::string& name : find_numbered())
      if (const std::string found = find_program(name); !found.empty()) add({found});
  add(find_packaged());
  std::stable_partition(all.begin(), all.end(), works);
  return all;
}

Command find_host_compiler() {
  const std::vector<Command> all = find_host_compilers();
  return all.empty() ? Command() : all.front();
}

void keep_refusal(const Command& words, const std::string& what) {
  const std::lock_guard guard(refusals_lock);
  refusals[join(words)] = what;
}

std::string find_refusal(const Command& words) {
  const std::lock_guard guard(refusals_lock);
  const auto found = refusals.find(join(words));
  return found == refusals.end() ? "" : found->second;
}

std::string missing_compiler() {
  for (const char* name : naming_variables)
    if (const std::string text = variable(name); !text.empty() && find_command(text).empty())
      return std::string(" (") + name + " says '" + text + "')";
  return {};
}

std::string advise_compiler() {
  return is_python_package() ? "install g++ or, by pip, conesweep[compiler]" : "install g++";
}

std::string ask_version(const Command& words) {
  std::string command;
  for (const std::string& word : words) command += quote_for_shell(word) + " ";
  FILE* answer = popen((command + "--version 2>/dev/null </dev/null").c_str(), "r");
  if (answer == nullptr) return {};
  std::string said;
  char part[500];
  for (std::size_t read = 0; (read = std::fread(part, 1, sizeof part, answer)) > 0;) said.append(part, read);
  pclose(answer);
  return said;
}

std::string identify_compiler(const Command& words) {
  std::string identity;
  bool asked = false;
  for (const std::string& word : words) {
    std::error_code ignored;
    const fs::path real = fs::canonical(word, ignored);
    const auto time = fs::last_write_time(real, ignored).time_since_epoch().count();
    identity += word + " " + real.string() + " " + std::to_string(time) + " " +
                std::to_string(fs::file_size(real, ignored)) + " ";
    asked = asked || real.empty();
  }
  return asked ? identity + ask_version(words) : identity;
}

}  // namespace conesweep::model
