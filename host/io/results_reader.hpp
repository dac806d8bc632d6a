#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::io {

/// A results.h5, a column at a time. Throws SystemError if it is not there, or not as a run wrote it.
class ResultsReader {
 public:
  explicit ResultsReader(const std::filesystem::path& file);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  const std::string& identity() const { return identity_; }  // of the run, as summary.json has it

  const std::vector<std::string>& parameters() const { return parameters_; }  // in the order of the scenario
  const std::vector<std::string>& observables() const { return observables_; }

  std::vector<double> parameter(const std::string& name) const;
  std::vector<double> observable(const std::string& name) const;
  std::vector<executor::Status> status() const;

  /// Classes of the members: codes, and what they mean. Both are empty where the scenario has no classes.
  struct Classes {
    std::vector<std::uint8_t> codes = {};  // [member]
    std::vector<std::string> names = {};   // [code]
  };
  Classes classes() const;

 private:
  struct File;
  std::string identity_;
  std::unique_ptr<File> file_;
  std::vector<std::string> parameters_, observables_;
};

/// The scenario that a results.h5 holds; none if it is no such file.
std::optional<std::string> read_scenario_attribute(const std::filesystem::path& file);

}  // namespace conesweep::io
