#pragma once

#include <conesweep/step/flight.hpp>

// (A5) Atoms of order two: all contacts that touch where the member is, at once.

namespace conesweep::step {

/// (A5) Stop rule: where the flight after the atom would be shorter than a step, 2 e |u_n⁻| <= h |a_n|, there is none.
/// a_n = -g̈/|∇g| along it, where it points to the wall. Says which contacts rest; true: some.
template <class Real, class Model, bool Checked>
CS_HD bool find_resting(const Walker<Real, Model, Checked>& m, const Passage<Real, Model, Checked>& one, Real* rests) {
  bool some = false;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    rests[p] = Real(0);
    if constexpr (!Model::rebounds[p]) return;
    const auto& record = one.record.contact[p];
    const Real e = Model::template restitution<p>(one.node);
    if (!record.active || !(e < Real(1))) return;
    const Real steepness = Model::template steepness<p>(m.q, m.constants(), m.t);
    const Real back = Model::template closing_acceleration<p>(m.q, m.constants(), m.t, one.v.value, m.f) / steepness;
    if (!(back > Real(0)) || Real(2) * e * abs(record.u_n_before) > m.h * back) return;
    rests[p] = Real(1);
    some = true;
  });
  return some;
}

/// One solve of all that touches (B2) with h = 0.
template <class Real, class Model, bool Checked>
CS_HD void solve_atom(const Walker<Real, Model, Checked>& m, Passage<Real, Model, Checked>& one) {
  for (int k = 0; k < Model::dimension; ++k) one.w[k] = one.v.value[k] = m.v[k];
  one.v.forget_low();
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) one.impulses()[law] = Real(0);
  contact::solve(one);
}

/// (A5) The member strikes what it touches; `arrived`: a contact that touches whatever rounding says, -1: none.
template <class Real, class Model, bool Checked>
CS_APART bool strike(Walker<Real, Model, Checked>& m, int arrived) {
  constexpr int D = Model::dimension;
  m.look(m.t, m.q, m.v, m.end - m.t);
  Passage<Real, Model, Checked> one;
  one.node = m.there;
  one.node.c = m.constants();
  one.h = Real(0);
  one.t_next = m.t;
  one.first = false;
  one.arrival().contact = arrived >= 0 ? arrived : Model::contacts;
  one.arrival().impact = false;
  for (int k = 0; k < D; ++k) one.f[k] = Real(0), one.arrival().push[k] = m.h * m.f[k];
  for (Real& rest : one.arrival().rests) rest = Real(0);
  solve_atom(m, one);
  Real rests[at_least_one(Model::contacts)];
  if (find_resting(m, one, rests)) {
    for (int p = 0; p < Model::contacts; ++p) one.arrival().rests[p] = rests[p];
    solve_atom(m, one);
  }

  auto& sum = m.s.record;
  for (int p = 0; p < Model::contacts; ++p) {
    const auto& from = one.record.contact[p];
    if (!from.active) continue;
    auto& to = sum.contact[p];
    to.active = true;
    to.stick = from.stick;
    to.r_n = to.r_n + from.r_n;
    to.work = to.work + from.work;
    to.drive = to.drive + from.drive;
    if (state::is_impact(from.u_n_before, from.force_n)) sum.pieces().impacts = sum.pieces().impacts + Real(1);
    sum.pieces().first = min(sum.pieces().first, m.t);
  }
  sum.outside = sum.outside || one.record.outside;
  auto& joint = sum.joint();
  joint.painleve = min(joint.painleve, one.record.joint().painleve);
  joint.hyperstatic = max(joint.hyperstatic, one.record.joint().hyperstatic);
  joint.residual = max(joint.residual, one.record.joint().residual);
  joint.change = joint.change + metric::distance<D>(m.v, one.v.value);
  if constexpr (Checked) {
    if (sum.reason.value == Real(0)) sum.reason.value = one.record.reason.value;
  }
  m.looks.add(m.t, m.q, m.v, one.v.value);
  // what rests on a wall rests there exactly, up to rounding
  const Real small = Real(is_double<Real> ? 1e-9 : 1e-4) * (Real(1) + sqrt(metric::squared_length<D>(m.v)));
  for (int k = 0; k < D; ++k) m.v[k] = one.v.value[k];
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if (!one.record.contact[p].active) return;
    WallThere<Real, D> wall;
    m.template see_wall<p>(m.q, m.t, wall);
    const Real u_n = wall.along(m.v);
    if (abs(u_n) <= small)
      for (int k = 0; k < D; ++k) m.v[k] = m.v[k] - u_n * wall.n[k];
  });
  return is_finite(m.v[0]);
}

}  // namespace conesweep::step
