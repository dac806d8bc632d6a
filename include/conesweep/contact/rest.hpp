#pragma once

#include <conesweep/contact/model_blocks.hpp>
#include <conesweep/contact/search.hpp>
#include <conesweep/contact/touching.hpp>

// Does a contact without friction rest? Its sliding velocity is all of v along the wall, whatever island that is of, so
// it is looked at when all laws have acted.

namespace conesweep::contact {

/// What velocities of the step are sums of, |v_{i-1}|_M + |w - v_{i-1}|_M.
template <class Real, class Model, bool Checked, class Metric>
CS_INLINE Real find_speed_of_step(const Passage<Real, Model, Checked>& s, const Metric& metric) {
  constexpr int D = Model::dimension;
  Real before[D], push[D];
  for (int j = 0; j < D; ++j) before[j] = s.node.v[j], push[j] = s.w[j] - s.node.v[j];
  metric.weigh(before);
  metric.weigh(push);
  return sqrt(dot(before, before)) + sqrt(dot(push, push));
}

/// Is what of v lies along the wall of contact P rounding of velocities as large as `speed`?
template <int P, class Real, class Model, bool Checked, class Metric>
CS_INLINE MaskOf<Real> rests_along_wall([[maybe_unused]] const Passage<Real, Model, Checked>& s,
                                        [[maybe_unused]] const Metric& metric, [[maybe_unused]] Real speed) {
  constexpr int D = Model::dimension;
  if constexpr (D == 1) {
    return Real(0) == Real(0);
  } else {
    Real row[D], along_wall[D], along = Real(0);
    put_normal_row<P, Model>(s.node.q, s.node.c, s.node.t, row);
    for (int j = 0; j < D; ++j) along = along + row[j] * s.v.value[j];
    const Real share = along / dot(row, row);
    for (int j = 0; j < D; ++j) along_wall[j] = s.v.value[j] - share * row[j];
    metric.weigh(along_wall);
    return sqrt(dot(along_wall, along_wall)) <= Real(Tolerance<ScalarOf<Real>>::accept) * speed;
  }
}

/// Is a contact of the model without friction?
template <class Model>
CS_HD constexpr bool has_smooth_contacts() {
  for (int p = 0; p < Model::contacts; ++p)
    if (Model::Laws::contact_size(p) == 1) return true;
  return false;
}

/// Of the contacts without friction those that push, pushes[p], rest or slide.
template <class Real, class Model, bool Checked, class Metric>
CS_INLINE void note_rest([[maybe_unused]] Passage<Real, Model, Checked>& s, [[maybe_unused]] const Metric& metric,
                         [[maybe_unused]] const MaskOf<Real>* pushes) {
  if constexpr (has_smooth_contacts<Model>()) {
    MaskOf<Real> some = Real(0) != Real(0);
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if constexpr (Model::Laws::contact_size(p) == 1) some = some || pushes[p];
    });
    if (!any(some)) return;
    const Real speed = find_speed_of_step(s, metric);
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if constexpr (Model::Laws::contact_size(p) == 1) {
        if (!any(pushes[p])) return;
        const MaskOf<Real> rests = rests_along_wall<p>(s, metric, speed);
        s.record.contact[p].stick = (pushes[p] && rests) || (!pushes[p] && s.record.contact[p].stick);
      }
    });
  }
}

}  // namespace conesweep::contact
