#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::model {

/// The headers of include/conesweep that generated code may include, by their path as it stands in an #include.
const std::map<std::string, std::string>& embedded_headers();

/// `text` with every #include of our headers replaced by the header, each once: one text that needs no include path.
std::string inline_headers(const std::string& text);

/// A complete unit for the host compiler: the model of a problem whose members differ by `columns`, and functions that
/// the cpu executor looks up by name.
std::string make_cpu_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single);

/// Another one for members that stopped, which has them step again with every step checked: most runs have none, and
/// are spared its compilation.
std::string make_diagnosis_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single);

/// One for judges: members step as there, and tell the velocity after every part of a step (step/tell.hpp).
std::string make_telling_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single);

/// A complete unit for NVRTC or nvcc: the model and its kernels (kernels/advance.cuh).
struct CudaUnit {
  std::string text;
  long ring_columns = 0;  // numbers a node leaves in the ring; 0: no history
};
CudaUnit make_cuda_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single);

}  // namespace conesweep::model
