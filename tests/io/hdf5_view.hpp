#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include "io/results_reader.hpp"
#include "sample_run.hpp"

namespace conesweep::io {

/// Reads back through the C interface, by paths.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~Reader() { H5Fclose(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::vector<hsize_t> shape(const std::string& path) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    H5Sclose(space);
    H5Dclose(dataset);
    return extents;
  }

  template <class T>
  std::vector<T> read(const std::string& path, hid_t memory, hid_t stored) const {
    std::size_t count = 1;
    for (const hsize_t extent : shape(path)) count *= extent;
    std::vector<T> values(count);
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    EXPECT_GT(H5Tequal(type, stored), 0) << path;
    EXPECT_GE(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << path;
    H5Tclose(type);
    H5Dclose(dataset);
    return values;
  }
  std::vector<double> numbers(const std::string& path) const {
    return read<double>(path, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE);
  }

  template <class T>
  T attribute(const char* name, hid_t memory) const {
    T value{};
    const hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT);
    EXPECT_GE(H5Aread(attribute, memory, &value), 0) << name;
    H5Aclose(attribute);
    return value;
  }

  std::vector<std::string> texts(const std::string& object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    std::vector<char*> words(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(attribute, type, words.data()), 0) << name;
    const std::vector<std::string> result(words.begin(), words.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, words.data());
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
  }

  /// The axis of a dataset: the path of its one scale; empty where it has none.
  std::string axis(const std::string& path, unsigned k) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    std::string name;
    const auto visit = [](hid_t, unsigned, hid_t scale, void* data) -> herr_t {
      char text[200];
      H5Iget_name(scale, text, sizeof text);
      *static_cast<std::string*>(data) += text;
      return 0;
    };
    EXPECT_GE(H5DSiterate_scales(dataset, k, nullptr, visit, &name), 0) << path;
    H5Dclose(dataset);
    return name;
  }

  /// Does HDF5 know a dataset as an axis; as one of this dataset; and how many bytes has it?
  bool is_axis(const std::string& path) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const htri_t is = H5DSis_scale(dataset);
    H5Dclose(dataset);
    return is > 0;
  }
  bool is_attached(const std::string& path, const std::string& scale, unsigned k) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT),
                other = H5Dopen2(file_, scale.c_str(), H5P_DEFAULT);
    const htri_t is = H5DSis_attached(dataset, other, k);
    H5Dclose(other);
    H5Dclose(dataset);
    return is > 0;
  }
  hsize_t bytes(const std::string& path) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hsize_t stored = H5Dget_storage_size(dataset);
    H5Dclose(dataset);
    return stored;
  }

  /// All datasets, by their paths.
  std::vector<std::string> datasets() const {
    std::vector<std::string> paths;
    const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* data) -> herr_t {
      if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(data)->push_back(name);
      return 0;
    };
    EXPECT_GE(H5Ovisit(file_, H5_INDEX_NAME, H5_ITER_INC, visit, &paths), 0);
    return paths;
  }

  /// Names in a group, as they were created.
  std::vector<std::string> members(const std::string& path) const {
    const hid_t group = H5Gopen2(file_, path.c_str(), H5P_DEFAULT);
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
      static_cast<std::vector<std::string>*>(data)->push_back(name);
      return 0;
    };
    EXPECT_GE(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, visit, &names), 0);
    H5Gclose(group);
    return names;
  }

 private:
  hid_t file_;
};

}  // namespace conesweep::io
