#include "executor/reference/persistent_step.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace conesweep::executor::reference::coupled {
namespace {

constexpr double dependent = 1e-12;  // pivot ratio (B9)
constexpr double rounding = 1e-12;   // of what velocities are sums of

/// Do firm rows and the normal rows of all that persist say the same somewhere?
bool are_normals_dependent(const Step& step, const Cholesky& mass, const std::vector<std::size_t>& held) {
  Matrix rows(step.firm_rows.rows() + static_cast<Index>(held.size()), step.w.size());
  rows.topRows(step.firm_rows.rows()) = step.firm_rows;
  for (std::size_t n = 0; n < held.size(); ++n)
    rows.row(step.firm_rows.rows() + static_cast<Index>(n)) = step.blocks[held[n]].rows.row(0);
  if (rows.rows() > rows.cols()) return true;
  const Matrix columns = mass.whiten(rows.transpose());
  const OrthogonalFactors factors(columns);
  for (Index i = step.firm_rows.rows(); i < rows.rows(); ++i)
    if (factors.is_dependent(columns, i, dependent)) return true;
  return false;
}

/// A row that holds in both directions.
Block make_pulling(const Block& contact) {
  const double without_end = std::numeric_limits<double>::infinity();
  return {Law::interval, contact.rows.topRows(1), contact.drive.head(1), -without_end, without_end};
}

class PersistentStep {
 public:
  PersistentStep(const Step& step, bool lenient)
      : step_(step), lenient_(lenient), roundoff_(rounding * speed_of(step)) {}

  /// All that persists takes part with either sign.
  StepAnswer solve(const std::vector<std::size_t>& held) const {
    StepAnswer first;
    for (std::size_t pulling = 0; pulling <= held.size(); ++pulling) {
      for (std::size_t choice = 0; choice < (std::size_t{1} << held.size()); ++choice) {
        if (static_cast<std::size_t>(std::popcount(choice)) != pulling) continue;
        const StepAnswer answer = solve_choice(held, choice);
        if (answer.verdict != Verdict::solved && answer.verdict != Verdict::not_converged) return answer;
        if (answer.verdict == Verdict::solved && agrees(answer, held, choice)) return answer;
        if (choice == 0) first = answer;
      }
    }
    first.verdict = Verdict::not_converged;
    return first;
  }

  bool presses(const StepAnswer& answer, std::size_t k) const {
    return push(answer, k) > (lenient_ ? -roundoff_ : roundoff_);
  }

 private:
  StepAnswer solve_choice(const std::vector<std::size_t>& held, std::size_t choice) const {
    Step step = step_;
    for (std::size_t n = 0; n < held.size(); ++n)
      if ((choice >> n) % 2 == 1) step.blocks[held[n]] = make_pulling(step_.blocks[held[n]]);
    StepAnswer answer = solve_step(step);
    if (answer.verdict != Verdict::solved) return answer;
    // what pulls is a contact again, which has no friction
    for (std::size_t n = 0; n < held.size(); ++n) {
      if ((choice >> n) % 2 == 0) continue;
      const std::size_t k = held[n];
      const Block& block = answer.blocks[k] = step_.blocks[k];
      const double r_n = answer.impulse[k][0];
      answer.impulse[k] = Vector::Zero(block.drive.size());
      answer.impulse[k][0] = r_n;
      answer.u_before[k] = block.rows * step_.v_before - block.drive;
      answer.u[k] = block.rows * answer.v - block.drive;
      answer.mode[k] = Mode::slip;
    }
    return answer;
  }

  // what was chosen to pull does not press, up to rounding; all others do
  bool agrees(const StepAnswer& answer, const std::vector<std::size_t>& held, std::size_t choice) const {
    for (std::size_t n = 0; n < held.size(); ++n) {
      const std::size_t k = held[n];
      if ((choice >> n) % 2 == 1 ? push(answer, k) > roundoff_ : !(push(answer, k) > 0)) return false;
    }
    return true;
  }

  // |M⁻¹a_n r_n|_M, with its sign
  double length(std::size_t k) const {
    return Cholesky(step_.mass).whiten(step_.blocks[k].rows.row(0).transpose()).norm();
  }
  double push(const StepAnswer& answer, std::size_t k) const { return answer.impulse[k][0] * length(k); }

  const Step& step_;
  bool lenient_;
  double roundoff_;  // of the step's velocities
};

}  // namespace

PersistentAnswer solve_persistent_step(const Step& step, std::vector<bool> persists, bool lenient) {
  const PersistentStep problem(step, lenient);
  for (;;) {
    std::vector<std::size_t> held;
    for (std::size_t k = 0; k < persists.size(); ++k)
      if (persists[k]) held.push_back(k);
    if (held.empty()) return {persists, solve_step(step)};
    StepAnswer answer;
    const Cholesky mass(step.mass);
    if (mass.succeeded() && are_normals_dependent(step, mass, held)) {
      answer.verdict = Verdict::dependent_constraints;
      return {persists, answer};
    }
    answer = problem.solve(held);
    if (answer.verdict != Verdict::solved) return {persists, answer};
    bool lost = false;
    for (const std::size_t k : held)
      if (!problem.presses(answer, k)) persists[k] = false, lost = true;
    if (!lost) return {persists, answer};
  }
}

}  // namespace conesweep::executor::reference::coupled
