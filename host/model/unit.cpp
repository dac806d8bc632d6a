#include "model/unit.hpp"

#include <set>
#include <sstream>

#include "model/generator.hpp"
#include "model/history_plan.hpp"
#include "model/text.hpp"
#include "scenario/islands.hpp"
#include "support/error.hpp"

namespace conesweep::model {
namespace {

constexpr std::string_view cpu_block = R"(#include <conesweep/chunk/cpu_group.hpp>

using conesweep::chunk::Job;
using conesweep::generated::Model;

extern "C" __attribute__((visibility("default"))) bool conesweep_run_members(const Job<@scalar@>* job, long begin, long end) {
  return conesweep::chunk::run_members<@pack@, Model>(*job, begin, end);
}

extern "C" __attribute__((visibility("default"))) long conesweep_members_in_group() {
  return conesweep::chunk::members_in_group<@pack@, Model>;
}
)";

constexpr std::string_view diagnosis_block = R"(#include <conesweep/chunk/cpu_group.hpp>

using conesweep::chunk::Job;
using conesweep::generated::Model;

extern "C" __attribute__((visibility("default"))) void conesweep_diagnose(const Job<@scalar@>* job, long member, conesweep::chunk::Diagnosis* diagnosis) {
  *diagnosis = conesweep::chunk::diagnose<@scalar@, Model>(*job, member);
}
)";

constexpr std::string_view telling_block = R"(#include <conesweep/chunk/cpu_group.hpp>

using conesweep::chunk::Job;
using conesweep::generated::Model;

extern "C" __attribute__((visibility("default"))) int conesweep_tell(const Job<@scalar@>* job, long member, void (*hear)(void*, const double*, int, bool), void* to) {
  conesweep::step::listener = {hear, to};
  const int status = conesweep::chunk::diagnose<@scalar@, Model>(*job, member).status;
  conesweep::step::listener = {};
  return status;
}
)";

constexpr std::string_view cuda_block = R"(#include <conesweep/kernels/advance.cuh>

CS_MODEL_KERNELS(@scalar@, conesweep::generated::Model);
)";

// The embedded header that a line includes, by its path; empty if it includes none. Only headers of kernels/ name their
// neighbours.
std::string included_header(const std::string& line) {
  const std::string shared = "#include <", neighbour = "#include \"";
  if (line.starts_with(shared + "conesweep/")) return line.substr(shared.size(), line.find('>') - shared.size());
  if (line.starts_with(neighbour))
    return "conesweep/kernels/" + line.substr(neighbour.size(), line.rfind('"') - neighbour.size());
  return {};
}

void append_inlined(const std::string& text, std::set<std::string>& seen, std::string& out) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#pragma once")) continue;
    const std::string name = included_header(line);
    if (name.empty()) {
      out += line + "\n";
      continue;
    }
    if (!seen.insert(name).second) continue;
    const auto found = embedded_headers().find(name);
    if (found == embedded_headers().end())
      throw InternalError("every header that generated code includes is embedded", __FILE__, __LINE__);
    append_inlined(found->second, seen, out);
  }
}

}  // namespace

std::string inline_headers(const std::string& text) {
  std::set<std::string> seen;
  std::string out;
  append_inlined(text, seen, out);
  return out;
}

std::string make_cpu_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single) {
  // The compiler knows what the machine has, and with it how many members a pack holds: the text is the same
  // everywhere
  const std::string scalar = single ? "float" : "double";
  const std::string pack = !is_stepped_in_packs(problem)
                               ? scalar
                               : "conesweep::math::Pack<" + scalar + ", conesweep::math::best_lanes<" + scalar + ">>";
  return inline_headers(generate_model(problem, columns) + fill(cpu_block, {{"scalar", scalar}, {"pack", pack}}));
}

std::string make_diagnosis_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single) {
  return inline_headers(generate_model(problem, columns) +
                        fill(diagnosis_block, {{"scalar", single ? "float" : "double"}}));
}

std::string make_telling_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single) {
  return inline_headers("#define CONESWEEP_TELLS_PARTS\n" + generate_model(problem, columns) +
                        fill(telling_block, {{"scalar", single ? "float" : "double"}}));
}

CudaUnit make_cuda_unit(const scenario::Problem& problem, const std::vector<int>& columns, bool single) {
  return {
      inline_headers(generate_model(problem, columns) + fill(cuda_block, {{"scalar", single ? "float" : "double"}})),
      count_ring_columns(problem)};
}

}  // namespace conesweep::model
