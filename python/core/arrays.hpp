#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Columns as numpy sees them, without a copy.
namespace conesweep::python {

namespace nb = nanobind;

/// What a caller gives to read, and to write into: as it lies there, never a converted copy.
template <class T, int Axes>
using Given = nb::ndarray<T, nb::ndim<Axes>, nb::c_contig, nb::device::cpu>;

template <class... What>
auto as_span(const nb::ndarray<What...>& array) {
  return std::span(array.data(), array.size());
}

/// A column that belongs to the array, of the shape that is given.
template <class T>
nb::object to_array(std::vector<T> column, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(column));
  const nb::capsule owner(owned.get(), [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned.release()->data(), shape, owner));
}
template <class T>
nb::object to_array(std::vector<T> column) {
  const std::size_t length = column.size();
  return to_array(std::move(column), {length});
}

}  // namespace conesweep::python
