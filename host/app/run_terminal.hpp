#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/terminal.hpp"
#include "run/ended.hpp"
#include "run/run.hpp"

namespace conesweep::app {

/// How a run is told on the terminal: results on standard output, the rest on standard error.
class RunTerminal final : public runs::Listener {
 public:
  /// What the commands say in words of their own.
  struct Words {
    std::function<std::string(const runs::Run&)> members;               // "100,000 members"
    std::function<std::string(const runs::Growth&, std::size_t)> goal;  // how far a goal is
    // what goals are about: "relative standard error"
    std::string error;
    std::string asked;  // "the error asked for"
  };

  RunTerminal(const EnsembleFlags& flags, Words words);

  void introduce(const runs::Run& run) override;
  void begin_stepping(std::int64_t members, std::int64_t steps) override;
  void finish_members(std::int64_t more) override { progress_->add(more); }
  void estimate(const runs::Estimate& estimate) override;
  void end_stepping() override;
  void grow(const runs::Growth& growth) override;
  void note(const Sentence& sentence) override;

  bool talks() const { return talks_; }

 private:
  bool quiet_, talks_;
  Progress::Style style_;
  Words words_;
  std::optional<runs::Estimate> latest_;  // of the mean that is watched
  std::unique_ptr<Progress> progress_;
};

/// The flags of a run. InputError where --watch is asked for what is not observed, or together with --quiet.
runs::Request to_request(const EnsembleFlags& flags, const scenario::Scenario& scenario, team::Team* team);

/// Where --out is, or its default.
std::filesystem::path out_folder(const EnsembleFlags& flags);

/// Tells of a run that was finished before; true if it was.
bool print_finished(const EnsembleFlags& flags, const runs::Ended& ended);

/// How many members ended how, with the first of those that stopped.
void print_status(const scenario::Scenario& scenario, const tell::Summary& summary);

}  // namespace conesweep::app
