#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "io/run_data.hpp"

namespace conesweep::io {

/// A results.h5, a column at a time. Throws SystemError if it is not there, or not as a run wrote it: the seal over all
/// bytes is looked at before HDF5 sees the file, then the shapes. So whoever reads has columns of one length, and
/// tracks of one shape, even where somebody made the file and its seal.
class ResultsReader {
 public:
  explicit ResultsReader(const std::filesystem::path& file);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  const std::string& identity() const { return identity_; }  // of the run, as summary.json has it
  std::int64_t members() const { return members_; }          // 0 where none are kept

  /// Are there columns of members? Not of a run that keeps statistics alone.
  bool has_members() const { return has_members_; }

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

  /// Of the first members that were recorded, at most so many. Nothing is recorded: no members, no times.
  struct Recorded {
    std::size_t members = 0;
    std::vector<double> time = {};
    std::vector<std::string> names = {};            // coordinates, then velocities
    std::vector<std::vector<double>> columns = {};  // [name][member * times + time]
    std::vector<std::uint8_t> mode = {};            // [member * times + time]
  };
  Recorded recorded(std::size_t most) const;

  // any dataset, by its path: rows of its first axis, each with all entries of the second one if there is one
  bool has(const std::string& path) const;
  std::int64_t length(const std::string& path) const;  // of the first axis
  std::vector<double> numbers(const std::string& path, MemberRange rows) const;
  std::vector<std::int64_t> whole_numbers(const std::string& path, MemberRange rows) const;
  std::vector<std::uint8_t> codes(const std::string& path, MemberRange rows) const;
  std::vector<std::string> names(const std::string& path) const;           // what its codes mean
  std::string text(const std::string& path, const char* attribute) const;  // of a dataset; empty: it has none
  // datasets of /trajectories: coordinates, then velocities
  std::vector<std::string> tracks() const;

 private:
  struct File;
  std::string identity_;
  std::unique_ptr<File> file_;
  bool has_members_ = true;
  std::int64_t members_ = 0;
  std::vector<std::string> parameters_, observables_;
};

}  // namespace conesweep::io
