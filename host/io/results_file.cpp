#include "io/results_file.hpp"

#include <algorithm>
#include <string>

#include "io/hdf5.hpp"
#include "io/seal.hpp"
#include "io/version.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace conesweep::io {

namespace {

using executor::Status;

Handle make_plist(hid_t kind) { return {H5Pcreate(kind), H5Pclose}; }

Handle make_group(hid_t parent, const char* name) {
  const Handle plist = make_plist(H5P_GROUP_CREATE);
  checked(H5Pset_obj_track_times(plist, false));
  checked(H5Pset_link_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));  // as in the scenario, not by alphabet
  return {H5Gcreate2(parent, name, H5P_DEFAULT, plist, H5P_DEFAULT), H5Gclose};
}

// type in memory and in the file
struct Type {
  hid_t memory;
  hid_t file;
};
Type double_type() { return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE}; }
Type int64_type() { return {H5T_NATIVE_INT64, H5T_STD_I64LE}; }
Type uint64_type() { return {H5T_NATIVE_UINT64, H5T_STD_U64LE}; }
Type byte_type() { return {H5T_NATIVE_UINT8, H5T_STD_U8LE}; }

// About 65 536 entries in a block, and blocks of one length: the last one ends with the data, but for a few entries.
std::vector<hsize_t> choose_blocks(const std::vector<hsize_t>& extents) {
  constexpr hsize_t most = 65536;
  std::vector<hsize_t> blocks(extents.size());
  hsize_t room = most;
  for (std::size_t k = extents.size(); k-- > 0;) {
    const hsize_t pieces = (extents[k] + room - 1) / room;
    blocks[k] = (extents[k] + pieces - 1) / pieces;
    room = std::max<hsize_t>(1, room / blocks[k]);
  }
  return blocks;
}

