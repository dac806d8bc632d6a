#include "conesweep/results.hpp"

#include <algorithm>

#include "api/scenario_parts.hpp"
#include "io/files.hpp"
#include "io/results_reader.hpp"
#include "keep/run_folder.hpp"
#include "support/text.hpp"
#include "tell/finished.hpp"

namespace conesweep {

struct api::FinishedParts {
  explicit FinishedParts(const std::string& place)
      : folder(place),
        summary(io::read_bytes(path(keep::summary_name))),
        scenario(io::read_bytes(path(keep::scenario_name))),
        results(path(keep::results_name)) {}

  std::filesystem::path path(const char* name) const { return std::filesystem::path(folder) / name; }

  std::string folder, summary, scenario;
  io::ResultsReader results;
};

FinishedRun FinishedRun::open(const std::string& folder) {
  return api::tell_plainly([&] {
    const tell::Summary summary = tell::read_finished(folder, tell::Points::skip);
    auto parts = std::make_shared<const api::FinishedParts>(folder);
    tell::demand_one_run(folder, summary, parts->results);
    return FinishedRun(std::move(parts));
  });
}

const std::string& FinishedRun::folder() const { return parts_->folder; }
const std::string& FinishedRun::summary() const { return parts_->summary; }
const std::string& FinishedRun::scenario() const { return parts_->scenario; }

std::int64_t FinishedRun::members() const { return parts_->results.members(); }
bool FinishedRun::has_members() const { return parts_->results.has_members(); }
const std::vector<std::string>& FinishedRun::parameters() const { return parts_->results.parameters(); }
const std::vector<std::string>& FinishedRun::observables() const { return parts_->results.observables(); }

namespace {

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void demand_name(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  if (!is_among(known, name))
    throw InputError("no " + what + " of the run is called '" + name + "'" + suggest(name, known));
}

}  // namespace

std::vector<double> FinishedRun::parameter(const std::string& name) const {
  return api::tell_plainly([&] {
    demand_name("varied parameter", name, parameters());
    return parts_->results.parameter(name);
  });
}

std::vector<double> FinishedRun::observable(const std::string& name) const {
  return api::tell_plainly([&] {
    demand_name("observable", name, observables());
    return parts_->results.observable(name);
  });
}

std::vector<std::uint8_t> FinishedRun::status() const {
  return has_members() ? api::to_bytes(parts_->results.status()) : std::vector<std::uint8_t>();
}

std::vector<double> FinishedRun::stop_time() const {
  return has_members() ? parts_->results.numbers("/stop_time", {0, members()}) : std::vector<double>();
}

std::vector<std::uint8_t> FinishedRun::flags() const {
  if (!parts_->results.has("/flags")) return std::vector<std::uint8_t>(static_cast<std::size_t>(members()));
  return parts_->results.codes("/flags", {0, members()});
}

std::vector<std::uint8_t> FinishedRun::class_of() const { return parts_->results.classes().codes; }
std::vector<std::string> FinishedRun::class_names() const { return parts_->results.classes().names; }

namespace {

std::string read_label(const io::ResultsReader& results, const std::string& name, const char* attribute) {
  if (is_among(results.parameters(), name)) return results.text("/parameters/" + name, attribute);
  if (is_among(results.observables(), name)) return results.text("/observables/" + name, attribute);
  const bool is_track = results.has("/trajectories") && (name == "time" || is_among(results.tracks(), name));
  return is_track ? results.text("/trajectories/" + name, attribute) : std::string();
}

}  // namespace

std::string FinishedRun::unit(const std::string& name) const { return read_label(parts_->results, name, "units"); }
std::string FinishedRun::meaning(const std::string& name) const {
  return read_label(parts_->results, name, "long_name");
}

Tracks FinishedRun::tracks(std::int64_t most) const {
  auto recorded = parts_->results.recorded(static_cast<std::size_t>(std::max<std::int64_t>(0, most)));
  return {static_cast<std::int64_t>(recorded.members), std::move(recorded.time), std::move(recorded.names),
          std::move(recorded.columns), std::move(recorded.mode)};
}

}  // namespace conesweep
