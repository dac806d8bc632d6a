#include <algorithm>

#include "expression/parser.hpp"
#include "scenario/reading/anywhere.hpp"
#include "scenario/reading/dependence.hpp"
#include "scenario/reading/law_section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Allowed;
using expression::Op;
using expression::Symbol;

class ContactsSection : private LawSection {
 public:
  using LawSection::LawSection;

  void read_contacts(const toml::table& model) {
    for (const toml::table* table : tables_of(model, "contact")) {
      Contact contact;
      contact.name = scenario_.names.laws[scenario_.contacts.size()];
      check_keys(*table, known_keys(), "in [[model.contact]]");
      read_place(*table, contact);
      read_inside(*table, contact);
      check_slip(*table, contact);
      read_friction(*table, contact, model.contains("mass"));
      for (const ContactNumber& number : contact_numbers) {
        const toml::node* node = table->get(number.key);
        if (node != nullptr && number.friction_law == FrictionLaw::none)
          contact.*number.formula = formula(*node, contact_rule(std::string(number.key)));
      }
      read_persistent(*table, contact);
      scenario_.contacts.push_back(std::move(contact));
    }
  }

 private:
  static std::vector<std::string> known_keys() {
    std::vector<std::string> keys = {"name", "inside", "point", "slip"};
    for (const ContactNumber& number : contact_numbers) keys.emplace_back(number.key);
    keys.insert(keys.end(), {"belt", "persistent"});
    return keys;
  }

  static Allowed contact_rule(const std::string& place) {
    return {.place = place, .time = true, .coordinates = true, .velocities = true, .history = true};
  }

  // where or along what it touches
  void read_place(const toml::table& table, Contact& contact) {
    const toml::node* point = table.get("point");
    const toml::node* slip = table.get("slip");
    if (point != nullptr && slip != nullptr)
      return report(*slip, "contact '" + contact.name +
                               "' has point and slip; give one of them (from a point the sliding velocities follow)");
    if (point != nullptr) read_point(*point, contact);
    if (slip != nullptr) contact.slip = read_slip(*slip, 2);
  }

  // two or three names, so that `inside` can be written in them
  void read_point(const toml::node& node, Contact& contact) {
    std::vector<Formula> point =
        formulas(node, {2, 3, "names of coordinates or definitions"}, {.place = "point", .coordinates = true});
    if (!node.is_array() || point.size() != node.as_array()->size()) return;
    for (std::size_t k = 0; k < point.size(); ++k) {
      const toml::node& entry = *node.as_array()->get(k);
      const std::string& name = point[k].text;
      const auto& coordinates = scenario_.names.coordinates;
      const auto is_name = [&](const Formula& other) { return other.text == name; };
      if (std::find(coordinates.begin(), coordinates.end(), name) == coordinates.end() &&
          scenario_.names.find_definition(name) == nullptr)
        return report(entry, "an entry of point must be the name of a coordinate or of a definition: define '" + name +
                                 "' in [model.define] and name it here");
      if (std::count_if(point.begin(), point.end(), is_name) > 1)
        return report(entry, "point names '" + name + "' twice");
    }
    contact.point = std::move(point);
  }

  // lhs <= rhs and rhs >= lhs are both g = lhs - rhs <= 0
  void read_inside(const toml::table& table, Contact& contact) {
    const toml::node* node = table.get("inside");
    if (node == nullptr)
      return report(table, "contact '" + contact.name + "' needs inside, for example inside = \"y >= 0\"");
    const Allowed rule = {.place = "inside", .time = true, .coordinates = true, .condition = true};
    auto inside = formula(*node, rule);
    if (!inside) return;
    const Op op = inside->tree->op;
    if (op != Op::less_equal && op != Op::less && op != Op::greater_equal && op != Op::greater)
      return report(*node,
                    "inside must be one inequality, such as y >= 0 or x^2 + y^2 <= R^2; several walls are several "
                    "[[model.contact]]");
    if (!names_a(Symbol::Kind::coordinate, inside->tree))
      return report(*node, "inside depends on no coordinate, so it bounds nothing");
    if (!contact.point.empty()) {
      // the same text in the names of the point
      std::vector<expression::Fault> faults;
      const Names names = names_in_space(contact);
      const expression::Expr in_space = expression::parse(inside->text, names, faults, rule);
      std::vector<std::string> usable = names.coordinates;
      usable.insert(usable.end(), {"t", "parameters", "definitions made of these"});
      for (const auto& fault : faults)
        report_fault(*inside, *node,
                     {fault.span, "'" + inside->text.substr(fault.span.offset, fault.span.length) +
                                      "' is no name of the point; with a point, inside can use " + join_words(usable)});
      if (!in_space) return;
      contact.in_space = difference(in_space);
    }
    contact.g = difference(inside->tree);
    if (coordinates_known_ &&
        counts_none(random_places(scenario_), contact.g, Symbol::Kind::coordinate, scenario_.dimension()))
      report(*node, "inside is the same wherever the coordinates are, so it bounds nothing");
    contact.inside = std::move(*inside);
  }

  // (B8) A sliding velocity is along the wall, in part at least: one along the normal would be an impulse of friction
  // beside that of the contact.
  void check_slip(const toml::table& table, const Contact& contact) {
    if (contact.slip.empty() || !contact.g || has_pieces(contact.g)) return;
    const std::vector<Anywhere> places = random_places(scenario_);
    const std::vector<Row> normals = rows_at(places, contact.g, Symbol::Kind::coordinate, scenario_.dimension());
    for (std::size_t k = 0; k < contact.slip.size(); ++k) {
      const expression::Expr& slip = contact.slip[k].tree;
      if (has_pieces(slip) ||
          !are_parallel(rows_at(places, slip, Symbol::Kind::velocity, scenario_.dimension()), normals))
        continue;
      report(
          *table.get("slip")->as_array()->get(k),
          "this row of slip is the velocity along the normal of '" + contact.name +
              "', and nothing slides there; write velocities along the wall, for example slip = [\"vx\"] where inside "
              "is y >= 0, or leave slip and friction out");
    }
  }