Handle write_dataset(hid_t parent, const std::string& name, Type type, const std::vector<std::size_t>& shape, const void* data, std::size_t count) {
  std::size_t entries = 1;
  for (const std::size_t extent : shape) entries *= extent;
  CS_ASSERT(entries == count);

  // in blocks with a checksum each, which every reader of HDF5 looks at
  const std::vector<hsize_t> extents(shape.begin(), shape.end()), blocks = choose_blocks(extents);
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  const Handle plist = make_plist(H5P_DATASET_CREATE);
  checked(H5Pset_obj_track_times(plist, false));
  checked(H5Pset_fill_time(plist, H5D_FILL_TIME_ALLOC));  // beyond the last entry of the last block, too: equal results are equal files
  checked(H5Pset_chunk(plist, static_cast<int>(blocks.size()), blocks.data()));
  checked(H5Pset_fletcher32(plist));
  Handle dataset(H5Dcreate2(parent, name.c_str(), type.file, space, H5P_DEFAULT, plist, H5P_DEFAULT), H5Dclose);
  checked(H5Dwrite(dataset, type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  return dataset;
}

void write_numbers(hid_t parent, const std::string& name, const std::vector<double>& numbers, const std::vector<std::size_t>& shape) {
  write_dataset(parent, name, double_type(), shape, numbers.data(), numbers.size()).close();
}

void write_attribute(hid_t object, const char* name, Type type, hid_t space, const void* data) {
  Handle attribute(H5Acreate2(object, name, type.file, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  checked(H5Awrite(attribute, type.memory, data));
  attribute.close();
}

/// Strings of any length: HDF5 keeps their bytes in the file's heap, so that the 64 KiB of an object's header do not bound them.
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void write_text(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type();
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* const data = text.c_str();
  write_attribute(object, name, {type, type}, space, &data);
}

/// What the codes 0, 1, … of a dataset mean.
void write_names(hid_t object, const std::vector<std::string>& names) {
  const Handle type = text_type();
  const hsize_t count = names.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  std::vector<const char*> data;
  for (const auto& name : names) data.push_back(name.c_str());
  write_attribute(object, "names", {type, type}, space, data.data());
}

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

void write_status(hid_t root, const std::vector<Status>& status) {
  static_assert(sizeof(Status) == 1);
  const Handle dataset = write_dataset(root, "status", byte_type(), {status.size()}, status.data(), status.size());
  write_names(dataset, scenario::statuses.names());
}

// bit k of a member's number is the flag with name k
void write_flags(hid_t root, const std::vector<std::uint8_t>& flags) {
  std::vector<std::string> names;
  for (const auto& row : scenario::flags) names.emplace_back(row.name);
  write_names(write_dataset(root, "flags", byte_type(), {flags.size()}, flags.data(), flags.size()), names);
}

void write_trajectories(hid_t root, const RunData& run) {
  const auto members = static_cast<std::size_t>(run.recorded_members());
  const auto times = static_cast<std::size_t>(run.recorded_times());
  if (members == 0) return;
  const Handle group = make_group(root, "trajectories");

  // axes: the first members, every so many nodes
  std::vector<double> time;
  for (std::size_t k = 0; k < times; ++k) time.push_back(run.scenario.time(static_cast<std::int64_t>(k) * run.scenario.record.every));
  write_numbers(group, "time", time, {times});
  std::vector<std::int64_t> member(members);
  for (std::size_t m = 0; m < members; ++m) member[m] = static_cast<std::int64_t>(m);
  write_dataset(group, "member", int64_type(), {members}, member.data(), members).close();

  // coordinates, then velocities
  const auto names = run.trajectory_names();
  for (std::size_t c = 0; c < names.size(); ++c) write_numbers(group, names[c], run.trajectory(c), {members, times});
  const auto modes = run.modes();
  write_names(write_dataset(group, "mode", byte_type(), {members, times}, modes.data(), modes.size()), scenario::modes.names());
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
  std::int64_t apart = members_of_point(scenario);  // members between two levels of an axis
  for (std::size_t v = 0; v < shape.size(); ++v) {
    apart /= shape[v];
    const std::vector<double> column = run.parameter(v);
    std::vector<double> levels;
    for (std::int64_t level = 0; level < shape[v]; ++level) levels.push_back(column[static_cast<std::size_t>(level * apart)]);
    write_numbers(group, scenario.names.parameters[static_cast<std::size_t>(scenario.vary[v].parameter)], levels, {levels.size()});
  }
  write_shape(group, shape);
}

/// The values of a sweep's parameters; each point of them has as many members as the last entry of the shape says.
void write_sweep(hid_t root, const RunData& run) {
  const auto& scenario = run.scenario;
  if (scenario.sweep.empty()) return;
  const Handle group = make_group(root, "sweep");
  std::vector<std::int64_t> shape;
  for (const auto& axis : scenario.sweep) {
    write_numbers(group, scenario.names.parameters[static_cast<std::size_t>(axis.parameter)], axis.values, {axis.values.size()});
    shape.push_back(static_cast<std::int64_t>(axis.values.size()));
  }
  shape.push_back(members_of_point(scenario));
  write_shape(group, shape);
}

void write_all(hid_t file, const RunData& run) {
  const auto& scenario = run.scenario;
  const auto members = static_cast<std::size_t>(scenario.ensemble.members);

  write_attributes(file, run);
  {
    const Handle group = make_group(file, "parameters");
    const auto varying = varying_parameters(scenario);
    for (std::size_t v = 0; v < varying.size(); ++v)
      write_numbers(group, scenario.names.parameters[static_cast<std::size_t>(varying[v])], run.parameter(v), {members});
  }
  write_grid(file, run);
  write_sweep(file, run);
  {
    const Handle group = make_group(file, "observables");
    const auto names = observable_names(scenario);
    for (std::size_t o = 0; o < names.size(); ++o) write_numbers(group, names[o], run.observable(o), {members});
  }
  write_status(file, run.status());
  write_numbers(file, "stop_time", run.stop_time(), {members});
  if (has_flags(scenario)) write_numbers(file, "residual", run.residual(), {members});
  if (has_flags(scenario)) write_flags(file, run.flags());
  if (!scenario.classes.empty())
    write_names(write_dataset(file, "class", byte_type(), {members}, run.classes.data(), run.classes.size()), class_names(scenario));
  write_trajectories(file, run);
  checked(H5Fflush(file, H5F_SCOPE_LOCAL));  // so that a refusal finds the file open
}

void write_file(const std::filesystem::path& path, const RunData& run) {
  const Handle plist = make_plist(H5P_FILE_CREATE);
  checked(H5Pset_obj_track_times(plist, false));
  checked(H5Pset_link_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  checked(H5Pset_userblock(plist, seal_bytes));
  const Handle access = make_plist(H5P_FILE_ACCESS);
  checked(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));  // names and layouts have checksums since, and take less room
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

std::int64_t results_bytes(const scenario::Scenario& scenario) {
  const auto members = static_cast<double>(scenario.ensemble.members);
  const auto columns = static_cast<double>(varying_parameters(scenario).size() + observable_names(scenario).size() + 1);  // and stop_time
  const auto recorded = static_cast<double>(std::min(scenario.record.members, scenario.ensemble.members));
  const double nodes = recorded > 0 ? static_cast<double>(scenario.steps / scenario.record.every + 1) : 0;
  const double joint = has_flags(scenario) ? 9 : 0;  // residual and flags
  return count_bytes(members * (8 * columns + (scenario.classes.empty() ? 1 : 2) + joint) + recorded * nodes * (16 * scenario.dimension() + 1));
}

}  // namespace conesweep::io
