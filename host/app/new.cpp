#include <iostream>

#include "app/options.hpp"
#include "app/starter.hpp"
#include "io/new_file.hpp"
#include "run/new_folders.hpp"
#include "selftest/embedded.hpp"
#include "support/error.hpp"
#include "support/shell.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

namespace fs = std::filesystem;
constexpr char ending[] = ".toml";

// NAME, with its ending
fs::path file_of(const std::string& name) {
  fs::path path = name;
  const std::string last = path.filename().string();
  if (last.empty() || last == "." || last == ".." || last == ending)
    throw InputError("'" + name + "' is no name for a file; try " + (path.parent_path() / "study").string());
  if (path.extension() != ending) path += ending;
  return path;
}

const std::string& text_of_sample(const std::string& name) {
  const auto& samples = selftest::embedded_samples();
  const std::string stem = name.ends_with(ending) ? fs::path(name).stem().string() : name;
  if (const auto found = samples.find(stem); found != samples.end()) return found->second;
  const auto names = sample_names();
  throw InputError("--like: no sample is called '" + name + "'" + suggest(stem, names) + "; there are " + join_words(names));
}

}  // namespace

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& sample : selftest::embedded_samples()) names.push_back(sample.first);
  return names;
}

int make_new(const Options& options) {
  const fs::path file = file_of(options.scenario);
  const std::string text = options.like.empty() ? starter_text : text_of_sample(options.like);
  runs::NewFolders folders;
  if (file.has_parent_path()) folders.make(file.parent_path());
  io::write_new(file, text, io::replace_if(options.force));
  folders.keep();
  if (options.quiet) return fine;
  const std::string word = quote_for_shell(file.string());
  std::cout << visible(file.string())
            << (options.like.empty() ? " is a scenario to begin with, every section explained"
                                     : " is the sample " + fs::path(options.like).stem().string() + ", with its title and comments; change what you like")
            << "\n  conesweep check " << visible(word) << "\n  conesweep run " << visible(word) << "\n  conesweep report "
            << visible(quote_for_shell((fs::path("runs") / file.stem()).string())) << "\n";
  return fine;
}

}  // namespace conesweep::app
