#include "model/draft.hpp"

namespace conesweep::model {

std::string call(std::string wrapper, const std::string& argument) {
  return wrapper.replace(wrapper.find('%'), 1, argument);
}

std::string returned(Emitter emitter, const expression::Expr& expr, const std::string& type) {
  emitter.assign("const " + type + " result", expr);
  return emitter.text() + "      return result;\n";
}

std::string returned_in_range(Draft& draft, const std::optional<scenario::Formula>& formula,
                              const std::string& wrapper) {
  if (!formula) return "      return Real(0);\n";
  const expression::Expr expr = draft.lowering.lower(formula->tree);
  if (is_of_parameters(expr))
    return "      return n.c[" + std::to_string(draft.constants.place_of(expr, wrapper)) + "];\n";
  Emitter emitter = draft.at_node();
  emitter.assign("const Real x", expr);
  return emitter.text() + "      return " + call(wrapper, "x") + ";\n";
}

}  // namespace conesweep::model
