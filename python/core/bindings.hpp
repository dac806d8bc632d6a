#pragma once

#include <nanobind/nanobind.h>

/// The library as Python sees it, thin: what is pleasant about it is written in Python, beside it.
namespace conesweep::python {

namespace nb = nanobind;

void bind_scenario(nb::module_& module);
void bind_model(nb::module_& module);
void bind_runs(nb::module_& module);
void bind_studies(nb::module_& module);
void bind_figures(nb::module_& module);

}  // namespace conesweep::python
