#include "conesweep/model.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "listening.hpp"

namespace conesweep::python {
namespace {

/// A model, but not in a process that was forked from that which made it: its threads are not there, so it is never
/// called or destroyed there.
class HeldModel {
 public:
  explicit HeldModel(Model model) : model_(std::make_unique<Model>(std::move(model))) {}
  HeldModel(HeldModel&&) = default;
  ~HeldModel() {
    if (!is_ours()) static_cast<void>(model_.release());
  }

  bool is_ours() const { return getpid() == maker_; }
  const Model& get() const { return *model_; }

 private:
  std::unique_ptr<Model> model_;
  pid_t maker_ = getpid();
};

HeldModel compile_scenario(const Scenario& scenario, const Execution& execution,
                           std::optional<std::vector<std::string>> columns, nb::object message) {
  Listening listening(nb::none(), std::move(message));
  CompileOptions options;
  listening.connect(options);
  options.backend = execution.backend;
  options.precision = execution.precision;
  options.threads = execution.threads;
  options.devices = execution.devices;
  options.columns = std::move(columns);
  return HeldModel(listening.wait_for([&] { return compile(scenario, options); }));
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Call>(module, "Call")
      .def(nb::init<>())
      .def_rw("set", &Call::set)
      .def_rw("end", &Call::end)
      .def_rw("step", &Call::step);
  nb::class_<HeldModel>(module, "Model")
      .def_prop_ro("columns", [](const HeldModel& model) { return model.get().columns(); })
      .def_prop_ro("observables", [](const HeldModel& model) { return model.get().observables(); })
      .def_prop_ro("backend", [](const HeldModel& model) { return model.get().backend(); })
      .def_prop_ro("device", [](const HeldModel& model) { return model.get().device(); })
      .def(
          "run",
          [](const HeldModel& model, Call call, const Given<const double, 2>& parameters,
             const Given<double, 2>& observables, const Given<std::uint8_t, 1>& status,
             const Given<double, 1>& stop_time) {
            Listening listening;
            call.count = static_cast<std::int64_t>(status.size());
            call.parameters = as_span(parameters);
            call.observables = as_span(observables);
            call.status = as_span(status);
            call.stop_time = as_span(stop_time);
            call.cancel = listening.cancel();
            listening.wait_for([&] { return model.get().run(call), true; });
          },
          nb::arg("call"), nb::arg("parameters").noconvert(), nb::arg("observables").noconvert(),
          nb::arg("status").noconvert(), nb::arg("stop_time").noconvert());
  module.def("compile", compile_scenario, nb::arg("scenario"), nb::arg("execution"), nb::arg("columns").none(),
             nb::arg("message").none());
  module.def("status_names", &status_names);
  module.def("mode_names", &mode_names);
  module.def("flag_names", &flag_names);
  module.def("status_advice", &status_advice);
}

}  // namespace conesweep::python
