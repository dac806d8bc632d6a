#include "io/results_reader.hpp"

#include <algorithm>
#include <optional>

#include "io/hdf5.hpp"
#include "io/seal.hpp"
#include "support/error.hpp"

namespace conesweep::io {

// A file may stay open for long, and be read by several threads: HDF5 is theirs only while they read.
struct ResultsReader::File {
  std::string name;
  std::optional<Handle> opened;

  explicit File(const std::filesystem::path& path) : name(path.string()) {
    const QuietHdf5 quiet;
    opened.emplace(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  }
  ~File() {
    const QuietHdf5 quiet;
    opened.reset();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  template <class Body>
  auto read(const Body& body) const {
    const QuietHdf5 quiet;
    try {
      return body();
    } catch (const Refused& refused) {
      throw SystemError("cannot read " + name + ": " + refused.reason);
    }
  }

  std::vector<std::string> list(const char* group_name) const {
    const Handle group(H5Gopen2(*opened, group_name, H5P_DEFAULT), H5Gclose);
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* link, const H5L_info_t*, void* data) -> herr_t {
      static_cast<std::vector<std::string>*>(data)->emplace_back(link);
      return 0;
    };
    checked(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, visit, &names));
    return names;
  }

  bool has(const std::string& path) const { return checked(H5Lexists(*opened, path.c_str(), H5P_DEFAULT)) > 0; }

  template <class T>
  std::vector<T> column(const std::string& path, hid_t type) const {
    const auto lengths = shape(path);
    if (lengths.size() != 1) throw Refused{path + " is no column"};
    return rows<T>(path, type, {0, static_cast<std::int64_t>(lengths[0])});
  }

  // Numbers, with as many bytes in the file as they take: what is said to be there is read into memory.
  std::vector<hsize_t> shape(const std::string& path) const {
    const Handle dataset(H5Dopen2(*opened, path.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
    const H5T_class_t kind = H5Tget_class(type);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) throw Refused{path + " holds no numbers"};
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE) throw Refused{path + " is of another shape"};
    const auto count = static_cast<hsize_t>(checked(H5Sget_simple_extent_npoints(space)));
    if (count > H5Dget_storage_size(dataset) / H5Tget_size(type))
      throw Refused{path + " is larger than what is stored of it"};
    return extents(dataset);
  }

  void demand_shape(const std::string& path, const std::vector<hsize_t>& wanted) const {
    if (shape(path) != wanted) throw Refused{path + " is of another size"};
  }

  std::vector<hsize_t> extents(hid_t dataset) const {
    const Handle space(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> lengths(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space))));
    checked(H5Sget_simple_extent_dims(space, lengths.data(), nullptr));
    return lengths;
  }

  // rows of the first axis, with all entries of the others
  template <class T>
  std::vector<T> rows(const std::string& path, hid_t type, MemberRange range) const {
    const Handle dataset(H5Dopen2(*opened, path.c_str(), H5P_DEFAULT), H5Dclose);
    std::vector<hsize_t> count = extents(dataset), first(count.size(), 0);
    if (count.empty() || range.first < 0 || range.count < 0 || static_cast<hsize_t>(range.end()) > count[0])
      throw Refused{path + " is of another size"};
    first[0] = static_cast<hsize_t>(range.first);
    count[0] = static_cast<hsize_t>(range.count);
    const Handle space(H5Dget_space(dataset), H5Sclose),
        memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr));
    std::vector<T> values(static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(memory))));
    checked(H5Dread(dataset, type, memory, space, H5P_DEFAULT, values.data()));
    return values;
  }

  // coordinates, then velocities
  std::vector<std::string> tracks() const {
    std::vector<std::string> names = list("trajectories");
    std::erase_if(names, [](const std::string& link) {
      return link == "time" || link == "member" || link == "recorded" || link == "mode";
    });
    return names;
  }

  // what the codes of a dataset mean
  std::vector<std::string> names(const std::string& path) const {
    const Handle dataset(H5Dopen2(*opened, path.c_str(), H5P_DEFAULT), H5Dclose);
    return texts(dataset, path, "names", 1);
  }

  std::string text(const std::string& path, const char* attribute) const {
    const Handle dataset(H5Dopen2(*opened, path.c_str(), H5P_DEFAULT), H5Dclose);
    return checked(H5Aexists(dataset, attribute)) > 0 ? texts(dataset, path, attribute, 0).at(0) : std::string();
  }

  // with one axis, or one text alone, without any
  std::vector<std::string> texts(hid_t dataset, const std::string& path, const std::string& called, int axes) const {
    const Handle attribute(H5Aopen(dataset, called.c_str(), H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (checked(H5Tis_variable_str(type)) == 0 ||
        H5Sget_simple_extent_type(space) != (axes == 0 ? H5S_SCALAR : H5S_SIMPLE) ||
        checked(H5Sget_simple_extent_ndims(space)) != axes)
      throw Refused{called + " of " + path + " are of another kind"};
    std::vector<char*> texts(static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space))), nullptr);
    checked(H5Aread(attribute, type, texts.data()));
    std::vector<std::string> all;
    for (char* text : texts) {
      all.emplace_back(text == nullptr ? "" : text);
      H5free_memory(text);
    }
    return all;
  }

  // a member a row; a recorded member a row, with a number each time
  void demand_members(hsize_t members, const std::vector<std::string>& parameters,
                      const std::vector<std::string>& observables) const {
    for (const std::string& one : parameters) demand_shape("/parameters/" + one, {members});
    for (const std::string& one : observables) demand_shape("/observables/" + one, {members});
    for (const char* path : {"/status", "/stop_time", "/residual", "/flags", "/class"})
      if (has(path)) demand_shape(path, {members});
  }
  void demand_tracks() const {
    if (!has("/trajectories")) return;
    const auto times = shape("/trajectories/time"), members = shape("/trajectories/member");
    if (times.size() != 1 || members.size() != 1 || times[0] == 0 || members[0] == 0)
      throw Refused{"/trajectories is of another size"};
    for (const std::string& one : tracks()) demand_shape("/trajectories/" + one, {members[0], times[0]});
    demand_shape("/trajectories/mode", {members[0], times[0]});
  }
};

