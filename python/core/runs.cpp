#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "arrays.hpp"
#include "bindings.hpp"
#include "conesweep/conesweep.hpp"
#include "listening.hpp"

namespace conesweep::python {
namespace {

/// Runs into a folder; is what `until` asked for reached?
bool run_scenario(const Scenario& scenario, RunOptions options, nb::object progress, nb::object message) {
  Listening listening(std::move(progress), std::move(message));
  listening.connect(options);
  options.columns = false;  // the folder has them
  return listening.wait_for([&] { return run(scenario, options).reached; });
}

void bind_tracks(nb::module_& module) {
  nb::class_<Tracks>(module, "Tracks")
      .def_ro("names", &Tracks::names)
      .def("time", [](const Tracks& tracks) { return to_array(tracks.time); })
      .def("column",
           [](const Tracks& tracks, std::size_t number) {
             return to_array(tracks.columns.at(number), {static_cast<std::size_t>(tracks.members), tracks.time.size()});
           })
      .def("mode", [](const Tracks& tracks) {
        return to_array(tracks.mode, {static_cast<std::size_t>(tracks.members), tracks.time.size()});
      });
}

}  // namespace

void bind_runs(nb::module_& module) {
  nb::class_<Execution>(module, "Execution")
      .def(nb::init<>())
      .def_rw("backend", &Execution::backend)
      .def_rw("threads", &Execution::threads)
      .def_rw("devices", &Execution::devices)
      .def_rw("precision", &Execution::precision)
      .def_rw("chunk", &Execution::chunk);
  nb::class_<RunOptions, Execution>(module, "RunOptions")
      .def(nb::init<>())
      .def_rw("until", &RunOptions::until)
      .def_rw("most", &RunOptions::most, nb::arg().none())
      .def_rw("step_check", &RunOptions::step_check)
      .def_rw("out", &RunOptions::out)
      .def_rw("resume", &RunOptions::resume)
      .def_rw("force", &RunOptions::force)
      .def_rw("watch", &RunOptions::watch);
  module.def("run", run_scenario, nb::arg("scenario"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none());
  bind_tracks(module);
  nb::class_<FinishedRun>(module, "FinishedRun")
      .def_static("open", &FinishedRun::open)
      .def_prop_ro("summary", &FinishedRun::summary)
      .def_prop_ro("scenario", &FinishedRun::scenario)
      .def_prop_ro("members", &FinishedRun::members)
      .def_prop_ro("has_members", &FinishedRun::has_members)
      .def_prop_ro("parameters", &FinishedRun::parameters)
      .def_prop_ro("observables", &FinishedRun::observables)
      .def_prop_ro("class_names", &FinishedRun::class_names)
      .def("parameter", [](const FinishedRun& run, const std::string& name) { return to_array(run.parameter(name)); })
      .def("observable", [](const FinishedRun& run, const std::string& name) { return to_array(run.observable(name)); })
      .def("status", [](const FinishedRun& run) { return to_array(run.status()); })
      .def("stop_time", [](const FinishedRun& run) { return to_array(run.stop_time()); })
      .def("flags", [](const FinishedRun& run) { return to_array(run.flags()); })
      .def("unit", &FinishedRun::unit)
      .def("meaning", &FinishedRun::meaning)
      .def("class_of", [](const FinishedRun& run) { return to_array(run.class_of()); })
      .def("tracks", &FinishedRun::tracks);
  module.def("version", &version);
}

}  // namespace conesweep::python
