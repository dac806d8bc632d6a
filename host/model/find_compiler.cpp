#include "model/find_compiler.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A command: programs (ccache g++), then flags. Empty if one of the programs is not there.
std::vector<std::string> find_command(const std::string& text) {
  if (const std::string whole = find_program(text); !whole.empty()) return {whole};  // its path may have blanks
  std::vector<std::string> words = split_words(text);
  for (std::string& word : words) {
    if (word.starts_with("-")) break;
    word = find_program(word);
    if (word.empty()) return {};
  }
  return words;
}

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string find_program(const std::string& name) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? fs::absolute(name, ignored).string() : "";
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) return fs::absolute(candidate, ignored).string();
  }
  return {};
}

std::vector<std::string> find_host_compiler() {
  for (const char* name : {"CONESWEEP_CXX", "CXX"})
    if (const std::string text = variable(name); !text.empty()) return find_command(text);
  for (const char* name : {"g++", "clang++", "c++"})
    if (auto found = find_program(name); !found.empty()) return {found};
  return {};
}

std::string missing_compiler() {
  for (const char* name : {"CONESWEEP_CXX", "CXX"})
    if (const std::string text = variable(name); !text.empty() && find_command(text).empty()) return std::string(" (") + name + " says '" + text + "')";
  return {};
}

std::string identify_compiler(const std::vector<std::string>& words) {
  std::string identity;
  for (const std::string& word : words) {
    std::error_code ignored;
    const fs::path real = fs::canonical(word, ignored);
    const auto time = fs::last_write_time(real, ignored).time_since_epoch().count();
    identity += word + " " + real.string() + " " + std::to_string(time) + " " + std::to_string(fs::file_size(real, ignored)) + " ";
  }
  return identity;
}

}  // namespace conesweep::model
