#pragma once

#include <string>

#include "model/draft.hpp"

namespace conesweep::model {

/// The functions of a model whose laws never meet (B11): what include/conesweep/contact/apart.hpp asks of one. Empty
/// for others.
std::string write_apart(Draft& draft);

}  // namespace conesweep::model
