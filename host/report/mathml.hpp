#pragma once

#include <string>

#include "expression/tree.hpp"

namespace conesweep::report {

/// Formulas as MathML, made from their trees: what is typeset is what is computed. Every function returns one element.

/// A formula; `names` tells what its symbols are called.
std::string to_math(const expression::Expr& expr, const expression::Names& names);

/// A name: α for alpha, θ with a low 0 for theta0, ẋ for the velocity of x.
std::string math_name(const std::string& name);
std::string math_velocity(const std::string& coordinate);
std::string math_acceleration(const std::string& coordinate);

std::string math_operator(const std::string& sign);
std::string math_row(const std::string& parts);

/// An equation of its own in a page.
std::string display_math(const std::string& parts);
std::string inline_math(const std::string& parts);

}  // namespace conesweep::report
