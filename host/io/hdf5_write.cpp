#include "io/hdf5_write.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <cstdio>

#include "support/error.hpp"

namespace conesweep::io {

namespace {

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

Handle make_dataset(hid_t parent, const Label& label, hid_t type, const std::vector<hsize_t>& extents, hid_t plist) {
  checked(H5Pset_obj_track_times(plist, false));
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose);
  Handle dataset(H5Dcreate2(parent, label.name.c_str(), type, space, H5P_DEFAULT, plist, H5P_DEFAULT), H5Dclose);
  write_text(dataset, "long_name", label.meaning);
  write_text(dataset, "units", label.unit.empty() ? "1" : label.unit);
  return dataset;
}

// in blocks with a checksum each, which every reader of HDF5 looks at
Handle write_blocks(hid_t parent, const Label& label, const std::vector<hsize_t>& extents, Type type,
                    const void* data) {
  const std::vector<hsize_t> blocks = choose_blocks(extents);
  const Handle plist = make_plist(H5P_DATASET_CREATE);
  // beyond the last entry of the last block, too: equal results are equal files
  checked(H5Pset_fill_time(plist, H5D_FILL_TIME_ALLOC));
  checked(H5Pset_chunk(plist, static_cast<int>(blocks.size()), blocks.data()));
  checked(H5Pset_fletcher32(plist));
  Handle dataset = make_dataset(parent, label, type.file, extents, plist);
  checked(H5Dwrite(dataset, type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  return dataset;
}

/// Strings of any length: HDF5 keeps their bytes in the file's heap, so that the 64 KiB of an object's header do not
/// bound them.
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

// entries of a dataset over these axes
std::size_t span_of(const Axes& axes) {
  std::size_t entries = 1;
  for (const Axis* axis : axes) entries *= axis->length();
  return entries;
}

constexpr char notes_name[] = "REFERENCE_LIST";  // of a scale, as HDF5's dimension scales have it

}  // namespace

Handle make_plist(hid_t kind) { return {H5Pcreate(kind), H5Pclose}; }

Handle make_group(hid_t parent, const char* name) {
  const Handle plist = make_plist(H5P_GROUP_CREATE);
  checked(H5Pset_obj_track_times(plist, false));
  // as in the scenario, not by alphabet
  checked(H5Pset_link_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return {H5Gcreate2(parent, name, H5P_DEFAULT, plist, H5P_DEFAULT), H5Gclose};
}

Type double_type() { return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE}; }
Type int64_type() { return {H5T_NATIVE_INT64, H5T_STD_I64LE}; }
Type uint64_type() { return {H5T_NATIVE_UINT64, H5T_STD_U64LE}; }
Type byte_type() { return {H5T_NATIVE_UINT8, H5T_STD_U8LE}; }

void write_attribute(hid_t object, const char* name, Type type, hid_t space, const void* data) {
  Handle attribute(H5Acreate2(object, name, type.file, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  checked(H5Awrite(attribute, type.memory, data));
  attribute.close();
}

void write_text(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type();
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* const data = text.c_str();
  write_attribute(object, name, {type, type}, space, &data);
}

void write_names(hid_t object, const std::vector<std::string>& names) {
  const Handle type = text_type();
  const hsize_t count = names.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  std::vector<const char*> data;
  for (const auto& name : names) data.push_back(name.c_str());
  write_attribute(object, "names", {type, type}, space, data.data());
}

// A dataset that is never written takes no room. Its type and the name of the scale are those by which netCDF knows a
// dimension that is no variable.
Axis::Axis(hid_t group, const Label& label, std::size_t length)
    : scale_(make_dataset(group, label, H5T_IEEE_F32BE, {length}, make_plist(H5P_DATASET_CREATE))), length_(length) {
  char name[80];
  std::snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable.%10zu", length);
  checked(H5DSset_scale(scale_, name));
}

Axis::Axis(hid_t group, const Label& label, const std::vector<double>& numbers)
    : scale_(write_blocks(group, label, {numbers.size()}, double_type(), numbers.data())), length_(numbers.size()) {
  checked(H5DSset_scale(scale_, label.name.c_str()));
}

void Axis::attach(hid_t dataset, unsigned k) {
  checked(H5DSattach_scale(dataset, scale_, k));
  take_note();
}

// HDF5 reads and writes all notes for each dataset it adds, with the bytes between their numbers as they come: time and
// holes in the file would grow with the square of the datasets, and equal results would not be equal files. So each
// note is taken out as it is made, and all are put back in the end.
void Axis::take_note() {
  Handle attribute(H5Aopen(scale_, notes_name, H5P_DEFAULT), H5Aclose);
  if (!note_type_) note_type_.emplace(H5Aget_type(attribute), H5Tclose);
  const std::size_t bytes = H5Tget_size(*note_type_), begin = notes_.size();
  std::vector<char> note(bytes);
  checked(H5Aread(attribute, *note_type_, note.data()));
  notes_.resize(begin + bytes);
  for (unsigned part = 0, parts = static_cast<unsigned>(checked(H5Tget_nmembers(*note_type_))); part < parts; ++part) {
    const Handle type(H5Tget_member_type(*note_type_, part), H5Tclose);
    const std::size_t offset = H5Tget_member_offset(*note_type_, part);
    std::copy_n(note.data() + offset, H5Tget_size(type), notes_.data() + begin + offset);
  }
  attribute.close();
  checked(H5Adelete(scale_, notes_name));
}

void Axis::close() {
  if (note_type_) {
    const hsize_t count = notes_.size() / H5Tget_size(*note_type_);
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    write_attribute(scale_, notes_name, {*note_type_, *note_type_}, space, notes_.data());
  }
  scale_.close();
}

Handle write_dataset(hid_t parent, const Label& label, const Axes& axes, Type type, const void* data) {
  std::vector<hsize_t> extents;
  for (const Axis* axis : axes) extents.push_back(axis->length());
  Handle dataset = write_blocks(parent, label, extents, type, data);
  for (std::size_t k = 0; k < axes.size(); ++k) axes[k]->attach(dataset, static_cast<unsigned>(k));
  return dataset;
}

void write_numbers(hid_t parent, const Label& label, const Axes& axes, const std::vector<double>& numbers) {
  CS_ASSERT(numbers.size() == span_of(axes));
  write_dataset(parent, label, axes, double_type(), numbers.data()).close();
}

Handle write_codes(hid_t parent, const Label& label, const Axes& axes, const std::vector<std::uint8_t>& codes) {
  CS_ASSERT(codes.size() == span_of(axes));
  return write_dataset(parent, label, axes, byte_type(), codes.data());
}

}  // namespace conesweep::io
