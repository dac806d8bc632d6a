#pragma once

#include <Eigen/Core>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/dense.hpp"
#include "support/text.hpp"

namespace conesweep::test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Which laws a scenario has. All of its numbers are parameters, so that every member is a system of its own and
/// thousands of them need one compiled model.
struct SystemShape {
  struct Contact {
    int tangents = 0;  // slip rows; 0: without friction
  };
  int d = 4;
  std::vector<Contact> contacts;  // planes through the origin
  int firm = 0;                   // velocity rows
  std::vector<int> resistances;   // rows of each; one row: an interval, more: a ball
  bool moreau = false;
  bool forces = true, drives = false;  // drives: belts, moving walls, driven slips
};

/// One member of a shape, as matrices: all that a step from (t, q, v⁻) depends on.
struct DrawnSystem {
  struct Block {
    Matrix rows;   // contact: the inward normal row first
    Vector drive;  // c of u = A v - c
    double mu = 0, e = 0, low = 0, high = 0;
  };
  Matrix mass;
  Vector force, start;  // v_{-1}
  std::vector<Block> contacts, resistances;
  Matrix firm;
  Vector firm_drive;  // times 1 + t

  double kinetic(const Vector& v) const { return v.dot(mass * v) / 2; }
  double norm(const Vector& v) const { return std::sqrt(v.dot(mass * v)); }
};

/// The scenario of a shape, and its members.
class SystemFamily {
 public:
  static constexpr double h = 0.125;

  SystemFamily(SystemShape shape, int steps) : shape_(std::move(shape)), steps_(steps) {}

  std::string text() const {
    const int d = shape_.d;
    std::string contacts, firm, resistances, start;
    for (std::size_t p = 0; p < shape_.contacts.size(); ++p) {
      const std::string name = "c" + std::to_string(p), wall = shape_.drives ? name + "_0d * t" : "0";
      contacts += "[[model.contact]]\nname = \"" + name + "\"\ninside = \"" + along(name + "_0", "q") + " >= " + wall +
                  "\"\nrestitution = \"" + name + "_e\"\n";
      if (const int tangents = shape_.contacts[p].tangents; tangents > 0) {
        contacts += "slip = [" +
                    list(tangents, [&](int k) { return along(name + "_" + std::to_string(k + 1), "vq"); }) +
                    "]\nfriction = \"" + name + "_mu\"\n";
        if (shape_.drives)
          contacts +=
              "belt = [" + list(tangents, [&](int k) { return name + "_" + std::to_string(k + 1) + "d"; }) + "]\n";
      }
    }
    for (int f = 0; f < shape_.firm; ++f)
      firm += "[[model.bilateral]]\nname = \"f" + std::to_string(f) + "\"\nvelocity = \"" +
              along("f" + std::to_string(f), "vq") + " = " +
              (shape_.drives ? "f" + std::to_string(f) + "d * (1 + t)" : "0") + "\"\n";
    for (std::size_t r = 0; r < shape_.resistances.size(); ++r) {
      const std::string name = "r" + std::to_string(r);
      const int rows = shape_.resistances[r];
      resistances += "[[model.resistance]]\nname = \"" + name + "\"\nslip = [" +
                     list(rows, [&](int k) { return along(name + "_" + std::to_string(k), "vq"); }) + "]\n";
      if (shape_.drives)
        resistances += "drive = [" + list(rows, [&](int k) { return name + "_" + std::to_string(k) + "d"; }) + "]\n";
      resistances +=
          "limit = " + (rows == 1 ? "[\"" + name + "_low\", \"" + name + "_high\"]" : "\"" + name + "_high\"") + "\n";
    }
    for (int c = 0; c < d; ++c)
      start += "q" + std::to_string(c) + " = \"0\"\nvq" + std::to_string(c) + " = \"v" + std::to_string(c) + "_0\"\n";
    std::string mass;
    for (int i = 0; i < d; ++i)
      mass +=
          (i > 0 ? ", [" : "[") +
          list(d, [&](int j) { return "m" + std::to_string(std::min(i, j)) + "_" + std::to_string(std::max(i, j)); }) +
          "]";
    std::string parameters;
    for (const auto& [name, value] : list_parameters(draw(0))) parameters += name + " = " + format_number(value) + "\n";
    return "[model]\ncoordinates = [" + list(d, [](int c) { return "q" + std::to_string(c); }) + "]\nmass = [" + mass +
           "]\nforce = [" +
           list(d, [&](int c) { return shape_.forces ? "f_" + std::to_string(c) : std::string("0"); }) + "]\n" +
           (shape_.moreau ? "restitution_law = \"moreau\"\n" : "") + "[model.parameters]\n" + parameters + contacts +
           firm + resistances + "[start]\n" + start + "[time]\nend = " + format_number(steps_ * h) +
           "\nstep = " + format_number(h) + "\n[observe]\nalso = [\"work\", \"drive_work\"" +
           (shape_.contacts.empty() ? "" : ", \"gained\"") + "]\n";
  }

