#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/command.hpp"

namespace conesweep::app {

/// The words behind the program's name, as its commands declare them.
class CommandLine {
 public:
  explicit CommandLine(std::vector<Command> commands);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// What they ask for: a command, or a text to print (--help, --version), or they make no sense. One of the three is
  /// there.
  struct Asked {
    const Command* command = nullptr;
    std::string text;
    std::string mistake;
  };
  /// InputError where the value of a flag is out of its range.
  Asked read(int argc, char** argv);

 private:
  struct Parser;  // the library that reads command lines
  std::vector<Command> commands_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace conesweep::app
