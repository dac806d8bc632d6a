#include "bindings.hpp"

NB_MODULE(_core, module) {
  namespace python = conesweep::python;
  python::bind_scenario(module);
  python::bind_runs(module);
  python::bind_model(module);
  python::bind_studies(module);
  python::bind_figures(module);
}
