#pragma once

#include <string>
#include <vector>

#include "scenario/reading/section.hpp"

namespace conesweep::scenario {

/// What contacts, bilateral constraints and resistances are read with.
class LawSection : protected Section {
 public:
  using Section::Section;

 protected:
  /// The tables of [[model.<key>]]; none where they are not written like that (name_laws has said so).
  static std::vector<const toml::table*> tables_of(const toml::table& model, const std::string& key);

  /// Rows that are affine in the velocities, of coordinates and parameters.
  std::vector<Formula> read_slip(const toml::node& node, std::size_t most);

  /// Rows that are parallel wherever one looks say the same twice.
  void check_independence(const std::vector<Formula>& slip, const toml::node& node);

  /// Is it affine in the velocities, and not without any? Else a problem in its text.
  bool check_affine(const Formula& formula, const toml::node& node, const std::string& place);
};

}  // namespace conesweep::scenario
