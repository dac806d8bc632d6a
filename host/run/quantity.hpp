#pragma once

#include <cstddef>
#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::runs {

/// Something that members have a mean of: an observable, or a class, whose mean is its share.
struct Quantity {
  std::string name;        // of an observable, or class.<name>
  std::size_t number = 0;  // of the observable, or the class's code
  bool of_class = false;
};

/// `name` is an observable, a class, or class.<name>, should an observable be called like it. InputError, which names
/// the setting that asks for it, where nothing has that name.
Quantity find_quantity(const Setting& asked_by, const std::string& name, const scenario::Scenario& scenario);

}  // namespace conesweep::runs
