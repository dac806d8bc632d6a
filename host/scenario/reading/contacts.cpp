#include <algorithm>
#include <set>

#include "expression/parser.hpp"
#include "scenario/reading/section.hpp"

namespace conesweep::scenario {
namespace {

using expression::Allowed;

class ContactsSection : private Section {
 public:
  using Section::Section;

  void read_contacts(const toml::table& model) {
    const toml::node* node = model.get("contact");
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr || !std::all_of(array->begin(), array->end(), [](const toml::node& item) { return item.is_table(); }))
      return report(*node, "contacts are written as [[model.contact]], one for each");
    for (const toml::node& item : *array) read_contact(*item.as_table());
  }

 private:
  void read_contact(const toml::table& table) {
    check_keys(table, {"name", "inside", "friction_angle", "friction", "restitution"}, "in [[model.contact]]");
    Contact contact;
    contact.name = "contact" + std::to_string(scenario_.contacts.size() + 1);
    if (const toml::node* name = table.get("name")) {
      if (const auto text = name->value_exact<std::string>(); text && !text->empty())
        contact.name = *text;
      else
        report(*name, "a contact's name must be a text in quotes, and not empty");
    }
    if (!contact_names_.insert(contact.name).second) report(table, "two contacts are called '" + contact.name + "'");

    if (const toml::node* inside = table.get("inside"))
      read_inside(*inside, contact);
    else
      report(table, "contact '" + contact.name + "' needs inside, for example inside = \"y >= 0\"");

    const toml::node* angle = table.get("friction_angle");
    const toml::node* coefficient = table.get("friction");
    if (angle != nullptr && coefficient != nullptr)
      report(*coefficient, "contact '" + contact.name + "' has friction_angle and friction; give one of them (friction = tan(friction_angle))");
    if (const toml::node* friction = angle != nullptr ? angle : coefficient) {
      contact.friction_law = angle != nullptr ? FrictionLaw::angle : FrictionLaw::coefficient;
      contact.friction = formula(*friction, contact_rule(angle != nullptr ? "friction_angle" : "friction"));
    }
    if (const toml::node* restitution = table.get("restitution")) contact.restitution = formula(*restitution, contact_rule("restitution"));
    scenario_.contacts.push_back(std::move(contact));
  }

  static Allowed contact_rule(const std::string& place) { return {.place = place, .time = true, .coordinates = true, .velocities = true, .history = true}; }

  // lhs <= rhs and rhs >= lhs are both g = lhs - rhs <= 0
  void read_inside(const toml::node& node, Contact& contact) {
    auto inside = formula(node, {.place = "inside", .coordinates = true, .condition = true});
    if (!inside) return;
    using expression::Op;
    const expression::Node& tree = *inside->tree;
    const bool below = tree.op == Op::less_equal || tree.op == Op::less;
    const bool above = tree.op == Op::greater_equal || tree.op == Op::greater;
    if (!below && !above) return report(node, "inside must be one inequality, such as y >= 0 or x^2 + y^2 <= R^2; several walls are several [[model.contact]]");
    const bool moves = expression::any_node(
        inside->tree, [](const expression::Node& n) { return n.op == Op::symbol && n.symbol.kind == expression::Symbol::Kind::coordinate; });
    if (!moves) return report(node, "inside depends on no coordinate, so it bounds nothing");
    contact.g = expression::make_node(Op::subtract, below ? std::vector{tree.args[0], tree.args[1]} : std::vector{tree.args[1], tree.args[0]}, tree.span);
    contact.inside = std::move(*inside);
  }

  std::set<std::string> contact_names_;
};

}  // namespace

void read_contacts(const toml::table& model, Reading& reading) { ContactsSection(reading).read_contacts(model); }

}  // namespace conesweep::scenario
