#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::io {

/// A results.h5 that somebody wrote, a column at a time. Throws SystemError if it is not there or is no such file.
class ResultsReader {
 public:
  explicit ResultsReader(const std::filesystem::path& file);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  const std::vector<std::string>& parameters() const { return parameters_; }  // in the order of the scenario
  const std::vector<std::string>& observables() const { return observables_; }

  std::vector<double> parameter(const std::string& name) const;
  std::vector<double> observable(const std::string& name) const;
  std::vector<executor::Status> status() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
  std::vector<std::string> parameters_, observables_;
};

}  // namespace conesweep::io
