#pragma once

#include <conesweep/contact/coupled_step.hpp>
#include <conesweep/metric/cholesky.hpp>

#include <Eigen/Core>
#include <initializer_list>

namespace conesweep::contact {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A coupled step with Eigen's vectors, for tests.
template <int D, int Firm = 0, int Blocks = 8, int Rows = 24>
struct OneStep {
  System<double, D, Firm, Blocks, Rows> system{};
  Workspace<double, D, Firm, Blocks, Rows> work{};
  Solution<double, D, Firm, Blocks, Rows> solution{};
  Matrix mass = Matrix::Identity(D, D);
  Matrix rows = Matrix(0, D), firm = Matrix(0, D);  // as given; the step uses up its own

  OneStep(const Vector& v_before, const Vector& w) {
    system.clear();
    for (int j = 0; j < D; ++j) system.v_before[j] = v_before[j], system.w[j] = w[j];
  }
  void set_firm(int f, const Vector& row, double drive) {
    for (int j = 0; j < D; ++j) system.firm_row[f][j] = row[j];
    system.firm_drive[f] = drive;
    append(firm, row);
  }
  void set_row(int block, int k, const Vector& row, double drive = 0) {
    for (int j = 0; j < D; ++j) system.row[system.first[block] + k][j] = row[j];
    system.drive[system.first[block] + k] = drive;
    append(rows, row);
  }
  /// Rows must be given block after block.
  int add_contact(const std::vector<Vector>& block_rows, double mu, double e, const std::vector<double>& drives = {}) {
    const int block = system.add_contact(static_cast<int>(block_rows.size()), mu, e);
    set_rows(block, block_rows, drives);
    return block;
  }
  int add_guide(const std::vector<Vector>& block_rows, double mu, const std::vector<double>& drives = {}) {
    const int block = system.add_guide(static_cast<int>(block_rows.size()), mu);
    set_rows(block, block_rows, drives);
    return block;
  }
  int add_interval(const Vector& row, double low, double high, double drive = 0) {
    const int block = system.add_interval();
    system.low[block] = low, system.high[block] = high;
    set_row(block, 0, row, drive);
    return block;
  }
  int add_ball(const std::vector<Vector>& block_rows, double radius, const std::vector<double>& drives = {}) {
    const int block = system.add_ball(static_cast<int>(block_rows.size()));
    system.high[block] = radius;
    set_rows(block, block_rows, drives);
    return block;
  }

  template <class Limits = FixedLimits>
  const Solution<double, D, Firm, Blocks, Rows>& solve(Restitution restitution = Restitution::newton,
                                                       const Limits& limits = {}) {
    double m[D][D];
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) m[i][j] = mass(i, j);
    }
    metric::DenseMetric<double, D> metric;
    if (!metric.factor(m)) {
      solution.verdict = Verdict::bad_mass;
      return solution;
    }
    solve_step(metric, system, limits, restitution, work, solution);
    return solution;
  }
  Vector v() const { return Eigen::Map<const Vector>(solution.v, D); }
  Vector impulse() const { return Eigen::Map<const Vector>(solution.impulse, rows.rows()); }

 private:
  static void append(Matrix& to, const Vector& row) {
    to.conservativeResize(to.rows() + 1, D);
    to.row(to.rows() - 1) = row.transpose();
  }
  void set_rows(int block, const std::vector<Vector>& block_rows, const std::vector<double>& drives) {
    for (std::size_t k = 0; k < block_rows.size(); ++k)
      set_row(block, static_cast<int>(k), block_rows[k], drives.empty() ? 0 : drives[k]);
  }
};

inline Vector vector_of(std::initializer_list<double> values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) v[i++] = value;
  return v;
}

}  // namespace conesweep::contact
