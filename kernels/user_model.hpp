#pragma once

#include <conesweep/chunk/job.hpp>

namespace conesweep::user {

/// All members of a job whose columns lie on the host, stepped on the current CUDA device by the model of
/// user_model.cu. Throws std::runtime_error where CUDA refuses.
void run_slider(const chunk::Job<double>& job);

}  // namespace conesweep::user
