#include "conesweep/studies.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "listening.hpp"

/// Studies hand over what their --json prints; Python reads it.
namespace conesweep::python {
namespace {

template <class Options, class Study>
auto study(const Scenario& scenario, Options options, const Study& work, nb::object progress, nb::object message) {
  Listening listening(std::move(progress), std::move(message));
  listening.connect(options);
  return listening.wait_for([&] { return work(scenario, options); });
}

template <class Options, class Study>
void bind_study(nb::module_& module, const char* name, Study work) {
  module.def(
      name,
      [work](const Scenario& scenario, Options options, nb::object progress, nb::object message) {
        return study(scenario, std::move(options), work, std::move(progress), std::move(message));
      },
      nb::arg("scenario"), nb::arg("options"), nb::arg("progress").none(), nb::arg("message").none());
}

void bind_options(nb::module_& module) {
  nb::class_<SensitivityOptions, Execution>(module, "SensitivityOptions")
      .def(nb::init<>())
      .def_rw("method", &SensitivityOptions::method)
      .def_rw("second_order", &SensitivityOptions::second_order)
      .def_rw("levels", &SensitivityOptions::levels)
      .def_rw("until", &SensitivityOptions::until)
      .def_rw("most", &SensitivityOptions::most, nb::arg().none())
      .def_rw("watch", &SensitivityOptions::watch)
      .def_rw("out", &SensitivityOptions::out)
      .def_rw("resume", &SensitivityOptions::resume)
      .def_rw("force", &SensitivityOptions::force);
  nb::class_<ConvergeOptions, Execution>(module, "ConvergeOptions")
      .def(nb::init<>())
      .def_rw("levels", &ConvergeOptions::levels)
      .def_rw("observables", &ConvergeOptions::observables)
      .def_rw("out", &ConvergeOptions::out)
      .def_rw("force", &ConvergeOptions::force);
  nb::class_<MlmcOptions, Execution>(module, "MlmcOptions")
      .def(nb::init<>())
      .def_rw("observable", &MlmcOptions::observable)
      .def_rw("rmse", &MlmcOptions::rmse)
      .def_rw("levels_max", &MlmcOptions::levels_max)
      .def_rw("members_max", &MlmcOptions::members_max)
      .def_rw("out", &MlmcOptions::out)
      .def_rw("force", &MlmcOptions::force);
  nb::class_<CompareOptions, Execution>(module, "CompareOptions")
      .def(nb::init<>())
      .def_rw("backends", &CompareOptions::backends)
      .def_rw("members", &CompareOptions::members, nb::arg().none())
      .def_rw("tolerance", &CompareOptions::tolerance, nb::arg().none())
      .def_rw("grazing", &CompareOptions::grazing)
      .def_rw("judge", &CompareOptions::judge)
      .def_rw("bits", &CompareOptions::bits);
}

std::string plan_run(const Scenario& scenario, const Execution& execution, nb::object message) {
  Listening listening(nb::none(), std::move(message));
  PlanOptions options;
  listening.connect(options);
  options.threads = execution.threads;
  options.precision = execution.precision;
  options.devices = execution.devices;
  options.chunk = execution.chunk;
  return listening.wait_for([&] { return plan(scenario, options).json; });
}

std::string trace_member(const Scenario& scenario, std::int64_t member, std::int64_t every) {
  Listening listening;
  const TraceOptions options{member, every, listening.cancel()};
  return listening.wait_for([&] { return trace(scenario, options); });
}

}  // namespace

void bind_studies(nb::module_& module) {
  bind_options(module);
  bind_study<SensitivityOptions>(module, "sensitivity",
                                 [](const Scenario& scenario, const SensitivityOptions& options) {
                                   return find_sensitivities(scenario, options).json;
                                 });
  bind_study<ConvergeOptions>(module, "converge", [](const Scenario& scenario, const ConvergeOptions& options) {
    return converge(scenario, options).json;
  });
  bind_study<MlmcOptions>(module, "mlmc", [](const Scenario& scenario, const MlmcOptions& options) {
    return mlmc(scenario, options).json;
  });
  bind_study<CompareOptions>(module, "compare", [](const Scenario& scenario, const CompareOptions& options) {
    return compare(scenario, options).json;
  });
  module.def("plan", plan_run, nb::arg("scenario"), nb::arg("execution"), nb::arg("message").none());
  module.def("trace", trace_member, nb::arg("scenario"), nb::arg("member"), nb::arg("every"));
}

}  // namespace conesweep::python
