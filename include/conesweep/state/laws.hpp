#pragma once

#include <conesweep/math/config.hpp>

namespace conesweep::state {

/// What the rows of a contact are (B8).
enum class ContactKind : int {
  particle,  // n = -∇g/|∇g| and the whole tangent space
  point,     // normal and tangents in space, at a point of the body
  slip,      // -∇g as written, and given sliding velocities
  row,       // -∇g as written, without friction
};

enum class MassKind : int { unit, diagonal, dense };

/// A model's laws (B) beside its contacts, by number: what a particle has, none. Counts are enumerators and tables are
/// functions, not variables: NVRTC gives every variable a place in the device's memory.
struct NoLaws {
  enum Count : int {
    coupled = 0,             // does the coupled step solve every step?
    packs = 0,               // (B11) do members stay in packs while no contact touches that meets other laws?
    islands = 1,             // (B11) laws that meet, directly or through others
    constant_mass = 0,       // a full M of parameters alone
    constant_firm = 0,       // rows of bilateral constraints without friction, and M, of parameters alone
    firm = 0,                // rows of bilateral constraints
    guides = 0,              // those of them that have friction (G)
    guide_rows = 0,          // of all of these, with what slides
    resistances = 0,         //
    resistance_rows = 0,     // of all of them
    contact_rows = 1,        // of the largest contact: 1 without friction
    moreau = 0,              // restitution_law (B3)
    uses_laws = 0,           // normal(…) or slip(…) in a formula
    limits_use_normals = 0,  // normal(…) in the limit of a resistance
    law_impulses = 0,        // impulse.<name> that are observed
    law_losses = 0,          // lost.<name> that are observed
    persistent = 0,          // contacts that persist (T)
    percussions = 0,         // resistances that have some
  };
  static constexpr CS_HD MassKind mass() { return MassKind::unit; }
  static constexpr CS_HD ContactKind contact_kind(int) { return ContactKind::particle; }
  static constexpr CS_HD int contact_size(int) { return 1; }     // its rows
  static constexpr CS_HD int space(int) { return 1; }            // components of its normal
  static constexpr CS_HD int resistance_size(int) { return 1; }  // its rows
  static constexpr CS_HD bool is_holonomic(int) { return false; }
  // rows of a bilateral constraint with friction; 0: it has none
  static constexpr CS_HD int guide_size(int) { return 0; }
  static constexpr CS_HD bool is_symmetric(int) { return false; }  // is a resistance's set given by one formula?
  static constexpr CS_HD bool is_driven(int) { return true; }  // does a resistance stick at a velocity other than 0?
  static constexpr CS_HD bool is_open_below(int) { return false; }  // a resistance's set has no lower end
  static constexpr CS_HD bool is_open_above(int) { return false; }
  static constexpr CS_HD int family_of(int) { return -1; }      // a resistance's percussions, by number; -1: none
  static constexpr CS_HD int law_of_impulse(int) { return 0; }  // the contact whose impulse is observed
  static constexpr CS_HD int law_of_loss(int) { return 0; }     // the contact whose loss is observed
  static constexpr CS_HD bool is_persistent(int) { return false; }
  // (B11) coordinates of a law's rows and those that M connects with them, and laws whose normal() a resistance's limit
  // uses, as bits
  static constexpr CS_HD unsigned long long coordinates(int) { return ~0ULL; }
  static constexpr CS_HD unsigned long long normals_of(int) { return 0; }
  static constexpr CS_HD int island_of(int) { return 0; }           // of a law
  static constexpr CS_HD bool is_closed(int) { return false; }      // has a law, which meets no other, a closed form?
  static constexpr CS_HD bool is_lone(int) { return false; }        // the same of a resistance while no contact touches
  static constexpr CS_HD bool always_slides(int) { return false; }  // do no slip rows of a contact ever vanish?
  // does a row of a bilateral constraint meet others alone that are orthogonal to it in M⁻¹, as they are written?
  static constexpr CS_HD bool is_orthogonal(int) { return false; }
  static constexpr CS_HD bool is_boxed(int) { return false; }  // is its island one of boxes (contact/boxes.hpp)?
};

/// Blocks whose contact times are observed (O5): the contacts, or in a model without any its guides and resistances.
template <class Model>
CS_HD constexpr int count_watched() {
  return Model::contacts > 0 ? Model::contacts : int(Model::Laws::guides) + int(Model::Laws::resistances);
}

/// Guides (G) among the bilateral constraints before number f.
template <class Laws>
CS_HD constexpr int guides_before(int f) {
  int count = 0;
  for (int k = 0; k < f; ++k) count += Laws::guide_size(k) > 0 ? 1 : 0;
  return count;
}

/// All laws: contacts, firm rows, resistances.
template <class Model>
CS_HD constexpr int count_laws() {
  return Model::contacts + Model::Laws::firm + Model::Laws::resistances;
}

/// Times of loss that a member keeps: one a contact, where some persist (T).
template <class Model>
CS_HD constexpr int count_losses() {
  return Model::Laws::persistent > 0 ? Model::contacts : 0;
}

/// Is one of the certificates of persistent contact observed (T2)?
template <class Model>
CS_HD constexpr bool is_certified() {
  return Model::Laws::persistent > 0 && (Model::Standard::certificate || Model::Standard::certificate_paper);
}

/// Can several blocks act in one step?
template <class Model>
CS_HD constexpr bool is_joint() {
  return Model::Laws::coupled != 0 || Model::contacts > 1;
}

/// Can laws meet in a step: is there one without a closed form, of which each is solved by itself?
template <class Model>
CS_HD constexpr bool meets() {
  bool open = false;
  for (int law = 0; law < count_laws<Model>(); ++law) open = open || !Model::Laws::is_closed(law);
  return Model::Laws::packs != 0 ? open : is_joint<Model>();
}

/// Are impacts located within the step (I)? A model that finds them at its nodes does not even have the word.
template <class Model>
CS_HD constexpr bool is_located() {
  return requires { typename Model::Located; };
}

/// Is the step of second order (A)? A model of the paper's scheme does not have the word. One that has it locates what
/// it meets, too.
template <class Model>
CS_HD constexpr bool is_second() {
  return requires { typename Model::Second; };
}

/// Are starts that miss walls and constraints by little put on them? A model that takes them as they are does not have
/// the word.
template <class Model>
CS_HD constexpr bool settles() {
  return requires { typename Model::Settles; };
}

/// May contacts have laws of their own, in place of Coulomb's? A model without such does not even have the word.
template <class Model>
CS_HD constexpr bool has_own_laws() {
  return requires { typename Model::OwnLaws; };
}

/// Can a step have several parts: between percussions (B6), between arrivals (I)?
template <class Model>
CS_HD constexpr bool is_split() {
  return Model::Laws::percussions > 0 || is_located<Model>();
}

}  // namespace conesweep::state
