#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5.hpp"

/// Groups, datasets with named axes and attributes, as HDF5's and netCDF's readers expect them. No object has a time,
/// so that equal contents are equal bytes.
namespace conesweep::io {

Handle make_plist(hid_t kind);
Handle make_group(hid_t parent, const char* name);

/// Type in memory and in the file.
struct Type {
  hid_t memory;
  hid_t file;
};
Type double_type();
Type int64_type();
Type uint64_type();
Type byte_type();

void write_attribute(hid_t object, const char* name, Type type, hid_t space, const void* data);
void write_text(hid_t object, const char* name, const std::string& text);
// what the codes 0, 1, … of a dataset mean: attribute `names`
void write_names(hid_t object, const std::vector<std::string>& names);

/// What a dataset is called, what it means, and what it is measured in; without a unit it is a pure number.
struct Label {
  std::string name;
  std::string meaning;
  std::string unit = {};
};

/// A named axis of datasets: a dimension scale of HDF5, a dimension of netCDF.
class Axis {
 public:
  /// Without numbers of its own, and without a byte for them.
  Axis(hid_t group, const Label& label, std::size_t length);

  /// With numbers, which are a dataset of the axis' name.
  Axis(hid_t group, const Label& label, const std::vector<double>& numbers);

  std::size_t length() const { return length_; }

  /// The k-th axis of a dataset is this one.
  void attach(hid_t dataset, unsigned k);

  /// After the last dataset.
  void close();

 private:
  void take_note();

  Handle scale_;
  std::size_t length_;
  std::vector<char> notes_ = {};  // which datasets have this axis, as HDF5 notes it in the scale
  std::optional<Handle> note_type_ = {};
};

using Axes = std::vector<Axis*>;  // of a dataset, the last one running fastest

/// A dataset over axes, of so many entries as these span.
Handle write_dataset(hid_t parent, const Label& label, const Axes& axes, Type type, const void* data);
void write_numbers(hid_t parent, const Label& label, const Axes& axes, const std::vector<double>& numbers);
Handle write_codes(hid_t parent, const Label& label, const Axes& axes, const std::vector<std::uint8_t>& codes);

}  // namespace conesweep::io