ResultsReader::ResultsReader(const std::filesystem::path& file) : identity_(check_seal(file)) {
  const QuietHdf5 quiet;
  try {
    file_ = std::make_unique<File>(file);
    file_->demand_tracks();
    has_members_ = file_->has("status");
    if (!has_members_) return;
    parameters_ = file_->list("parameters");
    observables_ = file_->list("observables");
    members_ = length("/status");
    file_->demand_members(static_cast<hsize_t>(members_), parameters_, observables_);
  } catch (const Refused& refused) {
    throw SystemError("cannot read " + file.string() + ": " + refused.reason);
  }
}

ResultsReader::~ResultsReader() = default;

std::vector<double> ResultsReader::parameter(const std::string& name) const {
  return file_->read([&] { return file_->column<double>("/parameters/" + name, H5T_NATIVE_DOUBLE); });
}

std::vector<double> ResultsReader::observable(const std::string& name) const {
  return file_->read([&] { return file_->column<double>("/observables/" + name, H5T_NATIVE_DOUBLE); });
}

std::vector<executor::Status> ResultsReader::status() const {
  static_assert(sizeof(executor::Status) == 1);
  auto status = file_->read([&] { return file_->column<executor::Status>("/status", H5T_NATIVE_UINT8); });
  if (std::any_of(status.begin(), status.end(),
                  [](executor::Status code) { return static_cast<int>(code) >= executor::status_count; }))
    throw SystemError("cannot read " + file_->name + ": it has a status that this version does not know");
  return status;
}

ResultsReader::Classes ResultsReader::classes() const {
  return file_->read([&]() -> Classes {
    if (!file_->has("class")) return {};
    Classes found{file_->column<std::uint8_t>("/class", H5T_NATIVE_UINT8), file_->names("/class")};
    for (const std::uint8_t code : found.codes)
      if (code >= found.names.size()) throw Refused{"it has a class without a name"};
    return found;
  });
}

ResultsReader::Recorded ResultsReader::recorded(std::size_t most) const {
  return file_->read([&]() -> Recorded {
    if (!file_->has("trajectories")) return {};
    const std::string group = "/trajectories/";
    Recorded found;
    found.time = file_->column<double>(group + "time", H5T_NATIVE_DOUBLE);
    found.members = std::min(most, file_->column<std::int64_t>(group + "member", H5T_NATIVE_INT64).size());
    found.names = file_->tracks();
    const MemberRange first = {0, static_cast<std::int64_t>(found.members)};
    for (const std::string& name : found.names)
      found.columns.push_back(file_->rows<double>(group + name, H5T_NATIVE_DOUBLE, first));
    found.mode = file_->rows<std::uint8_t>(group + "mode", H5T_NATIVE_UINT8, first);
    return found;
  });
}

bool ResultsReader::has(const std::string& path) const {
  return file_->read([&] { return file_->has(path); });
}

std::int64_t ResultsReader::length(const std::string& path) const {
  return file_->read([&] {
    const auto lengths = file_->shape(path);
    if (lengths.empty()) throw Refused{path + " has no axis"};
    return static_cast<std::int64_t>(lengths[0]);
  });
}

std::vector<double> ResultsReader::numbers(const std::string& path, MemberRange rows) const {
  return file_->read([&] { return file_->rows<double>(path, H5T_NATIVE_DOUBLE, rows); });
}

std::vector<std::int64_t> ResultsReader::whole_numbers(const std::string& path, MemberRange rows) const {
  return file_->read([&] { return file_->rows<std::int64_t>(path, H5T_NATIVE_INT64, rows); });
}

std::vector<std::uint8_t> ResultsReader::codes(const std::string& path, MemberRange rows) const {
  return file_->read([&] { return file_->rows<std::uint8_t>(path, H5T_NATIVE_UINT8, rows); });
}

std::vector<std::string> ResultsReader::names(const std::string& path) const {
  return file_->read([&] { return file_->names(path); });
}

std::string ResultsReader::text(const std::string& path, const char* attribute) const {
  return file_->read([&] { return file_->text(path, attribute); });
}

std::vector<std::string> ResultsReader::tracks() const {
  return file_->read([&] { return file_->tracks(); });
}

}  // namespace conesweep::io