  static expression::Expr difference(const expression::Expr& inequality) {
    const auto& sides = inequality->args;
    const bool below = inequality->op == Op::less_equal || inequality->op == Op::less;
    return expression::make_node(Op::subtract, {sides[below ? 0 : 1], sides[below ? 1 : 0]}, inequality->span);
  }

  using Names = expression::Names;

  // The point's entries in place of coordinates, and the definitions that are made of them, of t and of parameters.
  Names names_in_space(const Contact& contact) const {
    Names names;
    for (const Formula& entry : contact.point) names.coordinates.push_back(entry.text);
    names.parameters = scenario_.names.parameters;
    names.computed = scenario_.names.computed;
    std::size_t read = 0;
    for (const expression::Definition& definition : scenario_.names.definitions) {
      if (definition.state != expression::Definition::State::ready) continue;
      const std::string& text = scenario_.definitions[read++].text;
      if (std::find(names.coordinates.begin(), names.coordinates.end(), definition.name) != names.coordinates.end())
        continue;
      expression::Definition here = definition;
      if (expression::any_node(definition.tree, depends_on_state)) here.tree = read_in_space(text, names);
      if (!here.tree) continue;
      here.nodes = expression::count_nodes(here.tree);
      names.definitions.push_back(std::move(here));
    }
    return names;
  }

  // A definition once more in the names of the point; none where it needs others.
  static expression::Expr read_in_space(const std::string& text, const Names& names) {
    const auto is_mentioned = [&](const std::string& name) { return text.find(name) != std::string::npos; };
    const bool may_fit = std::any_of(names.coordinates.begin(), names.coordinates.end(), is_mentioned) ||
                         std::any_of(names.definitions.begin(), names.definitions.end(),
                                     [&](const auto& other) { return is_mentioned(other.name); });
    if (!may_fit) return nullptr;
    std::vector<expression::Fault> ignored;
    const expression::Expr tree = expression::parse(text, names, ignored);
    const auto moves = [](const expression::Node& node) {
      return expression::is_history(node.op) ||
             (depends_on_state(node) && node.symbol.kind != Symbol::Kind::coordinate);
    };
    return tree && !expression::any_node(tree, moves) ? tree : nullptr;
  }

  static bool depends_on_state(const expression::Node& node) {
    if (expression::is_history(node.op)) return true;
    return node.op == Op::symbol && node.symbol.kind != Symbol::Kind::parameter &&
           node.symbol.kind != Symbol::Kind::time;
  }

  void read_friction(const toml::table& table, Contact& contact, bool has_mass) {
    const toml::node* angle = table.get("friction_angle");
    const toml::node* coefficient = table.get("friction");
    if (angle != nullptr && coefficient != nullptr)
      report(*coefficient, "contact '" + contact.name +
                               "' has friction_angle and friction; give one of them (friction = tan(friction_angle))");
    const toml::node* friction = angle != nullptr ? angle : coefficient;
    if (friction != nullptr) {
      contact.friction_law = angle != nullptr ? FrictionLaw::angle : FrictionLaw::coefficient;
      contact.friction = formula(*friction, contact_rule(angle != nullptr ? "friction_angle" : "friction"));
    }
    const toml::node* belt = table.get("belt");
    const bool plain_row = has_mass && !table.contains("point") && !table.contains("slip");
    const toml::node* asks = friction != nullptr ? friction : belt;
    if (plain_row && asks != nullptr)
      return report(*asks,
                    "with a mass, friction must know what slides: write slip = [\"v" +
                        (coordinates_known_ ? scenario_.names.coordinates.front() : std::string("x")) +
                        "\"], sliding velocities, or point = [\"…\", \"…\"], the place of contact, in contact '" +
                        contact.name + "'");
    if (belt != nullptr) read_belt(*belt, table, contact);
  }

  // the velocity of the wall's material; what of it is along the normal does not count
  void read_belt(const toml::node& node, const toml::table& table, Contact& contact) {
    const bool placed = !contact.point.empty() || !contact.slip.empty();
    if (!placed && (table.contains("point") || table.contains("slip"))) return;  // said already
    const std::size_t wanted = placed ? contact.point.size() + contact.slip.size() : scenario_.names.coordinates.size();
    const std::string one = !contact.point.empty()  ? "an entry of point"
                            : !contact.slip.empty() ? "a row of slip"
                                                    : "a coordinate";
    contact.belt = formulas(node, {wanted, wanted, "the velocity of the wall's material, one " + one},
                            {.place = "belt", .time = true, .coordinates = true});
  }

  void read_persistent(const toml::table& table, Contact& contact) {
    const toml::node* node = table.get("persistent");
    if (node == nullptr) return;
    const auto persistent = node->value_exact<bool>();
    if (!persistent) return report(*node, "persistent must be true or false");
    contact.persistent = *persistent;
    for (const ContactNumber& number : contact_numbers)
      if (contact.persistent && !number.beside_persistent.empty() && table.contains(number.key))
        report(*table.get(number.key),
               "contact '" + contact.name + "' is persistent: " + std::string(number.beside_persistent));
  }
};

}  // namespace

void read_contacts(const toml::table& model, Reading& reading) { ContactsSection(reading).read_contacts(model); }

}  // namespace conesweep::scenario
