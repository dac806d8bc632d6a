#include "model/draft.hpp"

namespace conesweep::model {

std::string call(std::string wrapper, const std::string& argument) { return wrapper.replace(wrapper.find('%'), 1, argument); }

std::string returned(Emitter emitter, const expression::Expr& expr, const std::string& type) {
  emitter.assign("const " + type + " result", expr);
  return emitter.text() + "      return result;\n";
}

}  // namespace conesweep::model
