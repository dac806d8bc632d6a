// A model written by hand, on the GPU: the same step, laws, history and kernels as for a scenario's formulas, with a
// struct of your own in place of the generated one. docs/user_model.md explains it; `conesweep model FILE` prints the
// struct that conesweep makes of a scenario. tests/cuda/user_model_test.cpp runs it beside the same system written as
// formulas: all bits are equal.

#include "user_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <conesweep/step/blank_model.hpp>

#include "advance.cuh"

namespace conesweep::user {

/// A slider on a rough floor, pulled to a target by a spring that sees where it was τ ago.
///
///   x'' = k (target - x(t - τ)),   y'' = -g,   y >= 0 with friction angle α
struct Slider : step::BlankModel {
  // ---- how many of each there are ----
  enum Parameter { g, k, target, tau, alpha, v0 };  // in the order of [model.parameters]
  enum Constant { weight, stiffness, goal, delay, mu, speed };

  static constexpr int dimension = 2;
  static constexpr int parameters = 6;
  static constexpr int varied = 3;
  static constexpr int varied_parameter[] = {alpha, v0, tau};  // in the order of [vary]
  static constexpr int constants = 6;                          // what is computed once a member
  static constexpr int contacts = 1;
  static constexpr int observables = 2;
  static constexpr int reducers[] = {observe::reduce_max, observe::reduce_last_time};
  static constexpr int results = observables + 9 + 2 * dimension;  // with the standard ones and the final state

  // ---- the past: one lag, which reads x ----
  static constexpr int lags = 1;
  static constexpr int q_columns = 1;           // numbers of a node that go into the ring
  static constexpr int q_column[] = {0};        // x
  static constexpr bool lag_q[][1] = {{true}};  // [lag][column]: does it read it?

  // ---- the contact: what is known of it before the run ----
  static constexpr bool constant_gradient[] = {true};
  static constexpr bool defined_everywhere[] = {true};  // is the inequality a number everywhere?

  struct Standard : BlankModel::Standard {
    static constexpr bool impacts = true, first_contact = true, stick_time = true, slip_time = true, flight_time = true,
                          dissipated = true, impulse = true, variation = true, penetration = true;
  };

  /// From parameters to what the steps need.
  template <class Real>
  static CS_INLINE void prepare(const Real* parameter, Real* c) {
    c[weight] = -parameter[g];
    c[stiffness] = parameter[k];
    c[goal] = parameter[target];
    c[delay] = parameter[tau];
    c[mu] = math::tan(law::check_angle(parameter[alpha]));  // NaN outside [0, π/2): the member stops with bad_angle
    c[speed] = parameter[v0];
  }

  /// Where it was at t <= 0, how fast, and the velocity it starts with.
  template <class Real>
  static CS_INLINE void past(Real t, const Real* c, Real* q) {
    q[0] = c[speed] * t, q[1] = Real(0);
  }
  template <class Real>
  static CS_INLINE void past_velocity(Real, const Real* c, Real* v) {
    v[0] = c[speed], v[1] = Real(0);
  }
  template <class Real>
  static CS_INLINE void start_velocity(const Real* c, Real* v) {
    v[0] = c[speed], v[1] = Real(0);
  }

  template <int Lag, class Real>
  static CS_INLINE Real length(const Real* c) {
    return c[delay];
  }

  /// The force at a node: past_q[lag][column] is the past, q and v are the present.
  template <class Node, class Real>
  static CS_INLINE void force(const Node& node, Real* f) {
    f[0] = node.c[stiffness] * (node.c[goal] - node.past_q[0][0]);
    f[1] = node.c[weight];
  }

  /// The floor: g(q) = -y <= 0 inside, |∇g|, ∇g·w, n·w with the inward normal n, and w = w_n n + w_t.
  template <int Contact, class Real>
  static CS_INLINE Real constraint(const Real* q, const Real*, Real) {
    return -q[1];
  }
  template <int Contact, class Real>
  static CS_INLINE Real steepness(const Real*, const Real*, Real) {
    return Real(1);
  }
  template <int Contact, class Real>
  static CS_INLINE Real constraint_rate(const Real*, const Real*, Real, const Real* w) {
    return -w[1];
  }
  template <int Contact, class Real>
  static CS_INLINE Real along_normal(const Real*, const Real*, Real, const Real* w) {
    return w[1];
  }
  // (more than 5 parameters: what the step calls)
  template <int Contact, class Real>
  static CS_INLINE void split(const Real*, const Real*, Real, const Real* w, Real& w_n, Real* w_t, Real& slip_speed) {
    w_n = w[1];
    w_t[0] = w[0], w_t[1] = Real(0);
    slip_speed = math::abs(w_t[0]);
  }
  // (more than 5 parameters: what the step calls)
  template <int Contact, class Real>
  static CS_INLINE void join(const Real*, const Real*, Real, const Real* v_t, Real, Real* v) {
    v[0] = v_t[0], v[1] = Real(0);
  }
  template <int Contact, class Node>
  static CS_INLINE auto friction(const Node& node) {
    return node.c[mu];
  }

