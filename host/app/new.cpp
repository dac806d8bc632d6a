#include <iostream>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/starter.hpp"
#include "io/new_file.hpp"
#include "keep/run_folder.hpp"
#include "selftest/embedded.hpp"
#include "support/error.hpp"
#include "support/shell.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

namespace fs = std::filesystem;
constexpr char toml_ending[] = ".toml";

struct NewOptions {
  std::string name;
  std::string like;  // a sample
  bool force = false;
  TalkFlags talk;
};

// NAME, with its toml_ending
fs::path file_of(const std::string& name) {
  fs::path path = name;
  const std::string last = path.filename().string();
  if (last.empty() || last == "." || last == ".." || last == toml_ending)
    throw InputError("'" + name + "' is no name for a file; try " + (path.parent_path() / "study").string());
  if (path.extension() != toml_ending) path += toml_ending;
  return path;
}

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& sample : selftest::embedded_samples()) names.push_back(sample.first);
  return names;
}

const std::string& text_of_sample(const std::string& name) {
  const auto& samples = selftest::embedded_samples();
  const std::string stem = name.ends_with(toml_ending) ? fs::path(name).stem().string() : name;
  if (const auto found = samples.find(stem); found != samples.end()) return found->second;
  const auto names = sample_names();
  throw InputError("--like: no sample is called '" + name + "'" + suggest(stem, names) + "; there are " +
                   join_words(names));
}

int make_new(const NewOptions& options) {
  const fs::path file = file_of(options.name);
  const std::string text = options.like.empty() ? starter_text : text_of_sample(options.like);
  keep::NewFolders folders;
  if (file.has_parent_path()) folders.make(file.parent_path());
  io::write_new(file, text, io::replace_if(options.force));
  folders.keep();
  if (options.talk.quiet) return fine;
  const std::string word = quote_for_shell(file.string());
  std::cout << visible(file.string())
            << (options.like.empty() ? " is a scenario to begin with, every section explained"
                                     : " is the sample " + fs::path(options.like).stem().string() +
                                           ", with its title and comments; change what you like")
            << "\n  conesweep check " << visible(word) << "\n  conesweep run " << visible(word)
            << "\n  conesweep report " << visible(quote_for_shell((fs::path("runs") / file.stem()).string())) << "\n";
  return fine;
}

void declare(Flags& flags, NewOptions& options) {
  flags.argument("name", options.name, "of the file to write; .toml may be left out", "NAME");
  flags.add("--like", options.like, "the sample to start from, with its comments", "SAMPLE").offers(sample_names());
  flags.add("--force", options.force, "replace a file that is there");
  add_quiet(flags, options.talk);
}

}  // namespace

Command new_command() {
  return make_command<NewOptions>(
      {"new", "write a scenario to begin with, every section explained, or like a sample",
       "  conesweep new drop\n  conesweep new studies/pendulum --like pendulum_friction\nSamples: " +
           join_words(sample_names()) + "."},
      declare, make_new);
}

}  // namespace conesweep::app
