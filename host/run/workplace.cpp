#include "run/workplace.hpp"

#include "executor/cuda/cuda_executor.hpp"

namespace conesweep::runs {

Workplace::Workplace(const scenario::Scenario& scenario, const Request& request, Listener& listener)
    : model(executor::make_model(request.backend, scenario, request.execution, reason)),
      engine(model->traits().on_device ? statistics::make_cuda_or_cpu_engine(
                                             [&listener](const std::string& why) { listener.note(why); },
                                             executor::cuda::first_device(request.execution), request.execution.threads)
                                       : statistics::make_cpu_engine(request.execution.threads)) {}

}  // namespace conesweep::runs
