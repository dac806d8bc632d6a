#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Blocks of C++ with places to fill: what is written reads here as it will stand there.

namespace conesweep::model {

/// A block's places by name, and what comes there.
using Filling = std::vector<std::pair<std::string_view, std::string>>;

/// The block with every @name@ replaced. Every place has a filling; what is filled in is not looked at again.
std::string fill(std::string_view block, const Filling& filling);

/// name[index]
std::string indexed(const std::string& name, std::size_t index);

/// {1, 0, 2}; of nothing {0}, since an array has one entry at least.
std::string number_list(const std::vector<int>& values);

/// The same of constants by their names: {observe::reduce_max, observe::reduce_min}.
std::string name_list(const std::vector<std::string>& names);

/// A function of packs that is chosen by a number K: one body each, all in one template. `signature` as in "Real
/// length(const Real* c)".
std::string choose_by_number(std::string_view signature, const std::vector<std::string>& bodies);

/// The same for a function that sees a node `n`, "friction(const Node& n)", and gives what its body returns.
std::string choose_by_number_at_node(std::string_view signature, const std::vector<std::string>& bodies);

}  // namespace conesweep::model
