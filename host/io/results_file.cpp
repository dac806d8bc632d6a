#include "io/results_file.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "io/hdf5_write.hpp"
#include "io/seal.hpp"
#include "io/version.hpp"
#include "scenario/quantities.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace conesweep::io {

namespace {

using executor::Status;

void write_attributes(hid_t root, const RunData& run) {
  write_text(root, "scenario", run.scenario_text);
  write_text(root, "version", version());
  write_text(root, "backend", run.backend);
  write_text(root, "device", run.device);
  write_text(root, "precision", run.precision);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_attribute(root, "seed", uint64_type(), space, &run.scenario.ensemble.seed);
  write_attribute(root, "step", double_type(), space, &run.scenario.step);
}

// bit k of a member's number is the flag with name k
std::vector<std::string> flag_names() {
  std::vector<std::string> names;
  for (const auto& row : scenario::flags) names.emplace_back(row.name);
  return names;
}

std::vector<std::uint8_t> to_codes(const std::vector<Status>& status) {
  std::vector<std::uint8_t> codes(status.size());
  std::transform(status.begin(), status.end(), codes.begin(),
                 [](Status one) { return static_cast<std::uint8_t>(one); });
  return codes;
}

Label parameter_label(const scenario::Scenario& scenario, int parameter) {
  const std::string& name = scenario.names.parameters[static_cast<std::size_t>(parameter)];
  return {name, "parameter " + name, unit_of(scenario, name)};
}

// The recorded members have an axis of their own, which is not that of all members; `member` tells their numbers.
void write_trajectories(hid_t root, const RunData& run) {
  const auto members = static_cast<std::size_t>(run.recorded_members());
  const auto times = static_cast<std::size_t>(run.recorded_times());
  if (members == 0) return;
  const Handle group = make_group(root, "trajectories");

  // axes: the first members, every so many nodes
  std::vector<double> nodes;
  for (std::size_t k = 0; k < times; ++k)
    nodes.push_back(run.scenario.time(static_cast<std::int64_t>(k) * run.scenario.record.every));
  Axis time(group, {"time", "time", unit_of(run.scenario, "t")}, nodes);
  Axis recorded(group, {"recorded", "recorded members, from 0; an axis without numbers"}, members);
  const Axes axes = {&recorded, &time};
  std::vector<std::int64_t> member(members);
  std::iota(member.begin(), member.end(), 0);
  write_dataset(group, {"member", "number of the member"}, {&recorded}, int64_type(), member.data()).close();

  const auto states = expression::state_columns(run.scenario.names);
  for (std::size_t c = 0; c < states.size(); ++c) {
    const std::string& name = states[c].name;
    const Label label = {name, std::string(states[c].kind->word) + " " + name, unit_of(run.scenario, name)};
    const std::vector<double> track = run.trajectory(c);
    CS_ASSERT(track.size() == members * times);
    write_text(write_dataset(group, label, axes, double_type(), track.data()), "coordinates", "member");
  }
  const Handle mode = write_codes(group, {"mode", "what the member does, as a code"}, axes, run.modes());
  write_names(mode, scenario::modes.names());
  write_text(mode, "coordinates", "member");
  recorded.close();
  time.close();
}

/// The lengths of axes, the last one running fastest: columns of members take this shape.
void write_shape(hid_t group, const std::vector<std::int64_t>& shape) {
  const hsize_t axes = shape.size();
  const Handle space(H5Screate_simple(1, &axes, nullptr), H5Sclose);
  write_attribute(group, "shape", int64_type(), space, shape.data());
}

/// The levels of a grid's parameters, as the members have them.
void write_grid(hid_t root, const RunData& run) {
  const auto& scenario = run.scenario;
  if (scenario.ensemble.sampler != scenario::Sampler::grid || scenario.vary.empty()) return;
  const Handle group = make_group(root, "grid");
  std::vector<std::int64_t> shape;
  for (const auto& variation : scenario.vary) shape.push_back(variation.levels);
  for (std::size_t v = 0; v < shape.size(); ++v)
    Axis(group, parameter_label(scenario, scenario.vary[v].parameter), run.grid_levels(v)).close();
  write_shape(group, shape);
}

/// The values of a sweep's parameters; each point of them has as many members as the last entry of the shape says.
void write_sweep(hid_t root, const RunData& run) {
  const auto& scenario = run.scenario;
  if (scenario.sweep.empty()) return;
  const Handle group = make_group(root, "sweep");
  std::vector<std::int64_t> shape;
  for (const auto& axis : scenario.sweep) {
    Axis(group, parameter_label(scenario, axis.parameter), axis.values).close();
    shape.push_back(static_cast<std::int64_t>(axis.values.size()));
  }
  shape.push_back(members_of_point(scenario));
  write_shape(group, shape);
}

void write_parameters(hid_t root, const RunData& run, const Axes& members) {
  const Handle group = make_group(root, "parameters");
  const auto varying = varying_parameters(run.scenario);
  for (std::size_t v = 0; v < varying.size(); ++v)
    write_numbers(group, parameter_label(run.scenario, varying[v]), members, run.parameter(v));
}

void write_observables(hid_t root, const RunData& run, const Axes& members) {
  const Handle group = make_group(root, "observables");
  const auto names = observable_names(run.scenario);
  for (std::size_t o = 0; o < names.size(); ++o)
    write_numbers(group, {names[o], meaning_of(run.scenario, o), unit_of(run.scenario, names[o])}, members,
                  run.observable(o));
}

/// How members ended.
void write_ends(hid_t root, const RunData& run, const Axes& members) {
  const auto& scenario = run.scenario;
  write_names(write_codes(root, {"status", "how the member ended, as a code"}, members, to_codes(run.status())),
              scenario::statuses.names());
  write_numbers(root, {"stop_time", "time at which the member stopped", unit_of(scenario, "t")}, members,
                run.stop_time());
  if (has_flags(scenario)) {
    write_numbers(root, {"residual", "by how much the laws of the step that was not solved are missed"}, members,
                  run.residual());
    write_names(write_codes(root, {"flags", "flags of the member, a bit each"}, members, run.flags()), flag_names());
  }
  if (!scenario.classes.empty())
    write_names(write_codes(root, {"class", "class of the member, as a code"}, members, run.classes),
                class_names(scenario));
}

void write_all(hid_t file, const RunData& run) {
  write_attributes(file, run);
  if (!keeps_members(run.scenario)) {
    write_grid(file, run);
    write_sweep(file, run);
    write_trajectories(file, run);
    checked(H5Fflush(file, H5F_SCOPE_LOCAL));
    return;
  }
  Axis member(file, {"member", "members, from 0; an axis without numbers"},
              static_cast<std::size_t>(run.scenario.ensemble.members));
  const Axes members = {&member};
  write_parameters(file, run, members);
  write_grid(file, run);
  write_sweep(file, run);
  write_observables(file, run, members);
  write_ends(file, run, members);
  write_trajectories(file, run);
  member.close();
  checked(H5Fflush(file, H5F_SCOPE_LOCAL));  // so that a refusal finds the file open
}

void write_file(const std::filesystem::path& path, const RunData& run) {
  const Handle plist = make_plist(H5P_FILE_CREATE);
  checked(H5Pset_obj_track_times(plist, false));
  checked(H5Pset_link_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  const Handle access = make_plist(H5P_FILE_ACCESS);
  // names and layouts have checksums since, and take less room
  checked(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, plist, access), H5Fclose);
  write_all(file, run);
  file.close();
}

}  // namespace

