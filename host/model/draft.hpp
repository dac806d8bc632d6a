#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/emitter.hpp"
#include "model/history_plan.hpp"
#include "model/lowering.hpp"

namespace conesweep::model {

/// A model while its functions are being written: they share the constants they find, and the history they read.
struct Draft {
  Draft(const scenario::Problem& of, std::vector<int> given)
      : problem(of), columns(std::move(given)), history(of), locals(of.dimension()) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// For a function that has a node `n`, and for one that has plain arrays t, q, v, c.
  Emitter at_node(const std::string& indent = "      ") {
    return Emitter(constants, locals.names("n.", "n.c"), indent);
  }
  Emitter in_arrays(const std::string& indent = "      ") { return Emitter(constants, locals.names("", "c"), indent); }

  const scenario::Problem& problem;
  std::vector<int> columns;  // parameters that differ between members
  HistoryPlan history;
  Constants constants;
  Locals locals;
  Lowering lowering{history, locals};
};

/// A call with its argument in place of the %: "law::check_coefficient(%)".
std::string call(std::string wrapper, const std::string& argument);

/// The body that returns what the emitter computes from `expr`, of type "Real" or "MaskOf<Real>".
std::string returned(Emitter emitter, const expression::Expr& expr, const std::string& type = "Real");

/// The body, for a function that has a node `n`, that returns a number with an allowed range, checked by `wrapper`;
/// none: 0.
std::string returned_in_range(Draft& draft, const std::optional<scenario::Formula>& formula,
                              const std::string& wrapper);

}  // namespace conesweep::model