  /// Member `number`. Masses have a condition below some hundred, rows are of the order of 1 and independent.
  DrawnSystem draw(int number) const {
    std::mt19937_64 random(static_cast<std::uint64_t>(number) * 7919 + 17);
    std::normal_distribution<double> normal;
    const auto uniform = [&](double low, double high) {
      return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    const auto fill = [&](Matrix m) {
      for (double& x : m.reshaped()) x = normal(random);
      return m;
    };
    const int d = shape_.d;
    DrawnSystem s;
    const Matrix root = fill(Matrix(d, d));
    s.mass = root * root.transpose() / d + uniform(0.05, 1) * Matrix::Identity(d, d);
    s.mass = (s.mass + s.mass.transpose()).eval() / 2;
    s.force = shape_.forces ? Vector(uniform(0, 10) * fill(Matrix(d, 1))) : Vector(Vector::Zero(d));
    s.start = fill(Matrix(d, 1));
    const bool moving = shape_.drives && number % 2 == 1;
    // restitution: none, one for all, or its own for each
    const double common = uniform(0, 1);
    for (const auto& contact : shape_.contacts) {
      DrawnSystem::Block block;
      block.rows = fill(Matrix(1 + contact.tangents, d));
      block.drive =
          moving ? Vector(0.5 * fill(Matrix(1 + contact.tangents, 1))) : Vector(Vector::Zero(1 + contact.tangents));
      block.mu = contact.tangents > 0 ? uniform(0, 0.8) : 0;
      block.e = number % 3 == 0 ? 0 : number % 3 == 1 || contact.tangents == 0 ? common : uniform(0, 1);
      s.contacts.push_back(block);
    }
    s.firm = fill(Matrix(shape_.firm, d));
    s.firm_drive = moving ? Vector(0.5 * fill(Matrix(shape_.firm, 1))) : Vector(Vector::Zero(shape_.firm));
    for (const int rows : shape_.resistances) {
      DrawnSystem::Block block;
      block.rows = fill(Matrix(rows, d));
      block.drive = moving ? Vector(0.5 * fill(Matrix(rows, 1))) : Vector(Vector::Zero(rows));
      block.high = uniform(0, 6);
      block.low = rows == 1 ? -uniform(0, 6) : 0;
      s.resistances.push_back(block);
    }
    if (shape_.firm > 0)
      s.start -= s.firm.transpose() * test::solve(s.firm * s.firm.transpose(), s.firm * s.start - s.firm_drive);
    return s;
  }

  /// Its parameters, in the order of the file.
  std::vector<double> row(const DrawnSystem& s) const {
    std::vector<double> all;
    for (const auto& [name, value] : list_parameters(s)) all.push_back(value);
    return all;
  }

 private:
  template <class Item>
  static std::string list(int count, const Item& item) {
    std::string all;
    for (int k = 0; k < count; ++k) all += (k > 0 ? ", \"" : "\"") + item(k) + "\"";
    return all;
  }
  std::string along(const std::string& row, const std::string& prefix) const {
    std::string sum;
    for (int c = 0; c < shape_.d; ++c)
      sum += (c > 0 ? " + " : "") + row + "_" + std::to_string(c) + " * " + prefix + std::to_string(c);
    return sum;
  }

  std::vector<std::pair<std::string, double>> list_parameters(const DrawnSystem& s) const {
    std::vector<std::pair<std::string, double>> all;
    const int d = shape_.d;
    const auto put_row = [&](const std::string& name, const auto& row) {
      for (int c = 0; c < d; ++c) all.emplace_back(name + "_" + std::to_string(c), row[c]);
    };
    const auto put_block = [&](const std::string& name, const DrawnSystem::Block& block) {
      for (int k = 0; k < block.rows.rows(); ++k) {
        put_row(name + "_" + std::to_string(k), block.rows.row(k));
        if (shape_.drives) all.emplace_back(name + "_" + std::to_string(k) + "d", block.drive[k]);
      }
    };
    for (int i = 0; i < d; ++i)
      for (int j = i; j < d; ++j) all.emplace_back("m" + std::to_string(i) + "_" + std::to_string(j), s.mass(i, j));
    if (shape_.forces) put_row("f", s.force);
    for (int c = 0; c < d; ++c) all.emplace_back("v" + std::to_string(c) + "_0", s.start[c]);
    for (std::size_t p = 0; p < s.contacts.size(); ++p) {
      const std::string name = "c" + std::to_string(p);
      put_block(name, s.contacts[p]);
      if (shape_.contacts[p].tangents > 0) all.emplace_back(name + "_mu", s.contacts[p].mu);
      all.emplace_back(name + "_e", s.contacts[p].e);
    }
    for (int f = 0; f < shape_.firm; ++f) {
      put_row("f" + std::to_string(f), s.firm.row(f));
      if (shape_.drives) all.emplace_back("f" + std::to_string(f) + "d", s.firm_drive[f]);
    }
    for (std::size_t r = 0; r < s.resistances.size(); ++r) {
      const std::string name = "r" + std::to_string(r);
      put_block(name, s.resistances[r]);
      if (s.resistances[r].rows.rows() == 1) all.emplace_back(name + "_low", s.resistances[r].low);
      all.emplace_back(name + "_high", s.resistances[r].high);
    }
    return all;
  }

  SystemShape shape_;
  int steps_;
};

}  // namespace conesweep::test