void write_results(const std::filesystem::path& file, const RunData& run) {
  const QuietHdf5 quiet;
  try {
    write_file(file, run);
  } catch (const Refused& refused) {
    throw SystemError("cannot write " + file.string() + ": " + refused.reason);
  }
  seal_results(file, run.identity);
}

std::int64_t member_bytes(const scenario::Scenario& scenario) {
  // and stop_time
  const std::size_t columns = varying_parameters(scenario).size() + observable_names(scenario).size() + 1;
  // residual and flags
  const std::size_t joint = has_flags(scenario) ? 9 : 0;
  return static_cast<std::int64_t>(8 * columns + (scenario.classes.empty() ? 1 : 2) + joint);
}

std::int64_t results_bytes(const scenario::Scenario& scenario) {
  constexpr double dataset_bytes = 500;  // measured: its name, shape, axes, unit and meaning
  const double columns = static_cast<double>(member_bytes(scenario)) / 8;
  const auto kept = keeps_members(scenario) ? static_cast<double>(scenario.ensemble.members) : 0;
  const auto recorded = static_cast<double>(std::min(scenario.record.members, scenario.ensemble.members));
  const std::int64_t nodes = recorded > 0 ? scenario.steps / scenario.record.every + 1 : 0;
  return count_bytes(kept * static_cast<double>(member_bytes(scenario)) +
                     recorded * static_cast<double>(nodes) * static_cast<double>(8 * count_states(scenario) + 1) +
                     dataset_bytes * columns);
}

}  // namespace conesweep::io
