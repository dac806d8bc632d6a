#pragma once

#include <conesweep/observe/reducers.hpp>
#include <conesweep/state/looks.hpp>

namespace conesweep::observe {

/// A step from node i to the next one.
template <class Real, class Model>
struct StepEnds {
  const Node<Real, Model>& begin;
  const Node<Real, Model>& end;
  Real i, h;
};

/// (A14) What is seen between node i and the next one, of one member, in the order of time. node_at(t, q, v) makes a
/// node; of an integral the trapezoid over the step is put right.
template <class Real, class Model, class NodeAt>
CS_HD void see_looks(Reduced<Real, Model>& reduced, const StepEnds<Real, Model>& step,
                     const state::Looks<Real, Model>& looks, const NodeAt& node_at) {
  const Node<Real, Model>&begin = step.begin, &end = step.end;
  const Real i = step.i, h = step.h;
  Real last[at_least_one(Model::observables)], area[at_least_one(Model::observables)];
  const auto counted = [&](auto k) CS_LAMBDA {
    if constexpr (range_of<Model>(k) >= 0)
      return reduced.template range<k>().sees_step(i);
    else
      return true;
  };
  unroll_many<Model::observables>([&](auto k) CS_LAMBDA {
    if constexpr (is_sum(reducer_of<Model>(k))) {
      last[k] = Model::template value<k>(begin);
      area[k] = Real(-0.5) * last[k];
    }
  });
  Real t = begin.t;
  for (int number = 0; number <= looks.count; ++number) {
    const bool at_end = number == looks.count;
    const Real length = ((at_end ? end.t : looks.of[number].t) - t) / h;
    for (int side = 0; side < (at_end ? 1 : 2); ++side) {
      const Node<Real, Model> node = at_end ? end
                                            : node_at(looks.of[number].t, looks.of[number].q,
                                                      side == 0 ? looks.of[number].before : looks.of[number].after);
      unroll_many<Model::observables>([&](auto k) CS_LAMBDA {
        constexpr int reducer = reducer_of<Model>(k);
        if constexpr (is_sum(reducer)) {
          const Real x = Model::template value<k>(node);
          if (side == 0) area[k] = area[k] + length * (Real(0.5) * (last[k] + x));
          if (at_end) area[k] = area[k] - Real(0.5) * x;
          last[k] = x;
        } else if constexpr (Model::reducers[k] != reduce_final && reducer != reduce_share && reducer != reduce_final) {
          if (!at_end && counted(k)) reduced.template reduce<k, reducer, false>(node, true, h);
        }
      });
    }
    if (!at_end) t = looks.of[number].t;
  }
  unroll_many<Model::observables>([&](auto k) CS_LAMBDA {
    if constexpr (is_sum(reducer_of<Model>(k)))
      if (counted(k)) reduced.template sum<k>().add(area[k]);
  });
}

}  // namespace conesweep::observe
