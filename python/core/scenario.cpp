#include "conesweep/scenario.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>

#include "arrays.hpp"
#include "bindings.hpp"
#include "conesweep/changes.hpp"

namespace conesweep::python {
namespace {

const char* to_name(Problem::Severity severity) {
  switch (severity) {
    case Problem::Severity::error: return "error";
    case Problem::Severity::warning: return "warning";
    case Problem::Severity::note: break;
  }
  return "note";
}

// both are written in Python: they pickle, and have no trace of this module
nb::object written_in_python(const char* name) { return nb::module_::import_("conesweep._problems").attr(name); }

nb::list to_list(const std::vector<Problem>& problems) {
  const nb::object make = written_in_python("Problem");
  nb::list list;
  for (const Problem& one : problems)
    list.append(make(to_name(one.severity), one.file, one.line, one.column, one.length, one.excerpt, one.text, one.hint,
                     one.words()));
  return list;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ScenarioError& error) {
    const nb::object type = written_in_python("InputError");
    PyErr_SetObject(type.ptr(), type(error.what(), to_list(error.problems())).ptr());
  }
}

/// bool, int, float, str, list and dict, as the Python side hands them over.
Value to_value(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int64_t>(value);
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::list>(value)) {
    Value::List list;
    for (const nb::handle one : nb::borrow<nb::list>(value)) list.push_back(to_value(one));
    return list;
  }
  Value::Table table;
  for (const auto& [key, one] : nb::cast<nb::dict>(value))
    table.emplace_back(nb::cast<std::string>(key), to_value(one));
  return table;
}

void bind_changes(nb::module_& module) {
  const auto itself = nb::rv_policy::none;
  nb::class_<Changes>(module, "Changes")
      .def(nb::init<>())
      .def("members", &Changes::members, itself)
      .def("seed", &Changes::seed, itself)
      .def("step", &Changes::step, itself)
      .def("end", &Changes::end, itself)
      .def("keep", &Changes::keep, itself)
      .def("set", &Changes::set, itself)
      .def("vary",
           [](Changes& changes, const std::string& name, const std::string& kind, const std::vector<double>& numbers) {
             changes.vary(name, {kind, numbers});
           })
      .def("write",
           [](Changes& changes, const std::string& key, nb::handle value) { changes.write(key, to_value(value)); })
      .def("erase", &Changes::erase, itself);
}

}  // namespace

void bind_scenario(nb::module_& module) {
  nb::register_exception_translator(translate);
  bind_changes(module);
  // reading tries a thousand members: others may run meanwhile
  using Freely = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Scenario>(module, "Scenario")
      .def_static("read", &Scenario::read, nb::arg("file"), nb::arg("changes"), Freely())
      .def_static("parse", &Scenario::parse, nb::arg("text"), nb::arg("name"), nb::arg("changes"), Freely())
      .def("changed", &Scenario::with, nb::arg("changes"), Freely())
      .def_prop_ro("name", &Scenario::name)
      .def_prop_ro("text", &Scenario::text)
      .def_prop_ro("title", &Scenario::title)
      .def_prop_ro("coordinates", &Scenario::coordinates)
      .def_prop_ro("parameters", &Scenario::parameters)
      .def_prop_ro("varied", &Scenario::varied)
      .def_prop_ro("observables", &Scenario::observables)
      .def_prop_ro("classes", &Scenario::classes)
      .def_prop_ro("members", &Scenario::members)
      .def_prop_ro("seed", &Scenario::seed)
      .def_prop_ro("step", &Scenario::step)
      .def_prop_ro("end", &Scenario::end)
      .def("resolved", &Scenario::resolved)
      .def("problems",
           [](const Scenario& scenario) {
             std::vector<Problem> all = scenario.warnings();
             const std::vector<Problem> notes = scenario.notes();
             all.insert(all.end(), notes.begin(), notes.end());
             return to_list(all);
           })
      .def("draw", [](const Scenario& scenario, std::int64_t first, std::int64_t count) {
        return to_array(scenario.draw(first, count), {scenario.varied().size(), static_cast<std::size_t>(count)});
      });
}

}  // namespace conesweep::python