  /// What is observed: a number for max, a condition for last_time.
  template <int Number, class Node>
  static CS_INLINE auto value(const Node& node) {
    return node.q[0];
  }
  template <int Number, class Node>
  static CS_INLINE auto condition(const Node& node) {
    using Real = typename Node::Number;
    return math::abs(node.v[0]) > Real(ScalarOf<Real>(1e-6));
  }
};

}  // namespace conesweep::user

CS_MODEL_KERNELS(double, conesweep::user::Slider);

namespace conesweep::user {
namespace {

using Wave = kernels::Wave<double>;

void check(cudaError_t result, const char* call) {
  if (result != cudaSuccess)
    throw std::runtime_error(std::string("the GPU refused ") + call + ": " + cudaGetErrorString(result));
}

/// Columns of numbers on the device, given back at the end.
class DeviceColumns {
 public:
  DeviceColumns() = default;
  DeviceColumns(const DeviceColumns&) = delete;
  DeviceColumns& operator=(const DeviceColumns&) = delete;
  ~DeviceColumns() {
    for (void* place : places_) cudaFree(place);
  }

  template <class T>
  T* reserve(long count) {
    void* place = nullptr;
    check(cudaMalloc(&place, bytes<T>(std::max(1l, count))), "cudaMalloc");
    places_.push_back(place);
    return static_cast<T*>(place);
  }
  template <class T>
  T* copy(const T* host, long count) {
    T* place = reserve<T>(count);
    check(cudaMemcpy(place, host, bytes<T>(count), cudaMemcpyHostToDevice), "cudaMemcpy");
    return place;
  }
  template <class T>
  static void copy_back(T* host, const T* place, long count) {
    check(cudaMemcpy(host, place, bytes<T>(count), cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

 private:
  template <class T>
  static std::size_t bytes(long count) {
    return static_cast<std::size_t>(count) * sizeof(T);
  }

  std::vector<void*> places_;
};

}  // namespace

void run_slider(const chunk::Job<double>& job) {
  const long cells = job.recorded * job.times;  // of a trajectory's column
  const int block = 128, blocks = static_cast<int>((job.count + block - 1) / block);

  // the same job, with pointers of the device
  DeviceColumns device;
  Wave wave{};
  wave.job = job;
  wave.job.fixed = device.copy(job.fixed, Slider::parameters);
  wave.job.varied = device.copy(job.varied, Slider::varied * job.stride);
  wave.job.observables = device.copy(job.observables, Slider::results * job.stride);
  wave.job.marks = device.copy(job.marks, job.count);
  if (job.numbers != nullptr) wave.job.numbers = device.copy(job.numbers, job.count);
  wave.job.tracks = device.copy(job.tracks, state::count_states<Slider>() * cells);
  wave.job.modes = device.copy(job.modes, cells);
  std::vector<int> order(static_cast<std::size_t>(job.count));  // thread k runs member order[k]
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  wave.order = device.copy(order.data(), job.count);
  wave.state = device.reserve<Wave::Word>(kernels::member_words<double, Slider> * kernels::count_lanes(job.count));

  // the ring has as many slots as the longest lag has steps
  std::vector<long> lags(order.size());
  long* longest = device.reserve<long>(job.count);
  measure_kernel<<<blocks, block>>>(wave, longest);
  check(cudaGetLastError(), "measure_kernel");
  DeviceColumns::copy_back(lags.data(), longest, job.count);
  wave.slots = std::max(1l, *std::max_element(lags.begin(), lags.end()));
  wave.ring = device.reserve<double>(wave.slots * history::ring_columns<Slider> * kernels::count_lanes(job.count));

  // all steps, in two launches: the state stays on the device between them
  const long half = job.clock.steps / 2;
  if (half > 0) advance_kernel<<<blocks, block>>>(wave, 0, half);
  advance_kernel<<<blocks, block>>>(wave, half, job.clock.steps);
  check(cudaGetLastError(), "advance_kernel");
  DeviceColumns::copy_back(job.observables, wave.job.observables, Slider::results * job.stride);
  DeviceColumns::copy_back(job.marks, wave.job.marks, job.count);
  DeviceColumns::copy_back(job.tracks, wave.job.tracks, state::count_states<Slider>() * cells);
  DeviceColumns::copy_back(job.modes, wave.job.modes, cells);
}

}  // namespace conesweep::user
