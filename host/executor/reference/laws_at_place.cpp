#include "executor/reference/laws_at_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "executor/reference/stop.hpp"

namespace conesweep::executor::reference {

using coupled::Matrix;
using Eigen::Index;
using scenario::Contact;
using scenario::ContactKind;
using scenario::Formula;

namespace {

// An orthonormal basis of the tangent space of n, a row a vector.
Matrix tangents_of(const Eigen::VectorXd& n) { return coupled::OrthogonalFactors(n).left_over().transpose(); }

}  // namespace

double speed_along(const Rows& contact, const Vector& v) {
  if (contact.a.rows() > 1) return contact.velocities(v).tail(contact.a.rows() - 1).norm();
  const Eigen::VectorXd normal = contact.a.row(0);
  return (v - normal.dot(v) / normal.squaredNorm() * normal).norm();
}

// The set a contact keeps out of: in space where it has a point, else in the coordinates.
struct LawsAtPlace::Obstacle {
  Eigen::VectorXd gradient;  // of g there
  Matrix directions;         // how the coordinates move what touches, ∂x/∂q
};

LawsAtPlace::Obstacle LawsAtPlace::obstacle(const Contact& contact) const {
  const Index d = begin_.q.size();
  if (contact.point.empty()) return {slope_by_coordinates(contact.g, begin_).gradient, Matrix::Identity(d, d)};
  const auto size = static_cast<Index>(contact.point.size());
  Vector x(size);
  Matrix directions(size, d);
  for (Index k = 0; k < size; ++k) {
    const Slope entry = slope_by_coordinates(contact.point[static_cast<std::size_t>(k)].tree, begin_);
    x[k] = entry.value;
    directions.row(k) = entry.gradient.transpose();
  }
  return {slope_by_coordinates(contact.in_space, {begin_.parameters, x, begin_.t}).gradient, directions};
}

Gap LawsAtPlace::gap(std::size_t contact) const {
  return {g(contact), obstacle(scenario_.contacts[contact]).gradient.norm()};
}

double LawsAtPlace::scale(std::size_t contact) const {
  const ContactKind kind = kind_of(scenario_, scenario_.contacts[contact]);
  return kind == ContactKind::slip || kind == ContactKind::row ? 1 : gap(contact).steepness;
}

double LawsAtPlace::penetration(std::size_t contact) const {
  const double depth = g(contact);
  if (!(depth > 0)) return 0;
  const double scale = this->scale(contact);
  if (!(scale > 0) || !std::isfinite(scale)) throw Stop{Status::singular_gradient};
  return depth / scale;
}

// How fast a formula changes with time alone: over the stretch, or at a percussion.
double LawsAtPlace::rate(const expression::Expr& formula) const {
  return stretch_.is_atom() ? slope_by_time(formula, begin_)
                            : (value_at(formula, end()) - value_at(formula, begin_)) / stretch_.h;
}

// Sliding velocities as they are written: rows at the begin, what has no velocity in it and the drive at the end.
void LawsAtPlace::add_sliding(const std::vector<Formula>& slip, const std::vector<Formula>& drive, Index first,
                              Rows& rows) const {
  for (std::size_t k = 0; k < slip.size(); ++k) {
    const Index row = first + static_cast<Index>(k);
    rows.a.row(row) = slope_by_velocities(slip[k].tree, begin_).gradient.transpose();
    rows.c[row] = (drive.empty() ? 0 : value_at(drive[k].tree, end())) - slope_by_velocities(slip[k].tree, end()).value;
  }
}

Rows LawsAtPlace::contact(std::size_t number) const {
  const Contact& contact = scenario_.contacts[number];
  const ContactKind kind = kind_of(scenario_, contact);
  const auto [outward, directions] = obstacle(contact);
  const double steepness = outward.norm();
  if (!(steepness > 0) || !std::isfinite(steepness)) throw Stop{Status::singular_gradient};
  const bool in_space = kind == ContactKind::particle || kind == ContactKind::point;
  const double scale = in_space ? steepness : 1;
  const Index sliding = in_space ? outward.size() - 1 : static_cast<Index>(contact.slip.size());

  Rows rows{Matrix::Zero(1 + sliding, begin_.q.size()), coupled::Vector::Zero(1 + sliding)};
  const Eigen::VectorXd n = -outward / scale;
  rows.a.row(0) = n.transpose() * directions;
  if (contact.wall_moves()) rows.c[0] = rate(contact.g) / scale;
  if (!in_space) {
    add_sliding(contact.slip, contact.belt, 1, rows);
    return rows;
  }
  const Matrix tangents = tangents_of(n);
  rows.a.bottomRows(sliding) = tangents * directions;
  Eigen::VectorXd material = Eigen::VectorXd::Zero(outward.size());
  for (std::size_t k = 0; k < contact.belt.size(); ++k)
    material[static_cast<Index>(k)] = value_at(contact.belt[k].tree, end());
  rows.c.tail(sliding) = tangents * material;
  return rows;
}

double LawsAtPlace::sliding_speed(std::size_t contact, const Vector& v) const {
  const double steepness = gap(contact).steepness;
  if (!(steepness > 0) || !std::isfinite(steepness)) return std::numeric_limits<double>::quiet_NaN();
  return speed_along(this->contact(contact), v);
}

Rows LawsAtPlace::firm() const {
  const auto count = static_cast<Index>(scenario_.bilaterals.size());
  Rows rows{Matrix::Zero(count, begin_.q.size()), coupled::Vector::Zero(count)};
  for (Index b = 0; b < count; ++b) {
    const scenario::Bilateral& bilateral = scenario_.bilaterals[static_cast<std::size_t>(b)];
    if (bilateral.holonomic) {
      rows.a.row(b) = slope_by_coordinates(bilateral.value, begin_).gradient.transpose();
      rows.c[b] = -rate(bilateral.value);
    } else {
      rows.a.row(b) = slope_by_velocities(bilateral.value, begin_).gradient.transpose();
      rows.c[b] = -slope_by_velocities(bilateral.value, end()).value;
    }
  }
  return rows;
}

Rows LawsAtPlace::guide(std::size_t number) const {
  const auto sliding = static_cast<Index>(scenario_.bilaterals[number].slip.size());
  const Rows all = firm();
  Rows rows{Matrix::Zero(1 + sliding, begin_.q.size()), coupled::Vector::Zero(1 + sliding)};
  rows.a.row(0) = all.a.row(static_cast<Index>(number));
  rows.c[0] = all.c[static_cast<Index>(number)];
  add_sliding(scenario_.bilaterals[number].slip, {}, 1, rows);
  return rows;
}

Rows LawsAtPlace::resistance(std::size_t number) const {
  const scenario::Resistance& resistance = scenario_.resistances[number];
  const auto count = static_cast<Index>(resistance.slip.size());
  Rows rows{Matrix::Zero(count, begin_.q.size()), coupled::Vector::Zero(count)};
  add_sliding(resistance.slip, resistance.drive, 0, rows);
  return rows;
}

Inertia LawsAtPlace::inertia(const Vector& v) const {
  const Index d = begin_.q.size();
  Inertia inertia{Matrix::Identity(d, d), coupled::Vector::Zero(d)};
  const bool diagonal = scenario_.mass.size() == static_cast<std::size_t>(d);
  for (std::size_t e = 0; e < scenario_.mass.size(); ++e) {
    const auto at = static_cast<Index>(e);
    const Index i = diagonal ? at : at / d, j = diagonal ? at : at % d;
    const Slope entry = slope_by_coordinates(scenario_.mass[e].tree, begin_);
    inertia.mass(i, j) = entry.value;
    // ∂M_ij/∂q_k v_j v_k in row i, and -½ ∂M_ij/∂q_k v_i v_j in row k
    inertia.turning[i] += entry.gradient.dot(v) * v[j];
    inertia.turning -= entry.gradient * (v[i] * v[j] / 2);
  }
  return inertia;
}

}  // namespace conesweep::executor::reference
