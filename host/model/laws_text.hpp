#pragma once

#include <string>
#include <vector>

#include "model/draft.hpp"

namespace conesweep::model {

/// What is known of the contacts before the run: [contact], 1 or 0.
struct ContactTables {
  std::vector<int> rebounds;            // has it a restitution?
  std::vector<int> moves;               // has it a velocity of its own (P13)?
  std::vector<int> constant_gradient;   // is ∇g the same everywhere?
  std::vector<int> defined_everywhere;  // is g a number everywhere?
};
ContactTables tabulate_contacts(const scenario::Problem& problem);

/// The functions of the contacts: g, ∇g, the normal, w = w_n n + w_t and v = v_t + v_n n, friction and restitution.
std::string write_contacts(Draft& draft);

}  // namespace conesweep::model
