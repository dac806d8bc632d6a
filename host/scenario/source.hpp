#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/sentence.hpp"

namespace conesweep::scenario {

/// Line and column, both from 1; columns count characters, not bytes. {0, 0} means the file as a whole.
struct FilePlace {
  int line = 0;
  int column = 0;
};

/// Characters of UTF-8 text.
int count_characters(std::string_view text);

/// The scenario file as the user wrote it.
struct Source {
  std::string name;  // as given by the user
  std::string text;

  std::string_view line(int number) const;  // without the line end

  /// The place of byte `offset` of a string's value, where the string's opening quote stands at `quote`: sees through
  /// escapes and multi-line strings.
  FilePlace inside_string(FilePlace quote, std::size_t offset) const;
};

enum class Severity { error, warning };

/// One thing that is wrong with a scenario, with its place.
struct Fault {
  Severity severity = Severity::error;
  Sentence where;       // file name, or a setting that came beside the file
  FilePlace place;      // {0, 0}: none
  int length = 1;       // characters to underline
  std::string excerpt;  // the line, empty where there is none
  std::string message;

  /// file:line:column: message, the line, and a caret under the fault.
  std::string to_text(Spelling spelling = spell_plainly) const;
};

using Faults = std::vector<Fault>;
bool has_errors(const Faults& problems);

}  // namespace conesweep::scenario
